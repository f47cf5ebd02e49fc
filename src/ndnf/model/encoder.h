#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/layers.h"
#include "ndnf/model/thresholds.h"

// What stands between an observation and the first layers of actor and critic. A new encoder is a struct as
// Convolution here, with the overloads for it in encoder.cpp, a line in Encoder, EncoderActivations and
// read_encoder, and a model in build.cpp; no other file names it.

namespace ndnf {

class ArchitectureFields;

/// Actor and critic read the observation itself: its atoms or, if `numbers` is not 0, its dense row of that
/// length.
struct NoEncoder {
  std::size_t numbers = 0;

  static constexpr bool kSharesOutputs = false;
  bool reads_atoms() const { return numbers == 0; }
  std::size_t numbers_read() const { return numbers; }
  std::size_t outputs() const { return numbers; }
  const Comparisons* comparisons() const { return nullptr; }
  template <class Self, class Visit>
  static void visit(Self&, Visit) {}
};

/// Door Corridor's encoder: a 1×1 convolution, tanh, flattened as channel · cells + cell, a linear layer,
/// tanh. Its outputs are the invented predicates. The image is given cell by cell: x[cell · channels +
/// channel].
template <class S>
struct Convolution {
  Matrix<S> kernel;       // (channels in, channels out)
  Matrix<S> kernel_bias;  // (1, channels out)
  Matrix<S> W;            // (channels out · cells, F)
  Matrix<S> bias;         // (1, F)

  static constexpr bool kSharesOutputs = true;  ///< The critic reads its outputs, too.
  bool reads_atoms() const { return false; }
  const Comparisons* comparisons() const { return nullptr; }
  std::size_t cells() const { return W.rows() / kernel.cols(); }
  std::size_t numbers_read() const { return kernel.rows() * cells(); }
  std::size_t outputs() const { return W.cols(); }

  /// Calls visit(name, matrix) for every parameter, by the reference's names.
  template <class Self, class Visit>
  static void visit(Self& self, Visit visit) {
    visit(std::string("image_encoder.0.weight"), self.kernel);
    visit(std::string("image_encoder.0.bias"), self.kernel_bias);
    visit(std::string("extra_layer.0.weight"), self.W);
    visit(std::string("extra_layer.0.bias"), self.bias);
  }
};

template <class S>
struct ConvolutionActivations {
  Matrix<S> cells;   // (B · cells, channels out), after tanh
  Matrix<S> flat;    // (B, channels out · cells)
  Matrix<S> df;      // scratch for backward
  Matrix<S> dflat;   // scratch for backward
  Matrix<S> dcells;  // scratch for backward
};

template <class S>
using Encoder = std::variant<NoEncoder, Convolution<S>, Thresholds<S>, Comparisons>;

template <class S>
struct EncoderActivations {
  Matrix<S> f;  // (B, F) the encoder's outputs: the invented predicates
  ConvolutionActivations<S> convolution;
  ThresholdActivations<S> thresholds;
};

/// Whether the network invents predicates.
template <class S>
bool has_encoder(const Encoder<S>& encoder) {
  return !std::holds_alternative<NoEncoder>(encoder);
}

/// The input without an encoder: the atoms or, if the vocabulary has none, the dense row as it is.
NoEncoder plain_input(const ObservationTable& table);

/// The length of the dense rows that the network reads, through its encoder or directly; 0 if it reads atoms.
template <class S>
std::size_t numbers_read(const Encoder<S>& encoder) {
  return std::visit([](const auto& own) { return own.numbers_read(); }, encoder);
}

/// Whether the actor reads truth values: the task's atoms, followed by comparisons_of(encoder).
template <class S>
bool reads_atoms(const Encoder<S>& encoder) {
  return std::visit([](const auto& own) { return own.reads_atoms(); }, encoder);
}

/// The comparisons that the actor reads; null if there are none.
template <class S>
const Comparisons* comparisons_of(const Encoder<S>& encoder) {
  return std::visit([](const auto& own) { return own.comparisons(); }, encoder);
}

/// Whether the critic reads the encoder's outputs, not what the encoder reads.
template <class S>
bool shares_outputs(const Encoder<S>& encoder) {
  return std::visit([](const auto& own) { return own.kSharesOutputs; }, encoder);
}

/// How many inputs the actor has.
template <class S>
std::size_t input_size(const Encoder<S>& encoder, const Vocabulary& vocabulary);
/// How many inputs the critic has.
template <class S>
std::size_t critic_size(const Encoder<S>& encoder, const Vocabulary& vocabulary);

/// What does not fit between encoder and observations: "its images have 18 numbers, the environment's 0"; ""
/// if they fit. REQUIRES: the vocabulary is the one that the network was made for.
std::string misfit(const Encoder<float>& encoder, const ObservationTable& table);

/// Calls visit(name, matrix) for every parameter, always in the same order. `AnyEncoder` is Encoder<S>, const
/// or not.
template <class AnyEncoder, class Visit>
void visit_encoder(AnyEncoder& encoder, Visit visit) {
  std::visit([&](auto& own) { own.visit(own, visit); }, encoder);
}

/// The same encoder in another precision.
template <class To, class From>
Encoder<To> converted(const Encoder<From>& encoder);

/// Whether the parameters have the same names and shapes.
template <class S>
bool same_shape(const Encoder<S>& a, const Encoder<S>& b);

/// What the first layers read: activations.f or, without an encoder, x itself. x holds dense rows,
/// (B, numbers_read).
template <class S>
const Matrix<S>& forward(const Encoder<S>& encoder, const Matrix<S>& x, EncoderActivations<S>& activations);
/// Adds to the gradient. `df` is the gradient at the outputs. REQUIRES: forward was called with the same x.
template <class S>
void backward(const Encoder<S>& encoder, const Matrix<S>& x, EncoderActivations<S>& activations,
              const Matrix<S>& df, Encoder<S>& gradient);

/// The dense rows of observations, (ids, dense_size).
template <class S>
void gather_numbers(const ObservationTable& table, std::span<const ObsId> ids, Matrix<S>& rows);

/// The encoder's outputs for every observation of the table. REQUIRES: there is an encoder, and no
/// Thresholds.
Matrix<double> outputs_on(const Encoder<double>& encoder, const ObservationTable& table);

/// How extraction calls the predicate that is true where an output is above 0: a_0, a_1, …
std::string predicate_name(const Encoder<double>& encoder, std::size_t output);

/// An encoder with the same signs whose outputs are truth values, −1 and 1, in every observation of the
/// table: the paper's step 0 as part of the network. (An output of exactly 0 stays 0.)
Encoder<float> discretised(const Encoder<float>& encoder, const ObservationTable& table);

/// The encoder as a chain of plain layers.
std::vector<DenseLayer> dense_layers(const Encoder<double>& encoder);

/// What a checkpoint's architecture states as `encoder` (docs/checkpoint.md): sizes by name, or comparisons.
/// REQUIRES: there is one, and no Thresholds, which are hardened before they are written.
nlohmann::ordered_json description(const Encoder<float>& encoder);
/// The encoder that this describes, with all parameters 0.
Encoder<float> read_encoder(const ArchitectureFields& fields, const Vocabulary& vocabulary);

/// Whether PyTorch gives this parameter of the encoder the shape of a 1×1 kernel, (outputs, inputs, 1, 1).
bool is_kernel(const Encoder<float>& encoder, std::string_view parameter);

}  // namespace ndnf
