#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ndnf {

/// The name as an identifier for other languages: letters and digits are kept, every run of other characters
/// becomes one `_`. `prefix` is prepended if the result would be empty or start with a digit. Example:
/// hand(18) becomes hand_18.
std::string identifier(std::string_view name, std::string_view prefix);

/// Gives every name a unique identifier: a second name that maps to hand_18 becomes hand_18_2.
class Identifiers {
 public:
  explicit Identifiers(std::string prefix, std::set<std::string> taken = {})
      : prefix_(std::move(prefix)), taken_(std::move(taken)) {}
  std::string add(std::string_view name);

 private:
  std::string prefix_;
  std::set<std::string> taken_;
};

}  // namespace ndnf
