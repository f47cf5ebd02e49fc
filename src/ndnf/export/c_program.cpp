#include "ndnf/export/c_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "ndnf/base/identifier.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

class CProgramWriter {
 public:
  CProgramWriter(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary,
                 const CFile& file)
      : program_(program), vocabulary_(vocabulary), file_(file) {
    find_needed_rules(bound.evaluation_order());
  }

  CBody write() {
    CBody body;
    std::string rules;
    for (const std::size_t statement : needed_) rules += in_c(rule(statement));
    for (const auto& [atom, variable] : variables_) {
      body.statements += fmt::format("  int {} = 0;\n", variable);
    }
    body.statements += fmt::format("{}  for (int a = 0; a < {}_actions; ++a) p[a] = 0;\n",
                                   looks_at_atoms_ ? "" : "  (void)atoms;\n", file_.name());
    body.statements += rules;
    return body;
  }

 private:
  const Rule& rule(std::size_t statement) const {
    return std::get<Rule>(program_.statements[statement].content);
  }

  /// In reverse order, so that each definition comes after all rules that use it.
  void find_needed_rules(std::vector<std::size_t> order) {
    std::set<std::string> asked;
    std::reverse(order.begin(), order.end());
    for (const std::size_t statement : order) {
      const std::string& head = rule(statement).heads.front().atom;
      if (!action_of(head) && !asked.contains(head)) continue;
      needed_.push_back(statement);
      for (const BodyLiteral& literal : rule(statement).body) asked.insert(literal.atom);
    }
    std::reverse(needed_.begin(), needed_.end());
    Identifiers names("");
    for (const Statement& statement : program_.statements) {
      const Rule* definition = std::get_if<Rule>(&statement.content);
      if (definition == nullptr) continue;
      const std::string& head = definition->heads.front().atom;
      if (action_of(head) || !asked.contains(head) || variables_.contains(head)) continue;
      variables_.emplace(head, "is_" + names.add(head));
    }
  }

  std::string in_c(const Rule& rule) {
    std::string out = fmt::format("\n  /* {} */\n", comment_text(shown_text(rule, program_.syntax)));
    const std::string condition = condition_of(rule);
    out += condition.empty() ? "  " : fmt::format("  if ({}) ", condition);
    const std::string& head = rule.heads.front().atom;
    if (const auto variable = variables_.find(head); variable != variables_.end()) {
      return out + variable->second + " = 1;\n";
    }
    if (program_.syntax == Syntax::kAsp) {
      return out + fmt::format("p[{}] = 1;\n", file_.action(*vocabulary_.find_action(*action_of(head))));
    }
    out += "{\n";
    for (const ActionChoice& choice : choices_of(rule, vocabulary_)) {
      // In the same order as BoundProgram, so that the results are bit-identical.
      const std::string p = fmt::format("p[{}]", file_.action(choice.action));
      out += fmt::format("    {0} += {1} * (1 - {0});\n", p, choice.probability);
    }
    return out + "  }\n";
  }

  /// Empty if it always holds.
  std::string condition_of(const Rule& rule) {
    std::string out;
    std::size_t line = 0;
    for (const BodyLiteral& literal : rule.body) {
      const std::string truth = in_c(literal);
      if (truth.empty()) continue;
      if (!out.empty()) {
        const bool wrap = out.size() - line + truth.size() > kWidth;
        out += wrap ? " &&\n      " : " && ";
        if (wrap) line = out.size();
      }
      out += truth;
    }
    return out;
  }

  /// Empty for the negation of an atom that is never true.
  std::string in_c(const BodyLiteral& literal) {
    const char* negation = literal.positive ? "" : "!";
    if (const auto atom = vocabulary_.find_atom(literal.atom)) {
      looks_at_atoms_ = true;
      return fmt::format("{}atoms[{}]", negation, file_.atom(*atom));
    }
    if (const auto variable = variables_.find(literal.atom); variable != variables_.end()) {
      return negation + variable->second;
    }
    const auto name = action_of(literal.atom);
    const auto action = name ? vocabulary_.find_action(*name) : std::nullopt;
    return action ? fmt::format("p[{}] {} 0", file_.action(*action), literal.positive ? ">" : "==") : "";
  }

  static constexpr std::size_t kWidth = 96;

  const Program& program_;
  const Vocabulary& vocabulary_;
  const CFile& file_;
  std::vector<std::size_t> needed_;               ///< Statements, in the order of evaluation.
  std::map<std::string, std::string> variables_;  ///< Of derived atoms that occur in bodies.
  bool looks_at_atoms_ = false;
};

}  // namespace

CBody program_in_c(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary,
                   const CFile& file) {
  return CProgramWriter(program, bound, vocabulary, file).write();
}

}  // namespace ndnf
