#include "ndnf/pipeline/starting_point.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/base/random.h"
#include "ndnf/compile/rule_conjunctions.h"
#include "ndnf/compile/unfold.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/pipeline/file_kind.h"
#include "ndnf/pipeline/hot_start.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/program_inputs.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kWeightStream = 1;

ActorCritic<double> drawn(const TrainConfig& config, const ObservationTable& table) {
  RandomSequence random(RandomStream(static_cast<std::uint64_t>(config.run.seed), kWeightStream));
  return build_network(table, config.actor, config.critic, config.encoder, random);
}

bool is_program(const std::string& policy) { return policy.ends_with(".lp") || policy.ends_with(".pl"); }

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
  ActorCritic<double> front;
  front.encoder = encoder;
  visit_parameters(front, [&](const std::string& name, Part part, const Matrix<double>& m) {
    if (part != Part::kEncoder) return;
    locked[name].resize(m.size());
    std::iota(locked[name].begin(), locked[name].end(), 0u);
  });
}

/// Builds the starting point of a run that starts from rules or from another network.
class HotStart {
 public:
  HotStart(const TrainConfig& config, const FiniteModel& model)
      : config_(config), model_(model), network_(drawn(config, model.observations())) {}

  StartingPoint from_program() {
    take_encoder();
    const ActorView view = view_of(network_, model_.shared_observations());
    const Program program = read_program_for(view, model_.observations(), init().policy);
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
    const std::string file = checkpoint_file(init().policy).string();
    const Checkpoint checkpoint = read_checkpoint(file);
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
    if (network_.encoder && init().encoder.empty()) {
      throw Error(argument("init"), "the program uses predicates that an encoder must compute",
                  fmt::format("name its run with {}, or learn from atoms with {}", argument("encoder"),
                              argument("set", "encoder.model=none")));
    }
    if (!network_.encoder && !init().encoder.empty())
      throw Error(argument("encoder"), "these settings have no encoder", "leave it out");
    if (!network_.encoder) return;
    ActorCritic<float> front;
    front.encoder = encoder_of(init().encoder, model_.observations());
    const Matrix<float>& W = front.encoder->W;
    if (W.cols() != network_.encoder->W.cols() || W.rows() != network_.encoder->W.rows())
      throw Error(argument("encoder"), fmt::format("{} has an encoder of a different size", init().encoder));
    network_.encoder = converted<double>(front).encoder;
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
  /// program the disjunctive layer is fitted again, see hot_start.h.
  StartingPoint from_compiled(const NeuralDnf<double>& compiled, const std::set<std::size_t>& named) {
    const RuleConjunctions rules = rule_conjunctions(compiled);
    std::set<std::size_t> locked;
    for (const std::size_t q : named)
      locked.insert(rules.of_statement[q].begin(), rules.of_statement[q].end());
    NeuralDnf<double> actor = with_rules(rules, locked, init().scale, spare());
    if (is_symbolic(compiled.disjunctions)) return finished(std::move(actor), locked);
    const ActorView view = view_of(network_, model_.shared_observations());
    ActorCritic<double> reader;
    reader.actor = compiled;
    const ActorPolicy policy(std::move(reader), model_.action_count());
    actor = fitted(std::move(actor), scope_of(view), tabulate(policy, *view.table), init().least);
    return finished(std::move(actor), locked);
  }

  StartingPoint finished(NeuralDnf<double> actor, const std::set<std::size_t>& locked) {
    actor.activation = Activation::kTanh;  // the step function has gradient 0
    StartingPoint start{{}, locks(actor, locked)};
    if (network_.encoder && !locked.empty()) lock_encoder(*network_.encoder, start.locked);
    network_.actor = std::move(actor);
    start.network = converted<float>(network_);
    return start;
  }

  const TrainConfig& config_;
  const FiniteModel& model_;
  ActorCritic<double> network_;
  const std::variant<NeuralDnf<double>, Mlp<double>> drawn_actor_ = network_.actor;
};

}  // namespace

StartingPoint starting_point(const TrainConfig& config, const FiniteModel& model) {
  if (config.init.policy.empty()) return {converted<float>(drawn(config, model.observations())), {}};
  HotStart start(config, model);
  require_kind(config.init.policy,
               {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork, FileKind::kAsp, FileKind::kProbLog},
               "a program, a run or a network");
  return is_program(config.init.policy) ? start.from_program() : start.from_network();
}

StartingPoint resumed_starting_point(const TrainConfig& config, const FiniteModel& model,
                                     const TensorFile& state) {
  StartingPoint start{converted<float>(drawn(config, model.observations())), {}};
  visit_parameters(start.network, [&](const std::string& name, Part, Matrix<float>& m) {
    const auto saved = state.tensors.find("parameter." + name);
    if (saved == state.tensors.end() || saved->second.shape.size() != 2) return;  // reported by restore()
    m = Matrix<float>(saved->second.shape[0], saved->second.shape[1]);
  });
  return start;
}

}  // namespace ndnf
