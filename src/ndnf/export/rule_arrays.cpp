#include "ndnf/export/rule_arrays.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"

namespace ndnf {
namespace {

using Arrays = std::map<std::string, NumpyArray>;

/// Numbers the values: atoms, comparisons, derived atoms, actions.
class RuleArrays {
 public:
  RuleArrays(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary)
      : program_(program), bound_(bound), vocabulary_(vocabulary), order_(bound.evaluation_order()) {
    for (const std::size_t statement : order_) {
      const std::string& head = rule(statement).heads.front().atom;
      if (!action_of(head)) derived_.emplace(head, derived_.size());
    }
  }

  void write(Arrays& arrays) const {
    std::vector<std::int64_t> bodies;
    std::vector<std::int64_t> heads;
    std::vector<double> probabilities;
    const auto add = [&](const std::vector<std::int64_t>& body, std::size_t head, double p) {
      bodies.insert(bodies.end(), body.begin(), body.end());
      heads.push_back(static_cast<std::int64_t>(head));
      probabilities.push_back(p);
    };
    for (const std::size_t statement : order_) {
      const std::vector<std::int64_t> body = body_of(rule(statement));
      const std::string& head = rule(statement).heads.front().atom;
      if (const auto found = derived_.find(head); found != derived_.end()) {
        add(body, first_derived() + found->second, 1);
        continue;
      }
      for (const ActionChoice& choice : choices_of(rule(statement), vocabulary_))
        add(body, first_action() + choice.action, choice.probability);
    }
    arrays["rules.bodies"] = Tensor::of(std::span<const std::int64_t>(bodies), {heads.size(), size()});
    arrays["rules.heads"] = Tensor::of(heads);
    arrays["rules.probabilities"] = Tensor::of(probabilities);
  }

 private:
  std::size_t first_derived() const { return vocabulary_.atom_count() + bound_.comparisons().size(); }
  std::size_t first_action() const { return first_derived() + derived_.size(); }
  std::size_t size() const { return first_action() + vocabulary_.action_count(); }

  const Rule& rule(std::size_t statement) const {
    return std::get<Rule>(program_.statements[statement].content);
  }

  /// 1 for what must hold, −1 for what must not, 0 for the rest.
  std::vector<std::int64_t> body_of(const Rule& rule) const {
    std::vector<std::int64_t> body(size(), 0);
    for (const BodyLiteral& literal : rule.body) {
      if (const auto value = value_of(literal.atom)) body[*value] = literal.positive ? 1 : -1;
    }
    return body;
  }

  /// Nothing for an atom that is never true.
  std::optional<std::size_t> value_of(const std::string& atom) const {
    if (const auto observed = vocabulary_.find_atom(atom)) return *observed;
    if (const auto comparison = comparison_of(atom, vocabulary_)) {
      std::size_t c = 0;
      while (bound_.comparisons()[c] != *comparison) ++c;
      return vocabulary_.atom_count() + c;
    }
    if (const auto found = derived_.find(atom); found != derived_.end())
      return first_derived() + found->second;
    const auto name = action_of(atom);
    if (const auto action = name ? vocabulary_.find_action(*name) : std::nullopt)
      return first_action() + *action;
    return std::nullopt;
  }

  const Program& program_;
  const BoundProgram& bound_;
  const Vocabulary& vocabulary_;
  std::vector<std::size_t> order_;
  std::map<std::string, std::size_t> derived_;
};

void add_quantities(const Vocabulary& vocabulary, Arrays& arrays) {
  std::vector<std::string> names;
  std::vector<double> quanta;
  std::vector<std::int64_t> lowest;
  std::vector<std::int64_t> highest;
  for (const Quantity& quantity : vocabulary.quantities()) {
    const Grid grid = quantity.grid.value_or(Grid{1, 0, 0});
    names.push_back(quantity.name);
    quanta.push_back(grid.quantum);
    lowest.push_back(grid.lowest);
    highest.push_back(grid.highest);
  }
  arrays["quantities"] = names;
  arrays["quanta"] = Tensor::of(quanta);
  arrays["lowest"] = Tensor::of(lowest);
  arrays["highest"] = Tensor::of(highest);
}

void add_comparisons(const BoundProgram& bound, const Vocabulary& vocabulary, Arrays& arrays) {
  const std::size_t quantities = vocabulary.quantities().size();
  std::vector<std::int64_t> factors(bound.comparisons().size() * quantities, 0);
  std::vector<std::int64_t> bounds;
  std::vector<std::uint8_t> equal;
  for (std::size_t c = 0; c < bound.comparisons().size(); ++c) {
    const LinearComparison& comparison = bound.comparisons()[c];
    for (const LinearComparison::Term& term : comparison.terms) {
      factors[c * quantities + term.quantity] = term.coefficient;
    }
    bounds.push_back(comparison.bound);
    equal.push_back(comparison.equal ? 1 : 0);
  }
  arrays["comparisons.factors"] =
      Tensor::of(std::span<const std::int64_t>(factors), {bounds.size(), quantities});
  arrays["comparisons.bounds"] = Tensor::of(bounds);
  arrays["comparisons.equal"] = Tensor::of(equal);
}

}  // namespace

Arrays rule_arrays(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary) {
  Arrays arrays;
  add_quantities(vocabulary, arrays);
  add_comparisons(bound, vocabulary, arrays);
  RuleArrays(program, bound, vocabulary).write(arrays);
  return arrays;
}

}  // namespace ndnf
