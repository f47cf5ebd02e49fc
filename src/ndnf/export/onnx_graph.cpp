#include "ndnf/export/onnx_graph.h"

#include "ndnf/base/protobuf.h"

namespace ndnf {
namespace {

constexpr std::int64_t kIrVersion = 8;     // ONNX 1.10 and later
constexpr std::int64_t kOperatorSet = 17;  // the operators of ONNX 1.12
constexpr std::int64_t kIntAttribute = 2;  // AttributeProto.INT

/// A field that is a message or a text.
std::string part(std::uint64_t number, std::string_view value) { return protobuf::field(number, value); }
std::string part(std::uint64_t number, std::int64_t value) { return protobuf::field(number, value); }

std::int64_t number_of(OnnxType type) { return static_cast<std::int64_t>(type); }

std::string value_info(const std::string& name, OnnxType type, std::size_t columns) {
  std::string shape = part(1, part(2, "batch"));
  if (columns > 0) shape += part(1, part(1, static_cast<std::int64_t>(columns)));
  const std::string tensor = part(1, number_of(type)) + part(2, shape);
  return part(1, name) + part(2, part(1, tensor));
}

std::string_view bytes_of(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

std::string OnnxGraph::input(const std::string& name, OnnxType type, std::size_t columns) {
  inputs_ += part(11, value_info(name, type, columns));
  return name;
}

void OnnxGraph::output(const std::string& name, OnnxType type, std::size_t columns) {
  outputs_ += part(12, value_info(name, type, columns));
}

std::string OnnxGraph::constant(const std::string& name, OnnxType type, std::string_view data,
                                const std::vector<std::size_t>& shape) {
  std::string tensor;
  for (const std::size_t size : shape) tensor += part(1, static_cast<std::int64_t>(size));
  tensor += part(2, number_of(type)) + part(8, name) + part(9, data);
  constants_ += part(5, tensor);
  return name;
}

std::string OnnxGraph::constant(const std::string& name, std::span<const double> values,
                                const std::vector<std::size_t>& shape) {
  return constant(name, OnnxType::kDouble, bytes_of(values), shape);
}

std::string OnnxGraph::constant(const std::string& name, std::span<const std::int64_t> values,
                                const std::vector<std::size_t>& shape) {
  return constant(name, OnnxType::kInteger, bytes_of(values), shape);
}

std::string OnnxGraph::node(std::string_view op, const std::vector<std::string>& inputs,
                            const std::string& result, const Attributes& attributes) {
  std::string message;
  for (const std::string& input : inputs) message += part(1, input);
  message += part(2, result) + part(3, result) + part(4, op);
  for (const auto& [name, value] : attributes) {
    message += part(5, part(1, name) + part(3, value) + part(20, kIntAttribute));
  }
  nodes_ += part(1, message);
  return result;
}

std::string OnnxGraph::bytes(const std::string& version,
                             const std::map<std::string, std::string>& metadata) const {
  const std::string graph = nodes_ + part(2, name_) + constants_ + inputs_ + outputs_;
  std::string model = part(1, kIrVersion) + part(2, "ndnf") + part(3, version) + part(7, graph) +
                      part(8, part(1, "") + part(2, kOperatorSet));
  for (const auto& [key, value] : metadata) model += part(14, part(1, key) + part(2, value));
  return model;
}

}  // namespace ndnf
