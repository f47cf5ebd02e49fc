#pragma once

#include <stdexcept>
#include <string>

namespace ndnf {

/// Bad input: the one exception type a user ever sees. It reads as one sentence, "where: what; hint".
/// Our own mistakes are assertions, not Errors; expected outcomes are returned values.
class Error : public std::runtime_error {
 public:
  /// `where` names the input (an option, a file with line and column), `what` the mistake and `hint` what is
  /// allowed instead; `where` and `hint` may be empty.
  Error(const std::string& where, const std::string& what, const std::string& hint = "");
};

}  // namespace ndnf
