#include "ndnf/mdp/vocabulary.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/fingerprint.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/mdp/reserved_names.h"

namespace ndnf {
namespace {

bool is_word(std::string_view text) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::islower(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), letter) && text != "not";
}

/// An integer as clingo reads it: 32 bits, no leading zero, no −0.
bool is_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::int32_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && value >= 0 &&
         (text[0] != '0' || (text.size() == 1 && !negative)) && text[0] != '-';
}

/// The parts between commas.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// A ground term as clingo and ProbLog read it: `usable_ace`, `hand(18)`, `at(1,2)`.
struct Name {
  std::string_view word;
  std::vector<std::string_view> arguments;

  explicit Name(std::string_view name) : word(name.substr(0, name.find('('))) {
    if (word.size() == name.size()) return;
    const bool closed = name.back() == ')';
    arguments = split(name.substr(word.size() + 1, name.size() - word.size() - (closed ? 2 : 1)));
    if (!closed) arguments.emplace_back();  // empty, hence invalid
  }

  bool is_term() const {
    return is_word(word) && std::all_of(arguments.begin(), arguments.end(), [](std::string_view argument) {
             return is_word(argument) || is_number(argument);
           });
  }
};

void require_term(std::string_view kind, const std::string& name) {
  if (!Name(name).is_term()) {
    throw Error("", fmt::format("the {} name \"{}\" is not a term", kind, name),
                "a name starts with a lower-case letter, as in usable_ace or hand(18), and is not the word "
                "not");
  }
}

void require_free(const std::string& atom) {
  const Name name(atom);
  if (is_reserved_atom(name.word, name.arguments.size())) {
    throw Error("", fmt::format("the atom name {} is reserved", atom),
                "so are true, false, action/1, forbidden/1, ndnf_… and ProbLog's built-ins, such as "
                "write/1 or mod");
  }
}

/// Units are written into the first lines of programs.
void require_unit(const Quantity& quantity) {
  const auto breaks = [](char c) { return c == '\t' || c == '\n'; };
  if (find_hidden(quantity.unit) || std::any_of(quantity.unit.begin(), quantity.unit.end(), breaks))
    throw Error("", fmt::format("the unit of {} has a control character", quantity.name),
                "a unit is one word, such as m/s");
}

bool contains(const std::vector<std::string>& atoms, const std::string& atom) {
  return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
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

Vocabulary::Vocabulary(std::vector<AtomGroup> groups, std::vector<std::string> actions,
                       std::vector<Quantity> quantities)
    : groups_(std::move(groups)), actions_(std::move(actions)), quantities_(std::move(quantities)) {
  std::set<std::string_view> numbers;
  for (const Quantity& quantity : quantities_) {
    require_term("quantity", quantity.name);
    require_free(quantity.name);
    if (is_word(quantity.name)) require_free(quantity.name + "(0)");
    require_unit(quantity);
    if (!numbers.insert(quantity.name).second)
      throw Error("", fmt::format("the quantity {} is named twice", quantity.name));
    if (!(quantity.low < quantity.high))
      throw Error("", fmt::format("the range of {} is empty", quantity.name));
    if (quantity.grid && !is_word(quantity.name))
      throw Error("", fmt::format("the quantity name {} has arguments", quantity.name),
                  "rules name its value, as in velocity(V)");
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const AtomGroup& group = groups_[g];
    if (group.atoms.empty()) throw Error("", fmt::format("the group {} has no atoms", group.name));
    if (!group.one_hot && group.atoms.size() != 1) {
      throw Error("", fmt::format("the group {} is not one-hot and must have one atom", group.name));
    }
    first_atom_.push_back(static_cast<AtomId>(group_of_.size()));
    for (const std::string& atom : group.atoms) {
      require_term("atom", atom);
      require_free(atom);
      if (const Name name(atom); name.arguments.size() == 1 && numbers.contains(name.word))
        throw Error("", fmt::format("the atom {} has the name of a quantity", atom));
      const bool added = atom_by_name_.emplace(atom, static_cast<AtomId>(group_of_.size())).second;
      if (!added) throw Error("", fmt::format("the atom {} is named twice", atom));
      group_of_.push_back(static_cast<std::uint32_t>(g));
    }
    for (const std::string& atom : group.not_in_definitions) {
      if (contains(group.atoms, atom)) continue;
      throw Error("", fmt::format("the group {} has no atom {}", group.name, atom));
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

bool Vocabulary::may_define(AtomId atom) const {
  return !contains(groups_[group_of_[atom]].not_in_definitions, atom_name(atom));
}

std::vector<std::string> Vocabulary::atom_names() const {
  std::vector<std::string> names;
  names.reserve(atom_count());
  for (const AtomGroup& group : groups_) names.insert(names.end(), group.atoms.begin(), group.atoms.end());
  return names;
}

std::optional<std::uint32_t> Vocabulary::find_quantity(std::string_view name) const {
  const auto found = std::find_if(quantities_.begin(), quantities_.end(),
                                  [&](const Quantity& quantity) { return quantity.name == name; });
  if (found == quantities_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - quantities_.begin());
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

std::string Vocabulary::fingerprint(bool with_quantities) const {
  Fingerprint fingerprint;
  for (const AtomGroup& group : groups_) {
    fingerprint.add(group.one_hot ? "one-hot" : "single");
    for (const std::string& atom : group.atoms) fingerprint.add(atom);
  }
  for (const Quantity& quantity : quantities_) {
    if (!with_quantities) break;
    fingerprint.add("quantity");
    fingerprint.add(quantity.name);
    if (!quantity.grid) continue;
    const Grid& grid = *quantity.grid;
    fingerprint.add(fmt::format("{} {} {}", grid.quantum, grid.lowest, grid.highest));
  }
  fingerprint.add("actions");
  for (const std::string& action : actions_) fingerprint.add(action);
  return fingerprint.hex();
}

}  // namespace ndnf
