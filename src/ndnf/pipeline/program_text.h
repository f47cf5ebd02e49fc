#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/syntax/parser.h"

namespace ndnf {

/// The text of a program, changed at places while every other byte stays. Changes refer to the statements of
/// the text as it was read; text() makes them all at once.
class ProgramText {
 public:
  /// Throws Error with the mistakes of the text. `name` is used in messages.
  ProgramText(std::string name, std::string text, Syntax syntax);

  const std::string& name() const { return name_; }
  const ParsedProgram& parsed() const { return parsed_; }
  Syntax syntax() const { return parsed_.program.syntax; }

  /// The rule that a line number or a head names. `option` is the argument it was given by. Throws Error if
  /// there is none or several.
  std::size_t named(const std::string& option, const std::string& rule) const;
  /// The statement at which a rule of the ground program begins. REQUIRES: there is one.
  std::size_t statement_at(Place place) const;
  /// The heads of a rule as written, without spaces: "action(hit)".
  std::vector<std::string> heads(std::size_t statement) const;

  /// With its remark, and its lines if nothing else is on them.
  void remove(std::size_t statement);
  void replace(std::size_t statement, std::string_view rule);
  /// Adds a literal to the body. A remark about its share of decisions goes: it is no longer valid.
  void add_literal(std::size_t statement, const std::string& literal);
  /// Adds lines at the end.
  void append(const std::string& lines);

  std::string text() const;

 private:
  struct Change {
    std::size_t begin;
    std::size_t end;
    std::string insert;
  };

  bool is_rule(std::size_t statement) const;
  const OpenRule* open_rule(std::size_t statement) const;
  std::size_t line_end(std::size_t at) const;
  /// Removes the remark after the dot if it contains `part`: "% 12.5 % of decisions" is of the old rule.
  void remove_remark(std::size_t dot, std::string_view part = "");

  std::string name_;
  std::string text_;
  ParsedProgram parsed_;
  std::vector<Change> changes_;
};

/// The text for this environment: the line `% environment:` names it, and header lines of an extraction that
/// describe the program as it was extracted are replaced by the name of that file.
std::string with_heading(const std::string& text, const std::string& env, const std::string& origin);

}  // namespace ndnf
