#include "ndnf/model/checkpoint.h"

#include <cmath>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "model/number_corridor.h"
#include "ndnf/base/error.h"
#include "ndnf/model/build.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::error_of;

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Of an environment, or of a task without atoms, "numbers".
const ObservationTable& observations(const std::string& env) {
  static const FiniteModel numbers = testing::number_corridor();
  if (env == "numbers") return numbers.observations();
  static std::map<std::string, Task> made;
  const auto found = made.find(env);
  return (found != made.end() ? found : made.emplace(env, make_task(env)).first)
      ->second.model()
      .observations();
}

/// An untrained policy with every field set.
Checkpoint checkpoint_of(const std::string& model, const std::string& env) {
  const ObservationTable& table = observations(env);
  Checkpoint checkpoint;
  checkpoint.model = model;
  checkpoint.vocabulary = table.shared_vocabulary();
  checkpoint.env = env;
  checkpoint.preset = "paper/some-preset";
  checkpoint.select = Selection::parse("", "epsilon:0.1");
  checkpoint.extract_as = "problog";
  checkpoint.seed = 18446744073709551615u;
  checkpoint.steps = 99840;
  RandomSequence random(RandomStream(1, 2));
  if (model == "q-table") {
    Matrix<double> q(table.size(), table.vocabulary().action_count());
    for (double& value : q.values()) value = random.normal();
    checkpoint.policy = make_q_table(table, std::move(q));
    return checkpoint;
  }
  ActorOptions actor;
  actor.model = model;
  actor.conjunctions = 3;
  actor.bias_type = model == "ndnf" ? "min" : "max";
  actor.hidden = {5, 4};
  actor.activation = "relu";
  actor.bias = false;
  actor.inputs = model == "mlp" ? "binary" : "signed";
  EncoderOptions encoder;
  if (env == "door-corridor") encoder.model = "conv-1x1";
  ActorCritic<double> network = build_network(table, actor, {}, encoder, random);
  if (auto* dnf = std::get_if<NeuralDnf<double>>(&network.actor)) dnf->delta = 0.1 * 1.1 * 1.1;
  checkpoint.policy = converted<float>(network);
  return checkpoint;
}

ActorCritic<float>& network_of(Checkpoint& checkpoint) {
  return std::get<ActorCritic<float>>(checkpoint.policy);
}

struct Kind {
  std::string model;
  std::string env;
};
class EveryCheckpoint : public ::testing::TestWithParam<Kind> {
 protected:
  Checkpoint original() const { return checkpoint_of(GetParam().model, GetParam().env); }
};
INSTANTIATE_TEST_SUITE_P(Checkpoint, EveryCheckpoint,
                         ::testing::Values(Kind{"ndnf-mt", "small-corridor:wall"},
                                           Kind{"ndnf", "small-corridor"}, Kind{"ndnf-eo", "long-corridor-5"},
                                           Kind{"mlp", "blackjack"}, Kind{"ndnf-mt", "door-corridor"},
                                           Kind{"mlp", "door-corridor"}, Kind{"mlp", "numbers"},
                                           Kind{"q-table", "blackjack"}));

TEST_P(EveryCheckpoint, IsReadBackBitForBit) {
  const std::string bytes = to_bytes(original());
  const Checkpoint read = parse_checkpoint("model.safetensors", bytes);
  EXPECT_EQ(to_bytes(read), bytes);
  EXPECT_EQ(read.model, GetParam().model);
  EXPECT_EQ(read.env, GetParam().env);
  EXPECT_EQ(read.preset, "paper/some-preset");
  EXPECT_EQ(read.select.to_string(), "epsilon:0.1");
  EXPECT_EQ(read.extract_as, "problog");
  EXPECT_EQ(read.seed, 18446744073709551615u);
  EXPECT_EQ(read.steps, 99840u);
  EXPECT_EQ(read.vocabulary->fingerprint(), original().vocabulary->fingerprint());
}

TEST_P(EveryCheckpoint, KeepsItsRuleForThresholdsWhichOlderFilesDoNotHave) {
  Checkpoint checkpoint = original();
  EXPECT_EQ(to_bytes(checkpoint).find("extract.threshold"), std::string::npos);
  EXPECT_EQ(parse_checkpoint("model.safetensors", to_bytes(checkpoint)).extract_threshold, "kl");
  checkpoint.extract_threshold = "actions";
  EXPECT_EQ(parse_checkpoint("model.safetensors", to_bytes(checkpoint)).extract_threshold, "actions");
}

TEST_P(EveryCheckpoint, ReadBackIsTheSamePolicy) {
  const ObservationTable& table = observations(GetParam().env);
  const Checkpoint read = parse_checkpoint("model.safetensors", to_bytes(original()));
  const PolicyTable before = tabulate(*policy_of(original()), table);
  const PolicyTable after = tabulate(*policy_of(read), table);
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    EXPECT_TRUE(before.defined(obs));
    EXPECT_THAT(after.row(obs), ::testing::ElementsAreArray(before.row(obs)));
  }
}

TEST_P(EveryCheckpoint, FitsItsEnvironmentAndNoOther) {
  const Checkpoint checkpoint = original();
  EXPECT_NO_THROW(check_fits("model.safetensors", checkpoint, observations(GetParam().env)));
  EXPECT_THROW(check_fits("model.safetensors", checkpoint, observations("taxi")), Error);
}

TEST_P(EveryCheckpoint, IsRefusedWithoutAnyOfItsPartsAndWithAnyPartMore) {
  const TensorFile whole = parse_safetensors("", to_bytes(original()));
  for (const auto& [name, tensor] : whole.tensors) {
    TensorFile file = whole;
    file.tensors.erase(name);
    EXPECT_THAT(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
                "model.safetensors: the tensor " + name + " is missing");
  }
  for (const auto& [key, text] : whole.metadata) {
    TensorFile file = whole;
    file.metadata.erase(key);
    EXPECT_THAT(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
                HasSubstr(key));
  }
  TensorFile file = whole;
  file.tensors["spare"] = Tensor::of(std::vector<float>{1});
  EXPECT_EQ(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
            "model.safetensors: the tensor \"spare\" is not part of a " + GetParam().model + " policy");
}

TEST_P(EveryCheckpoint, IsRefusedWithATensorOfAnotherShapeOrTypeOrWithInfinity) {
  const TensorFile whole = parse_safetensors("", to_bytes(original()));
  for (const auto& [name, tensor] : whole.tensors) {
    TensorFile file = whole;
    file.tensors[name].shape.push_back(1);
    EXPECT_THAT(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
                StartsWith("model.safetensors: the tensor " + name + " has the shape ["));
    file = whole;
    file.tensors[name].type = tensor.type == Tensor::Type::kF64 ? Tensor::Type::kI64 : Tensor::Type::kU8;
    if (tensor.type != Tensor::Type::kF64) file.tensors[name].bytes.resize(tensor.bytes.size() / 4);
    EXPECT_THAT(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
                StartsWith("model.safetensors: " + name + ": holds elements of type "));
    if (tensor.type == Tensor::Type::kU32) continue;
    file = whole;
    std::fill(file.tensors[name].bytes.end() - 4, file.tensors[name].bytes.end(), std::byte{0xFF});
    EXPECT_EQ(error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); }),
              "model.safetensors: the tensor " + name + " holds a number that is not finite");
  }
}

TEST(Checkpoint, LaysOutTensorsAsPyTorchDoes) {
  Checkpoint checkpoint = checkpoint_of("ndnf-mt", "door-corridor");
  const TensorFile file = parse_safetensors("", to_bytes(checkpoint));
  std::map<std::string, std::vector<std::size_t>> shapes;
  for (const auto& [name, tensor] : file.tensors) shapes[name] = tensor.shape;
  EXPECT_EQ(shapes, (std::map<std::string, std::vector<std::size_t>>{{"image_encoder.0.weight", {4, 2, 1, 1}},
                                                                     {"image_encoder.0.bias", {4}},
                                                                     {"extra_layer.0.weight", {16, 36}},
                                                                     {"extra_layer.0.bias", {16}},
                                                                     {"actor.conjunctions.weights", {3, 16}},
                                                                     {"actor.disjunctions.weights", {4, 3}},
                                                                     {"critic.0.weight", {64, 16}},
                                                                     {"critic.0.bias", {64}},
                                                                     {"critic.2.weight", {1, 64}},
                                                                     {"critic.2.bias", {1}}}));
  const Matrix<float>& W = std::get<NeuralDnf<float>>(network_of(checkpoint).actor).conjunctions;
  const auto stored = file.tensors.at("actor.conjunctions.weights").as<float>("");
  for (std::size_t in = 0; in < 16; ++in) {
    for (std::size_t out = 0; out < 3; ++out) EXPECT_EQ(stored[out * 16 + in], W(in, out));
  }
}

TEST(Checkpoint, TellsPeopleWhatItIs) {
  const auto metadata =
      parse_safetensors("", to_bytes(checkpoint_of("ndnf-mt", "small-corridor:wall"))).metadata;
  EXPECT_EQ(metadata.at("format"), "ndnf-checkpoint");
  EXPECT_EQ(metadata.at("version"), "3");
  EXPECT_EQ(metadata.at("seed"), "18446744073709551615");
  EXPECT_EQ(metadata.at("actions"), R"(["left","right"])");
  EXPECT_EQ(metadata.at("atoms"),
            R"([{"name":"left_wall_present","one_hot":false,"atoms":["left_wall_present"]},)"
            R"({"name":"right_wall_present","one_hot":false,"atoms":["right_wall_present"]}])");
  EXPECT_EQ(metadata.at("architecture"),
            R"({"inputs":"signed","actor":{"conjunctions":3,"bias_type":"max","activation":"tanh",)"
            R"("delta":0.12100000000000002},"critic":{"hidden":[64],"bias":true,"activation":"tanh"}})");
}

TEST(Checkpoint, WithoutACriticIsStillAPolicy) {
  Checkpoint checkpoint = checkpoint_of("ndnf-mt", "small-corridor");
  network_of(checkpoint).critic.reset();
  const Checkpoint read = parse_checkpoint("model.safetensors", to_bytes(checkpoint));
  EXPECT_FALSE(std::get<ActorCritic<float>>(read.policy).critic.has_value());
}

TEST(Checkpoint, KeepsItsShield) {
  Checkpoint checkpoint = checkpoint_of("ndnf-mt", "small-corridor");
  checkpoint.shield = "% \"walls\"\nforbidden(left) :- in_s_0.\n";
  EXPECT_EQ(parse_checkpoint("model.safetensors", to_bytes(checkpoint)).shield, checkpoint.shield);
  EXPECT_EQ(to_bytes(parse_checkpoint("model.safetensors", to_bytes(checkpoint))), to_bytes(checkpoint));
}

TEST(Checkpoint, OfOlderVersionsIsReadWithoutAChecksum) {
  Checkpoint checkpoint = checkpoint_of("ndnf-mt", "small-corridor");
  TensorFile file = parse_safetensors("", to_bytes(checkpoint));
  file.metadata["version"] = "1";
  EXPECT_EQ(to_bytes(parse_checkpoint("old", to_safetensors(file))), to_bytes(checkpoint));
  file.metadata["version"] = "2";
  EXPECT_EQ(error_of([&] { parse_checkpoint("old", to_safetensors(file)); }),
            "old: its metadata has no shield");
  checkpoint.shield = file.metadata["shield"] = "forbidden(left) :- in_s_0.\n";
  EXPECT_EQ(to_bytes(parse_checkpoint("old", to_safetensors(file))), to_bytes(checkpoint));
  file.metadata["version"] = "3";
  EXPECT_EQ(error_of([&] { parse_checkpoint("new", to_safetensors(file)); }),
            "new: has no checksum in its metadata");
}

TEST(Checkpoint, WithAnyBitFlippedIsRefused) {
  const std::string bytes = to_bytes(checkpoint_of("ndnf-mt", "small-corridor"));
  for (std::size_t i = 0; i < bytes.size() * 8; i += 61) {
    std::string damaged = bytes;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    EXPECT_NE(error_of([&] { parse_checkpoint("model.safetensors", damaged); }), "") << "bit " << i;
  }
}

TEST_P(EveryCheckpoint, UnderAMaskTakesAllowedActionsOnly) {
  const ObservationTable& table = observations(GetParam().env);
  const std::size_t actions = table.vocabulary().action_count();
  std::vector<std::uint64_t> allowed;
  for (ObsId obs = 0; obs < table.size(); ++obs) allowed.push_back(1 + obs % ((1u << actions) - 1));
  const ActionMask mask(actions, allowed);
  const PolicyTable rows = tabulate(*policy_of(original(), &mask), table);
  const PolicyTable applied = mask.apply(tabulate(*policy_of(original()), table));
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    EXPECT_TRUE(rows.defined(obs));
    for (ActionId a = 0; a < actions; ++a) {
      if (applied.defined(obs)) {
        EXPECT_NEAR(rows.row(obs)[a], applied.row(obs)[a], 1e-12);
      }
      EXPECT_TRUE(mask.allows(obs, a) || rows.row(obs)[a] == 0);
    }
  }
}

TEST(Checkpoint, KeepsTheStepActivation) {
  Checkpoint checkpoint = checkpoint_of("ndnf-mt", "small-corridor");
  std::get<NeuralDnf<float>>(network_of(checkpoint).actor).activation = Activation::kStep;
  Checkpoint read = parse_checkpoint("model.safetensors", to_bytes(checkpoint));
  EXPECT_EQ(std::get<NeuralDnf<float>>(network_of(read).actor).activation, Activation::kStep);
}

TEST(Checkpoint, IsReadFromItsFile) {
  const auto path = std::filesystem::temp_directory_path() / "ndnf-checkpoint-test.safetensors";
  const std::string bytes = to_bytes(checkpoint_of("q-table", "small-corridor"));
  write_file(path, bytes);
  EXPECT_EQ(to_bytes(read_checkpoint(path)), bytes);
  write_file(path, bytes.substr(0, 100));
  EXPECT_THAT(error_of([&] { read_checkpoint(path); }), StartsWith(path.string() + ": "));
  std::filesystem::remove(path);
}

TEST(Checkpoint, ThatContradictsItselfIsRefusedWithASentence) {
  struct Case {
    std::string model;
    std::string key;
    std::string text;
    std::string sentence;
  };
  const std::string architecture = R"({"inputs":"signed","actor":{"conjunctions":3,"bias_type":"max",)"
                                   R"("activation":"tanh","delta":1},"critic":{"hidden":[64],"bias":true,)"
                                   R"("activation":"tanh"}})";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = architecture;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<Case> cases = {
      {"mlp", "format", "pt",
       "holds tensors but no policy; its metadata does not say format ndnf-checkpoint"},
      {"mlp", "version", "4", "has version \"4\" of the format; this program reads versions 1 to 3"},
      {"mlp", "model", "svm", "its model is \"svm\"; known: ndnf-mt, ndnf, ndnf-eo, mlp, q-table"},
      {"mlp", "seed", "-1", "its seed is \"-1\"; a whole number is needed here"},
      {"mlp", "steps", "1e5", "its steps is \"1e5\"; a whole number is needed here"},
      {"mlp", "eval.select", "best", "eval.select: "},
      {"mlp", "extract.as", "prolog", "its extract.as is \"prolog\"; known: asp, problog"},
      {"mlp", "atoms", "[", "its atoms and actions are not lists of names"},
      {"mlp", "atoms", "[3]", "its atoms and actions are not lists of names"},
      {"mlp", "actions", "[\"Left\"]", "the action name \"Left\" is not a term"},
      {"mlp", "actions", "[\"right\",\"left\"]", "its atoms and actions do not match its fingerprint"},
      {"mlp", "architecture", "{", "architecture is not an object"},
      {"mlp", "architecture", architecture, "architecture.actor.hidden is missing"},
      {"ndnf", "model", "q-table", "is not part of a q-table policy"},
      {"ndnf", "architecture", changed("64", "32"),
       "the tensor critic.0.weight has the shape [64, 4]; [32, 4] is"},
      {"ndnf", "architecture", changed("3", "0"),
       "architecture.actor.conjunctions is 0; a positive whole number"},
      {"ndnf", "architecture", changed("3", "99999"),
       "describes a matrix of 4 x 99999 numbers; it is larger than"},
      {"ndnf", "architecture", changed("[64]", "64"),
       "architecture.critic.hidden is 64; a list is needed here"},
      {"ndnf", "architecture", changed("true", "1"),
       "architecture.critic.bias is 1; true or false is needed here"},
      {"ndnf", "architecture", changed("tanh", "relu"),
       "actor.activation is \"relu\"; tanh or step is needed here"},
      {"ndnf", "architecture", changed("max", "mid"), "bias_type is \"mid\"; max or min is needed here"},
      {"ndnf", "architecture", changed("\"delta\":1", "\"delta\":1.5"),
       "delta is 1.5; a number from 0 to 1 is"},
      {"ndnf", "architecture", changed("critic", "crític"),
       "the tensor \"critic.0.bias\" is not part of a ndnf policy"},
  };
  for (const Case& c : cases) {
    TensorFile file = parse_safetensors("", to_bytes(checkpoint_of(c.model, "small-corridor")));
    file.metadata[c.key] = c.text;
    const std::string error =
        error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); });
    EXPECT_THAT(error, StartsWith("model.safetensors: ")) << c.key << " " << c.text;
    EXPECT_THAT(error, HasSubstr(c.sentence)) << c.key << " " << c.text;
  }
}

TEST(Checkpoint, RefusesATableWithRowsThatCannotBeObserved) {
  TensorFile file = parse_safetensors("", to_bytes(checkpoint_of("q-table", "small-corridor:wall")));
  const auto refuse = [&](std::vector<std::uint32_t> values) {
    file.tensors["observations"] = Tensor::of(std::span<const std::uint32_t>(values), {3, 2});
    return error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); });
  };
  EXPECT_EQ(refuse({0, 0, 1, 0, 0, 1}), "");
  EXPECT_EQ(refuse({0, 0, 1, 0, 0, 2}),
            "model.safetensors: row 2 of its observations gives right_wall_present the value 2; it has 2 "
            "values, counted from 0");
  EXPECT_EQ(refuse({0, 0, 1, 0, 0, 0}), "model.safetensors: row 2 of its observations appears twice");
}

TEST(Checkpoint, NamesTheFirstDifferenceToAnotherEnvironment) {
  const auto error = [](const std::string& made_for, const ObservationTable& table) {
    return error_of([&] { check_fits("model.safetensors", checkpoint_of("ndnf-mt", made_for), table); });
  };
  EXPECT_EQ(error("small-corridor", observations("long-corridor-5")),
            "model.safetensors: was made for another environment, small-corridor; its atom 4 is none, the "
            "environment's in_s_4");
  EXPECT_EQ(error("blackjack", observations("small-corridor:wall")),
            "model.safetensors: was made for another environment, blackjack; its atom 0 is hand(0), the "
            "environment's left_wall_present");
  const auto corridor = [](std::vector<AtomGroup> groups, std::vector<std::string> actions) {
    return ObservationTable(std::make_shared<Vocabulary>(std::move(groups), std::move(actions)));
  };
  const Vocabulary& wall = observations("small-corridor:wall").vocabulary();
  EXPECT_THAT(error("small-corridor:wall", corridor({wall.group(0), wall.group(1)}, {"left", "jump"})),
              HasSubstr("its action 1 is right, the environment's jump"));
  const AtomGroup joined{"wall", true, {"left_wall_present", "right_wall_present"}};
  EXPECT_THAT(error("small-corridor:wall", corridor({joined}, {"left", "right"})),
              HasSubstr("the same atoms are grouped differently"));
}

TEST(Checkpoint, WithAnEncoderFitsOnlyImagesOfItsSize) {
  const Checkpoint checkpoint = checkpoint_of("ndnf-mt", "door-corridor");
  EXPECT_NO_THROW(check_fits("model.safetensors", checkpoint, observations("door-corridor-ot")));
  EXPECT_THAT(
      error_of([&] { check_fits("model.safetensors", checkpoint, ObservationTable(checkpoint.vocabulary)); }),
      HasSubstr("its images have 18 numbers, the environment's 0"));
}

TEST(Checkpoint, OverNumbersFitsOnlyAsManyNumbers) {
  const Checkpoint checkpoint = checkpoint_of("mlp", "numbers");
  EXPECT_EQ(error_of([&] {
              check_fits("model.safetensors", checkpoint, ObservationTable(checkpoint.vocabulary, 6));
            }),
            "model.safetensors: was made for another environment, numbers; its observations have 4 numbers, "
            "the environment's 6");
}

TEST(Checkpoint, ReadsNumbersOnlyWithoutAtomsAndOnlyByAnMlp) {
  const auto error = [](const TensorFile& file) {
    return error_of([&] { parse_checkpoint("model.safetensors", to_checked_safetensors(file)); });
  };
  TensorFile with_atoms = parse_safetensors("", to_bytes(checkpoint_of("mlp", "blackjack")));
  std::string& text = with_atoms.metadata["architecture"];
  text.insert(text.find(",\"actor\""), ",\"numbers\":44");
  EXPECT_EQ(error(with_atoms),
            "model.safetensors: architecture says that the network reads numbers, but there are atoms");
  TensorFile dnf = parse_safetensors("", to_bytes(checkpoint_of("mlp", "numbers")));
  dnf.metadata["model"] = "ndnf-mt";
  EXPECT_EQ(error(dnf),
            "model.safetensors: architecture says that a neural DNF reads numbers; it needs atoms");
}

TEST(Checkpoint, WithAnyByteChangedIsReadOrRefused) {
  for (const char* model : {"ndnf-mt", "q-table"}) {
    Checkpoint checkpoint = checkpoint_of(model, "small-corridor:wall");
    if (auto* network = std::get_if<ActorCritic<float>>(&checkpoint.policy)) network->critic.reset();
    std::string bytes = to_bytes(checkpoint);
    std::size_t refused = 0;
    for (char& byte : bytes) {
      const char before = byte;
      for (const char changed : {'\0', '9', '"', '\xFF'}) {
        byte = changed;
        try {
          parse_checkpoint("model.safetensors", bytes);
        } catch (const Error&) {
          ++refused;
        }
      }
      byte = before;
    }
    EXPECT_GT(refused, bytes.size());
  }
}

}  // namespace
}  // namespace ndnf
