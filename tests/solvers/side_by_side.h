#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "syntax/random_programs.h"

namespace ndnf {

/// Several programs of RandomPrograms combined into one, each with its own derived atoms and actions: one
/// solver call answers for all.
class SideBySide {
 public:
  explicit SideBySide(std::size_t programs) : programs_(programs) {}

  std::shared_ptr<const Vocabulary> vocabulary() const {
    const auto single = RandomPrograms::vocabulary();
    std::vector<AtomGroup> groups;
    for (std::size_t g = 0; g < single->group_count(); ++g) groups.push_back(single->group(g));
    std::vector<std::string> actions;
    for (std::size_t k = 0; k < programs_; ++k) {
      for (const std::string& action : single->actions()) actions.push_back(fmt::format("{}_{}", action, k));
    }
    return std::make_shared<Vocabulary>(std::move(groups), std::move(actions));
  }

  /// Program k has the actions 3k to 3k + 2. REQUIRES: the declared number of programs.
  static Program join(const std::vector<Program>& programs) {
    Program all{programs.front().syntax, "", {}, {}};
    for (std::size_t k = 0; k < programs.size(); ++k) {
      for (Statement statement : programs[k].statements) {
        Rule& rule = std::get<Rule>(statement.content);
        for (HeadAtom& head : rule.heads) head.atom = renamed(head.atom, k);
        for (BodyLiteral& literal : rule.body) literal.atom = renamed(literal.atom, k);
        all.statements.push_back(std::move(statement));
      }
    }
    return all;
  }

 private:
  static std::string renamed(const std::string& atom, std::size_t k) {
    if (atom.starts_with("d(")) return fmt::format("d_{}{}", k, atom.substr(1));
    return atom.starts_with("action(") ? fmt::format("{}_{})", atom.substr(0, atom.size() - 1), k) : atom;
  }

  std::size_t programs_;
};

}  // namespace ndnf
