#include <cstdlib>
#include <functional>

#include <gmock/gmock.h>

#include "cli/binary.h"
#include "ndnf/model/checkpoint.h"

// No file can run code: code is planted in every place where untrusted text is read, and the file that it
// would create must not appear.

namespace ndnf {
namespace {

class PlantedCode : public Binary {
 protected:
  PlantedCode() {
    ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1);
    write("good.lp", kGood);
    write("good.toml", "env = \"small-corridor\"\nmethod = \"ppo\"\n");
    EXPECT_EQ(ndnf({"envs", "small-corridor", "--dump", "task.json"}).exit_code, 0);
    EXPECT_EQ(ndnf({"compile", "good.lp", "--env", "small-corridor", "-o", "net.safetensors"}).exit_code, 0);
    // Files that planted code may refer to.
    write("evil.lp", "#script (lua)\nos.execute(\"touch " + path("PWNED") + "\")\n#end.\n");
    write("evil.py", "import os\nos.system('touch " + path("PWNED") + "')\n");
    write("evil.pl", ":- use_module('" + path("evil.py") + "').\n");
  }

  /// Code that runs or loads something in clingo or ProbLog, and attempts to use our reserved names.
  std::vector<std::string> payloads() const {
    const std::string touch = "touch " + path("PWNED");
    const std::string python = "#script (python)\nimport os; os.system(\"" + touch + "\")\n#end.\n";
    const std::string lua = "#script (lua)\nos.execute(\"" + touch + "\")\n#end.\n";
    return {python,
            lua,
            "%*\n% %*\n*%\n" + python + "% *%\n",
            "%*\n% %*\n*%\n" + lua + "% *%\n",
            "%* *% " + lua,
            "%*%\n" + lua + "*%\n",
            "q(\"\\\"%*\").\n" + lua + "r(\"*%\").\n",
            "x :- y(\"\n" + lua + "\").\n",
            "\xEF\xBB\xBF" + lua,
            "% comment\r" + lua,
            "% comment\x0b\n" + lua,
            std::string("% c\0", 4) + lua,
            "a(@f()). " + lua,
            "a(X) :- X = @f(1).\n" + lua,
            "#include \"" + path("evil.lp") + "\".\n",
            "#include \"evil.lp\".\n",
            "#include <incmode>.\n",
            "#program base.\n" + lua,
            "#const x = @f().\n" + lua,
            "#external a. " + lua,
            "#show a : b. " + lua,
            ":- use_module('" + path("evil.py") + "').\n",
            ":- use_module(evil).\n",
            ":- consult('" + path("evil.pl") + "').\n",
            ":- initialization(shell('" + touch + "')).\n",
            "q('\\'/*').\n:- use_module('" + path("evil.py") + "').\nr('*/').\n",
            "p('a\\\\', '). :- use_module('" + path("evil.py") + "'). %').\n",
            "/* % */ :- use_module('" + path("evil.py") + "').\n",
            "/*\n/* */\n:- use_module('" + path("evil.py") + "').\n*/\n",
            "x :- use_module('" + path("evil.py") + "').\naction(left) :- x.\n",
            "x :- shell('" + touch + "'), cmd_args(Y).\n",
            "ndnf_observation(99999999).\n",
            "ndnf_rule(99999999).\nndnf_value(99999999,a).\nndnf_some(0).\n",
            "ndnf_one.\nseen__(0).\no(7).\nq(9999).\n",
            "*/ int main(void) { return system(\"" + touch + "\"); } /*",
            "</text><script>fetch('x')</script>; $(" + touch + ") `" + touch + "` | " + touch};
  }

  /// Each of them alone, before and after valid text, and within a rule with variables: more than 100.
  std::vector<std::string> attempts(const std::string& good) const {
    std::vector<std::string> all;
    for (const std::string& payload : payloads()) {
      all.push_back(payload + good);
      all.push_back(good + payload);
      all.push_back("n(X) :- n(Y),\n" + payload + " X = Y.\n" + good);
    }
    EXPECT_GE(all.size(), 100U);
    return all;
  }

  /// One command per attempt, all commands in turn. Code never runs, and errors are reported in one sentence.
  void expect_nothing_runs(const std::vector<Words>& commands,
                           const std::function<void(const std::string&)>& plant,
                           const std::string& good) const {
    plant(good);  // each command gets far enough to read it
    for (const Words& command : commands) {
      const ProcessResult result = ndnf(command);
      EXPECT_NE(result.exit_code, 2) << command[0] << ": " << result.errors;
      std::filesystem::remove_all(path("no"));
    }
    std::size_t next = 0;
    for (const std::string& attempt : attempts(good)) {
      plant(attempt);
      const Words& command = commands[next++ % commands.size()];
      const ProcessResult result = ndnf(command);
      EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 1, 2)) << command[0] << "\n" << attempt;
      EXPECT_EQ(result.errors.empty(), result.exit_code == 0) << command[0] << "\n" << attempt;
      ASSERT_FALSE(std::filesystem::exists(path("PWNED"))) << command[0] << "\n" << attempt;
    }
  }

  /// A network with an entry in its metadata that our files never have.
  void write_network(const std::string& shield, const std::string& env) const {
    Checkpoint checkpoint = read_checkpoint(path("net.safetensors"));
    checkpoint.shield = shield;
    if (!env.empty()) checkpoint.env = env;
    write("evil.safetensors", to_bytes(checkpoint));
  }

  static constexpr const char* kGood = "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n";
  static constexpr const char* kGoodShield = "forbidden(left) :- in_s_0.\n";
};

std::vector<Words> commands_for_policies(const std::string& policy, const std::string& env) {
  std::vector<Words> commands = {{"eval", policy},
                                 {"check", policy},
                                 {"explain", policy, "--episode"},
                                 {"diff", policy, "uniform"},
                                 {"diff", "uniform", policy},
                                 {"export", policy, "--format", "c", "-o", "out.c"},
                                 {"export", policy, "--format", "prism", "-o", "out.prism"},
                                 {"export", policy, "--format", "drn", "-o", "out.drn"}};
  for (Words& command : commands) command.insert(command.end(), {"--env", env});
  return commands;
}

TEST_F(PlantedCode, InAProgramDoesNotRun) {
  for (const auto& [file, with] :
       {std::pair{"evil.here.lp", "clingo"}, std::pair{"evil.here.pl", "problog"}}) {
    std::vector<Words> commands = commands_for_policies(file, "small-corridor");
    commands.push_back({"eval", file, "--env", "small-corridor", "--with", with});
    commands.push_back({"compile", file, "--env", "small-corridor", "-o", "out.safetensors"});
    commands.push_back({"edit", file, "--env", "small-corridor", "--when", "in_s_0", "--do", "right", "-o",
                        std::string("out.") + (with == std::string("clingo") ? "lp" : "pl")});
    commands.push_back({"train", "small-corridor-ndnf-mt", "--init", file, "--set",
                        "ppo.total_timesteps=1024", "--out", "no"});
    const std::string good = with == std::string("clingo") ? kGood : "action(right).\n";
    expect_nothing_runs(
        commands, [&](const std::string& text) { write(file, text); }, good);
  }
}

TEST_F(PlantedCode, InAProgramDoesNotRunInAnySolver) {
  const std::vector<Words> commands = {
      {"eval", "evil.here.lp", "--env", "small-corridor", "--with", "clingo"}};
  expect_nothing_runs(
      commands, [&](const std::string& text) { write("evil.here.lp", text); }, kGood);
}

TEST_F(PlantedCode, InAShieldDoesNotRun) {
  std::vector<Words> commands = commands_for_policies("good.lp", "small-corridor");
  commands.push_back({"compile", "good.lp", "--env", "small-corridor", "-o", "out.safetensors"});
  commands.push_back({"train", "small-corridor-mlp", "--set", "ppo.total_timesteps=1024", "--out", "no"});
  for (Words& command : commands) command.insert(command.end(), {"--shield", "evil.shield.lp"});
  expect_nothing_runs(
      commands, [&](const std::string& text) { write("evil.shield.lp", text); }, kGoodShield);
}

TEST_F(PlantedCode, InATomlDoesNotRun) {
  const std::string preset = ndnf({"presets", "small-corridor-mlp"}).output;
  const auto plant = [&](const std::string& text) {
    write("plan.toml", "shield = '''" + text + "'''\n" + preset);
  };
  expect_nothing_runs({{"train", "plan.toml", "--set", "ppo.total_timesteps=1024", "--out", "no"}}, plant,
                      kGoodShield);
}

TEST_F(PlantedCode, InTheShieldOfACheckpointDoesNotRun) {
  std::vector<Words> commands = commands_for_policies("evil.safetensors", "small-corridor");
  commands.push_back({"extract", "evil.safetensors", "--env", "small-corridor", "-o", "out.lp"});
  expect_nothing_runs(
      commands, [&](const std::string& text) { write_network(text, ""); }, kGoodShield);
}

TEST_F(PlantedCode, InTheMetadataOfACheckpointDoesNotRun) {
  const std::vector<Words> commands = {{"eval", "evil.safetensors"},
                                       {"check", "evil.safetensors"},
                                       {"extract", "evil.safetensors", "-o", "out.lp"},
                                       {"export", "evil.safetensors", "--format", "c", "-o", "out.c"}};
  expect_nothing_runs(
      commands, [&](const std::string& text) { write_network("", text); }, "small-corridor");
}

TEST_F(PlantedCode, InTheNamesOfATaskDoesNotRun) {
  const auto model = nlohmann::json::parse(read("task.json"));
  const auto plant = [&](const std::string& text) {
    nlohmann::json evil = model;
    const std::size_t place = text == "corridor" ? 0 : text.size() % 4;
    const std::string shown =
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const auto name = nlohmann::json::parse(shown);
    if (place == 0) evil["name"] = name;
    if (place == 1) evil["actions"][0] = name;
    if (place == 2) evil["groups"][0]["name"] = name;
    if (place == 3) evil["groups"][0]["atoms"][0] = name;
    write("evil.json", evil.dump());
  };
  std::vector<Words> commands = commands_for_policies("good.lp", "evil.json");
  commands.push_back({"envs", "evil.json"});
  commands.push_back({"envs", "evil.json", "--svg", "out.svg"});
  commands.push_back({"compile", "good.lp", "--env", "evil.json", "-o", "out.safetensors"});
  commands.push_back({"eval", "good.lp", "--env", "evil.json", "--with", "clingo"});
  expect_nothing_runs(commands, plant, "corridor");
}

TEST_F(PlantedCode, InATableOfProbabilitiesDoesNotRun) {
  const auto plant = [&](const std::string& text) {
    const nlohmann::json rows = {{{"observation", {text}}, {"probabilities", {0, 1}}}};
    nlohmann::json table = {
        {"format", "ndnf-policy"}, {"version", 1}, {"default", {0, 1}}, {"rows", nlohmann::json::array()}};
    table[text.size() % 2 == 0 ? "rows" : "env"] = text.size() % 2 == 0 ? rows : nlohmann::json(text);
    write("evil.json", table.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  };
  expect_nothing_runs(commands_for_policies("evil.json", "small-corridor"), plant, "in_s_0");
}

TEST_F(PlantedCode, InAnArgumentDoesNotRun) {
  std::size_t attempt = 0;
  for (std::string text : attempts("in_s_0")) {
    std::replace(text.begin(), text.end(), '\0', ' ');  // an argument ends there
    const std::vector<Words> commands = {
        {"edit", "good.lp", "--env", "small-corridor", "--when", text, "--do", "right", "-o", "out.lp"},
        {"edit", "good.lp", "--env", "small-corridor", "--when", "in_s_0", "--do", text, "-o", "out.lp"},
        {"check", "good.lp", "--env", "small-corridor", "--property", text},
        {"check", "good.lp", "--env", "small-corridor", "--property", "never action(left) when " + text},
        {"explain", "good.lp", "--env", "small-corridor", "--obs", text},
        {"eval", "good.lp", "--env", text},
        {"eval", text, "--env", "small-corridor"},
        {"train", "small-corridor-mlp", "--set", text, "--out", "no"}};
    const Words& command = commands[attempt++ % commands.size()];
    const ProcessResult result = ndnf(command);
    EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 1, 2)) << command[0] << "\n" << text;
    ASSERT_FALSE(std::filesystem::exists(path("PWNED"))) << command[0] << "\n" << text;
  }
}

/// The canary: outside the confinement, planted code does create the file.
TEST_F(PlantedCode, WouldRunInAClingoOfTheOrdinaryKind) {
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    write("payload.lp", payloads()[i]);
    run({"clingo", "payload.lp"});
    EXPECT_TRUE(std::filesystem::remove(path("PWNED"))) << payloads()[i];
  }
}

}  // namespace
}  // namespace ndnf
