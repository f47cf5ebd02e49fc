#include "ndnf/extract/view_extraction.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/distributions/incompatible_rows.h"
#include "ndnf/extract/asp_forms.h"
#include "ndnf/extract/frontier.h"
#include "ndnf/extract/remarks.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/ordered_rules.h"

namespace ndnf {
namespace {

/// The fraction of epsilon reserved for rounding probabilities to few decimals.
constexpr double kRoundingShare = 0.01;

const char* const kCannotTell = "two observations with the same atoms need different actions";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The distribution rounded to this number of decimals. If that would make another action the most probable,
/// it uses two more decimals and moves a few units in the last place from the tied actions to the first.
std::vector<double> rounded(const std::vector<double>& p, int decimals) {
  std::vector<double> result = to_annotations(p, decimals);
  const std::size_t first = most_probable(p);
  if (most_probable(result) == first) return result;
  decimals = std::min(decimals + 2, kMostDecimals);
  const double gift = static_cast<double>(p.size()) * std::pow(10.0, -decimals);
  std::vector<double> tilted = p;
  for (std::size_t a = 0; a < p.size(); ++a) {
    if (a == first || p[a] < p[first] - 2 * gift) continue;
    tilted[a] -= gift;
    tilted[first] += gift;
  }
  return to_annotations(tilted, decimals);
}

Over over_of(const Subject& subject, const FiniteModel& model) {
  if (!subject.view.comparisons.empty()) return Over::kComparisons;
  return subject.view.invented(model.observations()) ? Over::kPredicates : Over::kAtoms;
}

/// Adds what comparisons mean in the task's units to the remarks of their rules.
void add_readings(Program& program, const Vocabulary& vocabulary) {
  for (Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    const std::string units = readings(*rule, vocabulary);
    if (units.empty()) continue;
    statement.remark = statement.remark.empty() ? units : units + "; " + statement.remark;
  }
}

/// True if no two observations of the scope have the same atoms and different distributions.
bool can_tell_apart(const Scope& scope, const Matrix<double>& p) {
  const std::vector<std::uint32_t> alike = scope.first_alike();
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (!std::ranges::equal(p.row_span(i), p.row_span(alike[i]))) return false;
  }
  return true;
}

}  // namespace

ViewExtraction::ViewExtraction(const Subject& subject, const FiniteModel& model, const Judge& judge,
                               const ExtractionOptions& options)
    : subject_(subject),
      model_(model),
      judge_(judge),
      options_(options),
      over_(over_of(subject, model)),
      scope_(subject.scope()),
      target_(make_target(scope_, subject.policy, options.ties)),
      actor_(on_environment(subject.view, subject.policy)),
      visited_(visited(model, select(actor_, judge.selection())).observations),
      epsilon_(options.rules ? epsilon_for_rules(*options.rules) : options.epsilon) {
  find_allowed();
  if (options_.bounds) find_exact();
  if (options_.as == Syntax::kProbLog) {
    incompatible_ = incompatible_rows(subject_.network, subject_.reachable, epsilon_);
  }
}

void ViewExtraction::find_allowed() {
  std::map<ObsId, std::uint64_t> common;
  for (const ObsId obs : subject_.reachable) {
    const auto entry = common.emplace(subject_.view.seen_as[obs], ~std::uint64_t{0}).first;
    entry->second &= judge_.allowed(obs);
    can_say_it_ = can_say_it_ && entry->second != 0;
  }
  for (std::size_t k = 0; k < scope_.size(); ++k) {
    allowed_.push_back(can_say_it_ ? common.at(scope_.observations()[k]) : target_.best[k]);
  }
}

void ViewExtraction::find_exact() {
  if (inseparable(scope_, allowed_)) return;
  ExactOptions exact;
  exact.solve_limit = options_.solve_limit;
  exact.search_limit = options_.search_limit;
  const auto start = std::chrono::steady_clock::now();
  exact_ = extract_exactly(scope_, allowed_, exact);
  exact_seconds_ = seconds_since(start);
}

Attempt ViewExtraction::attempt(const std::string& method, Form form) {
  const auto start = std::chrono::steady_clock::now();
  const bool found_before = method == "exact" && exact_;
  Attempt result;
  result.method = method;
  result.over = over_;
  result.form = form;
  result.program = program_by(method, form, result);
  if (result.program) {
    if (!subject_.view.comparisons.empty())
      result.program = spelled_out(*std::move(result.program), subject_.view, model_.vocabulary());
    if (over_ == Over::kPredicates) {
      result.definitions = add_definitions(*result.program, subject_.view, model_, subject_.reachable,
                                           visited_by(*result.program), options_.solve_limit);
    }
    add_remarks(*result.program, model_, judge_.selection(),
                form == Form::kList ? RuleOrder::kAsWritten : RuleOrder::kGeneralFirst);
    add_readings(*result.program, model_.vocabulary());
    judge_.judge(result, epsilon_, over_ == Over::kPredicates ? &actor_ : nullptr);
    claim(result);
  }
  result.seconds = seconds_since(start) + (found_before ? exact_seconds_ : 0);
  return result;
}

std::optional<Program> ViewExtraction::program_by(const std::string& method, Form form, Attempt& result) {
  if (method == "exact") {
    if (!exact_) find_exact();
    if (exact_) return exact_program(form);
    result.reason = kCannotTell;
    return std::nullopt;
  }
  if (method == "classes") {
    if (can_tell_apart(scope_, target_.p)) return program_of(class_rules(epsilon_));
    result.reason = kCannotTell;
    return std::nullopt;
  }
  NodeRules read = own_nodes(method);
  result.reason = read.reason;
  if (method == "threshold") result.tau = read.tau;
  if (!read.rules) return std::nullopt;
  round(*read.rules, std::min(epsilon_, kPruneTolerance));
  return program_of(*read.rules);
}

// The observations that a program over the view visits.
std::vector<ObsId> ViewExtraction::visited_by(const Program& program) const {
  const ObservationTable& table = *subject_.view.table;
  const PolicyTable rows = tabulate(BoundProgram(program, table.shared_vocabulary()), table);
  return visited(model_, on_environment(subject_.view, rows)).observations;
}

// Deterministic, with a bound on the size: boxes by action.
Program ViewExtraction::exact_program(Form form) {
  if (form == Form::kExactlyOne) return exactly_one_program(exact_->rules, scope_.vocabulary());
  ExactOptions exact;
  exact.solve_limit = options_.solve_limit;
  exact.search_limit = options_.search_limit;
  if (!default_) default_ = default_form(scope_, allowed_, *exact_, exact);
  if (form == Form::kDefault) return default_program(*default_, scope_.vocabulary());
  const std::vector<DecisionList> starts = {{default_->rules, default_->otherwise}};
  return list_program(find_decision_list(scope_, allowed_, starts), scope_.vocabulary(), model_.vocabulary());
}

NodeRules ViewExtraction::own_nodes(const std::string& method) {
  const NeuralDnf<double>& dnf = *subject_.dnf;
  const double falsehood = subject_.falsehood;
  if (options_.as == Syntax::kProbLog) {
    const OutputCheck finishes = options_.threshold_by_actions ? finishing() : OutputCheck();
    if (!pruned_) pruned_ = pruned_for_problog(dnf, falsehood, scope_, target_, finishes);
    return method == "threshold" ? threshold_to_problog(*pruned_, falsehood, scope_, target_, finishes)
                                 : disentangle_to_problog(*pruned_, falsehood, scope_);
  }
  if (!pruned_) pruned_ = pruned_for_asp(dnf, falsehood, scope_, target_);
  if (method == "disentangle") return disentangle_to_asp(*pruned_, falsehood, scope_);
  NodeRules read = threshold_to_asp(*pruned_, falsehood, scope_, target_);
  if (read.rules || visited_.size() == subject_.reachable.size()) return read;
  // The paper only requires the learned trajectory.
  const Scope where(subject_.view.table, seen(subject_.view, visited_));
  const Target there = make_target(where, subject_.policy, options_.ties);
  return threshold_to_asp(pruned_for_asp(dnf, falsehood, where, there), falsehood, where, there);
}

// Whether every episode ends before the step limit if the largest output is taken in every observation.
OutputCheck ViewExtraction::finishing() const {
  return {{}, [this](const RawOutputs& raw) {
            std::vector<ActionId> seen(subject_.policy.size(), 0);
            for (std::size_t k = 0; k < raw.cols(); ++k) {
              seen[scope_.observations()[k]] = static_cast<ActionId>(largest_action(raw, k));
            }
            std::vector<ActionId> actions;
            for (const ObsId row : subject_.view.seen_as) actions.push_back(seen[row]);
            return surely_finishes(model_, actions);
          }};
}

// Stochastic, in class form: one annotated disjunction per class of distributions.
LayeredRules ViewExtraction::class_rules(double epsilon) const {
  LayeredRules rules;
  rules.node_name = "class_";
  const auto classes = distribution_classes(scope_, target_.p, epsilon * (1 - kRoundingShare));
  for (const DistributionClass& own : classes.classes) {
    rules.choices.push_back({{{static_cast<AtomId>(rules.nodes.size()), true}}, own.distribution});
    rules.nodes.push_back(own.dnf);
  }
  round(rules, epsilon);
  return rules;
}

// The smallest epsilon, to two digits, for a program with at most `most` rules. Bisection on a logarithmic
// scale; it assumes that a larger epsilon does not need more rules.
double ViewExtraction::epsilon_for_rules(std::size_t most) const {
  double low = 1e-6;
  double high = 1;
  for (int step = 0; step < 20; ++step) {
    const double middle = std::sqrt(low * high);
    const Program program = program_of(class_rules(middle));
    (size_of(program, scope_).rules <= most ? high : low) = middle;
  }
  if (high == 1) {
    throw Error(argument("rules"), fmt::format("{} rules are too few even to keep the best actions", most),
                "allow more");
  }
  return high;
}

// As few decimals as possible while rounding stays within its share of epsilon.
void ViewExtraction::round(LayeredRules& rules, double epsilon) const {
  const double actions = static_cast<double>(model_.action_count());
  const double enough = std::ceil(std::log10(actions / 2 / (kRoundingShare * epsilon)));
  const int decimals = std::clamp(static_cast<int>(enough), 3, kMostDecimals);
  for (auto& choice : rules.choices) choice.p = rounded(choice.p, decimals);
}

Program ViewExtraction::program_of(const LayeredRules& rules) const {
  return to_program(rules, scope_.vocabulary(), &model_.vocabulary());
}

// Sets the class of the program and what is known about sizes in this class.
void ViewExtraction::claim(Attempt& attempt) const {
  const Vocabulary& atoms = scope_.vocabulary();
  switch (attempt.form) {
    case Form::kExactlyOne:
      if (!is_in_class_e(*attempt.program, atoms)) return;
      attempt.program_class = ProgramClass::kE;
      if (!attempt.faithful() || !exact_) return;
      attempt.lower_bound = exact_->lower_bound;
      attempt.proof = exact_->proof;
      break;
    case Form::kDefault:
      if (!is_in_class_d(*attempt.program, atoms)) return;
      attempt.program_class = ProgramClass::kD;
      if (!attempt.faithful()) return;
      attempt.lower_bound = default_->lower_bound;
      attempt.proof = default_->proof;
      if (options_.ties == Ties::kEval) attempt.covers = exact_->covers;
      break;
    case Form::kList:
      attempt.program_class = ProgramClass::kL;
      return;
    case Form::kAnnotatedDisjunctions:
      if (!is_in_class_p(*attempt.program, model_.observations(), subject_.reachable)) return;
      attempt.program_class = ProgramClass::kP;
      if (!attempt.faithful()) return;
      attempt.lower_bound = incompatible_.size();
      attempt.proof = "incompatible distributions";
      break;
  }
  attempt.proved_minimal = attempt.counted_size() == attempt.lower_bound;
}

BoundWitnesses ViewExtraction::witnesses() const {
  if (options_.as == Syntax::kProbLog) {
    return {{incompatible_}, model_.shared_observations(), "incompatible distributions"};
  }
  BoundWitnesses witnesses{{}, subject_.view.table, ""};
  if (!exact_ || !can_say_it_) return witnesses;
  witnesses.proof = exact_->proof;
  for (const auto& positions : exact_->witnesses) {
    auto& set = witnesses.sets.emplace_back();
    for (const std::size_t k : positions) set.push_back(scope_.observations()[k]);
  }
  return witnesses;
}

std::vector<FrontierPoint> ViewExtraction::frontier() const {
  if (!searched() || !can_tell_apart(scope_, target_.p)) return {};
  return ndnf::frontier(subject_, model_, options_.as, scope_, target_, *exact_);
}

Expectation ViewExtraction::return_of_actor() const {
  return evaluate_exactly(model_, select(actor_, judge_.selection())).expected_return();
}

}  // namespace ndnf
