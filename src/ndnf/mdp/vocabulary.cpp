#include "ndnf/mdp/vocabulary.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/fingerprint.h"

namespace ndnf {
namespace {

/// A ground term as clingo and ProbLog read it: `usable_ace`, `hand(18)`, `at(1,2)`.
bool is_term(std::string_view name) {
  const auto word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || std::islower(static_cast<unsigned char>(name[0])) == 0) return false;
  const std::size_t open = std::min(name.find('('), name.size());
  if (!std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(open), word)) return false;
  if (open == name.size()) return true;
  if (name.back() != ')') return false;
  const std::string_view arguments = name.substr(open + 1, name.size() - open - 2);
  return !arguments.empty() && arguments.front() != ',' && arguments.back() != ',' &&
         std::all_of(arguments.begin(), arguments.end(),
                     [&](unsigned char c) { return word(c) || c == ','; });
}

void require_term(std::string_view kind, const std::string& name) {
  if (!is_term(name)) {
    throw Error("", fmt::format("the {} name \"{}\" is not a term", kind, name),
                "a name starts with a small letter, as in usable_ace or hand(18)");
  }
}

}  // namespace

AtomGroup AtomGroup::single(std::string atom) {
  std::string name = atom;
  return {std::move(name), false, {std::move(atom)}};
}

AtomGroup AtomGroup::numbered(std::string name, std::string_view prefix, std::size_t count,
                              std::string_view suffix) {
  AtomGroup group{std::move(name), true, {}};
  group.atoms.reserve(count);
  for (std::size_t i = 0; i < count; ++i) group.atoms.push_back(fmt::format("{}{}{}", prefix, i, suffix));
  return group;
}

Vocabulary::Vocabulary(std::vector<AtomGroup> groups, std::vector<std::string> actions)
    : groups_(std::move(groups)), actions_(std::move(actions)) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const AtomGroup& group = groups_[g];
    if (group.atoms.empty()) throw Error("", fmt::format("the group {} has no atoms", group.name));
    if (!group.one_hot && group.atoms.size() != 1) {
      throw Error("", fmt::format("the group {} is not one-hot and must have one atom", group.name));
    }
    first_atom_.push_back(static_cast<AtomId>(group_of_.size()));
    for (const std::string& atom : group.atoms) {
      require_term("atom", atom);
      const bool added = atom_by_name_.emplace(atom, static_cast<AtomId>(group_of_.size())).second;
      if (!added) throw Error("", fmt::format("the atom {} is named twice", atom));
      group_of_.push_back(static_cast<std::uint32_t>(g));
    }
  }
  if (actions_.empty() || actions_.size() > kMaxActions) {
    throw Error("", fmt::format("there are {} actions", actions_.size()),
                fmt::format("a task has 1 to {}", kMaxActions));
  }
  for (const std::string& action : actions_) require_term("action", action);
  if (std::set<std::string>(actions_.begin(), actions_.end()).size() != actions_.size()) {
    throw Error("", "an action is named twice");
  }
}

const std::string& Vocabulary::atom_name(AtomId atom) const {
  const std::size_t g = group_of_[atom];
  return groups_[g].atoms[atom - first_atom_[g]];
}

std::vector<std::string> Vocabulary::atom_names() const {
  std::vector<std::string> names;
  names.reserve(atom_count());
  for (const AtomGroup& group : groups_) names.insert(names.end(), group.atoms.begin(), group.atoms.end());
  return names;
}

std::optional<AtomId> Vocabulary::find_atom(std::string_view name) const {
  const auto found = atom_by_name_.find(std::string(name));
  if (found == atom_by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<ActionId> Vocabulary::find_action(std::string_view name) const {
  const auto found = std::find(actions_.begin(), actions_.end(), name);
  if (found == actions_.end()) return std::nullopt;
  return static_cast<ActionId>(found - actions_.begin());
}

std::string Vocabulary::fingerprint() const {
  Fingerprint fingerprint;
  for (const AtomGroup& group : groups_) {
    fingerprint.add(group.one_hot ? "one-hot" : "single");
    for (const std::string& atom : group.atoms) fingerprint.add(atom);
  }
  fingerprint.add("actions");
  for (const std::string& action : actions_) fingerprint.add(action);
  return fingerprint.hex();
}

}  // namespace ndnf
