#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// A position in a text, counted from 1; 0 means unknown. {0, 0} marks text that we generated ourselves.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The input at fault: a file or an argument, and the position in it.
struct Where {
  std::string name;
  Place place{};

  Where(std::string name_ = {}, Place place_ = {})
      : name(std::move(name_)), place(place_) {}  // NOLINT: implicit
  Where(std::string_view name_) : name(name_) {}  // NOLINT: implicit
  Where(const char* name_) : name(name_) {}       // NOLINT: implicit
};

/// A placeholder for a request's argument in the texts of an Error. Only front ends know how their users
/// write it: `--as problog` or `as="problog"`. Error::what() writes as=problog.
std::string argument(std::string_view name, std::string_view value = "");

/// How a front end writes an argument; `value` may be empty.
using ArgumentStyle = std::function<std::string(std::string_view name, std::string_view value)>;

/// One mistake in an input.
struct Complaint {
  Where where;
  std::string what;
  std::string hint{};  ///< What is allowed instead.
};

/// Bad input: the one exception type that users see. It reads as one sentence, "where:line:column: what;
/// hint", or as several, one per line. Our own bugs are assertions, not Errors; expected outcomes are
/// returned values.
class Error : public std::runtime_error {
 public:
  /// `where` names the input, `what` the mistake and `hint` what is allowed instead; `where` and `hint` may
  /// be empty.
  Error(Where where, std::string what, std::string hint = "");
  /// Several mistakes at once.
  explicit Error(std::vector<Complaint> complaints);

  const std::vector<Complaint>& complaints() const { return complaints_; }
  /// The complaints as text, with arguments written in this style.
  std::string text(const ArgumentStyle& style) const;

 private:
  std::vector<Complaint> complaints_;
};

}  // namespace ndnf
