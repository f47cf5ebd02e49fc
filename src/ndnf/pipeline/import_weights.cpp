#include "ndnf/pipeline/import_weights.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/weights_file.h"
#include "ndnf/model/architecture.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using nlohmann::ordered_json;

constexpr const char* kConjunctions = "actor.conjunctions.weights";
constexpr const char* kKernel = "image_encoder.0.weight";
constexpr const char* kLinear = "extra_layer.0.weight";

/// Sizes of a tensor that must have this many.
std::vector<std::size_t> sizes(const ImportRequest& request, const Weights& weights, const char* name,
                               std::size_t count) {
  const auto found = weights.tensors.find(name);
  if (found == weights.tensors.end())
    throw Error(request.weights.name, fmt::format("the tensor {} is missing", name));
  const std::vector<std::size_t>& shape = found->second.shape;
  bool empty = false;
  for (const std::size_t side : shape) empty = empty || side == 0;
  if (shape.size() != count || empty) {
    throw Error(request.weights.name,
                fmt::format("the tensor {} has the shape [{}]", name, fmt::join(shape, ", ")),
                fmt::format("{} sizes are needed here, outputs first", count));
  }
  return shape;
}

/// What the shapes of the weights say about the network: docs/checkpoint.md.
std::string architecture_of(const ImportRequest& request, const Weights& weights) {
  ordered_json json{{"inputs", request.inputs}};
  if (weights.tensors.contains(kKernel) || weights.tensors.contains(kLinear)) {
    const auto kernel = sizes(request, weights, kKernel, 4);
    const auto linear = sizes(request, weights, kLinear, 2);
    json["encoder"] = {{"image_channels", kernel[1]},
                       {"cells", std::max<std::size_t>(1, linear[1] / kernel[0])},
                       {"channels", kernel[0]},
                       {"outputs", linear[0]}};
  }
  json["actor"] = {{"conjunctions", sizes(request, weights, kConjunctions, 2)[0]},
                   {"bias_type", "max"},
                   {"activation", "tanh"},
                   {"delta", request.delta}};
  return json.dump();
}

void check_request(const ImportRequest& request) {
  if (!(request.delta > 0 && request.delta <= 1))
    throw Error(argument("delta"), "is out of range", "it is a number above 0 and at most 1");
}

/// A checkpoint that has everything but the weights.
Checkpoint empty_checkpoint(const ImportRequest& request, const Task& task, const Weights& weights) {
  std::size_t most = 0;
  for (const auto& [name, tensor] : weights.tensors) most += tensor.bytes.size();
  Checkpoint checkpoint;
  checkpoint.model = request.model;
  checkpoint.vocabulary = task.vocabulary;
  checkpoint.policy =
      parse_architecture(request.weights.name, architecture_of(request, weights), request.model,
                         *task.vocabulary, std::max(most, std::size_t{1} << 20));
  checkpoint.env = task.spec;
  checkpoint.env_fingerprint = task.fingerprint();
  checkpoint.select = request.select.value_or(Selection{});
  checkpoint.extract_as = checkpoint.select.kind == Selection::Kind::kArgmax ? "asp" : "problog";
  return checkpoint;
}

}  // namespace

// The weights take the place of those of an empty checkpoint, which is then read as any other is: one reader
// checks names, shapes and numbers.
ImportedWeights import_weights(const ImportRequest& request) {
  check_request(request);
  const Task task = open_task(request.env);
  Weights weights = read_weights(request.weights);
  TensorFile file = parse_safetensors("", to_bytes(empty_checkpoint(request, task, weights)));
  file.tensors = std::move(weights.tensors);
  const std::string bytes = to_checked_safetensors(std::move(file));
  const Checkpoint checkpoint = parse_checkpoint(request.weights.name, bytes);
  check_fits(request.weights.name, checkpoint, *task.observations());
  const auto& network = std::get<ActorCritic<float>>(checkpoint.policy);
  const auto& dnf = std::get<NeuralDnf<float>>(network.actor);
  ImportedWeights result{request.weights.name,    task.spec,
                         request.model,           dnf.conjunctions.cols(),
                         dnf.conjunctions.rows(), dnf.disjunctions.cols(),
                         checkpoint.select,       std::move(weights.left_out),
                         request.output,          to_bytes(checkpoint)};
  if (!request.output.empty()) write_file(request.output, result.bytes);
  return result;
}

nlohmann::ordered_json to_json(const ImportedWeights& result) {
  return {{"weights", result.weights},           {"env", result.env},           {"model", result.model},
          {"conjunctions", result.conjunctions}, {"inputs", result.inputs},     {"actions", result.actions},
          {"select", result.select.to_string()}, {"left_out", result.left_out}, {"file", result.file}};
}

}  // namespace ndnf
