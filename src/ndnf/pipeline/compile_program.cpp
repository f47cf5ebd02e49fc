#include "ndnf/pipeline/compile_program.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/compile/compile.h"
#include "ndnf/compile/compile_list.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/shield.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/nodes/subject.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/ordered_rules.h"
#include "ndnf/system/file.h"
#include "ndnf/verify/cells.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using Sources = std::vector<const PolicySource*>;

/// The observations of episodes on which a program over numbers is compared with its network, at most.
constexpr std::size_t kSampled = 10'000;
constexpr std::size_t kSampledEpisodes = 20;

/// Empty if nothing is to be written.
fs::path output_file(const CompileRequest& request) {
  if (!request.output && !request.program.is_file()) return {};
  if (!request.output) return fs::path(request.program.name).replace_extension(".safetensors");
  if (fs::path(*request.output).extension() != ".safetensors") {
    throw Error(argument("output"), fmt::format("{} would not be read back as a network", *request.output),
                "its name must end in .safetensors");
  }
  return *request.output;
}

Checkpoint checkpoint_of(ActorCritic<float> network, Syntax syntax, const Task& task,
                         const std::string& shield) {
  const bool asp = syntax == Syntax::kAsp;
  Checkpoint checkpoint;
  checkpoint.model = "ndnf-mt";
  checkpoint.policy = std::move(network);
  checkpoint.vocabulary = task.vocabulary;
  checkpoint.env = task.spec;
  checkpoint.env_fingerprint = task.fingerprint();
  checkpoint.select.kind = asp ? Selection::Kind::kArgmax : Selection::Kind::kSample;
  checkpoint.extract_as = asp ? "asp" : "problog";
  checkpoint.shield = shield;
  return checkpoint;
}

/// The program and its row for every observation of the environment.
struct Meaning {
  const Program& program;
  const ActorView& view;
  BoundProgram bound{program, view.table->shared_vocabulary()};
  PolicyTable rows = on_environment(view, tabulate(bound, *view.table));

  /// The source position of the last fired rule for an action.
  Place deciding_rule(ObsId obs) const {
    Place place;
    for (const std::size_t statement : bound.fired(*view.table, view.seen_as[obs])) {
      const Rule& rule = std::get<Rule>(program.statements[statement].content);
      if (action_of(rule.heads.front().atom)) place = rule.place;
    }
    return place;
  }
};

/// The rows among the allowed actions. Throws Error with one line per reachable observation in which
/// everything that the program would do is forbidden by the shield or not offered by the task.
PolicyTable restricted(const Meaning& meaning, const ActionMask& mask, bool shielded,
                       const ObservationTable& table, std::span<const ObsId> reachable) {
  PolicyTable allowed = mask.apply(meaning.rows);
  Mistakes mistakes(meaning.program.source);
  for (const ObsId obs : reachable) {
    if (!meaning.rows.defined(obs) || allowed.defined(obs)) continue;
    mistakes.add(meaning.deciding_rule(obs),
                 fmt::format("{} {} in {}, expected another action",
                             shielded ? "the shield forbids" : "the task does not offer",
                             row_text(meaning.rows, table.vocabulary(), obs), table.describe(obs)));
  }
  mistakes.throw_if_any();
  return allowed;
}

ProgramCompilation summary_of(const PolicySource& source, const Task& task, Syntax syntax,
                              const NeuralDnf<double>& actor) {
  ProgramCompilation result;
  result.program = source.name();
  result.env = task.spec;
  result.syntax = syntax;
  result.conjunctions = actor.conjunctions.cols();
  result.inputs = actor.conjunctions.rows();
  result.actions = actor.disjunctions.cols();
  return result;
}

ProgramCompilation write_if_equal(ProgramCompilation result, const fs::path& file, std::string bytes) {
  if (!result.agrees()) return result;
  result.bytes = std::move(bytes);
  result.file = file.string();
  if (!file.empty()) write_file(file, result.bytes);
  return result;
}

/// Compares program and network row by row. ASP programs must agree in the argmax action, ProbLog programs in
/// every probability to kCompiledPrecision. Rows in which the program is undefined are counted, not compared.
void compare(const PolicyTable& program, const PolicyTable& network, std::span<const ObsId> reachable,
             ProgramCompilation& result) {
  result.observations = reachable.size();
  for (const ObsId obs : reachable) {
    if (!program.defined(obs)) {
      ++result.undefined;
    } else if (result.syntax == Syntax::kAsp) {
      result.disagreements += program.argmax(obs) != network.argmax(obs);
    } else {
      const double dp = largest_difference(program.row(obs), network.row(obs));
      result.max_dp = std::max(result.max_dp, dp);
      result.disagreements += dp > kCompiledPrecision;
    }
  }
}

/// Compares program and network on a table of observations, all of which count.
void compare_on(const ObservationTable& table, const Policy& program, const Policy& network,
                ProgramCompilation& result) {
  std::vector<ObsId> all(table.size());
  std::iota(all.begin(), all.end(), ObsId{0});
  const std::size_t before = result.observations;
  compare(tabulate(program, table), tabulate(network, table), all, result);
  result.observations += before;
}

/// The actor over the task's atoms and these comparisons. A list is compiled rule by rule; other programs are
/// unfolded. A distribution needs all kinds of observations.
NeuralDnf<double> actor_over(const Program& program, const std::vector<LinearComparison>& comparisons,
                             const Task& task, const ObservationTable* kinds) {
  const auto names = with_comparisons(*task.vocabulary, comparisons.size());
  const Program named = with_names(program, comparisons, *task.vocabulary, *names);
  if (const auto list = ordered_rules_of(named, *names)) return compile_list(*list, *names);
  if (program.syntax == Syntax::kAsp) return compile_asp(named, names);
  if (kinds == nullptr)
    throw Error(program.source, "tells too many kinds of observations apart",
                "a program with probabilities is compiled kind by kind; use fewer comparisons");
  Comparisons inputs;
  for (const LinearComparison& comparison : comparisons) inputs.literals.push_back({comparison, true});
  const ActorView view = view_of(Encoder<double>(inputs), std::make_shared<ObservationTable>(*kinds));
  std::vector<ObsId> rows(view.table->size());
  std::iota(rows.begin(), rows.end(), ObsId{0});
  return compile_problog(with_names(program, comparisons, *task.vocabulary, view.table->vocabulary()),
                         Scope(view.table, std::move(rows)));
}

/// A task without a finite model: its numbers are compared, and there is no list of its observations.
ProgramCompilation compile_over_numbers(const CompileRequest& request, const PolicySource& source,
                                        const Task& task) {
  if (request.encoder || request.shield)
    throw Error(argument(request.encoder ? "encoder" : "shield"),
                fmt::format("needs a task that can be enumerated, and {} cannot", task.spec), "leave it out");
  const fs::path file = output_file(request);
  const Program program = source.program(task, *task.vocabulary);
  const BoundProgram bound =
      source.fitting(task, [&] { return BoundProgram(program, task.vocabulary); });  // reports mistakes
  const std::vector<LinearComparison>& comparisons = bound.comparisons();
  const auto kinds = listed_kinds(task.vocabulary, comparisons);
  const NeuralDnf<double> actor = actor_over(program, comparisons, task, kinds.get());
  ActorCritic<float> network;
  Comparisons inputs;
  for (const LinearComparison& comparison : comparisons) inputs.literals.push_back({comparison, true});
  network.encoder = std::move(inputs);
  network.actor = converted<float>(actor);

  ProgramCompilation result = summary_of(source, task, program.syntax, actor);
  std::string bytes = to_bytes(checkpoint_of(std::move(network), program.syntax, task, ""));
  const auto written = policy_of(parse_checkpoint(file.string(), bytes));
  const Selection select{program.syntax == Syntax::kAsp ? Selection::Kind::kArgmax : Selection::Kind::kSample,
                         0};
  const ObservationSample sample =
      sample_observations(task.environments, *written, select, kSampled, {kSampledEpisodes, 0, 1, nullptr});
  compare_on(*sample.table, bound, *written, result);
  result.sampled = sample.table->size();
  if (kinds) {
    compare_on(*kinds, bound, *written, result);
    result.kinds = kinds->size();
  }
  return write_if_equal(std::move(result), file, std::move(bytes));
}

}  // namespace

// What is compared with the program is the policy read back from the bytes to be written: this also covers
// the conversion of weights to float and the checkpoint format. The cost is one evaluation per reachable
// observation.
ProgramCompilation compile_program(const CompileRequest& request) {
  const PolicySource source = PolicySource::rules(request.program);
  std::optional<PolicySource> front;
  if (request.encoder) front = PolicySource::network(*request.encoder);
  const Task task = task_for(request.env, front ? Sources{&source, &*front} : Sources{&source});
  if (!task.is_finite() && !task.vocabulary->quantities().empty())
    return compile_over_numbers(request, source, task);
  const FiniteModel& model = task.model();
  const fs::path file = output_file(request);
  ActorCritic<float> network;
  if (front) network.encoder = discretised(front->encoder_for(model.observations()), model.observations());
  const ActorView view = view_of(converted<double>(network.encoder), model.shared_observations());
  const std::vector<ObsId> reachable = ndnf::reachable(model).observations;

  const Program program =
      over_view(view, model.observations(), source.program(task, view.table->vocabulary()));
  Meaning meaning = source.fitting(task, [&] { return Meaning{program, view}; });
  std::string shield;
  std::optional<ActionMask> mask;
  if (request.shield) {
    shield = read_shield_file(*request.shield);
    mask = read_shield(request.shield->name, shield, model.observations());
  }
  mask = allowed_actions(request.program.name, model, mask);
  if (mask)
    meaning.rows = restricted(meaning, *mask, request.shield.has_value(), model.observations(), reachable);
  NeuralDnf<double> actor = program.syntax == Syntax::kAsp
                                ? compile_asp(program, view.table->shared_vocabulary())
                                : compile_problog(program, Scope(view.table, seen(view, reachable)));
  ProgramCompilation result = summary_of(source, task, program.syntax, actor);
  network.actor = converted<float>(actor);

  std::string bytes = to_bytes(checkpoint_of(std::move(network), program.syntax, task, shield));
  const auto written = policy_of(parse_checkpoint(file.string(), bytes), mask ? &*mask : nullptr);
  compare(meaning.rows, tabulate(*written, model.observations()), reachable, result);
  return write_if_equal(std::move(result), file, std::move(bytes));
}

nlohmann::ordered_json to_json(const ProgramCompilation& result) {
  nlohmann::ordered_json json = {{"program", result.program}, {"env", result.env}};
  json["as"] = result.syntax == Syntax::kAsp ? "asp" : "problog";
  json["file"] = result.file.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(result.file);
  json["conjunctions"] = result.conjunctions;
  json["inputs"] = result.inputs;
  json["actions"] = result.actions;
  json["agrees"] = result.agrees();
  json["observations"] = result.observations;
  if (result.sampled) {
    json["sampled"] = *result.sampled;
    json["kinds"] = result.kinds ? nlohmann::ordered_json(*result.kinds) : nlohmann::ordered_json(nullptr);
  }
  json["undefined"] = result.undefined;
  json["disagreements"] = result.disagreements;
  json["max_dp"] = result.max_dp;
  return json;
}

}  // namespace ndnf
