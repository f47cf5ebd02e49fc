#include "ndnf/training/starting_point.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "ndnf/base/random.h"
#include "ndnf/training/hot_start.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kWeightStream = 1;

}  // namespace

ActorCritic<double> random_network(const TrainConfig& config, const ObservationTable& table) {
  RandomSequence random(RandomStream(static_cast<std::uint64_t>(config.run.seed), kWeightStream));
  return build_network(table, config.actor, config.critic, config.encoder, random);
}

StartingPoint starting_point(const TrainConfig& config, const Task& task, const ObservationTable& table) {
  if (!config.init.policy.empty()) return hot_start(config, task);
  return {converted<float>(random_network(config, table)), {}};
}

StartingPoint resumed_starting_point(const TrainConfig& config, const ObservationTable& table,
                                     const TensorFile& state) {
  StartingPoint start{converted<float>(random_network(config, table)), {}};
  auto* thresholds = std::get_if<Thresholds<float>>(&start.network.encoder);
  const bool learned = std::any_of(state.tensors.begin(), state.tensors.end(), [](const auto& tensor) {
    return tensor.first.starts_with("parameter.thresholds.");
  });
  if (thresholds != nullptr && !learned) *thresholds = fixed_atoms<float>({}, table);  // restore() has them
  visit_parameters(start.network, [&](const std::string& name, Part, Matrix<float>& m) {
    const auto saved = state.tensors.find("parameter." + name);
    if (saved == state.tensors.end() || saved->second.shape.size() != 2) return;  // reported by restore()
    m = Matrix<float>(saved->second.shape[0], saved->second.shape[1]);
  });
  return start;
}

}  // namespace ndnf
