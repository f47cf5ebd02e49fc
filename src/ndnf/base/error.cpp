#include "ndnf/base/error.h"

#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr char kArgument = '\x1E';  // begins and ends an argument
constexpr char kValue = '\x1F';     // separates its name from its value

std::string plain(std::string_view name, std::string_view value) {
  return value.empty() ? std::string(name) : fmt::format("{}={}", name, value);
}

/// The text with each argument written in this style.
std::string styled(std::string_view text, const ArgumentStyle& style) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find(kArgument);
    const std::size_t end = begin == text.npos ? text.npos : text.find(kArgument, begin + 1);
    result += text.substr(0, end == text.npos ? text.npos : begin);
    if (end == text.npos) return result;
    const std::string_view inner = text.substr(begin + 1, end - begin - 1);
    const std::size_t equals = inner.find(kValue);
    result += style(inner.substr(0, equals), equals == inner.npos ? "" : inner.substr(equals + 1));
    text.remove_prefix(end + 1);
  }
}

std::string sentence(const Complaint& complaint, const ArgumentStyle& style) {
  std::string where = styled(complaint.where.name, style);
  const auto [line, column] = complaint.where.place;
  for (const std::uint32_t number : {line, column}) {
    if (number > 0) where += fmt::format("{}{}", where.empty() ? "" : ":", number);
  }
  std::string text = where.empty() ? "" : where + ": ";
  text += styled(complaint.what, style);
  if (!complaint.hint.empty()) text += "; " + styled(complaint.hint, style);
  return text;
}

std::string sentences(const std::vector<Complaint>& complaints, const ArgumentStyle& style) {
  std::string text;
  for (const Complaint& complaint : complaints) {
    if (!text.empty()) text += '\n';
    text += sentence(complaint, style);
  }
  return text;
}

}  // namespace

std::string argument(std::string_view name, std::string_view value) {
  return value.empty() ? fmt::format("{0}{1}{0}", kArgument, name)
                       : fmt::format("{0}{1}{2}{3}{0}", kArgument, name, kValue, value);
}

Error::Error(Where where, std::string what, std::string hint)
    : Error(std::vector<Complaint>{{std::move(where), std::move(what), std::move(hint)}}) {}

Error::Error(std::vector<Complaint> complaints)
    : std::runtime_error(sentences(complaints, plain)), complaints_(std::move(complaints)) {}

std::string Error::text(const ArgumentStyle& style) const { return sentences(complaints_, style); }

}  // namespace ndnf
