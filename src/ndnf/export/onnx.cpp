#include "ndnf/export/onnx.h"

#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/export/onnx_graph.h"
#include "ndnf/model/dense_layers.h"

namespace ndnf {
namespace {

constexpr const char* kProbabilities = "probabilities";
constexpr const char* kAction = "action";

std::string scalar(OnnxGraph& graph, const std::string& name, double value) {
  return graph.constant(name, std::array{value}, {});
}

OnnxGraph::Attributes cast_to(OnnxType type) { return {{"to", static_cast<std::int64_t>(type)}}; }

/// The atoms as numbers: 1 where one is true, otherwise `falsehood`.
std::string atoms_read(OnnxGraph& graph, std::size_t atoms, double falsehood) {
  const std::string given = graph.input("atoms", OnnxType::kByte, atoms);
  const std::string truth = graph.node("Cast", {given}, "truth", cast_to(OnnxType::kBool));
  return graph.node("Where", {truth, scalar(graph, "true", 1), scalar(graph, "false", falsehood)}, "x");
}

std::string numbers_in(OnnxGraph& graph, std::size_t count) {
  const std::string given = graph.input("numbers", OnnxType::kFloat, count);
  return graph.node("Cast", {given}, "x", cast_to(OnnxType::kDouble));
}

std::string activated(OnnxGraph& graph, const DenseLayer& layer, const std::string& z) {
  if (!layer.activation) return z;
  switch (*layer.activation) {
    case Activation::kTanh:
      return graph.node("Tanh", {z}, layer.name);
    case Activation::kRelu:
      return graph.node("Relu", {z}, layer.name);
    case Activation::kStep:
      break;
  }
  const std::string name = layer.name + ".";
  const std::string holds =
      graph.node("GreaterOrEqual", {z, scalar(graph, name + "zero", 0)}, name + "holds");
  return graph.node("Where", {holds, scalar(graph, name + "true", 1), scalar(graph, name + "false", -1)},
                    layer.name);
}

std::string layer_of(OnnxGraph& graph, const DenseLayer& layer, const std::string& x) {
  const std::string name = layer.name + ".";
  const std::string weights =
      graph.constant(name + "weights", layer.W.values(), {layer.W.rows(), layer.W.cols()});
  const std::string bias = graph.constant(name + "bias", layer.bias.values(), {layer.bias.cols()});
  const std::string product = graph.node("MatMul", {x, weights}, name + "product");
  return activated(graph, layer, graph.node("Add", {product, bias}, name + "sum"));
}

/// Declares the outputs; `probabilities` exists already. The action is −1 where they do not sum to 1.
std::string finished(OnnxGraph& graph, std::size_t actions, const OnnxHeading& heading) {
  constexpr double kTolerance = 1e-6;
  constexpr std::array<std::int64_t, 1> kSecondAxis = {1};
  constexpr std::array<std::int64_t, 1> kUndefined = {-1};
  const std::string axis = graph.constant("second_axis", kSecondAxis, {1});
  const std::string sum = graph.node("ReduceSum", {kProbabilities, axis}, "sum", {{"keepdims", 0}});
  const std::string excess = graph.node("Sub", {sum, scalar(graph, "one", 1)}, "excess");
  const std::string error = graph.node("Abs", {excess}, "error");
  const std::string defined =
      graph.node("LessOrEqual", {error, scalar(graph, "tolerance", kTolerance)}, "defined");
  const std::string best = graph.node("ArgMax", {kProbabilities}, "best",
                                      {{"axis", 1}, {"keepdims", 0}});  // the first one on a tie
  graph.node("Where", {defined, best, graph.constant("undefined", kUndefined, {})}, kAction);
  graph.output(kProbabilities, OnnxType::kDouble, actions);
  graph.output(kAction, OnnxType::kInteger, 0);
  return graph.bytes(heading.version, heading.metadata);
}

}  // namespace

std::string network_in_onnx(const ActorCritic<double>& network, const OnnxHeading& heading) {
  OnnxGraph graph(heading.name);
  const std::vector<DenseLayer> layers = dense_layers(network);
  const std::size_t numbers = numbers_read(network.encoder);
  std::string x = numbers > 0 ? numbers_in(graph, numbers)
                              : atoms_read(graph, layers.front().W.rows(), network.falsehood);
  for (const DenseLayer& layer : layers) x = layer_of(graph, layer, x);
  graph.node("Softmax", {x}, kProbabilities, {{"axis", 1}});
  return finished(graph, layers.back().W.cols(), heading);
}

// With atoms as ±1, the product of an observation with a row of the table is the number of atoms exactly
// where they agree in all of them. These matches, 0 or 1, pick the row of probabilities: two products instead
// of a search.
std::string table_in_onnx(const PolicyTable& policy, const ObservationTable& table,
                          std::span<const ObsId> scope, const OnnxHeading& heading) {
  const std::size_t atoms = table.vocabulary().atom_count();
  std::vector<double> observations;
  std::vector<double> rows;
  std::set<std::vector<double>> distinct;
  std::vector<double> row(atoms);
  for (const ObsId obs : scope) {
    table.write_atoms<double>(obs, -1, row);
    if (!distinct.insert(row).second) {
      throw Error("", fmt::format("two observations have the same atoms: {}", table.describe(obs)),
                  "a table in ONNX distinguishes observations by their atoms");
    }
    observations.insert(observations.end(), row.begin(), row.end());
    rows.insert(rows.end(), policy.row(obs).begin(), policy.row(obs).end());
  }
  std::vector<double> columns(observations.size());  // (atoms, observations)
  for (std::size_t i = 0; i < scope.size(); ++i) {
    for (std::size_t a = 0; a < atoms; ++a) columns[a * scope.size() + i] = observations[i * atoms + a];
  }
  OnnxGraph graph(heading.name);
  const std::string x = atoms_read(graph, atoms, -1);
  const std::string agreement =
      graph.node("MatMul", {x, graph.constant("observations", columns, {atoms, scope.size()})}, "agreement");
  const std::string all = scalar(graph, "all", static_cast<double>(atoms));
  const std::string matches = graph.node("Equal", {agreement, all}, "matches");
  const std::string picks = graph.node("Cast", {matches}, "picks", cast_to(OnnxType::kDouble));
  graph.node("MatMul", {picks, graph.constant("rows", rows, {scope.size(), policy.action_count()})},
             kProbabilities);
  return finished(graph, policy.action_count(), heading);
}

}  // namespace ndnf
