#include "ndnf/train/q_learning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/elementary.h"
#include "ndnf/base/error.h"
#include "ndnf/train/streams.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

constexpr std::size_t kIterations = 200;
constexpr std::size_t kWordsPerBlock = std::tuple_size_v<RandomStream::Block>;
constexpr std::size_t kBufferedWords = 64 * kWordsPerBlock;
constexpr double kWordRange = 0x1.0p32;

std::size_t episodes_in(std::size_t iterations, const QLearningOptions& options) {
  const auto all = static_cast<std::size_t>(options.episodes);
  return std::min(all, iterations * ((all + kIterations - 1) / kIterations));
}

std::size_t iterations_of(const QLearningOptions& options) {
  std::size_t count = 0;
  while (episodes_in(count, options) < static_cast<std::size_t>(options.episodes)) ++count;
  return count;
}

}  // namespace

ConfigTable<QLearningOptions> q_learning_config() {
  using O = QLearningOptions;
  return ConfigTable<O>()
      .integer("episodes", &O::episodes, 1, 1'000'000'000'000, "Episodes to play.")
      .integer("total_timesteps", &O::total_timesteps, 0, 1'000'000'000'000,
               "Environment steps, at most; 0: as many as the episodes take.")
      .real("gamma", &O::gamma, 0, 1, "Discount factor.")
      .real("alpha", &O::alpha, 0, 1, "Learning rate: the fraction of the TD error that an update corrects.")
      .real("epsilon_start", &O::epsilon_start, 0, 1, "Initial probability of a random action.")
      .real("epsilon_end", &O::epsilon_end, 0, 1, "Final probability of a random action.")
      .real("epsilon_decay", &O::epsilon_decay, 1, 1e15,
            "Steps in which the distance to epsilon_end shrinks by a factor of e.")
      .flag("bootstrap_at_end", &O::bootstrap_at_end,
            "Use the learned value of an end state's observation instead of 0.");
}

QLearningTrainer::Words::Words(std::uint64_t seed, std::uint64_t stream)
    : stream_(seed, stream), buffer_(kBufferedWords), used_(kBufferedWords) {}

void QLearningTrainer::Words::refill() {
  stream_.fill(end_ / kWordsPerBlock, buffer_);
  end_ += buffer_.size();
  used_ = 0;
}

void QLearningTrainer::Words::seek(std::uint64_t count) {
  end_ = count - count % buffer_.size();
  refill();
  used_ = static_cast<std::size_t>(count % buffer_.size());
}

QLearningTrainer::QLearningTrainer(std::unique_ptr<VectorEnv> env, const QLearningOptions& options,
                                   TdTarget target, std::uint64_t seed, const ActionMask* mask)
    : options_(options),
      target_(target),
      seed_(seed),
      mask_(mask),
      env_(std::move(env)),
      iterations_(iterations_of(options)),
      words_(seed, kActionStream),
      q_(0, env_->observations().vocabulary().action_count()),
      actions_(env_->size()),
      returns_(env_->size(), 0.0),
      lengths_(env_->size(), 0) {
  if (env_->observations().is_buffer())
    throw Error("q-learning", "a table of values needs a task whose observations can be enumerated",
                "use a network (ppo)");
  begin_epsilon();
  begin_episodes(seed);
}

void QLearningTrainer::begin_episodes(std::uint64_t seed) {
  const auto first = env_->reset(seed);
  seen_.assign(first.begin(), first.end());
  make_room();
  for (std::size_t n = 0; n < seen_.size(); ++n) actions_[n] = choose(seen_[n]);
}

bool QLearningTrainer::done() const {
  const auto most = static_cast<std::uint64_t>(options_.total_timesteps);
  return iteration_ == iterations_ || (most > 0 && steps_ >= most);
}

bool QLearningTrainer::played(std::size_t iterations) const {
  if (episodes_ >= episodes_in(iterations, options_)) return true;
  const auto most = static_cast<double>(options_.total_timesteps);
  const double share = static_cast<double>(iterations) / static_cast<double>(iterations_);
  return most > 0 && static_cast<double>(steps_) >= share * most;
}

IterationReport QLearningTrainer::next_iteration() {
  finished_ = 0;
  finished_return_ = 0;
  finished_length_ = 0;
  begin_epsilon();
  while (!played(iteration_ + 1)) step();
  ++iteration_;
  check_finite();
  IterationReport report;
  report.iteration = iteration_;
  report.iterations = iterations_;
  report.steps = steps_;
  report.episodes = finished_;
  if (finished_ > 0) {
    report.episodic_return = finished_return_ / static_cast<double>(finished_);
    report.episodic_length = finished_length_ / static_cast<double>(finished_);
  }
  report.learning_rate = options_.alpha;
  report.epsilon = epsilon();
  return report;
}

/// Within an iteration epsilon is updated by multiplication, which is faster than exp.
void QLearningTrainer::begin_epsilon() {
  const double range = options_.epsilon_start - options_.epsilon_end;
  excess_ = range * exponential(-static_cast<double>(steps_) / options_.epsilon_decay);
  shrink_ = exponential(-static_cast<double>(env_->size()) / options_.epsilon_decay);
}

void QLearningTrainer::step() {
  const VectorStep step = env_->step(actions_);
  steps_ += seen_.size();
  excess_ *= shrink_;
  make_room();
  for (std::size_t n = 0; n < seen_.size(); ++n) {
    learn(n, step);
    count(n, step);
  }
}

void QLearningTrainer::learn(std::size_t n, const VectorStep& step) {
  double& value = q_(seen_[n], actions_[n]);
  const bool over = (step.terminated[n] | step.truncated[n]) != 0;
  const bool worthless = step.terminated[n] != 0 && !options_.bootstrap_at_end;
  const double* next = q_.row(step.arrived[n]);
  if (target_ == TdTarget::kBest) {
    const double best = worthless ? 0 : *std::max_element(next, next + q_.cols());
    value += options_.alpha * (step.rewards[n] + options_.gamma * best - value);
    actions_[n] = choose(step.observations[n]);
  } else {
    const ActionId taken = choose(step.arrived[n]);
    const double best = worthless ? 0 : next[taken];
    value += options_.alpha * (step.rewards[n] + options_.gamma * best - value);
    actions_[n] = over ? choose(step.observations[n]) : taken;
  }
  seen_[n] = step.observations[n];
}

void QLearningTrainer::count(std::size_t n, const VectorStep& step) {
  returns_[n] += step.rewards[n];
  ++lengths_[n];
  if ((step.terminated[n] | step.truncated[n]) == 0) return;
  ++episodes_;
  ++finished_;
  finished_return_ += std::exchange(returns_[n], 0.0);
  finished_length_ += static_cast<double>(std::exchange(lengths_[n], 0));
}

ActionId QLearningTrainer::choose(ObsId obs) {
  const double threshold = epsilon() * kWordRange;
  const auto word = static_cast<double>(words_.next());
  if (word < threshold) return any_action(obs, word / threshold);  // also uniform
  const double* row = q_.row(obs);
  return static_cast<ActionId>(std::max_element(row, row + q_.cols()) - row);
}

ActionId QLearningTrainer::any_action(ObsId obs, double uniform) const {
  const std::size_t count = mask_ == nullptr ? q_.cols() : mask_->allowed_count(obs);
  const auto rank = std::min(count - 1, static_cast<std::size_t>(uniform * static_cast<double>(count)));
  return mask_ == nullptr ? static_cast<ActionId>(rank) : mask_->nth_allowed(obs, rank);
}

void QLearningTrainer::make_room() {
  const std::size_t rows = env_->observations().size();
  if (rows == q_.rows()) return;
  Matrix<double> larger(rows, q_.cols());
  std::copy(q_.values().begin(), q_.values().end(), larger.values().begin());
  for (auto obs = static_cast<ObsId>(q_.rows()); mask_ != nullptr && obs < rows; ++obs) {
    for (ActionId a = 0; a < q_.cols(); ++a) {
      if (!mask_->allows(obs, a)) larger(obs, a) = std::numeric_limits<double>::lowest();
    }
  }
  q_ = std::move(larger);
}

void QLearningTrainer::check_finite() const {
  const auto values = q_.values();
  if (std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return;
  throw Error(fmt::format("iteration {}", iteration_), "an action value is NaN or infinite",
              "try a smaller alpha or gamma");
}

TensorFile QLearningTrainer::state() const {
  TensorFile file;
  file.tensors["q"] = Tensor::of<double>(q_.values(), {q_.rows(), q_.cols()});
  file.tensors["counters"] =
      Tensor::of(std::vector<std::uint64_t>{iteration_, steps_, episodes_, words_.count()});
  if (const auto episodes = env_->snapshot()) {
    file.tensors["environment"] = Tensor::of(*episodes);
    file.tensors["actions"] = Tensor::of(actions_);
    file.tensors["episode.returns"] = Tensor::of(returns_);
    file.tensors["episode.lengths"] = Tensor::of(lengths_);
  }
  return file;
}

void QLearningTrainer::restore(std::string_view where, const TensorFile& file) {
  const auto counters = read_counts(where, file, "counters", 4);
  new_episodes_ = !file.tensors.contains("environment");
  if (!new_episodes_) {
    const auto seen = env_->restore(file.at(where, "environment").as<std::uint64_t>(where));
    seen_.assign(seen.begin(), seen.end());
  }
  make_room();
  const auto q = read_numbers<double>(where, file, "q", q_.size());
  std::copy(q.begin(), q.end(), q_.values().begin());
  iteration_ = static_cast<std::size_t>(counters[0]);
  steps_ = counters[1];
  episodes_ = counters[2];
  words_.seek(counters[3]);
  if (new_episodes_) return begin_episodes(seed_ + iteration_);
  actions_ = read_numbers<ActionId>(where, file, "actions", seen_.size());
  if (*std::max_element(actions_.begin(), actions_.end()) >= q_.cols()) {
    throw Error(std::string(where), "contains an action that does not exist");
  }
  returns_ = read_numbers<double>(where, file, "episode.returns", seen_.size());
  lengths_ = read_counts(where, file, "episode.lengths", seen_.size());
}

}  // namespace ndnf
