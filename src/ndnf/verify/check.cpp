#include "ndnf/verify/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/mdp/reachability.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

/// The checks of one scope.
class RowChecker {
 public:
  RowChecker(const CheckSubject& subject, CheckScope scope)
      : subject_(subject),
        scope_(scope),
        observations_(scope == CheckScope::kReachable ? reachable(subject.model).observations
                                                      : visited(subject.model, subject.policy).observations) {
  }

  /// `is_bad` says which observations violate the check.
  template <class IsBad>
  CheckResult rows(std::string name, IsBad is_bad) const {
    CheckResult result{std::move(name), scope_};
    const auto bad = std::count_if(observations_.begin(), observations_.end(), is_bad);
    if (bad == 0) return result;
    result.verdict = Verdict::kFails;
    result.trace = trace_to(is_bad);
    // The nearest one is the most helpful; the search finds one, since it walks exactly the scope.
    const ObsId obs = subject_.model.observation(result.trace->steps.back().state);
    result.witness = fmt::format("in {} the policy {}{} ({} of {} {} observations)",
                                 subject_.model.observations().describe(obs), subject_.defect(obs),
                                 culprits(obs), bad, observations_.size(), to_string(scope_));
    return result;
  }

  CheckResult exactly_one() const {
    return rows(subject_.program != nullptr ? "exactly-one" : "sums-to-1",
                [&](ObsId obs) { return !subject_.policy.defined(obs); });
  }

  CheckResult coverage() const {
    const auto uncovered = [&](ObsId obs) {
      const auto row = subject_.policy.row(obs);
      return std::all_of(row.begin(), row.end(), [](double p) { return p == 0; });
    };
    CheckResult result = rows("coverage", uncovered);
    const auto without = std::count_if(observations_.begin(), observations_.end(), uncovered);
    result.value = 1 - static_cast<double>(without) / static_cast<double>(observations_.size());
    result.value_text = fmt::format("{:.9g}", *result.value);
    return result;
  }

  CheckResult dead_rules(const RuleFirings& firings) const {
    CheckResult result{"dead-rules", scope_};
    for (const RuleName& rule : firings.dead()) {
      add(result, fmt::format("`{}` never fires in a {} observation", to_string(rule), to_string(scope_)));
    }
    return result;
  }

  CheckResult subsumed_rules(const RuleFirings& firings) const {
    CheckResult result{"subsumed-rules", scope_};
    for (const auto& [rule, by, where] : firings.subsumed()) {
      add(result, fmt::format("`{}` never fires without `{}`", to_string(rule), to_string(by)));
      if (result.trace) continue;
      const ObsId obs = where;
      result.trace = trace_to([obs](ObsId o) { return o == obs; });
    }
    return result;
  }

  RuleFirings firings() const {
    return {*subject_.program, *subject_.bound, subject_.model.observations(), observations_};
  }

 private:
  /// What makes the row undefined, if rules do: an integrity constraint that is violated, or ProbLog rules
  /// that choose an action at the same time; their probabilities may even sum to 1.
  std::string culprits(ObsId obs) const {
    if (subject_.program == nullptr) return "";
    std::vector<std::string> rules;
    for (const std::size_t s : subject_.bound->fired(subject_.model.observations(), obs)) {
      const Rule& rule = std::get<Rule>(subject_.program->statements[s].content);
      const std::string name = to_string(rule_name(*subject_.program, s));
      if (rule.heads[0].atom == kConstraint) return fmt::format(", for it violates `{}`", name);
      if (action_of(rule.heads[0].atom)) rules.push_back(name);
    }
    if (rules.size() < 2 || subject_.program->syntax != Syntax::kProbLog) return "";
    return fmt::format(", for `{}` and `{}` choose independently", rules[0], rules[1]);
  }

  template <class IsTarget>
  std::optional<Trace> trace_to(IsTarget is_target) const {
    return shortest_trace(subject_.model, scope_ == CheckScope::kVisited ? &subject_.policy : nullptr,
                          [&](StateId s) { return is_target(subject_.model.observation(s)); });
  }

  static void add(CheckResult& result, const std::string& sentence) {
    result.verdict = Verdict::kFails;
    result.witness += (result.witness.empty() ? "" : "; ") + sentence;
  }

  const CheckSubject& subject_;
  CheckScope scope_;
  std::vector<ObsId> observations_;
};

/// Without a chain no property has a value, so all fail.
std::vector<CheckResult> refuse_properties(const CheckSubject& subject,
                                           const std::vector<Property>& properties) {
  const FiniteModel& model = subject.model;
  const auto trace = shortest_trace(model, &subject.policy,
                                    [&](StateId s) { return !subject.policy.defined(model.observation(s)); });
  if (!trace) return {};
  const ObsId obs = model.observation(trace->steps.back().state);
  const std::string witness = fmt::format("it has no value: in {}, which it visits, the policy {}",
                                          model.observations().describe(obs), subject.defect(obs));
  std::vector<CheckResult> results;
  for (const Property& property : properties) {
    results.push_back({property.text, CheckScope::kVisited, Verdict::kFails, {}, "", witness, trace, true});
  }
  return results;
}

std::string witness_of(const PropertyResult& found, const Property& property, const std::string& value) {
  switch (found.verdict) {
    case Verdict::kHolds:
      return "";
    case Verdict::kFails:
      return fmt::format("the value is {}, not {}", value, bound_text(property));
    case Verdict::kUndecided:
      break;
  }
  return fmt::format(
      "the value is within {:.2g} of {}: too near to tell whether it is {}, and an exact sum takes more than "
      "{:g} products of 64-bit words",
      found.error, value, bound_text(property), static_cast<double>(kExactWords));
}

}  // namespace

std::string_view to_string(CheckScope scope) {
  if (scope == CheckScope::kEverywhere) return "every observation";
  return scope == CheckScope::kReachable ? "reachable" : "visited";
}

std::vector<CheckResult> check_rows(const CheckSubject& subject, CheckScope scope) {
  const RowChecker checker(subject, scope);
  std::vector<CheckResult> results = {checker.exactly_one(), checker.coverage()};
  if (subject.program == nullptr) return results;
  const RuleFirings firings = checker.firings();
  results.push_back(checker.dead_rules(firings));
  results.push_back(checker.subsumed_rules(firings));
  return results;
}

std::vector<CheckResult> check_properties(const CheckSubject& subject,
                                          const std::vector<Property>& properties,
                                          const std::function<void(const Property&)>& before) {
  if (properties.empty()) return {};
  std::vector<CheckResult> results = refuse_properties(subject, properties);
  if (!results.empty()) return results;
  const EpisodeChain chain(subject.model, subject.policy);
  const auto loop = subject.model.endless() ? loop_trace(subject.model, subject.policy) : std::nullopt;
  for (const Property& property : properties) {
    if (before) before(property);
    if (loop && !has_value(subject.model, property)) {
      results.push_back({property.text,
                         CheckScope::kVisited,
                         Verdict::kFails,
                         {},
                         "",
                         "it has no value: an episode may never end",
                         loop,
                         true});
      continue;
    }
    PropertyResult found = check_property(chain, property);
    const std::string value = value_text(found.value, property);
    results.push_back({property.text, CheckScope::kVisited, found.verdict, found.value, value,
                       witness_of(found, property, value), std::move(found.trace), true});
  }
  return results;
}

}  // namespace ndnf
