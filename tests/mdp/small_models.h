#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf::testing {

/// A group of three hands and a single atom; two actions.
inline Vocabulary cards() {
  return {{AtomGroup::numbered("hand", "hand(", 3, ")"), AtomGroup::single("usable_ace")}, {"stick", "hit"}};
}

/// A vocabulary with one one-hot group s0, s1, … and the given actions.
inline std::shared_ptr<const Vocabulary> numbered_vocabulary(std::size_t count,
                                                             std::vector<std::string> actions) {
  return std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::numbered("s", "s", count)},
                                      std::move(actions));
}

/// `states` fully observable states; rows are filled in by the test.
inline FiniteModelData numbered_states(std::size_t states, std::vector<std::string> actions) {
  auto table = std::make_shared<ObservationTable>(numbered_vocabulary(states, std::move(actions)));
  FiniteModelData data;
  for (std::uint32_t s = 0; s < states; ++s)
    data.observation.push_back(table->intern(std::vector<std::uint32_t>{s}));
  data.observations = table;
  return data;
}

inline void add_row(FiniteModelData& data, std::initializer_list<Outcome> row) {
  data.add_row(std::vector<Outcome>(row));
}

/// A gambler with 1 of 0 … 3 who bets 1 on a fair coin or stops; 0 and 3 end the game (ruin, rich). Reward:
/// the step's gain. Step limit 4.
inline FiniteModelData gambler() {
  FiniteModelData data = numbered_states(4, {"bet", "stop"});
  data.tags = {"ruin", "rich"};
  add_row(data, {});
  add_row(data, {});
  add_row(data, {{0.5, -1, 0, true, 0}, {0.5, 1, 2, false, -1}});
  add_row(data, {{1, 0, 1, true, -1}});
  add_row(data, {{0.5, -1, 1, false, -1}, {0.5, 1, 3, true, 1}});
  add_row(data, {{1, 0, 2, true, -1}});
  add_row(data, {});
  add_row(data, {});
  data.starts = {{1, 1}};
  data.step_limit = 4;
  data.labels = {{"rich", {3}}};
  return data;
}

/// A policy of the gambler.
inline PolicyTable always_bet() { return {2, {1, 0, 1, 0, 1, 0, 1, 0}}; }

/// A random model: `states` states, two actions, up to four outcomes each, some terminal, tags, several
/// starts.
inline FiniteModel random_model(std::uint64_t seed) {
  RandomSequence random(RandomStream(seed, 0));
  const std::uint32_t states = 2 + random.below(6);
  FiniteModelData data = numbered_states(states, {"a", "b"});
  data.tags = {"x", "y"};
  for (std::uint32_t row = 0; row < states * 2; ++row) {
    std::vector<Outcome> outcomes(1 + random.below(4));
    double sum = 0;
    for (Outcome& outcome : outcomes) {
      const bool terminal = random.uniform() < 0.2;
      outcome = {0.01 + random.uniform(), random.normal(), random.below(states), terminal,
                 static_cast<std::int8_t>(terminal ? static_cast<int>(random.below(3)) - 1 : -1)};
      sum += outcome.probability;
    }
    for (Outcome& outcome : outcomes) outcome.probability /= sum;
    data.add_row(outcomes);
  }
  data.starts = {{0.25, 0}, {0.75, 1}};
  data.step_limit = 1 + random.below(30);
  return FiniteModel(data);
}

inline PolicyTable random_policy(const FiniteModel& model, std::uint64_t seed) {
  RandomSequence random(RandomStream(seed, 1));
  std::vector<double> rows;
  for (std::size_t obs = 0; obs < model.observations().size(); ++obs) {
    const double p = random.uniform();
    rows.insert(rows.end(), {p, 1 - p});
  }
  return {2, rows};
}

}  // namespace ndnf::testing
