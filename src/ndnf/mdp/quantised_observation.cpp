#include "ndnf/mdp/quantised_observation.h"

#include <fmt/format.h>

#include "ndnf/mdp/linear_comparison.h"

namespace ndnf {

QuantisedObservation quantised(const ObservationTable& table, ObsId obs) {
  const auto values = table.values(obs);
  return {{values.begin(), values.end()}, places_of(table.dense(obs), table.vocabulary())};
}

std::string describe_place(const Quantity& quantity, std::int32_t place) {
  return fmt::format("{} {:.6g}{}{}", quantity.name, place * quantity.grid->quantum + 0.0,
                     quantity.unit.empty() ? "" : " ", quantity.unit);
}

std::string describe(const QuantisedObservation& observation, const Vocabulary& vocabulary) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    const AtomGroup& group = vocabulary.group(g);
    if (group.one_hot) add(group.atoms[observation.values[g]]);
    if (!group.one_hot && observation.values[g] != 0) add(group.atoms[0]);
  }
  for (std::size_t q = 0; q < vocabulary.quantities().size(); ++q) {
    add(describe_place(vocabulary.quantities()[q], observation.places[q]));
  }
  return text.empty() ? "no atom" : text;
}

}  // namespace ndnf
