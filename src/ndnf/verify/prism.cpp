#include "ndnf/verify/prism.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/identifier.h"
#include "ndnf/logic/atoms.h"
#include "ndnf/verify/positions_where.h"

namespace ndnf {
namespace {

using PositionId = EpisodeChain::PositionId;

class PrismWriter {
 public:
  explicit PrismWriter(const EpisodeChain& chain)
      : chain_(chain), shift_(chain.starts().size() > 1 ? 1 : 0), names_("l_", {"init", "deadlock"}) {}

  std::string write() {
    out_ = shift_ == 1 ? "// State 0 draws the start: add 1 to step bounds.\n"
                       : "// Step bounds count the agent's decisions.\n";
    out_ += fmt::format("dtmc\n\nmodule policy\n  s : [0..{}] init {};\n", chain_.size() - 1 + shift_,
                        shift_ == 1 ? 0 : chain_.starts()[0].position);
    if (shift_ == 1) write_command(0, chain_.starts());
    for (PositionId p = 0; p < chain_.size(); ++p) write_command(p + shift_, chain_.moves(p));
    out_ += "endmodule\n\n";
    write_labels();
    write_rewards("return", [&](PositionId p) { return chain_.reward(p); });
    write_rewards("length", [&](PositionId p) { return chain_[p].is_end() ? 0.0 : 1.0; });
    return std::move(out_);
  }

 private:
  static PositionId target(const EpisodeChain::Start& start) { return start.position; }
  static PositionId target(const EpisodeChain::Move& move) { return move.next; }

  template <class Entries>
  void write_command(std::size_t state, const Entries& entries) {
    std::vector<std::string> updates;
    for (const auto& entry : entries) {
      updates.push_back(fmt::format("{} : (s'={})", entry.probability, target(entry) + shift_));
    }
    out_ += fmt::format("  [] s={} -> {};\n", state, fmt::join(updates, " + "));
  }

  void write_labels() {
    const Vocabulary& vocabulary = chain_.model().vocabulary();
    for (const std::string& label : property_labels(chain_.model())) {
      write_label(fmt::format("\"{}\"", label), label, {StateFormula::Kind::kLabel, label});
    }
    for (ActionId a = 0; a < vocabulary.action_count(); ++a) {
      const std::string name = action_atom(vocabulary.action_name(a));
      write_label(name, name, {StateFormula::Kind::kAction, "", a});
    }
    for (AtomId a = 0; a < vocabulary.atom_count(); ++a) {
      write_label(vocabulary.atom_name(a), vocabulary.atom_name(a), {StateFormula::Kind::kAtom, "", a});
    }
    out_ += "\n";
  }

  /// `written` is the formula's own form in our properties.
  void write_label(const std::string& written, const std::string& name, const StateFormula& formula) {
    const std::vector<bool> members = positions_where(formula, chain_);
    std::vector<std::string> states;
    for (PositionId p = 0; p < chain_.size(); ++p) {
      if (members[p]) states.push_back(fmt::format("s={}", p + shift_));
    }
    const bool observed = formula.kind == StateFormula::Kind::kAtom;
    if (states.empty() && observed) return;
    out_ += fmt::format("label \"{}\" = {}; // {}\n", names_.add(name),
                        states.empty() ? "false" : fmt::format("{}", fmt::join(states, "|")), written);
  }

  template <class Reward>
  void write_rewards(std::string_view name, Reward reward) {
    out_ += fmt::format("rewards \"{}\"\n", name);
    for (PositionId p = 0; p < chain_.size(); ++p) {
      if (reward(p) != 0) out_ += fmt::format("  s={} : {};\n", p + shift_, reward(p));
    }
    out_ += "endrewards\n";
  }

  const EpisodeChain& chain_;
  std::size_t shift_;  ///< Added to positions: the state that draws the start goes before them.
  Identifiers names_;
  std::string out_;
};

}  // namespace

std::string to_prism(const EpisodeChain& chain) { return PrismWriter(chain).write(); }

}  // namespace ndnf
