#include "ndnf/studio/studio.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "ndnf/studio/base64.h"
#include "ndnf/studio/page_files.h"
#include "ndnf/studio/watch_page.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

/// The message of an Error, or "" if there is none.
template <class Work>
std::string refusal(Work work) {
  try {
    work();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

class StudioFolder : public ::testing::Test {
 protected:
  std::string folder() const { return (temporary_.path() / "work").string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((temporary_.path() / name).parent_path());
    std::ofstream(temporary_.path() / name) << text;
  }
  const testing::TemporaryFolder temporary_;
};

TEST_F(StudioFolder, HasOnlyPlainNamesBelowIt) {
  const Workspace workspace(folder());
  EXPECT_EQ(workspace.file("a/b.lp"), fs::path(folder()) / "a" / "b.lp");
  for (const char* name :
       {"", "/etc/passwd", "..", "../a", "a/../b", "a//b", "a/", ".hidden", "a/.b", "a\\b", "a\nb", "a:b"})
    EXPECT_THAT(refusal([&] { workspace.file(name); }), HasSubstr("is not a file of the studio's folder"))
        << name;
  EXPECT_NE(refusal([&] { workspace.file(std::string(1000, 'a')); }), "");
}

TEST_F(StudioFolder, FollowsNoLinks) {
  write("secret.lp", "secret");
  write("work/run/config.toml", "");
  fs::create_symlink(temporary_.path() / "secret.lp", fs::path(folder()) / "link.lp");
  fs::create_directory_symlink(temporary_.path(), fs::path(folder()) / "up");
  fs::create_symlink(temporary_.path() / "secret.lp", fs::path(folder()) / "run" / "model.safetensors");
  const Workspace workspace(folder());
  EXPECT_THAT(refusal([&] { workspace.read("link.lp"); }), HasSubstr("symbolic link"));
  EXPECT_THAT(refusal([&] { workspace.read("up/secret.lp"); }), HasSubstr("symbolic link"));
  EXPECT_THAT(refusal([&] { workspace.readable("run"); }), HasSubstr("symbolic link"));
  EXPECT_THAT(refusal([&] { workspace.save("link.lp", "x"); }), HasSubstr("symbolic link"));
  write("work/seeds/seed-0/config.toml", "");
  fs::create_symlink(temporary_.path() / "secret.lp", fs::path(folder()) / "seeds" / "seed-0" / "policy.lp");
  EXPECT_THAT(refusal([&] { workspace.readable("seeds/seed-0"); }), HasSubstr("symbolic link"));
  EXPECT_THAT(refusal([&] { workspace.readable("seeds"); }), HasSubstr("symbolic link"));
  EXPECT_FALSE(workspace.contains(temporary_.path() / "secret.lp"));
  EXPECT_FALSE(workspace.contains(fs::path(folder()) / "link.lp"));
  for (const WorkspaceEntry& entry : workspace.entries()) EXPECT_THAT(entry.name, Not(HasSubstr("link")));
}

TEST_F(StudioFolder, IsListedByKinds) {
  write("work/policy.lp", "action(left).\n");
  write("work/notes.txt", "");
  const Workspace workspace(folder());
  ASSERT_EQ(workspace.entries().size(), 1u);
  EXPECT_EQ(workspace.entries()[0].name, "policy.lp");
  EXPECT_EQ(workspace.entries()[0].kind, "program");
  EXPECT_THAT(refusal([&] { workspace.save("run.sh", "x"); }),
              HasSubstr("does not write files of this kind"));
}

class StudioRequests : public StudioFolder {
 protected:
  StudioRequests() : studio_({"", "", folder(), ""}) {}
  Studio studio_;
  const nlohmann::json program_ = {{"name", "policy.lp"},
                                   {"contents", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n"}};
};

TEST_F(StudioRequests, AreTheRequestsOfThePipeline) {
  const auto value = studio_.answer("eval", {{"policy", program_}, {"env", "small-corridor"}});
  EXPECT_EQ(value.at("return"), -3);
  const auto use = studio_.answer("rules", {{"program", program_}, {"env", "small-corridor"}});
  EXPECT_EQ(use.at("rules").at(1).at("per_episode"), 2);
  const auto explained = studio_.answer("explain", {{"policy", program_}, {"env", "small-corridor"}});
  EXPECT_EQ(explained.at("episode").size(), 3u);
  EXPECT_EQ(explained.at("explanations").at(0).at("probabilities").at("right"), 1);
  const auto pictures = studio_.answer("pictures", {{"env", "small-corridor"}, {"states", {0, 1}}});
  EXPECT_EQ(pictures.at("pictures").size(), 2u);
  const auto map = studio_.answer("draw", {{"policies", {program_}}, {"env", "small-corridor"}});
  EXPECT_EQ(map.at("panels").at(0).at("places").at(0).at("state"), 0);
  EXPECT_EQ(map.at("panels").at(0).at("places").at(0).at("visits"), 1);
  const auto compiled = studio_.answer("compile", {{"program", program_}, {"env", "small-corridor"}});
  EXPECT_EQ(compiled.at("agrees"), true);
  EXPECT_GT(compiled.at("contents").get<std::string>().size(), 100u);
  EXPECT_EQ(fs::exists(folder()), false);  // nothing was written
  EXPECT_THAT(Studio::requests(), Contains("train"));
}

TEST_F(StudioRequests, SayWhereMistakesAre) {
  try {
    studio_.answer("check",
                   {{"policy", {{"name", "p.lp"}, {"contents", "action(left) :- in_s_1.\naction(rigth).\n"}}},
                    {"env", "small-corridor"}});
    FAIL();
  } catch (const Error& error) {
    const auto json = error_json(error);
    EXPECT_EQ(json.at("complaints").at(0).at("line"), 2);
    EXPECT_THAT(json.at("error").get<std::string>(), HasSubstr("did you mean"));
  }
}

TEST_F(StudioRequests, RefuseWhatTheyDoNotKnow) {
  const auto told = [&](const std::string& name, const nlohmann::json& body) {
    return refusal([&] { studio_.answer(name, body); });
  };
  EXPECT_THAT(told("evla", nlohmann::json::object()), HasSubstr("did you mean eval"));
  EXPECT_THAT(told("eval", nlohmann::json::array()), HasSubstr("a request is a JSON object"));
  EXPECT_THAT(told("eval", {{"policy", "uniform"}, {"env", "taxii"}}),
              HasSubstr("there is no environment taxii"));
  EXPECT_THAT(told("eval", {{"policy", "uniform"}, {"env", "taxi"}, {"x", 1}}),
              HasSubstr("there is no such field"));
  EXPECT_THAT(told("eval", {{"policy", {{"name", "../p.lp"}, {"contents", ""}}}, {"env", "taxi"}}),
              HasSubstr("is not the name of a file"));
  EXPECT_THAT(told("train", {{"env", "taxi"}, {"recipe", "/etc/passwd"}}), HasSubstr("/etc/passwd"));
  EXPECT_THAT(told("envs", {{"env", "gym:LunarLander-v3"}}), HasSubstr("need the Python package"));
}

TEST_F(StudioRequests, TrainInTheBackgroundWithEvents) {
  const auto begun = studio_.answer(
      "train", {{"env", "small-corridor"}, {"recipe", "paper/small-corridor-ndnf-mt"}, {"seeds", 2}});
  const std::size_t id = begun.at("id");
  std::vector<nlohmann::json> events;
  for (Trainings::News news; !news.over;) {
    news = studio_.trainings().news(id, events.size(), std::chrono::seconds(60));
    for (const std::string& event : news.events) events.push_back(nlohmann::json::parse(event));
  }
  EXPECT_EQ(events.front().at("event"), "begin");
  EXPECT_EQ(events.front().at("seeds"), 2);
  ASSERT_EQ(events.back().at("event"), "end");
  EXPECT_EQ(events.back().at("finished"), true);
  EXPECT_EQ(events.back().at("runs").size(), 2u);
  const std::string run = begun.at("run");
  EXPECT_EQ(studio_.answer("eval", {{"policy", run + "/seed-1"}}).at("return"), -3);
  const auto again = studio_.answer("train", {{"env", "small-corridor"}, {"steps", 1000}});
  EXPECT_NE(again.at("run"), run);  // a new folder each time
  EXPECT_THAT(refusal([&] { studio_.trainings().stop(99); }), HasSubstr("there is no training 99"));
  const auto known = studio_.answer("trainings", nlohmann::json::object()).at("trainings").at(0);
  EXPECT_EQ(known.at("request").at("recipe"), "paper/small-corridor-ndnf-mt");  // what resuming needs
}

TEST_F(StudioRequests, DrawTheFramesOfATaskWithNumbers) {
  const auto strip =
      studio_.answer("draw", {{"policies", {"uniform"}}, {"env", "cart-pole"}, {"view", "episode"}});
  EXPECT_THAT(strip.at("frames").at(0).at("picture").get<std::string>(), HasSubstr("<svg"));
}

TEST_F(StudioRequests, KeepAFileThatMustNotBeReplaced) {
  const auto save = [&](const std::string& contents, bool replace) {
    studio_.answer("save", {{"file", "a.json"}, {"contents", contents}, {"replace", replace}});
  };
  save("1", false);
  save("1", false);
  EXPECT_THAT(refusal([&] { save("2", false); }), HasSubstr("is in the folder already"));
  EXPECT_EQ(studio_.answer("read", {{"file", "a.json"}}).at("contents"), "1");
  save("2", true);
  EXPECT_EQ(studio_.answer("read", {{"file", "a.json"}}).at("contents"), "2");
  EXPECT_THAT(refusal([&] { save(std::string(2 << 20, 'x'), true); }), HasSubstr("takes up to 1 MB"));
}

TEST(StudioDocument, HasEveryRequest) {
  const std::string page = read_file(NDNF_SOURCE_DIR "/docs/studio-api.md");
  for (const std::string& name : Studio::requests())
    EXPECT_THAT(page, HasSubstr("\n| `" + name + "` |")) << name;
}

TEST(Base64, IsThatOfTheRfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\x00\xfe", 3)), "/wD+");
}

TEST(WatchPage, IsCompleteAndItsDataCannotEndTheScript) {
  const std::string page = watch_page("{\"title\":\"</script><b>\"}");
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
  EXPECT_THAT(page, Not(HasSubstr("import ")));
  EXPECT_THAT(page, Not(HasSubstr("\nexport ")));
  EXPECT_THAT(page, Not(HasSubstr("fetch(")));
}

TEST(WatchPage, HasTheEpisodeTheMapAndTheRules) {
  WatchRequest request;
  request.policy = Input("policy.lp", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
  request.env = Input("small-corridor");
  const WatchedPolicy watched = watch_policy(request);
  EXPECT_EQ(watched.env, "small-corridor");
  for (const char* part :
       {"\"explained\":", "\"pictures\":[\"\\u003csvg", "\"map\":", "action(left) :- in_s_1."})
    EXPECT_THAT(watched.html, HasSubstr(part));
  request.policy = Input("uniform");
  request.env = Input("mountain-car");
  EXPECT_THAT(watch_policy(request).html, HasSubstr("\"strip\":"));
  request.policy = Input("cart.lp", "action(right) :- angle(A), A > 0.\naction(left) :- angle(A), A <= 0.\n");
  request.env = Input("cart-pole");
  EXPECT_THAT(watch_policy(request).html, HasSubstr("\"reason\":\"angle > 0 rad\""));
}

TEST(PageFiles, HaveNoInlineScript) {
  ASSERT_TRUE(page_files().contains("index.html"));
  for (const auto& [name, text] : page_files()) {
    EXPECT_THAT(text, Not(HasSubstr("innerHTML"))) << name;
    EXPECT_THAT(text, Not(HasSubstr("eval("))) << name;
  }
}

}  // namespace
}  // namespace ndnf
