#include "ndnf/base/config.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"

namespace ndnf {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool is_bare_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

std::optional<ConfigValue> from_toml(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const toml::node& element : *array) {
    if (!element.is_integer()) return std::nullopt;
    integers.push_back(element.as_integer()->get());
  }
  return integers;
}

/// TOML syntax first; what TOML does not know is a bare word.
ConfigValue parse_value(std::string_view text) {
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", text));
    if (const auto value = from_toml(*table.get("value"))) return *value;
  } catch (const toml::parse_error&) {  // a bare word
  }
  return std::string(text);
}

/// Splits at commas outside square brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    } else if (text[i] == '[' || text[i] == ']') {
      depth += text[i] == '[' ? 1 : -1;
    }
  }
  return parts;
}

}  // namespace

std::string to_text(const ConfigValue& value, bool bare) {
  return std::visit(Overloaded{
                        [](bool flag) { return std::string(flag ? "true" : "false"); },
                        [](std::int64_t integer) { return fmt::format("{}", integer); },
                        [](double real) { return fmt::format("{:#}", real); },
                        [bare](const std::string& text) {
                          return bare && is_bare_word(text) ? text : fmt::format("\"{}\"", text);
                        },
                        [](const std::vector<std::int64_t>& integers) {
                          return fmt::format("[{}]", fmt::join(integers, ","));
                        },
                    },
                    value);
}

std::vector<ConfigAssignment> parse_assignments(std::string_view where, std::string_view text) {
  std::vector<ConfigAssignment> assignments;
  for (const std::string_view part : split(text)) {
    if (part.empty()) throw Error(std::string(where), "has an empty setting", "write key=value,key=value");
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      assignments.push_back({"", std::string(part)});
    } else {
      assignments.push_back({std::string(part.substr(0, equals)), parse_value(part.substr(equals + 1))});
    }
  }
  return assignments;
}

std::string ConfigField::allowed() const {
  const auto range = [this](std::string_view one) { return fmt::format("{} from {} to {}", one, low, high); };
  return std::visit(
      Overloaded{
          [](bool) { return std::string("true or false"); },
          [&](std::int64_t) { return range("an integer"); },
          [&](double) { return range("a number"); },
          [this](const std::string&) { return fmt::format("one of {}", fmt::join(choices, ", ")); },
          [&](const std::vector<std::int64_t>&) { return range("a list of integers, such as [5,6], each"); },
      },
      fallback);
}

ConfigValue ConfigField::checked(std::string_view where, const ConfigValue& value) const {
  ConfigValue converted = value;
  if (std::holds_alternative<double>(fallback) && std::holds_alternative<std::int64_t>(value)) {
    converted = static_cast<double>(std::get<std::int64_t>(value));
  }
  const auto inside = [this](double number) { return number >= low && number <= high; };
  const bool fine =
      converted.index() == fallback.index() &&
      std::visit(Overloaded{
                     [](bool) { return true; },
                     [&](std::int64_t integer) { return inside(static_cast<double>(integer)); },
                     [&](double real) { return inside(real); },
                     [this](const std::string& text) {
                       return std::find(choices.begin(), choices.end(), text) != choices.end();
                     },
                     [&](const std::vector<std::int64_t>& integers) {
                       return std::all_of(integers.begin(), integers.end(),
                                          [&](std::int64_t i) { return inside(static_cast<double>(i)); });
                     },
                 },
                 converted);
  if (!fine)
    throw Error(std::string(where), fmt::format("{}={} is not allowed", key, to_text(value, true)),
                key + " is " + allowed());
  return converted;
}

const ConfigField& find_field(std::string_view where, const std::vector<ConfigField>& fields,
                              const ConfigAssignment& assignment) {
  const bool bare = assignment.key.empty();
  const std::string word = bare ? std::get<std::string>(assignment.value) : assignment.key;
  std::vector<std::string> known;
  for (const ConfigField& field : fields) {
    if (!bare && field.key == word) return field;
    if (bare && std::find(field.choices.begin(), field.choices.end(), word) != field.choices.end())
      return field;
    known.push_back(field.key);
    if (bare) known.insert(known.end(), field.choices.begin(), field.choices.end());
  }
  throw Error(std::string(where), fmt::format("there is no setting {}", word), suggestion(word, known));
}

}  // namespace ndnf
