#include <fmt/format.h>

#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/program.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

/// A comment with its mark: "% text". " " is a comment without text, and line breaks are kept.
void print_comment(const std::string& text, std::string& out) {
  out += '%';
  if (text.find_first_not_of(' ') == std::string::npos) return;
  if (text.front() != '%') out += ' ';
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "% ";
  }
}

void print_comments(const std::vector<std::string>& comments, std::string& out) {
  for (const std::string& comment : comments) {
    if (!comment.empty()) print_comment(comment, out);
    out += '\n';
  }
}

void print_heads(const Rule& rule, std::string& out) {
  if (rule.heads.empty() || rule.heads.front().atom == kConstraint) return;
  if (!rule.heads.front().annotated) {
    out += rule.heads.front().atom;
    return;
  }
  const std::vector<std::string> texts = annotation_texts(rule);
  for (std::size_t i = 0; i < rule.heads.size(); ++i) {
    out += fmt::format("{}{}::{}", i == 0 ? "" : " ; ", texts[i], rule.heads[i].atom);
  }
}

/// `variables` name the quantities in the rule's comparisons.
std::string rule_text(const Rule& rule, Syntax syntax, QuantityVariables& variables) {
  std::string out;
  print_heads(rule, out);
  std::string_view separator = out.empty() ? ":- " : " :- ";
  std::vector<std::string_view> bound;
  for (const BodyLiteral& literal : rule.body) {
    out += separator;
    separator = ", ";
    if (is_comparison(literal.atom)) {
      out += variables.text(literal, syntax, bound);
      continue;
    }
    if (!literal.positive) out += syntax == Syntax::kAsp ? "not " : "\\+ ";
    out += literal.atom;
  }
  return out;
}

}  // namespace

std::string to_text(const Rule& rule, Syntax syntax) {
  QuantityVariables variables;
  variables.add(rule);
  return rule_text(rule, syntax, variables);
}

std::string shown_text(const Rule& rule, Syntax syntax) {
  return (rule.written.empty() ? to_text(rule, syntax) : rule.written) + '.';
}

std::string to_text(const Program& program) {
  std::string out;
  QuantityVariables variables;
  for (const Statement& statement : program.statements) {
    if (const Rule* rule = std::get_if<Rule>(&statement.content)) variables.add(*rule);
  }
  for (const Statement& statement : program.statements) {
    print_comments(statement.comments, out);
    if (const Rule* rule = std::get_if<Rule>(&statement.content)) {
      out += rule_text(*rule, program.syntax, variables);
    } else {
      out += std::get<Directive>(statement.content).text;
    }
    out += '.';
    if (!statement.remark.empty()) {
      out += "  ";
      print_comment(statement.remark, out);
    }
    out += '\n';
  }
  print_comments(program.closing_comments, out);
  return out;
}

}  // namespace ndnf
