#include "ndnf/logic/program_binder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/reserved_names.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/name_checker.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

constexpr std::size_t kWordBits = 64;
/// The maximum number of names compared with an unknown one.
constexpr std::size_t kCandidates = 4096;

}  // namespace

BoundProgram::BoundProgram(const Program& program, std::shared_ptr<const Vocabulary> vocabulary)
    : vocabulary_(std::move(vocabulary)), syntax_(program.syntax) {
  ProgramBinder(program, *this).run();
}

ProgramBinder::ProgramBinder(const Program& program, BoundProgram& bound)
    : program_(program), bound_(bound), vocabulary_(*bound.vocabulary_), mistakes_(program.source) {}

void ProgramBinder::run() {
  collect_names();
  for (std::size_t s = 0; s < program_.statements.size(); ++s) {
    const Rule* rule = std::get_if<Rule>(&program_.statements[s].content);
    if (rule == nullptr) continue;
    check_heads(*rule);
    name_rule(s, *rule);
  }
  order_derived_atoms();
  mistakes_.throw_if_any();
  emit();
}

/// Determines the derived atoms. Actions are derived atoms if they occur in a body, or are drawn together
/// with one that does.
void ProgramBinder::collect_names() {
  for (const Statement& statement : program_.statements) {
    if (const Rule* rule = std::get_if<Rule>(&statement.content)) {
      for (const BodyLiteral& literal : rule->body) collect(literal);
    } else {
      for (const std::string_view name : defined_signatures(std::get<Directive>(statement.content))) {
        allowed_unknown_.emplace(name);
      }
    }
  }
  for (const Statement& statement : program_.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    for (const HeadAtom& head : rule->heads) {
      if (!action_of(head.atom) || asked_.contains(head.atom) || is_draw(*rule)) {
        add_definition(head.atom, head.place);
      }
    }
  }
}

void ProgramBinder::collect(const BodyLiteral& literal) {
  if (!is_comparison(literal.atom)) {
    asked_.insert(literal.atom);
    return;
  }
  const auto [number, added] =
      comparisons_.emplace(literal.atom, static_cast<std::uint32_t>(bound_.comparisons_.size()));
  if (!added) return;
  try {
    bound_.comparisons_.push_back(*comparison_of(literal.atom, vocabulary_));
  } catch (const Error& error) {
    bound_.comparisons_.emplace_back();
    mistakes_.add(literal.place, error.complaints().front().what);
  }
}

std::uint32_t ProgramBinder::observed() const {
  return static_cast<std::uint32_t>(vocabulary_.atom_count() + bound_.comparisons_.size());
}

void ProgramBinder::add_definition(const std::string& atom, Place place) {
  if (!derived_.emplace(atom, static_cast<std::uint32_t>(derived_names_.size())).second) return;
  derived_names_.push_back(atom);
  derived_places_.push_back(place);
}

void ProgramBinder::check_heads(const Rule& rule) {
  if (rule.heads.empty() || (rule.heads.size() > 1 && program_.syntax == Syntax::kAsp)) {
    mistakes_.add(rule.place, fmt::format("the rule has {} heads, expected one", rule.heads.size()));
  }
  for (const HeadAtom& head : rule.heads) check_head(rule, head);
  const double sum = sum_of_annotations(rule);
  if (!(sum <= kLargestSum)) {
    mistakes_.add(rule.place, fmt::format("the probabilities sum to {}, expected at most 1", sum));
  }
}

void ProgramBinder::check_head(const Rule& rule, const HeadAtom& head) {
  const std::optional<std::string_view> action = action_of(head.atom);
  if (action) check_action(*action, head.place);
  if (vocabulary_.find_atom(head.atom)) {
    mistakes_.add(head.place, observed_head(head.atom));
  }
  if (head.annotated && program_.syntax == Syntax::kAsp) {
    mistakes_.add(head.place, fmt::format("{} has a probability, expected none in ASP", head.atom));
  } else if (!head.annotated && rule.heads.size() > 1) {
    mistakes_.add(head.place,
                  fmt::format("{} has no probability, expected one for each alternative", head.atom));
  }
  if (!(head.probability >= 0 && head.probability <= 1)) {
    mistakes_.add(head.place, fmt::format("the probability of {} is {}, expected one from 0 to 1", head.atom,
                                          head.probability));
  }
}

void ProgramBinder::check_action(std::string_view action, Place place) {
  if (mistakes_.enough() || vocabulary_.find_action(action)) return;
  mistakes_.add(place, unknown_action(action, vocabulary_));
}

bool ProgramBinder::is_draw(const Rule& rule) const {
  return std::any_of(rule.heads.begin(), rule.heads.end(), [&](const HeadAtom& head) {
    return head.annotated && (!action_of(head.atom) || asked_.contains(head.atom));
  });
}

void ProgramBinder::name_rule(std::size_t statement, const Rule& rule) {
  NamedRule named{statement, std::nullopt, std::nullopt, {}, true};
  for (const BodyLiteral& literal : rule.body) name_literal(literal, named);
  if (rule.heads.empty()) return;
  if (is_draw(rule)) return name_draw(std::move(named), rule.heads);
  const std::string& head = rule.heads.front().atom;
  if (const auto found = derived_.find(head); found != derived_.end() && !rule.heads.front().annotated) {
    named.defines = found->second;
  } else if (const auto action = action_of(head)) {
    named.decides = vocabulary_.find_action(*action);
  }
  rules_.push_back(std::move(named));
}

/// `p::a ; q::b :- body` becomes `holds :- body`, `a :- holds, pick_a` and `b :- holds, pick_b`: in each
/// possible world at most one of the picks is true.
void ProgramBinder::name_draw(NamedRule rule, const std::vector<HeadAtom>& heads) {
  const std::uint32_t atoms = observed();
  Draw draw{add_own_atom(), {}};
  rule.defines = draw.holds;
  rules_.push_back(std::move(rule));
  for (const HeadAtom& head : heads) {
    const std::uint32_t pick = add_own_atom();
    draw.picks.emplace_back(pick, head.probability);
    rules_.push_back({BoundProgram::kNoStatement,
                      derived_.at(head.atom),
                      std::nullopt,
                      {{atoms + draw.holds, true}, {atoms + pick, true}},
                      true});
  }
  draws_.push_back(std::move(draw));
}

std::uint32_t ProgramBinder::add_own_atom() {
  derived_names_.push_back(kConstraint);  // a reserved name, never shown
  derived_places_.emplace_back();
  return static_cast<std::uint32_t>(derived_names_.size() - 1);
}

void ProgramBinder::name_literal(const BodyLiteral& literal, NamedRule& rule) {
  const std::uint32_t atoms = observed();
  if (const auto atom = vocabulary_.find_atom(literal.atom)) {
    rule.body.push_back({*atom, literal.positive});
  } else if (const auto number = comparisons_.find(literal.atom); number != comparisons_.end()) {
    const auto first = static_cast<std::uint32_t>(vocabulary_.atom_count());
    rule.body.push_back({first + number->second, literal.positive});
  } else if (const auto found = derived_.find(literal.atom); found != derived_.end()) {
    rule.body.push_back({atoms + found->second, literal.positive});
  } else if (!allowed_unknown_.empty() && allowed_unknown_.contains(signature(literal.atom))) {
    rule.possible &= !literal.positive;
  } else {
    report_unknown(literal);
  }
}

void ProgramBinder::report_unknown(const BodyLiteral& literal) {
  if (mistakes_.enough() || !reported_.insert(literal.atom).second) return;
  std::vector<std::string> known = vocabulary_.atom_names();
  const std::size_t room = std::min(kCandidates, derived_names_.size());
  known.insert(known.end(), derived_names_.begin(),
               derived_names_.begin() + static_cast<std::ptrdiff_t>(room));
  mistakes_.add(literal.place, unknown_atom(literal.atom, known));
}

/// Sorts derived atoms so that each comes after those it depends on, and the rules accordingly.
void ProgramBinder::order_derived_atoms() {
  const std::uint32_t atoms = observed();
  needs_.resize(derived_names_.size());
  for (const NamedRule& rule : rules_) {
    if (!rule.defines) continue;
    for (const Literal& literal : rule.body) {
      if (literal.atom >= atoms) needs_[*rule.defines].push_back(literal.atom - atoms);
    }
  }
  const DependencyOrder sorted = order_by_dependency(needs_);
  for (const std::vector<std::uint32_t>& cycle : sorted.cycles) report_cycle(cycle);
  rank_.resize(derived_names_.size());
  for (std::uint32_t i = 0; i < sorted.order.size(); ++i) rank_[sorted.order[i]] = i;
  std::stable_sort(rules_.begin(), rules_.end(), [this](const NamedRule& a, const NamedRule& b) {
    return a.defines && b.defines ? rank_[*a.defines] < rank_[*b.defines] : a.defines && !b.defines;
  });
}

/// Instances of the same rules have the same mistake: it is reported once.
void ProgramBinder::report_cycle(const std::vector<std::uint32_t>& cycle) {
  constexpr std::size_t kShown = 8;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::vector<std::uint32_t> named;  // without auxiliary atoms
  for (const std::uint32_t atom : cycle) {
    places.insert({derived_places_[atom].line, derived_places_[atom].column});
    if (!is_ours(derived_names_[atom])) named.push_back(atom);
  }
  if (named.empty()) named = cycle;
  if (places.begin()->first > 0 && !reported_cycles_.insert(places).second) return;
  std::string path;
  for (std::size_t i = 0; i < std::min(named.size(), kShown); ++i) {
    path += fmt::format("{} → ", derived_names_[named[i]]);
  }
  if (named.size() > kShown) path += "… → ";
  mistakes_.add(
      derived_places_[named[0]],
      fmt::format("recursion is not supported: {}{}; a policy has exactly one answer, and an atom that "
                  "depends on itself may have none or several",
                  path, derived_names_[named[0]]));
}

void ProgramBinder::emit() {
  bound_.state_words_ =
      std::max<std::size_t>(1, (observed() + derived_names_.size() + kWordBits - 1) / kWordBits);
  for (const NamedRule& rule : rules_) emit_rule(rule);
  emit_actions();
  emit_draws();
  for (const Statement& statement : program_.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    bound_.auxiliary_.push_back(rule != nullptr && is_auxiliary(rule->heads.front().atom));
  }
  const auto constraint = derived_.find(kConstraint);
  if (constraint == derived_.end()) return;
  bound_.violated_ = observed() + rank_[constraint->second];
}

void ProgramBinder::emit_rule(const NamedRule& rule) {
  const std::uint32_t atoms = observed();
  if (!rule.possible) return;
  BoundProgram::Bodies& bodies = rule.defines ? bound_.definitions_ : bound_.decisions_;
  if (!emit_checks(rule, bodies.checks)) return;
  std::uint32_t target = rule.defines ? atoms + rank_[*rule.defines] : rule.decides.value_or(0);
  if (rule.defines) emitted_[*rule.defines] = bodies.rules.size();
  if (!rule.defines && program_.syntax == Syntax::kProbLog) {
    const auto choices = choices_of(std::get<Rule>(program_.statements[rule.statement].content), vocabulary_);
    bound_.choices_.insert(bound_.choices_.end(), choices.begin(), choices.end());
    target = static_cast<std::uint32_t>(bound_.choices_.size());
  }
  bodies.rules.push_back({static_cast<std::uint32_t>(bodies.checks.size()), target, rule.statement});
}

/// Actions that occur in bodies are derived atoms; here they become decisions.
void ProgramBinder::emit_actions() {
  const std::uint32_t atoms = observed();
  for (std::size_t i = 0; i < derived_names_.size(); ++i) {
    const auto action = action_of(derived_names_[i]);
    if (!action) continue;
    const std::uint32_t bit = atoms + rank_[i];
    const std::uint64_t mask = std::uint64_t{1} << (bit % kWordBits);
    bound_.decisions_.checks.push_back({mask, mask, bit / kWordBits});
    std::uint32_t target = *vocabulary_.find_action(*action);
    if (program_.syntax == Syntax::kProbLog) {
      bound_.choices_.push_back({static_cast<ActionId>(target), 1});
      target = static_cast<std::uint32_t>(bound_.choices_.size());
    }
    bound_.decisions_.rules.push_back(
        {static_cast<std::uint32_t>(bound_.decisions_.checks.size()), target, BoundProgram::kNoStatement});
  }
}

/// Only draws on which an action may depend, in the order of evaluation.
void ProgramBinder::emit_draws() {
  const std::uint32_t atoms = observed();
  const std::vector<bool> needed = needed_atoms();
  for (const Draw& draw : draws_) {
    const auto rule = emitted_.find(draw.holds);
    if (rule == emitted_.end() || !needed[draw.holds]) continue;
    BoundProgram::Draw emitted{rule->second, atoms + rank_[draw.holds], {}};
    for (const auto& [pick, probability] : draw.picks) {
      if (probability > 0) emitted.picks.push_back({atoms + rank_[pick], probability});
    }
    bound_.draws_.push_back(std::move(emitted));
  }
  std::sort(bound_.draws_.begin(), bound_.draws_.end(),
            [](const BoundProgram::Draw& a, const BoundProgram::Draw& b) { return a.rule < b.rule; });
}

/// The derived atoms on which a decision depends.
std::vector<bool> ProgramBinder::needed_atoms() const {
  const std::uint32_t atoms = observed();
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < derived_names_.size(); ++i) {
    if (action_of(derived_names_[i])) open.push_back(i);
  }
  for (const NamedRule& rule : rules_) {
    if (rule.defines) continue;
    for (const Literal& literal : rule.body) {
      if (literal.atom >= atoms) open.push_back(literal.atom - atoms);
    }
  }
  std::vector<bool> needed(derived_names_.size(), false);
  while (!open.empty()) {
    const std::uint32_t atom = open.back();
    open.pop_back();
    if (needed[atom]) continue;
    needed[atom] = true;
    open.insert(open.end(), needs_[atom].begin(), needs_[atom].end());
  }
  return needed;
}

/// One check per word that the body uses, or one that always holds. False, without checks, if the body
/// contradicts itself.
bool ProgramBinder::emit_checks(const NamedRule& rule, std::vector<BoundProgram::Check>& checks) const {
  const std::uint32_t atoms = observed();
  std::vector<Literal> body = rule.body;
  for (Literal& literal : body) {
    if (literal.atom >= atoms) literal.atom = atoms + rank_[literal.atom - atoms];
  }
  std::sort(body.begin(), body.end(), [](const Literal& a, const Literal& b) { return a.atom < b.atom; });
  const std::size_t begin = checks.size();
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Literal literal = body[i];
    if (i > 0 && body[i - 1].atom == literal.atom && body[i - 1].positive != literal.positive) {
      checks.resize(begin);
      return false;
    }
    if (checks.size() == begin || checks.back().word != literal.atom / kWordBits) {
      checks.push_back({0, 0, literal.atom / kWordBits});
    }
    const std::uint64_t bit = std::uint64_t{1} << (literal.atom % kWordBits);
    checks.back().mask |= bit;
    if (literal.positive) checks.back().value |= bit;
  }
  if (body.empty()) checks.push_back({0, 0, 0});
  return true;
}

}  // namespace ndnf
