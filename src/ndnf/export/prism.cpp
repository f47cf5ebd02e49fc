#include "ndnf/export/prism.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/identifier.h"
#include "ndnf/properties/positions_where.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

using PositionId = EpisodeChain::PositionId;

class PrismWriter {
 public:
  explicit PrismWriter(const EpisodeChain& chain)
      : chain_(chain), limit_(chain.model().horizon()), names_("l_", {"init", "deadlock"}) {
    for (const auto& start : chain.starts()) add_updates(start.probability, start.arrival, 0, first_);
    shift_ = first_.size() > 1 ? 1 : 0;
  }

  std::string write() {
    out_ = shift_ == 1 ? "// State 0 draws the start: add 1 to step bounds.\n"
                       : "// Step bounds count the agent's decisions.\n";
    if (chain_.truncates()) out_ += fmt::format("// Episodes stop after {} steps: t counts them.\n", limit_);
    if (chain_.model().discount() < 1) {
      out_ += fmt::format("// Rewards are discounted by {} per step.\n", chain_.model().discount());
    }
    out_ += fmt::format("dtmc\n\nmodule policy\n  s : [0..{}] init {};\n", chain_.size() - 1 + shift_,
                        shift_ == 1 ? 0 : first_[0].position);
    if (chain_.truncates()) out_ += fmt::format("  t : [0..{}] init 0;\n", limit_ - 1);
    if (shift_ == 1) write_command("s=0", first_, "");
    for (PositionId p = 0; p < chain_.size(); ++p) write_position(p);
    out_ += "endmodule\n\n";
    write_labels();
    write_rewards("return", [&](PositionId p) { return chain_.reward(p); });
    write_rewards("length", [&](PositionId p) { return chain_.moves(p).empty() ? 0.0 : 1.0; });
    return std::move(out_);
  }

 private:
  struct Update {
    double probability;
    PositionId position;
  };

  /// Adds the possible positions of an episode that arrives with its `steps`-th step; false if there are
  /// none.
  bool add_updates(double probability, EpisodeChain::ArrivalId arrival, std::size_t steps,
                   std::vector<Update>& updates) const {
    const auto choices = chain_.choices(arrival, steps);
    for (const auto& choice : choices) {
      updates.push_back({probability * choice.probability, choice.position});
    }
    return !choices.empty();
  }
  /// Empty if no episode takes its `steps`-th step.
  std::vector<Update> updates(PositionId p, std::size_t steps) const {
    std::vector<Update> all;
    for (const auto& move : chain_.moves(p)) {
      if (!add_updates(move.probability, move.arrival, steps, all)) return {};
    }
    return all;
  }

  void write_position(PositionId p) {
    const std::string here = fmt::format("s={}", p + shift_);
    if (chain_.moves(p).empty()) return write_command(here, {{1, p}}, "");
    if (!chain_.truncates()) return write_command(here, updates(p, 1), "");
    // The last step does not lead to a decision state; t is then irrelevant.
    if (limit_ > 1) write_command(fmt::format("{} & t<{}", here, limit_ - 1), updates(p, 1), "t+1");
    write_command(fmt::format("{} & t={}", here, limit_ - 1), updates(p, limit_), "");
  }

  /// `time` is the next value of t if the episode continues; otherwise t is reset to 0, so that there is one
  /// state per final position.
  void write_command(const std::string& guard, const std::vector<Update>& updates, const std::string& time) {
    if (updates.empty()) return;
    std::vector<std::string> parts;
    for (const auto& [probability, position] : updates) {
      parts.push_back(fmt::format("{} : (s'={})", probability, position + shift_));
      if (chain_.truncates()) {
        parts.back() += fmt::format("&(t'={})", time.empty() || chain_.moves(position).empty() ? "0" : time);
      }
    }
    out_ += fmt::format("  [] {} -> {};\n", guard, fmt::join(parts, " + "));
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
    const std::string states = ranges_of(positions_where(formula, chain_));
    const bool observed = formula.kind == StateFormula::Kind::kAtom;
    if (states.empty() && observed) return;
    out_ += fmt::format("label \"{}\" = {}; // {}\n", names_.add(name), states.empty() ? "false" : states,
                        written);
  }

  /// As short as possible: model checkers evaluate it in every state.
  std::string ranges_of(const std::vector<bool>& members) const {
    std::vector<std::string> ranges;
    for (std::size_t p = 0; p < members.size(); ++p) {
      if (!members[p]) continue;
      const std::size_t first = p;
      while (p + 1 < members.size() && members[p + 1]) ++p;
      ranges.push_back(first == p ? fmt::format("s={}", p + shift_)
                                  : fmt::format("(s>={}&s<={})", first + shift_, p + shift_));
    }
    return fmt::format("{}", fmt::join(ranges, "|"));
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
  std::size_t limit_;
  std::vector<Update> first_;
  std::size_t shift_ = 0;  ///< Added to positions: the state that draws the start precedes them.
  Identifiers names_;
  std::string out_;
};

}  // namespace

std::string to_prism(const EpisodeChain& chain) { return PrismWriter(chain).write(); }

}  // namespace ndnf
