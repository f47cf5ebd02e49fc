#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// One of the integers that rules see of an observation: the place of a number on its grid, or an atom (1 if
/// it is true, else 0).
struct Feature {
  std::string name;
  std::string unit{};
  std::optional<Grid> grid{};  ///< Of a number.
  std::size_t number = 0;      ///< Which number of the dense row.
  AtomId atom = 0;             ///< Which atom, without a grid.

  bool is_atom() const { return !grid.has_value(); }
  std::int32_t lowest() const { return grid ? grid->lowest : 0; }
  std::int32_t highest() const { return grid ? grid->highest : 1; }
};

/// What rules can be about in a task: its numbers, then its atoms.
class Features {
 public:
  /// Throws Error if a number has no grid, if there are dense rows without names (images), or nothing at all.
  Features(const std::string& where, std::shared_ptr<const Vocabulary> vocabulary, std::size_t dense_size);

  std::size_t size() const { return all_.size(); }
  const Feature& operator[](std::size_t feature) const { return all_[feature]; }
  const std::vector<Feature>& all() const { return all_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<const Vocabulary>& shared_vocabulary() const { return vocabulary_; }

  /// The value of one feature in an observation.
  std::int32_t value(std::size_t feature, const ObservationTable& table, ObsId obs) const {
    const Feature& own = all_[feature];
    if (own.grid) return own.grid->place(table.dense(obs)[own.number]);
    return table.holds(obs, own.atom) ? 1 : 0;
  }
  /// All of them.
  void write(const ObservationTable& table, ObsId obs, std::span<std::int32_t> row) const {
    for (std::size_t f = 0; f < all_.size(); ++f) row[f] = value(f, table, obs);
  }

 private:
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::vector<Feature> all_;
};

}  // namespace ndnf
