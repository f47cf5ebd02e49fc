#include "ndnf/model/build.h"

#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/elementary.h"
#include "ndnf/base/error.h"
#include "ndnf/nn/initialise.h"

namespace ndnf {
namespace {

constexpr std::int64_t kMostNodes = 1 << 16;
constexpr double kTanhGain = 5.0 / 3;

const char* const kInitSentence = "How the initial weights are drawn; biases start at 0.";

/// Initialisations of linear layers. Semi-symbolic layers also have `normal`, with standard deviation
/// `init_std`, `negative`: conjunctions from −|normal|, disjunctions from normal, and `sparse`: two literals
/// in each conjunction.
std::vector<std::string> linear_inits() {
  return {"unit-rows", "orthogonal", "xavier-normal", "xavier-uniform", "uniform-6"};
}

std::vector<std::string> actor_inits() {
  std::vector<std::string> inits = linear_inits();
  inits.insert(inits.begin(), {"normal", "negative", "sparse"});
  return inits;
}

/// Draws the matrices of one part of the network according to the name of an initialisation.
class Initialiser {
 public:
  Initialiser(RandomSequence& random, std::string name, double deviation = 0)
      : random_(random), name_(std::move(name)), deviation_(deviation) {}

  Matrix<double> draw(std::size_t inputs, std::size_t outputs) {
    Matrix<double> W(inputs, outputs);
    if (name_ == "normal" || name_ == "negative" || name_ == "sparse") {
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

/// Conjunctions of two literals, ±U(0.5, 1) each, and weights near 0 for all others: whole conjunctions of
/// many atoms are almost never true, and then nothing is learned from them.
Matrix<double> sparse_conjunctions(std::size_t inputs, std::size_t conjunctions, RandomSequence& random) {
  constexpr double kRest = 0.01;
  Matrix<double> W(inputs, conjunctions);
  const auto count = static_cast<std::uint32_t>(inputs);
  fill_normal(random, kRest, W);
  for (std::size_t q = 0; q < conjunctions; ++q) {
    const std::uint32_t first = random.below(count);
    const std::uint32_t second = count == 1 ? 0 : (first + 1 + random.below(count - 1)) % count;
    for (const std::uint32_t i : {first, second}) {
      const double size = 0.5 + 0.5 * random.uniform();
      W(i, q) = random.below(2) == 0 ? size : -size;
    }
  }
  return W;
}

NeuralDnf<double> build_dnf(std::size_t inputs, std::size_t outputs, const ActorOptions& options,
                            Initialiser initialiser, RandomSequence& random) {
  const auto conjunctions = static_cast<std::size_t>(options.conjunctions);
  NeuralDnf<double> dnf;
  dnf.conjunctions = options.init == "sparse" ? sparse_conjunctions(inputs, conjunctions, random)
                                              : initialiser.draw(inputs, conjunctions);
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

/// Thresholds at about the quantiles of a normal distribution: inputs are scaled to mean 0 and deviation 1.
Thresholds<double> build_thresholds(const ObservationTable& table, const EncoderOptions& options,
                                    RandomSequence& random) {
  constexpr double kLogistic = 0.5876;  // the logistic distribution with this scale is about normal
  Thresholds<double> encoder;
  const std::vector<Quantity>& quantities = table.vocabulary().quantities();
  encoder.numbers = table.dense_size();
  for (std::uint32_t q = 0; q < quantities.size(); ++q) {
    if (quantities[q].grid) encoder.compared.push_back(q);
  }
  if (encoder.compared.empty() || table.vocabulary().atom_count() > 0) {
    throw Error("[encoder]",
                fmt::format("model = \"thresholds\" needs observations of numbers that rules can be about{}",
                            encoder.compared.empty() ? "" : ", and of nothing else"),
                "use model = \"none\"");
  }
  const auto each = static_cast<std::size_t>(options.thresholds);
  const auto linear = static_cast<std::size_t>(options.linear);
  encoder.bounds = Matrix<double>(1, each * encoder.compared.size());
  for (std::size_t j = 0; j < encoder.bounds.cols(); ++j) {
    const double share = static_cast<double>(j % each + 1) / static_cast<double>(each + 1);
    encoder.bounds(0, j) = kLogistic * logarithm(share / (1 - share));
  }
  encoder.directions = Matrix<double>(encoder.compared.size(), linear);
  encoder.linear_bounds = Matrix<double>(1, linear);
  fill_normal(random, 1, encoder.directions);
  fill_normal(random, 0.5, encoder.linear_bounds);
  return encoder;
}

Encoder<double> build_encoder(const ObservationTable& table, const EncoderOptions& options,
                              RandomSequence& random) {
  if (options.model == "none") return plain_input(table);
  if (options.model == "thresholds") return build_thresholds(table, options, random);
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
      .choice("model", &EncoderOptions::model, {"none", "conv-1x1", "thresholds"},
              "What stands before the actor: nothing; for images a 1x1 convolution and a linear layer, each "
              "followed by tanh, which the critic reads, too; for numbers atoms with learned thresholds.")
      .integer("channels", &EncoderOptions::channels, 1, kMostNodes, "Output channels of the convolution.")
      .integer("outputs", &EncoderOptions::outputs, 1, kMostNodes,
               "Invented predicates: outputs of the linear layer.")
      .choice("init", &EncoderOptions::init, linear_inits(),
              "How the linear layer's initial weights are drawn; the convolution's are uniform within "
              "1/sqrt(fan-in) of 0.")
      .integer("thresholds", &EncoderOptions::thresholds, 1, kMostNodes,
               "Threshold atoms of each number, such as velocity > t.")
      .integer("linear", &EncoderOptions::linear, 0, kMostNodes,
               "Threshold atoms of sums of numbers with learned factors.");
}

NeuralDnf<double> build_neural_dnf(std::size_t inputs, std::size_t outputs, const ActorOptions& options,
                                   RandomSequence& random) {
  return build_dnf(inputs, outputs, options, Initialiser(random, options.init, options.init_std), random);
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
          "use model = \"mlp\", or learn atoms with encoder.model = \"thresholds\"");
    }
    network.actor = build_dnf(inputs, actions, actor, initialiser, random);
  }
  if (critic.model == "table") {
    network.critic = Mlp<double>{{{Matrix<double>(table.size(), 1), {}}}, Activation::kTanh};
    network.critic_by_id = true;
    return network;
  }
  network.critic = build_mlp(critic_size(network.encoder, table.vocabulary()), critic.hidden, 1,
                             critic.activation, critic.bias, Initialiser(random, critic.init));
  return network;
}

}  // namespace ndnf
