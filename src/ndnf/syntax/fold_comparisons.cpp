#include "ndnf/syntax/fold_comparisons.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/body_parser.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/linear_term.h"
#include "ndnf/syntax/name_checker.h"
#include "ndnf/syntax/physical_comparison.h"
#include "ndnf/syntax/term_parser.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

using Kind = Term::Kind;

Term number_term(std::int64_t number, Place place) {
  return {Kind::kNumber, std::to_string(number), {}, place};
}

/// constant + Σ factor · term: clingo only puts values in, and we add, so that nothing wraps unseen.
Term sum_term(std::int64_t constant, const std::vector<std::pair<Term, std::int64_t>>& others,
              std::int64_t sign, Place place) {
  Term sum{Kind::kFunction, std::string(kSumOfOthers), {number_term(sign * constant, place)}, place};
  for (const auto& [term, factor] : others) {
    sum.arguments.push_back(number_term(sign * factor, place));
    sum.arguments.push_back(term);
  }
  return sum;
}

Term atom_of(Term bound, const LinearComparison& comparison, const Vocabulary& vocabulary) {
  const Place place = bound.place;
  Term atom{Kind::kFunction, comparison.equal ? "ndnf_equal" : "ndnf_above", {std::move(bound)}, place};
  for (const LinearComparison::Term& term : comparison.terms) {
    atom.arguments.push_back({Kind::kFunction, vocabulary.quantities()[term.quantity].name, {}, place});
    atom.arguments.push_back(number_term(term.coefficient, place));
  }
  return atom;
}

/// The first name without arguments that is computed with; null without any.
const Term* symbol_in(const Term& term) {
  if (term.kind == Kind::kFunction && term.arguments.empty()) return &term;
  if (term.kind != Kind::kOperation && term.kind != Kind::kNegative) return nullptr;
  for (const Term& argument : term.arguments) {
    if (const Term* symbol = symbol_in(argument)) return symbol;
  }
  return nullptr;
}

constexpr std::string_view kOnlyInBodies =
    "quantities in aggregates and conditions are not supported, expected comparisons in bodies";

/// The arithmetic comparison of ProbLog with this sign in ASP.
std::string problog_sign(std::string_view asp) {
  if (asp == "=") return "=:=";
  if (asp == "!=") return "=\\=";
  return asp == "<=" ? "=<" : std::string(asp);
}

OpenLiteral literal_of(Term atom, bool positive) { return {positive, positive, std::move(atom), "", {}}; }

/// terms + constant + others > 0 (or = 0), where only clingo knows the others.
OpenLiteral compared_with_others(std::vector<LinearComparison::Term> terms, std::int64_t constant,
                                 const LinearTerm& sum, bool equal, const Vocabulary& vocabulary,
                                 Place place) {
  const bool flip = terms.front().coefficient < 0;
  if (flip) {
    for (LinearComparison::Term& term : terms) term.coefficient = -term.coefficient;
    // -S + e > 0 is S < e, that is, not S > e - 1
    return literal_of(atom_of(sum_term(equal ? constant : constant - 1, sum.others, 1, place),
                              {std::move(terms), 0, equal}, vocabulary),
                      equal);
  }
  return literal_of(
      atom_of(sum_term(constant, sum.others, -1, place), {std::move(terms), 0, equal}, vocabulary), true);
}

/// The literal for `sum sign 0`.
OpenLiteral compared(const LinearTerm& sum, std::string_view sign, const Vocabulary& vocabulary,
                     Place place) {
  std::vector<LinearComparison::Term> terms;
  for (const auto& [quantity, factor] : sum.factors) {
    if (factor != 0) terms.push_back({quantity, factor});
  }
  if (terms.empty()) {  // V - V > 3: clingo sees that it always or never holds
    if (!sum.others.empty()) throw Wrong{place, "compares no quantity: they cancel"};
    return {true, true, number_term(sum.constant, place), std::string(sign), number_term(0, place)};
  }
  const bool equal = sign == "=" || sign == "!=";
  const bool negative = sign == "<=" || sign == "<" || sign == "!=";
  const std::int64_t constant = sum.constant + (sign == ">=" || sign == "<" ? 1 : 0);  // >= 0 is > -1
  OpenLiteral literal;
  if (!sum.others.empty()) {
    literal = compared_with_others(std::move(terms), constant, sum, equal, vocabulary, place);
  } else {
    const NumericLiteral known = canonical(std::move(terms), -constant, equal);
    literal = literal_of(atom_of(number_term(known.comparison.bound, place), known.comparison, vocabulary),
                         known.positive);
  }
  literal.left.place = place;
  literal.positive = literal.positive != negative;
  literal.binds = literal.positive && sum.others.empty();
  return literal;
}

/// Folds one body.
class BodyFolder {
 public:
  BodyFolder(const Vocabulary& vocabulary, Syntax syntax) : vocabulary_(vocabulary), syntax_(syntax) {}

  /// Throws Wrong.
  OpenBody fold(const OpenBody& body) {
    for (const OpenLiteral& literal : body) refuse_within(literal);
    find_ordinary_variables(body);
    OpenBody rest;
    for (const OpenLiteral& literal : body) read_atom(literal, rest);
    while (name_sums(rest)) {
    }
    name_computed(rest);
    OpenBody folded;
    for (OpenLiteral& literal : rest) folded.push_back(folded_literal(std::move(literal)));
    return folded;
  }

  /// Throws Wrong if a variable of a quantity is in this term.
  void refuse_quantities(const Term& term) const {
    for_each_variable(term, [&](const Term& variable) {
      if (quantities_.contains(variable.text))
        throw Wrong{
            variable.place,
            fmt::format("{} is the value of a quantity, expected it in comparisons only", variable.text)};
    });
  }

 private:
  /// Quantities within aggregates and conditions.
  void refuse_within(const OpenLiteral& literal) const {
    if (literal.is_plain_atom()) return;
    for_each_atom(literal, [&](const OpenLiteral& atom) {
      for (const Term* one : alternatives(atom.left)) {
        if (quantity_named(*one, vocabulary_)) throw Wrong{one->place, std::string(kOnlyInBodies)};
      }
    });
  }

  std::optional<std::uint32_t> quantity(const OpenLiteral& literal) const {
    if (!literal.is_plain_atom()) return std::nullopt;
    if (literal.left.kind == Kind::kPool) {
      for (const Term* one : alternatives(literal.left)) {
        if (quantity_named(*one, vocabulary_))
          throw Wrong{one->place, "a quantity in a pool is not supported, expected comparisons"};
      }
    }
    return quantity_named(literal.left, vocabulary_);
  }

  void find_ordinary_variables(const OpenBody& body) {
    for (const OpenLiteral& literal : body) {
      if (!literal.is_plain_atom() || !literal.binds || quantity(literal)) continue;
      for_each_variable(literal.left, [&](const Term& variable) { ordinary_.insert(variable.text); });
    }
  }

  bool is_new(const Term& term) const {
    return term.kind == Kind::kVariable && !ordinary_.contains(term.text) && !quantities_.contains(term.text);
  }

  /// velocity(V) gives V its meaning; velocity(18) and velocity(X), where X has one, are equations.
  void read_atom(const OpenLiteral& literal, OpenBody& rest) {
    const auto named = quantity(literal);
    if (!named) {
      rest.push_back(literal);
      return;
    }
    const Quantity& known = vocabulary_.quantities()[*named];
    if (!known.grid)
      throw Wrong{literal.left.place,
                  fmt::format("the quantity {} has no quantum, so no rule can be about it", known.name)};
    const Term& value = literal.left.arguments[0];
    const bool anonymous = value.kind == Kind::kVariable && value.text == "_";
    if (anonymous && !literal.positive)
      throw Wrong{literal.left.place, fmt::format("{} always has a value, so this never holds", known.name)};
    if (anonymous) return;
    if (is_new(value) && literal.positive) {
      quantities_.emplace(value.text, value_of(*named, vocabulary_));
      return;
    }
    const Term itself{Kind::kVariable, fmt::format("ndnf {}", known.name), {}, literal.left.place};
    quantities_.emplace(itself.text, value_of(*named, vocabulary_));
    rest.push_back({true, true, itself,
                    asp() ? (literal.positive ? "=" : "!=") : (literal.positive ? "=:=" : "=\\="), value});
  }

  bool asp() const { return syntax_ == Syntax::kAsp; }

  std::string sign_of(const OpenLiteral& literal) const {
    return asp() ? literal.comparison : asp_comparison(literal.comparison);
  }

  bool has_quantity(const Term& term) const {
    bool found = false;
    for_each_variable(term, [&](const Term& variable) { found |= quantities_.contains(variable.text); });
    return found;
  }

  /// D = V - W gives D its meaning. Whether there was one such equation.
  bool name_sums(OpenBody& body) {
    for (auto literal = body.begin(); literal != body.end(); ++literal) {
      if (!literal->is_comparison() || sign_of(*literal) != "=") continue;
      const Term* name = &literal->left;
      const Term* sum = &literal->right;
      if (!is_new(*name)) std::swap(name, sum);
      if (!is_new(*name) || !has_quantity(*sum)) continue;
      LinearTerm value = linear(*sum, quantities_);
      quantities_.emplace(name->text, std::move(value));
      body.erase(literal);
      return true;
    }
    return false;
  }

  /// D = 2*T, which clingo computes with 32 bits: where D is compared with quantities, we compute it.
  void name_computed(const OpenBody& body) {
    for (const OpenLiteral& literal : body) {
      if (!literal.is_comparison() || sign_of(literal) != "=") continue;
      for (const auto& [name, sum] :
           {std::pair(&literal.left, &literal.right), std::pair(&literal.right, &literal.left)}) {
        const bool computed = sum->kind == Kind::kOperation && sum->text != ".." && !has_quantity(*sum);
        if (computed && is_new(*name)) equations_.emplace(name->text, *sum);
      }
    }
  }

  /// The sum that a side of a comparison is, in which names of other sums are replaced by these.
  LinearTerm sum_of(const Term& side) const {
    LinearTerm sum = linear(side, quantities_);
    for (std::size_t left = equations_.size(); left > 0; --left) {
      LinearTerm next = sum;
      next.others.clear();
      for (const auto& [term, factor] : sum.others) {
        const auto equation = term.kind == Kind::kVariable ? equations_.find(term.text) : equations_.end();
        LinearTerm own;
        own.others.emplace_back(term, 1);
        if (equation != equations_.end()) own = linear(equation->second, quantities_);
        next = plus(std::move(next), times(std::move(own), factor, term.place));
      }
      sum = std::move(next);
    }
    return sum;
  }

  /// To clingo `velocity > 3` compares a symbol with a number, and every symbol is greater than all numbers.
  void refuse_symbols(const OpenLiteral& literal) const {
    const bool equation = sign_of(literal) == "=" || sign_of(literal) == "!=";
    for (const Term* side : {&literal.left, &literal.right}) {
      const Term* symbol = symbol_in(*side);
      if (symbol == nullptr) continue;
      if (vocabulary_.find_quantity(symbol->text))
        throw Wrong{symbol->place,
                    fmt::format("{0} is a quantity, expected its value: {0}(V), V > 5", symbol->text)};
      if (!equation) throw Wrong{symbol->place, unknown_quantity(symbol->text, vocabulary_)};
    }
  }

  OpenLiteral folded_literal(OpenLiteral literal) const {
    if (literal.is_comparison()) refuse_symbols(literal);
    if (!literal.is_comparison() || !(has_quantity(literal.left) || has_quantity(literal.right))) {
      for_each_term(literal, [&](const Term& term) { refuse_quantities(term); });
      return literal;
    }
    const Place place = literal.left.place;
    if (literal.is_conditional()) throw Wrong{place, std::string(kOnlyInBodies)};
    LinearTerm sum = difference(sum_of(literal.left), sum_of(literal.right));
    if (sum.reach >= kComparisonLimit) throw Wrong{place, too_large(sum.reach)};
    OpenLiteral found = compared(sum, sign_of(literal), vocabulary_, place);
    if (found.is_comparison() && !asp()) found.comparison = problog_sign(found.comparison);
    return found;
  }

  const Vocabulary& vocabulary_;
  Syntax syntax_;
  std::set<std::string> ordinary_;  ///< Variables that other atoms bind.
  QuantityTerms quantities_;
  std::map<std::string, Term> equations_;  ///< What clingo computes: D of D = 2*T.
};

bool is_ground(const OpenRule& rule) {
  if (!rule.other_bodies.empty()) return false;
  const std::vector<const Term*> all = heads(rule);
  return std::all_of(all.begin(), all.end(), [](const Term* head) { return is_plain(*head); }) &&
         std::all_of(rule.body.begin(), rule.body.end(), [](const OpenLiteral& literal) {
           return literal.is_plain_atom() && is_plain(literal.left);
         });
}

Rule ground_rule(const OpenRule& rule, std::string written) {
  Rule ground{{}, {}, rule.place(), std::move(written)};
  for (const OpenHead& head : rule.choice) {
    ground.heads.push_back({to_text(head.atom), head.probability, true, head.atom.place});
  }
  if (rule.choice.empty()) ground.heads.push_back({to_text(rule.head), 1, false, rule.place()});
  for (const OpenLiteral& literal : rule.body) {
    ground.body.push_back({to_text(literal.left), literal.positive, literal.left.place});
  }
  return ground;
}

class Folder {
 public:
  Folder(ParsedProgram& parsed, const Vocabulary& vocabulary, Mistakes& mistakes)
      : parsed_(parsed), vocabulary_(vocabulary), mistakes_(mistakes) {}

  void run() {
    for (Statement& statement : parsed_.program.statements) {
      if (Rule* rule = std::get_if<Rule>(&statement.content)) fold_ground(*rule);
    }
    for (OpenRule& rule : std::exchange(parsed_.open, {})) fold_open(std::move(rule));
  }

 private:
  void refuse_head(const std::string& head, Place place) {
    if (quantity_named(head, vocabulary_)) mistakes_.add(place, observed_head(head));
  }

  /// velocity(18) in a ground rule.
  void fold_ground(Rule& rule) {
    for (const HeadAtom& head : rule.heads) refuse_head(head.atom, head.place);
    const bool has_quantities = std::any_of(
        rule.body.begin(), rule.body.end(),
        [&](const BodyLiteral& literal) { return quantity_named(literal.atom, vocabulary_).has_value(); });
    if (!has_quantities) return;
    rule.written = to_text(rule, parsed_.program.syntax);
    for (BodyLiteral& literal : rule.body) {
      if (!quantity_named(literal.atom, vocabulary_)) continue;
      try {
        TokenStream tokens(literal.atom, parsed_.program.syntax);
        OpenLiteral open;
        open.left = TermParser(tokens).atom("an atom");
        open.left.arguments[0].place = open.left.place = literal.place;
        open.positive = literal.positive;
        const OpenBody body = BodyFolder(vocabulary_, parsed_.program.syntax).fold({open});
        literal = {to_text(body[0].left), body[0].positive, literal.place};
      } catch (const Wrong& wrong) {
        mistakes_.add(wrong.place, wrong.what);
      }
    }
  }

  void fold_open(OpenRule rule) {
    const OpenRule original = rule;
    for (const Term* head : heads(rule)) {
      if (quantity_named(*head, vocabulary_)) mistakes_.add(head->place, observed_head(to_text(*head)));
    }
    try {
      for_each_body(rule, [&](OpenBody& body) {
        BodyFolder folder(vocabulary_, parsed_.program.syntax);
        body = folder.fold(body);
        for (const Term* head : heads(rule)) folder.refuse_quantities(*head);
      });
    } catch (const Wrong& wrong) {
      mistakes_.add(wrong.place, wrong.what);
    }
    if (!is_ground(rule)) {
      parsed_.open.push_back(std::move(rule));
      return;
    }
    parsed_.program.statements[rule.statement].content =
        ground_rule(rule, to_text(original, parsed_.program.syntax));
  }

  ParsedProgram& parsed_;
  const Vocabulary& vocabulary_;
  Mistakes& mistakes_;
};

}  // namespace

std::optional<std::uint32_t> quantity_named(const Term& atom, const Vocabulary& vocabulary) {
  if (atom.kind != Kind::kFunction || atom.arguments.size() != 1) return std::nullopt;
  return vocabulary.find_quantity(atom.text);
}

std::optional<std::uint32_t> quantity_named(std::string_view atom, const Vocabulary& vocabulary) {
  const std::size_t open = atom.find('(');
  if (open == std::string_view::npos || arguments(atom).size() != 1) return std::nullopt;
  return vocabulary.find_quantity(atom.substr(0, open));
}

void fold_comparisons(ParsedProgram& parsed, const Vocabulary& vocabulary, Mistakes& mistakes) {
  if (!vocabulary.quantities().empty()) Folder(parsed, vocabulary, mistakes).run();
}

}  // namespace ndnf
