#include "ndnf/pipeline/compile_program.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "env/json_files.h"
#include "model/trained.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// The tolerance for probabilities of an extraction from a compiled network.
constexpr double kEpsilon = 1e-7;

ProgramCompilation compiled(const std::string& program, const std::string& output,
                            const std::optional<std::string>& encoder = std::nullopt) {
  CompileRequest request;
  request.program = program;
  request.output = output;
  request.encoder = encoder;
  return compile_program(request);
}

/// The exact return of any policy with its own environment and selection.
double value_of(const std::string& policy) {
  const PolicySource source(policy);
  const Task task = task_for(std::nullopt, {&source});
  const Evaluation result = evaluate_exactly(task.model(), source.in(task).taken(std::nullopt).table);
  EXPECT_FALSE(result.undefined) << policy;
  return result.mean_return;
}

/// A program file with its rows in the reachable observations of its environment.
struct ProgramFile {
  Task environment;
  Program program;
  BoundProgram bound;
  std::vector<ObsId> reachable;

  explicit ProgramFile(const std::string& file)
      : environment(make_task(PolicySource(file).task()->spec)),
        program(read_program(file, environment.model().vocabulary())),
        bound(program, table().shared_vocabulary()),
        reachable(ndnf::reachable(environment.model()).observations) {}

  const ObservationTable& table() const { return environment.model().observations(); }
  PolicyTable rows() const { return tabulate(bound, table()); }

  /// The observations, grouped by the annotated disjunction that fires.
  std::set<std::set<ObsId>> classes() const {
    std::map<std::size_t, std::set<ObsId>> by_rule;
    for (const ObsId obs : reachable) {
      for (const std::size_t s : bound.fired(table(), obs)) {
        if (std::get<Rule>(program.statements[s].content).heads.front().annotated) by_rule[s].insert(obs);
      }
    }
    std::set<std::set<ObsId>> classes;
    for (const auto& [statement, observations] : by_rule) classes.insert(observations);
    return classes;
  }
};

double difference_where_reachable(const ProgramFile& program, const PolicyTable& q) {
  const PolicyTable p = program.rows();
  double largest = 0;
  for (const ObsId obs : program.reachable) {
    for (ActionId action = 0; action < p.action_count(); ++action) {
      largest = std::max(largest, std::abs(p.row(obs)[action] - q.row(obs)[action]));
    }
  }
  return largest;
}

/// Expects the network in one file to agree with the program in another wherever that is defined.
void expect_same_policy(const std::string& network_file, const std::string& program_file) {
  const ProgramFile program(program_file);
  const PolicyTable network = load_policy(network_file, program.environment);
  if (program.program.syntax == Syntax::kProbLog) {
    EXPECT_LE(difference_where_reachable(program, network), 1e-6);
    return;
  }
  const PolicyTable rows = program.rows();
  for (const ObsId obs : program.reachable) {
    if (rows.defined(obs)) {
      EXPECT_EQ(network.argmax(obs), rows.argmax(obs)) << program.table().describe(obs);
    }
  }
}

// ---- The paper's listings

struct Listing {
  std::string file;
  double value;
  std::size_t undefined = 0;
};

void PrintTo(const Listing& listing, std::ostream* out) { *out << listing.file; }

class PaperListings : public ::testing::TestWithParam<Listing> {
 protected:
  const TemporaryFolder folder_;
  const std::string program_ = std::string(NDNF_SOURCE_DIR) + "/examples/" + GetParam().file;
  const std::string network_ = (folder_.path() / "network.safetensors").string();
};

TEST_P(PaperListings, BehaveAsThePaperSaysAndSoDoTheirNetworks) {
  const ProgramCompilation result = compiled(program_, network_);
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.undefined, GetParam().undefined);
  expect_same_policy(network_, program_);
  EXPECT_NEAR(value_of(program_), GetParam().value, 5e-4);
  EXPECT_NEAR(value_of(network_), value_of(program_), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, PaperListings,
    ::testing::Values(Listing{"corridors/sc.lp", -3}, Listing{"corridors/lc-5.lp", -4},
                      Listing{"corridors/lc-11.lp", -4}, Listing{"corridors/sc-wall.pl", -9.322},
                      Listing{"corridors/lc-5-wall.pl", -14.100}, Listing{"corridors/lc-11-wall.pl", -16.606},
                      Listing{"door-corridor/dc.lp", -8, 12}, Listing{"door-corridor/dc-t.lp", -8, 12},
                      Listing{"door-corridor/dc-ot.lp", -9, 12}));

// ---- Round trips

/// The rules of a file as a set: order is ignored, also within heads and bodies.
using RuleSet = std::multiset<std::pair<std::string, std::set<std::pair<std::string, bool>>>>;

RuleSet rules_of(const Program& program) {
  RuleSet rules;
  for (const Statement& statement : program.statements) {
    const Rule& rule = std::get<Rule>(statement.content);
    std::set<std::pair<std::string, bool>> body;
    for (const BodyLiteral& literal : rule.body) body.emplace(literal.atom, literal.positive);
    rules.emplace(rule.heads.front().atom, std::move(body));
  }
  return rules;
}

bool run_has_encoder(const std::string& run) {
  const Checkpoint trained = read_checkpoint(checkpoint_file(run));
  const auto* network = std::get_if<ActorCritic<float>>(&trained.policy);
  return network != nullptr && has_encoder(network->encoder);
}

/// Extracts over the predicates if the network has an encoder.
std::string extracted(const std::string& run, const std::string& as, double epsilon,
                      const std::string& output) {
  ExtractionRequest request;
  request.policy = run;
  request.as = as;
  request.method = as == "asp" ? "exact" : "classes";
  if (run_has_encoder(run)) request.over = "predicates";
  request.epsilon = epsilon;
  request.output = output;
  return extract_policy(request).file;
}

/// Extracts, compiles and extracts again.
void expect_round_trip(const std::string& run, const std::string& as, const TemporaryFolder& folder) {
  const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
  const std::string ending = as == "asp" ? ".lp" : ".pl";
  const std::string first = extracted(run, as, 1e-3, path("first" + ending));
  const ProgramCompilation result =
      compiled(first, path("network.safetensors"), run_has_encoder(run) ? std::optional(run) : std::nullopt);
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.undefined, 0u);
  expect_same_policy(result.file, first);
  const ProgramFile before(first);
  const ProgramFile after(extracted(result.file, as, kEpsilon, path("second" + ending)));
  if (as == "asp") {
    EXPECT_EQ(rules_of(before.program), rules_of(after.program));
  } else {
    EXPECT_LE(difference_where_reachable(before, after.rows()), 1e-6);
    EXPECT_EQ(before.classes(), after.classes());
  }
}

struct NetworkCase {
  std::string name;
  std::string source;  ///< A file of golden/trained, a preset, or for a distillation the environment.
  std::string as;
  std::string env = "";
};

void PrintTo(const NetworkCase& c, std::ostream* out) { *out << c.name; }
std::string network_name(const ::testing::TestParamInfo<NetworkCase>& info) { return info.param.name; }

/// A checkpoint of a network that was not trained here.
std::string write_run(const TemporaryFolder& folder, const ActorCritic<double>& network,
                      const std::string& env) {
  Checkpoint checkpoint;
  checkpoint.model = "ndnf-mt";
  checkpoint.policy = converted<float>(network);
  checkpoint.vocabulary = make_task(env).model().observations().shared_vocabulary();
  checkpoint.env = env;
  return folder.write("run.safetensors", to_bytes(checkpoint)).string();
}

class GoldenNetworks : public ::testing::TestWithParam<NetworkCase> {};

TEST_P(GoldenNetworks, SurviveTheRoundTrip) {
  const TemporaryFolder folder;
  const std::string run = write_run(folder, testing::read_trained(GetParam().source), GetParam().env);
  expect_round_trip(run, GetParam().as, folder);
}

INSTANTIATE_TEST_SUITE_P(
    Trained, GoldenNetworks,
    ::testing::Values(
        NetworkCase{"SmallCorridor", "sc_mdp_ndnf_1.json", "asp", "small-corridor"},
        NetworkCase{"SmallCorridorWall", "sc_pomdp_ndnf_1.json", "problog", "small-corridor:wall"},
        NetworkCase{"LongCorridor11Wall", "lc11_pomdp_ndnf_1.json", "problog", "long-corridor-11:wall"},
        NetworkCase{"Blackjack", "bj_ndnf_1.json", "problog", "blackjack"},
        NetworkCase{"BlackjackBestAction", "bj_ndnf_1.json", "asp", "blackjack"},
        NetworkCase{"DoorCorridor", "dc_ndnf_1.json", "asp", "door-corridor"},
        NetworkCase{"DoorCorridorDistribution", "dc_ndnf_1.json", "problog", "door-corridor"}),
    network_name);

class FreshNetworks : public ::testing::TestWithParam<NetworkCase> {
 protected:
  const TemporaryFolder folder_;

  std::string trained(const std::string& preset, std::vector<std::string> settings = {}) const {
    TrainRequest request;
    request.source = preset;
    request.seeds = {3};
    request.out = (folder_.path() / "run").string();
    request.settings = std::move(settings);
    return train(request).front().run;
  }
};

TEST_P(FreshNetworks, SurviveTheRoundTrip) {
  expect_round_trip(trained(GetParam().source), GetParam().as, folder_);
}

INSTANTIATE_TEST_SUITE_P(
    Trained, FreshNetworks,
    ::testing::Values(NetworkCase{"LongCorridor5", "paper/long-corridor-5-ndnf-mt", "asp"},
                      NetworkCase{"LongCorridor5Wall", "paper/long-corridor-5-wall-ndnf-mt", "problog"},
                      NetworkCase{"LongCorridor11", "paper/long-corridor-11-ndnf-mt", "asp"},
                      NetworkCase{"DoorCorridor", "paper/door-corridor-ndnf-mt", "asp"}),
    network_name);

/// Distilled from an optimal policy, which takes a second.
class DistilledNetworks : public FreshNetworks {};

TEST_P(DistilledNetworks, SurviveTheRoundTrip) {
  const Task taxi = make_task(GetParam().source);
  const auto teacher = folder_.write("teacher.json", to_policy_file(find_optimum(taxi.model()).policy, taxi));
  const std::string run =
      trained("paper/taxi-distill-ndnf-mt",
              {"env=" + taxi.spec, "distill.teacher=" + teacher.string(), "distill.epochs=600",
               "distill.learning_rate=0.01", "delta.delay=20", "delta.steps=5"});
  expect_round_trip(run, GetParam().as, folder_);
}

INSTANTIATE_TEST_SUITE_P(Taxi, DistilledNetworks,
                         ::testing::Values(NetworkCase{"OneHot", "taxi:one-hot", "problog"},
                                           NetworkCase{"OneHotBestAction", "taxi:one-hot", "asp"},
                                           NetworkCase{"Factored", "taxi:factored", "problog"},
                                           NetworkCase{"FactoredBestAction", "taxi:factored", "asp"}),
                         network_name);

// ---- Requests

class CompileProgram : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string output_ = (folder_.path() / "network.safetensors").string();

  std::string program(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  /// Expects an error that contains all of these, and no network.
  void expect_refused(const CompileRequest& request, const std::string& place,
                      const std::string& what) const {
    EXPECT_THAT(error_of([&] { compile_program(request); }), AllOf(HasSubstr(place), HasSubstr(what)));
    EXPECT_FALSE(std::filesystem::exists(
        std::filesystem::path(request.program.name).replace_extension(".safetensors")));
  }
  /// A network with an encoder.
  std::string door_corridor_run() const {
    return write_run(folder_, testing::read_trained("dc_ndnf_1.json"), "door-corridor");
  }
};

TEST_F(CompileProgram, WritesACheckpointThatNamesWhatItIsFor) {
  const std::string file = program("p.lp", "% environment: small-corridor\naction(right).\n");
  const ProgramCompilation result = compile_program({file, {}, {}, {}});
  EXPECT_EQ(result.file, (folder_.path() / "p.safetensors").string());
  const Checkpoint checkpoint = read_checkpoint(result.file);
  EXPECT_EQ(checkpoint.model, "ndnf-mt");
  EXPECT_EQ(checkpoint.env, "small-corridor");
  EXPECT_EQ(checkpoint.select.to_string(), "argmax");
  EXPECT_EQ(checkpoint.extract_as, "asp");
  EXPECT_EQ(checkpoint.preset, "");
  EXPECT_EQ(checkpoint.seed + checkpoint.steps, 0u);
}

TEST_F(CompileProgram, AnotherEnvironmentMayBeNamed) {
  const std::string file =
      program("p.pl", "% environment: blackjack\n0.3::action(left) ; 0.7::action(right).\n");
  compile_program({file, "small-corridor:wall", {}, output_});
  const Checkpoint checkpoint = read_checkpoint(output_);
  EXPECT_EQ(checkpoint.env, make_task("small-corridor:wall").spec);
  EXPECT_EQ(checkpoint.select.to_string(), "sample");
  EXPECT_EQ(checkpoint.extract_as, "problog");
}

TEST_F(CompileProgram, KeepsAnEncoderWhateverTheFileDefines) {
  const std::string run = door_corridor_run();
  const std::string with = program("with.lp", "action(toggle) :- a_3, not a_5. a_3 :- left_wall. a_5.");
  const std::string without = program("without.lp", "action(toggle) :- a_3, not a_5.");
  const ProgramCompilation result = compile_program({with, "door-corridor-t", run, output_});
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.inputs, 16u);
  const std::string bytes = read_file(output_);
  compile_program({without, "door-corridor-t", run, output_});
  EXPECT_EQ(read_file(output_), bytes);
}

TEST_F(CompileProgram, ANetworkThatDisagreesIsNotWritten) {
  ActorCritic<double> network = testing::read_trained("dc_ndnf_1.json");
  // An output of exactly 0 is false for a program, but neither true nor false for a network.
  auto& encoder = std::get<Convolution<double>>(network.encoder);
  encoder.W.fill(0);
  encoder.bias.fill(0);
  const std::string run = write_run(folder_, network, "door-corridor");
  const std::string file = program("p.lp", "action(forward) :- not a_0, not a_1.");
  const ProgramCompilation result = compile_program({file, {}, run, output_});
  EXPECT_FALSE(result.agrees());
  EXPECT_EQ(result.disagreements, 27u);
  EXPECT_EQ(to_json(result).at("file"), nullptr);
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(CompileProgram, WithoutAnEncoderPredicatesAreUnfoldedToRawAtoms) {
  EXPECT_EQ(compiled(NDNF_SOURCE_DIR "/examples/door-corridor/dc.lp", output_).inputs, 63u);
}

TEST_F(CompileProgram, RefusesProgramsThatAreNotExpressible) {
  const std::string head = "% environment: small-corridor\n";
  expect_refused({program("p.lp", head + "h :- not h.\naction(left) :- h."), {}, {}, {}}, "p.lp:2:1",
                 "recursion");
  expect_refused({program("p.lp", head + "action(left) :- in_s1."), {}, {}, {}}, "p.lp:2:17", "in_s_1");
  expect_refused({program("p.lp", head + "in_s_1 :- in_s_2."), {}, {}, {}}, "p.lp:2:1", "is observed");
  expect_refused({program("p.pl", head + "0.1::action(left) ; 0.9::action(right) :- in_s_1.\n"
                                         "0.5::action(left) ; 0.5::action(right)."),
                  {},
                  {},
                  {}},
                 "p.pl:3:1: its body and that of the rule at 2:1 both hold in in_s_1", "exclude each other");
  expect_refused({program("p.pl", head + "0.1::action(left) ; 0.9::action(right) :- in_s_1."), {}, {}, {}},
                 "p.pl", "no rule holds in in_s_0");
}

TEST_F(CompileProgram, RefusesRequestsThatMakeNoSense) {
  const std::string file = program("p.lp", "action(left).");
  expect_refused({file, {}, {}, {}}, "p.lp", "names no environment");
  expect_refused({file, "small-corridor", {}, "p.lp"}, "output", "must end in .safetensors");
  const std::string plain = compile_program({file, "small-corridor", {}, output_}).file;
  expect_refused({file, "small-corridor", plain, {}}, "encoder", "has no encoder");
  expect_refused({file, "blackjack", door_corridor_run(), {}}, "run.safetensors", "another environment");
  expect_refused({program("p.lp", "action(forward) :- left_wall."), {}, door_corridor_run(), {}}, "p.lp:1:20",
                 "left_wall is neither observed");
}

TEST_F(CompileProgram, CountsWhatTheProgramLeavesUndefined) {
  const std::string file =
      program("p.lp", "action(left) :- in_s_0. action(left) :- in_s_1. action(right) :- in_s_1.");
  const ProgramCompilation result = compile_program({file, "small-corridor", {}, output_});
  EXPECT_TRUE(result.agrees());
  const nlohmann::json json = to_json(result);
  EXPECT_EQ(json.at("undefined"), 2);  // two actions in in_s_1, none in in_s_2
  EXPECT_EQ(json.at("observations"), 3);
  EXPECT_EQ(json.at("agrees"), true);
  EXPECT_EQ(json.at("conjunctions"), 2);
  EXPECT_EQ(json.at("inputs"), 4);
  EXPECT_EQ(json.at("actions"), 2);
  EXPECT_EQ(json.at("file"), output_);
}

}  // namespace
}  // namespace ndnf
