#include "ndnf/nodes/layered_rules.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/syntax/fresh_name.h"

namespace ndnf {
namespace {

BodyLiteral written(const AtomLiteral& literal, const Vocabulary& vocabulary) {
  return {vocabulary.atom_name(literal.atom), literal.positive, {}};
}

std::vector<BodyLiteral> written(const Conjunction& conjunction, const Vocabulary& vocabulary) {
  std::vector<BodyLiteral> body;
  for (const AtomLiteral& literal : conjunction) body.push_back(written(literal, vocabulary));
  return body;
}

HeadAtom plain(std::string atom) { return {std::move(atom), 1, false, {}}; }

class Writer {
 public:
  Writer(const LayeredRules& rules, const Vocabulary& vocabulary, const Vocabulary* taken)
      : rules_(rules), vocabulary_(vocabulary), taken_(taken) {}

  Program write() {
    Program program;
    program.syntax = rules_.choices.empty() ? Syntax::kAsp : Syntax::kProbLog;
    for (std::size_t a = 0; a < rules_.actions.size(); ++a) {
      for (const auto& body : rules_.actions[a]) add({plain(action(a))}, body, program);
    }
    for (const auto& choice : rules_.choices) add(alternatives(choice), choice.body, program);
    for (const std::size_t node : named_) {
      for (Statement& rule : define(name(node), rules_.nodes[node], vocabulary_)) {
        program.statements.push_back(std::move(rule));
      }
    }
    return program;
  }

 private:
  std::string action(std::size_t a) const {
    return fmt::format("action({})", vocabulary_.action_name(static_cast<ActionId>(a)));
  }
  std::string name(std::size_t node) const {
    return fresh_name(rules_.node_name, node, {&vocabulary_, taken_});
  }

  // An action that is certain gets a plain rule.
  std::vector<HeadAtom> alternatives(const LayeredRules::Choice& choice) const {
    if (const auto certain = certain_action(choice.p)) return {plain(action(*certain))};
    std::vector<HeadAtom> heads;
    for (std::size_t a = 0; a < choice.p.size(); ++a) heads.push_back({action(a), choice.p[a], true, {}});
    return heads;
  }

  // A plain rule whose body is a single node is expanded, however many rules the node has. Elsewhere a node
  // is inlined if that leaves one rule.
  void add(const std::vector<HeadAtom>& heads, const Conjunction& body, Program& program) {
    if (body.size() == 1 && body[0].positive && !heads[0].annotated) {
      for (const auto& conjunction : rules_.nodes[body[0].atom]) {
        program.statements.push_back({{}, Rule{heads, written(conjunction, vocabulary_), {}}, ""});
      }
      return;
    }
    Rule rule{heads, {}, {}};
    for (const AtomLiteral& literal : body) add_literal(literal, rule.body);
    program.statements.push_back({{}, std::move(rule), ""});
  }

  void add_literal(const AtomLiteral& literal, std::vector<BodyLiteral>& body) {
    const Dnf& node = rules_.nodes[literal.atom];
    if (node.size() == 1 && (literal.positive || node[0].size() == 1)) {
      for (AtomLiteral own : node[0]) {
        own.positive = own.positive == literal.positive;
        BodyLiteral next = written(own, vocabulary_);
        const bool said = std::any_of(body.begin(), body.end(), [&](const BodyLiteral& other) {
          return other.atom == next.atom && other.positive == next.positive;
        });
        if (!said) body.push_back(std::move(next));
      }
      return;
    }
    named_.insert(literal.atom);
    body.push_back({name(literal.atom), literal.positive, {}});
  }

  const LayeredRules& rules_;
  const Vocabulary& vocabulary_;
  const Vocabulary* taken_;
  std::set<std::size_t> named_;
};

}  // namespace

std::vector<Statement> define(const std::string& name, const Dnf& dnf, const Vocabulary& vocabulary) {
  std::vector<Statement> statements;
  for (const auto& conjunction : dnf) {
    statements.push_back({{}, Rule{{plain(name)}, written(conjunction, vocabulary), {}}, ""});
  }
  return statements;
}

Program to_program(const LayeredRules& rules, const Vocabulary& vocabulary, const Vocabulary* taken) {
  return Writer(rules, vocabulary, taken).write();
}

}  // namespace ndnf
