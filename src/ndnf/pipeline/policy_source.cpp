#include "ndnf/pipeline/policy_source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/nearest.h"
#include "ndnf/env/json_file.h"
#include "ndnf/env/registry.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/file_kind.h"
#include "ndnf/pipeline/run_directory.h"
#include "ndnf/pipeline/shield_source.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "ndnf-policy";

enum class Source { kUniform, kOptimal, kTable, kCheckpoint, kProgram };

Source source_of(const std::string& policy) {
  if (policy == "uniform") return Source::kUniform;
  if (policy == "optimal") return Source::kOptimal;
  require_kind(policy,
               {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork, FileKind::kAsp, FileKind::kProbLog,
                FileKind::kTable},
               "a policy");
  if (policy.ends_with(".json")) return Source::kTable;
  if (policy.ends_with(".safetensors") || std::filesystem::is_directory(policy)) return Source::kCheckpoint;
  if (policy.ends_with(".lp") || policy.ends_with(".pl")) return Source::kProgram;
  throw Error(policy, "this is not a policy",
              "a policy is uniform, optimal, a run, or a .safetensors, .lp, .pl or .json file");
}

Checkpoint read_policy_checkpoint(const std::string& policy) {
  return read_checkpoint(checkpoint_file(policy));
}

/// The environment in a line `% environment: SPEC` of the header comments.
std::optional<std::string> environment_comment(std::string_view program) {
  constexpr std::string_view kMark = "% environment: ";
  while (program.starts_with('%')) {
    const std::string_view line = program.substr(0, program.find('\n'));
    if (line.starts_with(kMark)) return std::string(line.substr(kMark.size()));
    program.remove_prefix(std::min(program.size(), line.size() + 1));
  }
  return std::nullopt;
}

/// The environment that the file names. Every reader calls this first, so that misspelt keys are always
/// found.
std::optional<std::string> read_env(const JsonNode& root) {
  root.check_keys({"format", "version", "env", "actions", "default", "rows"});
  const auto env = root.find("env");
  if (!env) return std::nullopt;
  return env->text();
}

/// Reads one policy file against an environment.
class PolicyReader {
 public:
  PolicyReader(const JsonNode& root, const Environment& environment)
      : root_(root), environment_(environment), table_(environment.model.observations()) {
    for (ObsId obs = 0; obs < table_.size(); ++obs) {
      const auto values = table_.values(obs);
      if (!by_values_.try_emplace({values.begin(), values.end()}, obs).second) {
        throw Error(environment.spec, fmt::format("two observations show {}", table_.describe(obs)),
                    "a policy file tells observations apart by their atoms");
      }
    }
  }

  PolicyTable read() const {
    const std::vector<ActionId> order = read_actions();
    std::vector<double> fallback(order.size(), 0.0);
    if (const auto node = root_.find("default")) fallback = read_probabilities(*node, order);
    std::vector<double> rows;
    rows.reserve(table_.size() * order.size());
    for (ObsId obs = 0; obs < table_.size(); ++obs) rows.insert(rows.end(), fallback.begin(), fallback.end());
    read_rows(order, rows);
    return {order.size(), std::move(rows)};
  }

 private:
  /// The action that each column of the file stands for.
  std::vector<ActionId> read_actions() const {
    const Vocabulary& vocabulary = table_.vocabulary();
    const auto list = root_.find("actions");
    std::vector<ActionId> order;
    if (!list) {
      for (ActionId a = 0; a < vocabulary.action_count(); ++a) order.push_back(a);
      return order;
    }
    for (const JsonNode& node : list->elements()) {
      const auto action = vocabulary.find_action(node.text());
      if (!action) {
        node.fail(fmt::format("there is no action {}", node.text()),
                  suggestion(node.text(), vocabulary.actions()));
      }
      if (std::find(order.begin(), order.end(), *action) != order.end()) {
        node.fail(fmt::format("{} is listed twice", node.text()));
      }
      order.push_back(*action);
    }
    if (order.size() != vocabulary.action_count()) {
      list->fail(fmt::format("{} of the {} actions are listed", order.size(), vocabulary.action_count()),
                 fmt::format("all are needed, in any order: {}", fmt::join(vocabulary.actions(), ", ")));
    }
    return order;
  }

  void read_rows(const std::vector<ActionId>& order, std::vector<double>& rows) const {
    static const std::vector<std::string> kKeys = {"observation", "probabilities"};
    std::vector<bool> given(table_.size(), false);
    for (const JsonNode& node : root_.at("rows").elements()) {
      node.check_keys(kKeys);
      const JsonNode atoms = node.at("observation");
      const ObsId obs = find_observation(atoms);
      if (given[obs]) atoms.fail("has a row already");
      given[obs] = true;
      const auto row = read_probabilities(node.at("probabilities"), order);
      std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(obs * order.size()));
    }
  }

  ObsId find_observation(const JsonNode& atoms) const {
    const auto found = by_values_.find(read_observation(atoms, table_.vocabulary()));
    if (found == by_values_.end()) {
      atoms.fail(fmt::format("{} never shows exactly these atoms", environment_.spec));
    }
    return found->second;
  }

  static std::vector<double> read_probabilities(const JsonNode& node, const std::vector<ActionId>& order) {
    const std::vector<double> columns = node.numbers();
    if (columns.size() != order.size()) {
      node.fail(fmt::format("has {} numbers", columns.size()),
                fmt::format("there are {} actions", order.size()));
    }
    std::vector<double> row(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) row[order[i]] = columns[i];
    const PolicyTable table = node.located([&] { return PolicyTable(order.size(), row); });
    if (!table.defined(0)) node.fail(table.defect(0), "a row must sum to 1");
    return row;
  }

  JsonNode root_;
  const Environment& environment_;
  const ObservationTable& table_;
  std::map<std::vector<std::uint32_t>, ObsId> by_values_;
};

PolicyTable read_policy_file(const std::string& policy, const Environment& environment) {
  const JsonDocument document(policy, kFormat);
  read_env(document.root());
  return PolicyReader(document.root(), environment).read();
}

ShieldedRows load_checkpoint(const std::string& policy, const ObservationTable& table,
                             const std::optional<ActionMask>& shield) {
  const Checkpoint checkpoint = read_policy_checkpoint(policy);
  check_fits(policy, checkpoint, table);
  const auto mask = intersection(policy, shield_of(policy, checkpoint, table), shield, table);
  return {tabulate(*policy_of(checkpoint, mask ? &*mask : nullptr), table), mask};
}

/// The environment that a policy names.
struct NamedEnvironment {
  std::string spec;           ///< As make_environment reads it.
  std::string fingerprint{};  ///< The expected fingerprint of its model file; empty if unknown.
};

/// Where to find the environment that a policy names. For a model file this may be the copy kept by the run
/// that the policy is, or that contains it. (Programs extracted from such a run name the run's task.json.)
std::string located(const std::string& policy, const std::string& spec) {
  if (!spec.ends_with(".json")) return spec;
  const fs::path folder = fs::is_directory(policy) ? fs::path(policy) : fs::path(policy).parent_path();
  const RunDirectory run(folder);
  const bool is_run = fs::is_directory(policy) || fs::path(policy) == run.model_file();
  if (!is_run && fs::path(spec).filename() != run.task_file().filename()) return spec;
  const auto kept = run.kept_task();
  return kept ? kept->string() : spec;
}

std::optional<NamedEnvironment> named_environment(const std::string& policy) {
  std::optional<std::string> spec;
  switch (source_of(policy)) {
    case Source::kTable:
      spec = read_env(JsonDocument(policy, kFormat).root());
      break;
    case Source::kCheckpoint: {
      const Checkpoint checkpoint = read_policy_checkpoint(policy);
      return NamedEnvironment{located(policy, checkpoint.env), checkpoint.env_fingerprint};
    }
    case Source::kProgram:
      spec = environment_comment(read_program_text(policy));
      break;
    default:
      break;
  }
  if (!spec) return std::nullopt;
  return NamedEnvironment{located(policy, *spec)};
}

/// The environment of the first policy that names one.
Environment environment_of_first(const std::vector<std::string>& policies) {
  for (const std::string& policy : policies) {
    const auto named = named_environment(policy);
    if (!named) continue;
    Environment environment = make_environment(named->spec);
    if (!named->fingerprint.empty() && named->fingerprint != environment.fingerprint()) {
      throw Error(named->spec, fmt::format("has changed since {} was made for it", policy),
                  "to use it as it is now, name it with " + argument("env"));
    }
    return environment;
  }
  throw Error(policies.front(), "names no environment", "give one with " + argument("env"));
}

bool has_same_names(const std::string& spec, const Environment& environment) {
  try {
    return make_environment(spec).model.vocabulary().fingerprint() ==
           environment.model.vocabulary().fingerprint();
  } catch (const Error&) {
    return false;  // the model file no longer exists
  }
}

/// Reports a program or table that names another task and does not fit this one as one mistake, not one per
/// atom. A policy that fits may be used, such as a program for Blackjack with other settings. Networks have
/// their own check (check_fits).
void refuse_another_task(const std::string& policy, const Environment& environment) {
  const Source source = source_of(policy);
  if (source != Source::kProgram && source != Source::kTable) return;
  const auto own = environment_of(policy);
  if (!own || *own == environment.spec || has_same_names(*own, environment)) return;
  try {
    load_policy(policy, environment);
  } catch (const Error&) {
    throw Error(policy,
                fmt::format("this {} is for {}", source == Source::kProgram ? "program" : "table", *own),
                fmt::format("it does not fit {}", environment.spec));
  }
}

}  // namespace

std::filesystem::path checkpoint_file(const std::string& run) {
  require_kind(run, {FileKind::kRun, FileKind::kFolder, FileKind::kNetwork}, "a run or a network");
  if (!std::filesystem::is_directory(run)) return run;
  const std::filesystem::path file = RunDirectory(run).model_file();
  if (!std::filesystem::exists(file)) {
    throw Error(run, fmt::format("has no {}", file.filename().string()), "name the directory of one run");
  }
  return file;
}

std::optional<std::string> environment_of(const std::string& policy) {
  const auto named = named_environment(policy);
  if (!named) return std::nullopt;
  return named->spec;
}

Environment open_environment(const std::string& spec) {
  const std::string name = spec.substr(0, spec.find(':'));
  const auto& kinds = environment_kinds();
  if (std::none_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; })) {
    require_kind(spec, {FileKind::kTask}, "an environment, by its name or as a model file,");
  }
  return make_environment(spec);
}

Environment environment_for(const std::optional<std::string>& env, const std::vector<std::string>& policies) {
  Environment environment = env ? open_environment(*env) : environment_of_first(policies);
  for (const std::string& policy : policies) refuse_another_task(policy, environment);
  return environment;
}

Selection selection_of(const std::string& policy) {
  if (source_of(policy) == Source::kCheckpoint) return read_policy_checkpoint(policy).select;
  return policy.ends_with(".lp") ? Selection{Selection::Kind::kArgmax, 0} : Selection{};
}

ShieldedRows restricted(const PolicyTable& rows, const std::optional<ActionMask>& shield) {
  return {shield ? shield->apply(rows) : rows, shield};
}

ShieldedRows load_rows(const std::string& policy, const Environment& environment,
                       const std::optional<ActionMask>& shield) {
  const ObservationTable& table = environment.model.observations();
  switch (source_of(policy)) {
    case Source::kUniform:
      return restricted(uniform_policy(table), shield);
    case Source::kOptimal:
      return {(shield ? find_optimum(environment.model, *shield) : find_optimum(environment.model)).policy,
              shield};
    case Source::kCheckpoint:
      return load_checkpoint(policy, table, shield);
    case Source::kProgram: {
      const auto& vocabulary = table.shared_vocabulary();
      return restricted(tabulate(BoundProgram(read_program(policy, *vocabulary), vocabulary), table), shield);
    }
    case Source::kTable:
      break;
  }
  return restricted(read_policy_file(policy, environment), shield);
}

PolicyTable load_policy(const std::string& policy, const Environment& environment) {
  return load_rows(policy, environment).table;
}

std::optional<ActorCritic<double>> load_network(const std::string& policy, const Environment& environment) {
  if (source_of(policy) != Source::kCheckpoint) return std::nullopt;
  const Checkpoint checkpoint = read_policy_checkpoint(policy);
  check_fits(policy, checkpoint, environment.model.observations());
  const auto* network = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  if (network == nullptr || !checkpoint.shield.empty()) return std::nullopt;
  return converted<double>(*network);
}

std::string to_policy_file(const PolicyTable& policy, const Environment& environment) {
  const FiniteModel& model = environment.model;
  std::vector<bool> decides(policy.size(), false);
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!model.is_end(s)) decides[model.observation(s)] = true;
  }
  std::string rows;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    if (!decides[obs] || !policy.defined(obs)) continue;  // a row left out reads back as undefined
    std::vector<std::string> numbers;
    for (const double p : policy.row(obs)) numbers.push_back(json_text(p));
    rows += fmt::format("{}\n    {{\"observation\": {}, \"probabilities\": [{}]}}", rows.empty() ? "" : ",",
                        observation_text(model.observations(), obs), fmt::join(numbers, ", "));
  }
  return fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"version\": 1,\n  \"env\": {},\n  \"actions\": {},\n  \"rows\": [{}\n  "
      "]\n}}\n",
      kFormat, json_text(environment.spec), json_text(model.vocabulary().actions()), rows);
}

}  // namespace ndnf
