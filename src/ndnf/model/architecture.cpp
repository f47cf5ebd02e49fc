#include "ndnf/model/architecture.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <nlohmann/json.hpp>

#include "ndnf/model/architecture_fields.h"
#include "ndnf/model/encoder.h"

namespace ndnf {
namespace {

using nlohmann::ordered_json;

constexpr NamedValues<double> kInputs = {{{"signed", -1}, {"binary", 0}}};
constexpr NamedValues<BiasType> kBiasTypes = {{{"max", BiasType::kMax}, {"min", BiasType::kMin}}};
constexpr NamedValues<Activation> kDnfActivations = {
    {{"tanh", Activation::kTanh}, {"step", Activation::kStep}}};
constexpr NamedValues<Activation> kMlpActivations = {
    {{"tanh", Activation::kTanh}, {"relu", Activation::kRelu}}};

/// REQUIRES: the value is one of them.
template <class T>
std::string_view name_of(const NamedValues<T>& names, T value) {
  const auto is_it = [&](const NamedValue<T>& named) { return named.value == value; };
  const auto found = std::find_if(names.begin(), names.end(), is_it);
  assert(found != names.end());
  return found->name;
}

ordered_json to_json(const NeuralDnf<float>& dnf) {
  return {{"conjunctions", dnf.conjunctions.cols()},
          {"bias_type", name_of(kBiasTypes, dnf.bias)},
          {"activation", name_of(kDnfActivations, dnf.activation)},
          {"delta", dnf.delta}};
}

ordered_json to_json(const Mlp<float>& mlp) {
  ordered_json hidden = ordered_json::array();
  const bool bias = mlp.layers.front().bias.size() > 0;
  for (const auto& layer : mlp.layers) {
    assert((layer.bias.size() > 0) == bias);
    if (&layer != &mlp.layers.back()) hidden.push_back(layer.W.cols());
  }
  return {{"hidden", hidden}, {"bias", bias}, {"activation", name_of(kMlpActivations, mlp.activation)}};
}

NeuralDnf<float> read_dnf(const ArchitectureFields& fields, std::size_t inputs, std::size_t actions,
                          bool exactly_one) {
  const std::size_t conjunctions = fields.size("conjunctions");
  return {fields.matrix(inputs, conjunctions),
          fields.matrix(conjunctions, actions),
          fields.choice("bias_type", kBiasTypes),
          fields.choice("activation", kDnfActivations),
          exactly_one,
          fields.fraction("delta")};
}

Mlp<float> read_mlp(const ArchitectureFields& fields, std::size_t inputs, std::size_t outputs) {
  std::vector<std::size_t> sizes = fields.sizes("hidden");
  sizes.push_back(outputs);
  const bool bias = fields.flag("bias");
  Mlp<float> result;
  result.activation = fields.choice("activation", kMlpActivations);
  for (const std::size_t size : sizes) {
    result.layers.push_back({fields.matrix(inputs, size), bias ? fields.matrix(1, size) : Matrix<float>()});
    inputs = size;
  }
  return result;
}

/// Without an encoder only an MLP over a vocabulary without atoms may read numbers.
Encoder<float> read_input(const ArchitectureFields& fields, std::string_view model,
                          const Vocabulary& vocabulary) {
  if (fields.has("encoder")) return read_encoder(fields.object("encoder"), vocabulary);
  if (!fields.has("numbers")) return NoEncoder{};
  if (vocabulary.atom_count() > 0) fields.reject("says that the network reads numbers, but there are atoms");
  if (model != "mlp") fields.reject("says that a neural DNF reads numbers", "it needs atoms");
  return NoEncoder{fields.size("numbers")};
}

}  // namespace

std::string_view to_string(Activation activation) {
  return name_of(activation == Activation::kRelu ? kMlpActivations : kDnfActivations, activation);
}

std::string to_architecture(const ActorCritic<float>& network) {
  ordered_json json{{"inputs", name_of(kInputs, network.falsehood)}};
  if (has_encoder(network.encoder)) {
    json["encoder"] = description(network.encoder);
  } else if (numbers_read(network.encoder) > 0) {
    json["numbers"] = numbers_read(network.encoder);
  }
  json["actor"] = std::visit([](const auto& actor) { return to_json(actor); }, network.actor);
  if (network.critic) json["critic"] = to_json(*network.critic);
  return json.dump();
}

ActorCritic<float> parse_architecture(std::string_view where, std::string_view text, std::string_view model,
                                      const Vocabulary& vocabulary, std::size_t most) {
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  const ArchitectureFields fields(where, "architecture", json, most);
  ActorCritic<float> network;
  network.falsehood = fields.choice("inputs", kInputs);
  network.encoder = read_input(fields, model, vocabulary);
  const std::size_t inputs = input_size(network.encoder, vocabulary);
  const ArchitectureFields actor = fields.object("actor");
  if (model == "mlp") {
    network.actor = read_mlp(actor, inputs, vocabulary.action_count());
  } else {
    network.actor = read_dnf(actor, inputs, vocabulary.action_count(), model == "ndnf-eo");
  }
  if (fields.has("critic"))
    network.critic = read_mlp(fields.object("critic"), critic_size(network.encoder, vocabulary), 1);
  return network;
}

}  // namespace ndnf
