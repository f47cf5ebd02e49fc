#include "ndnf/pipeline/export_policy.h"

#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/export/c_network.h"
#include "ndnf/export/c_program.h"
#include "ndnf/export/c_table.h"
#include "ndnf/export/npz.h"
#include "ndnf/export/prism.h"
#include "ndnf/logic/undefined.h"
#include "ndnf/mdp/chain.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/architecture.h"
#include "ndnf/model/dense_layers.h"
#include "ndnf/pipeline/build_info.h"
#include "ndnf/pipeline/loaded_policy.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/shield_source.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

std::string to_chain(const ExportRequest& request, const Environment& environment) {
  const FiniteModel& model = environment.model;
  const LoadedPolicy policy = load_with_program(request.policy, environment, request.select, request.shield);
  const std::vector<ObsId> scope = visited(model, policy.table).observations;
  if (const auto undefined = find_undefined(policy.table, model.observations(), scope)) {
    throw Error(request.policy, undefined->sentence + (policy.shielded ? " under the shield" : ""),
                "a Markov chain needs a distribution in every visited state");
  }
  return request.format == "drn" ? to_drn(model, policy.table) : to_prism(EpisodeChain(model, policy.table));
}

/// An undefined row is normally visible by its sum, which is not 1. The exception are ProbLog programs that
/// choose actions independently: their row may sum to 1 although it is not a distribution. These are
/// rejected.
void refuse_hidden_defects(const ExportRequest& request, const PolicyTable& policy,
                           const FiniteModel& model) {
  std::vector<ObsId> scope = reachable(model).observations;
  std::erase_if(scope, [&](ObsId obs) { return policy.exactly_one(obs) == 1; });
  if (const auto undefined = find_undefined(policy, model.observations(), scope)) {
    throw Error(request.policy, undefined->sentence, "ndnf check names the rules");
  }
}

/// The last component of a policy's path, so that the exported bytes do not depend on the folder.
std::filesystem::path file_name(const std::string& policy) {
  const std::filesystem::path path(policy);
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

CBody table_in_c(const ExportRequest& request, const Environment& environment, const PolicyTable& rows,
                 const CFile& file) {
  try {
    return table_in_c(rows, environment.model.observations(), reachable(environment.model).observations,
                      file);
  } catch (const Error& error) {
    throw Error(request.policy, error.what());
  }
}

using Network = std::optional<ActorCritic<double>>;

/// A shielded policy is not determined by its network or its rules alone, so it is written as a table.
CBody body_in_c(const ExportRequest& request, const Environment& environment, const ShieldedRows& rows,
                const Network& network, const CFile& file) {
  if (network) return network_in_c(*network, file);
  const Vocabulary& vocabulary = environment.model.vocabulary();
  const LoadedPolicy policy = load_with_program(request.policy, environment, std::nullopt, std::nullopt);
  if (policy.program && !rows.mask) return program_in_c(*policy.program, *policy.bound, vocabulary, file);
  return table_in_c(request, environment, rows.table, file);
}

std::string to_c(const ExportRequest& request, const Environment& environment, const ShieldedRows& rows,
                 const Network& network) {
  const ObservationTable& table = environment.model.observations();
  const CFile file(file_name(request.policy).stem().string(), table.vocabulary(),
                   network && network->encoder ? table.dense_size() : 0);
  return file.text(
      {fmt::format("{}: a policy for {}{}, written by ndnf {}.", file_name(request.policy).string(),
                   environment.spec, rows.mask ? ", shielded" : "", build_info().version),
       fmt::format("Its actions are meant to be picked by {}.", selection_of(request.policy).to_string())},
      body_in_c(request, environment, rows, network, file));
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
  if (!network.encoder) arrays["falsehood"] = Tensor::of(std::span(&network.falsehood, 1), {});
}

std::string to_npz(const Environment& environment, const ShieldedRows& rows, const Network& network) {
  Arrays arrays;
  arrays["atoms"] = environment.model.vocabulary().atom_names();
  arrays["actions"] = environment.model.vocabulary().actions();
  add_rows(rows.table, environment.model, arrays);
  if (network) add_layers(*network, arrays);
  return to_npz(arrays);
}

}  // namespace

ExportedPolicy export_policy(const ExportRequest& request) {
  const bool chain = request.format == "drn" || request.format == "prism";
  if (request.select && !chain) {
    throw Error(argument("select"),
                fmt::format("cannot be combined with {}", argument("format", request.format)),
                "it applies to Markov chains; here the user of the file picks the actions");
  }
  const Environment environment = environment_for(request.env, {request.policy});
  const auto shield = read_shield_option(request.shield, environment.model.observations());
  const ShieldedRows rows = load_rows(request.policy, environment, shield);
  if (!chain) refuse_hidden_defects(request, rows.table, environment.model);
  const Network network = rows.mask ? std::nullopt : load_network(request.policy, environment);
  const std::string bytes = chain                   ? to_chain(request, environment)
                            : request.format == "c" ? to_c(request, environment, rows, network)
                                                    : to_npz(environment, rows, network);
  write_file(request.file, bytes);
  const Selection select = request.select ? *request.select : selection_of(request.policy);
  return {request.policy, environment.spec, select,      rows.mask.has_value(),
          request.format, request.file,     bytes.size()};
}

nlohmann::ordered_json to_json(const ExportedPolicy& result) {
  return {{"policy", result.policy},     {"env", result.env},       {"select", result.select.to_string()},
          {"shielded", result.shielded}, {"format", result.format}, {"file", result.file},
          {"bytes", result.bytes}};
}

}  // namespace ndnf
