// One update of Blackjack's networks with RLtools: forward, backward and Adam of a 44-64-2 actor and a 44-64-1 critic on
// batches of 32. The losses and the clipping of gradients are left out. Prints the CPU seconds of an update in the
// fastest of many short pieces. For tools/compare-training.
#include <rl_tools/operations/cpu_mux.h>
#include <rl_tools/nn/optimizers/adam/instance/operations_generic.h>
#include <rl_tools/nn/operations_cpu_mux.h>
#include <rl_tools/nn_models/mlp/operations_generic.h>
#include <rl_tools/nn_models/sequential/operations_generic.h>
#include <rl_tools/nn/optimizers/adam/operations_generic.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace rlt = rl_tools;
using Device = rlt::devices::DEVICE_FACTORY<>;
using Index = Device::index_t;
using Types = rlt::numeric_types::Policy<float>;
using Trained = rlt::nn::capability::Gradient<rlt::nn::parameters::Adam>;
using Adam = rlt::nn::optimizers::Adam<rlt::nn::optimizers::adam::Specification<Types, Index>>;

/// A network 44-64-OUTPUTS with tanh, on batches of 32.
template <Index kOutputs>
struct Network {
  using Shape = rlt::tensor::Shape<Index, 1, 32, 44>;
  using Config = rlt::nn_models::mlp::Configuration<Types, Index, kOutputs, 2, 64, rlt::nn::activation_functions::ActivationFunction::TANH,
                                                    rlt::nn::activation_functions::ActivationFunction::IDENTITY>;
  using Mlp = rlt::nn_models::mlp::BindConfiguration<Config>;
  using Model = rlt::nn_models::sequential::Build<Trained, rlt::nn_models::sequential::Module<Mlp>, Shape>;
  Model model;
  typename Model::template Buffer<> buffer;
  rlt::Tensor<rlt::tensor::Specification<float, Index, Shape>> x;
  rlt::Tensor<rlt::tensor::Specification<float, Index, rlt::tensor::Shape<Index, 1, 32, kOutputs>>> dy;
  Adam optimiser;

  template <class Random>
  void begin(Device& device, Random& random) {
    rlt::malloc(device, model);
    rlt::malloc(device, buffer);
    rlt::malloc(device, x);
    rlt::malloc(device, dy);
    rlt::malloc(device, optimiser);
    rlt::init_weights(device, model, random);
    rlt::reset_optimizer_state(device, optimiser, model);
    rlt::randn(device, x, random);
    rlt::randn(device, dy, random);
  }
  template <class Random>
  void update(Device& device, Random& random) {
    rlt::zero_gradient(device, model);
    rlt::forward(device, model, x, buffer, random);
    rlt::backward(device, model, x, dy, buffer);
    rlt::step(device, optimiser, model);
  }
};

int main() {
  constexpr int kPieces = 50;
  constexpr int kUpdates = 300;
  Device device;
  Device::SPEC::RANDOM::ENGINE<> random;
  rlt::malloc(device, random);
  rlt::init(device, random, 1);
  static Network<2> actor;
  static Network<1> critic;
  actor.begin(device, random);
  critic.begin(device, random);
  double best = 1;
  for (int piece = 0; piece < kPieces; ++piece) {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < kUpdates; ++k) {
      actor.update(device, random);
      critic.update(device, random);
    }
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kUpdates);
  }
  std::printf("%.9f\n", best);
}
