#include <array>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/base/sha256.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Extract : public Binary {
 protected:
  /// Trains a preset into the folder `run`.
  void train(const std::string& preset, const Words& settings = {}) const {
    Words words = {"train", preset, "--out", "run"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    ASSERT_EQ(ndnf(words).exit_code, 0);
  }
  /// A Blackjack policy after very little training, so that it has many rules.
  void train_beginner() const { train("blackjack-ndnf-mt", {"ppo.total_timesteps=5120"}); }

  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// Expects one clear sentence, exit code 2 and no file.
  void expect_refused(const ProcessResult& result, const std::string& complaint, std::size_t files) const {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, AllOf(StartsWith("ndnf: "), HasSubstr(complaint)));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
    EXPECT_EQ(file_count(), files);
  }
  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const std::size_t files = file_count();
    expect_refused(ndnf(arguments), complaint, files);
  }

  /// Runs the program without clingo and Python in the search path.
  ProcessResult ndnf_alone(const Words& arguments) const {
    Words words = {
        "env", "-u", "NDNF_CLINGO", "-u", "NDNF_PROBLOG_PYTHON", "PATH=" + path("no-programs"), NDNF_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words);
  }
};

/// Null for programs that come from a run and are written to a file; certificates leave them out.
bool is_null_in_a_run(const std::string& field) { return field == "program" || field == "optimal"; }

/// The fields that other programs may rely on, as docs/design.md lists them.
Words contract() {
  const std::string design = read_file(NDNF_SOURCE_DIR "/docs/design.md");
  const std::string opening = "\n| `extract` | ";
  const std::size_t begin = design.find(opening) + opening.size();
  const std::string row = design.substr(begin, design.find('\n', begin) - begin);
  Words fields;
  for (std::size_t mark = row.find('`'); mark != std::string::npos;) {
    const std::size_t end = row.find('`', mark + 1);
    fields.push_back(row.substr(mark + 1, end - mark - 1));
    mark = row.find('`', end + 1);
  }
  EXPECT_THAT(fields, ::testing::IsSupersetOf({"run", "faithful", "visited", "methods"}));
  return fields;
}

TEST_F(Extract, WritesAnAspProgramAndReportsTheContract) {
  train("small-corridor-ndnf-mt");
  const nlohmann::json result = json({"extract", "run"});
  for (const std::string& field : contract()) EXPECT_TRUE(result.contains(field)) << field;
  for (const char* figure : {"disagreements", "max_dp", "exactly_one"}) {
    EXPECT_TRUE(result.at("visited").contains(figure)) << figure;
  }
  EXPECT_EQ(result.at("run"), "run");
  EXPECT_EQ(result.at("faithful"), true);
  EXPECT_EQ(result.at("disagreements"), 0);
  EXPECT_EQ(result.at("exactly_one"), true);
  EXPECT_EQ(result.at("file"), "run/policy.lp");
  EXPECT_EQ(result.at("return_program"), result.at("return_network"));
  EXPECT_EQ(result.at("methods").at(0).at("method"), "threshold");
  EXPECT_EQ(result.at("frontier").size(), 1u);
  EXPECT_THAT(read("run/policy.lp"),
              AllOf(StartsWith("% environment: small-corridor\n% network: "),
                    HasSubstr("\n% faithful: the network's action in all 3 reachable observations\n"),
                    HasSubstr("\n% minimal: proved minimal in class E: exactly-one programs over the "
                              "environment's atoms\n")));
  EXPECT_EQ(result.at("over"), "atoms");
  EXPECT_EQ(result.at("ties"), "eval");
  EXPECT_EQ(result.at("faithful_to"), "network");
  EXPECT_EQ(result.at("form"), "exactly-one");
  EXPECT_EQ(result.at("class"), "E");
  EXPECT_EQ(result.at("other_forms").size(), 2u);

  const nlohmann::json certificate = nlohmann::json::parse(read("run/policy.lp.certificate.json"));
  for (const auto& [field, value] : result.items()) {
    if (field == "file" || is_null_in_a_run(field)) continue;
    EXPECT_EQ(certificate.at(field), value) << field;
  }
  EXPECT_EQ(certificate.at("file"), "policy.lp");  // without a folder
  EXPECT_FALSE(certificate.contains("witnesses"));
}

TEST_F(Extract, WritesAProbLogProgramAndShowsTheFrontier) {
  train("small-corridor-wall-ndnf-mt");
  const ProcessResult result = ndnf({"extract", "run"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("\nthreshold "), HasSubstr("\nclasses "), HasSubstr("Size against faithfulness"),
            HasSubstr("\nwritten     run/policy.pl\ncertificate run/policy.pl.certificate.json\n")));
  EXPECT_THAT(result.output, HasSubstr(read("run/policy.pl")));
  const nlohmann::json certificate = nlohmann::json::parse(read("run/policy.pl.certificate.json"));
  for (const std::string& field : contract())
    EXPECT_NE(certificate.contains(field), is_null_in_a_run(field)) << field;
  ASSERT_EQ(certificate.at("frontier").size(), 5u);
  EXPECT_EQ(certificate.at("frontier").at(3).at("epsilon"), 0.001);
  EXPECT_EQ(certificate.at("frontier").at(4).at("epsilon"), "argmax");
  EXPECT_LE(certificate.at("max_dp"), 0.001);
}

TEST_F(Extract, AddsWitnessesOnRequest) {
  train("small-corridor-ndnf-mt");
  ASSERT_EQ(ndnf({"extract", "run", "--certify"}).exit_code, 0);
  const nlohmann::json certificate = nlohmann::json::parse(read("run/policy.lp.certificate.json"));
  EXPECT_EQ(certificate.at("witnesses").at("sets").size(), 2u);
  EXPECT_EQ(certificate.at("proved_minimal"), true);
}

TEST_F(Extract, EveryProgramOfARunKeepsItsOwnCertificate) {
  train("small-corridor-ndnf-mt");
  for (const char* as : {"asp", "problog"}) ASSERT_EQ(ndnf({"extract", "run", "--as", as}).exit_code, 0);
  for (const std::string file : {"policy.lp", "policy.pl"}) {
    const nlohmann::json certificate = nlohmann::json::parse(read("run/" + file + ".certificate.json"));
    EXPECT_EQ(certificate.at("version"), 2);
    EXPECT_EQ(certificate.at("file"), file);
    EXPECT_EQ(certificate.at("fingerprints").at("program"), sha256(read("run/" + file)));
  }
  EXPECT_FALSE(exists("run/extraction.json"));
}

TEST_F(Extract, WritesWhereItIsTold) {
  train("small-corridor-ndnf-mt");
  EXPECT_EQ(json({"extract", "run", "-o", "mine.lp"}).at("file"), "mine.lp");
  EXPECT_TRUE(exists("mine.lp"));
  EXPECT_TRUE(exists("mine.lp.certificate.json"));
  EXPECT_FALSE(exists("run/policy.lp"));
  EXPECT_EQ(json({"extract", "run/model.safetensors"}).at("file"), "run/model.lp");
  EXPECT_EQ(read("run/model.lp"), read("mine.lp"));
}

TEST_F(Extract, DefinesInventedPredicates) {
  train("door-corridor-ndnf-mt");
  const ProcessResult extraction = ndnf({"extract", "run", "--over", "predicates", "--json"});
  const nlohmann::json result = nlohmann::json::parse(extraction.output);
  EXPECT_EQ(extraction.exit_code,
            result.at("faithful") == true ? 0 : 1);  // the predicates may not be sufficient
  EXPECT_EQ(result.at("over"), "predicates");
  EXPECT_EQ(result.at("disagreements") == 0, result.at("faithful"));
  EXPECT_EQ(result.at("disagreements_truth_values") == 0 || result.at("faithful") == true, true);
  const std::string program = read("run/policy.lp");
  for (const std::string predicate : result.at("definitions").at("predicates")) {
    EXPECT_THAT(program, HasSubstr("\n" + predicate + " :- "));
  }
  EXPECT_EQ(json({"eval", "run/policy.lp"}).at("return"), result.at("return_program"));
}

TEST_F(Extract, WritesTheFormThatIsAskedFor) {
  train_beginner();
  nlohmann::json sizes;
  for (const std::string form : {"exactly-one", "default", "list"}) {
    SCOPED_TRACE(form);
    const std::string file = form + ".lp";
    const nlohmann::json result = json({"extract", "run", "--as", "asp", "--form", form, "-o", file});
    EXPECT_EQ(result.at("form"), form);
    EXPECT_EQ(result.at("faithful"), true);
    EXPECT_EQ(result.at("lower_bound").is_null(), form == "list");
    EXPECT_EQ(result.contains("covers"), form == "default");
    sizes[form] = result.at("rules");
    for (const nlohmann::json& other : result.at("other_forms")) {
      if (sizes.contains(other.at("form").get<std::string>())) {
        EXPECT_EQ(other.at("rules"), sizes.at(other.at("form").get<std::string>()));
      }
    }
    // All commands read it, and all agree.
    const double expected = result.at("return_program");
    EXPECT_EQ(json({"eval", file}).at("return"), expected);
    EXPECT_EQ(json({"eval", file, "--with", "clingo"}).at("return"), expected);
    EXPECT_EQ(json({"check", file}).at("holds"), true);
    EXPECT_EQ(json({"compile", file, "-o", form + ".safetensors"}).at("agrees"), true);
    EXPECT_EQ(json({"eval", form + ".safetensors", "--select", "argmax"}).at("return"), expected);
    EXPECT_EQ(json({"diff", "exactly-one.lp", file}).at("changed"), 0);
    EXPECT_EQ(ndnf({"explain", file, "--obs", "hand(12), dealer(3), not usable_ace"}).exit_code, 0);
    EXPECT_EQ(ndnf({"export", file, "--format", "c", "-o", form + ".c"}).exit_code, 0);
    json({"edit", file, "--when", "hand(12)", "--do", "stick", "-o", form + "-edited.lp"});
    EXPECT_EQ(json({"diff", "exactly-one-edited.lp", form + "-edited.lp"}).at("changed"), 0);
  }
  EXPECT_LT(sizes.at("default"), sizes.at("exactly-one"));
}

TEST_F(Extract, SaysOfAProgramWhatCheckFindsToBeTrue) {
  train("small-corridor-ndnf-mt");
  ASSERT_EQ(ndnf({"extract", "run"}).exit_code, 0);
  EXPECT_THAT(
      ndnf({"check", "run/policy.lp"}).output,
      AllOf(HasSubstr("\ntrue  faithful: the network's action in all 3 "), Not(HasSubstr("WARNING"))));
  const std::string program = read("run/policy.lp");
  write("edited.lp", program.substr(0, program.find("action(")) + "action(right).\n");
  const ProcessResult edited = ndnf({"check", "edited.lp", "--against", "run"});
  EXPECT_EQ(edited.exit_code, 0);  // exactly one action, covered, no dead rule: a false header is a warning
  EXPECT_THAT(edited.output,
              AllOf(HasSubstr("\nWARNING: false  faithful: the network's action in all 3 "),
                    HasSubstr("\n       NO, 1 of 3 reachable observations differ\n"),
                    HasSubstr("\nWARNING: false  exact return: -3 (network -3)\n       -50 (network -3)\n")));
  const nlohmann::json checked = json({"check", "run/policy.lp"});
  for (const nlohmann::json& claim : checked.at("claims")) {
    EXPECT_EQ(claim.at("verdict"), claim.at("claim") == "minimal" ? "not checked" : "true");
  }
  expect_refused({"check", "run", "--against", "run"}, "--against: run is not a program");
}

TEST_F(Extract, BreaksTiesAsEvalDoes) {
  // Both actions hold in in_s_1, so the network gives them the same probability and eval takes the first.
  write("both.lp", "% environment: small-corridor\naction(right).\naction(left) :- in_s_1.\n");
  ndnf({"compile", "both.lp", "-o", "tied.safetensors"});
  ASSERT_TRUE(exists("tied.safetensors"));
  const nlohmann::json as_eval = json({"extract", "tied.safetensors", "--as", "asp", "-o", "eval.lp"});
  EXPECT_EQ(as_eval.at("faithful"), true);
  EXPECT_EQ(as_eval.at("rules"), 2);
  EXPECT_EQ(json({"diff", "tied.safetensors", "eval.lp"}).at("changed"), 0);
  const nlohmann::json free =
      json({"extract", "tied.safetensors", "--as", "asp", "--ties", "free", "-o", "free.lp"});
  EXPECT_EQ(free.at("ties"), "free");
  EXPECT_EQ(free.at("faithful"), true);
  EXPECT_EQ(free.at("rules"), 1);
  EXPECT_EQ(json({"diff", "tied.safetensors", "free.lp"}).at("changed"), 1);
  EXPECT_THAT(read("free.lp"),
              HasSubstr("\n% faithful: one of the network's best actions, ties free, in all 3 "));
}

TEST_F(Extract, IsReadableOnATerminal) {
  train("door-corridor-ndnf-mt");
  const std::string output = ndnf({"extract", "run"}).output;
  const std::string report = output.substr(0, output.find("\naction("));
  ASSERT_THAT(report, HasSubstr("% exact return: "));
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

TEST_F(Extract, ReadsTablesAndPerceptronsByTheirRowsAlone) {
  for (const char* model : {"q-table", "mlp"}) {
    SCOPED_TRACE(model);
    std::filesystem::remove_all(path("run"));
    train(std::string("small-corridor-") + model);
    EXPECT_EQ(json({"extract", "run", "--method", "exact"}).at("faithful"), true);
    EXPECT_EQ(json({"extract", "run", "--method", "refit"}).at("faithful"), true);
    EXPECT_EQ(json({"extract", "run"}).at("methods").size(), 1u);
    for (const char* method : {"threshold", "disentangle"}) {
      expect_refused({"extract", "run", "--method", method},
                     std::string("--method: ") + method + " reads the nodes of a neural DNF");
    }
  }
}

TEST_F(Extract, SaysWhenTheMethodAskedForIsNotFaithful) {
  train("small-corridor-wall-ndnf-mt");
  const ProcessResult result = ndnf({"extract", "run", "--method", "threshold"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.errors, StartsWith("ndnf: run: the program is not faithful: "));
  EXPECT_THAT(read("run/policy.pl"), HasSubstr("\n% faithful: NO, "));
  EXPECT_EQ(nlohmann::json::parse(read("run/policy.pl.certificate.json")).at("faithful"), false);
}

TEST_F(Extract, WritesNothingWhenThereIsNoProgram) {
  train_beginner();
  const std::size_t files = file_count();
  const ProcessResult result = ndnf({"extract", "run", "--method", "threshold", "--as", "asp"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.errors, StartsWith("ndnf: run: threshold found no program: no threshold leaves"));
  EXPECT_EQ(file_count(), files);
}

TEST_F(Extract, FoldsValuesWithoutChangingThePolicy) {
  train_beginner();
  const nlohmann::json plain = json({"extract", "run", "--as", "asp", "-o", "plain.lp"});
  const nlohmann::json folded = json({"extract", "run", "--as", "asp", "--compact", "-o", "folded.lp"});
  EXPECT_THAT(read("plain.lp"), Not(HasSubstr("..")));
  EXPECT_THAT(read("folded.lp"), HasSubstr(".."));
  EXPECT_EQ(folded.at("return_program"), plain.at("return_program"));
  for (const Words& with : {Words{}, Words{"--with", "clingo"}}) {
    Words words = {"eval", "folded.lp"};
    words.insert(words.end(), with.begin(), with.end());
    EXPECT_EQ(json(words).at("return"), plain.at("return_program"));
  }
}

TEST_F(Extract, RefusesWhatMakesNoSenseAndWritesNothing) {
  expect_refused({"extract"}, "POLICY is required");
  expect_refused({"extract", "none"}, "none: this is not a policy");
  expect_refused({"extract", "."}, ".: has no model.safetensors");
  train("small-corridor-wall-ndnf-mt");
  const std::vector<std::pair<Words, std::string>> mistakes = {
      {{"-o", "policy.lp"},
       "-o: policy.lp would not be read back in the same syntax; its name must end in .pl"},
      {{"-o", "none/policy.pl"}, "none/policy.pl: cannot be written"},
      {{"--compact"}, "--compact: intervals exist in clingo's language only"},
      {{"--method", "exact", "--as", "problog"}, "--method: exact gives ASP"},
      {{"--method", "classes", "--as", "asp"}, "--method: classes gives ProbLog"},
      {{"--method", "magic"}, "--method"},
      {{"--as", "datalog"}, "--as"},
      {{"--threshold", "sum"}, "--threshold"},
      {{"--threshold", "kl", "--as", "asp"}, "--threshold: applies to ProbLog only"},
      {{"--epsilon", "0"}, "--epsilon"},
      {{"--epsilon", "2"}, "--epsilon"},
      {{"--rules", "0"}, "--rules"},
      {{"--rules", "1"}, "--rules: 1 rules are too few"},
      {{"--rules", "9", "--as", "asp"}, "--rules: only classes"},
      {{"--rules", "9", "--method", "threshold"}, "--rules: only classes"},
      {{"--env", "blackjack"}, "run: was made for another environment"},
      {{"--over", "predicates"}, "--over: this network has no encoder"},
      {{"--over", "images"}, "--over: there is no images"},
      {{"--ties", "free"}, "--ties: a distribution has no ties to break"},
      {{"--form", "list"}, "--form: only ASP has several forms"},
      {{"--form", "list", "--as", "asp", "--method", "threshold"},
       "--form: threshold reads rules as they are"},
      {{"--solve-limit", "0"}, "--solve-limit"},
  };
  for (const auto& [options, complaint] : mistakes) {
    Words words = {"extract", "run"};
    words.insert(words.end(), options.begin(), options.end());
    SCOPED_TRACE(complaint);
    expect_refused(words, complaint);
  }
}

TEST_F(Extract, WithoutClingoWritesNothing) {
  train("door-corridor-ndnf-mt");
  const std::size_t files = file_count();
  expect_refused(ndnf_alone({"extract", "run"}), "install clingo (the Debian package gringo", files);
}

class EvalProgram : public Extract {};

TEST_F(EvalProgram, FindsItsEnvironmentAndEarnsWhatTheNetworkDoes) {
  train("small-corridor-ndnf-mt");
  ASSERT_EQ(ndnf({"extract", "run"}).exit_code, 0);
  const nlohmann::json network = json({"eval", "run"});
  const nlohmann::json ours = json({"eval", "run/policy.lp"});
  const nlohmann::json real = json({"eval", "run/policy.lp", "--with", "clingo"});
  EXPECT_EQ(ours.at("env"), "small-corridor");
  EXPECT_EQ(ours.at("return"), network.at("return"));
  EXPECT_EQ(real.at("return"), network.at("return"));
  EXPECT_EQ(real.at("with"), "clingo");
}

TEST_F(EvalProgram, EarnsTheSameWithTheRealProbLog) {
  train("small-corridor-wall-ndnf-mt");
  ASSERT_EQ(ndnf({"extract", "run"}).exit_code, 0);
  const double network = json({"eval", "run"}).at("return").get<double>();
  const double ours = json({"eval", "run/policy.pl"}).at("return").get<double>();
  EXPECT_NEAR(ours, network, 0.05);
  const ProcessResult real = run({"env", "NDNF_PROBLOG_PYTHON=" NDNF_PYTHON, NDNF_BINARY, "eval",
                                  "run/policy.pl", "--with", "problog", "--json"});
  ASSERT_EQ(real.exit_code, 0) << real.errors;
  const nlohmann::json result = nlohmann::json::parse(real.output);
  EXPECT_NEAR(result.at("return").get<double>(), ours, 1e-9);
  EXPECT_EQ(result.at("timeouts").size(), 0u);
}

TEST_F(EvalProgram, TakesAnEditByHand) {
  write("edited.lp",
        "% environment: small-corridor\n"
        "action(left) :- swapped.\naction(right) :- not swapped.\nswapped :- in_s_1.\n");
  EXPECT_EQ(json({"eval", "edited.lp"}).at("return"), -3);
  write("edited.lp", "% environment: small-corridor\naction(right) :- in_s_0.\n");
  const ProcessResult result = ndnf({"eval", "edited.lp"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.errors, "ndnf: edited.lp: names no action in a visited observation: in_s_1\n");
}

TEST_F(EvalProgram, RefusesBadProgramsWithTheirPlace) {
  const std::vector<std::array<std::string, 3>> programs = {
      {"p.lp", "action(right) :- in_s1.\n",
       "p.lp:1:18: in_s1 is neither observed nor the head of a rule; did "
       "you mean in_s_1?"},
      {"p.lp", "action(rigth) :- in_s_1.\n", "p.lp:1:1: the task has no action rigth; did you mean right?"},
      {"p.lp", "action(left).\naction(right :- in_s_1.\n", "p.lp:2:14: found :-, expected a comma or )"},
      {"p.lp", "action(left) :- a.\na :- not b.\nb :- not a.\n", "p.lp:2:1: recursion is not supported: a"},
      {"p.lp", "action(left) :- X < 3.\n", "p.lp:1:17: X is unsafe"},
      {"p.lp", "action(left). % \xff\n", "p.lp:1:17: this byte is not UTF-8"},
      {"p.pl", "0.7::action(left) ; 0.4::action(right).\n", "p.pl:1:1: the probabilities sum to 1.1"},
      {"p.pl", "0.7::action(left) ; 0.3::action(right) :- \\+ in_s1.\n", "did you mean in_s_1?"},
      {"p.pl", "0.7::action(left :- in_s_1.\n", "p.pl:1:"},
  };
  for (const auto& [file, text, complaint] : programs) {
    SCOPED_TRACE(text);
    write(file, text);
    expect_refused({"eval", file, "--env", "small-corridor"}, complaint);
    const std::string real = file == "p.lp" ? "clingo" : "problog";
    expect_refused({"eval", file, "--env", "small-corridor", "--with", real}, complaint);
  }
}

TEST_F(EvalProgram, RefusesAFileThatIsTooLargeBeforeReadingIt) {
  for (const std::string file : {"large.lp", "large.pl"}) {
    write(file, "% environment: small-corridor\n");
    std::filesystem::resize_file(path(file), 100'000'000);  // sparse
    expect_refused({"eval", file}, file + ": the program has 100000000 bytes; the limit is 16 MB");
  }
}

TEST_F(EvalProgram, SaysWhatToInstallWhenASolverIsMissing) {
  write("p.lp", "% environment: small-corridor\naction(right).\n");
  write("p.pl", "% environment: small-corridor\n1::action(right).\n");
  expect_refused(ndnf_alone({"eval", "p.lp", "--with", "clingo"}),
                 "install clingo (the Debian package gringo, or clingo from PyPI) or name it in NDNF_CLINGO",
                 2);
  expect_refused(ndnf_alone({"eval", "p.pl", "--with", "problog"}), "install problog from PyPI", 2);
  EXPECT_EQ(ndnf_alone({"eval", "p.lp"}).exit_code, 0);  // ground programs need neither of them
  EXPECT_EQ(ndnf_alone({"eval", "p.pl"}).exit_code, 0);
}

TEST_F(EvalProgram, RefusesTheSolverOfTheOtherLanguage) {
  write("p.lp", "% environment: small-corridor\naction(right).\n");
  expect_refused({"eval", "p.lp", "--with", "problog"}, "--with: problog evaluates .pl files");
  expect_refused({"eval", "uniform", "--env", "taxi", "--with", "clingo"},
                 "--with: clingo evaluates .lp files");
}

TEST_F(EvalProgram, NeedsToKnowItsEnvironment) {
  write("p.lp", "action(right).\n% environment: small-corridor\n");
  expect_refused({"eval", "p.lp"}, "p.lp: names no environment; give one with --env");
}

}  // namespace
}  // namespace ndnf
