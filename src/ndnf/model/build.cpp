#include "ndnf/model/build.h"

#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/nn/initialise.h"

namespace ndnf {
namespace {

constexpr std::int64_t kMostNodes = 1 << 16;
constexpr double kTanhGain = 5.0 / 3;

const char* const kInitSentence = "How the initial weights are drawn; biases start at 0.";

/// Initialisations of linear layers. Semi-symbolic layers also have `normal`, with standard deviation
/// `init_std`, and `negative`: conjunctions from −|normal|, disjunctions from normal.
std::vector<std::string> linear_inits() {
  return {"unit-rows", "orthogonal", "xavier-normal", "xavier-uniform", "uniform-6"};
}

std::vector<std::string> actor_inits() {
  std::vector<std::string> inits = linear_inits();
  inits.insert(inits.begin(), {"normal", "negative"});
  return inits;
}

/// Draws the matrices of one part of the network according to the name of an initialisation.
class Initialiser {
 public:
  Initialiser(RandomSequence& random, std::string name, double deviation = 0)
      : random_(random), name_(std::move(name)), deviation_(deviation) {}

  Matrix<double> draw(std::size_t inputs, std::size_t outputs) {
    Matrix<double> W(inputs, outputs);
    if (name_ == "normal" || name_ == "negative") {
      fill_normal(random_, deviation_, W);
    } else if (name_ == "unit-rows") {
      fill_unit_rows(random_, W);
    } else if (name_ == "orthogonal") {
      fill_orthogonal(random_, std::sqrt(2.0), W);
    } else if (name_ == "xavier-normal") {
      fill_xavier_normal(random_, kTanhGain, W);
    } else if (name_ == "xavier-uniform") {
      fill_xavier_uniform(random_, kTanhGain, W);
    } else if (name_ == "uniform-6") {
      fill_uniform(random_, 6, W);
    } else {
      throw Error("init", fmt::format("there is no initialisation {}", name_));
    }
    return W;
  }

  void set_deviation(double deviation) { deviation_ = deviation; }

 private:
  RandomSequence& random_;
  std::string name_;
  double deviation_;
};

Mlp<double> build_mlp(std::size_t inputs, const std::vector<std::int64_t>& hidden, std::size_t outputs,
                      const std::string& activation, bool bias, Initialiser initialiser) {
  Mlp<double> mlp;
  mlp.activation = activation == "relu" ? Activation::kRelu : Activation::kTanh;
  std::vector<std::size_t> sizes(hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  for (const std::size_t size : sizes) {
    mlp.layers.push_back({initialiser.draw(inputs, size), bias ? Matrix<double>(1, size) : Matrix<double>()});
    inputs = size;
  }
  return mlp;
}

NeuralDnf<double> build_dnf(std::size_t inputs, std::size_t outputs, const ActorOptions& options,
                            Initialiser initialiser) {
  const auto conjunctions = static_cast<std::size_t>(options.conjunctions);
  NeuralDnf<double> dnf;
  dnf.conjunctions = initialiser.draw(inputs, conjunctions);
  if (options.init == "negative") {
    for (double& w : dnf.conjunctions.values()) w = -std::abs(w);
  }
  if (options.init_std_disjunctions > 0) initialiser.set_deviation(options.init_std_disjunctions);
  dnf.disjunctions = initialiser.draw(conjunctions, outputs);
  dnf.bias = options.bias_type == "min" ? BiasType::kMin : BiasType::kMax;
  dnf.exactly_one = options.model == "ndnf-eo";
  return dnf;
}

/// An image has one cell per group of atoms: the group names what the cell contains, the image encodes it in
/// numbers.
Convolution<double> build_convolution(const ObservationTable& table, const EncoderOptions& options,
                                      RandomSequence& random) {
  const std::size_t cells = table.vocabulary().group_count();
  if (table.dense_size() == 0 || cells == 0 || table.dense_size() % cells != 0) {
    throw Error(
        "[encoder]",
        fmt::format("model = \"{}\" needs images, which this environment does not have", options.model),
        "use model = \"none\"");
  }
  const std::size_t depth = table.dense_size() / cells;
  const auto channels = static_cast<std::size_t>(options.channels);
  const auto outputs = static_cast<std::size_t>(options.outputs);
  Convolution<double> encoder;
  encoder.kernel = Matrix<double>(depth, channels);
  encoder.kernel_bias = Matrix<double>(1, channels);
  const double limit = 1 / std::sqrt(static_cast<double>(depth));
  fill_uniform(random, limit, encoder.kernel);
  fill_uniform(random, limit, encoder.kernel_bias);
  encoder.W = Initialiser(random, options.init).draw(channels * cells, outputs);
  encoder.bias = Matrix<double>(1, outputs);
  return encoder;
}

Encoder<double> build_encoder(const ObservationTable& table, const EncoderOptions& options,
                              RandomSequence& random) {
  if (options.model == "none") return plain_input(table);
  return build_convolution(table, options, random);
}

}  // namespace

ConfigTable<ActorOptions> actor_config() {
  return ConfigTable<ActorOptions>()
      .choice("model", &ActorOptions::model, {"ndnf-mt", "ndnf-eo", "ndnf", "mlp", "q-table"},
              "The actor: a neural DNF with mutex-tanh (ndnf-mt), with an exactly-one layer "
              "(ndnf-eo) or plain "
              "(ndnf), linear layers (mlp), or a table of action values (q-table).")
      .integer("conjunctions", &ActorOptions::conjunctions, 1, kMostNodes, "Conjunctions of a neural DNF.")
      .choice("bias_type", &ActorOptions::bias_type, {"max", "min"},
              "The weight that a neural DNF's biases exclude: the largest, or the smallest nonzero one.")
      .integers("hidden", &ActorOptions::hidden, 1, kMostNodes, "Sizes of an MLP's hidden layers.")
      .choice("activation", &ActorOptions::activation, {"tanh", "relu"},
              "Activation of an MLP's hidden layers.")
      .flag("bias", &ActorOptions::bias, "Whether an MLP's layers have biases.")
      .choice("inputs", &ActorOptions::inputs, {"signed", "binary"},
              "The value of a false atom for the actor and the critic: -1 (signed) or 0 (binary).")
      .choice("init", &ActorOptions::init, actor_inits(), kInitSentence)
      .real("init_std", &ActorOptions::init_std, 0, 100,
            "Standard deviation of init = \"normal\" and \"negative\".")
      .real("init_std_disjunctions", &ActorOptions::init_std_disjunctions, 0, 100,
            "The same for the disjunctive layer; 0 means init_std.");
}

ConfigTable<CriticOptions> critic_config() {
  return ConfigTable<CriticOptions>()
      .choice("model", &CriticOptions::model, {"mlp", "table"},
              "The critic: linear layers (mlp), or one number per observation (table), which starts "
              "at 0.")
      .integers("hidden", &CriticOptions::hidden, 1, kMostNodes, "Sizes of the critic's hidden layers.")
      .choice("activation", &CriticOptions::activation, {"tanh", "relu"},
              "Activation of the critic's hidden layers.")
      .flag("bias", &CriticOptions::bias, "Whether the critic's layers have biases.")
      .choice("init", &CriticOptions::init, linear_inits(), kInitSentence);
}

ConfigTable<EncoderOptions> encoder_config() {
  return ConfigTable<EncoderOptions>()
      .choice("model", &EncoderOptions::model, {"none", "conv-1x1"},
              "What processes the image for actor and critic: nothing, or a 1x1 convolution and a "
              "linear "
              "layer, each followed by tanh.")
      .integer("channels", &EncoderOptions::channels, 1, kMostNodes, "Output channels of the convolution.")
      .integer("outputs", &EncoderOptions::outputs, 1, kMostNodes,
               "Invented predicates: outputs of the linear layer.")
      .choice("init", &EncoderOptions::init, linear_inits(),
              "How the linear layer's initial weights are drawn; the convolution's are uniform within "
              "1/sqrt(fan-in) of 0.");
}

ActorCritic<double> build_network(const ObservationTable& table, const ActorOptions& actor,
                                  const CriticOptions& critic, const EncoderOptions& encoder,
                                  RandomSequence& random) {
  if (actor.model == "q-table") {
    throw Error("[actor]", "model = \"q-table\" is not a network",
                "use it with method = \"q-learning\" or \"sarsa\"");
  }
  ActorCritic<double> network;
  network.falsehood = actor.inputs == "binary" ? 0 : -1;
  network.encoder = build_encoder(table, encoder, random);
  const std::size_t inputs = input_size(network.encoder, table.vocabulary());
  const std::size_t actions = table.vocabulary().action_count();
  const Initialiser initialiser(random, actor.init, actor.init_std);
  if (actor.model == "mlp") {
    network.actor = build_mlp(inputs, actor.hidden, actions, actor.activation, actor.bias, initialiser);
  } else {
    if (!has_encoder(network.encoder) && numbers_read(network.encoder) > 0) {
      throw Error(
          "[actor]",
          fmt::format("model = \"{}\" needs atoms, and this environment has only numbers", actor.model),
          "use model = \"mlp\"");
    }
    network.actor = build_dnf(inputs, actions, actor, initialiser);
  }
  if (critic.model == "table") {
    network.critic = Mlp<double>{{{Matrix<double>(table.size(), 1), {}}}, Activation::kTanh};
    network.critic_by_id = true;
    return network;
  }
  network.critic =
      build_mlp(inputs, critic.hidden, 1, critic.activation, critic.bias, Initialiser(random, critic.init));
  return network;
}

}  // namespace ndnf
