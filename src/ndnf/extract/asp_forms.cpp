#include "ndnf/extract/asp_forms.h"

#include <algorithm>
#include <utility>

#include "ndnf/nodes/fresh_name.h"
#include "ndnf/nodes/layered_rules.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

std::string head_of(ActionId action, const Vocabulary& vocabulary) {
  return action_atom(vocabulary.action_name(action));
}

Statement rule_for(const std::string& head, const Conjunction& body, const Vocabulary& vocabulary) {
  return define(head, {body}, vocabulary).front();
}

Statement rule_for(std::string head, std::vector<BodyLiteral> body) {
  return {{}, Rule{{{std::move(head)}}, std::move(body), {}}, ""};
}

/// Writes a list block by block.
class ListWriter {
 public:
  ListWriter(const DecisionList& list, const Vocabulary& vocabulary, const Vocabulary& taken)
      : list_(list), vocabulary_(vocabulary), taken_(taken) {}

  Program write() {
    for (const ListBlock& block : blocks(list_)) write(block);
    program_.statements.push_back(rule_for(head_of(list_.otherwise, vocabulary_), none_before()));
    return std::move(program_);
  }

 private:
  /// A block already written, and the atom that says whether it decides.
  struct Before {
    ActionId action;
    std::string holds;
  };

  void write(const ListBlock& block) {
    const std::string action = head_of(block.action, vocabulary_);
    const std::string holds = block.named ? next_name() : action;
    const std::vector<BodyLiteral> none = none_before();
    for (std::size_t k = block.begin; k < block.end; ++k) {
      Statement statement = rule_for(holds, list_.entries[k].body, vocabulary_);
      auto& body = std::get<Rule>(statement.content).body;
      body.insert(body.end(), none.begin(), none.end());
      program_.statements.push_back(std::move(statement));
    }
    if (block.named) {
      program_.statements.push_back(rule_for(action, {{holds}}));
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

  std::string next_name() { return fresh_name("case_", ++cases_, {&vocabulary_, &taken_}); }

  const DecisionList& list_;
  const Vocabulary& vocabulary_;
  const Vocabulary& taken_;
  std::vector<Before> before_;
  std::size_t cases_ = 0;
  Program program_;
};

}  // namespace

Program exactly_one_program(std::span<const ActionRule> rules, const Vocabulary& vocabulary) {
  Program program;
  for (const ActionRule& rule : rules) {
    program.statements.push_back(rule_for(head_of(rule.action, vocabulary), rule.body, vocabulary));
  }
  return program;
}

Program default_program(const DefaultProgram& rules, const Vocabulary& vocabulary) {
  Program program = exactly_one_program(rules.rules, vocabulary);
  std::vector<BodyLiteral> none;
  for (const ActionRule& rule : rules.rules) {
    BodyLiteral other{head_of(rule.action, vocabulary), false};
    if (none.empty() || none.back().atom != other.atom) none.push_back(std::move(other));
  }
  program.statements.push_back(rule_for(head_of(rules.otherwise, vocabulary), std::move(none)));
  return program;
}

Program list_program(const DecisionList& list, const Vocabulary& vocabulary, const Vocabulary& taken) {
  return ListWriter(list, vocabulary, taken).write();
}

}  // namespace ndnf
