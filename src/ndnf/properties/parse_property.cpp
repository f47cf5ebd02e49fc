#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/properties/property.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/lexer.h"
#include "ndnf/syntax/physical_comparison.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

using Kind = StateFormula::Kind;

/// More parentheses, negations and connectives than any person writes: formulas are processed recursively.
constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kMaxConnectives = 5000;

/// The digits of a number without point, exponent and leading or trailing zeros: empty for 0, "1" for every
/// power of ten.
std::string digits_of(std::string_view number) {
  std::string digits(number.substr(0, number.find_first_of("eE")));
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  digits.erase(0, digits.find_first_not_of('0'));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

/// Recursive descent, one function per line of the grammar in docs/properties.md.
class PropertyParser {
 public:
  PropertyParser(std::string_view where, std::string_view text, const Vocabulary& vocabulary,
                 std::vector<std::string> labels, bool atoms_only)
      : where_(where),
        lexer_(text, Syntax::kAsp),
        vocabulary_(vocabulary),
        labels_(std::move(labels)),
        atoms_only_(atoms_only) {
    if (const auto hidden = find_hidden_text(text)) fail(hidden->place, hidden->what);
    take();
  }

  Property property() {
    Property property;
    if (now_.text == "never") {
      never(property);
    } else if (now_.text == "P") {
      take();
      comparison(property);
      expect("[");
      property.path = path();
      expect("]");
    } else if (now_.text == "R") {
      reward(property);
    } else {
      fail_expected("P, R or never");
    }
    end();
    return property;
  }

  StateFormula whole_state() {
    StateFormula formula = state();
    end();
    return formula;
  }

 private:
  /// `never A when B`: P<=0 [F (A & B)].
  void never(Property& property) {
    take();
    property.comparison = Property::Comparison::kAtMost;
    property.path.right = state();
    if (now_.text != "when") return;
    take();
    property.path.right = join(Kind::kAnd, std::move(property.path.right), state());
  }

  void reward(Property& property) {
    take();
    expect("{");
    const std::string name = quoted("\"return\" or \"length\"");
    if (name != "return" && name != "length") {
      fail(before_, fmt::format("there is no reward {}", name), suggestion(name, {"return", "length"}));
    }
    property.measure = name == "return" ? Property::Measure::kReturn : Property::Measure::kLength;
    expect("}");
    comparison(property);
    expect("[");
    if (now_.text != "C") fail_expected("C");
    take();
    property.path.steps = steps();
    expect("]");
  }

  void comparison(Property& property) {
    using Comparison = Property::Comparison;
    if (now_.is("=")) {
      take();
      expect("?");
      return;
    }
    if (now_.is(">=")) property.comparison = Comparison::kAtLeast;
    if (now_.is(">")) property.comparison = Comparison::kAbove;
    if (now_.is("<=")) property.comparison = Comparison::kAtMost;
    if (now_.is("<")) property.comparison = Comparison::kBelow;
    if (property.comparison == Comparison::kQuery) fail_expected(">=, >, <=, < or =?");
    take();
    const Token token = now_;
    property.bound = number();
    if (property.measure != Property::Measure::kProbability) return;
    if (!(property.bound >= 0 && property.bound <= 1)) {
      fail(token.place, fmt::format("{} is not a probability", property.bound), "it is from 0 to 1");
    }
    if (property.bound == 1 && digits_of(token.text) != "1") {
      fail(token.place, fmt::format("{} is too close to 1 for a double", token.text),
           "write 1 or fewer digits");
    }
  }

  double number() {
    const bool minus = now_.is("-");
    if (minus) take();
    if (now_.kind != TokenKind::kInteger && now_.kind != TokenKind::kDecimal) fail_expected("a number");
    const double size = std::strtod(std::string(now_.text).c_str(), nullptr);
    if (!std::isfinite(size)) fail(now_.place, fmt::format("{} is too large", now_.text));
    if (size == 0 && !digits_of(now_.text).empty()) {
      fail(now_.place, fmt::format("{} is too small for a double", now_.text), "write 0");
    }
    take();
    return minus ? -size : size;
  }

  PathFormula path() {
    PathFormula path;
    if (now_.text == "X") {
      path.kind = PathFormula::Kind::kNext;
      take();
    } else if (now_.text == "F" || now_.text == "G") {
      path.kind = now_.text == "F" ? PathFormula::Kind::kFinally : PathFormula::Kind::kGlobally;
      take();
      path.steps = steps();
    } else {
      path.kind = PathFormula::Kind::kUntil;
      path.left = state();
      if (now_.text != "U") fail_expected("U (or X, F or G at the beginning)");
      take();
      path.steps = steps();
    }
    path.right = state();
    return path;
  }

  std::optional<std::size_t> steps() {
    if (!now_.is("<=")) return std::nullopt;
    take();
    const Token token = now_;
    if (token.kind != TokenKind::kInteger) fail_expected("a number of steps");
    take();
    constexpr std::size_t kMaxDigits = 9;
    if (token.text.size() > kMaxDigits) fail(token.place, fmt::format("{} steps are too many", token.text));
    return static_cast<std::size_t>(std::strtoull(std::string(token.text).c_str(), nullptr, 10));
  }

  /// An implication; `=>` has the lowest precedence and is right-associative.
  StateFormula state() {
    if (++depth_ > kMaxDepth) fail(now_.place, "the formula is nested too deeply");
    StateFormula left = disjunction();
    if (now_.is("=")) {
      take();
      expect(">");
      left = join(Kind::kImplies, std::move(left), state());
    }
    --depth_;
    return left;
  }

  StateFormula disjunction() {
    StateFormula left = conjunction();
    while (now_.is("|")) {
      take();
      left = join(Kind::kOr, std::move(left), conjunction());
    }
    return left;
  }

  StateFormula conjunction() {
    StateFormula left = negation();
    while (now_.is("&") || now_.is(",")) {
      take();
      left = join(Kind::kAnd, std::move(left), negation());
    }
    return left;
  }

  StateFormula negation() {
    if (now_.text != "!" && now_.text != "not") return primary();
    if (++depth_ > kMaxDepth) fail(now_.place, "the formula is nested too deeply");
    take();
    StateFormula formula{Kind::kNot};
    formula.parts.push_back(negation());
    --depth_;
    return formula;
  }

  StateFormula primary() {
    if (now_.is("(")) {
      take();
      StateFormula inner = state();
      expect(")");
      return inner;
    }
    if (now_.kind == TokenKind::kQuoted && !atoms_only_) return label();
    if (at_physical_comparison(now_, lexer_, vocabulary_)) return numbers();
    if (now_.kind != TokenKind::kName) {
      fail_expected(atoms_only_ ? "an atom, not or (" : "an atom, \"a label\", action(NAME), ! or (");
    }
    if (now_.text == "true" || now_.text == "false") {
      const Kind kind = now_.text == "true" ? Kind::kTrue : Kind::kFalse;
      take();
      return {kind};
    }
    return atom();
  }

  StateFormula label() {
    const std::string name = quoted("a label");
    if (std::find(labels_.begin(), labels_.end(), name) == labels_.end()) {
      fail(before_, fmt::format("there is no label {}", name), suggestion(name, labels_));
    }
    return {Kind::kLabel, name};
  }

  StateFormula atom() {
    const Place place = now_.place;
    std::string name(now_.text);
    take();
    if (now_.is("(")) name += arguments();
    if (const auto id = vocabulary_.find_atom(name)) return {Kind::kAtom, "", *id};
    if (!atoms_only_) {
      if (const auto action = action_of(name)) {
        if (const auto id = vocabulary_.find_action(*action)) return {Kind::kAction, "", *id};
        fail(place, fmt::format("there is no action {}", *action),
             suggestion(*action, vocabulary_.actions()));
      }
      if (std::find(labels_.begin(), labels_.end(), name) != labels_.end()) {
        fail(place, fmt::format("there is no atom {}", name),
             fmt::format("the label is written \"{}\"", name));
      }
    }
    fail(place, fmt::format("there is no atom {}", name), suggestion(name, known_names()));
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names = vocabulary_.atom_names();
    for (const Quantity& quantity : vocabulary_.quantities()) names.push_back(quantity.name);
    return names;
  }

  StateFormula numbers() {
    try {
      StateFormula formula{Kind::kNumbers};
      formula.numbers = read_physical_comparison(now_, lexer_, vocabulary_);
      return formula;
    } catch (const Wrong& wrong) {
      fail(wrong.place, wrong.what);
    }
  }

  /// From "(" to the matching ")", without spaces.
  std::string arguments() {
    std::string text;
    std::size_t open = 0;
    do {
      if (now_.kind == TokenKind::kEnd) fail_expected(")");
      if (now_.is("(")) ++open;
      if (now_.is(")")) --open;
      text += now_.text;
      take();
    } while (open > 0);
    return text;
  }

  std::string quoted(const std::string& what) {
    if (now_.kind != TokenKind::kQuoted) fail_expected(what);
    const std::string_view inside = now_.text.substr(1, now_.text.size() - 2);
    take();
    return std::string(inside);
  }

  StateFormula join(Kind kind, StateFormula left, StateFormula right) {
    if (++connectives_ > kMaxConnectives) fail(now_.place, "the formula is too long");
    StateFormula formula{kind};
    formula.parts.push_back(std::move(left));
    formula.parts.push_back(std::move(right));
    return formula;
  }

  void take() {
    before_ = now_.place;
    now_ = lexer_.next();
  }
  void expect(std::string_view symbol) {
    if (!now_.is(symbol)) fail_expected(std::string(symbol));
    take();
  }
  void end() {
    if (now_.kind != TokenKind::kEnd) fail_expected("the end");
  }
  [[noreturn]] void fail_expected(const std::string& what) const {
    const bool over = now_.kind == TokenKind::kEnd;
    fail(now_.place, fmt::format("{}, expected {}",
                                 over ? "it ends too early" : fmt::format("found {}", now_.text), what));
  }
  [[noreturn]] void fail(Place place, const std::string& what, const std::string& hint = "") const {
    throw Error({where_, place}, what, hint);
  }

  std::string where_;
  Lexer lexer_;
  const Vocabulary& vocabulary_;
  std::vector<std::string> labels_;
  bool atoms_only_;
  Token now_;
  Place before_{};  ///< Of the token taken last.
  std::size_t depth_ = 0;
  std::size_t connectives_ = 0;
};

}  // namespace

Property parse_property(std::string_view where, std::string_view text, const Vocabulary& vocabulary,
                        std::vector<std::string> labels) {
  Property property = PropertyParser(where, text, vocabulary, std::move(labels), false).property();
  property.text = text;
  return property;
}

Property parse_property(std::string_view where, std::string_view text, const FiniteModel& model) {
  return parse_property(where, text, model.vocabulary(), property_labels(model));
}

StateFormula parse_observation(std::string_view where, std::string_view text, const Vocabulary& vocabulary) {
  return PropertyParser(where, text, vocabulary, {}, true).whole_state();
}

}  // namespace ndnf
