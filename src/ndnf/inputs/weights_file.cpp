#include "ndnf/inputs/weights_file.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/inputs/npz_file.h"

namespace ndnf {
namespace {

struct NamedParameter {
  std::string_view ends;  ///< What its name ends with, after any prefix.
  std::string_view name;  ///< What a checkpoint calls it.
};
constexpr std::array<NamedParameter, 6> kParameters = {
    {{"conjunctions.weights", "actor.conjunctions.weights"},
     {"disjunctions.weights", "actor.disjunctions.weights"},
     {"image_encoder.0.weight", "image_encoder.0.weight"},
     {"image_encoder.0.bias", "image_encoder.0.bias"},
     {"extra_layer.0.weight", "extra_layer.0.weight"},
     {"extra_layer.0.bias", "extra_layer.0.bias"}}};

/// Whether a dotted name ends with these parts.
bool ends_with_parts(std::string_view name, std::string_view parts) {
  return name == parts || (name.ends_with(parts) && name[name.size() - parts.size() - 1] == '.');
}

bool is_of_critic(std::string_view name) {
  return name.starts_with("critic.") || name.find(".critic.") != name.npos;
}

bool is_pickle(const Input& input, std::string_view bytes) {
  constexpr std::size_t kBeginning = 200;
  const std::string_view beginning = bytes.substr(0, kBeginning);
  if (beginning.starts_with("PK")) return beginning.find("data.pkl") != beginning.npos;
  return beginning.starts_with('\x80') && !input.name.ends_with(".safetensors");
}

std::map<std::string, Tensor> read_tensors(const Input& input) {
  const std::string bytes = input.read();
  if (is_pickle(input, bytes)) {
    throw Error(
        input.name, "is a pickle of PyTorch, and reading one can run any code",
        "convert it where you trust it: safetensors.torch.save_file(torch.load(FILE, weights_only=True), "
        "'weights.safetensors')");
  }
  if (bytes.starts_with("PK")) return parse_npz(input.name, bytes);
  TensorFile file = parse_safetensors(input.name, bytes);
  return std::move(file.tensors);
}

/// The same numbers as float32.
Tensor to_single(const std::string& where, const Tensor& tensor) {
  if (tensor.type != Tensor::Type::kF64) {
    tensor.as<float>(where);  // says that it is of another type
    return tensor;
  }
  std::vector<float> values;
  for (const double value : tensor.as<double>(where)) values.push_back(static_cast<float>(value));
  return Tensor::of(std::span<const float>(values), tensor.shape);
}

}  // namespace

Weights read_weights(const Input& input) {
  Weights weights;
  for (auto& [name, tensor] : read_tensors(input)) {
    if (is_of_critic(name)) {
      weights.left_out.push_back(name);
      continue;
    }
    std::optional<std::string_view> own;
    for (const NamedParameter& parameter : kParameters) {
      if (ends_with_parts(name, parameter.ends)) own = parameter.name;
    }
    if (!own) {
      std::vector<std::string_view> known;
      for (const NamedParameter& parameter : kParameters) known.push_back(parameter.ends);
      throw Error(input.name, fmt::format("the tensor {} is not part of a neural DNF", name),
                  fmt::format("the names end with {}", fmt::join(known, ", ")));
    }
    if (!weights.tensors.emplace(*own, to_single(fmt::format("{}: {}", input.name, name), tensor)).second)
      throw Error(input.name, fmt::format("has two tensors {}", *own), "give the weights of one network");
  }
  return weights;
}

}  // namespace ndnf
