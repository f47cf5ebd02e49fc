#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ndnf/mdp/quantity.h"

namespace ndnf {

using AtomId = std::uint32_t;
using ActionId = std::uint32_t;

/// The maximum number of actions of a task: an ActionMask keeps one bit for each.
inline constexpr std::size_t kMaxActions = 64;

/// Atoms of which exactly one is true (one-hot), or a single atom that is true or false.
struct AtomGroup {
  std::string name;
  bool one_hot = true;
  std::vector<std::string> atoms;
  /// Those of its atoms that no definition of an invented predicate may use, such as marks that are not part
  /// of the world. Not part of the fingerprint.
  std::vector<std::string> not_in_definitions{};

  /// A group of one atom, with the same name.
  static AtomGroup single(std::string atom);
  /// `count` atoms prefix0suffix, prefix1suffix, …: one_hot("hand", "hand(", 32, ")").
  static AtomGroup numbered(std::string name, std::string_view prefix, std::size_t count,
                            std::string_view suffix = "");

  /// How many values the group can take: its atoms, or 2 (false, true) for a single atom.
  std::size_t value_count() const { return one_hot ? atoms.size() : 2; }
};

/// The names of a task: atoms in groups, quantities, and actions. This is the only place where names are
/// mapped to numbers. Atoms are numbered group by group. Immutable. Names are unique terms that our own
/// parsers, clingo and ProbLog read in the same way (docs/model-file.md lists the reserved ones).
class Vocabulary {
 public:
  /// There may be no groups at all. Throws Error for an empty group, a duplicate, ill-formed or reserved
  /// name, an empty range, no action, or more than kMaxActions.
  Vocabulary(std::vector<AtomGroup> groups, std::vector<std::string> actions,
             std::vector<Quantity> quantities = {});

  std::size_t atom_count() const { return group_of_.size(); }
  std::size_t group_count() const { return groups_.size(); }
  std::size_t action_count() const { return actions_.size(); }

  const AtomGroup& group(std::size_t g) const { return groups_[g]; }
  AtomId first_atom(std::size_t g) const { return first_atom_[g]; }
  std::size_t group_of(AtomId atom) const { return group_of_[atom]; }
  /// Whether definitions of invented predicates may use the atom.
  bool may_define(AtomId atom) const;
  const std::string& atom_name(AtomId atom) const;
  const std::string& action_name(ActionId action) const { return actions_[action]; }
  const std::vector<std::string>& actions() const { return actions_; }
  std::vector<std::string> atom_names() const;

  /// One per number of a dense row. Images have dense rows without names.
  const std::vector<Quantity>& quantities() const { return quantities_; }

  std::optional<std::uint32_t> find_quantity(std::string_view name) const;
  std::optional<AtomId> find_atom(std::string_view name) const;
  std::optional<ActionId> find_action(std::string_view name) const;

  /// 16 hexadecimal digits that change when any name, group, order or grid changes. Stored in every
  /// checkpoint. `with_quantities` false gives those of atoms and actions alone.
  std::string fingerprint(bool with_quantities = true) const;

 private:
  std::vector<AtomGroup> groups_;
  std::vector<std::string> actions_;
  std::vector<Quantity> quantities_;
  std::vector<AtomId> first_atom_;
  std::vector<std::uint32_t> group_of_;
  std::unordered_map<std::string, AtomId> atom_by_name_;
};

}  // namespace ndnf
