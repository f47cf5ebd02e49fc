#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ndnf/rules/features.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// Two numbers, from -1 to 1 in steps of 0.001 and from -10 to 10 in steps of 0.01, one atom, three actions.
inline std::shared_ptr<const Features> small_features() {
  const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::single("lamp")}, std::vector<std::string>{"left", "stay", "right"},
      std::vector<Quantity>{quantity("place", "m", -1, 1, 0.001), quantity("speed", "m/s", -10, 10, 0.01)});
  return std::make_shared<const Features>("small", vocabulary, 2);
}

/// Places −1000, −980, …, 1000 with speeds that run through their range several times. The teacher goes right
/// where the place is at most 200, left where it is above and the lamp is off, and stays otherwise.
inline StateSample small_sample() {
  StateSample sample(3, 3);
  for (int i = 0; i <= 100; ++i) {
    for (int lamp = 0; lamp < 2; ++lamp) {
      const std::vector<std::int32_t> row{20 * i - 1000, i * 370 % 2000 - 1000, lamp};
      const int best = row[0] <= 200 ? 2 : lamp == 0 ? 0 : 1;
      std::vector<std::int32_t> regrets(3, kRegretUnit);
      regrets[static_cast<std::size_t>(best)] = 0;
      sample.add(row, regrets);
    }
  }
  return sample;
}

}  // namespace ndnf
