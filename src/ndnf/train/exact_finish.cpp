#include "ndnf/train/exact_finish.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/nn/activation.h"
#include "ndnf/optimum/local_search.h"

namespace ndnf {
namespace {

template <class S>
ActorCritic<S> without_critic(ActorCritic<S> network) {
  network.critic.reset();
  return network;
}

const DecisionProcess& small_enough(const DecisionProcess& process) {
  if (can_climb(process)) return process;
  throw Error("[finish]", "the environment has too many states for an exact gradient", "use steps = 0");
}

}  // namespace

ConfigTable<FinishOptions> finish_config() {
  using O = FinishOptions;
  return ConfigTable<O>()
      .integer("steps", &O::steps, 0, 1'000'000'000,
               "Steps along the exact gradient of the return, after training. They use the environment's "
               "model.")
      .real("learning_rate", &O::learning_rate, 0, 10,
            "Adam's step size in these steps; it falls linearly to 0.");
}

template <class S>
ExactFinish<S>::ExactFinish(const FiniteModel& model, ActorCritic<S> network, const FinishOptions& options,
                            const Constraints& constraints)
    : options_(options),
      process_(model),
      objective_(small_enough(process_)),
      optimiser_(without_critic(std::move(network)), {}, constraints.locked),
      best_(optimiser_.network()) {
  gather(model.observations(), process_.observations(), optimiser_.network(), batch_, constraints.mask);
  best_return_ = look();
}

template <class S>
double ExactFinish<S>::look() {
  forward_actor(optimiser_.network(), batch_, activations_);
  const Matrix<S>& p = activations_.p;
  rows_.assign(p.values().begin(), p.values().end());
  const double value = objective_.evaluate(rows_, row_gradient_);
  dp_.reshape(p.rows(), p.cols());
  std::transform(row_gradient_.begin(), row_gradient_.end(), dp_.values().begin(),
                 [](double g) { return static_cast<S>(-g); });
  output_gradients_.raw.reshape(p.rows(), p.cols());
  output_gradients_.raw.fill(S(0));
  softmax_backward(p, dp_, output_gradients_.raw);
  return value;
}

template <class S>
IterationReport ExactFinish<S>::next_iteration() {
  const double share = static_cast<double>(iteration_) / static_cast<double>(options_.steps);
  const double rate = options_.learning_rate * (1 - share);
  backward(optimiser_.network(), batch_, activations_, output_gradients_, optimiser_.gradient());
  optimiser_.squared_gradient();  // clears the gradient of locked weights
  optimiser_.step(1, [rate](Part) { return rate; });
  const double value = look();
  if (value > best_return_) {
    best_return_ = value;
    best_ = optimiser_.network();
  }
  ++iteration_;
  IterationReport report;
  report.iteration = iteration_;
  report.iterations = static_cast<std::size_t>(options_.steps);
  report.learning_rate = rate;
  report.exact_return = value;
  return report;
}

template <class S>
TensorFile ExactFinish<S>::state() const {
  TensorFile file;
  optimiser_.save(file);
  visit_parameters(best_, [&](const std::string& name, Part, const Matrix<S>& m) {
    file.tensors["best." + name] = Tensor::of<S>(m.values(), {m.rows(), m.cols()});
  });
  file.tensors["best.return"] = Tensor::of(std::vector<double>{best_return_});
  file.tensors["counters"] = Tensor::of(std::vector<std::uint64_t>{iteration_});
  return file;
}

template <class S>
void ExactFinish<S>::restore(std::string_view where, const TensorFile& file) {
  optimiser_.restore(where, file);
  visit_parameters(best_, [&](const std::string& name, Part, Matrix<S>& m) {
    const std::vector<S> values = read_numbers<S>(where, file, "best." + name, m.size());
    std::copy(values.begin(), values.end(), m.values().begin());
  });
  best_return_ = read_numbers<double>(where, file, "best.return", 1)[0];
  iteration_ = read_counts(where, file, "counters", 1)[0];
  look();
}

template class ExactFinish<float>;
template class ExactFinish<double>;

}  // namespace ndnf
