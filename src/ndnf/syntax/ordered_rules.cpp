#include "ndnf/syntax/ordered_rules.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/fresh_name.h"

namespace ndnf {
namespace {

/// Writes a list block by block.
class ListWriter {
 public:
  ListWriter(const OrderedRules& list, const Vocabulary& vocabulary, const Vocabulary* taken)
      : list_(list), vocabulary_(vocabulary), taken_(taken) {}

  Program write() {
    std::vector<ActionId> actions;
    std::transform(list_.rules.begin(), list_.rules.end(), std::back_inserter(actions),
                   [](const OrderedRule& rule) { return rule.action; });
    for (const ListBlock& block : blocks(actions, list_.otherwise)) write(block);
    add(head_of(list_.otherwise), none_before());
    return std::move(program_);
  }

 private:
  /// A block already written, and the atom that says whether it decides.
  struct Before {
    ActionId action;
    std::string holds;
  };

  std::string head_of(ActionId action) const { return action_atom(vocabulary_.action_name(action)); }

  void add(std::string head, std::vector<BodyLiteral> body) {
    Rule rule{{{std::move(head)}}, std::move(body), {}};
    std::string remark = readings(rule, vocabulary_);
    program_.statements.push_back({{}, std::move(rule), std::move(remark)});
  }

  void write(const ListBlock& block) {
    const std::string action = head_of(block.action);
    const std::string holds = block.named ? next_name() : action;
    const std::vector<BodyLiteral> none = none_before();
    for (std::size_t k = block.begin; k < block.end; ++k) {
      std::vector<BodyLiteral> body = list_.rules[k].body;
      body.insert(body.end(), none.begin(), none.end());
      add(holds, std::move(body));
    }
    if (block.named) {
      add(action, {{holds}});
    } else {  // the action then represents its earlier blocks, too
      std::erase_if(before_, [&](const Before& earlier) { return earlier.action == block.action; });
    }
    before_.push_back({block.action, holds});
  }

  std::vector<BodyLiteral> none_before() const {
    std::vector<BodyLiteral> literals;
    for (const Before& block : before_) literals.push_back({block.holds, false});
    return literals;
  }

  std::string next_name() { return fresh_name("case_", ++cases_, {&vocabulary_, taken_}); }

  const OrderedRules& list_;
  const Vocabulary& vocabulary_;
  const Vocabulary* taken_;
  std::vector<Before> before_;
  std::size_t cases_ = 0;
  Program program_;
};

}  // namespace

std::vector<ListBlock> blocks(std::span<const ActionId> actions, ActionId otherwise) {
  std::vector<ListBlock> result;
  for (std::size_t k = 0; k < actions.size(); ++k) {
    if (result.empty() || result.back().action != actions[k]) result.push_back({actions[k], k, k, false});
    result.back().end = k + 1;
  }
  std::uint64_t further_down = std::uint64_t{1} << otherwise;
  for (std::size_t b = result.size(); b-- > 0;) {
    result[b].named = (further_down >> result[b].action & 1) != 0;
    further_down |= std::uint64_t{1} << result[b].action;
  }
  return result;
}

Program ordered_program(const OrderedRules& list, const Vocabulary& vocabulary, const Vocabulary* taken) {
  return ListWriter(list, vocabulary, taken).write();
}

std::string units_comment(const Vocabulary& vocabulary) {
  std::string text;
  for (const Quantity& quantity : vocabulary.quantities()) {
    if (!quantity.grid) continue;
    text += fmt::format("{}{} in {:g}{}{}", text.empty() ? "" : ", ", quantity.name, quantity.grid->quantum,
                        quantity.unit.empty() ? "" : " ", quantity.unit);
  }
  return text;
}

std::string readings(const Rule& rule, const Vocabulary& vocabulary) {
  std::string text;
  for (const BodyLiteral& literal : rule.body) {
    const auto comparison = comparison_of(literal.atom, vocabulary);
    if (!comparison) continue;
    text += text.empty() ? "" : ", ";
    text += reading({*comparison, literal.positive}, vocabulary);
  }
  return text;
}

}  // namespace ndnf
