#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/ordered_rules.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

/// Rules with the same head that are tried together: `case_2 :- …, not action(left), not case_1.`
struct Block {
  std::string head;
  std::set<std::string> before;  ///< What must not hold.
  std::vector<std::vector<BodyLiteral>> bodies;
};

/// Reads rule after rule in the order of the text. It is a list if each block excludes everything before it
/// (by its head or by the action that the head stands for) and nothing else: then the first body that holds
/// decides, and all others are excluded by it.
class ListReader {
 public:
  explicit ListReader(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  std::optional<OrderedRules> read(const Program& program) {
    if (program.syntax != Syntax::kAsp) return std::nullopt;
    for (const Statement& statement : program.statements) {
      const Rule* rule = std::get_if<Rule>(&statement.content);
      if (rule != nullptr && rule->heads.front().atom != kConstraint) heads_.insert(rule->heads.front().atom);
    }
    for (const Statement& statement : program.statements) {
      const Rule* rule = std::get_if<Rule>(&statement.content);
      if (rule != nullptr && !add(*rule)) return std::nullopt;
    }
    if (blocks_.empty() || !is_default(blocks_.back())) return std::nullopt;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!follows_all_before(b)) return std::nullopt;
    }
    return list();
  }

 private:
  bool is_observed(const BodyLiteral& literal) const {
    return is_comparison(literal.atom) || vocabulary_.find_atom(literal.atom).has_value();
  }

  bool add(const Rule& rule) {
    const std::string& head = rule.heads.front().atom;
    const bool alone = rule.body.size() == 1 && rule.body.front().positive;
    if (alone && !is_observed(rule.body.front())) {  // action(left) :- case_1.
      if (action_of(rule.body.front().atom)) return false;
      return action_of(head) && stands_for_.emplace(rule.body.front().atom, head).second;
    }
    Block block{head, {}, {{}}};
    for (const BodyLiteral& literal : rule.body) {
      if (is_observed(literal)) {
        block.bodies.front().push_back(literal);
      } else if (!literal.positive && heads_.contains(literal.atom)) {
        block.before.insert(literal.atom);
      } else {
        return false;
      }
    }
    if (!blocks_.empty() && blocks_.back().head == head && blocks_.back().before == block.before) {
      blocks_.back().bodies.push_back(std::move(block.bodies.front()));
    } else {
      blocks_.push_back(std::move(block));
    }
    return true;
  }

  static bool is_default(const Block& block) {
    return std::any_of(block.bodies.begin(), block.bodies.end(),
                       [](const auto& body) { return body.empty(); });
  }

  /// The action of a block's head; empty if it has none.
  std::string action_atom_of(const Block& block) const {
    if (action_of(block.head)) return block.head;
    const auto found = stands_for_.find(block.head);
    return found == stands_for_.end() ? "" : found->second;
  }

  bool follows_all_before(std::size_t b) const {
    const std::set<std::string>& before = blocks_[b].before;
    if (action_atom_of(blocks_[b]).empty()) return false;
    for (std::size_t other = 0; other < blocks_.size(); ++other) {
      const std::string& head = blocks_[other].head;
      const bool excluded = before.contains(head) || before.contains(action_atom_of(blocks_[other]));
      if (excluded != (other < b)) return false;
    }
    return true;
  }

  OrderedRules list() const {
    OrderedRules list;
    for (const Block& block : blocks_) {
      const ActionId action = *vocabulary_.find_action(*action_of(action_atom_of(block)));
      for (const std::vector<BodyLiteral>& body : block.bodies) list.rules.push_back({action, body});
    }
    list.otherwise = list.rules.back().action;
    while (!list.rules.back().body.empty()) list.rules.pop_back();
    list.rules.pop_back();
    return list;
  }

  const Vocabulary& vocabulary_;
  std::set<std::string> heads_;
  std::map<std::string, std::string> stands_for_;
  std::vector<Block> blocks_;
};

}  // namespace

std::optional<OrderedRules> ordered_rules_of(const Program& program, const Vocabulary& vocabulary) {
  return ListReader(vocabulary).read(program);
}

}  // namespace ndnf
