#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"

namespace ndnf::cli {
namespace {

/// Beyond this not every integer can be represented as a double.
constexpr double kExactDouble = 9007199254740992.0;

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  if (const auto integer = parse<std::uint64_t>(text)) return integer;
  const auto real = parse<double>(text);
  if (!real || !(*real >= 0 && *real <= kExactDouble) || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

CLI::Option* add_integer(CLI::App& app, const std::string& name, std::uint64_t low, std::uint64_t high,
                         std::function<void(std::uint64_t)> set, const std::string& description) {
  const auto read = [name, low, high, set = std::move(set)](const std::string& text) {
    const auto number = parse_integer(text);
    if (!number || *number < low || *number > high) {
      throw Error(name, fmt::format("{} is not an integer from {} to {}", text, low, high));
    }
    set(*number);
  };
  return app.add_option_function<std::string>(name, read, description)->type_name(kNumber);
}

CLI::Option* add_shield(CLI::App& app, std::optional<Input>& target, const std::string& description) {
  return app.add_option("--shield", target, description)->type_name(kFile);
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, const char* type,
                        const std::vector<std::string>& words, std::function<void(const std::string&)> set,
                        const std::string& description) {
  const auto read = [name, words, set = std::move(set)](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      throw Error(name, fmt::format("there is no {}", word), suggestion(word, words));
    }
    set(word);
  };
  return app.add_option_function<std::string>(name, read, description)->type_name(type);
}

}  // namespace ndnf::cli
