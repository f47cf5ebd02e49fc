#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ndnf/logic/bound_program.h"
#include "ndnf/syntax/dependency_order.h"
#include "ndnf/syntax/mistakes.h"

namespace ndnf {

/// Compiles a Program to a BoundProgram: names become bits, and derived atoms are put in evaluation order.
class ProgramBinder {
 public:
  ProgramBinder(const Program& program, BoundProgram& bound);
  /// Throws Error with all mistakes.
  void run();

 private:
  /// The atom is a bit of the state. Derived atoms are numbered in order of appearance until their evaluation
  /// order is known.
  struct Literal {
    std::uint32_t atom;
    bool positive;
  };
  struct NamedRule {
    std::size_t statement;
    std::optional<std::uint32_t> defines;  ///< The derived atom it defines.
    std::optional<ActionId> decides;       ///< Its action, if that occurs in no body.
    std::vector<Literal> body;
    bool possible = true;  ///< False if it needs an atom that is `#defined` but never true.
  };

  void collect_names();
  void collect(const BodyLiteral& literal);
  /// The number of bits of the state that are observed: atoms, then comparisons of quantities.
  std::uint32_t observed() const;
  void add_definition(const std::string& atom, Place place);
  void check_heads(const Rule& rule);
  void check_head(const Rule& rule, const HeadAtom& head);
  void check_action(std::string_view action, Place place);
  void name_rule(std::size_t statement, const Rule& rule);
  /// An annotated rule that is more than a choice of actions: some body refers to one of its heads.
  bool is_draw(const Rule& rule) const;
  void name_draw(NamedRule rule, const std::vector<HeadAtom>& heads);
  std::uint32_t add_own_atom();
  void name_literal(const BodyLiteral& literal, NamedRule& rule);
  void report_unknown(const BodyLiteral& literal);
  void order_derived_atoms();
  std::vector<bool> needed_atoms() const;
  void report_cycle(const std::vector<std::uint32_t>& cycle);
  void emit();
  void emit_rule(const NamedRule& rule);
  void emit_actions();
  void emit_draws();
  bool emit_checks(const NamedRule& rule, std::vector<BoundProgram::Check>& checks) const;

  const Program& program_;
  BoundProgram& bound_;
  const Vocabulary& vocabulary_;
  Mistakes mistakes_;
  std::unordered_map<std::string_view, std::uint32_t> comparisons_;  ///< By their atoms.
  std::unordered_map<std::string_view, std::uint32_t> derived_;      ///< By name, in order of appearance.
  std::vector<std::string_view> derived_names_;
  std::vector<Place> derived_places_;
  std::vector<std::uint32_t> rank_;             ///< Per derived atom: its position in the evaluation order.
  std::unordered_set<std::string_view> asked_;  ///< Atoms in bodies.
  std::unordered_set<std::string> allowed_unknown_;  ///< Signatures under `#defined`.
  std::unordered_set<std::string_view> reported_;
  /// The places of the heads on each cycle that was reported.
  std::set<std::set<std::pair<std::uint32_t, std::uint32_t>>> reported_cycles_;
  std::vector<NamedRule> rules_;
  /// A draw: an atom for "its body holds", and one per head for "this alternative is drawn", with its
  /// probability.
  struct Draw {
    std::uint32_t holds;
    std::vector<std::pair<std::uint32_t, double>> picks;
  };
  std::vector<Draw> draws_;
  Dependencies needs_;  ///< Per derived atom.
  /// Per derived atom, before its position is known: the last definition emitted for it.
  std::map<std::uint32_t, std::size_t> emitted_;
};

}  // namespace ndnf
