#include "ndnf/model/architecture.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using nlohmann::ordered_json;

/// The possible values of a member, and their names.
template <class T>
struct Named {
  std::string_view name;
  T value;
};
template <class T>
using Names = std::array<Named<T>, 2>;

constexpr Names<double> kInputs = {{{"signed", -1}, {"binary", 0}}};
constexpr Names<BiasType> kBiasTypes = {{{"max", BiasType::kMax}, {"min", BiasType::kMin}}};
constexpr Names<Activation> kDnfActivations = {{{"tanh", Activation::kTanh}, {"step", Activation::kStep}}};
constexpr Names<Activation> kMlpActivations = {{{"tanh", Activation::kTanh}, {"relu", Activation::kRelu}}};

/// REQUIRES: the value is one of them.
template <class T>
std::string_view name_of(const Names<T>& names, T value) {
  const auto is_it = [&](const Named<T>& named) { return named.value == value; };
  const auto found = std::find_if(names.begin(), names.end(), is_it);
  assert(found != names.end());
  return found->name;
}

ordered_json to_json(const Encoder<float>& encoder) {
  return {{"image_channels", encoder.kernel.rows()},
          {"cells", encoder.W.rows() / encoder.kernel.cols()},
          {"channels", encoder.kernel.cols()},
          {"outputs", encoder.W.cols()}};
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

/// An object of the description. Asking for a member that is missing or has another type throws an Error
/// naming it.
class Fields {
 public:
  Fields(std::string_view where, std::string path, const ordered_json& value)
      : where_(where), path_(std::move(path)), value_(value) {
    if (!value_.is_object()) throw Error(std::string(where_), path_ + " is not an object");
  }

  bool has(const char* key) const { return value_.contains(key); }
  Fields object(const char* key) const { return {where_, path_ + "." + key, member(key)}; }

  std::size_t size(const char* key) const { return read_size(key, member(key)); }

  std::vector<std::size_t> sizes(const char* key) const {
    const ordered_json& list = member(key);
    if (!list.is_array()) fail(key, "a list");
    std::vector<std::size_t> all;
    for (const ordered_json& element : list) all.push_back(read_size(key, element));
    return all;
  }
  bool flag(const char* key) const {
    if (!member(key).is_boolean()) fail(key, "true or false");
    return member(key).get<bool>();
  }
  double fraction(const char* key) const {
    const ordered_json& value = member(key);
    if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1) {
      fail(key, "a number from 0 to 1");
    }
    return value.get<double>();
  }
  template <class T>
  T choice(const char* key, const Names<T>& names) const {
    for (const auto& [name, value] : names) {
      if (member(key) == name) return value;
    }
    fail(key, fmt::format("{} or {}", names[0].name, names[1].name));
  }

 private:
  const ordered_json& member(const char* key) const {
    if (!has(key)) throw Error(std::string(where_), fmt::format("{}.{} is missing", path_, key));
    return value_[key];
  }
  std::size_t read_size(const char* key, const ordered_json& value) const {
    constexpr std::uint64_t kMost = 1u << 31;  // the product of two does not overflow
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() - 1 >= kMost) {
      fail(key, "a positive whole number");
    }
    return value.get<std::size_t>();
  }
  [[noreturn]] void fail(const char* key, const std::string& wanted) const {
    const ordered_json& value = member(key);
    const std::string found = value.is_structured() ? "a list or an object" : value.dump();
    throw Error(std::string(where_), fmt::format("{}.{} is {}", path_, key, found),
                wanted + " is needed here");
  }

  std::string_view where_;
  std::string path_;
  const ordered_json& value_;
};

/// Creates the matrices, none larger than the limit: a file's claims must not exhaust the memory.
class Builder {
 public:
  Builder(std::string_view where, std::size_t most) : where_(where), most_(most) {}

  Encoder<float> encoder(const Fields& fields) const {
    const std::size_t channels = fields.size("channels");
    const std::size_t outputs = fields.size("outputs");
    return {matrix(fields.size("image_channels"), channels), matrix(1, channels),
            matrix(channels * fields.size("cells"), outputs), matrix(1, outputs)};
  }

  NeuralDnf<float> dnf(const Fields& fields, std::size_t inputs, std::size_t actions,
                       bool exactly_one) const {
    const std::size_t conjunctions = fields.size("conjunctions");
    return {matrix(inputs, conjunctions),
            matrix(conjunctions, actions),
            fields.choice("bias_type", kBiasTypes),
            fields.choice("activation", kDnfActivations),
            exactly_one,
            fields.fraction("delta")};
  }

  Mlp<float> mlp(const Fields& fields, std::size_t inputs, std::size_t outputs) const {
    std::vector<std::size_t> sizes = fields.sizes("hidden");
    sizes.push_back(outputs);
    const bool bias = fields.flag("bias");
    Mlp<float> result;
    result.activation = fields.choice("activation", kMlpActivations);
    for (const std::size_t size : sizes) {
      result.layers.push_back({matrix(inputs, size), bias ? matrix(1, size) : Matrix<float>()});
      inputs = size;
    }
    return result;
  }

 private:
  Matrix<float> matrix(std::size_t rows, std::size_t cols) const {
    if (rows > most_ / cols) {
      throw Error(std::string(where_), fmt::format("describes a matrix of {} x {} numbers", rows, cols),
                  "it is larger than the whole file");
    }
    return {rows, cols};
  }

  std::string_view where_;
  std::size_t most_;
};

}  // namespace

std::string_view to_string(Activation activation) {
  return name_of(activation == Activation::kRelu ? kMlpActivations : kDnfActivations, activation);
}

std::string to_architecture(const ActorCritic<float>& network) {
  ordered_json json{{"inputs", name_of(kInputs, network.falsehood)}};
  if (network.encoder) json["encoder"] = to_json(*network.encoder);
  json["actor"] = std::visit([](const auto& actor) { return to_json(actor); }, network.actor);
  if (network.critic) json["critic"] = to_json(*network.critic);
  return json.dump();
}

ActorCritic<float> parse_architecture(std::string_view where, std::string_view text, std::string_view model,
                                      const Vocabulary& vocabulary, std::size_t most) {
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  const Fields fields(where, "architecture", json);
  const Builder builder(where, most);
  ActorCritic<float> network;
  network.falsehood = fields.choice("inputs", kInputs);
  std::size_t inputs = vocabulary.atom_count();
  if (fields.has("encoder")) {
    network.encoder = builder.encoder(fields.object("encoder"));
    inputs = network.encoder->W.cols();
  }
  const Fields actor = fields.object("actor");
  if (model == "mlp") {
    network.actor = builder.mlp(actor, inputs, vocabulary.action_count());
  } else {
    network.actor = builder.dnf(actor, inputs, vocabulary.action_count(), model == "ndnf-eo");
  }
  if (fields.has("critic")) network.critic = builder.mlp(fields.object("critic"), inputs, 1);
  return network;
}

}  // namespace ndnf
