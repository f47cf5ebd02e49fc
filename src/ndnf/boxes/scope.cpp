#include "ndnf/boxes/scope.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace ndnf {

ValueSet ValueSet::first(std::size_t value_count) {
  ValueSet set(value_count);
  for (std::uint64_t& word : set.words_) word = ~std::uint64_t{0};
  if (value_count % 64 != 0) set.words_.back() >>= 64 - value_count % 64;
  return set;
}

std::size_t ValueSet::size() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

bool ValueSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

bool ValueSet::is_subset_of(const ValueSet& other) const {
  for (std::size_t w = 0; w < words_.size(); ++w) {
    if ((words_[w] & ~other.words_[w]) != 0) return false;
  }
  return true;
}

bool ValueSet::intersects(const ValueSet& other) const {
  for (std::size_t w = 0; w < words_.size(); ++w) {
    if ((words_[w] & other.words_[w]) != 0) return true;
  }
  return false;
}

std::vector<std::uint32_t> ValueSet::values() const {
  std::vector<std::uint32_t> values;
  for_each([&](std::uint32_t value) { values.push_back(value); });
  return values;
}

ValueSet& ValueSet::operator|=(const ValueSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  return *this;
}

ValueSet& ValueSet::operator&=(const ValueSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  return *this;
}

ValueSet& ValueSet::operator-=(const ValueSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  return *this;
}

std::size_t common(const PositionSet& a, const PositionSet& b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.words().size(); ++w)
    count += static_cast<std::size_t>(std::popcount(a.words()[w] & b.words()[w]));
  return count;
}

Scope::Scope(std::shared_ptr<const ObservationTable> table, std::vector<ObsId> observations)
    : table_(std::move(table)), observations_(std::move(observations)) {
  assert(!observations_.empty());
  for (std::size_t g = 0; g < vocabulary().group_count(); ++g) {
    const std::size_t value_count = vocabulary().group(g).value_count();
    ValueSet& domain = domains_.emplace_back(value_count);
    Group& group = groups_.emplace_back();
    group.begins.assign(value_count + 1, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      domain.insert(values(i)[g]);
      ++group.begins[values(i)[g] + 1];
    }
    if (domain.size() > 1) varying_.push_back(g);
    for (std::size_t value = 0; value < value_count; ++value) group.begins[value + 1] += group.begins[value];
    std::vector<std::size_t> free(group.begins.begin(), group.begins.end() - 1);
    group.positions.resize(size());
    for (std::uint32_t i = 0; i < size(); ++i) group.positions[free[values(i)[g]]++] = i;
  }
}

// Sorting brings observations with the same atoms together, the first of them in front.
std::vector<std::uint32_t> Scope::first_alike() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const auto difference = std::ranges::mismatch(values(i), values(j));
    return difference.in1 == values(i).end() ? i < j : *difference.in1 < *difference.in2;
  });
  std::vector<std::uint32_t> alike(size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeated = k > 0 && std::ranges::equal(values(order[k - 1]), values(order[k]));
    alike[order[k]] = repeated ? alike[order[k - 1]] : order[k];
  }
  return alike;
}

const Scope::Sets& Scope::sets() const {
  std::call_once(lazy_->made, [&] {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto& sets = lazy_->sets.emplace_back(groups_[g].begins.size() - 1, PositionSet(size()));
      for (std::size_t value = 0; value < sets.size(); ++value) {
        for (const std::uint32_t i : positions(g, value)) sets[value].insert(i);
      }
    }
  });
  return lazy_->sets;
}

}  // namespace ndnf
