#include "ndnf/symbolic/extraction.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/annotations.h"
#include "ndnf/logic/atoms.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/symbolic/distribution_classes.h"
#include "ndnf/symbolic/exact_rules.h"
#include "ndnf/symbolic/paper_way.h"
#include "ndnf/symbolic/refit.h"
#include "ndnf/symbolic/remarks.h"

namespace ndnf {
namespace {

constexpr double kFrontier[] = {0.05, 0.03, 0.01, 0.001};

/// The share of epsilon that is left for rounding probabilities to few decimals.
constexpr double kRoundingShare = 0.01;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Extractor {
 public:
  Extractor(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options)
      : subject_(subject),
        model_(model),
        options_(options),
        epsilon_(options.epsilon),
        scope_(subject.scope()),
        target_(make_target(scope_, subject.policy)),
        selection_{options.as == Syntax::kAsp ? Selection::Kind::kArgmax : Selection::Kind::kSample, 0},
        wanted_(select(on_environment(subject.view, subject.policy), selection_)),
        visited_(visited(model, wanted_).observations),
        raw_scope_(model.shared_observations(), subject.reachable) {}

  Extraction run() {
    const std::vector<std::string> ways = methods();
    Extraction result;
    result.as = options_.as;
    if (options_.rules) epsilon_ = epsilon_for_rules(*options_.rules);
    result.epsilon = epsilon_;
    result.changed_actions = subject_.changed_actions;
    result.return_network = evaluate_exactly(model_, select(subject_.network, selection_)).mean_return;
    result.return_discretised = evaluate_exactly(model_, wanted_).mean_return;
    find_bound(result.witnesses);
    step();
    for (const std::string& method : ways) {
      result.attempts.push_back(attempt(method, result.witnesses));
      step();
      if (result.attempts.back().proved_minimal) break;
    }
    result.chosen = smallest_faithful(result.attempts).value_or(closest(result.attempts));
    result.frontier = frontier();
    step();
    return result;
  }

 private:
  void step() const {
    if (options_.on_step) options_.on_step();
  }

  std::vector<std::string> methods() const {
    const bool asp = options_.as == Syntax::kAsp;
    const std::string lossless = asp ? "exact" : "refit";
    const std::string& method = options_.method;
    if (method == (asp ? "refit" : "exact")) {
      throw Error("--method", fmt::format("{} gives {}", method, asp ? "ProbLog" : "ASP"),
                  asp ? "add --as problog, or take --method exact" : "add --as asp, or take --method refit");
    }
    const bool own_nodes = method == "threshold" || method == "disentangle";
    if (own_nodes && !subject_.dnf) {
      throw Error("--method",
                  fmt::format("{} reads the nodes of a neural DNF, and this policy has none", method),
                  "take --method " + lossless);
    }
    if (options_.rules && (asp || own_nodes)) {
      throw Error("--rules", "only refit, which gives ProbLog, can choose how many", "leave it out");
    }
    if (method != "auto") return {method};
    if (!subject_.dnf || (!asp && (subject_.dnf->exactly_one || options_.rules))) return {lossless};
    return {"threshold", "disentangle", lossless};
  }

  static std::optional<std::size_t> smallest_faithful(const std::vector<Attempt>& attempts) {
    const auto size = [&](std::size_t k) {
      return std::pair(attempts[k].size.rules, attempts[k].size.literals);
    };
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < attempts.size(); ++k) {
      if (attempts[k].faithful && (!best || size(k) < size(*best))) best = k;
    }
    return best;
  }

  static std::size_t closest(const std::vector<Attempt>& attempts) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < attempts.size(); ++k) {
      if (!attempts[k].program) continue;
      if (!attempts[best].program ||
          attempts[k].reachable.disagreements <= attempts[best].reachable.disagreements) {
        best = k;
      }
    }
    return best;
  }

  Attempt attempt(const std::string& method, const BoundWitnesses& witnesses) {
    const auto start = std::chrono::steady_clock::now();
    Attempt result;
    result.method = method;
    if (const auto rules = rules_by(method, result)) {
      result.program = standing_alone(*rules, result.definitions);
      judge(result);
    }
    result.lower_bound = bound_;
    const std::size_t size =
        options_.as == Syntax::kAsp ? result.size.action_rules : result.size.annotated_disjunctions;
    result.proved_minimal =
        result.faithful && size == bound_ && !witnesses.proof.empty() && bound_applies(result);
    result.seconds = seconds_since(start);
    return result;
  }

  // A fooling set counts rules from what the actor sees straight to an action. With helper atoms in between
  // fewer may do.
  bool bound_applies(const Attempt& attempt) const {
    if (options_.as == Syntax::kProbLog) return true;
    for (const Statement& statement : attempt.program->statements) {
      const Rule& rule = std::get<Rule>(statement.content);
      if (!action_of(rule.heads.front().atom)) continue;
      for (const BodyLiteral& literal : rule.body) {
        if (!scope_.vocabulary().find_atom(literal.atom)) return false;
      }
    }
    return true;
  }

  std::optional<LayeredRules> rules_by(const std::string& method, Attempt& result) {
    if (method == "exact") return exact_rules();
    if (method == "refit") return class_rules();
    NodeRules read = own_nodes(method);
    result.reason = read.reason;
    if (method == "threshold") result.tau = read.tau;
    if (read.rules) round(*read.rules, std::min(epsilon_, kPruneTolerance));
    return std::move(read.rules);
  }

  NodeRules own_nodes(const std::string& method) {
    const NeuralDnf<double>& dnf = *subject_.dnf;
    const double falsehood = subject_.falsehood;
    if (options_.as == Syntax::kProbLog) {
      if (!pruned_) pruned_ = pruned_for_problog(dnf, falsehood, scope_, target_);
      return method == "threshold" ? threshold_to_problog(*pruned_, falsehood, scope_, target_)
                                   : disentangle_to_problog(*pruned_, falsehood, scope_);
    }
    if (!pruned_) pruned_ = pruned_for_asp(dnf, falsehood, scope_, target_);
    if (method == "disentangle") return disentangle_to_asp(*pruned_, falsehood, scope_);
    NodeRules read = threshold_to_asp(*pruned_, falsehood, scope_, target_);
    if (read.rules || visited_.size() == subject_.reachable.size()) return read;
    // The paper asks only for the learned trajectory.
    const Scope where(subject_.view.table, seen(subject_.view, visited_));
    const Target there = make_target(where, subject_.policy);
    return threshold_to_asp(pruned_for_asp(dnf, falsehood, where, there), falsehood, where, there);
  }

  // Deterministic, and a proof of size: boxes by action.
  std::optional<LayeredRules> exact_rules() {
    LayeredRules rules;
    rules.actions.resize(model_.action_count());
    for (const ExactRule& rule : exact_->rules) {
      rules.actions[rule.action].push_back({{static_cast<AtomId>(rules.nodes.size()), true}});
      rules.nodes.push_back({literals(rule.box, scope_)});
    }
    return rules;
  }

  // Stochastic, in class form: one annotated disjunction per class of distributions.
  std::optional<LayeredRules> class_rules() {
    LayeredRules rules =
        class_rules(distribution_classes(scope_, target_.p, epsilon_ * (1 - kRoundingShare)));
    round(rules, epsilon_);
    return rules;
  }

  LayeredRules class_rules(const DistributionClasses& classes) const {
    LayeredRules rules;
    rules.node_name = "class_";
    for (const DistributionClass& own : classes.classes) {
      rules.choices.push_back({{{static_cast<AtomId>(rules.nodes.size()), true}}, own.distribution});
      Dnf& node = rules.nodes.emplace_back();
      for (const Box& box : own.boxes) node.push_back(literals(box, scope_));
    }
    return rules;
  }

  // The smallest epsilon, to two digits, that needs at most so many rules.
  double epsilon_for_rules(std::size_t most) const {
    double low = 1e-6;
    double high = 1;
    for (int step = 0; step < 20; ++step) {
      const double middle = std::sqrt(low * high);
      const auto classes = distribution_classes(scope_, target_.p, middle * (1 - kRoundingShare));
      const Program program = to_program(class_rules(classes), scope_.vocabulary());
      (size_of(program, scope_).rules <= most ? high : low) = middle;
    }
    if (high == 1) {
      throw Error("--rules", fmt::format("{} rules are too few to keep even the best action apart", most),
                  "allow more");
    }
    return high;
  }

  // Few decimals, as long as rounding costs no more than its share of epsilon.
  void round(LayeredRules& rules, double epsilon) const {
    const double actions = static_cast<double>(model_.action_count());
    const double decimals = std::ceil(std::log10(actions / 2 / (kRoundingShare * epsilon)));
    for (auto& choice : rules.choices) {
      choice.p = to_annotations(choice.p, std::clamp(static_cast<int>(decimals), 3, kMostDecimals));
    }
  }

  // Definitions for what is invented, remarks for who reads it.
  Program standing_alone(const LayeredRules& rules, std::optional<PredicateDefinitions>& definitions) {
    Program program = to_program(rules, scope_.vocabulary());
    if (subject_.view.invented(model_.observations()))
      definitions = add_definitions(program, subject_.view, model_, subject_.reachable, visited_);
    add_remarks(program, model_, selection_);
    return program;
  }

  void judge(Attempt& attempt) const {
    const BoundProgram bound(*attempt.program, model_.observations().shared_vocabulary());
    const PolicyTable rows = tabulate(bound, model_.observations());
    attempt.reachable = compare(rows, subject_.reachable);
    attempt.visited = compare(rows, visited_);
    const bool close = options_.as == Syntax::kAsp
                           ? attempt.reachable.disagreements == 0
                           : attempt.reachable.max_dp <= epsilon_ && keeps_impossible(rows);
    attempt.faithful = close && attempt.reachable.exactly_one;
    const Evaluation evaluation = evaluate_exactly(model_, rows);
    if (!evaluation.undefined) attempt.mean_return = evaluation.mean_return;
    attempt.size = size_of(*attempt.program, raw_scope_);
    attempt.kl = options_.as == Syntax::kProbLog ? mean_divergence(rows) : 0;
  }

  Agreement compare(const PolicyTable& program, const std::vector<ObsId>& where) const {
    Agreement agreement;
    agreement.observations = where.size();
    for (const ObsId obs : where) {
      const auto wanted = subject_.policy.row(subject_.view.seen_as[obs]);
      agreement.exactly_one = agreement.exactly_one && program.defined(obs);
      const double largest = *std::max_element(wanted.begin(), wanted.end());
      const bool agrees = program.defined(obs) && wanted[program.argmax(obs)] == largest;
      if (!agrees) ++agreement.disagreements;
      if (options_.as == Syntax::kAsp) {
        agreement.max_dp = std::max(agreement.max_dp, agrees ? 0.0 : 1.0);
      } else {
        agreement.max_dp = std::max(agreement.max_dp, largest_difference(wanted, program.row(obs)));
      }
    }
    return agreement;
  }

  // What the network never does, as under a shield, the program never does.
  bool keeps_impossible(const PolicyTable& program) const {
    return std::all_of(subject_.reachable.begin(), subject_.reachable.end(), [&](ObsId obs) {
      const auto wanted = subject_.policy.row(subject_.view.seen_as[obs]);
      for (std::size_t a = 0; a < wanted.size(); ++a) {
        if (wanted[a] == 0 && program.row(obs)[a] > 0) return false;
      }
      return true;
    });
  }

  double mean_divergence(const PolicyTable& program) const {
    double sum = 0;
    for (const ObsId obs : subject_.reachable) {
      const auto wanted = subject_.policy.row(subject_.view.seen_as[obs]);
      sum += kl_divergence(wanted, program.row(obs), kLeastProbability);
    }
    return sum / static_cast<double>(subject_.reachable.size());
  }

  void find_bound(BoundWitnesses& witnesses) {
    exact_ = extract_exactly(scope_, target_.best);
    if (options_.as == Syntax::kAsp) {
      bound_ = exact_->lower_bound;
      witnesses.proof = exact_->proof;
      for (const auto& positions : exact_->witnesses) witnesses.sets.push_back(at(positions));
      return;
    }
    const std::vector<std::size_t> apart = incompatible();
    bound_ = apart.size();
    witnesses.proof = "incompatible distributions";
    witnesses.sets.push_back(at(apart));
  }

  std::vector<ObsId> at(const std::vector<std::size_t>& positions) const {
    std::vector<ObsId> rows;
    for (const std::size_t k : positions) rows.push_back(scope_.observations()[k]);
    return rows;
  }

  // Observations no two of which can have the same distribution within epsilon: in order of the most telling
  // probability, each as near as possible to the last.
  std::vector<std::size_t> incompatible() const {
    std::vector<std::size_t> best;
    for (std::size_t a = 0; a < model_.action_count(); ++a) {
      std::vector<std::size_t> order(scope_.size());
      for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t l, std::size_t r) { return target_.p(l, a) < target_.p(r, a); });
      std::vector<std::size_t> chosen;
      for (const std::size_t k : order) {
        const bool apart =
            std::all_of(chosen.begin(), chosen.end(), [&](std::size_t c) { return differ(c, k); });
        if (apart) chosen.push_back(k);
      }
      if (chosen.size() > best.size()) best = std::move(chosen);
    }
    std::sort(best.begin(), best.end());
    return best;
  }

  bool differ(std::size_t k, std::size_t l) const {
    const std::size_t actions = target_.p.cols();
    return largest_difference({target_.p.row(k), actions}, {target_.p.row(l), actions}) > 2 * epsilon_;
  }

  std::vector<FrontierPoint> frontier() const {
    std::vector<FrontierPoint> points;
    if (options_.as == Syntax::kProbLog) {
      RefitOptions options;
      options.candidates = own_boxes();
      const std::vector<Refit> fits = refit_frontier(scope_, target_.p, kFrontier, options);
      for (std::size_t k = 0; k < fits.size(); ++k) points.push_back(point(kFrontier[k], fits[k]));
    }
    FrontierPoint best_action;
    best_action.conjunctions = best_action.class_conjunctions = exact_->rules.size();
    for (const ExactRule& rule : exact_->rules) best_action.literals += literals(rule.box, scope_).size();
    const Selection argmax{Selection::Kind::kArgmax, 0};
    best_action.mean_return =
        evaluate_exactly(model_, select(on_environment(subject_.view, subject_.policy), argmax)).mean_return;
    points.push_back(best_action);
    return points;
  }

  // The network's own conjunctions, where one is true on exactly a box: rules that it has found itself.
  std::vector<Box> own_boxes() const {
    std::vector<Box> boxes;
    if (!pruned_) return boxes;
    for (std::size_t q = 0; q < pruned_->conjunction_count(); ++q) {
      std::vector<std::size_t> where;
      for (std::size_t k = 0; k < scope_.size(); ++k) {
        if (pruned_->conjunctions()(q, k) > 0) where.push_back(k);
      }
      if (where.empty() || where.size() == scope_.size()) continue;
      Box box = hull(scope_, where);
      if (members(box, scope_).size() == where.size()) boxes.push_back(std::move(box));
    }
    return boxes;
  }

  FrontierPoint point(double epsilon, const Refit& fit) const {
    FrontierPoint point;
    point.epsilon = epsilon;
    point.conjunctions = fit.boxes.size();
    for (const Box& box : fit.boxes) point.literals += literals(box, scope_).size();
    point.max_dp = fit.max_dp;
    point.kl = fit.mean_kl;
    point.mean_return = evaluate_exactly(model_, on_environment(subject_.view, table_of(fit))).mean_return;
    const DistributionClasses classes = distribution_classes(scope_, target_.p, epsilon);
    point.annotated_disjunctions = classes.classes.size();
    for (const DistributionClass& own : classes.classes) point.class_conjunctions += own.boxes.size();
    return point;
  }

  // The refit's rows for the view; rows out of scope stay the network's, since nothing comes there.
  PolicyTable table_of(const Refit& fit) const {
    const Matrix<double> p = probabilities(fit, scope_);
    std::vector<double> rows;
    for (ObsId obs = 0; obs < subject_.policy.size(); ++obs) {
      rows.insert(rows.end(), subject_.policy.row(obs).begin(), subject_.policy.row(obs).end());
    }
    for (std::size_t k = 0; k < scope_.size(); ++k) {
      std::copy_n(p.row(k), p.cols(),
                  rows.begin() + static_cast<std::ptrdiff_t>(scope_.observations()[k] * p.cols()));
    }
    return PolicyTable(p.cols(), std::move(rows));
  }

  const Subject& subject_;
  const FiniteModel& model_;
  const ExtractionOptions& options_;
  double epsilon_;  ///< As asked for, or what the rules asked for can do.
  Scope scope_;     ///< Rows of the view that are reachable.
  Target target_;
  Selection selection_;
  PolicyTable wanted_;          ///< What is extracted, on the environment, actions as they are selected.
  std::vector<ObsId> visited_;  ///< Of the environment, under `wanted_`.
  Scope raw_scope_;             ///< The reachable observations of the environment.
  std::optional<ScopedDnf> pruned_;
  std::optional<ExactProgram> exact_;
  std::size_t bound_ = 0;
};

}  // namespace

Extraction extract(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options) {
  return Extractor(subject, model, options).run();
}

}  // namespace ndnf
