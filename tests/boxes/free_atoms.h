#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "ndnf/boxes/scope.h"

namespace ndnf::testing {

inline std::shared_ptr<const Vocabulary> free_atoms(std::size_t atoms, std::size_t actions) {
  std::vector<AtomGroup> groups;
  for (std::size_t i = 0; i < atoms; ++i) groups.push_back(AtomGroup::single("a_" + std::to_string(i)));
  std::vector<std::string> names;
  for (std::size_t j = 0; j < actions; ++j) names.push_back("act_" + std::to_string(j));
  return std::make_shared<Vocabulary>(std::move(groups), std::move(names));
}

/// Rows of truth values as a scope; equal rows are one observation.
inline Scope scope_of(const std::vector<std::vector<std::uint32_t>>& rows, std::size_t actions) {
  auto table = std::make_shared<ObservationTable>(free_atoms(rows[0].size(), actions));
  for (const auto& row : rows) table->intern(row);
  std::vector<ObsId> all(table->size());
  std::iota(all.begin(), all.end(), ObsId{0});
  return Scope(std::move(table), std::move(all));
}

/// Every assignment of the atoms, the first atom changing slowest.
inline Scope all_inputs(std::size_t atoms, std::size_t actions) {
  std::vector<std::vector<std::uint32_t>> rows(std::size_t{1} << atoms, std::vector<std::uint32_t>(atoms));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < atoms; ++i) rows[k][i] = static_cast<std::uint32_t>(k >> (atoms - 1 - i) & 1);
  }
  return scope_of(rows, actions);
}

}  // namespace ndnf::testing
