#include "ndnf/export/c_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/model/dense_layers.h"

namespace ndnf {
namespace {

constexpr std::string_view kProduct = R"(/* y = x W + bias */
static void {0}_layer(const double *x, int inputs, const float *W, const double *bias, int outputs,
    double *y) {{
  for (int o = 0; o < outputs; ++o) y[o] = bias[o];
  for (int i = 0; i < inputs; ++i) {{
    for (int o = 0; o < outputs; ++o) y[o] += x[i] * W[i * outputs + o];
  }}
}}

)";

constexpr std::string_view kSoftmax = R"(  double largest = p[0];
  double sum = 0;
  for (int i = 1; i < {0}_actions; ++i) {{
    if (p[i] > largest) largest = p[i];
  }}
  for (int i = 0; i < {0}_actions; ++i) sum += p[i] = exp(p[i] - largest);
  for (int i = 0; i < {0}_actions; ++i) p[i] /= sum;
)";

/// The activation of `x`.
std::string in_c(Activation activation, const std::string& x) {
  switch (activation) {
    case Activation::kTanh:
      return fmt::format("tanh({})", x);
    case Activation::kRelu:
      return fmt::format("{0} > 0 ? {0} : 0", x);
    case Activation::kStep:
      break;
  }
  return fmt::format("{} >= 0 ? 1 : -1", x);
}

/// A row of weights per input.
std::string parameters_in_c(const DenseLayer& layer, const std::string& name) {
  std::string rows;
  for (std::size_t i = 0; i < layer.W.rows(); ++i) {
    for (std::size_t o = 0; o < layer.W.cols(); ++o) {
      rows += fmt::format("{}{:#}f,", o == 0 ? "  " : " ", static_cast<float>(layer.W(i, o)));
    }
    rows += '\n';
  }
  return fmt::format("static const float {0}_{1}_weights[{2} * {3}] = {{\n{4}}};\n", name, layer.name,
                     layer.W.rows(), layer.W.cols(), rows) +
         fmt::format("static const double {}_{}_bias[{}] = {{{}}};\n\n", name, layer.name, layer.bias.cols(),
                     fmt::join(layer.bias.values(), ", "));
}

/// Computes the layer's outputs from `x`.
std::string call_in_c(const DenseLayer& layer, const std::string& name, const std::string& x,
                      const std::string& y) {
  std::string out = y == "p" ? "" : fmt::format("  double {}[{}];\n", y, layer.W.cols());
  out += fmt::format("  {0}_layer({1}, {2}, {0}_{3}_weights, {0}_{3}_bias, {4}, {5});\n", name, x,
                     layer.W.rows(), layer.name, layer.W.cols(), y);
  if (!layer.activation) return out;
  return out + fmt::format("  for (int i = 0; i < {}; ++i) {}[i] = {};\n", layer.W.cols(), y,
                           in_c(*layer.activation, y + "[i]"));
}

}  // namespace

CBody network_in_c(const ActorCritic<double>& network, const CFile& file) {
  const std::vector<DenseLayer> layers = dense_layers(network);
  CBody body;
  body.math = true;
  const std::string input = numbers_read(network.encoder) > 0
                                ? fmt::format("{}[i]", file.observation())
                                : fmt::format("atoms[i] ? 1 : {}", network.falsehood);
  body.statements = fmt::format("  double x[{0}];\n  for (int i = 0; i < {0}; ++i) x[i] = {1};\n",
                                layers.front().W.rows(), input);
  std::string x = "x";
  for (const DenseLayer& layer : layers) {
    const std::string y = &layer == &layers.back() ? "p" : layer.name;
    body.data += parameters_in_c(layer, file.name());
    body.statements += call_in_c(layer, file.name(), x, y);
    x = y;
  }
  body.data += fmt::format(kProduct, file.name());
  body.statements += fmt::format(kSoftmax, file.name());
  return body;
}

}  // namespace ndnf
