#include "ndnf/syntax/safety.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

using Names = std::set<std::string>;

/// The identity of a variable; each `_` is a separate one.
std::string identity(const Term& variable) {
  if (variable.text != "_") return variable.text;
  return fmt::format("_ {}:{}", variable.place.line, variable.place.column);
}

/// factor * variable + constant, in clingo's 32-bit arithmetic.
struct Linear {
  std::int32_t factor = 0;
  std::int32_t constant = 0;
  const Term* variable = nullptr;
};

std::int32_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(value); }

std::optional<Linear> scaled(const Linear& term, std::int64_t by) {
  return Linear{wrapped(term.factor * by), wrapped(term.constant * by), term.variable};
}

std::optional<Linear> linear(const Term& term) {
  if (term.kind == Term::Kind::kNumber) return Linear{0, wrapped(std::stoll(term.text)), nullptr};
  if (term.kind == Term::Kind::kVariable) return Linear{1, 0, &term};
  if (term.kind != Term::Kind::kNegative && term.kind != Term::Kind::kOperation) return std::nullopt;
  const std::optional<Linear> left = linear(term.arguments[0]);
  if (!left) return std::nullopt;
  if (term.kind == Term::Kind::kNegative) return scaled(*left, -1);
  const std::optional<Linear> right = linear(term.arguments[1]);
  if (!right || (left->variable != nullptr && right->variable != nullptr)) return std::nullopt;
  if (term.text == "*") {
    return left->variable == nullptr ? scaled(*right, left->constant) : scaled(*left, right->constant);
  }
  if (term.text != "+" && term.text != "-") return std::nullopt;
  const std::int64_t sign = term.text == "+" ? 1 : -1;
  return Linear{wrapped(left->factor + sign * right->factor),
                wrapped(left->constant + sign * right->constant),
                left->variable == nullptr ? right->variable : left->variable};
}

/// The variables that get a value when the term is matched with a value.
Names matched(const Term& term) {
  if (const auto form = linear(term)) {
    return form->variable != nullptr && form->factor != 0 ? Names{identity(*form->variable)} : Names{};
  }
  Names names;
  if (term.kind == Term::Kind::kFunction || term.kind == Term::Kind::kTuple) {
    for (const Term& argument : term.arguments) names.merge(matched(argument));
  }
  if (term.kind == Term::Kind::kPool) {  // each part becomes a rule of its own
    names = matched(term.arguments[0]);
    for (const Term& part : term.arguments) {
      const Names in_part = matched(part);
      std::erase_if(names, [&](const std::string& name) { return !in_part.contains(name); });
    }
  }
  return names;
}

bool all_in(const Names& names, const Term& term) {
  bool all = true;
  for_each_variable(term, [&](const Term& variable) { all = all && names.contains(identity(variable)); });
  return all;
}

/// An aggregate that gives a variable its value: `X = #sum{…}`.
void add_assigned(const OpenLiteral& literal, Names& names) {
  if (!literal.is_aggregate() || !literal.binds) return;
  if (literal.comparison == "=") names.merge(matched(literal.left));
  if (literal.upper == "=") names.merge(matched(literal.right));
}

// Positive atoms bind their variables; an equation binds one side once the other is bound. Repeated until
// nothing changes: at most one round per variable.
Names bound_variables(const OpenBody& body, Names names = {}) {
  for (const OpenLiteral& literal : body) {
    if (literal.is_plain_atom() && literal.binds) names.merge(matched(literal.left));
    add_assigned(literal, names);
  }
  for (std::size_t before = names.size() + 1; before != names.size();) {
    before = names.size();
    for (const OpenLiteral& literal : body) {
      if (!literal.aggregate.empty() || literal.comparison != "=") continue;
      if (all_in(names, literal.right)) names.merge(matched(literal.left));
      if (all_in(names, literal.left)) names.merge(matched(literal.right));
    }
  }
  return names;
}

/// The `_` in "no such atom": under `not`, only within functions and tuples.
void add_projected(const Term& term, Names& names) {
  if (term.kind == Term::Kind::kVariable && term.text == "_") names.insert(identity(term));
  if (term.kind != Term::Kind::kFunction && term.kind != Term::Kind::kTuple) return;
  for (const Term& argument : term.arguments) add_projected(argument, names);
}

/// Under an even number of `not` some p must hold, so `_` has values there, too.
void add_projected(const OpenBody& body, Names& names) {
  for (const OpenLiteral& literal : body) {
    if (literal.comparison.empty() && !literal.is_aggregate() && !literal.binds)
      add_projected(literal.left, names);
  }
}

/// Collects variables that are not known, each once.
class Unbound {
 public:
  void check(const Term& term, Names& known) {
    for_each_variable(term, [&](const Term& variable) {
      if (known.insert(identity(variable)).second && reported_.insert(identity(variable)).second) {
        found_.push_back(&variable);
      }
    });
  }
  void check(const OpenLiteral& literal, Names& known) {
    check(literal.left, known);
    check(literal.right, known);
  }
  /// The terms and conditions of an element, whose own variables its conditions bind.
  void check(const OpenLiteral::Element& element, Names known) {
    known = bound_variables(element.condition, std::move(known));
    add_projected(element.condition, known);
    for (const Term& term : element.terms) check(term, known);
    for (const OpenLiteral& literal : element.condition) check(literal, known);
  }
  std::vector<const Term*> take() { return std::move(found_); }

 private:
  Names reported_;
  std::vector<const Term*> found_;
};

/// A conditional literal: its first part may use what a condition binds.
void check_conditional(const OpenLiteral& literal, const Names& known, Unbound& unbound) {
  for (const OpenLiteral::Element& element : literal.elements) {
    unbound.check(element, known);
    Names inside = bound_variables(element.condition, known);
    if (literal.comparison.empty() && !literal.positive) add_projected(literal.left, inside);
    unbound.check(literal, inside);
  }
}

/// What ProbLog has bound after a literal.
void bind_in_order(const OpenLiteral& literal, Names& known) {
  const bool equation = literal.comparison == "=" || literal.comparison == "is";
  if (literal.is_plain_atom() && literal.binds) known.merge(matched(literal.left));
  if (!equation) return;
  if (all_in(known, literal.right)) known.merge(matched(literal.left));
  if (literal.comparison == "=" && all_in(known, literal.left)) known.merge(matched(literal.right));
}

}  // namespace

std::vector<const Term*> unbound_variables(const OpenRule& rule) {
  Names known = bound_variables(rule.body);
  add_projected(rule.body, known);
  Unbound unbound;
  unbound.check(rule.head, known);
  for (const OpenLiteral& literal : rule.body) {
    if (!literal.is_conditional()) unbound.check(literal, known);
  }
  for (const OpenLiteral& literal : rule.body) {
    if (literal.is_conditional()) {
      check_conditional(literal, known, unbound);
    } else {
      for (const OpenLiteral::Element& element : literal.elements) unbound.check(element, known);
    }
  }
  return unbound.take();
}

std::vector<const Term*> unbound_in_order(const OpenRule& rule) {
  Unbound unbound;
  for_each_body(rule, [&](const OpenBody& body) {
    Names known;
    for (const OpenLiteral& literal : body) {
      bind_in_order(literal, known);
      if (!literal.binds) add_projected(OpenBody{literal}, known);
      unbound.check(literal, known);
    }
    for (const Term* head : heads(rule)) unbound.check(*head, known);
    if (rule.choice.empty()) return;
    for_each_body(rule, [&](const OpenBody& other) {
      for (const OpenLiteral& literal : other) unbound.check(literal, known);
    });
  });
  return unbound.take();
}

}  // namespace ndnf
