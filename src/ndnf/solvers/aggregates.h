#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/program.h"
#include "ndnf/syntax/term.h"

namespace ndnf {

/// Ground aggregates and conditional literals as rules. Each becomes a literal: one that the rule has
/// already, or an auxiliary atom (`ndnf_aux(N)`) with rules of its own. So whatever reads ground programs
/// needs to know neither. A sum or count is a decision diagram over its elements with the sum so far as
/// state, as large as the product of the number of elements and of different sums; elements that exclude each
/// other, because each has its own atom of a one-hot group, are one step of it. Minima and maxima are linear.
class AggregateRules {
 public:
  /// Atoms of which "some holds", by the atom that represents this.
  using Projections = std::map<std::string, std::vector<std::string>>;
  /// The maximum number of auxiliary atoms of a program.
  static constexpr std::size_t kMost = 100'000;

  AggregateRules(const Projections& projections, const Vocabulary& vocabulary)
      : projections_(projections), vocabulary_(vocabulary) {}

  /// The rule with literals alone; nothing if its body never holds. Throws Wrong, without a place, for an
  /// aggregate that is too large or has terms without a number.
  std::optional<Rule> rewrite(const OpenRule& ground);
  /// A literal for "one of these bodies holds".
  BodyLiteral any_of(const std::vector<std::vector<BodyLiteral>>& bodies);
  /// The rules of the auxiliary atoms since the last call.
  std::vector<Rule> take_definitions() { return std::exchange(definitions_, {}); }

 private:
  /// A literal, or a constant.
  struct Truth {
    std::optional<bool> constant;
    BodyLiteral literal{};

    bool is(bool value) const { return constant == value; }
  };
  using Body = std::vector<BodyLiteral>;

  /// An element that counts: whether it holds, its weight, and an observed atom of a one-hot group without
  /// which it does not hold, if there is one.
  struct Entry {
    Truth holds;
    std::int64_t weight;
    std::optional<AtomId> needs{};
  };
  struct Value;
  class Guards;
  class Sum;

  [[noreturn]] static void refuse();
  static Truth always(bool value) { return {value, {}}; }
  static Truth negated(Truth truth);
  Truth truth_of(const OpenLiteral& literal);
  Truth atom(const std::string& name, bool positive);
  Truth conditional(const OpenLiteral& literal);
  Truth aggregate(const OpenLiteral& literal);
  Truth extremum(const OpenLiteral& literal, std::vector<Entry> entries);
  std::vector<Entry> entries(const OpenLiteral& literal);
  std::optional<AtomId> one_hot_atom(const Body& body) const;
  /// Nothing if a literal is constantly false.
  std::optional<Body> conjunction(const OpenBody& body);
  Truth disjunction(const std::vector<Body>& bodies);
  /// If `test` holds `yes`, otherwise `no`.
  Truth branch(const Truth& test, const Truth& yes, const Truth& no);
  /// The same for tests that exclude each other: what follows from each, and from none.
  Truth branch(const std::vector<std::pair<Truth, Truth>>& cases, const Truth& none);

  const Projections& projections_;
  const Vocabulary& vocabulary_;
  std::map<std::string, Truth> some_;
  std::size_t count_ = 0;
  std::vector<Rule> definitions_;
};

}  // namespace ndnf
