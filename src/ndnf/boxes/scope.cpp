#include "ndnf/boxes/scope.h"

#include <bit>
#include <cassert>
#include <utility>

namespace ndnf {

ValueSet ValueSet::first(std::size_t value_count) {
  ValueSet set(value_count);
  for (std::size_t value = 0; value < value_count; ++value) set.insert(value);
  return set;
}

std::size_t ValueSet::size() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
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
  for (std::size_t w = 0; w < words_.size(); ++w) {
    for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
      values.push_back(static_cast<std::uint32_t>(64 * w) +
                       static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
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

Scope::Scope(std::shared_ptr<const ObservationTable> table, std::vector<ObsId> observations)
    : table_(std::move(table)), observations_(std::move(observations)) {
  assert(!observations_.empty());
  for (std::size_t g = 0; g < vocabulary().group_count(); ++g) {
    const std::size_t value_count = vocabulary().group(g).value_count();
    domains_.emplace_back(value_count);
    showing_.emplace_back(value_count, PositionSet(size()));
    for (std::size_t i = 0; i < size(); ++i) {
      domains_[g].insert(values(i)[g]);
      showing_[g][values(i)[g]].insert(i);
    }
  }
}

}  // namespace ndnf
