#include "ndnf/syntax/name_checker.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/base/nearest.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/fold_comparisons.h"
#include "ndnf/syntax/safety.h"

namespace ndnf {

std::string unknown_action(std::string_view action, const Vocabulary& vocabulary) {
  return fmt::format("the task has no action {}; {}", action, suggestion(action, vocabulary.actions()));
}

std::string unknown_atom(std::string_view atom, const std::vector<std::string>& known) {
  return fmt::format("{} is neither observed nor the head of a rule; {}", atom, suggestion(atom, known));
}

std::string observed_head(std::string_view atom) {
  return fmt::format("{} is observed, expected an action or a new name as head", atom);
}

NameChecker::NameChecker(const ParsedProgram& parsed, const Vocabulary& vocabulary, Mistakes& mistakes)
    : parsed_(parsed), vocabulary_(vocabulary), mistakes_(mistakes) {
  collect();
}

void NameChecker::collect() {
  for (const OpenRule& open : parsed_.open) {
    for (const Term* head : heads(open)) open_signatures_.insert(signature(*head));
  }
  for (const Statement& statement : parsed_.program.statements) {
    if (const auto* directive = std::get_if<Directive>(&statement.content)) {
      for (const std::string_view name : defined_signatures(*directive)) open_signatures_.emplace(name);
      continue;
    }
    for (const HeadAtom& head : std::get<Rule>(statement.content).heads) {
      if (head.atom != kConstraint) heads_.insert(head.atom);
    }
  }
  signatures_ = open_signatures_;
  for (const std::string& head : heads_) signatures_.insert(signature(head));
  for (const std::string& atom : vocabulary_.atom_names()) signatures_.insert(signature(atom));
  for (const Quantity& quantity : vocabulary_.quantities()) signatures_.insert(quantity.name + "/1");
}

void NameChecker::run() {
  auto open = parsed_.open.begin();
  for (std::size_t s = 0; s < parsed_.program.statements.size() && !mistakes_.enough(); ++s) {
    if (open != parsed_.open.end() && open->statement == s) {
      check(*open++);
    } else if (const auto* rule = std::get_if<Rule>(&parsed_.program.statements[s].content)) {
      check(*rule);
    }
  }
}

void NameChecker::check(const Rule& rule) {
  for (const HeadAtom& head : rule.heads) check_head(head.atom, head.place);
  for (const BodyLiteral& literal : rule.body) check(literal.atom, literal.place);
}

void NameChecker::check(const OpenRule& rule) {
  for (const Term* head : heads(rule)) {
    if (is_plain(*head)) check_head(to_text(*head), head->place);
  }
  for_each_body(rule, [&](const OpenBody& body) {
    for (const OpenLiteral& literal : body) {
      for_each_atom(literal, [&](const OpenLiteral& one) {
        for (const Term* atom : alternatives(one.left)) check(*atom, one.left.place);
      });
    }
  });
  const bool asp = parsed_.program.syntax == Syntax::kAsp;
  for (const Term* variable : asp ? unbound_variables(rule) : unbound_in_order(rule)) {
    mistakes_.add(variable->place,
                  fmt::format("{} is unsafe, expected it in a positive body atom{}",
                              variable->text == "_" ? "this _" : variable->text, asp ? ", too" : " before"));
  }
}

void NameChecker::check(const Term& atom, Place place) {
  if (is_plain(atom)) return check(to_text(atom), place);
  if (!signatures_.contains(signature(atom))) return report_unknown(to_text(atom), place);
  if (quantity_named(atom, vocabulary_)) return;
  if (!has_variables(atom) && !open_signatures_.contains(signature(atom))) unevaluated_.push_back(&atom);
}

void NameChecker::check(const std::string& atom, Place place) {
  if (!knows(atom)) report_unknown(atom, place);
}

bool NameChecker::knows(const std::string& atom) const {
  if (vocabulary_.find_atom(atom) || quantity_named(atom, vocabulary_) || heads_.contains(atom)) return true;
  const auto action = action_of(atom);
  return open_signatures_.contains(signature(atom)) && (!action || vocabulary_.find_action(*action));
}

bool NameChecker::check_head(const std::string& atom, Place place) {
  const auto action = action_of(atom);
  if (action && !vocabulary_.find_action(*action)) {
    mistakes_.add(place, unknown_action(*action, vocabulary_));
    return false;
  }
  if (!vocabulary_.find_atom(atom) && !quantity_named(atom, vocabulary_)) return true;
  mistakes_.add(place, observed_head(atom));
  return false;
}

void NameChecker::report_unknown(const std::string& atom, Place place) {
  if (mistakes_.enough() || !reported_.insert(atom).second) return;
  constexpr std::size_t kCandidates = 4096;  // names compared with an unknown one
  std::vector<std::string> known = vocabulary_.atom_names();
  for (const std::string& head : heads_) {
    if (known.size() < kCandidates) known.push_back(head);
  }
  const std::string arguments = atom.substr(std::min(atom.find('('), atom.size()));
  for (const std::string& name : open_signatures_)
    known.push_back(name.substr(0, name.find('/')) + arguments);
  for (const Quantity& quantity : vocabulary_.quantities()) known.push_back(quantity.name + arguments);
  mistakes_.add(place, unknown_atom(atom, known));
}

}  // namespace ndnf
