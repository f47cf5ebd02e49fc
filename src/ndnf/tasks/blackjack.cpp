#include "ndnf/tasks/blackjack.h"

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/tasks/blackjack_drawing.h"

namespace ndnf {
namespace {

constexpr std::uint32_t kMostCard = 10;
constexpr std::uint32_t kGoal = 21;
constexpr std::uint32_t kMostSum = kGoal + kMostCard;
constexpr std::uint32_t kDealerStands = 17;
constexpr ActionId kHit = 1;
constexpr std::int8_t kLoss = 2;  // tags: win, draw, loss

struct BlackjackParams {
  bool sab = true;
  bool natural = false;
};

ConfigTable<BlackjackParams> parameter_table() {
  return ConfigTable<BlackjackParams>()
      .flag("sab", &BlackjackParams::sab,
            "The rules of Sutton and Barto's book: a natural beats everything except another natural.")
      .flag("natural", &BlackjackParams::natural,
            "A winning natural pays 1.5; has no effect if sab is true.");
}

/// The deck is infinite; king, queen and jack count as ten.
double card_probability(std::uint32_t card) { return (card == kMostCard ? 4 : 1) / 13.0; }

/// The best sum of a hand, and whether an ace counts as 11 in it.
struct Hand {
  std::uint32_t sum = 0;
  bool usable_ace = false;

  Hand with(std::uint32_t card) const {
    const std::uint32_t hard = sum - (usable_ace ? 10 : 0) + card;
    const bool usable = (usable_ace || card == 1) && hard + 10 <= kGoal;
    return {hard + (usable ? 10 : 0), usable};
  }
};

bool is_natural(std::uint32_t card, std::uint32_t other) {
  return card + other == 11 && (card == 1 || other == 1);
}

/// The distribution of the dealer's final hand, given the open card.
struct DealerResult {
  std::array<double, kMostSum + 1> sum{};  ///< Probability of each final sum; above 21 the dealer is bust.
  double natural = 0;
};

void play_dealer(Hand hand, double probability, DealerResult& result) {
  if (hand.sum >= kDealerStands) {
    result.sum[hand.sum] += probability;
    return;
  }
  for (std::uint32_t card = 1; card <= kMostCard; ++card) {
    play_dealer(hand.with(card), probability * card_probability(card), result);
  }
}

DealerResult dealer_result(std::uint32_t open_card) {
  DealerResult result;
  play_dealer(Hand{}.with(open_card), 1, result);
  for (std::uint32_t card = 1; card <= kMostCard; ++card) {
    if (is_natural(open_card, card)) result.natural = card_probability(card);
  }
  return result;
}

/// The states in the order of their observations: by sum, dealer's card and ace, decisions before bust
/// hands. Naturals come last: they have the same observations as other soft 21s.
class StateList {
 public:
  StateList() {
    for (std::uint32_t sum = 4; sum <= kMostSum; ++sum) {
      for (std::uint32_t dealer = 1; dealer <= kMostCard; ++dealer) {
        add({sum, dealer, false, false});
        if (sum >= 12 && sum <= kGoal) add({sum, dealer, true, false});
      }
    }
    for (std::uint32_t dealer = 1; dealer <= kMostCard; ++dealer) add({kGoal, dealer, true, true});
  }

  const std::vector<BlackjackState>& all() const { return states_; }
  StateId find(const BlackjackState& s) const { return ids_[s.sum][s.dealer][s.usable_ace][s.natural]; }

 private:
  void add(const BlackjackState& s) {
    ids_[s.sum][s.dealer][s.usable_ace][s.natural] = static_cast<StateId>(states_.size());
    states_.push_back(s);
  }

  std::vector<BlackjackState> states_;
  StateId ids_[kMostSum + 1][kMostCard + 1][2][2] = {};
};

/// Probabilities of win, draw and loss, in this order, for a player who sticks.
std::array<double, 3> stick(const BlackjackState& s, const DealerResult& dealer, bool sab) {
  if (sab && s.natural) return {1 - dealer.natural, dealer.natural, 0};
  const auto between = [&dealer](std::uint32_t first, std::uint32_t last) {
    return std::accumulate(dealer.sum.begin() + first, dealer.sum.begin() + last + 1, 0.0);
  };
  return {between(0, s.sum - 1) + between(kGoal + 1, kMostSum), between(s.sum, s.sum),
          between(s.sum + 1, kGoal)};
}

void add_stick_row(FiniteModelData& data, StateId id, const BlackjackState& s, const DealerResult& dealer,
                   const BlackjackParams& params) {
  const std::array<double, 3> probability = stick(s, dealer, params.sab);
  const std::array<double, 3> reward = {s.natural && params.natural && !params.sab ? 1.5 : 1, 0, -1};
  std::vector<Outcome> row;
  for (std::size_t tag = 0; tag < probability.size(); ++tag) {
    if (probability[tag] == 0) continue;
    row.push_back({probability[tag], reward[tag], id, true, static_cast<std::int8_t>(tag)});
  }
  data.add_row(row);
}

void add_hit_row(FiniteModelData& data, const BlackjackState& s, const StateList& states) {
  std::vector<Outcome> row;
  for (std::uint32_t card = 1; card <= kMostCard; ++card) {
    const Hand hand = Hand{s.sum, s.usable_ace}.with(card);
    const StateId next = states.find({hand.sum, s.dealer, hand.usable_ace, false});
    const double probability = card_probability(card);
    if (hand.sum > kGoal) {
      row.push_back({probability, -1, next, true, kLoss});
    } else {
      row.push_back({probability, 0, next});
    }
  }
  data.add_row(row);
}

void add_rows(FiniteModelData& data, const StateList& states, const BlackjackParams& params) {
  std::array<DealerResult, kMostCard + 1> dealers;
  for (std::uint32_t card = 1; card <= kMostCard; ++card) dealers[card] = dealer_result(card);
  for (StateId id = 0; id < states.all().size(); ++id) {
    const BlackjackState& s = states.all()[id];
    if (s.sum > kGoal) {
      data.add_row({});
      data.add_row({});
    } else {
      add_stick_row(data, id, s, dealers[s.dealer], params);
      add_hit_row(data, s, states);
    }
  }
}

void add_labels(FiniteModelData& data, const StateList& states) {
  for (StateId id = 0; id < states.all().size(); ++id) {
    const BlackjackState& s = states.all()[id];
    if (s.usable_ace) data.labels["soft"].push_back(id);
    if (s.natural) data.labels["natural"].push_back(id);
    if (s.sum > kGoal) data.labels["bust"].push_back(id);
  }
}

std::vector<Start> make_starts(const StateList& states) {
  std::vector<double> probability(states.all().size(), 0);
  for (std::uint32_t first = 1; first <= kMostCard; ++first) {
    for (std::uint32_t second = 1; second <= kMostCard; ++second) {
      const Hand hand = Hand{}.with(first).with(second);
      for (std::uint32_t dealer = 1; dealer <= kMostCard; ++dealer) {
        const StateId id = states.find({hand.sum, dealer, hand.usable_ace, is_natural(first, second)});
        probability[id] += card_probability(first) * card_probability(second) * card_probability(dealer);
      }
    }
  }
  std::vector<Start> starts;
  for (StateId id = 0; id < probability.size(); ++id) {
    if (probability[id] > 0) starts.push_back({probability[id], id});
  }
  return starts;
}

FiniteModel make_model(const StateList& states, const BlackjackParams& params) {
  const std::vector<AtomGroup> groups = {AtomGroup::numbered("hand", "hand(", kMostSum + 1, ")"),
                                         AtomGroup::numbered("dealer", "dealer(", kMostCard + 1, ")"),
                                         AtomGroup::single("usable_ace")};
  const std::vector<std::string> actions = {"stick", "hit"};
  auto observations = std::make_shared<ObservationTable>(std::make_shared<Vocabulary>(groups, actions));
  FiniteModelData data;
  for (const BlackjackState& s : states.all()) {
    data.observation.push_back(
        observations->intern(std::array{s.sum, s.dealer, std::uint32_t{s.usable_ace}}));
  }
  data.observations = std::move(observations);
  add_rows(data, states, params);
  add_labels(data, states);
  data.starts = make_starts(states);
  data.tags = {"win", "draw", "loss"};
  return FiniteModel(std::move(data));
}

/// The decisions by sum and dealer's card, without and with a usable ace. Naturals lie nowhere: they look
/// like the other soft 21s.
Layout layout_of(const StateList& states) {
  constexpr std::uint32_t kLeastSum = 4;
  Layout layout;
  for (std::uint32_t sum = kGoal; sum >= kLeastSum; --sum) layout.rows.push_back(std::to_string(sum));
  layout.row_title = "player's sum";
  for (std::uint32_t card = 1; card <= kMostCard; ++card)
    layout.columns.push_back(card == 1 ? "A" : std::to_string(card));
  layout.column_title = "dealer's card";
  layout.panels = {"no usable ace", "usable ace"};
  layout.place = [all = states.all()](StateId id) -> std::optional<StatePlace> {
    const BlackjackState& s = all[id];
    if (s.sum > kGoal || s.natural) return std::nullopt;
    return StatePlace{kGoal - s.sum, s.dealer - 1, s.usable_ace ? 1U : 0U};
  };
  layout.probability_of = kHit;
  return layout;
}

Task build(std::string_view, const BlackjackParams& params) {
  const StateList states;
  return finite_task(
      make_model(states, params), [all = states.all()](StateId id) { return draw_blackjack_text(all[id]); },
      [all = states.all()](StateId id) { return draw_blackjack_svg(all[id]); }, layout_of(states));
}

}  // namespace

std::vector<TaskKind> blackjack_kinds() {
  return {task_kind(
      "blackjack",
      "Draw cards to get closer to 21 than the dealer without exceeding it (Gymnasium's Blackjack).",
      parameter_table(), build)};
}

}  // namespace ndnf
