#include "ndnf/compile/unfold.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "ndnf/boxes/box.h"
#include "ndnf/syntax/dependency_order.h"
#include "ndnf/syntax/mistakes.h"

namespace ndnf {
namespace {

/// The working form of a DNF.
using Boxes = std::vector<Box>;

Boxes boxes_of(const Dnf& dnf, const Scope& scope) {
  Boxes boxes;
  for (const Conjunction& conjunction : dnf) boxes.push_back(box_of(conjunction, scope));
  return boxes;
}

Dnf dnf_of(const Boxes& boxes, const Scope& scope) {
  Dnf dnf;
  for (const Box& box : boxes) dnf.push_back(literals(box, scope));
  return dnf;
}

/// Boxes as consecutive rows of bits, for a fast test whether one of them contains another.
class BitRows {
 public:
  explicit BitRows(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    std::size_t bits = 0;
    for (std::size_t g = 0; g < vocabulary.group_count(); ++g) bits += vocabulary.group(g).value_count();
    words_ = bits / 64 + 1;
  }

  void add(const Box& box) {
    const std::size_t row = bits_.size();
    bits_.resize(row + words_);
    std::size_t first = 0;
    for (std::size_t g = 0; g < box.groups.size(); ++g) {
      for (const std::uint32_t value : box.groups[g].values()) {
        bits_[row + (first + value) / 64] |= std::uint64_t{1} << ((first + value) % 64);
      }
      first += vocabulary_.group(g).value_count();
    }
  }
  void remove_last() { bits_.resize(bits_.size() - words_); }

  /// Whether the last row lies within one of the first `count` rows.
  bool last_lies_within(std::size_t count) const {
    const std::uint64_t* last = bits_.data() + bits_.size() - words_;
    for (const std::uint64_t* row = bits_.data(); row != bits_.data() + count * words_; row += words_) {
      std::size_t w = 0;
      while (w < words_ && (last[w] & ~row[w]) == 0) ++w;
      if (w == words_) return true;
    }
    return false;
  }

 private:
  const Vocabulary& vocabulary_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

std::size_t value_count(const Box& box) {
  std::size_t count = 0;
  for (const ValueSet& set : box.groups) count += set.size();
  return count;
}

/// The boxes that lie within no other, the largest first. A box that lies properly within another has fewer
/// values, so each box is only compared with the kept boxes that have more values. Quadratic in the number of
/// boxes, with one word operation per 64 values.
Boxes absorbed(Boxes boxes, const Vocabulary& vocabulary) {
  std::sort(boxes.begin(), boxes.end());
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  std::vector<std::pair<std::size_t, std::size_t>> order;  // largest first
  for (std::size_t k = 0; k < boxes.size(); ++k) order.emplace_back(value_count(boxes[k]), k);
  std::sort(order.begin(), order.end(), std::greater<>());
  Boxes kept;
  BitRows rows(vocabulary);
  std::size_t count = 0;
  std::size_t larger = 0;  // how many kept boxes have more values than the next one
  for (const auto& entry : order) {
    if (entry.first != count) larger = kept.size();
    count = entry.first;
    rows.add(boxes[entry.second]);
    if (rows.last_lies_within(larger)) {
      rows.remove_last();
    } else {
      kept.push_back(std::move(boxes[entry.second]));
    }
  }
  return kept;
}

/// Replaces derived atoms by their definitions, each atom after those it depends on, so every definition is
/// unfolded once. Unions of boxes are closed under what bodies need: the intersection of two boxes is a box,
/// and a box minus another is a union of at most one box per group. So positive literals multiply unions, and
/// negative ones use complements. Both may grow exponentially: absorption keeps unions small, and a union
/// with more than kMostConjunctions boxes is an error.
class Unfolder {
 public:
  Unfolder(const Program& program, const Scope& scope, Care care)
      : program_(program), scope_(scope), care_(care), bodies_(program.statements.size()) {}

  std::vector<Boxes> run() {
    collect_atoms();
    const DependencyOrder sorted = order_by_dependency(needs());
    for (const std::uint32_t atom : sorted.order) define(derived_[atom]);
    return std::move(bodies_);
  }

 private:
  /// A derived atom: a helper or an action. An annotated disjunction counts as its first action, which no
  /// body refers to.
  struct Derived {
    std::vector<std::size_t> statements;
    Boxes boxes;
    std::optional<Boxes> complement;  ///< Computed on demand.
  };

  /// A union that grows box by box.
  class Collector {
   public:
    Collector(const Unfolder& unfolder, Place place) : unfolder_(unfolder), place_(place) {}

    void add(Box box) {
      std::optional<Box> kept = unfolder_.normalised(std::move(box));
      if (!kept) return;
      boxes_.push_back(*std::move(kept));
      if (boxes_.size() > 2 * kMostConjunctions) absorb();
    }
    Boxes take() {
      absorb();
      return std::move(boxes_);
    }

   private:
    void absorb() {
      boxes_ = absorbed(std::move(boxes_), unfolder_.scope_.vocabulary());
      if (boxes_.size() > kMostConjunctions) unfolder_.refuse(place_);
    }

    const Unfolder& unfolder_;
    Place place_;
    Boxes boxes_;
  };

  const Rule* rule(std::size_t statement) const {
    return std::get_if<Rule>(&program_.statements[statement].content);
  }

  void collect_atoms() {
    for (std::size_t s = 0; s < program_.statements.size(); ++s) {
      if (rule(s) == nullptr) continue;
      const auto number = static_cast<std::uint32_t>(derived_.size());
      const auto [entry, is_new] = numbers_.emplace(rule(s)->heads.front().atom, number);
      if (is_new) derived_.emplace_back();
      derived_[entry->second].statements.push_back(s);
    }
  }

  Dependencies needs() const {
    Dependencies needs(derived_.size());
    for (std::size_t d = 0; d < derived_.size(); ++d) {
      for (const std::size_t s : derived_[d].statements) {
        for (const BodyLiteral& literal : rule(s)->body) {
          const auto found = numbers_.find(literal.atom);
          if (found != numbers_.end()) needs[d].push_back(found->second);
        }
      }
    }
    return needs;
  }

  void define(Derived& derived) {
    Collector all(*this, rule(derived.statements.front())->place);
    for (const std::size_t s : derived.statements) {
      bodies_[s] = unfolded(*rule(s));
      for (const Box& box : bodies_[s]) all.add(box);
    }
    derived.boxes = all.take();
  }

  Boxes unfolded(const Rule& rule) {
    Conjunction observed;
    std::vector<const Boxes*> factors;
    for (const BodyLiteral& literal : rule.body) {
      if (const auto atom = scope_.vocabulary().find_atom(literal.atom)) {
        observed.push_back({*atom, literal.positive});
      } else if (const auto found = numbers_.find(literal.atom); found != numbers_.end()) {
        Derived& derived = derived_[found->second];
        factors.push_back(literal.positive ? &derived.boxes : &complement(derived, rule.place));
      } else if (literal.positive) {
        return {};  // `#defined` and without a rule: false
      }
    }
    Collector start(*this, rule.place);
    start.add(box_of(observed, scope_));
    Boxes result = start.take();
    std::sort(factors.begin(), factors.end(),
              [](const auto* a, const auto* b) { return a->size() < b->size(); });
    for (const Boxes* factor : factors) result = product(result, *factor, rule.place);
    return result;
  }

  Boxes product(const Boxes& a, const Boxes& b, Place place) const {
    Collector boxes(*this, place);
    for (const Box& x : a) {
      for (const Box& y : b) boxes.add(intersection(x, y));
    }
    return boxes.take();
  }

  const Boxes& complement(Derived& derived, Place place) const {
    if (derived.complement) return *derived.complement;
    Boxes rest = {everything(scope_)};
    for (const Box& box : derived.boxes) rest = difference(rest, box, place);
    return derived.complement.emplace(std::move(rest));
  }

  Boxes difference(const Boxes& boxes, const Box& without, Place place) const {
    Collector left(*this, place);
    for (const Box& box : boxes) {
      if (!normalised(intersection(box, without))) {
        left.add(box);
        continue;
      }
      for (std::size_t g = 0; g < box.groups.size(); ++g) {
        Box part = box;
        part.groups[g] -= without.groups[g];
        left.add(std::move(part));
      }
    }
    return left.take();
  }

  /// The canonical form of a box; nothing if it contains no observation that matters.
  std::optional<Box> normalised(Box box) const {
    if (care_ == Care::kScope) {
      const PositionSet held = members(box, scope_);
      if (held.empty()) return std::nullopt;
      return hull(scope_, held);
    }
    const auto is_empty = [](const ValueSet& set) { return set.empty(); };
    if (std::any_of(box.groups.begin(), box.groups.end(), is_empty)) return std::nullopt;
    return box;
  }

  /// Throws.
  void refuse(Place place) const {
    Mistakes mistakes(program_.source);
    mistakes.add(place, fmt::format("needs more than {} conjunctions of observed atoms, which is the limit",
                                    kMostConjunctions));
    mistakes.throw_if_any();
  }

  const Program& program_;
  const Scope& scope_;
  Care care_;
  std::vector<Boxes> bodies_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::vector<Derived> derived_;
};

}  // namespace

Scope every_value(const std::shared_ptr<const Vocabulary>& vocabulary) {
  std::size_t rows = 1;
  for (std::size_t g = 0; g < vocabulary->group_count(); ++g) {
    rows = std::max(rows, vocabulary->group(g).value_count());
  }
  auto table = std::make_shared<ObservationTable>(vocabulary);
  std::vector<ObsId> all;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::uint32_t> values;
    for (std::size_t g = 0; g < vocabulary->group_count(); ++g) {
      values.push_back(static_cast<std::uint32_t>(std::min(r, vocabulary->group(g).value_count() - 1)));
    }
    all.push_back(table->intern(values));
  }
  return Scope(std::move(table), std::move(all));
}

std::vector<Dnf> unfold(const Program& program, const Scope& scope, Care care) {
  std::vector<Dnf> bodies;
  for (const Boxes& body : Unfolder(program, scope, care).run()) bodies.push_back(dnf_of(body, scope));
  return bodies;
}

Dnf absorbed(const Dnf& dnf, const Scope& scope) {
  return dnf_of(absorbed(boxes_of(dnf, scope), scope.vocabulary()), scope);
}

}  // namespace ndnf
