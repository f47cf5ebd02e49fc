#include "ndnf/pipeline/weight_maps.h"

#include <fmt/format.h>

namespace ndnf {
namespace {

HeatMap map_of_weights(std::string title, const Matrix<float>& weights, std::vector<std::string> rows,
                       std::vector<std::string> columns) {
  HeatMap map{std::move(title), std::move(rows), std::move(columns), {}};
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    for (std::size_t c = 0; c < weights.cols(); ++c) map.values.push_back(static_cast<double>(weights(r, c)));
  }
  return map;
}

std::vector<std::string> numbered(const char* prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

}  // namespace

std::vector<HeatMap> weight_maps(const Checkpoint& checkpoint) {
  const auto* network = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  const auto* dnf = network == nullptr ? nullptr : std::get_if<NeuralDnf<float>>(&network->actor);
  if (dnf == nullptr) return {};
  const Vocabulary& vocabulary = *checkpoint.vocabulary;
  std::vector<std::string> inputs;
  if (dnf->conjunctions.rows() == vocabulary.atom_count()) {
    for (AtomId a = 0; a < vocabulary.atom_count(); ++a) inputs.push_back(vocabulary.atom_name(a));
  } else {
    inputs = numbered("a_", dnf->conjunctions.rows());
  }
  const std::vector<std::string> conjunctions = numbered("conj_", dnf->conjunctions.cols());
  return {map_of_weights("Conjunctions: weights of the inputs", dnf->conjunctions, inputs, conjunctions),
          map_of_weights("Actions: weights of the conjunctions", dnf->disjunctions, conjunctions,
                         vocabulary.actions())};
}

}  // namespace ndnf
