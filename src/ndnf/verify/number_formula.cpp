#include "ndnf/verify/number_formula.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

SolverText own(OwnText text) { return SolverText().add(text); }

SolverText negation(const SolverText& condition) { return own("(not ").add(condition).add(")"); }

/// (and …) or (or …); `nothing` if there is no part.
SolverText joined(OwnText connective, const std::vector<SolverText>& parts, OwnText nothing) {
  if (parts.empty()) return own(nothing);
  if (parts.size() == 1) return parts.front();
  SolverText text = own("(").add(connective);
  for (const SolverText& part : parts) text.add(" ").add(part);
  return text.add(")");
}

}  // namespace

ObservedNumbers::ObservedNumbers(const Vocabulary& vocabulary, Z3Questions& questions)
    : vocabulary_(vocabulary) {
  for (const Quantity& quantity : vocabulary.quantities()) {
    if (!quantity.grid) {
      throw Error(
          "", fmt::format("the quantity {} has no quantum, so its values cannot be listed", quantity.name));
    }
    questions.add_variable(quantity.grid->lowest, quantity.grid->highest);
  }
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    questions.add_variable(0, static_cast<std::int64_t>(vocabulary.group(g).value_count()) - 1);
  }
}

QuantisedObservation ObservedNumbers::observation(const std::vector<std::int64_t>& values) const {
  QuantisedObservation observation;
  const std::size_t quantities = vocabulary_.quantities().size();
  if (values.size() != quantities + vocabulary_.group_count()) throw_nonsense("z3", "wrong number of values");
  for (std::size_t q = 0; q < quantities; ++q) {
    const Grid& grid = *vocabulary_.quantities()[q].grid;
    if (values[q] < grid.lowest || values[q] > grid.highest)
      throw_nonsense("z3", "a value is out of its range");
    observation.places.push_back(static_cast<std::int32_t>(values[q]));
  }
  for (std::size_t g = 0; g < vocabulary_.group_count(); ++g) {
    const std::int64_t value = values[quantities + g];
    if (value < 0 || value >= static_cast<std::int64_t>(vocabulary_.group(g).value_count()))
      throw_nonsense("z3", "a value is out of its range");
    observation.values.push_back(static_cast<std::uint32_t>(value));
  }
  return observation;
}

SolverText ObservedNumbers::same_quantity(const QuantisedObservation& observation,
                                          std::size_t quantity) const {
  return SolverText().add("(= v{} ", quantity).add(smt_number(observation.places[quantity])).add(")");
}

SolverText ObservedNumbers::same_group(const QuantisedObservation& observation, std::size_t group) const {
  return SolverText().add("(= v{} {})", vocabulary_.quantities().size() + group, observation.values[group]);
}

SolverText ObservedNumbers::atom(AtomId atom) const {
  const std::size_t group = vocabulary_.group_of(atom);
  const std::size_t value = vocabulary_.group(group).one_hot ? atom - vocabulary_.first_atom(group) : 1;
  return SolverText().add("(= v{} {})", vocabulary_.quantities().size() + group, value);
}

SolverText ObservedNumbers::comparison(const LinearComparison& comparison) const {
  SolverText text = own(comparison.equal ? OwnText("(= ") : OwnText("(> "));
  text.add("(+ 0");
  for (const LinearComparison::Term& term : comparison.terms) {
    text.add(" (* ").add(smt_number(term.coefficient)).add(" v{})", term.quantity);
  }
  return text.add(") ").add(smt_number(comparison.bound)).add(")");
}

SolverText ObservedNumbers::distance(std::size_t quantity, std::int32_t place) const {
  return SolverText().add("(abs (- v{} ", quantity).add(smt_number(place)).add("))");
}

ProgramFormula::ProgramFormula(const Program& program, const BoundProgram& bound,
                               const ObservedNumbers& observed, std::size_t number, Z3Questions& questions)
    : program_(program), bound_(bound), observed_(observed), number_(number) {
  if (bound.has_draws()) {
    throw Error(program.source, "has helpers with probabilities, about which nothing can be proved here",
                "only the rules for actions may have probabilities");
  }
  define_rules(questions);
  collect_rules();
  collect_outcomes();
}

const Rule& ProgramFormula::rule(std::size_t statement) const {
  return std::get<Rule>(program_.statements[statement].content);
}

/// Rule s is rP_s, the head with number d is dP_d: it is defined after its last rule.
void ProgramFormula::define_rules(Z3Questions& questions) {
  const std::vector<std::size_t> order = bound_.evaluation_order();
  SolverText& text = questions.shared();
  for (std::size_t i = 0; i < order.size();) {
    const std::string& head = rule(order[i]).heads.front().atom;
    std::vector<SolverText> rules;
    std::size_t end = i;
    for (; end < order.size() && rule(order[end]).heads.front().atom == head; ++end) {
      std::vector<SolverText> body;
      for (const BodyLiteral& one : rule(order[end]).body) body.push_back(literal(one));
      text.add("(define-fun r{}_{} () Bool ", number_, order[end])
          .add(joined("and", body, "true"))
          .add(")\n");
      rules.push_back(SolverText().add("r{}_{}", number_, order[end]));
      defined_[order[end]] = true;
    }
    i = end;
    if (derived_.contains(head)) continue;  // a decision, which no body refers to
    text.add("(define-fun d{}_{} () Bool ", number_, derived_.size())
        .add(joined("or", rules, "false"))
        .add(")\n");
    derived_.emplace(head, derived_.size());
  }
}

void ProgramFormula::collect_rules() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_place;
  for (std::size_t s = 0; s < program_.statements.size(); ++s) {
    const Rule* written = std::get_if<Rule>(&program_.statements[s].content);
    if (written == nullptr || is_ours(written->heads[0].atom)) continue;
    const auto place = std::pair{written->place.line, written->place.column};
    const auto [found, added] = by_place.try_emplace(place, rules_.size());
    if (added || place.first == 0) {
      found->second = rules_.size();
      rules_.push_back({rule_name(program_, s), written->heads[0].atom, {}, written->heads[0].annotated});
    }
    if (defined_.contains(s)) rules_[found->second].statements.push_back(s);
  }
}

/// Rules with a certain action share its outcome; every other choice is an outcome of its own.
void ProgramFormula::collect_outcomes() {
  std::map<ActionId, std::size_t> certain;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (rules_[r].statements.empty() || !action_of(rules_[r].head)) continue;
    const std::vector<ActionChoice> choices = this->choices(r);
    double sum = 0;
    for (const ActionChoice& choice : choices) sum += choice.probability;
    constexpr double kRounding = 1e-6;
    if (choices.size() > 1 || choices[0].probability < 1) {
      outcomes_.push_back({std::nullopt, {r}, std::abs(sum - 1) <= kRounding});
      continue;
    }
    const auto [found, added] = certain.try_emplace(choices[0].action, outcomes_.size());
    if (added) outcomes_.push_back({choices[0].action, {}, true});
    outcomes_[found->second].rules.push_back(r);
  }
}

SolverText ProgramFormula::literal(const BodyLiteral& literal) const {
  return literal.positive ? atom(literal.atom) : negation(atom(literal.atom));
}

SolverText ProgramFormula::atom(const std::string& atom) const {
  const Vocabulary& vocabulary = observed_.vocabulary();
  if (const auto observed = vocabulary.find_atom(atom)) return observed_.atom(*observed);
  if (const auto comparison = comparison_of(atom, vocabulary)) return observed_.comparison(*comparison);
  const auto derived = derived_.find(atom);
  return derived == derived_.end() ? own("false") : SolverText().add("d{}_{}", number_, derived->second);
}

SolverText ProgramFormula::fires(std::size_t rule) const {
  std::vector<SolverText> parts;
  for (const std::size_t s : rules_[rule].statements) parts.push_back(SolverText().add("r{}_{}", number_, s));
  return joined("or", parts, "false");
}

SolverText ProgramFormula::holds(const Outcome& outcome) const {
  std::vector<SolverText> parts;
  for (const std::size_t r : outcome.rules) parts.push_back(fires(r));
  return joined("or", parts, "false");
}

SolverText ProgramFormula::none() const {
  std::vector<SolverText> parts;
  for (const Outcome& outcome : outcomes_) parts.push_back(holds(outcome));
  const SolverText nothing = negation(joined("or", parts, "false"));
  return joined("or", {nothing, atom(std::string(kConstraint))}, "false");
}

SolverText ProgramFormula::several() const {
  std::vector<SolverText> parts;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (!outcomes_[i].whole) parts.push_back(holds(outcomes_[i]));
    for (std::size_t j = i + 1; j < outcomes_.size(); ++j) {
      parts.push_back(joined("and", {holds(outcomes_[i]), holds(outcomes_[j])}, "true"));
    }
  }
  return joined("and", {joined("or", parts, "false"), negation(atom(std::string(kConstraint)))}, "true");
}

std::vector<ActionChoice> ProgramFormula::choices(std::size_t rule) const {
  return choices_of(this->rule(rules_[rule].statements[0]), observed_.vocabulary());
}

SolverText ProgramFormula::takes(ActionId action) const {
  std::vector<SolverText> parts;
  for (const Outcome& outcome : outcomes_) {
    const std::vector<ActionChoice> choices = this->choices(outcome.rules[0]);
    const bool may = std::any_of(choices.begin(), choices.end(), [&](const ActionChoice& choice) {
      return choice.action == action && choice.probability > 0;
    });
    if (may) parts.push_back(holds(outcome));
  }
  return joined("or", parts, "false");
}

SolverText ProgramFormula::condition(const StateFormula& formula) const {
  using Kind = StateFormula::Kind;
  const auto part = [&](std::size_t i) { return condition(formula.parts[i]); };
  switch (formula.kind) {
    case Kind::kTrue:
      return own("true");
    case Kind::kAtom:
      return observed_.atom(formula.index);
    case Kind::kNumbers: {
      const SolverText text = observed_.comparison(formula.numbers.comparison);
      return formula.numbers.positive ? text : negation(text);
    }
    case Kind::kAction:
      return takes(formula.index);
    case Kind::kNot:
      return negation(part(0));
    case Kind::kAnd:
      return joined("and", {part(0), part(1)}, "true");
    case Kind::kOr:
      return joined("or", {part(0), part(1)}, "false");
    case Kind::kImplies:
      return joined("or", {negation(part(0)), part(1)}, "false");
    default:
      return own("false");
  }
}

}  // namespace ndnf
