#include "ndnf/pipeline/export_policy.h"

#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/export/c_network.h"
#include "ndnf/export/c_program.h"
#include "ndnf/export/c_table.h"
#include "ndnf/export/drn.h"
#include "ndnf/export/npz.h"
#include "ndnf/export/onnx.h"
#include "ndnf/export/prism.h"
#include "ndnf/export/rule_arrays.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/logic/undefined.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/architecture.h"
#include "ndnf/model/dense_layers.h"
#include "ndnf/system/file.h"
#include "ndnf/training/build_info.h"

namespace ndnf {
namespace {

bool is_chain(const std::string& format) { return format == "drn" || format == "prism"; }

/// Everything that an export needs: the policy, read once, in its task.
struct Exported {
  const PolicySource& source;
  const Task& task;
  TaskPolicy policy;  ///< Without rows if the task is not finite.
  std::optional<ActorCritic<double>>
      network;  ///< Empty for a restricted policy: it is more than its network.

  const ObservationTable& table() const { return task.model().observations(); }
};

std::string to_chain(const ExportRequest& request, Exported exported) {
  const FiniteModel& model = exported.task.model();
  const TaskPolicy policy = std::move(exported.policy).taken(request.select);
  const std::vector<ObsId> scope = visited(model, policy.table).observations;
  if (const auto undefined = find_undefined(policy.table, model.observations(), scope)) {
    throw Error(policy.name, undefined->sentence + policy.restriction(),
                "a Markov chain needs a distribution in every visited state");
  }
  return request.format == "drn" ? to_drn(model, policy.table) : to_prism(EpisodeChain(model, policy.table));
}

/// An undefined row is normally visible by its sum, which is not 1. The exception are ProbLog programs that
/// choose actions independently: their row may sum to 1 although it is not a distribution. These are
/// rejected.
void refuse_hidden_defects(const Exported& exported) {
  const PolicyTable& policy = exported.policy.table;
  std::vector<ObsId> scope = reachable(exported.task.model()).observations;
  std::erase_if(scope, [&](ObsId obs) { return policy.exactly_one(obs) == 1; });
  if (const auto undefined = find_undefined(policy, exported.table(), scope)) {
    throw Error(exported.policy.name, undefined->sentence, "ndnf check names the rules");
  }
}

/// The last component of a policy's path, so that the exported bytes do not depend on the folder.
std::filesystem::path file_name(const std::string& policy) {
  const std::filesystem::path path(policy);
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

CBody table_in_c(const Exported& exported, const CFile& file) {
  try {
    return table_in_c(exported.policy.table, exported.table(), reachable(exported.task.model()).observations,
                      file);
  } catch (const Error& error) {
    throw Error(exported.policy.name, error.what());
  }
}

/// A policy that its network or its rules, one by one, do not determine (a restricted one, or one with
/// integrity constraints or probabilities of helpers) is written as a table.
CBody body_in_c(const Exported& exported, const CFile& file) {
  if (exported.network) return network_in_c(*exported.network, file);
  const TaskPolicy& policy = exported.policy;
  if (!policy.program || policy.mask || !policy.bound->decides_by_rules()) {
    return table_in_c(exported, file);
  }
  return program_in_c(*policy.program, *policy.bound, *exported.task.vocabulary, file);
}

std::string to_c(const Exported& exported) {
  const auto& network = exported.network;
  const std::filesystem::path name = file_name(exported.policy.name);
  const CFile file(name.stem().string(), *exported.task.vocabulary,
                   network ? numbers_read(network->encoder) : 0);
  return file.text(
      {fmt::format("{}: a policy for {}{}, written by ndnf {}.", name.string(), exported.task.spec,
                   exported.policy.shielded ? ", shielded" : "", build_info().version),
       fmt::format("Its actions are meant to be picked by {}.", exported.policy.select.to_string())},
      body_in_c(exported, file));
}

using Arrays = std::map<std::string, NumpyArray>;

void add_rows(const PolicyTable& policy, const FiniteModel& model, Arrays& arrays) {
  const ObservationTable& table = model.observations();
  const std::vector<ObsId> scope = reachable(model).observations;
  const std::size_t atoms = table.vocabulary().atom_count();
  std::vector<std::uint8_t> observations(scope.size() * atoms);
  std::vector<double> probabilities;
  std::vector<float> images;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    table.write_atoms<std::uint8_t>(scope[i], 0, std::span(observations).subspan(i * atoms, atoms));
    probabilities.insert(probabilities.end(), policy.row(scope[i]).begin(), policy.row(scope[i]).end());
    images.insert(images.end(), table.dense(scope[i]).begin(), table.dense(scope[i]).end());
  }
  const auto add = [&](const char* name, const auto& values, std::size_t columns) {
    arrays[name] = Tensor::of(std::span(values), {scope.size(), columns});
  };
  add("observations", observations, atoms);
  add("probabilities", probabilities, policy.action_count());
  if (table.dense_size() > 0) add("images", images, table.dense_size());
}

void add_layers(const ActorCritic<double>& network, Arrays& arrays) {
  std::vector<std::string> names;
  std::vector<std::string> activations;
  for (const DenseLayer& layer : dense_layers(network)) {
    names.push_back(layer.name);
    activations.emplace_back(layer.activation ? to_string(*layer.activation) : "none");
    arrays[layer.name + ".weights"] = Tensor::of(layer.W.values(), {layer.W.rows(), layer.W.cols()});
    arrays[layer.name + ".bias"] = Tensor::of(layer.bias.values(), {layer.bias.cols()});
  }
  arrays["layers"] = names;
  arrays["activations"] = activations;
  if (numbers_read(network.encoder) == 0)
    arrays["falsehood"] = Tensor::of(std::span(&network.falsehood, 1), {});
}

std::string to_npz(const Exported& exported) {
  Arrays arrays;
  arrays["atoms"] = exported.task.vocabulary->atom_names();
  arrays["actions"] = exported.task.vocabulary->actions();
  if (exported.task.is_finite()) add_rows(exported.policy.table, exported.task.model(), arrays);
  if (exported.network) add_layers(*exported.network, arrays);
  if (const auto& program = exported.policy.program; program && !exported.task.is_finite()) {
    arrays.merge(rule_arrays(*program, *exported.policy.bound, *exported.task.vocabulary));
  }
  return to_npz(arrays);
}

/// A network as its layers, anything else as a table of the reachable observations.
std::string to_onnx(const Exported& exported) {
  const Vocabulary& vocabulary = *exported.task.vocabulary;
  const OnnxHeading heading{file_name(exported.policy.name).string(),
                            build_info().version,
                            {{"actions", nlohmann::json(vocabulary.actions()).dump()},
                             {"atoms", nlohmann::json(vocabulary.atom_names()).dump()},
                             {"env", exported.task.spec},
                             {"select", exported.policy.select.to_string()}}};
  if (exported.network) return network_in_onnx(*exported.network, heading);
  if (!exported.task.is_finite()) {
    throw Error(exported.policy.name, "is a program for a task whose observations cannot be listed",
                exported.policy.bound->comparisons().empty() ? "compile it, and export the network"
                                                             : "export it as c or npz");
  }
  try {
    return table_in_onnx(exported.policy.table, exported.table(),
                         reachable(exported.task.model()).observations, heading);
  } catch (const Error& error) {
    throw Error(exported.policy.name, error.what());
  }
}

std::string contents(const ExportRequest& request, Exported exported) {
  if (is_chain(request.format)) return to_chain(request, std::move(exported));
  if (exported.task.is_finite()) refuse_hidden_defects(exported);
  if (request.format == "onnx") return to_onnx(exported);
  return request.format == "c" ? to_c(exported) : to_npz(exported);
}

/// In a task without a finite model only networks and programs can be exported, as they are.
TaskPolicy policy_in(const ExportRequest& request, const PolicySource& source, const Task& task) {
  if (task.is_finite())
    return source.in(task, read_shield_option(request.shield, task.model().observations()));
  if (request.shield || is_chain(request.format)) task.model();  // says that there is none
  source.policy(task);                                           // reports what does not fit
  TaskPolicy policy{source.name(), source.selection(), PolicyTable(task.vocabulary->action_count(), {})};
  if (!source.is_program()) return policy;
  policy.program = source.program(task, *task.vocabulary);
  policy.bound.emplace(*policy.program, task.vocabulary);
  if (!policy.bound->decides_by_rules()) {
    throw Error(source.name(),
                "its rules alone do not decide: it has integrity constraints or helpers with probabilities",
                "without a finite model there is no table of its decisions to write");
  }
  return policy;
}

}  // namespace

ExportedPolicy export_policy(const ExportRequest& request) {
  if (request.select && !is_chain(request.format)) {
    throw Error(argument("select"),
                fmt::format("cannot be combined with {}", argument("format", request.format)),
                "it applies to Markov chains; here the user of the file picks the actions");
  }
  const PolicySource source(request.policy);
  const Task task = task_for(request.env, {&source}, request.discount);
  TaskPolicy policy = policy_in(request, source, task);
  auto network = policy.mask ? std::nullopt : source.network_for(*task.observations());
  if (network && comparisons_of(network->encoder) != nullptr)
    throw Error(source.name(), "is a network over comparisons of whole numbers, which layers cannot express",
                "extract its program, and export that as c or npz");
  ExportedPolicy result{
      source.name(), task.spec, request.select.value_or(policy.select), policy.shielded, request.format,
      request.file,  ""};
  result.bytes = contents(request, {source, task, std::move(policy), std::move(network)});
  if (!request.file.empty()) write_file(request.file, result.bytes);
  return result;
}

nlohmann::ordered_json to_json(const ExportedPolicy& result) {
  return {{"policy", result.policy},     {"env", result.env},       {"select", result.select.to_string()},
          {"shielded", result.shielded}, {"format", result.format}, {"file", result.file},
          {"bytes", result.bytes.size()}};
}

}  // namespace ndnf
