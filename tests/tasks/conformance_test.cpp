// The conformance test for every finite environment of the registry, with its defaults and with every choice
// and flag changed.

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/svg_check.h"
#include "ndnf/env/model_file.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::xml_defect;

/// The spec of each finite kind, then with each non-default choice and flag.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const TaskKind& kind : task_kinds()) {
    if (!make_task(kind.name).is_finite()) continue;
    specs.push_back(kind.name);
    for (const ConfigField& field : kind.parameters) {
      for (const std::string& choice : field.choices) {
        if (ConfigValue(choice) != field.fallback)
          specs.push_back(fmt::format("{}:{}={}", kind.name, field.key, choice));
      }
      if (const bool* flag = std::get_if<bool>(&field.fallback)) {
        specs.push_back(fmt::format("{}:{}={}", kind.name, field.key, !*flag));
      }
    }
  }
  return specs;
}

/// At most a few hundred states, evenly spaced and including the last: enough to draw.
std::vector<StateId> sampled_states(const FiniteModel& model) {
  const std::size_t stride = std::max<std::size_t>(1, model.state_count() / 300);
  std::vector<StateId> states;
  for (std::size_t s = 0; s < model.state_count(); s += stride) states.push_back(static_cast<StateId>(s));
  states.push_back(static_cast<StateId>(model.state_count() - 1));
  return states;
}

TEST(XmlDefect, FindsWhatIsWrong) {
  EXPECT_EQ(xml_defect("<svg a=\"1\"><g/><t>x</t></svg>"), "");
  EXPECT_EQ(xml_defect("<svg><t></svg>"), "</svg> closes nothing");
  EXPECT_EQ(xml_defect("<svg><t></t>"), "<svg> is not closed");
  EXPECT_EQ(xml_defect("<svg a=\"1></svg>"), "no value for a=\"1 in <svg>");
  EXPECT_EQ(xml_defect("<svg><rect fill:red/></svg>"), "no value for fill:red in <rect>");
  EXPECT_EQ(xml_defect("<svg"), "an element is not finished");
  EXPECT_EQ(xml_defect("<svg><rect x=\"1\" y=\"2\" x=\"1\"/></svg>"), "x twice in <rect>");
}

TEST(XmlDefect, IsFoundInAttributesToo) {
  EXPECT_EQ(xml_defect("<svg><rect x=\"1\" fill;=\"red\"/></svg>"), "no attribute: fill; in <rect>");
}

class EveryEnvironment : public ::testing::TestWithParam<std::string> {
 protected:
  const Task env_ = make_task(GetParam());
};

TEST_P(EveryEnvironment, SpecMakesItAgain) {
  const Task again = make_task(env_.spec);
  EXPECT_EQ(again.spec, env_.spec);
  EXPECT_EQ(to_model_file(again), to_model_file(env_));
}

TEST_P(EveryEnvironment, StatesLieInPlacesOfTheirOwn) {
  ASSERT_TRUE(env_.layout);
  const Layout& layout = *env_.layout;
  EXPECT_EQ(layout.marks.size(), env_.vocabulary->action_count());
  std::map<std::vector<std::size_t>, StateId> taken;
  for (StateId s = 0; s < env_.model().state_count(); ++s) {
    const auto place = layout.place(s);
    if (!place) continue;
    EXPECT_LT(place->row, layout.rows.size()) << "state " << s;
    EXPECT_LT(place->column, layout.columns.size()) << "state " << s;
    EXPECT_LT(place->panel, layout.panels.size()) << "state " << s;
    EXPECT_TRUE(taken.emplace(std::vector<std::size_t>{place->row, place->column, place->panel}, s).second)
        << "state " << s;
  }
  EXPECT_FALSE(taken.empty());
}

TEST_P(EveryEnvironment, SpecNamesOnlyWhatIsNotDefault) { EXPECT_EQ(env_.spec, GetParam()); }

TEST_P(EveryEnvironment, EveryObservationIsSeenInSomeState) {
  std::vector<bool> seen(env_.model().observations().size());
  for (StateId s = 0; s < env_.model().state_count(); ++s) seen[env_.model().observation(s)] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

TEST_P(EveryEnvironment, LabelsAreStateSets) {
  EXPECT_FALSE(env_.model().labels().empty());
  for (const auto& [name, states] : env_.model().labels()) {
    EXPECT_FALSE(states.empty()) << name;
    EXPECT_EQ(std::adjacent_find(states.begin(), states.end(), std::greater_equal<>()), states.end()) << name;
  }
}

TEST_P(EveryEnvironment, TextTellsObservationsApart) {
  std::map<std::string, ObsId> drawn;
  for (const StateId s : sampled_states(env_.model())) {
    const std::string text = env_.draw_text(s);
    EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 2) << "state " << s;
    EXPECT_TRUE(text.ends_with('\n')) << "state " << s;
    const ObsId obs = env_.model().observation(s);
    EXPECT_EQ(drawn.emplace(text, obs).first->second, obs) << "state " << s << "\n" << text;
  }
}

TEST_P(EveryEnvironment, PicturesAreWellFormed) {
  for (const StateId s : sampled_states(env_.model())) {
    const std::string svg = env_.draw_svg(s).to_string();
    EXPECT_TRUE(svg.starts_with("<svg ")) << "state " << s;
    EXPECT_EQ(xml_defect(svg), "") << "state " << s;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << "state " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryEnvironment, ::testing::ValuesIn(all_specs()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(Registry, EveryKindAndParameterIsDocumented) {
  for (const TaskKind& kind : task_kinds()) {
    EXPECT_TRUE(kind.summary.ends_with(".")) << kind.name;
    for (const ConfigField& field : kind.parameters) {
      EXPECT_TRUE(field.sentence.ends_with(".")) << kind.name << ", " << field.key;
      EXPECT_EQ(field.checked(kind.name, field.fallback), field.fallback) << "the default is allowed";
    }
  }
}

}  // namespace
}  // namespace ndnf
