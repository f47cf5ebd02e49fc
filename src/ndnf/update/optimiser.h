#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/nn/adam.h"

namespace ndnf {

/// The values of a tensor in a saved state. Throws Error naming `where` unless there are exactly `size` of
/// them.
template <class T>
std::vector<T> read_numbers(std::string_view where, const TensorFile& file, const std::string& name,
                            std::size_t size) {
  std::vector<T> values = file.at(where, name).as<T>(where);
  if (values.size() == size) return values;
  throw Error(std::string(where), fmt::format("{} has {} numbers", name, values.size()),
              fmt::format("it needs {}", size));
}

/// The same for what is counted: iterations, steps, episodes. Throws Error for a count that no run reaches.
std::vector<std::uint64_t> read_counts(std::string_view where, const TensorFile& file,
                                       const std::string& name, std::size_t size);

/// Weights that training must not change, not even by a bit: by parameter name, their positions in its
/// values.
using LockedWeights = std::map<std::string, std::vector<std::uint32_t>>;

/// A network with its gradient and Adam's moments.
template <class S>
class Optimiser {
 public:
  Optimiser(ActorCritic<S> network, const AdamOptions& options, const LockedWeights& locked = {});
  Optimiser(const Optimiser&) = delete;
  Optimiser& operator=(const Optimiser&) = delete;

  ActorCritic<S>& network() { return network_; }
  const ActorCritic<S>& network() const { return network_; }
  ActorCritic<S>& gradient() { return gradient_; }
  /// Clears the gradient of locked weights and returns the squared norm of the rest.
  double squared_gradient();
  /// Whether the whole gradient is finite.
  bool finite() { return std::isfinite(squared_gradient()); }

  /// One Adam step with the gradient times `scale`; the gradient is 0 afterwards. `rate` returns each part's
  /// learning rate. Parameters below conjunctions that are already signs do not change. REQUIRES:
  /// squared_gradient was called since the gradient changed.
  void step(double scale, const std::function<double(Part)>& rate);

  /// Moves the weights of a neural DNF's conjunctions towards 0 by this amount, except the largest of each
  /// and locked ones (proximal L1: weights become exactly 0). Not once conjunctions are signs.
  void shrink_literals(double amount);

  /// Adds `parameter.*`, `adam.*`, `locked.*` to a saved state.
  void save(TensorFile& file) const;
  void restore(std::string_view where, const TensorFile& file);

 private:
  struct Parameter {
    std::string name;
    Part part;
    bool below_signs;  ///< Whether it is or feeds the conjunctions; signs have no gradient.
    Matrix<S>* value;
    Matrix<S>* gradient;
    AdamMoments<S> moments;
    std::vector<std::uint32_t> locked;
  };

  bool learns(const Parameter& parameter) const;

  ActorCritic<S> network_;
  ActorCritic<S> gradient_;
  AdamOptions options_;
  AdamCorrections corrections_;  ///< Of step `steps_`.
  std::uint64_t steps_ = 0;
  std::vector<Parameter> parameters_;
};

}  // namespace ndnf
