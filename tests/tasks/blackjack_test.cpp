#include "ndnf/tasks/blackjack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/golden.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum Action : ActionId { kStick, kHit };
constexpr double kNaturalAtStart = 8.0 / 169;  // ace then ten, or ten then ace

Task make(bool sab = true, bool natural = false) {
  return blackjack_kinds().front().build("blackjack", {{"sab", sab}, {"natural", natural}});
}

nlohmann::json golden() { return testing::read_golden("env_blackjack_encoding.json"); }

bool has_label(const FiniteModel& model, const std::string& label, StateId s) {
  const auto& members = model.labels().at(label);
  return std::find(members.begin(), members.end(), s) != members.end();
}

/// The state with this observation; naturals only if requested.
StateId find_state(const FiniteModel& model, std::uint32_t sum, std::uint32_t dealer, bool ace,
                   bool natural = false) {
  for (StateId s = 0; s < model.state_count(); ++s) {
    const auto values = model.observations().values(model.observation(s));
    if (values[0] == sum && values[1] == dealer && (values[2] != 0) == ace &&
        has_label(model, "natural", s) == natural) {
      return s;
    }
  }
  ADD_FAILURE() << "no state " << sum << " " << dealer << " " << ace;
  return 0;
}

/// Probabilities of win, draw and loss.
std::array<double, 3> tag_rates(std::span<const Outcome> outcomes) {
  std::array<double, 3> rates{};
  for (const Outcome& outcome : outcomes) {
    if (outcome.tag >= 0) rates[static_cast<std::size_t>(outcome.tag)] += outcome.probability;
  }
  return rates;
}

/// The dealer's game by counting: of the 13^kCards equally likely sequences of cards that may follow the
/// open card, how many bring the dealer to each score (0 is bust), and how many start with a natural. Exact
/// integers.
class DealerCount {
 public:
  explicit DealerCount(int open_card) {
    hand_ = {open_card};
    count(power_of_13(kCards));
  }

  double score(std::size_t value) const { return share(scores_[value]); }
  double below(std::size_t value) const {
    return share(std::accumulate(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(value),
                                 std::uint64_t{0}));
  }
  double natural() const { return share(naturals_); }

 private:
  static constexpr int kCards = 16;

  static std::uint64_t power_of_13(int exponent) {
    return exponent == 0 ? 1 : 13 * power_of_13(exponent - 1);
  }
  static double share(std::uint64_t rows) {
    return static_cast<double>(rows) / static_cast<double>(power_of_13(kCards));
  }

  int sum() const {
    const int hard = std::accumulate(hand_.begin(), hand_.end(), 0);
    const bool has_ace = std::find(hand_.begin(), hand_.end(), 1) != hand_.end();
    return has_ace && hard + 10 <= 21 ? hard + 10 : hard;
  }

  void count(std::uint64_t rows) {
    if (hand_.size() == 2 && sum() == 21) naturals_ += rows;
    if (sum() >= 17) {
      scores_[sum() > 21 ? 0 : static_cast<std::size_t>(sum())] += rows;
      return;
    }
    for (int rank = 1; rank <= 13; ++rank) {
      hand_.push_back(std::min(rank, 10));
      count(rows / 13);
      hand_.pop_back();
    }
  }

  std::vector<int> hand_;
  std::array<std::uint64_t, 22> scores_{};
  std::uint64_t naturals_ = 0;
};

/// Backward induction by recursion; the model has no cycles.
class BestPlay {
 public:
  struct Result {
    double value = 0;
    double win = 0;
    double draw = 0;
    ActionId action = kStick;
  };

  explicit BestPlay(const FiniteModel& model) : model_(model), known_(model.state_count()) {}

  const Result& at(StateId s) {
    if (!known_[s]) {
      const Result stick = after(s, kStick);
      const Result hit = after(s, kHit);
      known_[s] = hit.value > stick.value ? hit : stick;
    }
    return *known_[s];
  }

  Result from_start() {
    Result mean;
    for (const Start& start : model_.starts()) add(mean, start.probability, at(start.state));
    return mean;
  }

 private:
  static void add(Result& sum, double weight, const Result& part) {
    sum.value += weight * part.value;
    sum.win += weight * part.win;
    sum.draw += weight * part.draw;
  }

  Result after(StateId s, ActionId action) {
    Result result;
    result.action = action;
    for (const Outcome& outcome : model_.outcomes(s, action)) {
      result.value += outcome.probability * outcome.reward;
      if (outcome.tag == 0) result.win += outcome.probability;
      if (outcome.tag == 1) result.draw += outcome.probability;
      if (!outcome.terminal) add(result, outcome.probability, at(outcome.next));
    }
    return result;
  }

  const FiniteModel& model_;
  std::vector<std::optional<Result>> known_;
};

/// The policy in the figure of Sutton and Barto's book.
bool book_hits(std::uint32_t sum, std::uint32_t dealer, bool usable_ace) {
  if (usable_ace) return sum <= 17 || (sum == 18 && (dealer == 1 || dealer >= 9));
  if (sum <= 11) return true;
  if (sum == 12) return dealer < 4 || dealer > 6;
  return sum <= 16 && (dealer == 1 || dealer >= 7);
}

TEST(Blackjack, EncodesAllStatesAsTheReferenceDoes) {
  const FiniteModel model = make().model();
  const auto states = testing::elements(golden(), "states");
  ASSERT_EQ(model.observations().size(), states.size());
  ASSERT_EQ(model.vocabulary().atom_count(), golden().at("n_bits").get<std::size_t>());
  EXPECT_EQ(model.decision_observations().size(), 280u);
  for (StateId s = 0; s < states.size(); ++s) {
    EXPECT_EQ(model.observation(s), s);
    EXPECT_EQ(model.observations().facts(s), states[s].at("ones").get<std::vector<AtomId>>());
    EXPECT_EQ(model.is_end(s), states[s].at("terminal_bust"));
    EXPECT_EQ(has_label(model, "bust", s), states[s].at("terminal_bust"));
    EXPECT_EQ(has_label(model, "soft", s), states[s].at("state")[2] == 1);
  }
}

TEST(Blackjack, WritesTheReferenceVectors) {
  const FiniteModel model = make().model();
  const auto examples = testing::elements(golden(), "full_examples");
  ASSERT_EQ(examples.size(), 5u);
  for (const auto& example : examples) {
    const auto [sum, dealer, ace] = example.at("state").get<std::array<std::uint32_t, 3>>();
    const ObsId obs = model.observation(find_state(model, sum, dealer, ace != 0));
    std::vector<int> atoms(44);
    model.observations().write_atoms<int>(obs, 0, atoms);
    EXPECT_EQ(atoms, example.at("mlp").get<std::vector<int>>());
    model.observations().write_atoms<int>(obs, -1, atoms);
    EXPECT_EQ(atoms, example.at("ndnf").get<std::vector<int>>());
  }
}

TEST(Blackjack, NamesAtomsAndActionsAsThePaperDoes) {
  const FiniteModel model = make().model();
  EXPECT_THAT(model.vocabulary().actions(), ElementsAre("stick", "hit"));
  EXPECT_THAT(model.tags(), ElementsAre("win", "draw", "loss"));
  EXPECT_EQ(model.observations().describe(model.observation(find_state(model, 18, 9, true))),
            "hand(18), dealer(9), usable_ace");
}

TEST(Blackjack, NaturalsLookLikeOtherSoft21s) {
  const FiniteModel model = make().model();
  ASSERT_EQ(model.labels().at("natural").size(), 10u);
  for (const StateId s : model.labels().at("natural")) {
    const std::uint32_t dealer = model.observations().values(model.observation(s))[1];
    EXPECT_EQ(model.observation(s), model.observation(find_state(model, 21, dealer, true)));
  }
}

TEST(Blackjack, DealsTheFirstCardsFromAnInfiniteDeck) {
  const FiniteModel model = make().model();
  const auto probability = [&](std::uint32_t sum, bool ace, bool natural) {
    double total = 0;
    for (const Start& start : model.starts()) {
      const auto values = model.observations().values(model.observation(start.state));
      const bool same =
          values[0] == sum && (values[2] != 0) == ace && has_label(model, "natural", start.state) == natural;
      if (same) total += start.probability;
    }
    return total;
  };
  EXPECT_NEAR(probability(21, true, true), kNaturalAtStart, 1e-15);
  EXPECT_EQ(probability(21, true, false), 0);
  EXPECT_NEAR(probability(20, false, false), 16.0 / 169, 1e-15);  // two tens
  EXPECT_NEAR(probability(12, true, false), 1.0 / 169, 1e-15);    // two aces
  EXPECT_NEAR(probability(4, false, false), 1.0 / 169, 1e-15);    // two twos
  EXPECT_NEAR(probability(12, false, false), 15.0 / 169, 1e-15);  // 2+10, 3+9, 4+8, 5+7, 6+6 in any order
}

TEST(Blackjack, StickingHasTheCountedProbabilities) {
  const FiniteModel model = make().model();
  for (std::uint32_t dealer = 1; dealer <= 10; ++dealer) {
    const DealerCount count(static_cast<int>(dealer));
    for (const bool ace : {false, true}) {
      for (std::uint32_t sum = ace ? 12 : 4; sum <= 21; ++sum) {
        const StateId s = find_state(model, sum, dealer, ace);
        const auto rates = tag_rates(model.outcomes(s, kStick));
        EXPECT_NEAR(rates[0], count.below(sum), 1e-14) << sum << " against " << dealer;
        EXPECT_NEAR(rates[1], sum >= 17 ? count.score(sum) : 0, 1e-14) << sum << " against " << dealer;
        for (const Outcome& outcome : model.outcomes(s, kStick)) {
          EXPECT_TRUE(outcome.terminal);
          EXPECT_EQ(outcome.next, s);
          EXPECT_EQ(outcome.reward, 1 - outcome.tag);
        }
      }
    }
  }
}

TEST(Blackjack, WithSabANaturalLosesToNothing) {
  const FiniteModel model = make().model();
  for (std::uint32_t dealer = 1; dealer <= 10; ++dealer) {
    const DealerCount count(static_cast<int>(dealer));
    const auto rates = tag_rates(model.outcomes(find_state(model, 21, dealer, true, true), kStick));
    EXPECT_NEAR(rates[0], 1 - count.natural(), 1e-14);
    EXPECT_NEAR(rates[1], count.natural(), 1e-14);
    EXPECT_EQ(rates[2], 0);
  }
}

TEST(Blackjack, WithoutSabANaturalIsAnOrdinary21) {
  const FiniteModel model = make(false).model();
  for (std::uint32_t dealer = 1; dealer <= 10; ++dealer) {
    const auto natural = model.outcomes(find_state(model, 21, dealer, true, true), kStick);
    const auto other = model.outcomes(find_state(model, 21, dealer, true), kStick);
    EXPECT_EQ(tag_rates(natural), tag_rates(other));
    EXPECT_EQ(natural.front().reward, 1);
  }
}

TEST(Blackjack, HittingCountsTheNewCard) {
  const FiniteModel model = make().model();
  const auto next_of = [&](StateId s, std::uint32_t card) { return model.outcomes(s, kHit)[card - 1].next; };
  EXPECT_EQ(next_of(find_state(model, 10, 5, false), 1), find_state(model, 21, 5, true));
  EXPECT_EQ(next_of(find_state(model, 11, 5, false), 1), find_state(model, 12, 5, false));
  EXPECT_EQ(next_of(find_state(model, 18, 5, true), 3), find_state(model, 21, 5, true));
  EXPECT_EQ(next_of(find_state(model, 18, 5, true), 4), find_state(model, 12, 5, false));
  EXPECT_EQ(next_of(find_state(model, 21, 5, true, true), 10), find_state(model, 21, 5, false));
  EXPECT_EQ(model.outcomes(find_state(model, 4, 5, false), kHit)[9].probability, 4.0 / 13);

  const Outcome bust = model.outcomes(find_state(model, 21, 5, false), kHit)[9];
  EXPECT_EQ(bust.next, find_state(model, 31, 5, false));
  EXPECT_TRUE(bust.terminal);
  EXPECT_EQ(bust.reward, -1);
  EXPECT_EQ(bust.tag, 2);
}

TEST(Blackjack, HasTheKnownOptimum) {
  const FiniteModel sab = make().model();
  const auto best = BestPlay(sab).from_start();
  EXPECT_NEAR(best.value, -0.043113, 5e-7);
  EXPECT_NEAR(best.win, 0.43290, 5e-6);
  EXPECT_NEAR(best.draw, 0.09109, 5e-6);

  const FiniteModel plain = make(false).model();
  const auto best_plain = BestPlay(plain).from_start();
  EXPECT_NEAR(best_plain.value, -0.046556, 5e-7);
  EXPECT_NEAR(best_plain.win, 0.42946, 5e-6);
  EXPECT_NEAR(best_plain.draw, 0.09453, 5e-6);
}

TEST(Blackjack, IsPlayedBestAsTheBookSays) {
  const FiniteModel model = make().model();
  BestPlay best(model);
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (model.is_end(s)) continue;
    const auto values = model.observations().values(model.observation(s));
    const bool hit = best.at(s).action == kHit;
    EXPECT_EQ(hit, book_hits(values[0], values[1], values[2] != 0))
        << model.observations().describe(model.observation(s));
  }
}

TEST(Blackjack, ANaturalThatWinsMayEarnOneAndAHalf) {
  const FiniteModel plain = make(false).model();
  const FiniteModel bonus = make(false, true).model();
  double wins = 0;
  for (int dealer = 1; dealer <= 10; ++dealer) {
    wins += kNaturalAtStart * (dealer == 10 ? 4 : 1) / 13 * DealerCount(dealer).below(21);
  }
  EXPECT_NEAR(BestPlay(bonus).from_start().value - BestPlay(plain).from_start().value, 0.5 * wins, 1e-14);
}

TEST(Blackjack, SabOverridesNatural) {
  const FiniteModel model = make(true, true).model();
  for (const StateId s : model.labels().at("natural")) EXPECT_EQ(model.outcomes(s, kStick).front().reward, 1);
}

TEST(Blackjack, DrawsHandsAsText) {
  const Task game = make();
  EXPECT_EQ(game.draw_text(find_state(game.model(), 18, 9, true)),
            "dealer  [9] [?]\nplayer  18 (usable ace)\n");
  EXPECT_EQ(game.draw_text(find_state(game.model(), 12, 1, false)), "dealer  [A] [?]\nplayer  12\n");
  EXPECT_EQ(game.draw_text(find_state(game.model(), 21, 10, true, true)),
            "dealer  [10] [?]\nplayer  21 (natural)\n");
  EXPECT_EQ(game.draw_text(find_state(game.model(), 25, 2, false)), "dealer  [2] [?]\nplayer  25 (bust)\n");
}

TEST(Blackjack, DrawsOnePipPerPointOfTheOpenCard) {
  const Task game = make();
  for (std::uint32_t dealer = 1; dealer <= 10; ++dealer) {
    const std::string svg = game.draw_svg(find_state(game.model(), 15, dealer, false)).to_string();
    std::uint32_t pips = 0;
    for (std::size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) ++pips;
    EXPECT_EQ(pips, dealer);
    EXPECT_THAT(svg, HasSubstr(">15</text>"));
  }
}

TEST(Blackjack, WrongParametersAreNamed) {
  const auto error_of = [](const ConfigAssignment& setting) -> std::string {
    try {
      blackjack_kinds().front().build("blackjack", {setting});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of({"sab", std::int64_t{3}}), HasSubstr("sab"));
  EXPECT_THAT(error_of({"natural", std::string("maybe")}), HasSubstr("natural"));
  EXPECT_THAT(error_of({"decks", std::int64_t{6}}), HasSubstr("decks"));
}

}  // namespace
}  // namespace ndnf
