#include "ndnf/boxes/box_placement.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "ndnf/boxes/box.h"
#include "ndnf/solvers/clingo.h"

namespace ndnf {
namespace {

/// The encoding. `shows(O, G, V)`: observation O has value V of group G. `in(K, G, V)`: box K admits that
/// value, and contains an observation if it admits all its values. The constraints say that every observation
/// gets an allowed action and no two different ones. The last constraint orders the actions of the boxes
/// without a witness, which breaks their symmetry. The ground size is about boxes · observations · (groups +
/// actions).
constexpr OwnText kRules = R"(
1 { acts(K, A) : action(A) } 1 :- box(K).
acts(K, A) :- witness(K, A, O).
{ in(K, G, V) : domain(G, V) } :- box(K).
in(K, G, V) :- witness(K, A, O), shows(O, G, V).
holds(K, O) :- box(K), observation(O), in(K, G, V) : shows(O, G, V).
does(O, A) :- holds(K, O), acts(K, A).
:- does(O, A), not allowed(O, A).
:- does(O, A), does(O, B), A < B.
:- observation(O), not does(O, A) : allowed(O, A).
:- acts(K, A), acts(K + 1, B), A > B, K >= free.
#show acts/2.
#show in/3.
)";

SolverText observation_facts(const Scope& scope, std::span<const std::uint64_t> allowed) {
  SolverText facts;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    facts.add("observation({}).", i);
    for (const std::size_t g : scope.varying_groups()) {
      facts.add(" shows({},{},{}).", i, g, scope.values(i)[g]);
    }
    for (std::size_t a = 0; a < scope.vocabulary().action_count(); ++a) {
      if ((allowed[i] >> a & 1) != 0) facts.add(" allowed({},{}).", i, a);
    }
    facts.add("\n");
  }
  return facts;
}

SolverText placement_program(const Scope& scope, std::span<const std::uint64_t> allowed,
                             std::span<const std::vector<std::size_t>> witnesses, std::size_t count) {
  SolverText program = observation_facts(scope, allowed);
  for (const std::size_t g : scope.varying_groups()) {
    for (const std::uint32_t value : scope.domain(g).values()) program.add("domain({},{}). ", g, value);
  }
  std::size_t box = 0;
  for (std::size_t a = 0; a < witnesses.size(); ++a) {
    for (const std::size_t i : witnesses[a]) program.add("witness({},{},{}). ", box++, a, i);
  }
  assert(box <= count);
  program.add("\naction(0..{}). box(0..{}). #const free = {}.\n", scope.vocabulary().action_count() - 1,
              count - 1, box);
  return program.add(kRules);
}

std::vector<ActionRule> read_rules(const std::vector<std::string>& atoms, const Scope& scope,
                                   std::size_t count) {
  Box nothing = everything(scope);  // groups that do not vary are not in the program
  std::size_t most_values = 0;
  for (const std::size_t g : scope.varying_groups()) {
    nothing.groups[g] = ValueSet(scope.vocabulary().group(g).value_count());
    most_values = std::max(most_values, scope.vocabulary().group(g).value_count());
  }
  std::vector<Box> boxes(count, nothing);
  std::vector<ActionId> actions(count);
  for (const std::string& atom : atoms) {
    if (const auto in = numbers_of<3>(atom, "in", {count, scope.vocabulary().group_count(), most_values})) {
      const auto [k, g, value] = *in;
      if (value >= scope.vocabulary().group(g).value_count()) {
        throw_nonsense("clingo", "unexpected atom " + atom);
      }
      boxes[k].groups[g].insert(value);
    } else if (const auto acts = numbers_of<2>(atom, "acts", {count, scope.vocabulary().action_count()})) {
      actions[(*acts)[0]] = static_cast<ActionId>((*acts)[1]);
    }
  }
  std::vector<ActionRule> rules;
  for (std::size_t k = 0; k < count; ++k) {
    if (!holds_nothing(boxes[k], scope)) rules.push_back({actions[k], literals(boxes[k], scope)});
  }
  return rules;
}

}  // namespace

Placement place_boxes(const Scope& scope, std::span<const std::uint64_t> allowed,
                      std::span<const std::vector<std::size_t>> witnesses, std::size_t count,
                      std::uint64_t solve_limit) {
  if (count == 0) return {std::nullopt, true};
  const ClingoAnswer answer =
      run_clingo(placement_program(scope, allowed, witnesses, count), {}, solve_limit);
  if (answer.models.empty()) return {std::nullopt, answer.status == ClingoAnswer::Status::kUnsatisfiable};
  return {read_rules(answer.models.front(), scope, count), false};
}

}  // namespace ndnf
