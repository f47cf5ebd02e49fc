#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "ndnf/mdp/finite_model.h"

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

}  // namespace ndnf::testing
