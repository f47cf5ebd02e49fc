#include "ndnf/rules/features.h"

#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {

Features::Features(const std::string& where, std::shared_ptr<const Vocabulary> vocabulary,
                   std::size_t dense_size)
    : vocabulary_(std::move(vocabulary)) {
  const std::vector<Quantity>& quantities = vocabulary_->quantities();
  if (dense_size > 0 && quantities.empty() && vocabulary_->atom_count() == 0)
    throw Error(where, "its observations are numbers without names",
                "rules are about named numbers and atoms");
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const Quantity& own = quantities[i];
    if (!own.grid)
      throw Error(where, fmt::format("{} has no grid, so rules cannot be about it", own.name),
                  "give it a finite range and a quantum, in Python with names={\"ranges\": …}");
    all_.push_back({own.name, own.unit, own.grid, i, 0});
  }
  for (AtomId atom = 0; atom < vocabulary_->atom_count(); ++atom)
    all_.push_back({vocabulary_->atom_name(atom), "", std::nullopt, 0, atom});
  if (all_.empty()) throw Error(where, "observes nothing that rules could be about");
}

}  // namespace ndnf
