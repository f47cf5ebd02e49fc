#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ndnf/base/error.h"

namespace ndnf {

/// The value of a configuration key: one of the TOML types in use.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<std::string>>;

/// The value in TOML syntax; with `bare`, strings of letters, digits, `-` and `_` are not quoted.
std::string to_text(const ConfigValue& value, bool bare = false);

/// One `key=value` from the command line or a file. An empty key means a bare word, such as `wall`.
struct ConfigAssignment {
  std::string key;
  ConfigValue value;
};

/// Parses `key=value,word,key=[1,2]`. Values are in TOML syntax; other words are strings.
std::vector<ConfigAssignment> parse_assignments(std::string_view where, std::string_view text);
/// Parses a single `key=value`; commas belong to the value.
ConfigAssignment parse_assignment(std::string_view where, std::string_view text);

/// A section of a TOML file. Sections are not nested. Keys before the first section header belong to the
/// section named "".
struct ConfigSection {
  struct Entry {
    Where where;
    ConfigAssignment assignment;
  };
  Where where;
  std::string name;
  std::vector<Entry> entries;
};

/// The sections by name, "" first. Throws Error with line and column if the text is not valid TOML or uses
/// unsupported features.
std::vector<ConfigSection> parse_toml(std::string_view where, std::string_view text);

/// One documented key: the single source of the TOML key, `--set`, `--help` and the Python keyword.
struct ConfigField {
  std::string key;
  std::string sentence;              ///< What the key means.
  ConfigValue fallback;              ///< Its default, which also fixes its type.
  double low = 0;                    ///< Range of a number or of each element.
  double high = 0;                   ///<
  std::vector<std::string> choices;  ///< The allowed strings; empty if any string is allowed.

  /// "an integer from 2 to 1000", for help and errors.
  std::string allowed() const;
  /// The value converted to the field's type (2 may stand for 2.0, and 1e6 for a million). Throws Error if
  /// it has the wrong type or is out of range.
  ConfigValue checked(const Where& where, const ConfigValue& value) const;
};

/// The field with this key or, for a bare word, the field that has it as a choice. If there is none, throws
/// Error that suggests the nearest key.
const ConfigField& find_field(const Where& where, const std::vector<ConfigField>& fields,
                              const ConfigAssignment& assignment);

/// Binds documented keys to the members of a plain struct, whose initial values are the defaults.
template <class Struct>
class ConfigTable {
 public:
  explicit ConfigTable(Struct defaults = {}) : defaults_(std::move(defaults)) {}

  ConfigTable& integer(std::string key, std::int64_t Struct::*member, std::int64_t low, std::int64_t high,
                       std::string sentence) {
    return add({std::move(key),
                std::move(sentence),
                defaults_.*member,
                static_cast<double>(low),
                static_cast<double>(high),
                {}},
               member);
  }
  ConfigTable& real(std::string key, double Struct::*member, double low, double high, std::string sentence) {
    return add({std::move(key), std::move(sentence), defaults_.*member, low, high, {}}, member);
  }
  ConfigTable& flag(std::string key, bool Struct::*member, std::string sentence) {
    return add({std::move(key), std::move(sentence), defaults_.*member, 0, 0, {}}, member);
  }
  ConfigTable& choice(std::string key, std::string Struct::*member, std::vector<std::string> choices,
                      std::string sentence) {
    return add({std::move(key), std::move(sentence), defaults_.*member, 0, 0, std::move(choices)}, member);
  }
  ConfigTable& text(std::string key, std::string Struct::*member, std::string sentence) {
    return add({std::move(key), std::move(sentence), defaults_.*member, 0, 0, {}}, member);
  }
  ConfigTable& integers(std::string key, std::vector<std::int64_t> Struct::*member, std::int64_t low,
                        std::int64_t high, std::string sentence) {
    return add({std::move(key),
                std::move(sentence),
                defaults_.*member,
                static_cast<double>(low),
                static_cast<double>(high),
                {}},
               member);
  }

  ConfigTable& texts(std::string key, std::vector<std::string> Struct::*member, std::string sentence) {
    return add({std::move(key), std::move(sentence), defaults_.*member, 0, 0, {}}, member);
  }

  const std::vector<ConfigField>& fields() const { return fields_; }

  /// The defaults with the assignments applied. Throws Error for an unknown key, a wrong type or a value out
  /// of range.
  Struct read(const Where& where, const std::vector<ConfigAssignment>& assignments) const {
    Struct result = defaults_;
    for (const ConfigAssignment& assignment : assignments) set(result, where, assignment);
    return result;
  }
  /// Applies one assignment; throws as `read` does.
  void set(Struct& target, const Where& where, const ConfigAssignment& assignment) const {
    const ConfigField& field = find_field(where, fields_, assignment);
    members_[static_cast<std::size_t>(&field - fields_.data())].set(target,
                                                                    field.checked(where, assignment.value));
  }
  /// The value of each field.
  std::vector<ConfigValue> values(const Struct& source) const {
    std::vector<ConfigValue> all;
    for (const Member& member : members_) all.push_back(member.get(source));
    return all;
  }

 private:
  struct Member {
    std::function<void(Struct&, const ConfigValue&)> set;
    std::function<ConfigValue(const Struct&)> get;
  };

  template <class Type>
  ConfigTable& add(ConfigField field, Type Struct::*member) {
    fields_.push_back(std::move(field));
    members_.push_back(
        {[member](Struct& target, const ConfigValue& value) { target.*member = std::get<Type>(value); },
         [member](const Struct& source) { return ConfigValue(source.*member); }});
    return *this;
  }

  Struct defaults_;
  std::vector<ConfigField> fields_;
  std::vector<Member> members_;
};

}  // namespace ndnf
