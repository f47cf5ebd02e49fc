#include "ndnf/verify/check_numbers.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/quantised_observation.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/verify/number_formula.h"

namespace ndnf {
namespace {

using Status = Z3Questions::Answer::Status;

SolverText both(const SolverText& a, const SolverText& b, bool positive = true) {
  SolverText text = SolverText().add("(and ").add(a).add(positive ? OwnText(" ") : OwnText(" (not ")).add(b);
  return text.add(positive ? OwnText(")") : OwnText("))"));
}

/// Whether some statement of the rule is among those that fire.
bool fires(const ProgramFormula::SeenRule& rule, const std::vector<std::size_t>& fired) {
  return std::any_of(rule.statements.begin(), rule.statements.end(),
                     [&](std::size_t s) { return std::binary_search(fired.begin(), fired.end(), s); });
}

[[noreturn]] void refuse_witness() {
  throw_nonsense("z3", "our evaluator does not confirm the observation that it names");
}

std::string names_of(const NumberSubject& subject, const QuantisedObservation& at) {
  std::string text;
  for (const std::size_t s : subject.bound.fired(at)) {
    if (!action_of(std::get<Rule>(subject.program.statements[s].content).heads[0].atom)) continue;
    text += fmt::format("{}`{}`", text.empty() ? "" : " and ", to_string(rule_name(subject.program, s)));
  }
  return text;
}

/// The questions about one program, asked together.
class NumberChecks {
 public:
  explicit NumberChecks(const NumberSubject& subject)
      : subject_(subject),
        observed_(subject.vocabulary, questions_),
        formula_(subject.program, subject.bound, observed_, 0, questions_) {}

  std::vector<CheckResult> run() {
    none_ = questions_.ask(formula_.none());
    several_ = questions_.ask(formula_.several());
    ask_rules();
    answers_ = questions_.answers();
    return {exactly_one(), coverage(), dead(), subsumed(), overlaps()};
  }

 private:
  struct Pair {
    std::size_t first;
    std::size_t second;
    std::size_t question;
  };

  void ask_rules() {
    const auto& rules = formula_.rules();
    for (std::size_t i = 0; i < rules.size(); ++i) {
      fires_.push_back(questions_.ask(formula_.fires(i)));
      for (std::size_t j = 0; j < rules.size(); ++j) {
        if (i == j || rules[i].annotated || rules[j].annotated) continue;
        if (rules[i].head == rules[j].head)
          within_.push_back({i, j, questions_.ask(both(formula_.fires(i), formula_.fires(j), false))});
      }
    }
    const auto& outcomes = formula_.outcomes();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      for (std::size_t j = i + 1; j < outcomes.size(); ++j) ask_overlaps(outcomes[i], outcomes[j]);
    }
  }

  void ask_overlaps(const ProgramFormula::Outcome& a, const ProgramFormula::Outcome& b) {
    for (const std::size_t i : a.rules) {
      for (const std::size_t j : b.rules) {
        overlaps_.push_back(
            {std::min(i, j), std::max(i, j), questions_.ask(both(formula_.fires(i), formula_.fires(j)))});
      }
    }
  }

  std::string shown(std::size_t rule) const { return "`" + to_string(formula_.rules()[rule].name) + "`"; }

  QuantisedObservation witness(std::size_t question) const {
    return observed_.observation(answers_[question].values);
  }

  static CheckResult result(std::string name, Verdict verdict, std::string witness) {
    CheckResult check{std::move(name), CheckScope::kEverywhere, verdict};
    check.witness = verdict == Verdict::kUndecided ? "Z3 does not decide it" : std::move(witness);
    return check;
  }

  Verdict verdict(std::size_t question) const {
    switch (answers_[question].status) {
      case Status::kYes:
        return Verdict::kFails;
      case Status::kNo:
        return Verdict::kHolds;
      default:
        return Verdict::kUndecided;
    }
  }

  /// What the policy does in the witness of a question, as a sentence.
  std::string undefined_at(std::size_t question, bool several) const {
    const QuantisedObservation at = witness(question);
    const PolicyTable row(subject_.bound.action_count(), subject_.bound.row(at));
    const std::string place = describe(at, subject_.vocabulary);
    if (several) {
      const std::string rules = names_of(subject_, at);
      const bool overlapping = rules.find("` and `") != std::string::npos;
      if (row.defined(0) && !overlapping) refuse_witness();
      return fmt::format("in {} several actions hold, by {}", place, rules);
    }
    if (row.defined(0)) refuse_witness();
    return fmt::format("in {} the policy {}", place, row.defect(0));
  }

  CheckResult exactly_one() const {
    for (const auto& [question, several] : {std::pair{none_, false}, {several_, true}}) {
      if (verdict(question) == Verdict::kFails)
        return result("exactly-one", Verdict::kFails, undefined_at(question, several));
    }
    const bool undecided = verdict(none_) != Verdict::kHolds || verdict(several_) != Verdict::kHolds;
    return result("exactly-one", undecided ? Verdict::kUndecided : Verdict::kHolds, "");
  }

  CheckResult coverage() const {
    const Verdict found = verdict(none_);
    return result("coverage", found, found == Verdict::kFails ? undefined_at(none_, false) : "");
  }

  CheckResult dead() const {
    std::string names;
    bool undecided = false;
    for (std::size_t i = 0; i < fires_.size(); ++i) {
      const Status status = answers_[fires_[i]].status;
      undecided |= status == Status::kUnknown;
      if (status == Status::kYes && !fires(formula_.rules()[i], subject_.bound.fired(witness(fires_[i]))))
        refuse_witness();
      if (status == Status::kNo) names += fmt::format("{}{}", names.empty() ? "" : ", ", shown(i));
    }
    if (!names.empty()) return result("dead-rules", Verdict::kFails, names + " never fires");
    return result("dead-rules", undecided ? Verdict::kUndecided : Verdict::kHolds, "");
  }

  bool never_fires(std::size_t rule) const { return answers_[fires_[rule]].status == Status::kNo; }

  bool is_within(std::size_t i, std::size_t j) const {
    return std::any_of(within_.begin(), within_.end(), [&](const Pair& pair) {
      return pair.first == i && pair.second == j && answers_[pair.question].status == Status::kNo;
    });
  }

  CheckResult subsumed() const {
    std::string text;
    bool undecided = false;
    for (const Pair& pair : within_) {
      undecided |= answers_[pair.question].status == Status::kUnknown;
      if (never_fires(pair.first) || !is_within(pair.first, pair.second)) continue;
      if (pair.first < pair.second && is_within(pair.second, pair.first)) continue;  // the later one is named
      text += fmt::format("{}{} never fires without {}", text.empty() ? "" : "; ", shown(pair.first),
                          shown(pair.second));
    }
    if (!text.empty()) return result("subsumed-rules", Verdict::kFails, text);
    return result("subsumed-rules", undecided ? Verdict::kUndecided : Verdict::kHolds, "");
  }

  CheckResult overlaps() const {
    std::string text;
    bool undecided = false;
    for (const Pair& pair : overlaps_) {
      const Status status = answers_[pair.question].status;
      undecided |= status == Status::kUnknown;
      if (status != Status::kYes) continue;
      const QuantisedObservation at = witness(pair.question);
      const std::vector<std::size_t> fired = subject_.bound.fired(at);
      if (!fires(formula_.rules()[pair.first], fired) || !fires(formula_.rules()[pair.second], fired))
        refuse_witness();
      text += fmt::format("{}{} and {} both fire in {}", text.empty() ? "" : "; ", shown(pair.first),
                          shown(pair.second), describe(at, subject_.vocabulary));
    }
    if (!text.empty()) return result("overlaps", Verdict::kFails, text);
    return result("overlaps", undecided ? Verdict::kUndecided : Verdict::kHolds, "");
  }

  const NumberSubject& subject_;
  Z3Questions questions_;
  ObservedNumbers observed_;
  ProgramFormula formula_;
  std::size_t none_ = 0;
  std::size_t several_ = 0;
  std::vector<std::size_t> fires_;  ///< Per rule.
  std::vector<Pair> within_;        ///< Whether the first fires without the second.
  std::vector<Pair> overlaps_;
  std::vector<Z3Questions::Answer> answers_;
};

/// Whether a formula over atoms, quantities and actions holds, where these actions may be taken.
bool holds_at(const StateFormula& formula, const QuantisedObservation& at, const Vocabulary& vocabulary,
              const std::vector<double>& row) {
  using Kind = StateFormula::Kind;
  const auto part = [&](std::size_t i) { return holds_at(formula.parts[i], at, vocabulary, row); };
  switch (formula.kind) {
    case Kind::kTrue:
      return true;
    case Kind::kAtom: {
      const std::size_t group = vocabulary.group_of(formula.index);
      const bool one_hot = vocabulary.group(group).one_hot;
      return at.values[group] == (one_hot ? formula.index - vocabulary.first_atom(group) : 1);
    }
    case Kind::kNumbers:
      return formula.numbers.comparison.holds(at.places) == formula.numbers.positive;
    case Kind::kAction:
      return row[formula.index] > 0;
    case Kind::kNot:
      return !part(0);
    case Kind::kAnd:
      return part(0) && part(1);
    case Kind::kOr:
      return part(0) || part(1);
    case Kind::kImplies:
      return !part(0) || part(1);
    default:
      return false;
  }
}

std::string row_words(const std::vector<double>& row, const Vocabulary& vocabulary) {
  std::string text;
  for (ActionId a = 0; a < row.size(); ++a) {
    if (row[a] == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", vocabulary.action_name(a));
    if (row[a] != 1) text += fmt::format(" {:.4g}", row[a]);
  }
  return text.empty() ? "no action" : text;
}

std::vector<std::string> rules_at(const NumberSubject& subject, const QuantisedObservation& at) {
  std::vector<std::string> names;
  for (const std::size_t s : subject.bound.fired(at))
    names.push_back(to_string(rule_name(subject.program, s)));
  return names;
}

/// What a program may decide: by which rule, and with which probabilities; or nothing.
struct Decision {
  SolverText condition;
  std::vector<double> row;
};

std::vector<Decision> decisions(const ProgramFormula& formula, std::size_t actions) {
  std::vector<Decision> all{{formula.none(), std::vector<double>(actions)}};
  for (const ProgramFormula::Outcome& outcome : formula.outcomes()) {
    for (const std::size_t rule : outcome.rules) {
      std::vector<double> row(actions);
      for (const ActionChoice& choice : formula.choices(rule)) row[choice.action] = choice.probability;
      all.push_back({formula.fires(rule), std::move(row)});
    }
  }
  return all;
}

}  // namespace

std::vector<CheckResult> check_numbers(const NumberSubject& subject) { return NumberChecks(subject).run(); }

bool is_never(const Property& property) {
  return property.measure == Property::Measure::kProbability &&
         property.comparison == Property::Comparison::kAtMost && property.bound == 0 &&
         property.path.kind == PathFormula::Kind::kFinally && !property.path.steps;
}

std::vector<CheckResult> check_never(const NumberSubject& subject, const std::vector<Property>& properties) {
  Z3Questions questions;
  const ObservedNumbers observed(subject.vocabulary, questions);
  const ProgramFormula formula(subject.program, subject.bound, observed, 0, questions);
  for (const Property& property : properties) questions.ask(formula.condition(property.path.right));
  const std::vector<Z3Questions::Answer> answers = questions.answers();
  std::vector<CheckResult> results;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    CheckResult check{properties[i].text, CheckScope::kEverywhere, Verdict::kHolds};
    check.property = true;
    if (answers[i].status == Status::kUnknown) {
      check.verdict = Verdict::kUndecided;
      check.witness = "Z3 does not decide it";
    } else if (answers[i].status == Status::kYes) {
      const QuantisedObservation at = observed.observation(answers[i].values);
      const std::vector<double> row = subject.bound.row(at);
      if (!holds_at(properties[i].path.right, at, subject.vocabulary, row)) refuse_witness();
      check.verdict = Verdict::kFails;
      check.witness = fmt::format("in {} the policy takes {}, by {}", describe(at, subject.vocabulary),
                                  row_words(row, subject.vocabulary), names_of(subject, at));
    }
    results.push_back(std::move(check));
  }
  return results;
}

std::vector<QuantisedObservation> observations_where(const StateFormula& formula,
                                                     const NumberSubject& subject) {
  Z3Questions questions;
  const ObservedNumbers observed(subject.vocabulary, questions);
  const ProgramFormula program(subject.program, subject.bound, observed, 0, questions);
  for (const Decision& decision : decisions(program, subject.vocabulary.action_count())) {
    questions.ask(both(decision.condition, program.condition(formula)));
  }
  std::vector<QuantisedObservation> found;
  std::set<std::vector<std::size_t>> shown;  // where two rules fire, both may name the same place
  for (const Z3Questions::Answer& answer : questions.answers()) {
    if (answer.status != Status::kYes) continue;
    QuantisedObservation at = observed.observation(answer.values);
    if (!holds_at(formula, at, subject.vocabulary, subject.bound.row(at))) refuse_witness();
    if (shown.insert(subject.bound.fired(at)).second) found.push_back(std::move(at));
  }
  return found;
}

std::vector<NumberDifference> diff_numbers(const NumberSubject& a, const NumberSubject& b) {
  Z3Questions questions;
  const ObservedNumbers observed(a.vocabulary, questions);
  const ProgramFormula first(a.program, a.bound, observed, 0, questions);
  const ProgramFormula second(b.program, b.bound, observed, 1, questions);
  const std::size_t actions = a.vocabulary.action_count();
  for (const Decision& one : decisions(first, actions)) {
    for (const Decision& other : decisions(second, actions)) {
      if (one.row != other.row) questions.ask(both(one.condition, other.condition));
    }
  }
  std::vector<NumberDifference> differences;
  std::set<std::pair<std::vector<std::string>, std::vector<std::string>>> shown;
  bool undecided = false;
  for (const Z3Questions::Answer& answer : questions.answers()) {
    undecided |= answer.status == Status::kUnknown;
    if (answer.status != Status::kYes) continue;
    const QuantisedObservation at = observed.observation(answer.values);
    const std::vector<double> row_a = a.bound.row(at);
    const std::vector<double> row_b = b.bound.row(at);
    if (row_a == row_b) continue;  // several rules fire on both sides, to the same effect
    NumberDifference one{rules_at(a, at), rules_at(b, at), row_words(row_a, a.vocabulary),
                         row_words(row_b, b.vocabulary), at};
    if (shown.emplace(one.rules_a, one.rules_b).second) differences.push_back(std::move(one));
  }
  if (differences.empty() && undecided) throw Error("z3", "does not decide whether the programs differ");
  return differences;
}

}  // namespace ndnf
