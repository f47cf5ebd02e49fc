#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ndnf {

/// The name as an identifier of other languages: letters and digits stay, everything between them becomes one
/// `_`. `prefix` goes before what would be empty or begin with a digit: hand(18) is hand_18.
std::string identifier(std::string_view name, std::string_view prefix);

/// Gives every name an identifier of its own: the second one that would be hand_18 is hand_18_2.
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
