#include "ndnf/inputs/policy_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/env/model_file.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/optimum/endless_optimum.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/solvers/indexed_rules.h"
#include "ndnf/syntax/ordered_rules.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// What a line `% environment: SPEC` of the header comments says, or another line of its form.
std::optional<std::string> header_comment(std::string_view program, std::string_view mark) {
  while (program.starts_with('%')) {
    const std::string_view line = program.substr(0, program.find('\n'));
    if (line.starts_with(mark)) return std::string(line.substr(mark.size()));
    program.remove_prefix(std::min(program.size(), line.size() + 1));
  }
  return std::nullopt;
}

/// All actions alike.
class UniformPolicy final : public Policy {
 public:
  explicit UniformPolicy(std::size_t actions) : actions_(actions) {}
  std::size_t action_count() const override { return actions_; }
  void probabilities(const ObservationTable&, std::span<const ObsId>, std::span<double> rows) const override {
    std::fill(rows.begin(), rows.end(), 1.0 / static_cast<double>(actions_));
  }

 private:
  std::size_t actions_;
};

/// Where to find the task that a policy file names. For a model file this may be the copy kept by the run
/// that the policy is, or that contains it. (Programs extracted from such a run name the run's task.json.)
std::string located(const std::string& policy, const std::string& spec) {
  if (!spec.ends_with(".json") && !is_drn_spec(spec) && !is_brought_task(spec)) return spec;
  const fs::path folder = fs::is_directory(policy) ? fs::path(policy) : fs::path(policy).parent_path();
  const RunFiles run(folder);
  const bool is_run = fs::is_directory(policy) || fs::path(policy) == run.model_file();
  if (!is_run && fs::path(spec).filename() != run.task_file().filename()) return spec;
  const auto kept = run.kept_task();
  return kept ? kept->string() : spec;
}

/// The best policy; the Error names the task if it has none.
PolicyTable best_policy(const Task& task, const ActionMask* mask) {
  try {
    return (mask != nullptr ? find_optimum(task.model(), *mask) : find_optimum(task.model())).policy;
  } catch (const NoOptimum& none) {
    throw Error(task.spec, none.complaints().front().what, none.complaints().front().hint);
  }
}

bool has_same_names(const std::string& spec, const Task& task) {
  try {
    return make_task(spec).vocabulary->fingerprint() == task.vocabulary->fingerprint();
  } catch (const Error&) {
    return false;  // the model file no longer exists
  }
}

/// The task of the first policy that names one.
Task task_of_first(const std::vector<const PolicySource*>& policies) {
  for (const PolicySource* policy : policies) {
    const auto named = policy->task();
    if (!named) continue;
    Task task = make_task(named->spec);
    if (!named->fingerprint.empty() && named->fingerprint != task.fingerprint()) {
      throw Error(named->spec, fmt::format("has changed since {} was made for it", policy->name()),
                  "to use it as it is now, name it with " + argument("env"));
    }
    return task;
  }
  throw Error(policies.front()->name(), "names no environment", "give one with " + argument("env"));
}

}  // namespace

TaskPolicy TaskPolicy::taken(const std::optional<Selection>& selection) && {
  if (selection) select = *selection;
  table = ndnf::select(table, select, mask ? &*mask : nullptr);
  return std::move(*this);
}

TaskPolicy TaskPolicy::restricted(const FiniteModel& model, const std::optional<ActionMask>& shield) && {
  mask = allowed_actions(name, model, shield);
  shielded = shield.has_value();
  if (mask) table = mask->apply(table);
  return std::move(*this);
}

std::string TaskPolicy::restriction() const {
  if (!mask) return "";
  return shielded ? " under the shield" : " that is offered";
}

std::string row_text(const TaskPolicy& policy, const Vocabulary& vocabulary, ObsId obs) {
  return row_text(policy.table, vocabulary, obs) + (policy.table.defined(obs) ? "" : policy.restriction());
}

std::string row_text(const PolicyTable& policy, const Vocabulary& vocabulary, ObsId obs) {
  if (!policy.defined(obs)) return policy.defect(obs);
  std::vector<std::string> parts;
  for (ActionId a = 0; a < policy.action_count(); ++a) {
    const double p = policy.row(obs)[a];
    if (p == 1) return vocabulary.action_name(a);
    if (p > 0) parts.push_back(fmt::format("{} {:.4g}", vocabulary.action_name(a), p));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

PolicySource::Kind PolicySource::kind_of_source(const Input& input) {
  if (input.is_file() && input.name == "uniform") return Kind::kUniform;
  if (input.is_file() && input.name == "optimal") return Kind::kOptimal;
  require_kind(input,
               {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork, FileKind::kAsp, FileKind::kProbLog,
                FileKind::kTable},
               "a policy");
  if (input.name.ends_with(".json")) return Kind::kTable;
  if (input.name.ends_with(".safetensors")) return Kind::kNetwork;
  if (input.is_file() && RunFiles(input.name).has_learned_rules()) return Kind::kProgram;
  if (input.is_file() && fs::is_directory(input.name)) return Kind::kNetwork;
  if (input.name.ends_with(".lp") || input.name.ends_with(".pl")) return Kind::kProgram;
  throw Error(input.name, "this is not a policy",
              "a policy is uniform, optimal, a run, or a .safetensors, .lp, .pl or .json file");
}

PolicySource::PolicySource(const Input& input) : PolicySource(input, kind_of_source(input)) {}

PolicySource::PolicySource(const Input& input, Kind kind)
    : name_(input.name), is_file_(input.is_file()), kind_(kind) {
  if (kind_ == Kind::kTable) {
    table_ = std::make_shared<const PolicyFile>(input);
    bytes_ = table_->text();
  } else if (kind_ == Kind::kNetwork) {
    read_network(input);
  } else if (kind_ == Kind::kProgram) {
    const RunFiles run(name_);
    const bool learned = is_file_ && run.has_learned_rules();
    const Input file = learned ? Input(run.program_file().string()) : input;
    bytes_ = read_program_text(file);
    program_ =
        std::make_shared<const ParsedProgram>(parse_program_text(file.name, bytes_, syntax_of(file.name)));
  }
}

void PolicySource::read_network(const Input& input) {
  const std::string file = is_file_ ? checkpoint_file(name_).string() : name_;
  bytes_ = is_file_ ? read_file(file) : input.read();
  checkpoint_ = std::make_shared<const Checkpoint>(parse_checkpoint(file, bytes_));
}

PolicySource PolicySource::network(const Input& input) {
  require_kind(input, {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork}, "a run or a network");
  return PolicySource(input, Kind::kNetwork);
}

PolicySource PolicySource::rules(const Input& input) {
  if (input.is_file() && RunFiles(input.name).has_learned_rules())
    return rules(Input(RunFiles(input.name).program_file().string()));
  require_kind(input, {FileKind::kAsp, FileKind::kProbLog}, "a program");
  return PolicySource(input, Kind::kProgram);
}

Selection PolicySource::selection() const {
  if (is_network()) return checkpoint_->select;
  return is_program() && syntax() == Syntax::kAsp ? Selection{Selection::Kind::kArgmax, 0} : Selection{};
}

std::optional<std::string> PolicySource::named_spec() const {
  if (is_network()) return checkpoint_->env;
  if (is_program()) return header_comment(bytes_, "% environment: ");
  return table_ ? table_->env() : std::nullopt;
}

std::optional<NamedTask> PolicySource::task() const {
  const auto spec = named_spec();
  if (!spec) return std::nullopt;
  return NamedTask{is_file_ ? located(name_, *spec) : *spec,
                   is_network() ? checkpoint_->env_fingerprint : ""};
}

std::optional<ActorCritic<double>> PolicySource::network_for(const ObservationTable& table) const {
  if (!is_network()) return std::nullopt;
  check_fits(name_, *checkpoint_, table);
  const auto* network = std::get_if<ActorCritic<float>>(&checkpoint_->policy);
  if (network == nullptr || !checkpoint_->shield.empty()) return std::nullopt;
  return converted<double>(*network);
}

Encoder<float> PolicySource::encoder_for(const ObservationTable& table) const {
  check_fits(name_, *checkpoint_, table);
  const auto* network = std::get_if<ActorCritic<float>>(&checkpoint_->policy);
  if (network == nullptr || !has_encoder(network->encoder))
    throw Error(argument("encoder"), fmt::format("{} has no encoder", name_), "leave it out");
  return network->encoder;
}

void PolicySource::fail_for(const Task& task, const Error& error) const {
  const auto own = this->task();
  if (is_network() || !own || own->spec == task.spec || has_same_names(own->spec, task)) throw error;
  throw Error(name_, fmt::format("this {} is for {}", is_program() ? "program" : "table", own->spec),
              fmt::format("it does not fit {}", task.spec));
}

void PolicySource::check_numbers(const Task& task) const {
  if (!is_program()) return;
  const auto said = header_comment(bytes(), "% numbers: ");
  const std::string shown = units_comment(*task.vocabulary);
  if (!said || *said == shown) return;
  throw Error(name_, fmt::format("its header has the numbers {}", *said),
              fmt::format("{} shows {}", task.spec, shown.empty() ? "none" : shown));
}

Program PolicySource::program(const Task& task, const Vocabulary& vocabulary) const {
  return fitting(task, [&] { return ground_program(*program_, vocabulary); });
}

SolverText PolicySource::for_solver() const { return solver_text(*program_); }

SolverText PolicySource::for_solver_in_batches() const {
  return syntax() == Syntax::kAsp ? indexed_rules(*program_) : for_solver();
}

TaskPolicy PolicySource::network_in(const Task& task, const std::optional<ActionMask>& shield) const {
  const ObservationTable& table = task.model().observations();
  check_fits(name_, *checkpoint_, table);
  const auto own = shield_of(name_, *checkpoint_, table);
  const auto mask = allowed_actions(name_, task.model(), own, shield);
  return {name_, selection(), tabulate(*policy_of(*checkpoint_, mask ? &*mask : nullptr), table), mask,
          own || shield};
}

TaskPolicy PolicySource::in(const Task& task, const std::optional<ActionMask>& shield) const {
  const FiniteModel& model = task.model();
  const ObservationTable& table = model.observations();
  switch (kind_) {
    case Kind::kUniform:
      return TaskPolicy{name_, selection(), uniform_policy(table)}.restricted(model, shield);
    case Kind::kOptimal: {
      const auto mask = allowed_actions(name_, model, shield);
      return {name_, selection(), best_policy(task, shield ? &*mask : nullptr), mask, shield.has_value()};
    }
    case Kind::kNetwork:
      return network_in(task, shield);
    case Kind::kTable:
      return fitting(task,
                     [&] {
                       return TaskPolicy{name_, selection(), table_->rows(task)};
                     })
          .restricted(model, shield);
    case Kind::kProgram:
      break;
  }
  Program rules = program(task, table.vocabulary());
  BoundProgram bound = fitting(task, [&] { return BoundProgram(rules, table.shared_vocabulary()); });
  PolicyTable rows = tabulate(bound, table);
  TaskPolicy policy{name_, selection(), std::move(rows), {}, false, std::move(rules), std::move(bound)};
  return std::move(policy).restricted(model, shield);
}

std::unique_ptr<Policy> PolicySource::policy(const Task& task) const {
  if (kind_ == Kind::kUniform) return std::make_unique<UniformPolicy>(task.vocabulary->action_count());
  if (is_program()) {
    return fitting(task, [&] {
      return std::make_unique<BoundProgram>(program(task, *task.vocabulary), task.vocabulary);
    });
  }
  const bool alone = is_network() && checkpoint_->shield.empty();
  if (!alone) task.model();  // says that there is none
  check_fits(name_, *checkpoint_, *task.observations());
  return policy_of(*checkpoint_);
}

PolicyTable load_policy(const Input& policy, const Task& task) { return PolicySource(policy).in(task).table; }

Task open_task(const Input& spec, NamedBy by) {
  if (!spec.is_file()) return is_drn_spec(spec.name) ? read_drn_file(spec) : read_model_file(spec);
  if (is_drn_spec(spec.name)) return read_drn_file(spec);
  if (is_brought_task(spec.name)) return make_task(spec.name, by);
  const std::string name = spec.name.substr(0, spec.name.find(':'));
  const auto& kinds = task_kinds();
  if (std::none_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; })) {
    require_kind(spec, {FileKind::kTask}, "an environment, by its name or as a model file,");
  }
  return make_task(spec.name);
}

Task task_for(const std::optional<Input>& env, const std::vector<const PolicySource*>& policies,
              const std::optional<double>& discount) {
  return with_discount(env ? open_task(*env) : task_of_first(policies), discount);
}

Task with_discount(Task task, const std::optional<double>& discount) {
  if (!discount) return task;
  if (!(*discount > 0 && *discount <= 1))
    throw Error(argument("discount"), fmt::format("{} is not allowed", *discount),
                "it is above 0 and at most 1");
  return task.discounted(*discount);
}

std::filesystem::path checkpoint_file(const std::string& run) {
  require_kind(run, {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork}, "a run or a network");
  if (!fs::is_directory(run)) return run;
  const fs::path file = RunFiles(run).model_file();
  if (RunFiles(run).has_learned_rules())
    throw Error(run, "has learned rules, so it has no network",
                fmt::format("its program is {}", RunFiles(run).program_file().string()));
  if (!fs::exists(file)) {
    if (fs::exists(RunFiles(run).config_file()))
      throw Error(run, "was stopped before it had a policy", "train it on with " + argument("resume"));
    throw Error(run, fmt::format("has no {}", file.filename().string()),
                "name the directory of a run, or of runs seed-N");
  }
  return file;
}

}  // namespace ndnf
