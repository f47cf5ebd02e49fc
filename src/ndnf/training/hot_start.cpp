#include "ndnf/training/hot_start.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/compile/rule_conjunctions.h"
#include "ndnf/compile/unfold.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/train/distill.h"

namespace ndnf {
namespace {

constexpr const char* kConjunctions = "actor.conjunctions.weights";
constexpr const char* kDisjunctions = "actor.disjunctions.weights";

/// The target with every probability raised to at least `least` and rows normalised again: an action of
/// probability 0 would need an infinite logit.
PolicyTable at_least(const PolicyTable& target, double least) {
  std::vector<double> rows;
  for (ObsId obs = 0; obs < target.size(); ++obs) {
    double sum = 0;
    for (const double p : target.row(obs)) sum += std::max(p, least);
    for (const double p : target.row(obs)) rows.push_back(sum > 0 ? std::max(p, least) / sum : 0);
  }
  return PolicyTable(target.action_count(), std::move(rows));
}

[[noreturn]] void fail_lock(const std::string& lock, const std::vector<std::string>& known) {
  throw Error(argument("lock"), fmt::format("there is no rule {}", lock), suggestion(lock, known));
}

/// The conjunctions of the rules that the user names by line or head.
std::set<std::size_t> named_rules(const std::vector<std::string>& names, const Program& program,
                                  const RuleConjunctions& rules) {
  std::set<std::size_t> chosen;
  for (const std::string& name : names) {
    bool found = false;
    std::vector<std::string> known = {"all"};
    for (std::size_t s = 0; s < rules.of_statement.size(); ++s) {
      const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
      if (rule == nullptr || !action_of(rule->heads.front().atom)) continue;
      const std::string line = fmt::format("{}", rule->place.line);
      known.insert(known.end(), {line, rule->heads.front().atom});
      if (name != "all" && name != line && name != rule->heads.front().atom) continue;
      chosen.insert(rules.of_statement[s].begin(), rules.of_statement[s].end());
      found = true;
    }
    if (!found) fail_lock(name, known);
  }
  return chosen;
}

/// The conjunctions of a network that the user names by number, or by an action to which they are connected.
std::set<std::size_t> named_conjunctions(const std::vector<std::string>& names, const NeuralDnf<double>& dnf,
                                         const Vocabulary& vocabulary) {
  std::set<std::size_t> chosen;
  for (const std::string& name : names) {
    bool found = false;
    std::vector<std::string> known = {"all"};
    for (std::size_t q = 0; q < dnf.conjunctions.cols(); ++q) {
      known.push_back(fmt::format("conj_{}", q));
      bool named = name == "all" || name == known.back();
      for (std::size_t a = 0; a < dnf.disjunctions.cols(); ++a) {
        if (dnf.disjunctions(q, a) == 0) continue;
        known.push_back(action_atom(vocabulary.action_name(static_cast<ActionId>(a))));
        named |= name == known.back();
      }
      if (named) chosen.insert(q);
      found |= named;
    }
    if (!found) fail_lock(name, known);
  }
  return chosen;
}

/// Locked weights of a network would not stay as they are.
void refuse_dropping(const TrainConfig& config) {
  if (config.init.lock.empty() || config.harden.literals == 0) return;
  throw Error(argument("lock"), "harden.literals drops weak literals, locked ones too",
              "add " + argument("set", "harden.literals=0"));
}

/// Whether these are the weights of compiled rules (0 or ±kSymbolicWeight), not learned ones.
bool is_symbolic(const Matrix<double>& weights) {
  return std::all_of(weights.values().begin(), weights.values().end(),
                     [](double w) { return w == 0 || std::abs(w) == kSymbolicWeight; });
}

using Shapes = std::map<std::string, std::pair<std::size_t, std::size_t>>;

/// The shapes of the parameters of the critic, or of all other parts. The number of conjunctions is set to 0:
/// networks that differ in it are compatible.
Shapes shapes_of(const ActorCritic<double>& network, bool critic) {
  Shapes shapes;
  visit_parameters(network, [&](const std::string& name, Part part, const Matrix<double>& m) {
    if ((part == Part::kCritic) == critic) shapes[name] = {m.rows(), m.cols()};
  });
  if (shapes.contains("actor.conjunctions.weights")) {
    shapes["actor.conjunctions.weights"].second = 0;
    shapes["actor.disjunctions.weights"].first = 0;
  }
  return shapes;
}

/// Locks the whole encoder: locked rules keep their meaning only if their predicates do.
void lock_encoder(const Encoder<double>& encoder, LockedWeights& locked) {
  visit_encoder(encoder, [&](const std::string& name, const Matrix<double>& m) {
    locked[name].resize(m.size());
    std::iota(locked[name].begin(), locked[name].end(), 0u);
  });
}

/// Builds the starting point of a run that starts from rules or from another network.
class HotStart {
 public:
  HotStart(const TrainConfig& config, const Task& task, const PolicySource& source)
      : config_(config),
        task_(task),
        source_(source),
        model_(task.model()),
        network_(random_network(config, model_.observations())) {}

  StartingPoint from_program() {
    take_encoder();
    const ActorView view = view_of(network_.encoder, model_.shared_observations());
    const Program program =
        over_view(view, model_.observations(), source_.program(task_, view.table->vocabulary()));
    const auto& vocabulary = view.table->shared_vocabulary();
    const BoundProgram bound(program, vocabulary);  // reports mistakes
    const bool asp = program.syntax == Syntax::kAsp;
    const RuleConjunctions rules = rule_conjunctions(program, asp ? every_value(vocabulary) : scope_of(view));
    const std::set<std::size_t> locked = named_rules(init().lock, program, rules);
    NeuralDnf<double> actor = with_rules(rules, locked, init().scale, spare());
    if (!asp) actor = fitted(std::move(actor), scope_of(view), tabulate(bound, *view.table), init().least);
    return finished(std::move(actor), locked);
  }

  StartingPoint from_network() {
    const std::string& file = source_.name();
    const Checkpoint& checkpoint = source_.checkpoint();
    check_fits(file, checkpoint, model_.observations());
    if (checkpoint.model != config_.actor.model) {
      throw Error(
          file,
          fmt::format("has model {}, but these settings train {}", checkpoint.model, config_.actor.model),
          "training can only continue with the same model");
    }
    take_network(file, converted<double>(std::get<ActorCritic<float>>(checkpoint.policy)));
    const auto* dnf = std::get_if<NeuralDnf<double>>(&network_.actor);
    if (dnf == nullptr && !init().lock.empty()) throw Error(argument("lock"), "an MLP has no rules");
    if (dnf == nullptr) return {converted<float>(network_), {}};
    refuse_dropping(config_);
    const std::set<std::size_t> locked =
        named_conjunctions(init().lock, *dnf, model_.observations().vocabulary());
    const bool compiled = dnf->activation == Activation::kStep && is_symbolic(dnf->conjunctions);
    return compiled ? from_compiled(*dnf, locked) : finished(*dnf, locked);
  }

 private:
  const InitOptions& init() const { return config_.init; }
  /// The randomly initialised actor of the settings, whose conjunctions are still free.
  const NeuralDnf<double>& spare() const {
    const auto* dnf = std::get_if<NeuralDnf<double>>(&drawn_actor_);
    if (dnf != nullptr && network_.falsehood == -1) return *dnf;
    throw Error(argument("init"), "rules need a neural DNF that reads −1 and 1", "choose a preset with one");
  }
  Scope scope_of(const ActorView& view) const {
    return Scope(view.table, seen(view, reachable(model_).observations));
  }

  void take_encoder() {
    if (has_encoder(network_.encoder) && init().encoder.empty()) {
      throw Error(argument("init"), "the program uses predicates that an encoder must compute",
                  fmt::format("name its run with {}, or learn from atoms with {}", argument("encoder"),
                              argument("set", "encoder.model=none")));
    }
    if (!has_encoder(network_.encoder) && !init().encoder.empty())
      throw Error(argument("encoder"), "these settings have no encoder", "leave it out");
    if (!has_encoder(network_.encoder)) return;
    const auto encoder =
        converted<double>(PolicySource::network(init().encoder).encoder_for(model_.observations()));
    if (!same_shape(encoder, network_.encoder))
      throw Error(argument("encoder"), fmt::format("{} has an encoder of a different size", init().encoder));
    network_.encoder = encoder;
  }

  /// Takes over all parts of the network. The critic stays random unless the network has one of the same
  /// shape.
  void take_network(const std::string& file, ActorCritic<double> given) {
    if (shapes_of(given, false) != shapes_of(network_, false)) {
      throw Error(file, "has an encoder or layers of different sizes than these settings",
                  "use the sizes that it was trained with");
    }
    if (shapes_of(given, true) != shapes_of(network_, true) || given.critic_by_id != network_.critic_by_id) {
      given.critic = network_.critic;
      given.critic_by_id = network_.critic_by_id;
    }
    network_ = std::move(given);
  }

  /// The rules of a compiled network, scaled down so that they can learn: at the compiled weight of ±6 tanh
  /// is saturated and its gradient vanishes. Literals of locked rules keep the weight ±6. For a stochastic
  /// program the disjunctive layer is fitted again, see `fitted`.
  StartingPoint from_compiled(const NeuralDnf<double>& compiled, const std::set<std::size_t>& named) {
    const RuleConjunctions rules = rule_conjunctions(compiled);
    std::set<std::size_t> locked;
    for (const std::size_t q : named)
      locked.insert(rules.of_statement[q].begin(), rules.of_statement[q].end());
    NeuralDnf<double> actor = with_rules(rules, locked, init().scale, spare());
    if (is_symbolic(compiled.disjunctions)) return finished(std::move(actor), locked);
    const ActorView view = view_of(network_.encoder, model_.shared_observations());
    const PolicyTable rows = tabulate(DnfPolicy(compiled), *view.table);
    actor = fitted(std::move(actor), scope_of(view), rows, init().least);
    return finished(std::move(actor), locked);
  }

  StartingPoint finished(NeuralDnf<double> actor, const std::set<std::size_t>& locked) {
    actor.activation = Activation::kTanh;  // the step function has gradient 0
    StartingPoint start{{}, locks(actor, locked)};
    if (!locked.empty()) lock_encoder(network_.encoder, start.locked);
    network_.actor = std::move(actor);
    start.network = converted<float>(network_);
    return start;
  }

  const TrainConfig& config_;
  const Task& task_;
  const PolicySource& source_;
  const FiniteModel& model_;
  ActorCritic<double> network_;
  const std::variant<NeuralDnf<double>, Mlp<double>> drawn_actor_ = network_.actor;
};

constexpr std::uint64_t kSpareStream = 4;  // no other random number of the run has it

/// A program or network over numbers. Its comparisons stay as they are, and what learns are the weights of
/// its rules and of further conjunctions of the same comparisons; the critic reads the numbers.
class NumbersStart {
 public:
  NumbersStart(const TrainConfig& config, const Task& task, const PolicySource& source)
      : config_(config), task_(task), source_(source) {
    if (config.encoder.model == "thresholds" && config.actor.model == "ndnf-mt") return;
    throw Error(argument("init"), "rules about numbers need a neural DNF-MT with thresholds",
                "choose a recipe with one");
  }

  StartingPoint from_program() const {
    const Program program = source_.program(task_, *task_.vocabulary);
    const BoundProgram bound =
        source_.fitting(task_, [&] { return BoundProgram(program, task_.vocabulary); });  // reports mistakes
    if (program.syntax != Syntax::kAsp)
      throw Error(source_.name(), "a training over numbers cannot start from probabilities",
                  "start from a program in ASP");
    const auto names = with_comparisons(*task_.vocabulary, bound.comparisons().size());
    const Program named = with_names(program, bound.comparisons(), *task_.vocabulary, *names);
    const RuleConjunctions rules = rule_conjunctions(named, every_value(names));
    const std::set<std::size_t> locked = named_rules(config_.init.lock, named, rules);
    Comparisons inputs;
    for (const LinearComparison& comparison : bound.comparisons())
      inputs.literals.push_back({comparison, true});
    return started(std::move(inputs),
                   with_rules(rules, locked, config_.init.scale, spare(names->atom_count())), locked);
  }

  StartingPoint from_network() const {
    const Checkpoint& checkpoint = source_.checkpoint();
    check_fits(source_.name(), checkpoint, *task_.observations());
    const auto* network = std::get_if<ActorCritic<float>>(&checkpoint.policy);
    const auto* dnf = network == nullptr ? nullptr : std::get_if<NeuralDnf<float>>(&network->actor);
    if (dnf == nullptr || comparisons_of(network->encoder) == nullptr)
      throw Error(source_.name(), "has no rules about numbers",
                  "start from a program or a network with such rules");
    refuse_dropping(config_);
    NeuralDnf<double> actor = converted<double>(*dnf);
    const std::set<std::size_t> locked = named_conjunctions(config_.init.lock, actor, *task_.vocabulary);
    if (actor.activation == Activation::kStep && is_symbolic(actor.conjunctions))
      throw Error(source_.name(), "is a compiled network, whose conjunctions cannot learn",
                  "start from its program");
    return started(*comparisons_of(network->encoder), std::move(actor), locked);
  }

 private:
  NeuralDnf<double> spare(std::size_t inputs) const {
    RandomSequence random(RandomStream(static_cast<std::uint64_t>(config_.run.seed), kSpareStream));
    return build_neural_dnf(inputs, task_.vocabulary->action_count(), config_.actor, random);
  }

  StartingPoint started(Comparisons inputs, NeuralDnf<double> actor,
                        const std::set<std::size_t>& locked) const {
    ActorCritic<double> network = random_network(config_, *task_.observations());
    network.encoder = fixed_atoms<double>(std::move(inputs), *task_.observations());
    actor.activation = Activation::kTanh;
    StartingPoint start{{}, locks(actor, locked)};
    network.actor = std::move(actor);
    start.network = converted<float>(network);
    return start;
  }

  const TrainConfig& config_;
  const Task& task_;
  const PolicySource& source_;
};

}  // namespace

StartingPoint hot_start(const TrainConfig& config, const Task& task) {
  require_kind(config.init.policy,
               {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork, FileKind::kAsp, FileKind::kProbLog},
               "a program, a run or a network");
  const PolicySource source(config.init.policy);
  if (!task.is_finite() && !task.vocabulary->quantities().empty()) {
    const NumbersStart start(config, task, source);
    return source.is_program() ? start.from_program() : start.from_network();
  }
  HotStart start(config, task, source);
  return source.is_program() ? start.from_program() : start.from_network();
}

// Full-batch distillation from the table, with the conjunctive layer locked. What remains is a softmax
// regression on fixed features, with the logical bias of Eq. (1) at delta = 1. The cost is 3000 passes over
// the observations.
NeuralDnf<double> fitted(NeuralDnf<double> actor, const Scope& scope, const PolicyTable& target,
                         double least) {
  std::vector<ObsId> observations;
  for (const ObsId obs : scope.observations()) {
    if (target.defined(obs)) observations.push_back(obs);
  }
  DistillOptions options;
  options.batch_size = static_cast<std::int64_t>(observations.size());
  options.epochs = 3000;
  options.learning_rate = 0.02;
  DeltaOptions delta;
  delta.initial = 1;
  std::vector<std::uint32_t> all(actor.conjunctions.size());
  std::iota(all.begin(), all.end(), 0u);
  DistillTrainer<double> trainer(scope.table(), std::move(observations), at_least(target, least),
                                 {-1, NoEncoder{}, std::move(actor), {}}, options, {}, delta, {}, 0,
                                 Constraints{{{kConjunctions, std::move(all)}}});
  while (!trainer.done()) trainer.iterate();
  return std::get<NeuralDnf<double>>(trainer.network().actor);
}

LockedWeights locks(const NeuralDnf<double>& actor, const std::set<std::size_t>& conjunctions) {
  LockedWeights locked;
  for (const std::size_t q : conjunctions) {
    for (std::size_t i = 0; i < actor.conjunctions.rows(); ++i) {
      locked[kConjunctions].push_back(static_cast<std::uint32_t>(i * actor.conjunctions.cols() + q));
    }
    for (std::size_t a = 0; a < actor.disjunctions.cols(); ++a) {
      locked[kDisjunctions].push_back(static_cast<std::uint32_t>(q * actor.disjunctions.cols() + a));
    }
  }
  return locked;
}

}  // namespace ndnf
