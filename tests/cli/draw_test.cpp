#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/svg_check.h"
#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::longest_line;
using ::testing::Not;
using testing::occurrences;
using ::testing::StartsWith;
using testing::xml_defect;

class Draw : public Binary {
 protected:
  /// The picture of a command, after checking that it succeeds and is well-formed.
  std::string svg(Words words) const {
    words.insert(words.begin(), "draw");
    const ProcessResult result = ndnf(with(words, {"-o", "picture.svg"}));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, EndsWith(": wrote picture.svg\n"));
    const std::string picture = read("picture.svg");
    EXPECT_EQ(xml_defect(picture), "");
    EXPECT_THAT(picture, StartsWith("<svg "));
    EXPECT_EQ(occurrences(picture, "\"nan\"") + occurrences(picture, "\"inf\""), 0u);
    return picture;
  }
  std::string text(Words words) const {
    words.insert(words.begin(), "draw");
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    return result.output;
  }
  std::string error(Words words) const {
    words.insert(words.begin(), "draw");
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    return result.errors;
  }
  /// A short training on three seeds: run/seed-0 to run/seed-2.
  void train(const std::string& preset, const std::string& out) const {
    const ProcessResult result =
        ndnf({"train", preset, "--seeds", "0..2", "--out", out, "--set", "ppo.total_timesteps=4000"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
  }
};

const Words kFinite = {"small-corridor",
                       "long-corridor-5",
                       "long-corridor-11",
                       "blackjack",
                       "taxi",
                       "taxi:factored",
                       "door-corridor",
                       "door-corridor-t",
                       "door-corridor-ot",
                       "crossing",
                       "small-corridor:wall",
                       "crossing:lanes=5",
                       "taxi:rows=9,cols=7",
                       "long-corridor-5:length=40,goal=39"};

TEST_F(Draw, EveryFiniteTaskHasAPictureAndATextOfEveryView) {
  for (const std::string& task : kFinite) {
    for (const char* view : {"policy", "values", "episode"}) {
      SCOPED_TRACE(task + ", " + view);
      const std::string words = text({"optimal", "--env", task, "--view", view});
      EXPECT_LE(longest_line(words), 80u) << words;
      EXPECT_THAT(words, StartsWith("optimal on "));
      svg({"optimal", "--env", task, "--view", view});
      EXPECT_EQ(json({"draw", "uniform", "--env", task, "--view", view}).at("view"), view);
    }
  }
}

TEST_F(Draw, TasksWithoutAModelShowSampledObservationsAndEpisodes) {
  for (const char* task : {"cart-pole", "mountain-car", "acrobot", "pendulum", "crossing:lanes=9"}) {
    SCOPED_TRACE(task);
    for (const char* view : {"policy", "episode"}) {
      EXPECT_LE(longest_line(text({"uniform", "--env", task, "--view", view})), 80u);
      svg({"uniform", "--env", task, "--view", view});
    }
    EXPECT_THAT(error({"uniform", "--env", task, "--view", "values"}),
                HasSubstr("this task has no finite model"));
  }
}

TEST_F(Draw, APolicyOverTwoNumbersIsAPictureOfTheirPlane) {
  write("car.lp",
        "% environment: mountain-car\n"
        "action(right) :- velocity(V), V > 0.\naction(left) :- not action(right).\n");
  const nlohmann::json map = json({"draw", "car.lp"});
  ASSERT_EQ(map.at("panels").size(), 1u);
  const nlohmann::json& places = map.at("panels")[0].at("places");
  ASSERT_EQ(places.size(), 31u * 21u);
  std::size_t visited = 0;
  for (const nlohmann::json& place : places) {
    const bool right = place.at("row") < 10;  // 0.070 is at the top, 0 in the middle
    EXPECT_EQ(place.at("probabilities").at("right"), right ? 1 : 0) << place;
    visited += place.at("visited").get<bool>() ? 1 : 0;
  }
  EXPECT_EQ(places[0].at("observation"), "position -1.2, velocity 0.07");
  EXPECT_GT(visited, 50u);  // the car swings up and down
  EXPECT_LT(visited, 300u);
  EXPECT_THAT(text({"car.lp"}), HasSubstr("\n−0.070 ← ←"));
  EXPECT_THAT(text({"car.lp"}), HasSubstr("down: velocity; across: position, from −1.20 to 0.60\n"));
}

TEST_F(Draw, APolicyThatIsUndefinedAtTheStartIsDrawnAllTheSame) {
  write("gap.lp",
        "% environment: mountain-car\n"
        "action(right) :- velocity(V), V > 0.\naction(left) :- velocity(V), V < 0.\n");
  EXPECT_THAT(text({"gap.lp"}), AllOf(HasSubstr("velocity 0 the policy names no action"), HasSubstr("?")));
  write("rare.lp", "% environment: cart-pole\naction(right) :- angle(A), A > 300.\n");
  EXPECT_THAT(text({"rare.lp"}), HasSubstr("the policy names no action"));
  svg({"rare.lp"});
}

TEST_F(Draw, ASimulatedEpisodeIsSpreadOverItsFrames) {
  const nlohmann::json film = json({"draw", "uniform", "--env", "pendulum", "--view", "episode"});
  ASSERT_EQ(film.at("frames").size(), 24u);
  EXPECT_EQ(film.at("frames").front().at("step"), 0);
  EXPECT_EQ(film.at("frames").at(12).at("step"), 103);
  EXPECT_EQ(film.at("frames").back().at("step"), 199);
}

TEST_F(Draw, ACorridorHasOneArrowPerDecision) {
  EXPECT_EQ(text({"optimal", "--env", "small-corridor"}),
            "optimal on small-corridor\n"
            "actions picked by sample; expected return −3; optimum −3\n\n"
            "    0    1    2    3\n"
            "    →    ←    → goal\n\n"
            "← left, → right; across: location; special: 1; start: 0\n");
  const std::string picture = svg({"optimal", "--env", "small-corridor"});
  EXPECT_EQ(occurrences(picture, "<polygon"), 3 + 2u);  // decisions, and both actions in the legend
  const std::string mixed = svg({"uniform", "--env", "small-corridor"});
  EXPECT_EQ(occurrences(mixed, "<polygon"), 6 + 2u + 1u + 2u);  // and differences: in 1, and in the legend
}

TEST_F(Draw, BlackjackHasNamedAxesAndAFrameWherePlayIsNotOptimal) {
  write("stick.lp", "action(stick).\n");
  const std::string picture = svg({"stick.lp", "--env", "blackjack"});
  EXPECT_EQ(occurrences(picture, ">dealer&apos;s card<") + occurrences(picture, ">dealer's card<"), 2u);
  EXPECT_EQ(occurrences(picture, ">player's sum<"), 2u);
  EXPECT_THAT(picture, HasSubstr(">no usable ace<"));
  EXPECT_THAT(picture, HasSubstr(">not an action of the optimal policy<"));
  const nlohmann::json data = json({"draw", "stick.lp", "--env", "blackjack"});
  std::size_t differences = 0;
  std::size_t places = 0;
  for (const nlohmann::json& panel : data.at("panels")) {
    for (const nlohmann::json& place : panel.at("places")) {
      ++places;
      differences += place.at("differs").get<bool>() ? 1 : 0;
      EXPECT_EQ(place.at("probabilities").at("stick"), 1);
    }
  }
  EXPECT_EQ(places, 280u);
  std::size_t hits = 0;  // where the optimal policy hits
  const nlohmann::json optimal = json({"draw", "optimal", "--env", "blackjack"});
  for (const nlohmann::json& panel : optimal.at("panels")) {
    for (const nlohmann::json& place : panel.at("places"))
      hits += place.at("probabilities").at("hit").get<double>() > 0.5 ? 1 : 0;
  }
  EXPECT_EQ(differences, hits);
  EXPECT_GT(hits, 100u);
  EXPECT_THAT(svg({"optimal", "--env", "blackjack"}), Not(HasSubstr("not an action of")));
}

TEST_F(Draw, ValuesOfTheStartAreTheReturn) {
  const nlohmann::json data = json({"draw", "optimal", "--env", "long-corridor-11", "--view", "values"});
  for (const nlohmann::json& place : data.at("panels")[0].at("places")) {
    if (place.at("column") == 7) {
      EXPECT_EQ(place.at("value"), -4);
    } else if (place.at("column") == 3) {
      EXPECT_TRUE(place.at("value").is_null());
    }
  }
  EXPECT_EQ(json({"draw", "optimal", "--env", "small-corridor", "--view", "values", "--discount", "0.5"})
                .at("panels")[0]
                .at("places")[0]
                .at("value"),
            -1.75);
}

TEST_F(Draw, AnEpisodeHasTheRuleThatFiredUnderEachFrame) {
  write("walk.lp", "action(right) :- not in_s_1.\naction(left) :- in_s_1.\n");
  const std::string words = text({"walk.lp", "--env", "small-corridor", "--view", "episode"});
  EXPECT_THAT(words, HasSubstr("step 1  left (1.00), reward -1\n"));
  EXPECT_THAT(words, HasSubstr("  line 2: action(left) :- in_s_1.\n"));
  EXPECT_THAT(words, EndsWith("the episode is over after 3 steps; return −3\n"));
  const std::string picture = svg({"walk.lp", "--env", "small-corridor", "--view", "episode"});
  EXPECT_EQ(occurrences(picture, "<svg "), 1 + 4u);
  EXPECT_EQ(occurrences(picture, ">line 1: action(right) :- not in_s_1.<"), 2u);
  const nlohmann::json frames =
      json({"draw", "walk.lp", "--env", "small-corridor", "--view", "episode"}).at("frames");
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[1].at("action"), "left");
  EXPECT_TRUE(frames[3].at("action").is_null());
}

TEST_F(Draw, AnUndefinedPolicyIsDrawnWithItsHoles) {
  write("some.lp", "action(right) :- in_s_0.\n");
  EXPECT_THAT(text({"some.lp", "--env", "small-corridor"}), HasSubstr("?: the policy has no action"));
  EXPECT_THAT(svg({"some.lp", "--env", "small-corridor"}), HasSubstr(">? the policy has no action<"));
  EXPECT_THAT(text({"some.lp", "--env", "small-corridor", "--view", "episode"}),
              EndsWith("the policy is undefined here after 2 steps; return −1\n"));
}

TEST_F(Draw, ATaskWithoutPlacesIsAListOfObservations) {
  const std::string task = kListings + "two-rooms.json";
  const std::string words = text({"optimal", "--env", task});
  EXPECT_THAT(words, HasSubstr("in_hall, has_key"));
  EXPECT_LE(longest_line(words), 80u);
  EXPECT_THAT(svg({"optimal", "--env", task, "--view", "values"}), HasSubstr(">in_study, has_key<"));
  EXPECT_EQ(json({"draw", "optimal", "--env", task}).at("observations").size(), 4u);
}

TEST_F(Draw, RunsAreDrawnAsPoliciesAndSeveralAsCurves) {
  train("paper/small-corridor-ndnf-mt", "runs");
  svg({"runs/seed-0", "--select", "sample"});
  EXPECT_THAT(text({"runs/seed-0", "--view", "episode"}), HasSubstr("step 0"));
  const std::string picture = svg({"runs"});
  EXPECT_EQ(occurrences(picture, "<polyline"), 1u);
  EXPECT_EQ(occurrences(picture, "fill-opacity"), 1u);  // the band
  for (const char* words :
       {">runs, 3 runs<", ">training steps<", ">mean return of training episodes<", ">optimum −3<"})
    EXPECT_THAT(picture, HasSubstr(words));
  const nlohmann::json data = json({"draw", "runs/seed-0", "runs/seed-2"});
  EXPECT_EQ(data.at("view"), "curves");
  ASSERT_EQ(data.at("curves").size(), 1u);
  EXPECT_EQ(data.at("curves")[0].at("runs"), 2);
  for (const nlohmann::json& point : data.at("curves")[0].at("points")) {
    EXPECT_LE(point.at("low"), point.at("mean"));
    EXPECT_LE(point.at("mean"), point.at("high"));
  }
  EXPECT_LE(longest_line(text({"runs"})), 80u);
  EXPECT_THAT(text({"runs", "--view", "curves", "--metric", "delta"}), HasSubstr("delta"));
  EXPECT_THAT(error({"runs", "--metric", "detla"}),
              HasSubstr("ndnf: --metric: runs/seed-0 has no metric detla; it has"));
  EXPECT_EQ(
      error({"runs", "--view", "values"}),
      "ndnf: --view values: shows one policy, but there are 3; name one, or see how they were trained with "
      "--view curves\n");
}

TEST_F(Draw, CurvesOfDifferentSettingsAreSeparate) {
  train("paper/small-corridor-ndnf-mt", "a");
  train("paper/small-corridor-mlp", "b");
  const nlohmann::json data = json({"draw", "a", "b"});
  ASSERT_EQ(data.at("curves").size(), 2u);
  EXPECT_EQ(data.at("curves")[0].at("name"), "a");
  EXPECT_EQ(data.at("curves")[1].at("name"), "b");
}

TEST_F(Draw, BadInputIsOneSentenceAndExitTwo) {
  EXPECT_EQ(error({"optimal", "--env", "taxi", "--view", "polcy"}),
            "ndnf: --view: there is no polcy; did you mean policy?\n");
  EXPECT_EQ(error({"optimal", "--env", "taxi", "-o", "taxi.png"}),
            "ndnf: -o: taxi.png does not end in .svg; pictures are written as SVG\n");
  EXPECT_EQ(error({"optimal"}), "ndnf: optimal: names no environment; give one with --env\n");
  EXPECT_EQ(error({"optimal", "--env", "taxi:rows=100,cols=100"}),
            "ndnf: taxi:rows=100,cols=100: its map has 10000 places; at most 5000 can be drawn\n");
  EXPECT_EQ(error({"optimal", "--env", "taxi", "--metric", "delta"}),
            "ndnf: --metric: is for curves; add --view curves\n");
  EXPECT_THAT(error({"optimal", "--env", "taxi", "--view", "curves"}),
              HasSubstr("ndnf: optimal: there is no such run"));
  EXPECT_THAT(error({"nowhere", "--view", "curves"}), HasSubstr("ndnf: nowhere: there is no such run"));
  EXPECT_EQ(error({"optimal", "--env", "taxi", "-o", "no/such/folder.svg"}).substr(0, 25),
            "ndnf: no/such/folder.svg:");
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(Draw, DamagedMetricsAreRefusedByLine) {
  train("paper/small-corridor-ndnf-mt", "runs");
  const std::string metrics = read("runs/seed-0/metrics.jsonl");
  write("runs/seed-0/metrics.jsonl", metrics + "{\"steps\": 1");  // a line that is still being written
  EXPECT_EQ(json({"draw", "runs/seed-0", "--view", "curves"}).at("curves").size(), 1u);
  write("runs/seed-0/metrics.jsonl", metrics + "what\n");
  EXPECT_THAT(error({"runs/seed-0", "--view", "curves"}), HasSubstr("this is not a JSON object"));
  write("runs/seed-0/metrics.jsonl", "");
  EXPECT_THAT(error({"runs/seed-0", "--view", "curves"}), HasSubstr("has no line yet"));
}

/// The pictures in docs/pictures, and the commands that docs/drawing.md and README.md give beside them.
TEST_F(Draw, TheCommittedPicturesAreWhatTheirCommandsGive) {
  const std::string root = NDNF_SOURCE_DIR "/";
  const std::string page = read_file(root + "docs/drawing.md");
  std::size_t compared = 0;
  std::filesystem::create_directory_symlink(root + "examples", path("examples"));
  std::filesystem::create_directories(path("docs/pictures"));
  for (std::size_t at = page.find("\nndnf draw "); at != std::string::npos;
       at = page.find("\nndnf draw ", at + 1)) {
    const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    const std::size_t file = line.find("docs/pictures/");
    if (file == std::string::npos) continue;
    const ProcessResult result = run({"bash", "-c", NDNF_BINARY + line.substr(4)});
    EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.errors;
    EXPECT_EQ(read(line.substr(file)), read_file(root + line.substr(file))) << line;
    ++compared;
  }
  EXPECT_GE(compared, 4u);
  EXPECT_THAT(page,
              HasSubstr("\n$ ndnf draw examples/lake/lake.lp\n" + text({"examples/lake/lake.lp"}) + "```\n"));
}

}  // namespace
}  // namespace ndnf
