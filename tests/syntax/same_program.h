#pragma once

#include "ndnf/syntax/program.h"

namespace ndnf {

/// Equality of everything except places and the file's name.
inline bool same_rule(const Rule& a, const Rule& b) {
  if (a.heads.size() != b.heads.size() || a.body.size() != b.body.size()) return false;
  for (std::size_t i = 0; i < a.heads.size(); ++i) {
    const HeadAtom& x = a.heads[i];
    const HeadAtom& y = b.heads[i];
    if (x.atom != y.atom || x.annotated != y.annotated || x.probability != y.probability) return false;
  }
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (a.body[i].atom != b.body[i].atom || a.body[i].positive != b.body[i].positive) return false;
  }
  return true;
}

inline bool same_statement(const Statement& a, const Statement& b) {
  if (a.comments != b.comments || a.remark != b.remark || a.content.index() != b.content.index())
    return false;
  if (const Rule* rule = std::get_if<Rule>(&a.content)) return same_rule(*rule, std::get<Rule>(b.content));
  return std::get<Directive>(a.content).text == std::get<Directive>(b.content).text;
}

inline bool same_program(const Program& a, const Program& b) {
  if (a.syntax != b.syntax || a.closing_comments != b.closing_comments) return false;
  if (a.statements.size() != b.statements.size()) return false;
  for (std::size_t i = 0; i < a.statements.size(); ++i) {
    if (!same_statement(a.statements[i], b.statements[i])) return false;
  }
  return true;
}

}  // namespace ndnf
