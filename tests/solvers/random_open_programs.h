#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include <fmt/format.h>

namespace ndnf {

/// Generates programs with variables over the task of RandomPrograms, as texts: arithmetic, intervals, pools,
/// tuples, `_`, negation, comparisons, constants, aggregates, conditional literals, integrity constraints,
/// and atoms without instances. Some have unsafe variables.
class RandomOpenPrograms {
 public:
  explicit RandomOpenPrograms(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text;
    for (std::size_t level = 0; level < 3; ++level) {
      for (std::size_t i = 0; i <= below(2); ++i) text += rule(level);
    }
    for (std::size_t i = 0; i <= below(3); ++i) text += action_rule();
    if (below(4) == 0)
      text += fmt::format(":- x_{}, {}.\n", below(7), below(2) == 0 ? aggregate(3) : "action(left)");
    return text + "#const k = 2.\n";
  }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

 private:
  /// Heads of level L depend on lower levels only.
  std::string rule(std::size_t level) {
    variables_.clear();
    const std::string head = fmt::format("d{}({},{})", level, head_term(), head_term());
    const std::string body = this->body(level);
    return fmt::format("{} :- {}{}.\n", head, body, values());
  }

  std::string action_rule() {
    constexpr const char* kActions[] = {"left", "right", "wait"};
    variables_.clear();
    const std::string body = this->body(3);
    return fmt::format("action({}) :- {}{}.\n", kActions[below(3)], body, values());
  }

  /// Atoms that bind the variables, rarely left out: otherwise most rules would be unsafe.
  std::string values() {
    std::string text;
    for (const std::string& variable : variables_) {
      if (below(16) != 0)
        text += fmt::format(", {}", below(2) == 0 ? "cell(" + variable + ")" : variable + "=0..4");
    }
    return text;
  }

  std::string body(std::size_t level) {
    std::string text = fmt::format("x_{}", below(7));
    for (std::size_t i = below(3); i > 0; --i) text += ", " + atom(level);
    for (std::size_t i = below(2); i > 0; --i) text += ", " + comparison();
    for (std::size_t i = below(2); i > 0; --i) text += ", not " + atom(level);
    if (below(6) == 0) text += ", not not " + atom(level);
    if (below(3) == 0) text += fmt::format(", {}{}", below(4) == 0 ? "not " : "", aggregate(level));
    return below(5) == 0 ? conditional(level) + "; " + text : text;
  }

  /// L and M are variables of its own; a variable of the rule may occur, too.
  std::string aggregate(std::size_t level) {
    constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "=", "!="};
    constexpr const char* kNames[] = {"#count", "#sum", "#sum+", "#min", "#max"};
    const std::size_t name = below(5);
    std::string elements =
        name < 3 ? element(level) : fmt::format("{}L : cell(L), x_{}", below(2) == 0 ? "" : "-", below(7));
    for (std::size_t i = below(3); i > 0; --i)
      elements += fmt::format("; {} : {}x_{}", below(4), below(2) == 0 ? "" : "not ", below(7));
    if (name == 0 && below(4) == 0)
      return fmt::format("{} {{ cell(L) : x_{}; x_{}; not x_{} }}", below(3), below(7), below(7), below(7));
    std::string text = fmt::format("{}{{ {} }}", kNames[name], elements);
    if (below(3) == 0)
      return fmt::format("{} {} {} {} {}", below(3), kSigns[below(6)], text, kSigns[below(6)], below(6));
    return below(2) == 0 ? fmt::format("{} {} {}", below(6), kSigns[below(6)], text)
                         : fmt::format("{} {} {}", text, kSigns[below(6)], below(6));
  }

  std::string element(std::size_t level) {
    if (level > 0 && below(2) == 0) return fmt::format("L,M : d{}(L,M), not cell(M)", below(level));
    return below(2) == 0 ? "L : cell(L), L < k"
                         : fmt::format("L+{},a : cell(L), not x_{}", below(3), below(7));
  }

  std::string conditional(std::size_t level) {
    const std::string first =
        below(3) == 0 ? "L < k" : fmt::format("{}x_{}", below(2) == 0 ? "" : "not ", below(7));
    if (level > 0 && below(2) == 0) return fmt::format("{} : d{}(L,_), x_{}", first, below(level), below(7));
    return fmt::format("{} : cell(L), L > {}", first, below(4));
  }

  std::string atom(std::size_t level) {
    if (level == 0 || below(3) == 0) return fmt::format("cell({})", below(5) == 0 ? pool() : pattern());
    return fmt::format("d{}({},{})", below(level), pattern(), pattern());
  }

  /// A term in a body atom.
  std::string pattern() {
    switch (below(8)) {
      case 0:
        return "_";
      case 1:
        return fmt::format("{}+{}", variable(), below(3));
      case 2:
        return fmt::format("{}*{}", 1 + below(2), variable());
      case 3:
        return fmt::format("({},{})", variable(), below(2) == 0 ? "_" : variable());
      case 4:
        return std::to_string(below(4));
      case 5:
        return fmt::format("{}..{}", below(2), below(4));
      default:
        return variable();
    }
  }

  std::string pool() { return fmt::format("{};{}", below(5), variable()); }

  std::string comparison() {
    constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "=", "!=", "==", "<>"};
    const char* negation = below(5) == 0 ? "not " : "";
    return fmt::format("{}{} {} {}", negation, term(), kSigns[below(8)], term());
  }

  std::string head_term() {
    if (below(5) == 0) return fmt::format("({},{})", term(), term());
    return below(6) == 0 ? fmt::format("{}..{}", below(2), below(3)) : term();
  }

  std::string term(std::size_t depth = 0) {
    constexpr const char* kOperators[] = {"+", "-", "*", "/", "\\", "**", "&", "?", "^"};
    if (depth < 2 && below(3) == 0) {
      const std::string operation =
          fmt::format("{}{}{}", term(depth + 1), kOperators[below(9)], term(depth + 1));
      return below(2) == 0 ? operation : fmt::format("({})", operation);
    }
    if (depth < 2 && below(8) == 0) return fmt::format("|{}|", term(depth + 1));
    if (depth < 2 && below(8) == 0) return fmt::format("-{}", variable());
    return below(3) == 0 ? std::to_string(below(4)) : variable();
  }

  /// Mostly a variable that the rule already has.
  std::string variable() {
    const std::string name(1, static_cast<char>('A' + below(3)));
    if (variables_.empty() || below(3) == 0) variables_.insert(name);
    return *std::next(variables_.begin(), static_cast<std::ptrdiff_t>(below(variables_.size())));
  }

  std::mt19937_64 random_;
  std::set<std::string> variables_;
};

}  // namespace ndnf
