#include <filesystem>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Files, links, devices and limits that are malicious or the result of an accident.
class HostileFiles : public Binary {
 protected:
  ProcessResult shell(const std::string& script) const {
    return run({"bash", "-c", fmt::format("N={}; {}", NDNF_BINARY, script)});
  }

  void expect_refused(const ProcessResult& result, const std::string& complaint) const {
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, AllOf(StartsWith("ndnf: "), HasSubstr(complaint)));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
  }

  /// An unfinished run; `ndnf(kTrain)` resumes it.
  void begin_run() const {
    const ProcessResult begun = shell(
        "timeout -s TERM 0.3 $N train small-corridor-ndnf-mt --out run "
        "--set ppo.total_timesteps=50_000_000 --checkpoint 0");
    EXPECT_THAT(begun.errors, HasSubstr("stopped, all progress is saved"));
  }
  const Words kResume = {"train", "small-corridor-ndnf-mt",         "--out",   "run",
                         "--set", "ppo.total_timesteps=50_000_000", "--resume"};

  void train_quickly(const std::string& folder) const {
    ASSERT_EQ(ndnf({"train", "small-corridor-ndnf-mt", "--out", folder, "--set", "ppo.total_timesteps=51200"})
                  .exit_code,
              0);
  }
};

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they reserve terabytes of addresses
TEST_F(HostileFiles, UnderAnyMemoryLimitTheAnswerIsTheSameOrThereIsNone) {
  std::string program = "action(hit) :- not stop.\n";
  for (int i = 0; i < 250'000; ++i) program += "% a comment that takes memory and means nothing at all\n";
  write("big.lp", program + "stop.\naction(stick) :- stop.\n");
  const ProcessResult whole = ndnf({"eval", "big.lp", "--env", "blackjack"});
  EXPECT_THAT(whole.output, HasSubstr("return"));
  std::size_t refused = 0;
  for (int limit = 20'000; limit <= 200'000; limit += 9'000) {
    const ProcessResult result =
        shell(fmt::format("ulimit -v {}; $N eval big.lp --env blackjack 2> errors", limit));
    if (result.exit_code == 127) continue;  // not enough memory to load its libraries
    if (result.exit_code == 0) {
      EXPECT_EQ(result.output, whole.output);
      continue;
    }
    ++refused;
    EXPECT_EQ(result.exit_code, 2) << limit;
    EXPECT_THAT(read("errors"), AnyOf(HasSubstr("out of memory"), HasSubstr("Cannot allocate memory")));
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(HostileFiles, TooLittleMemoryToBeginWithIsASentence) {
  // Somewhere between what the loader needs and what the command needs, libraries allocate before main.
  const ProcessResult result = shell(
      "for limit in $(seq 18000 40 32000); do (ulimit -v $limit; $N eval uniform --env small-corridor) > out "
      "2>&1;"
      " code=$?; case $code in 0|127) ;; 2) grep -q 'memory' out && echo refused;; *) echo \"$limit: "
      "$code\";; esac; done");
  EXPECT_THAT(result.output, HasSubstr("refused\n"));
  EXPECT_EQ(result.output.find(':'), std::string::npos) << result.output;
}
#endif

TEST_F(HostileFiles, WhatIsNoFileIsRefusedAsAPolicy) {
  fs::create_symlink("/dev/zero", path("zero.lp"));
  fs::create_symlink("/proc/self/mem", path("memory.lp"));
  expect_refused(ndnf({"eval", "zero.lp", "--env", "blackjack"}), "is neither a file nor a pipe");
  expect_refused(ndnf({"eval", "memory.lp", "--env", "blackjack"}), "cannot be read");
  expect_refused(shell("mkfifo p.lp; $N eval p.lp --env blackjack"), "is a pipe, and no data arrives");
}

TEST_F(HostileFiles, OutputNeverReplacesWhatIsNoFile) {
  EXPECT_EQ(ndnf({"envs", "small-corridor", "--dump", "/dev/null"}).exit_code, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const std::string model = ndnf({"envs", "small-corridor", "--dump"}).output;
  EXPECT_EQ(ndnf({"envs", "small-corridor", "--dump", "/dev/stdout"}).output,
            model + "small-corridor: wrote /dev/stdout\n");
  shell("echo before > all; $N envs small-corridor --dump /dev/stdout >> all");
  EXPECT_EQ(read("all"), "before\n" + model + "small-corridor: wrote /dev/stdout\n");
  EXPECT_EQ(shell("mkfifo p; cat p & $N envs small-corridor --dump p > said; wait").output, model);
  write("target", "old");
  fs::create_symlink("target", path("link"));
  expect_refused(ndnf({"envs", "small-corridor", "--dump", "link"}), "link: is a symbolic link");
  EXPECT_EQ(read("target"), "old");
}

TEST_F(HostileFiles, ALimitOfFileSizesIsAnErrorWithASentence) {
  expect_refused(shell("ulimit -f 4; $N envs taxi --dump taxi.json"),
                 "taxi.json: cannot be written (File too large)");
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(HostileFiles, APresetNamesNoFolderOutsideRuns) {
  const std::string settings = "env = \"small-corridor\"\n[ppo]\ntotal_timesteps = 512\n";
  for (const std::string& preset :
       {path("elsewhere"), std::string("../elsewhere"), std::string("a/../../elsewhere"),
        std::string("...toml"), std::string(".."), std::string("."), std::string(""), std::string("a//"),
        std::string("./a")}) {
    write("mine.toml", fmt::format("preset = \"{}\"\n{}", preset, settings));
    expect_refused(ndnf({"train", "mine.toml"}),
                   "is not the name of a folder below runs; choose a folder with --out");
    EXPECT_EQ(file_count(), 1u);
  }
  write("mine.toml", settings);
  EXPECT_EQ(ndnf({"train", path("mine.toml")}).exit_code, 0);
  EXPECT_TRUE(fs::exists(path("runs/mine/model.safetensors")));
}

TEST_F(HostileFiles, ARunIsNotWrittenThroughLinks) {
  for (const char* file : {"metrics.jsonl", "events.out.tfevents.ndnf", "model.safetensors"}) {
    fs::remove_all(path("run"));
    begin_run();
    write("precious", "mine");
    fs::remove(path("run") + "/" + file);
    fs::create_symlink("../precious", path("run") + "/" + file);
    expect_refused(ndnf(kResume), "is a symbolic link");
    EXPECT_EQ(read("precious"), "mine");
  }
  train_quickly("other");
  fs::create_symlink("../precious", path("other/policy.lp"));
  expect_refused(ndnf({"extract", "other"}), "policy.lp: is a symbolic link");
  EXPECT_EQ(read("precious"), "mine");
}

TEST_F(HostileFiles, ARunIsNotWrittenThroughHardLinks) {
  for (const char* file : {"metrics.jsonl", "events.out.tfevents.ndnf", ".ndnf-lock"}) {
    fs::remove_all(path("run"));
    begin_run();
    write("precious", "mine");
    fs::remove(path("run") + "/" + file);
    fs::create_hard_link(path("precious"), path("run") + "/" + file);
    expect_refused(ndnf(kResume), "is a hard link");
    EXPECT_EQ(read("precious"), "mine");
  }
}

TEST_F(HostileFiles, ALineBreakInANameIsNoLineOfAProgram) {
  write("plain.lp", "% environment: small-corridor\naction(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
  const std::string name = "r\naction(left) :- in_s_0.\n%";
  fs::copy_file(NDNF_SOURCE_DIR "/examples/two-rooms.json", path(name + ".json"));
  fs::copy_file(path("plain.lp"), path(name + ".lp"));
  const std::string complaint = "its name has a line break or a tab";
  expect_refused(ndnf({"edit", "plain.lp", "--env", name + ".json", "--when", "in_s_1", "--do", "right"}),
                 complaint);
  expect_refused(ndnf({"train", name + ".json", "--model", "rules", "--out", "run"}), complaint);
  expect_refused(ndnf({"edit", name + ".lp", "--when", "in_s_1", "--do", "right", "-o", "e.lp"}), complaint);
  EXPECT_FALSE(fs::exists(path("e.lp")));
  EXPECT_FALSE(fs::exists(path("run")));
}

TEST_F(HostileFiles, AFlippedBitInAModelOrStateIsFound) {
  begin_run();
  const std::string state = read("run/state.safetensors");
  const std::string model = read("run/model.safetensors");
  const auto flipped = [](std::string bytes, std::size_t k) {
    const std::size_t bit = 8 * (bytes.size() / 3) + k * 2 * bytes.size() / 15;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    return bytes;
  };
  for (std::size_t k = 0; k < 40; ++k) {
    write("run/state.safetensors", flipped(state, k));
    expect_refused(ndnf(kResume), "run/state.safetensors: ");
    write("run/state.safetensors", state);
    write("run/model.safetensors", flipped(model, k));
    expect_refused(ndnf({"eval", "run"}), "run/model.safetensors: ");
  }
}

TEST_F(HostileFiles, AStateWithANumberThatIsNotFiniteIsRefused) {
  begin_run();
  const TensorFile state = parse_safetensors("", read("run/state.safetensors"));
  for (const auto& [name, tensor] : state.tensors) {
    if (tensor.type != Tensor::Type::kF32) continue;
    TensorFile hostile = state;
    std::vector<float> values = tensor.as<float>("");
    values.back() = std::numeric_limits<float>::quiet_NaN();
    hostile.tensors[name] = Tensor::of(std::span<const float>(values), tensor.shape);
    write("run/state.safetensors", to_checked_safetensors(hostile));
    expect_refused(ndnf(kResume), "holds a number that is not finite");
  }
}

TEST_F(HostileFiles, AStateOfTheVersionBeforeGoesOn) {
  begin_run();
  TensorFile state = parse_safetensors("", read("run/state.safetensors"));
  state.metadata["version"] = "1";
  write("run/state.safetensors", to_safetensors(state));
  const ProcessResult result = run({"timeout", "-s", "TERM", "1", NDNF_BINARY, "train", kResume[1], "--out",
                                    "run", kResume[4], kResume[5], "--resume"});
  EXPECT_THAT(result.errors, HasSubstr("stopped, all progress is saved"));
}

TEST_F(HostileFiles, OneRunHasOneWriter) {
  const ProcessResult result = shell(
      "$N train small-corridor-ndnf-mt --set ppo.total_timesteps=50_000_000 --checkpoint 0 --out run > said "
      "2>&1 & "
      "first=$!\n"
      "until [ -e run/state.safetensors ]; do sleep 0.02; done\n"
      "$N train small-corridor-ndnf-mt --set ppo.total_timesteps=50_000_000 --out run --resume; echo $?\n"
      "$N extract run; echo $?\n"
      "kill $first; wait $first; echo $?; echo process $first on");
  EXPECT_THAT(result.output, StartsWith("2\n2\n143\n"));
  const std::string who = result.output.substr(std::string("2\n2\n143\n").size());
  const std::size_t first = result.errors.find('\n');
  for (const std::string& sentence : {result.errors.substr(0, first), result.errors.substr(first + 1)}) {
    EXPECT_THAT(sentence, AllOf(StartsWith("ndnf: run: " + who.substr(0, who.size() - 1)),
                                HasSubstr(" is writing to it; wait until it has finished")));
  }
}

TEST_F(HostileFiles, ManySeedsNeedFewOpenFiles) {
  const ProcessResult result = shell(
      "ulimit -n 32; $N train small-corridor-ndnf-mt --set ppo.total_timesteps=512 --seeds 0..59 --jobs 2 "
      "--out many");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
}

TEST_F(HostileFiles, NothingInThemReachesATerminalAsACommand) {
  const auto is_plain = [](const ProcessResult& result) {
    return !find_hidden(result.output) && !find_hidden(result.errors);
  };
  const std::string rules = "action(right) :- in_s_0.\naction(left) :- not in_s_0.\n";
  for (const std::string sign : {"\x1b]0;title\x07", "\r",
                                 "\xC2\x9B"
                                 "2J",
                                 "\xE2\x80\xAE"}) {
    write("remark.lp", "% environment: small-corridor\n% " + sign + " ok\n" + rules);
    const ProcessResult edit = ndnf({"edit", "remark.lp", "--when", "in_s_0", "--do", "left"});
    EXPECT_EQ(edit.exit_code, 2);
    EXPECT_TRUE(is_plain(edit)) << edit.output << edit.errors;
    write("key.toml", "\"" + std::string(sign == "\r" ? "\\r" : "\\u001b") + "[31m\" = 1\n");
    const ProcessResult key = ndnf({"train", "key.toml"});
    EXPECT_EQ(key.exit_code, 2);
    EXPECT_TRUE(is_plain(key)) << key.errors;
    write(sign + ".lp", "% environment: small-corridor\n" + rules);
    const ProcessResult name = ndnf({"eval", sign + ".lp"});
    EXPECT_EQ(name.exit_code, 2);
    EXPECT_TRUE(is_plain(name)) << name.output << name.errors;
  }
}

TEST_F(HostileFiles, ARunIsNotWrittenThroughLinkedFolders) {
  ASSERT_EQ(ndnf({"train", "small-corridor", "--steps", "2048", "--out", "victim"}).exit_code, 0);
  write("victim/policy.lp", "% mine\n");
  fs::create_directory(path("seeds"));
  fs::create_directory_symlink("../victim", path("seeds/seed-1"));
  expect_refused(ndnf({"extract", "seeds"}), "seeds/seed-1: is a symbolic link");
  expect_refused(
      ndnf({"train", "small-corridor", "--steps", "2048", "--seeds", "1..2", "--out", "seeds", "--resume"}),
      "seeds/seed-1: is a symbolic link");
  EXPECT_EQ(read_file(path("victim/policy.lp")), "% mine\n");
  EXPECT_EQ(ndnf({"extract", "seeds/seed-1"}).exit_code, 0) << "what the user names is followed";

  const Words rules = {"train", "cart-pole", "--model", "rules", "--steps",
                       "60000", "--out",     "run",     "--set", "ppo.total_timesteps=8192"};
  ASSERT_EQ(ndnf(rules).exit_code, 0);
  fs::remove_all(path("run/front"));
  fs::remove(path("run/state.safetensors"));
  fs::create_directory(path("programs"));
  write("programs/01.lp", "% mine\n");
  fs::create_directory_symlink("../programs", path("run/front"));
  expect_refused(ndnf(with(rules, {"--resume"})), "run/front: is a symbolic link");
  EXPECT_EQ(read_file(path("programs/01.lp")), "% mine\n");
}

TEST_F(HostileFiles, NamesOfRunsAreShownOnlyIfTheyArePlain) {
  fs::create_directory(path("runs"));
  for (const std::string name : {"x\x1b]0;title\x07", "y\xE2\x80\xAE"}) {
    ASSERT_EQ(ndnf({"train", "small-corridor", "--steps", "2048", "--out", "plain"}).exit_code, 0);
    fs::rename(path("plain"), path("runs/" + name));
    for (const char* command : {"eval", "check", "extract", "report"}) {
      const ProcessResult shown = ndnf({command, "runs"});
      EXPECT_EQ(shown.exit_code, 2) << command;
      EXPECT_FALSE(find_hidden(shown.output + shown.errors)) << command;
    }
    fs::remove_all(path("runs/" + name));
  }
}

TEST_F(HostileFiles, ANameThatIsTooLongIsASentence) {
  const std::string name(300, 'a');
  expect_refused(ndnf({"eval", name}), name + ": cannot be read (File name too long)");
}

TEST_F(HostileFiles, CurvesOfAnyNumbersTakeLittleMemory) {
  ASSERT_EQ(ndnf({"train", "small-corridor", "--steps", "2048", "--out", "run"}).exit_code, 0);
  const auto draw = [&](const std::string& steps, const std::string& value) {
    write("run/metrics.jsonl", R"({"iteration":1,"steps":1,"episodic_return":-1e308}
{"iteration":2,"steps":)" + steps + R"(,"episodic_return":)" +
                                   value + "}\n");
    return run(
        {"bash", "-c", "ulimit -v 2000000; exec \"$0\" draw run --view curves -o curves.svg", NDNF_BINARY});
  };
  expect_refused(draw("1e308", "2"),
                 "run/metrics.jsonl:2: \"steps\" is 1e+308; it is a number of steps, up to 1e15");
  expect_refused(draw("-5", "2"), "run/metrics.jsonl:2: \"steps\" is -5");
  EXPECT_EQ(draw("1e15", "1.7e308").exit_code, 0);
}

TEST_F(HostileFiles, SettingsThatMakeNoSenseAreToldInASentence) {
  expect_refused(ndnf({"envs", "taxi:=1"}), "taxi:=1: =1 is not a setting; write key=value");
  std::string key = "a";
  for (int i = 0; i < 30'800; ++i) key += ".a";
  write("deep.toml", key + " = 1\n");
  expect_refused(ndnf({"train", "deep.toml"}), "deep.toml:1: is nested too deeply");
  write("large.toml", "env = \"blackjack\"\n[ppo]\nent_coef = 1e999\n");
  expect_refused(ndnf({"train", "large.toml"}), "large.toml:3:17: ");
  expect_refused(ndnf({"train", "blackjack-mlp", "--set", "ppo.ent_coef=1e999"}), "is not allowed");
  expect_refused(ndnf({"eval", "uniform", "--env", "blackjack", "--select", "epsilon:1e999"}),
                 "epsilon:1e999");
  ndnf({"envs", "small-corridor", "--dump", "task.json"});
  std::string task = read("task.json");
  task.replace(task.find("\"reward\": -1"), 12, "\"reward\": -1e999");
  write("task.json", task);
  expect_refused(ndnf({"envs", "task.json"}), "number overflow");
}

TEST_F(HostileFiles, AProgramWhoseMethodHasANumberBeyondAllNumbersIsNotBelieved) {
  train_quickly("run");
  ASSERT_EQ(ndnf({"extract", "run", "--as", "problog", "--epsilon", "0.01"}).exit_code, 0);
  std::string program = read("run/policy.pl");
  const std::size_t at = program.find("; epsilon 0.01");
  ASSERT_NE(at, std::string::npos) << program;
  write("run/policy.pl", program.replace(at, 14, "; epsilon 1e999"));
  expect_refused(ndnf({"check", "run/policy.pl"}), "1e999");
}

}  // namespace
}  // namespace ndnf
