#include "ndnf/mdp/observation_table.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr ObsId kFree = std::numeric_limits<ObsId>::max();

}  // namespace

ObservationTable::ObservationTable(std::shared_ptr<const Vocabulary> vocabulary, std::size_t dense_size)
    : vocabulary_(std::move(vocabulary)), dense_size_(dense_size) {}

ObsId ObservationTable::intern(std::span<const std::uint32_t> row, std::span<const float> dense_row) {
  validate(row, dense_row);
  if (3 * (size_ + 1) > 2 * slots_.size()) enlarge_index();
  ObsId& id = slots_[slot_of(row, dense_row)];
  if (id != kFree) return id;
  id = static_cast<ObsId>(size_++);
  values_.insert(values_.end(), row.begin(), row.end());
  dense_.insert(dense_.end(), dense_row.begin(), dense_row.end());
  return id;
}

std::optional<ObsId> ObservationTable::find(std::span<const std::uint32_t> row,
                                            std::span<const float> dense_row) const {
  if (slots_.empty()) return std::nullopt;
  const ObsId id = slots_[slot_of(row, dense_row)];
  return id == kFree ? std::nullopt : std::optional(id);
}

std::size_t ObservationTable::slot_of(std::span<const std::uint32_t> row,
                                      std::span<const float> dense_row) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash(row, dense_row) & mask;; slot = (slot + 1) & mask) {
    const ObsId id = slots_[slot];
    if (id == kFree || (std::ranges::equal(values(id), row) && std::ranges::equal(dense(id), dense_row)))
      return slot;
  }
}

void ObservationTable::enlarge_index() {
  slots_.assign(std::max<std::size_t>(2 * slots_.size(), 64), kFree);
  const std::size_t mask = slots_.size() - 1;
  for (ObsId id = 0; id < size_; ++id) {
    std::size_t slot = hash(values(id), dense(id)) & mask;
    while (slots_[slot] != kFree) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

ObservationTable ObservationTable::buffer(std::shared_ptr<const Vocabulary> vocabulary,
                                          std::size_t dense_size, std::size_t size) {
  ObservationTable table(std::move(vocabulary), dense_size);
  table.buffer_ = true;
  table.size_ = size;
  table.values_.resize(size * table.vocabulary().group_count());
  table.dense_.resize(size * dense_size);
  return table;
}

void ObservationTable::overwrite(ObsId obs, std::span<const std::uint32_t> row,
                                 std::span<const float> dense_row) {
  validate(row, dense_row);
  std::copy(row.begin(), row.end(), values_.begin() + static_cast<std::ptrdiff_t>(obs * row.size()));
  std::copy(dense_row.begin(), dense_row.end(),
            dense_.begin() + static_cast<std::ptrdiff_t>(obs * dense_row.size()));
}

bool ObservationTable::holds(ObsId obs, AtomId atom) const {
  const std::size_t g = vocabulary_->group_of(atom);
  const std::uint32_t value = values(obs)[g];
  return vocabulary_->group(g).one_hot ? value == atom - vocabulary_->first_atom(g) : value != 0;
}

std::vector<AtomId> ObservationTable::facts(ObsId obs) const {
  std::vector<AtomId> atoms;
  for (std::size_t g = 0; g < vocabulary_->group_count(); ++g) {
    const std::uint32_t value = values(obs)[g];
    if (vocabulary_->group(g).one_hot) {
      atoms.push_back(vocabulary_->first_atom(g) + value);
    } else if (value != 0) {
      atoms.push_back(vocabulary_->first_atom(g));
    }
  }
  return atoms;
}

std::string ObservationTable::describe(ObsId obs) const {
  std::string text;
  for (const AtomId atom : facts(obs)) text += (text.empty() ? "" : ", ") + vocabulary_->atom_name(atom);
  for (std::size_t q = 0; q < vocabulary_->quantities().size(); ++q) {
    const Quantity& quantity = vocabulary_->quantities()[q];
    text += fmt::format("{}{} {:.4g}{}{}", text.empty() ? "" : ", ", quantity.name, dense(obs)[q],
                        quantity.unit.empty() ? "" : " ", quantity.unit);
  }
  return text.empty() ? "no atom" : text;
}

std::uint64_t ObservationTable::hash(std::span<const std::uint32_t> row,
                                     std::span<const float> dense_row) const {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL;
  const auto mix = [&h](std::uint32_t x) {
    h = (h ^ x) * 0xBF58476D1CE4E5B9ULL;
    h ^= h >> 29;
  };
  for (const std::uint32_t value : row) mix(value);
  for (const float number : dense_row) mix(std::bit_cast<std::uint32_t>(number + 0.0f));  // -0 equals 0
  return h ^ h >> 32;
}

void ObservationTable::validate(std::span<const std::uint32_t> row, std::span<const float> dense_row) const {
  if (row.size() != vocabulary_->group_count() || dense_row.size() != dense_size_) {
    throw Error("", fmt::format("an observation has {} values and {} numbers", row.size(), dense_row.size()),
                fmt::format("it needs {} and {}", vocabulary_->group_count(), dense_size_));
  }
  for (std::size_t g = 0; g < row.size(); ++g) {
    if (row[g] >= vocabulary_->group(g).value_count()) {
      throw Error("", fmt::format("an observation gives {} the value {}", vocabulary_->group(g).name, row[g]),
                  fmt::format("it has {} values, counted from 0", vocabulary_->group(g).value_count()));
    }
  }
  for (const float number : dense_row) {
    if (!std::isfinite(number)) throw Error("", "an observation holds a number that is not finite");
  }
}

}  // namespace ndnf
