#include "ndnf/compile/compile_list.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/boxes/dnf.h"

namespace ndnf {
namespace {

/// The smallest float that is not below.
double float_above(double x) {
  auto above = static_cast<float>(x);
  if (static_cast<double>(above) < x) above = std::nextafter(above, std::numeric_limits<float>::infinity());
  return above;
}

/// Without rules whose bodies contradict themselves.
OrderedRules possible(OrderedRules list) {
  std::erase_if(list.rules, [](const OrderedRule& rule) {
    return std::any_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& a) {
      return std::any_of(rule.body.begin(), rule.body.end(),
                         [&](const BodyLiteral& b) { return a.atom == b.atom && a.positive != b.positive; });
    });
  });
  return list;
}

/// One weight per rule, and at the end that of the default: each above the sum of all later weights of any
/// other action.
std::vector<double> falling_weights(const OrderedRules& list, std::size_t actions) {
  constexpr double kMost = 0x1.0p50;
  std::vector<double> weights(list.rules.size() + 1, 1.0);
  std::vector<double> later(actions, 0.0);
  later[list.otherwise] = 1;
  for (std::size_t r = list.rules.size(); r-- > 0;) {
    const ActionId action = list.rules[r].action;
    double most = 0;
    for (ActionId other = 0; other < actions; ++other) {
      if (other != action) most = std::max(most, later[other]);
    }
    weights[r] = float_above(most + 1);
    later[action] += weights[r];
    if (later[action] > kMost)
      throw Error("", "the list changes its action too often for the weights of a network",
                  "compile a shorter list");
  }
  return weights;
}

}  // namespace

// With conjunctions ±1 and weights v ≥ 0 a raw output is Σ v c + Σ v − max v = 2 Σ (v of those that hold) −
// max v. A conjunction that always holds has the largest weight for every action, so all have the same max v,
// and the first rule that holds outweighs everything that later rules give to other actions.
NeuralDnf<double> compile_list(const OrderedRules& given, const Vocabulary& vocabulary) {
  const OrderedRules list = possible(given);
  std::vector<Conjunction> conjunctions;
  for (const OrderedRule& rule : list.rules) {
    Conjunction& body = conjunctions.emplace_back();
    for (const BodyLiteral& literal : rule.body)
      body.push_back({*vocabulary.find_atom(literal.atom), literal.positive});
  }
  conjunctions.resize(list.rules.size() + 2);  // the default's, and the shared one: both always hold
  const std::vector<double> weights = falling_weights(list, vocabulary.action_count());
  const double largest = *std::max_element(weights.begin(), weights.end());
  NeuralDnf<double> network;
  network.activation = Activation::kStep;
  network.conjunctions = conjunctive_weights(conjunctions, vocabulary.atom_count());
  network.disjunctions = Matrix<double>(conjunctions.size(), vocabulary.action_count());
  for (std::size_t r = 0; r < list.rules.size(); ++r)
    network.disjunctions(r, list.rules[r].action) = weights[r];
  network.disjunctions(list.rules.size(), list.otherwise) = weights.back();
  for (std::size_t a = 0; a < vocabulary.action_count(); ++a)
    network.disjunctions(list.rules.size() + 1, a) = largest;
  return network;
}

}  // namespace ndnf
