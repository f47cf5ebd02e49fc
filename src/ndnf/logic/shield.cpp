#include "ndnf/logic/shield.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

/// ACTION of `forbidden(ACTION)`.
std::optional<std::string_view> forbidden_action(std::string_view atom) {
  constexpr std::string_view kOpen = "forbidden(";
  if (signature(atom) != "forbidden/1") return std::nullopt;
  return atom.substr(kOpen.size(), atom.size() - kOpen.size() - 1);
}

/// Shields refer to actions only as forbidden(ACTION).
void check_atom(const std::string& atom, Place place, Mistakes& mistakes) {
  if (action_of(atom)) {
    mistakes.add(place, fmt::format("{} is not allowed in a shield, expected forbidden(ACTION)", atom));
  } else if (const std::string name = signature(atom);
             name.starts_with("forbidden/") && name != "forbidden/1") {
    mistakes.add(place, fmt::format("{} is not a forbidden action, expected forbidden(ACTION)", atom));
  }
}

void check_rule(const Rule& rule, Mistakes& mistakes) {
  if (rule.heads.front().atom == kConstraint) {
    mistakes.add(rule.place, "a shield has no integrity constraints, expected forbidden(ACTION) as head");
  }
  for (const HeadAtom& head : rule.heads) check_atom(head.atom, head.place, mistakes);
  for (const BodyLiteral& literal : rule.body) check_atom(literal.atom, literal.place, mistakes);
}

const Rule* rule_at(const Program& program, std::size_t statement) {
  return std::get_if<Rule>(&program.statements[statement].content);
}

/// The shield as a policy that takes all forbidden actions at once: action(A) :- forbidden(A).
Program taking_the_forbidden(Program shield) {
  Mistakes mistakes(shield.source);
  std::vector<Statement> takers;
  std::unordered_set<std::string> taken;
  for (std::size_t s = 0; s < shield.statements.size(); ++s) {
    const Rule* rule = rule_at(shield, s);
    if (rule == nullptr) continue;
    check_rule(*rule, mistakes);
    for (const HeadAtom& head : rule->heads) {
      const auto action = forbidden_action(head.atom);
      if (!action || !taken.insert(head.atom).second) continue;
      const HeadAtom taker{action_atom(*action), 1, false, head.place};
      takers.push_back({{}, Rule{{taker}, {{head.atom, true, head.place}}, head.place}, {}});
    }
  }
  mistakes.throw_if_any();
  if (taken.empty()) {
    throw Error(shield.source, "forbids nothing", "a shield has rules such as forbidden(ACTION) :- ATOM.");
  }
  for (Statement& taker : takers) shield.statements.push_back(std::move(taker));
  return shield;
}

/// The place of the last rule that forbids an action in an observation.
Place last_ban(const Program& shield, const std::vector<std::size_t>& fired) {
  Place place;
  for (const std::size_t statement : fired) {
    const Rule* rule = rule_at(shield, statement);
    if (forbidden_action(rule->heads.front().atom)) place = rule->place;
  }
  return place;
}

}  // namespace

ActionMask read_shield(std::string_view where, std::string_view text, const ObservationTable& table) {
  const Program shield = taking_the_forbidden(ground_program(where, text, Syntax::kAsp, table.vocabulary()));
  const BoundProgram bound(shield, table.shared_vocabulary());
  const PolicyTable forbidden = tabulate(bound, table);
  std::vector<std::uint64_t> allowed(table.size(), 0);
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    for (ActionId a = 0; a < bound.action_count(); ++a) {
      if (forbidden.row(obs)[a] == 0) allowed[obs] |= std::uint64_t{1} << a;
    }
    if (allowed[obs] != 0) continue;
    Mistakes mistakes(where);
    mistakes.add(
        last_ban(shield, bound.fired(table, obs)),
        fmt::format("every action is forbidden in {}, expected one to be allowed", table.describe(obs)));
    mistakes.throw_if_any();
  }
  return {bound.action_count(), std::move(allowed)};
}

}  // namespace ndnf
