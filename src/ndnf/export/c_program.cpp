#include "ndnf/export/c_program.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "ndnf/base/identifier.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/ordered_rules.h"

namespace ndnf {
namespace {

/// How a number is seen by rules. Without <math.h>: a cast drops the fraction, so that what is above it is
/// one less than the ceiling. `long` has 32 bits or more.
constexpr std::string_view kPlace =
    R"(/* Rules see a number x as the whole number ceil(x / quantum), at least low and at most high. */
#if DBL_MANT_DIG != 53 || FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD > 1 || defined(__FAST_MATH__)
#error "one division in IEEE double precision is needed: no -ffast-math, and no extended precision"
#endif
static long NAME_place(float x, double quantum, long low, long high) {
  const double k = (double)x / quantum;
  if (!(k > (double)low)) return low;
  if (k > (double)high) return high;
  return (long)k + (k > (double)(long)k ? 1 : 0);
}

)";

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
    for (const std::uint32_t quantity : quantities_) body.statements += place_of(quantity);
    for (const auto& [atom, variable] : variables_) {
      body.statements += fmt::format("  int {} = 0;\n", variable);
    }
    if (file_.reads_atoms() && !looks_at_atoms_) body.statements += "  (void)atoms;\n";
    if (file_.reads_quantities() && quantities_.empty()) body.statements += "  (void)numbers;\n";
    body.statements += fmt::format("  for (int a = 0; a < {}_actions; ++a) p[a] = 0;\n", file_.name());
    if (!quantities_.empty()) {
      body.head = "#include <float.h>\n\n";
      body.data = kPlace;
      body.data.replace(body.data.find("NAME"), 4, file_.name());
    }
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
    const std::string reading = readings(rule, vocabulary_);
    std::string out = fmt::format("\n  /* {}{}{} */\n", comment_text(shown_text(rule, program_.syntax)),
                                  reading.empty() ? "" : "  % ", comment_text(reading));
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
    if (const auto comparison = comparison_of(literal.atom, vocabulary_))
      return in_c(*comparison, literal.positive);
    if (const auto variable = variables_.find(literal.atom); variable != variables_.end()) {
      return negation + variable->second;
    }
    const auto name = action_of(literal.atom);
    const auto action = name ? vocabulary_.find_action(*name) : std::nullopt;
    return action ? fmt::format("p[{}] {} 0", file_.action(*action), literal.positive ? ">" : "==") : "";
  }

  std::string in_c(const LinearComparison& comparison, bool positive) {
    std::string sum;
    for (const LinearComparison::Term& term : comparison.terms) {
      quantities_.insert(term.quantity);
      const bool negative = term.coefficient < 0;
      sum += sum.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      if (std::abs(term.coefficient) != 1) sum += fmt::format("{} * ", std::abs(term.coefficient));
      sum += variable_of(term.quantity);
    }
    const char* sign = comparison.equal ? (positive ? "==" : "!=") : (positive ? ">" : "<=");
    return fmt::format("{} {} {}", sum, sign, comparison.bound);
  }

  std::string variable_of(std::uint32_t quantity) const {
    return "k_" + file_.number(quantity).substr(file_.name().size() + std::string_view("_number_").size());
  }

  std::string place_of(std::uint32_t quantity) const {
    const Quantity& known = vocabulary_.quantities()[quantity];
    return fmt::format("  const long {} = {}_place(numbers[{}], {}, {}, {}); /* in {:g}{}{} */\n",
                       variable_of(quantity), file_.name(), file_.number(quantity), known.grid->quantum,
                       known.grid->lowest, known.grid->highest, known.grid->quantum,
                       known.unit.empty() ? "" : " ", comment_text(known.unit));
  }

  static constexpr std::size_t kWidth = 96;

  const Program& program_;
  const Vocabulary& vocabulary_;
  const CFile& file_;
  std::vector<std::size_t> needed_;               ///< Statements, in the order of evaluation.
  std::map<std::string, std::string> variables_;  ///< Of derived atoms that occur in bodies.
  std::set<std::uint32_t> quantities_;            ///< Those in comparisons.
  bool looks_at_atoms_ = false;
};

}  // namespace

CBody program_in_c(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary,
                   const CFile& file) {
  return CProgramWriter(program, bound, vocabulary, file).write();
}

}  // namespace ndnf
