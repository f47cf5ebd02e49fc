#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// The sections [actor], [critic] and [encoder] of a preset.
struct ActorOptions {
  std::string model = "ndnf-mt";
  std::int64_t conjunctions = 64;
  std::string bias_type = "max";
  std::vector<std::int64_t> hidden = {64};
  std::string activation = "tanh";
  bool bias = true;
  std::string inputs = "signed";
  std::string init = "normal";
  double init_std = 0.1;
  double init_std_disjunctions = 0;  ///< 0: init_std.
};
struct CriticOptions {
  std::string model = "mlp";
  std::vector<std::int64_t> hidden = {64};
  std::string activation = "tanh";
  bool bias = true;
  std::string init = "unit-rows";
};
struct EncoderOptions {
  std::string model = "none";
  std::int64_t channels = 4;
  std::int64_t outputs = 16;
  std::string init = "unit-rows";
  std::int64_t thresholds = 4;
  std::int64_t linear = 0;
};

ConfigTable<ActorOptions> actor_config();
ConfigTable<CriticOptions> critic_config();
ConfigTable<EncoderOptions> encoder_config();

/// A network for these observations with initial weights drawn from `random`, in double. Throws Error for
/// invalid combinations, such as an encoder where there are no images, or a neural DNF where there are no
/// atoms.
ActorCritic<double> build_network(const ObservationTable& table, const ActorOptions& actor,
                                  const CriticOptions& critic, const EncoderOptions& encoder,
                                  RandomSequence& random);

/// A neural DNF of these settings alone.
NeuralDnf<double> build_neural_dnf(std::size_t inputs, std::size_t outputs, const ActorOptions& options,
                                   RandomSequence& random);

}  // namespace ndnf
