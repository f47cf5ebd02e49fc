#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ndnf {

/// Element types, with the numbers that ONNX has for them.
enum class OnnxType : std::int64_t { kFloat = 1, kByte = 2, kInteger = 7, kBool = 9, kDouble = 11 };

/// Writes the graph of an ONNX model node by node. A value is known by its name; every function returns the
/// name of what it adds. There is no maintained C++ library that writes ONNX without its whole build, and the
/// format is a few messages of protocol buffers (onnx.proto); the tests give the files to the real checker
/// and run time.
class OnnxGraph {
 public:
  using Attributes = std::vector<std::pair<std::string, std::int64_t>>;

  explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

  /// A tensor of shape (batch, columns) that the caller gives.
  std::string input(const std::string& name, OnnxType type, std::size_t columns);
  /// What the caller gets: shape (batch, columns), or (batch) if there are 0.
  void output(const std::string& name, OnnxType type, std::size_t columns);
  std::string constant(const std::string& name, std::span<const double> values,
                       const std::vector<std::size_t>& shape);
  std::string constant(const std::string& name, std::span<const std::int64_t> values,
                       const std::vector<std::size_t>& shape);
  /// `result` = op(inputs). An attribute is an integer; those of all operators used here are.
  std::string node(std::string_view op, const std::vector<std::string>& inputs, const std::string& result,
                   const Attributes& attributes = {});

  /// The model with this graph.
  std::string bytes(const std::string& version, const std::map<std::string, std::string>& metadata) const;

 private:
  std::string constant(const std::string& name, OnnxType type, std::string_view data,
                       const std::vector<std::size_t>& shape);

  std::string name_;
  std::string nodes_;
  std::string constants_;
  std::string inputs_;
  std::string outputs_;
};

}  // namespace ndnf
