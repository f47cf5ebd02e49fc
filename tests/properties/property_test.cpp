#include "ndnf/properties/property.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "mdp/small_models.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/properties/check_property.h"
#include "properties/replay.h"
#include "properties/tasks.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

std::string mistake(const std::string& text) {
  static const FiniteModel model(testing::gambler());
  return testing::error_of([&] { parse_property("--property", text, model); });
}

TEST(PropertyParser, NamesPlaceAndNearestName) {
  EXPECT_EQ(mistake("P>=1 [F<=5 \"richh\"]"), "--property:1:12: there is no label richh; did you mean rich?");
  EXPECT_EQ(mistake("P>=1 [F s11]"), "--property:1:9: there is no atom s11; did you mean s1?");
  EXPECT_EQ(mistake("never action(bett)"), "--property:1:7: there is no action bett; did you mean bet?");
  EXPECT_EQ(mistake("P>=1\n [F rich]"),
            "--property:2:5: there is no atom rich; the label is written \"rich\"");
  EXPECT_THAT(mistake("R{\"retun\"}>=1 [C]"),
              HasSubstr("--property:1:3: there is no reward retun; did you mean"));
}

TEST(PropertyParser, TellsWhatItExpected) {
  EXPECT_EQ(mistake(""), "--property:1:1: it ends too early, expected P, R or never");
  EXPECT_EQ(mistake("P 1 [F s1]"), "--property:1:3: found 1, expected >=, >, <=, < or =?");
  EXPECT_EQ(mistake("P>=1 [F s1"), "--property:1:11: it ends too early, expected ]");
  EXPECT_EQ(mistake("P>=1 [s1]"), "--property:1:9: found ], expected U (or X, F or G at the beginning)");
  EXPECT_EQ(mistake("P>=1 [F<=x s1]"), "--property:1:10: found x, expected a number of steps");
  EXPECT_EQ(mistake("P>=1.5 [F s1]"), "--property:1:4: 1.5 is not a probability; it is from 0 to 1");
  EXPECT_EQ(mistake("P<=1e-400 [F s1]"), "--property:1:4: 1e-400 is too small for a double; write 0");
  EXPECT_EQ(mistake("R{\"return\"}>=-0.0e5 [C]"), "");
  EXPECT_EQ(mistake("P>=0.99999999999999999 [F s1]"),
            "--property:1:4: 0.99999999999999999 is too close to 1 for a double; write 1 or fewer digits");
  EXPECT_EQ(mistake("P>=1.000 [F s1]"), "");
  EXPECT_EQ(mistake("P>=10e-1 [F s1]"), "");
  EXPECT_EQ(mistake("P>=1 [F (s1 & )]"),
            "--property:1:15: found ), expected an atom, \"a label\", action(NAME), ! or (");
  EXPECT_EQ(mistake("P>=1 [F s1] s2"), "--property:1:13: found s2, expected the end");
  EXPECT_THAT(mistake("P>=1 [F<=1000000000 s1]"), HasSubstr("too many"));
  EXPECT_EQ(mistake("P>=1 [F<=999999999 s1]"), "");
  EXPECT_THAT(mistake("P>=1 [F \xC3(s1]"), HasSubstr("1:9: this byte is not UTF-8"));
}

TEST(PropertyParser, AnObservationIsAFormulaOfAtomsAlone) {
  const FiniteModel model(testing::gambler());
  const auto failure = [&](const std::string& text) {
    return testing::error_of([&] { parse_observation("--obs", text, model.vocabulary()); });
  };
  EXPECT_EQ(failure("s1, not s2"), "");
  EXPECT_EQ(failure("s1 s2"), "--obs:1:4: found s2, expected the end");
  EXPECT_EQ(failure("\"rich\""), "--obs:1:1: found \"rich\", expected an atom, not or (");
  EXPECT_EQ(failure("action(bet)"), "--obs:1:1: there is no atom action(bet); known: s0, s1, s2, s3");
  EXPECT_EQ(failure("s1, rich"), "--obs:1:5: there is no atom rich; known: s0, s1, s2, s3");
}

TEST(PropertyParser, RefusesDeepAndLongFormulasInsteadOfOverflowing) {
  EXPECT_THAT(mistake("P>=1 [F " + std::string(100000, '(') + "s1"), HasSubstr("too deeply"));
  EXPECT_THAT(mistake("P>=1 [F " + std::string(100000, '!') + "s1]"), HasSubstr("too deeply"));
  std::string wide = "never (!s1)";
  for (int i = 0; i < 1000; ++i) wide += "|(!s1)";
  EXPECT_EQ(mistake(wide), "");
  std::string longer = "never s1";
  for (int i = 0; i < 100000; ++i) longer += "|s1";
  EXPECT_THAT(mistake(longer), HasSubstr("too long"));
}

TEST(PropertyParser, ConjunctionBindsBeforeDisjunctionBeforeImplication) {
  const FiniteModel model(testing::gambler());
  using Kind = StateFormula::Kind;
  const StateFormula formula = parse_property("", "never s0 | !s1 & s2 => s3 => s0", model).path.right;
  ASSERT_EQ(formula.kind, Kind::kImplies);
  ASSERT_EQ(formula.parts[0].kind, Kind::kOr);
  ASSERT_EQ(formula.parts[0].parts[1].kind, Kind::kAnd);
  EXPECT_EQ(formula.parts[0].parts[1].parts[0].kind, Kind::kNot);
  EXPECT_EQ(formula.parts[1].kind, Kind::kImplies);
}

/// One episode: its positions (the last repeats for ever once it is over) and its probability.
struct Path {
  std::vector<TraceStep> steps;
  double probability = 1;
  double reward = 0;
  std::size_t decisions = 0;
};

void all_paths(const FiniteModel& model, const PolicyTable& policy, std::size_t steps, Path path,
               const std::function<void(const Path&)>& visit) {
  const StateId state = path.steps.back().state;
  if (path.steps.back().end) {
    while (path.steps.size() <= steps) path.steps.push_back(path.steps.back());
    return visit(path);
  }
  if (path.steps.size() > model.horizon()) return visit(path);  // nobody decides there
  path.steps.pop_back();
  for (ActionId a = 0; a < model.action_count(); ++a) {
    const double taken = policy.row(model.observation(state))[a];
    if (taken == 0) continue;
    Path decided = path;
    decided.steps.push_back({state, a});
    decided.probability *= taken;
    if (decided.steps.size() > steps) {
      visit(decided);
      continue;
    }
    for (const Outcome& outcome : model.outcomes(state, a)) {
      Path next = decided;
      next.probability *= outcome.probability;
      next.reward += outcome.reward;
      ++next.decisions;
      next.steps.push_back({outcome.next, {}, {}, outcome.terminal, outcome.tag});
      all_paths(model, policy, steps, next, visit);
    }
  }
}

/// The meaning of formulas, spelt out on a single path.
class Meaning {
 public:
  Meaning(const FiniteModel& model, const Path& path) : model_(model), path_(path) {}

  bool holds(const StateFormula& f, std::size_t at) const {
    const TraceStep& step = path_.steps[at];
    switch (f.kind) {
      case StateFormula::Kind::kTrue:
        return true;
      case StateFormula::Kind::kFalse:
        return false;
      case StateFormula::Kind::kAtom:
        return model_.observations().holds(model_.observation(step.state), f.index);
      case StateFormula::Kind::kNumbers:
        return ndnf::holds(f, model_.observations(), model_.observation(step.state));
      case StateFormula::Kind::kAction:
        return !step.end && step.action == f.index;
      case StateFormula::Kind::kNot:
        return !holds(f.parts[0], at);
      case StateFormula::Kind::kAnd:
        return holds(f.parts[0], at) && holds(f.parts[1], at);
      case StateFormula::Kind::kOr:
        return holds(f.parts[0], at) || holds(f.parts[1], at);
      case StateFormula::Kind::kImplies:
        return !holds(f.parts[0], at) || holds(f.parts[1], at);
      case StateFormula::Kind::kLabel:
        break;
    }
    if (f.label == "end") return step.end;
    if (step.tag >= 0 && model_.tags()[static_cast<std::size_t>(step.tag)] == f.label) return true;
    const auto found = model_.labels().find(f.label);
    return found != model_.labels().end() &&
           std::find(found->second.begin(), found->second.end(), step.state) != found->second.end();
  }

  bool holds(const PathFormula& f) const {
    const std::size_t last = std::min(f.steps.value_or(model_.horizon()), path_.steps.size() - 1);
    if (f.kind == PathFormula::Kind::kNext) return holds(f.right, 1);
    for (std::size_t t = 0; t <= last; ++t) {
      const bool right = holds(f.right, t);
      if (f.kind == PathFormula::Kind::kGlobally && !right) return false;
      if (f.kind != PathFormula::Kind::kGlobally && right) return true;
      if (f.kind == PathFormula::Kind::kUntil && !holds(f.left, t)) return false;
    }
    return f.kind == PathFormula::Kind::kGlobally;
  }

 private:
  const FiniteModel& model_;
  const Path& path_;
};

double by_enumeration(const FiniteModel& model, const PolicyTable& policy, const Property& property) {
  double sum = 0;
  for (const Start& start : model.starts()) {
    Path path{{{start.state}}, start.probability, 0, 0};
    std::size_t steps = model.horizon();
    if (property.measure != Property::Measure::kProbability) {
      steps = std::min(property.path.steps.value_or(steps), steps);
    }
    all_paths(model, policy, steps, path, [&](const Path& whole) {
      const double value = property.measure == Property::Measure::kReturn ? whole.reward
                           : property.measure == Property::Measure::kLength
                               ? static_cast<double>(whole.decisions)
                           : Meaning(model, whole).holds(property.path) ? 1
                                                                        : 0;
      sum += whole.probability * value;
    });
  }
  return sum;
}

void expect_enumerated_values(const FiniteModel& model, const std::vector<std::string>& texts) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const PolicyTable policy = testing::random_stochastic(model, seed);
    const EpisodeChain chain(model, policy);
    for (const std::string& text : texts) {
      const Property property = parse_property("", text, model);
      EXPECT_NEAR(check_property(chain, property).value, by_enumeration(model, policy, property), 1e-12)
          << text;
    }
  }
}

TEST(CheckProperty, EqualsTheSumOverAllEpisodesOfTheGambler) {
  expect_enumerated_values(
      FiniteModel(testing::gambler()),
      {"P=? [F \"rich\"]", "P=? [F \"ruin\"]", "P=? [F<=2 \"end\"]", "P=? [X s2]", "P=? [X action(stop)]",
       "P=? [G !\"ruin\"]", "P=? [G<=2 action(bet) => s1]", "P=? [action(bet) U<=3 \"end\"]",
       "P=? [s1 & action(bet) U \"ruin\"]", "P=? [F s2 & action(stop)]", "P=? [F true]", "P=? [F false]",
       "R{\"return\"}=? [C]", "R{\"return\"}=? [C<=2]", "R{\"length\"}=? [C]", "P=? [F<=0 s1, not s2]"});
}

TEST(CheckProperty, EqualsTheSumOverAllEpisodesOfACorridor) {
  expect_enumerated_values(
      make_task("small-corridor:wall,step_limit=7").model(),
      {"P=? [F \"goal\"]", "P=? [F<=4 \"goal\"]", "P=? [F<=4 left_wall_present & action(left)]",
       "P=? [!left_wall_present U<=6 \"goal\"]", "P=? [G<=5 !\"special\"]", "P=? [X left_wall_present]",
       "P=? [G action(right) | \"end\"]", "R{\"return\"}=? [C<=5]", "R{\"length\"}=? [C]"});
}

TEST(CheckProperty, GivesTheFiguresOfEvaluationOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    for (const PolicyTable& policy :
         {testing::random_stochastic(model, 7), testing::random_deterministic(model, 8)}) {
      const EpisodeChain chain(model, policy);
      const Evaluation evaluation = evaluate_exactly(model, policy);
      const auto value = [&](const std::string& text) {
        return check_property(chain, parse_property("", text, model)).value;
      };
      EXPECT_NEAR(value("R{\"return\"}=? [C]"), evaluation.mean_return, 1e-8) << spec;
      EXPECT_NEAR(value("R{\"length\"}=? [C]"), evaluation.length, 1e-8) << spec;
      EXPECT_NEAR(value("P=? [F \"end\"]"), evaluation.terminated, 1e-9) << spec;
      for (std::size_t t = 0; t < model.tags().size(); ++t) {
        EXPECT_NEAR(value("P=? [F \"" + model.tags()[t] + "\"]"), evaluation.tag_rates[t], 1e-9) << spec;
      }
    }
  }
}

TEST(CheckProperty, ABoundBeyondTheStepLimitIsTheStepLimit) {
  const FiniteModel model = make_task("small-corridor:wall").model();
  const EpisodeChain chain(model, uniform_policy(model.observations()));
  const auto value = [&](const char* text) {
    return check_property(chain, parse_property("", text, model)).value;
  };
  EXPECT_EQ(value("P=? [F \"goal\"]"), value("P=? [F<=50 \"goal\"]"));
  EXPECT_EQ(value("P=? [F \"goal\"]"), value("P=? [F<=1000 \"goal\"]"));
  EXPECT_GT(value("P=? [F \"goal\"]"), value("P=? [F<=49 \"goal\"]"));
}

/// Four states in a row, two steps: the third is entered last. It is not a decision state, so the policy may
/// be undefined there.
class LastStep : public ::testing::Test {
 protected:
  static FiniteModelData row_of_states() {
    FiniteModelData data = testing::numbered_states(4, {"on"});
    for (const StateId next : {1U, 2U, 3U, 3U}) testing::add_row(data, {{1, 1, next, false, -1}});
    data.starts = {{1, 0}};
    data.step_limit = 2;
    data.labels = {{"there", {2}}};
    return data;
  }
  PropertyResult check(const std::string& text) const {
    return check_property(chain_, parse_property("", text, model_));
  }

  FiniteModel model_{row_of_states()};
  PolicyTable policy_{1, {1, 1, 0, 0}};
  EpisodeChain chain_{model_, policy_};
};

TEST_F(LastStep, CountsForAtomsAndLabels) {
  EXPECT_EQ(check("P=? [F s2]").value, 1);
  EXPECT_EQ(check("P=? [F \"there\"]").value, 1);
  EXPECT_EQ(check("P=? [F<=1 s2]").value, 0);
  EXPECT_EQ(check("P=? [G s0 | s1]").value, 0);
  EXPECT_EQ(check("P=? [G<=1 s0 | s1]").value, 1);
  EXPECT_EQ(check("P=? [s0 | s1 U s2]").value, 1);
  EXPECT_EQ(check("P=? [F s3]").value, 0);
  EXPECT_EQ(check("R{\"return\"}=? [C]").value, 2);
  EXPECT_EQ(check("R{\"length\"}=? [C]").value, 2);
}

TEST_F(LastStep, HasNoActionAndIsNoEnd) {
  EXPECT_EQ(check("P=? [F s2 & action(on)]").value, 0);
  EXPECT_EQ(check("P=? [F \"end\"]").value, 0);
  EXPECT_EQ(check("P=? [F !action(on)]").value, 1);
  EXPECT_EQ(check("P=? [G<=1 action(on)]").value, 1);
  EXPECT_EQ(check("P=? [G action(on)]").value, 0);
}

TEST_F(LastStep, IsShownInTheTrace) {
  const PropertyResult never = check("never s2");
  ASSERT_TRUE(never.trace);
  EXPECT_TRUE(testing::replays(*never.trace, model_, &policy_));
  EXPECT_THAT(to_text(*never.trace, model_), HasSubstr("   2  s2  (the step limit is reached)\n"));
  const PropertyResult other = check("P>=1 [F s3]");
  ASSERT_TRUE(other.trace);
  EXPECT_TRUE(other.trace->steps.back().truncated);
  EXPECT_EQ(other.trace->note, "every episode is this one");
}

/// All positions recur; only the step limit makes the difference.
TEST(CheckProperty, FindsARunThatHitsNowhereButWhereTheStepLimitStopsIt) {
  const FiniteModel model = make_task("small-corridor:step_limit=7").model();
  const PolicyTable policy = uniform_policy(model.observations());
  const EpisodeChain chain(model, policy);
  const Property property = parse_property("", "never in_s_1 & !action(left) & !action(right)", model);
  const PropertyResult result = check_property(chain, property);
  ASSERT_TRUE(result.trace);
  EXPECT_EQ(result.trace->steps.size(), 8u);
  EXPECT_TRUE(testing::replays(*result.trace, model, &policy));
}

/// Right with probability 1e-9 in a corridor whose end takes many steps: a probability that no double can
/// represent, and still not 0.
TEST(CheckProperty, NeverMeansNeverEvenWhereProbabilitiesUnderflow) {
  constexpr std::size_t kStates = 60;
  FiniteModelData data = testing::numbered_states(kStates, {"back", "on"});
  for (StateId s = 0; s < kStates; ++s) {
    testing::add_row(data, {{1, 0, 0, false, -1}});
    testing::add_row(data, {{1, 0, std::min<StateId>(s + 1, kStates - 1), false, -1}});
  }
  data.starts = {{1, 0}};
  data.step_limit = 100;
  const FiniteModel model(std::move(data));
  std::vector<double> rows;
  for (std::size_t s = 0; s < kStates; ++s) rows.insert(rows.end(), {1 - 1e-9, 1e-9});
  const PolicyTable policy(2, rows);
  const EpisodeChain chain(model, policy);
  const PropertyResult never = check_property(chain, parse_property("", "never s59", model));
  EXPECT_EQ(never.value, std::numeric_limits<double>::denorm_min());
  EXPECT_FALSE(never.holds());
  ASSERT_TRUE(never.trace);
  EXPECT_EQ(never.trace->steps.size(), kStates);
  EXPECT_TRUE(testing::replays(*never.trace, model, &policy));
  EXPECT_TRUE(check_property(chain, parse_property("", "P<1 [G !s59]", model)).holds());
  EXPECT_TRUE(check_property(chain, parse_property("", "P>0 [F s59]", model)).holds());
  EXPECT_FALSE(check_property(chain, parse_property("", "P>=1 [G !s59]", model)).holds());
}

/// From a to the end with 0.1, else to b; from b back to a with 0.1, else it stays there.
FiniteModelData waiting_room(std::vector<Outcome> from_b) {
  FiniteModelData data = testing::numbered_states(2, {"on"});
  data.tags = {"out"};
  testing::add_row(data, {{0.1, 0, 0, true, 0}, {0.9, 0, 1, false, -1}});
  data.add_row(from_b);
  data.starts = {{1, 0}};
  data.step_limit = 4;
  return data;
}

std::string shown_run(const FiniteModelData& data, const std::string& property) {
  const FiniteModel model(data);
  const PolicyTable policy(1, {1, 1});
  const EpisodeChain chain(model, policy);
  const auto trace = check_property(chain, parse_property("", property, model)).trace;
  return trace ? to_text(*trace, model) : "no run";
}

TEST(CheckProperty, ARunThatMayStillHitIsShownToItsLastStep) {
  const FiniteModelData data = waiting_room({{0.1, 0, 0, false, -1}, {0.9, 0, 1, false, -1}});
  EXPECT_EQ(shown_run(data, "P>=1 [F \"out\"]"),
            "   0  s0  -> on, reward 0\n"
            "   1  s1  -> on, reward 0\n"
            "   2  s1  -> on, reward 0\n"
            "   3  s1  -> on, reward 0\n"
            "   4  s1  (the step limit is reached)\n"
            "      the most probable run of this kind, with probability 0.6561\n");
}

TEST(CheckProperty, ARunThatCannotHitAnyMoreIsShownUntilItRepeats) {
  EXPECT_EQ(
      shown_run(waiting_room({{1, 0, 1, false, -1}}), "P>=1 [F \"out\"]"),
      "   0  s0  -> on, reward 0\n"
      "   1  s1  -> on, reward 0\n"
      "   2  s1  -> on\n"
      "      the most probable run of this kind, with probability 0.9; it is back where it was at step 1\n");
}

TEST(CheckProperty, AnEndIsShownWithItsTag) {
  const FiniteModelData data = waiting_room({{1, 0, 0, true, -1}});
  EXPECT_EQ(shown_run(data, "never \"out\""),
            "   0  s0  -> on, reward 0\n   1  s0  (the episode is over: out)\n");
  EXPECT_EQ(shown_run(data, "never \"end\" when !\"out\""),
            "   0  s0  -> on, reward 0\n   1  s1  -> on, reward 0\n   2  s0  (the episode is over)\n");
}

/// Runs given as evidence must be evidence.
TEST(CheckProperty, TracesReplayAndShowTheViolationOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    const std::string action = "action(" + model.vocabulary().action_name(0) + ")";
    for (const PolicyTable& policy :
         {testing::random_stochastic(model, 3), testing::random_deterministic(model, 4)}) {
      const EpisodeChain chain(model, policy);
      const std::vector<std::string> paths = {"F \"end\"",   "F<=3 \"end\"", "G<=4 !\"end\"",
                                              "X \"end\"",   "F " + action,  action + " U<=5 \"end\"",
                                              "G " + action, "X " + action};
      for (const std::string& path : paths) {
        for (const bool too_low : {false, true}) {
          const Property property = parse_property("", (too_low ? "P>=1 [" : "P<=0 [") + path + "]", model);
          const PropertyResult result = check_property(chain, property);
          ASSERT_EQ(result.holds(), !result.trace.has_value()) << spec << ' ' << path;
          if (result.holds()) continue;
          EXPECT_TRUE(testing::replays(*result.trace, model, &policy)) << spec << ' ' << property.text;
          Path shown{result.trace->steps, 1, 0, 0};
          const bool over = shown.steps.back().end;
          while (over && shown.steps.size() <= model.horizon()) shown.steps.push_back(shown.steps.back());
          EXPECT_EQ(Meaning(model, shown).holds(property.path), !too_low) << spec << ' ' << property.text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ndnf
