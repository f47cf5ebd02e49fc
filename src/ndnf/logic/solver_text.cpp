#include "ndnf/logic/solver_text.h"

#include "ndnf/logic/quoted_texts.h"

namespace ndnf {

std::string solver_text(const ParsedProgram& parsed) {
  std::string text;
  for (const OpenRule& rule : parsed.open) text += to_text(rule) + ".\n";
  Program rules{parsed.program.syntax, "", {}, {}};
  for (const Statement& statement : parsed.program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule != nullptr && !rule->heads.empty()) rules.statements.push_back({{}, *rule, {}});
  }
  text += to_text(rules);
  return QuotedTexts(text).hide(text);
}

std::string solver_text(const Program& program) { return solver_text(ParsedProgram{program, {}}); }

}  // namespace ndnf
