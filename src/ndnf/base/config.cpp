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
#include "ndnf/base/toml_nesting.h"

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
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    if (element.is_integer()) integers.push_back(element.as_integer()->get());
    if (element.is_string()) texts.push_back(element.as_string()->get());
  }
  if (integers.size() == array->size()) return integers;
  if (texts.size() == array->size()) return texts;
  return std::nullopt;
}

/// Parses the text as a TOML value; anything that is not valid TOML is a bare word.
ConfigValue parse_value(std::string_view where, std::string_view text) {
  check_toml_nesting(where, text);
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", text));
    if (const auto value = from_toml(*table.get("value")); value && table.size() == 1) return *value;
  } catch (const toml::parse_error&) {  // a bare word
  }
  return std::string(text);
}

/// Converts between number types where nothing is lost, and empty lists to either list type; other values
/// are returned unchanged.
ConfigValue as_type_of(const ConfigValue& sample, const ConfigValue& value) {
  constexpr double kExact = 9007199254740992.0;  // above this, not every integer is a double
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && std::holds_alternative<double>(sample)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && std::holds_alternative<std::int64_t>(sample) && std::abs(*real) <= kExact &&
      *real == std::floor(*real)) {
    return static_cast<std::int64_t>(*real);
  }
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
  if (integers != nullptr && integers->empty() && std::holds_alternative<std::vector<std::string>>(sample)) {
    return std::vector<std::string>();
  }
  return value;
}

/// A TOML basic string; text with line breaks becomes a multi-line string.
std::string in_quotes(std::string_view text) {
  const bool lines = text.find('\n') != std::string_view::npos;
  std::string result = lines ? "\"\"\"\n" : "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += c;
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + (lines ? "\"\"\"" : "\"");
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

Where line_of(std::string_view where, const toml::source_position& at) {
  return {std::string(where), {at.line, 0}};
}

/// Reads one section; `below` is called for each table nested in it.
template <class Below>
ConfigSection read_section(std::string_view where, std::string name, const toml::table& table, Below below) {
  ConfigSection section{line_of(where, table.source().begin), std::move(name), {}};
  for (const auto& [key, node] : table) {
    const Where here = line_of(where, key.source().begin);
    if (key.str().empty()) throw Error(here, "a key is empty");  // that of a value alone (ConfigAssignment)
    if (const toml::table* inner = node.as_table()) {
      below(here, std::string(key.str()), *inner);
    } else if (auto value = from_toml(node)) {
      section.entries.push_back({here, {std::string(key.str()), std::move(*value)}});
    } else {
      throw Error(here, fmt::format("{} has a type that no setting uses", key.str()));
    }
  }
  return section;
}

}  // namespace

std::string to_text(const ConfigValue& value, bool bare) {
  return std::visit(
      Overloaded{
          [](bool flag) { return std::string(flag ? "true" : "false"); },
          [](std::int64_t integer) { return fmt::format("{}", integer); },
          [](double real) {
            const std::string digits = fmt::format("{}", real);
            return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
          },
          [bare](const std::string& text) { return bare && is_bare_word(text) ? text : in_quotes(text); },
          [](const std::vector<std::int64_t>& integers) {
            return fmt::format("[{}]", fmt::join(integers, ","));
          },
          [](const std::vector<std::string>& texts) {
            std::vector<std::string> words;
            for (const std::string& text : texts) words.push_back(in_quotes(text));
            return fmt::format("[{}]", fmt::join(words, ","));
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
      assignments.push_back(parse_assignment(where, part));
    }
  }
  return assignments;
}

ConfigAssignment parse_assignment(std::string_view where, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(std::string(where), fmt::format("{} is not a setting", text), "write key=value");
  }
  return {std::string(text.substr(0, equals)), parse_value(where, text.substr(equals + 1))};
}

std::vector<ConfigSection> parse_toml(std::string_view where, std::string_view text) {
  check_toml_nesting(where, text);
  try {
    std::vector<ConfigSection> sections(1);
    const auto deeper = [](const Where& here, const std::string& name, const toml::table&) {
      throw Error(here, fmt::format("{} is a section within a section", name));
    };
    const auto section = [&](const Where&, const std::string& name, const toml::table& inner) {
      sections.push_back(read_section(where, name, inner, deeper));
    };
    sections[0] = read_section(where, "", toml::parse(text), section);
    return sections;
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw Error({std::string(where), {at.line, at.column}}, std::string(error.description()));
  }
}

std::string ConfigField::allowed() const {
  const auto range = [this](std::string_view one) { return fmt::format("{} from {} to {}", one, low, high); };
  return std::visit(
      Overloaded{
          [](bool) { return std::string("true or false"); },
          [&](std::int64_t) { return range("an integer"); },
          [&](double) { return range("a number"); },
          [this](const std::string&) {
            return choices.empty() ? "a string" : fmt::format("one of {}", fmt::join(choices, ", "));
          },
          [&](const std::vector<std::int64_t>&) { return range("a list of integers, such as [5,6], each"); },
          [](const std::vector<std::string>&) {
            return std::string("a list of strings, such as [\"a\",\"b\"]");
          },
      },
      fallback);
}

ConfigValue ConfigField::checked(const Where& where, const ConfigValue& value) const {
  const ConfigValue converted = as_type_of(fallback, value);
  const auto inside = [this](double number) { return number >= low && number <= high; };
  const bool fine =
      converted.index() == fallback.index() &&
      std::visit(Overloaded{
                     [](bool) { return true; },
                     [&](std::int64_t integer) { return inside(static_cast<double>(integer)); },
                     [&](double real) { return inside(real); },
                     [this](const std::string& text) {
                       return choices.empty() ||
                              std::find(choices.begin(), choices.end(), text) != choices.end();
                     },
                     [&](const std::vector<std::int64_t>& integers) {
                       return std::all_of(integers.begin(), integers.end(),
                                          [&](std::int64_t i) { return inside(static_cast<double>(i)); });
                     },
                     [](const std::vector<std::string>&) { return true; },
                 },
                 converted);
  if (!fine)
    throw Error(where, fmt::format("{}={} is not allowed", key, to_text(value, true)),
                key + " is " + allowed());
  return converted;
}

const ConfigField& find_field(const Where& where, const std::vector<ConfigField>& fields,
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
  throw Error(where, fmt::format("there is no setting {}", word), suggestion(word, known));
}

}  // namespace ndnf
