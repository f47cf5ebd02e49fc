#include "ndnf/model/encoder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/model/architecture_fields.h"
#include "ndnf/nn/activation.h"

namespace ndnf {
namespace {

template <class To>
NoEncoder converted_own(const NoEncoder& none) {
  return none;
}
template <class To, class From>
Convolution<To> converted_own(const Convolution<From>& encoder) {
  return {converted<To>(encoder.kernel), converted<To>(encoder.kernel_bias), converted<To>(encoder.W),
          converted<To>(encoder.bias)};
}

template <class To, class From>
Thresholds<To> converted_own(const Thresholds<From>& encoder) {
  return {encoder.numbers,
          encoder.compared,
          converted<To>(encoder.bounds),
          converted<To>(encoder.directions),
          converted<To>(encoder.linear_bounds),
          encoder.gain,
          encoder.hard};
}
template <class To>
Comparisons converted_own(const Comparisons& comparisons) {
  return comparisons;
}

/// The image's cells as rows of their own.
template <class S>
Matrix<S> cells_of(const Matrix<S>& images, std::size_t channels) {
  Matrix<S> cells(images.size() / channels, channels);
  std::copy(images.values().begin(), images.values().end(), cells.values().begin());
  return cells;
}

template <class S>
const Matrix<S>& forward_own(const NoEncoder&, const Matrix<S>& x, EncoderActivations<S>&) {
  return x;
}
template <class S>
void backward_own(const NoEncoder&, const Matrix<S>&, EncoderActivations<S>&, const Matrix<S>&, NoEncoder&) {}

template <class S>
const Matrix<S>& forward_own(const Convolution<S>& encoder, const Matrix<S>& images,
                             EncoderActivations<S>& activations) {
  ConvolutionActivations<S>& a = activations.convolution;
  const std::size_t cells = encoder.cells();
  const std::size_t channels = encoder.kernel.cols();
  const std::span<const S> kernel_bias = encoder.kernel_bias.values();
  const std::span<const S> bias = encoder.bias.values();
  affine_forward(cells_of(images, encoder.kernel.rows()), encoder.kernel, kernel_bias, a.cells);
  tanh_forward(a.cells, a.cells);
  a.flat.reshape(images.rows(), channels * cells);
  for (std::size_t b = 0; b < images.rows(); ++b) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t k = 0; k < channels; ++k) a.flat(b, k * cells + cell) = a.cells(b * cells + cell, k);
    }
  }
  affine_forward(a.flat, encoder.W, bias, activations.f);
  tanh_forward(activations.f, activations.f);
  return activations.f;
}

template <class S>
void backward_own(const Convolution<S>& encoder, const Matrix<S>& images, EncoderActivations<S>& activations,
                  const Matrix<S>& df, Convolution<S>& gradient) {
  ConvolutionActivations<S>& a = activations.convolution;
  const std::size_t cells = encoder.cells();
  const std::size_t channels = encoder.kernel.cols();
  tanh_backward(activations.f, df, a.df);
  affine_backward(a.flat, encoder.W, a.df, gradient.W, gradient.bias.values(),
                  static_cast<Matrix<S>*>(nullptr));
  input_gradient(a.df, encoder.W, a.dflat);
  a.dcells.reshape(a.cells.rows(), channels);
  for (std::size_t b = 0; b < images.rows(); ++b) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t k = 0; k < channels; ++k) a.dcells(b * cells + cell, k) = a.dflat(b, k * cells + cell);
    }
  }
  tanh_backward(a.cells, a.dcells, a.dcells);
  affine_backward(cells_of(images, encoder.kernel.rows()), encoder.kernel, a.dcells, gradient.kernel,
                  gradient.kernel_bias.values(), static_cast<Matrix<S>*>(nullptr));
}

template <class S>
const Matrix<S>& forward_own(const Thresholds<S>& encoder, const Matrix<S>& x,
                             EncoderActivations<S>& activations) {
  forward(encoder, x, activations.thresholds, activations.f);
  return activations.f;
}
template <class S>
void backward_own(const Thresholds<S>& encoder, const Matrix<S>& x, EncoderActivations<S>& activations,
                  const Matrix<S>& df, Thresholds<S>& gradient) {
  backward(encoder, x, activations.thresholds, activations.f, df, gradient);
}

template <class S>
const Matrix<S>& forward_own(const Comparisons&, const Matrix<S>& x, EncoderActivations<S>&) {
  assert(false);  // the actor reads atoms
  return x;
}
template <class S>
void backward_own(const Comparisons&, const Matrix<S>&, EncoderActivations<S>&, const Matrix<S>&,
                  Comparisons&) {}

/// The 1×1 convolution as a dense layer, with weight 0 between different cells.
DenseLayer cell_layer(const Convolution<double>& encoder) {
  const std::size_t channels = encoder.kernel.cols();
  const std::size_t cells = encoder.cells();
  DenseLayer layer{"encoder_cells", Matrix<double>(cells * encoder.kernel.rows(), channels * cells),
                   Matrix<double>(1, channels * cells), Activation::kTanh};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t k = 0; k < channels; ++k) {
      const std::size_t output = k * cells + cell;
      layer.bias(0, output) = encoder.kernel_bias(0, k);
      for (std::size_t c = 0; c < encoder.kernel.rows(); ++c) {
        layer.W(cell * encoder.kernel.rows() + c, output) = encoder.kernel(c, k);
      }
    }
  }
  return layer;
}

std::vector<DenseLayer> layers_of(const NoEncoder&) { return {}; }
std::vector<DenseLayer> layers_of(const Convolution<double>& encoder) {
  return {cell_layer(encoder), {"encoder", encoder.W, encoder.bias, Activation::kTanh}};
}

std::vector<DenseLayer> layers_of(const Thresholds<double>&) { return {}; }
std::vector<DenseLayer> layers_of(const Comparisons&) { return {}; }

/// Multiplies what the last tanh is applied to. Scaling by a power of two is exact, so no sign changes.
void scale_outputs(NoEncoder&, int) {}
void scale_outputs(Convolution<float>& encoder, int doublings) {
  for (float& weight : encoder.W.values()) weight = std::ldexp(weight, doublings);
  for (float& weight : encoder.bias.values()) weight = std::ldexp(weight, doublings);
}

void scale_outputs(Thresholds<float>&, int) {}
void scale_outputs(Comparisons&, int) {}

using nlohmann::ordered_json;

ordered_json described(const NoEncoder&) { return {}; }
ordered_json described(const Convolution<float>& encoder) {
  return {{"image_channels", encoder.kernel.rows()},
          {"cells", encoder.cells()},
          {"channels", encoder.kernel.cols()},
          {"outputs", encoder.outputs()}};
}
ordered_json described(const Thresholds<float>&) {
  assert(false);
  return {};
}
ordered_json described(const Comparisons& comparisons) {
  ordered_json list = ordered_json::array();
  for (const NumericLiteral& literal : comparisons.literals) {
    ordered_json terms = ordered_json::array();
    for (const auto& [quantity, coefficient] : literal.comparison.terms)
      terms.push_back({quantity, coefficient});
    const bool equal = literal.comparison.equal;
    list.push_back({{"terms", std::move(terms)},
                    {"sign", equal ? (literal.positive ? "=" : "!=") : (literal.positive ? ">" : "<=")},
                    {"bound", literal.comparison.bound}});
  }
  return {{"comparisons", std::move(list)}};
}

/// One element of `comparisons`; nothing if it is not one.
std::optional<NumericLiteral> read_literal(const ordered_json& json, const Vocabulary& vocabulary) {
  constexpr std::array<std::string_view, 4> kSigns = {">", "<=", "=", "!="};
  const auto whole = [](const ordered_json& number) {  // too large to be a part of a comparison if it is not
    return number.is_number_integer() ? number.get<std::int64_t>() : kComparisonLimit;
  };
  NumericLiteral literal;
  try {
    for (const ordered_json& term : json.at("terms")) {
      const std::int64_t quantity = std::clamp<std::int64_t>(whole(term.at(0)), -1, kComparisonLimit);
      literal.comparison.terms.push_back({static_cast<std::uint32_t>(quantity), whole(term.at(1))});
    }
    literal.comparison.bound = whole(json.at("bound"));
    const auto sign = std::find(kSigns.begin(), kSigns.end(), json.at("sign").get<std::string>());
    if (sign == kSigns.end()) return std::nullopt;
    literal.comparison.equal = sign - kSigns.begin() >= 2;
    literal.positive = (sign - kSigns.begin()) % 2 == 0;
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
  if (!is_well_formed(literal.comparison, vocabulary)) return std::nullopt;
  return literal;
}

Comparisons read_comparisons(const ArchitectureFields& fields, const Vocabulary& vocabulary) {
  Comparisons comparisons;
  for (const ordered_json& element : fields.list("comparisons")) {
    const auto literal = read_literal(element, vocabulary);
    if (!literal)
      fields.reject(fmt::format("has a comparison that is not one: {}", element.dump().substr(0, 80)),
                    "each has terms, a sign and a bound");
    comparisons.literals.push_back(*literal);
  }
  return comparisons;
}

Convolution<float> read_convolution(const ArchitectureFields& fields) {
  const std::size_t channels = fields.size("channels");
  const std::size_t outputs = fields.size("outputs");
  return {fields.matrix(fields.size("image_channels"), channels), fields.matrix(1, channels),
          fields.matrix(channels * fields.size("cells"), outputs), fields.matrix(1, outputs)};
}

}  // namespace

NoEncoder plain_input(const ObservationTable& table) {
  return {table.vocabulary().atom_count() > 0 ? 0 : table.dense_size()};
}

template <class S>
std::size_t input_size(const Encoder<S>& encoder, const Vocabulary& vocabulary) {
  const std::size_t outputs = std::visit([](const auto& own) { return own.outputs(); }, encoder);
  return reads_atoms(encoder) ? vocabulary.atom_count() + outputs : outputs;
}

template <class S>
std::size_t critic_size(const Encoder<S>& encoder, const Vocabulary& vocabulary) {
  const std::size_t numbers = numbers_read(encoder);
  return numbers == 0 || shares_outputs(encoder) ? input_size(encoder, vocabulary) : numbers;
}

std::string misfit(const Encoder<float>& encoder, const ObservationTable& table) {
  if (std::holds_alternative<Comparisons>(encoder)) return "";  // its quantities are the vocabulary's
  const bool images = has_encoder(encoder);
  const std::size_t given = images ? table.dense_size() : plain_input(table).numbers;
  if (numbers_read(encoder) == given) return "";
  return fmt::format("its {} have {} numbers, the environment's {}", images ? "images" : "observations",
                     numbers_read(encoder), given);
}

template <class To, class From>
Encoder<To> converted(const Encoder<From>& encoder) {
  return std::visit([](const auto& own) -> Encoder<To> { return converted_own<To>(own); }, encoder);
}

template <class S>
bool same_shape(const Encoder<S>& a, const Encoder<S>& b) {
  const auto shapes_of = [](const Encoder<S>& encoder) {
    std::vector<std::tuple<std::string, std::size_t, std::size_t>> shapes;
    visit_encoder(encoder, [&](const std::string& name, const Matrix<S>& m) {
      shapes.emplace_back(name, m.rows(), m.cols());
    });
    return shapes;
  };
  return shapes_of(a) == shapes_of(b) && numbers_read(a) == numbers_read(b);
}

template <class S>
const Matrix<S>& forward(const Encoder<S>& encoder, const Matrix<S>& x, EncoderActivations<S>& activations) {
  return std::visit([&](const auto& own) -> const Matrix<S>& { return forward_own(own, x, activations); },
                    encoder);
}

template <class S>
void backward(const Encoder<S>& encoder, const Matrix<S>& x, EncoderActivations<S>& activations,
              const Matrix<S>& df, Encoder<S>& gradient) {
  std::visit(
      [&](const auto& own) {
        backward_own(own, x, activations, df, std::get<std::decay_t<decltype(own)>>(gradient));
      },
      encoder);
}

template <class S>
void gather_numbers(const ObservationTable& table, std::span<const ObsId> ids, Matrix<S>& rows) {
  rows.reshape(ids.size(), table.dense_size());
  for (std::size_t b = 0; b < ids.size(); ++b) {
    const auto dense = table.dense(ids[b]);
    std::transform(dense.begin(), dense.end(), rows.row(b), [](float x) { return static_cast<S>(x); });
  }
}

Matrix<double> outputs_on(const Encoder<double>& encoder, const ObservationTable& table) {
  if (const Comparisons* comparisons = comparisons_of(encoder)) {
    Matrix<double> values(table.size(), comparisons->outputs());
    std::vector<bool> holds;
    for (ObsId obs = 0; obs < table.size(); ++obs) {
      truth_values(*comparisons, table, obs, holds);
      std::transform(holds.begin(), holds.end(), values.row(obs), [](bool b) { return b ? 1.0 : -1.0; });
    }
    return values;
  }
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), ObsId{0});
  Matrix<double> rows;
  gather_numbers(table, std::span<const ObsId>(ids), rows);
  EncoderActivations<double> activations;
  return forward(encoder, rows, activations);
}

std::string predicate_name(const Encoder<double>&, std::size_t output) {
  return "a_" + std::to_string(output);
}

Encoder<float> discretised(const Encoder<float>& encoder, const ObservationTable& table) {
  constexpr double kSaturated = 20;  // tanh(20) is 1 in double
  Encoder<float> scaled = encoder;
  if (!has_encoder(encoder)) return scaled;
  double weakest = 1;
  const Matrix<double> outputs = outputs_on(converted<double>(encoder), table);
  for (const double f : outputs.values()) {
    if (f != 0) weakest = std::min(weakest, std::abs(f));
  }
  const int doublings = std::max(0, std::ilogb(kSaturated / std::atanh(weakest)) + 1);
  std::visit([&](auto& own) { scale_outputs(own, doublings); }, scaled);
  return scaled;
}

std::vector<DenseLayer> dense_layers(const Encoder<double>& encoder) {
  return std::visit([](const auto& own) { return layers_of(own); }, encoder);
}

ordered_json description(const Encoder<float>& encoder) {
  return std::visit([](const auto& own) { return described(own); }, encoder);
}

Encoder<float> read_encoder(const ArchitectureFields& fields, const Vocabulary& vocabulary) {
  if (fields.has("comparisons")) return read_comparisons(fields, vocabulary);
  return read_convolution(fields);
}

bool is_kernel(const Encoder<float>& encoder, std::string_view parameter) {
  return std::holds_alternative<Convolution<float>>(encoder) && parameter == "image_encoder.0.weight";
}

#define NDNF_INSTANTIATE(S)                                                                             \
  template Encoder<S> converted(const Encoder<float>&);                                                 \
  template Encoder<S> converted(const Encoder<double>&);                                                \
  template std::size_t input_size(const Encoder<S>&, const Vocabulary&);                                \
  template std::size_t critic_size(const Encoder<S>&, const Vocabulary&);                               \
  template bool same_shape(const Encoder<S>&, const Encoder<S>&);                                       \
  template const Matrix<S>& forward(const Encoder<S>&, const Matrix<S>&, EncoderActivations<S>&);       \
  template void backward(const Encoder<S>&, const Matrix<S>&, EncoderActivations<S>&, const Matrix<S>&, \
                         Encoder<S>&);                                                                  \
  template void gather_numbers(const ObservationTable&, std::span<const ObsId>, Matrix<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
