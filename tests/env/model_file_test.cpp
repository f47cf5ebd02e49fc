#include "ndnf/env/model_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "env/json_files.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::BadEdit;
using testing::edited;
using testing::error_of;
using ::testing::HasSubstr;
using testing::json_block;
using testing::source_text;
using ::testing::StartsWith;
using testing::TemporaryFolder;

const std::string kExample = "examples/two-rooms.json";

Task read_text(const std::string& text) {
  const TemporaryFolder folder;
  return read_model_file(folder.write("task.json", text));
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same(const Outcome& a, const Outcome& b) {
  return same_bits(a.probability, b.probability) && same_bits(a.reward, b.reward) && a.next == b.next &&
         a.terminal == b.terminal && a.tag == b.tag;
}

void expect_same_vocabulary(const Vocabulary& a, const Vocabulary& b) {
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  ASSERT_EQ(a.group_count(), b.group_count());
  for (std::size_t g = 0; g < a.group_count(); ++g) EXPECT_EQ(a.group(g).name, b.group(g).name);
}

void expect_same_observations(const ObservationTable& a, const ObservationTable& b) {
  expect_same_vocabulary(a.vocabulary(), b.vocabulary());
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.dense_size(), b.dense_size());
  for (ObsId obs = 0; obs < a.size(); ++obs) {
    EXPECT_TRUE(std::ranges::equal(a.values(obs), b.values(obs))) << "observation " << obs;
    EXPECT_TRUE(std::ranges::equal(a.dense(obs), b.dense(obs))) << "observation " << obs;
  }
}

void expect_same_model(const FiniteModel& a, const FiniteModel& b) {
  expect_same_observations(a.observations(), b.observations());
  ASSERT_EQ(a.state_count(), b.state_count());
  for (StateId s = 0; s < a.state_count(); ++s) {
    EXPECT_EQ(a.observation(s), b.observation(s));
    for (ActionId action = 0; action < a.action_count(); ++action) {
      EXPECT_TRUE(std::ranges::equal(a.outcomes(s, action), b.outcomes(s, action), same))
          << s << ", " << action;
    }
  }
  EXPECT_TRUE(std::ranges::equal(a.starts(), b.starts(), [](const Start& x, const Start& y) {
    return x.state == y.state && same_bits(x.probability, y.probability);
  }));
  for (AtomId atom = 0; atom < a.vocabulary().atom_count(); ++atom) {
    EXPECT_EQ(a.vocabulary().may_define(atom), b.vocabulary().may_define(atom)) << atom;
  }
  EXPECT_EQ(a.step_limit(), b.step_limit());
  EXPECT_EQ(a.tags(), b.tags());
  EXPECT_EQ(a.labels(), b.labels());
}

/// NAME, and NAME:key=choice for every choice of a parameter.
std::vector<std::string> specs_of_registry() {
  std::vector<std::string> specs;
  for (const TaskKind& kind : task_kinds()) {
    if (!make_task(kind.name).is_finite()) continue;
    specs.push_back(kind.name);
    for (const ConfigField& field : kind.parameters) {
      for (const std::string& choice : field.choices)
        specs.push_back(kind.name + ":" + field.key + "=" + choice);
    }
  }
  return specs;
}

TEST(ModelFile, EveryEnvironmentIsTheSameAfterWritingAndReading) {
  for (const std::string& spec : specs_of_registry()) {
    SCOPED_TRACE(spec);
    const Task environment = make_task(spec);
    const std::string text = to_model_file(environment.model(), spec, environment.layout.get());
    const Task again = read_text(text);
    expect_same_model(environment.model(), again.model());
    ASSERT_TRUE(again.layout);
    EXPECT_EQ(to_model_file(again.model(), spec, again.layout.get()), text);
  }
}

RC_GTEST_PROP(ModelFile, KeepsEveryBitOfProbabilitiesRewardsAndDenseNumbers,
              (std::uint64_t bits, float dense)) {
  const auto reward = std::bit_cast<double>(bits);
  RC_PRE(std::abs(reward) <= 1e100 && std::isfinite(dense));
  const double p = static_cast<double>(*rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 53)) * 0x1p-53;
  auto vocabulary = std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("lit")},
                                                 std::vector<std::string>{"wait"});
  auto table = std::make_shared<ObservationTable>(vocabulary, 1);
  FiniteModelData data;
  data.observation = {table->intern(std::vector<std::uint32_t>{1}, std::vector<float>{dense})};
  data.observations = table;
  data.add_row(std::vector<Outcome>{{p, reward, 0, false, -1}, {1 - p, -reward, 0, true, -1}});
  data.starts = {{1, 0}};
  data.step_limit = 7;
  const FiniteModel model(std::move(data));
  expect_same_model(model, read_text(to_model_file(model, "coin")).model());
}

TEST(ModelFile, TheDocumentShowsTheExampleInTheFormThatIsWritten) {
  const std::string text = source_text(kExample);
  EXPECT_EQ(json_block(source_text("docs/model-file.md")), text);
  EXPECT_EQ(to_model_file(read_text(text).model(), "two-rooms"), text);
}

TEST(ModelFile, GivesTheExampleItsMeaning) {
  const std::string path = std::string(NDNF_SOURCE_DIR) + "/" + kExample;
  const Task environment = make_task(path);
  EXPECT_EQ(environment.spec, path);
  const FiniteModel& model = environment.model();
  EXPECT_EQ(model.state_count(), 5u);
  EXPECT_EQ(model.observations().describe(model.observation(2)), "in_study, has_key");
  ASSERT_EQ(model.outcomes(1, 1).size(), 2u);
  EXPECT_TRUE(same(model.outcomes(1, 1)[0], {0.75, -1, 2, false, -1}));
  EXPECT_TRUE(same(model.outcomes(3, 2)[0], {1, 10, 4, true, 0}));
  EXPECT_TRUE(model.is_end(4));
  EXPECT_EQ(model.step_limit(), 20u);
}

TEST(ModelFile, OptionalKeysMayBeLeftOut) {
  const FiniteModel model = read_text(R"({"format": "ndnf-model", "version": 1, "name": "one-step",
    "actions": ["go"], "groups": [{"name": "lit", "one_hot": false, "atoms": ["lit"]}], "observations": [[]],
    "states": [{"observation": 0, "outcomes": {"go": [{"next": 0, "terminal": true}]}}],
    "starts": [{"state": 0}]})")
                                .model();
  EXPECT_FALSE(model.step_limit().has_value());
  EXPECT_EQ(model.horizon(), 1u);
  EXPECT_TRUE(model.tags().empty() && model.labels().empty());
  EXPECT_EQ(model.observations().dense_size(), 0u);
  EXPECT_TRUE(same(model.outcomes(0, 0)[0], {1, 0, 0, true, -1}));
}

TEST(ModelFile, DrawsACardWithAtomsAndLabels) {
  const Task environment = read_text(source_text(kExample));
  EXPECT_EQ(environment.draw_text(3), "state 3\n  true: in_hall, has_key\n  labels: safe\n");
  EXPECT_EQ(environment.draw_text(0), "state 0\n  true: in_hall\n");
  const std::string svg = environment.draw_svg(3).to_string();
  for (const char* part : {"two-rooms, state 3", ">in_hall<", ">has_key<", ">label safe<"}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
}

TEST(ModelFile, HasADiscountAndNeedsNoStepLimit) {
  const Task task = read_text(edited(source_text(kExample), "\"step_limit\": 20,", "\"discount\": 0.9,"));
  EXPECT_EQ(task.model().discount(), 0.9);
  EXPECT_EQ(task.discount, 0.9);
  EXPECT_TRUE(task.model().endless());
  EXPECT_EQ(task.step_limit, std::nullopt);
  const Task again = read_text(to_model_file(task.model(), "again"));
  EXPECT_EQ(again.model().discount(), 0.9);
  EXPECT_TRUE(again.model().endless());
  EXPECT_EQ(read_text(source_text(kExample)).model().discount(), 1);
  EXPECT_EQ(task.discounted(0.5).model().discount(), 0.5);
}

/// The example with a layout: hall and study side by side, without and with the key; outside is nowhere.
std::string example_with(const std::string& layout) {
  return edited(source_text(kExample), "\"step_limit\": 20,",
                "\"step_limit\": 20, \"layout\": " + layout + ",");
}
const std::string kLayout = R"({"rows": 1, "columns": ["hall", "study"], "column_title": "room",
  "panels": ["no key", "key"], "places": [[0, 0], [0, 1], [0, 1, 1], [0, 0, 1], null],
  "marks": {"walk": "→"}, "walls": [[[0, 1], [0, 0]]], "probability_of": "grab"})";

TEST(ModelFile, SaysWhereItsStatesLie) {
  const Task task = read_text(example_with(kLayout));
  ASSERT_TRUE(task.layout);
  const Layout& layout = *task.layout;
  EXPECT_EQ(layout.rows, std::vector<std::string>{"0"});
  EXPECT_EQ(layout.columns, (std::vector<std::string>{"hall", "study"}));
  EXPECT_EQ(layout.column_title, "room");
  EXPECT_EQ(layout.place(2), (StatePlace{0, 1, 1}));
  EXPECT_EQ(layout.place(4), std::nullopt);
  EXPECT_EQ(layout.marks, (std::vector<std::string>{"→", "G", "L"}));
  EXPECT_EQ(layout.walls, (std::vector<LayoutWall>{{0, 0, false}}));
  EXPECT_EQ(layout.probability_of, 1u);
  const std::string text = to_model_file(task.model(), "two-rooms", task.layout.get());
  const Task again = read_text(text);
  EXPECT_EQ(to_model_file(again.model(), "two-rooms", again.layout.get()), text);
}

TEST(ModelFile, WithALayoutDrawsAMap) {
  const Task task = read_text(example_with(kLayout));
  EXPECT_EQ(task.draw_text(2), "key\n . @\nstate 2\n  true: in_study, has_key\n  labels: safe\n");
  EXPECT_EQ(task.draw_text(4), "state 4\n  true: outside, has_key\n  labels: free, safe\n");
  EXPECT_THAT(task.draw_svg(2).to_string(), HasSubstr("<circle"));
}

TEST(ModelFile, WithoutALayoutIsTheSameBytesAsBefore) {
  const std::string text = source_text(kExample);
  const Task task = read_text(text);
  EXPECT_FALSE(task.layout);
  EXPECT_EQ(to_model_file(task.model(), "two-rooms", task.layout.get()), text);
}

TEST(ModelFile, BadLayoutsAreRefusedWithTheirPlace) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    const std::string message = error_of([&] { read_text(example_with(edited(kLayout, from, to))); });
    return message.substr(message.find(": ") + 2);
  };
  EXPECT_EQ(refusal("\"rows\": 1,", ""), "layout: the key \"rows\" is missing");
  EXPECT_EQ(refusal("\"rows\": 1", "\"rows\": 0"), "layout.rows: there is none; at least one is needed");
  EXPECT_EQ(refusal("\"rows\": 1", "\"rows\": 1000000000"),
            "layout.rows: 1000000000 is too many; at most 100000 are allowed");
  EXPECT_EQ(refusal("\"rows\": 1", "\"rows\": \"many\""),
            "layout.rows: this is a string; a whole number is needed here");
  EXPECT_EQ(refusal("\"rows\"", "\"row\""), "layout: the key \"row\" is not known; did you mean rows?");
  EXPECT_EQ(
      refusal("[0, 1, 1]", "[0, 1]"),
      "layout.places[2]: state 1 already lies there; put one of them in another panel, or nowhere (null)");
  EXPECT_EQ(refusal("[0, 1, 1]", "[0, 2, 1]"),
            "layout.places[2][1]: there is no column 2; they are numbered 0 to 1");
  EXPECT_EQ(refusal("[0, 1, 1]", "[0, 1, 2]"),
            "layout.places[2][2]: there is no panel 2; they are numbered 0 to 1");
  EXPECT_EQ(
      refusal("[0, 1, 1]", "[0]"),
      "layout.places[2]: has 1 numbers; a place is [row, column] or [row, column, panel]; null if the state "
      "lies nowhere");
  EXPECT_EQ(refusal(", null]", "]"), "layout.places: has 4 places; there are 5 states");
  EXPECT_EQ(refusal("[\"no key\", \"key\"]", "[]"),
            "layout.panels: is empty; leave it out if there is one panel without a title");
  EXPECT_EQ(refusal("{\"walk\": \"→\"}", "{\"wlk\": \"→\"}"),
            "layout.marks: there is no action wlk; did you mean walk?");
  EXPECT_EQ(refusal("\"→\"", "\"walk\""), "layout.marks.walk: has 4 letters; a mark has 1 to 3");
  EXPECT_EQ(refusal("[[0, 1], [0, 0]]", "[[0, 0], [0, 0]]"),
            "layout.walls[0]: the places are not neighbours; a wall is between two that are");
  EXPECT_EQ(refusal("\"grab\"", "\"grip\""),
            "layout.probability_of: there is no action grip; did you mean grab?");
}

TEST(Layout, MarksActionsByDirectionOrFirstLetters) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(default_marks({"left", "move(up)", "go_south", "east"}), (Names{"←", "↑", "↓", "→"}));
  EXPECT_EQ(default_marks({"turn_left", "turn_right", "forward"}), (Names{"0", "1", "F"}));
  EXPECT_EQ(default_marks({"wait", "walk", "hit"}), (Names{"Wai", "Wal", "H"}));
  EXPECT_EQ(default_marks({"down", "dropoff"}), (Names{"↓", "D"}));
  EXPECT_EQ(default_marks({"left", "west"}), (Names{"←", "W"}));
}

class BadModelFile : public ::testing::TestWithParam<BadEdit> {};

TEST_P(BadModelFile, IsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const auto path = folder.write("task.json", edited(source_text(kExample), GetParam().from, GetParam().to));
  const std::string message = error_of([&] { read_model_file(path); });
  EXPECT_THAT(message, StartsWith(path.string() + GetParam().message));
}

const BadEdit kBadEdits[] = {
    {"Empty", "", " ", ":1:2: this is not JSON (unexpected end of input"},
    {"UnclosedText", "\"starts\"", "\"", ":36:7: this is not JSON (invalid string: control character"},
    {"NanLiteral", "0.75", "NaN", ":24:33: this is not JSON (invalid literal); a value is a number, true"},
    {"NumberTooLarge", "0.75", "1e999", ":24:37: this is not JSON (number overflow parsing '1e999')"},
    {"InvalidUtf8", "two-rooms", "\xC3\x28",
     ":4:13: this is not JSON (invalid string: ill-formed UTF-8 byte)"},
    {"TextAfterTheEnd", "[2, 3, 4]\n  }\n}", "[2]}} x", ":43:19: this is not JSON (invalid literal)"},
    {"DeeplyNested", "[\"walk\", \"grab\", \"leave\"]", std::string(99, '[') + std::string(99, ']'),
     ": is nested too deeply"},
    {"ControlCharacter", "two-rooms", "\\u001b[31m", ": name: contains a control character"},
    {"NotAnObject", "", "[]", ": this is a list; an object is needed here"},
    {"NoFormat", "\"format\": \"ndnf-model\",", "", ": the key \"format\" is missing"},
    {"OtherFormat", "ndnf-model", "ndnf-policy",
     ": format: this is \"ndnf-policy\"; ndnf-model is needed here"},
    {"LaterVersion", "\"version\": 1", "\"version\": 2",
     ": version: version 2 is not known; this program reads version 1"},
    {"UnknownKey", "\"starts\"", "\"start\"", ": the key \"start\" is not known; did you mean starts?"},
    {"RepeatedKey", "\"p\": 0.25", "\"p\": 0.1, \"p\": 0.15",
     ": states[1].outcomes.grab[1]: the key \"p\" appears twice"},
    {"UnknownOutcomeKey", "\"terminal\"", "\"teminal\"",
     ": states[3].outcomes.leave[0]: the key \"teminal\" is not known; did you mean terminal?"},
    {"NoName", "\"name\": \"two-rooms\",", "", ": the key \"name\" is missing"},
    {"ActionsAreNumbers", "[\"walk\", ", "[1, ", ": actions[0]: this is a number; a string is needed here"},
    {"ActionTwice", "\"grab\", \"leave\"]", "\"walk\", \"leave\"]", ": an action is named twice"},
    {"IllFormedAtom", "\"in_hall\", \"in_study\", \"outside\"", "\"In Hall\"",
     ": the atom name \"In Hall\" is not a term; a name starts with a lower-case letter"},
    {"TwoAtomsInASingle", "[\"has_key\"]", "[\"has_key\", \"has_bag\"]",
     ": the group key is not one-hot and must have one atom"},
    {"UnknownAtomBarred", "[\"has_key\"]}", "[\"has_key\"], \"not_in_definitions\": [\"bag\"]}",
     ": the group key has no atom bag"},
    {"UnknownAtom", "[\"in_study\", \"has_key\"]", "[\"in_studdy\"]",
     ": observations[2][0]: there is no atom in_studdy; did you mean in_study?"},
    {"NoAtomOfAOneHotGroup", "[\"in_study\", \"has_key\"]", "[\"has_key\"]",
     ": observations[2]: no atom of the group place is true; exactly one must be"},
    {"TwoAtomsOfAOneHotGroup", "[\"in_study\", \"has_key\"]", "[\"in_study\", \"in_hall\"]",
     ": observations[2][1]: in_study and in_hall cannot both be true; exactly one atom of the group place "
     "is"},
    {"AtomTwice", "[\"in_study\", \"has_key\"]", "[\"in_study\", \"has_key\", \"has_key\"]",
     ": observations[2][2]: has_key is listed twice"},
    {"ObservationTwice", "[\"in_study\", \"has_key\"]", "[\"in_study\"]",
     ": observations[2]: repeats observation 1"},
    {"DenseRowMissing", "\"states\"", "\"dense\": [[1]], \"states\"",
     ": dense: has 1 rows; there are 5 observations"},
    {"DenseRowTooShort", "\"states\"", "\"dense\": [[1, 2], [1], [1], [1], [1]], \"states\"",
     ": dense[1]: has 1 numbers; the first row has 2"},
    {"DenseNumberTooLarge", "\"states\"", "\"dense\": [[1e99], [1], [1], [1], [1]], \"states\"",
     ": dense[0][0]: 1e+99 does not fit"},
    {"OutcomesAreAList", "{\"observation\": 4}", "{\"observation\": 4, \"outcomes\": []}",
     ": states[4].outcomes: this is a list; an object is needed here"},
    {"DanglingObservation", "{\"observation\": 4}", "{\"observation\": 5}",
     ": states[4].observation: there is no observation 5; they are numbered 0 to 4"},
    {"DanglingState", "\"next\": 2, \"p\"", "\"next\": 7, \"p\"",
     ": states[1].outcomes.grab[0].next: there is no state 7; they are numbered 0 to 4"},
    {"NegativeState", "\"next\": 2, \"p\"", "\"next\": -1, \"p\"",
     ": states[1].outcomes.grab[0].next: -1 is not a non-negative whole number"},
    {"FractionalState", "\"next\": 2, \"p\"", "\"next\": 1.5, \"p\"",
     ": states[1].outcomes.grab[0].next: 1.5 is not a non-negative whole number"},
    {"StateByName", "\"next\": 2, \"p\"", "\"next\": \"study\", \"p\"",
     ": states[1].outcomes.grab[0].next: this is a string; a whole number is needed here"},
    {"NoNext", "\"next\": 2, \"p\"", "\"p\"", ": states[1].outcomes.grab[0]: the key \"next\" is missing"},
    {"NanInQuotes", "0.75", "\"NaN\"",
     ": states[1].outcomes.grab[0].p: this is a string; a number is needed here"},
    {"NullProbability", "0.75", "null",
     ": states[1].outcomes.grab[0].p: this is null; a number is needed here"},
    {"NegativeProbability", "0.75", "-0.75",
     ": state 1, action grab: the probability -0.75 is not allowed; a probability is above 0"},
    {"WrongSum", "0.75", "0.65", ": state 1, action grab: the probabilities sum to 0.9; they must sum to 1"},
    {"TerminalIsANumber", "\"terminal\": true", "\"terminal\": 1",
     ": states[3].outcomes.leave[0].terminal: this is a number; true or false is needed here"},
    {"GoesOnInAnEnd", "\"terminal\": true, ", "",
     ": state 3, action leave: continues in state 4, which has no outcomes; give it outcomes"},
    {"UnknownAction", "\"leave\": [{\"next\": 4", "\"leaf\": [{\"next\": 4",
     ": states[3].outcomes: the key \"leaf\" is not known; did you mean leave?"},
    {"NoAction", "{\"observation\": 4}", "{\"observation\": 4, \"outcomes\": {}}",
     ": states[4].outcomes: has no actions; an end state has no \"outcomes\" at all"},
    {"NoOutcome", "\"grab\": [{\"next\": 3, \"reward\": -1}],", "\"grab\": [],",
     ": states[3].outcomes.grab: is empty; leave out an action that the state does not offer"},
    {"OtherActionsInAStateThatLooksTheSame",
     "{\"observation\": 3, \"outcomes\": {\n      \"walk\": [{\"next\": 2, \"reward\": -1}],",
     "{\"observation\": 0, \"outcomes\": {",
     ": states[3]: state 3: offers other actions than an earlier state with the same observation, in_hall"},
    {"UnknownTag", "\"tag\": \"escaped\"", "\"tag\": \"escape\"",
     ": states[3].outcomes.leave[0].tag: there is no tag escape; did you mean escaped?"},
    {"NoTags", "\"tags\": [\"escaped\"],", "",
     ": states[3].outcomes.leave[0].tag: there is no tag escaped; list it in \"tags\""},
    {"TagTwice", "[\"escaped\"]", "[\"escaped\", \"escaped\"]", ": tags[1]: the tag escaped is listed twice"},
    {"LabelIsNoWord", "\"free\"", "\"free at last\"",
     ": labels: the name \"free at last\" is not allowed; a name consists of lower-case letters"},
    {"LabelOfNoState", "[4]", "[5]", ": labels.free[0]: there is no state 5"},
    {"StartInAnEnd", "{\"state\": 0}", "{\"state\": 4}", ": start: state 4 has no outcomes"},
    {"NoStart", "{\"state\": 0}", "", ": start: the probabilities sum to 0; they must sum to 1"},
    {"StepLimitOfZero", "\"step_limit\": 20", "\"step_limit\": 0",
     ": the step limit is 0; it must be at least 1"},
    {"Discount", "\"step_limit\": 20,", "\"step_limit\": 20, \"discount\": 1.5,",
     ": discount: 1.5 is not allowed; it is above 0 and at most 1"},
    {"DiscountOfZero", "\"step_limit\": 20,", "\"discount\": 0,", ": discount: 0 is not allowed"},
    {"DiscountAsText", "\"step_limit\": 20,", "\"discount\": \"0.9\",", ": discount: "},
};

INSTANTIATE_TEST_SUITE_P(Edits, BadModelFile, ::testing::ValuesIn(kBadEdits), testing::name_of);

TEST(ModelFile, AnActionThatAStateLeavesOutIsNotOffered) {
  const std::string text = edited(source_text(kExample), "\"grab\": [{\"next\": 3, \"reward\": -1}],", "");
  const Task task = read_text(text);
  const FiniteModel& model = task.model();
  ASSERT_TRUE(model.offered());
  EXPECT_FALSE(model.offered()->allows(model.observation(3), 1));
  EXPECT_EQ(model.offered()->allowed_count(model.observation(0)), 3u);
  EXPECT_EQ(model.offered()->allowed_count(model.observation(4)), 3u);  // an end state
  expect_same_model(model, read_text(to_model_file(model, "two-rooms")).model());
  EXPECT_FALSE(read_text(source_text(kExample)).model().offered());
}

TEST(ModelFile, AMissingFileAndAFolderAreRefused) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none.json").string();
  EXPECT_THAT(error_of([&] { make_task(missing); }), StartsWith(missing + ": cannot be read (No such file"));
  write_file(folder.path() / "zero.json", std::string("{}\0garbage", 10));
  EXPECT_THAT(error_of([&] { read_model_file(folder.path() / "zero.json"); }),
              HasSubstr("it has a zero byte"));
  EXPECT_THAT(error_of([&] { read_model_file(folder.path()); }), HasSubstr("is a directory"));
}

TEST(ModelFile, AHugeFileIsRefusedUnread) {
  const TemporaryFolder folder;
  const auto path = folder.write("task.json", "{");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // a hole: takes no space
  EXPECT_EQ(error_of([&] { read_model_file(path); }),
            path.string() + ": has 1099511627776 bytes; at most 268435456 are read");
}

TEST(ModelFile, ReservedNamesAreRefusedWhereTheyStand) {
  const std::string good = source_text(kExample);
  const auto refusal = [&](const std::string& from, const std::string& to) {
    return error_of([&] { read_text(edited(good, from, to)); });
  };
  for (const char* atom : {"not", "true", "action(walk)", "ndnf_x"}) {
    std::string text = good;
    for (std::size_t at = text.find("has_key"); at != std::string::npos; at = text.find("has_key", at)) {
      text.replace(at, 7, atom);
    }
    EXPECT_THAT(error_of([&] { read_text(text); }), HasSubstr(atom)) << atom;
  }
  EXPECT_THAT(
      refusal("\"tags\": [\"escaped\"]", "\"tags\": [\"escaped\", \"return\"]"),
      HasSubstr(
          "tags[1]: the tag return has the name of an `ndnf eval` figure; the names bound, discount, env, "));
  EXPECT_THAT(refusal("\"free\": [4]", "\"escaped\": [4]"), HasSubstr("labels: escaped is also a tag"));
}

}  // namespace
}  // namespace ndnf
