#include "ndnf/rules/teaching.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/rules/island.h"

namespace ndnf {
namespace {

constexpr std::size_t kJudging = 32;  ///< Episodes that judge a teacher.
constexpr const char* kTeacherNetwork = "teacher.network.";
constexpr const char* kTeacherCounters = "teacher.counters";
constexpr const char* kTeacherReturns = "teacher.returns";
constexpr const char* kTeacherJudged = "teacher.judged";
constexpr const char* kTeacherWarning = "teacher.warning";

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, numbers.size()));
}

/// The part of a series from one fraction to another, with at least one element.
std::span<const double> part(std::span<const double> all, double from, double to) {
  const auto count = static_cast<double>(all.size());
  const auto begin = std::min(all.size() - 1, static_cast<std::size_t>(from * count));
  const auto end = std::max(begin + 1, static_cast<std::size_t>(to * count));
  return all.subspan(begin, std::min(end, all.size()) - begin);
}

/// What it earns is what it earned at the beginning, however it acts.
bool learned_nothing(std::span<const double> returns, double greedy) {
  const double first = mean_of(part(returns, 0, 0.1));
  const double last = mean_of(part(returns, 0.9, 1));
  return std::max(last, greedy) - first <= 1e-3 * std::max(1.0, std::abs(first));
}

}  // namespace

std::string why_poor(std::span<const double> returns, double greedy) {
  constexpr double kRising = 0.15;
  constexpr double kUnsure = 0.25;
  constexpr std::size_t kFewestIterations = 4;
  if (returns.size() < kFewestIterations)
    return fmt::format(
        "cannot be judged, since too few episodes ended while it learned; its return is {:.4g}", greedy);
  const double first = mean_of(part(returns, 0, 0.1));
  const double before = mean_of(part(returns, 0.6, 0.8));
  const double last = mean_of(part(returns, 0.9, 1));
  const double gained = last - first;
  if (learned_nothing(returns, greedy))
    return fmt::format("has learned nothing: its return is {:.4g}, as at the beginning", greedy);
  if (last - before > kRising * gained)
    return fmt::format("was still improving when its steps ended, at a return of {:.4g}", greedy);
  if (greedy < last - kUnsure * std::abs(gained))
    return fmt::format("earns {:.4g} when it explores, and only {:.4g} with its best actions", last, greedy);
  return "";
}

Teaching::Teaching(TeacherSource source, std::size_t attempts, std::uint64_t limit)
    : source_(std::move(source)), attempts_(attempts), limit_(limit), policy_(source_.given) {
  if (policy_ == nullptr) begin();
}

void Teaching::begin() {
  first_attempt_ = attempt_;
  ppo_ = source_.train(first_attempt_, steps_of(attempt_));
  returns_.clear();
  steps_before_ = steps_;
}

/// The same network, optimiser and curve with twice the steps: the learning rate, which has fallen to 0, is
/// half of the first one again.
void Teaching::go_on() {
  const TensorFile state = ppo_->state();
  ppo_ = source_.train(first_attempt_, steps_of(attempt_));
  ppo_->restore("teacher", state);
}

IterationReport Teaching::advance(Player& player, std::uint64_t seed) {
  IterationReport report = ppo_->iterate();
  steps_ = steps_before_ + report.steps;
  if (report.episodic_return) returns_.push_back(*report.episodic_return);
  if (ppo_->done()) judge(player, seed);
  report.steps = steps_;
  return report;
}

void Teaching::judge(Player& player, std::uint64_t seed) {
  ActorCritic<float> network = ppo_->policy();
  network.critic.reset();
  std::vector<double> undiscounted;  // as returns_ are
  const std::vector<double> greedy = judging_returns(*source_.policy(network), player, seed, undiscounted);
  const double mean = mean_of(undiscounted);
  const std::string doubt = why_poor(returns_, mean);
  // A learning rate that falls to 0 makes every curve flat in the end: whether more steps help is seen by
  // trying.
  const PairedDifference gain = paired_difference(greedy, best_greedy_);
  const bool gained = best_greedy_.empty() || gain.mean > gain.error;
  if (best_greedy_.empty() || gain.mean > 0) {
    best_ = std::move(network);
    best_greedy_ = greedy;
    warning_ = doubt;
  }
  ++attempt_;
  const bool learns = !returns_.empty() && !learned_nothing(returns_, mean);
  const std::uint64_t needed = steps_of(attempt_) + (learns ? steps_before_ : steps_);
  if ((gained || !doubt.empty()) && attempt_ < attempts_ && needed <= limit_)
    return learns ? go_on() : begin();
  policy_ = source_.policy(*best_);
  ppo_.reset();
}

/// The same episodes for every attempt, without exploration.
std::vector<double> Teaching::judging_returns(const Policy& policy, Player& player, std::uint64_t seed,
                                              std::vector<double>& undiscounted) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 20;  // far from those that students learn from
  std::vector<double> all;
  while (all.size() < kJudging) {
    const std::uint64_t first = (kFirst / player.lanes()) * player.lanes() + all.size();
    const auto more = player.watch(policy, 0, {seed, kTeacherSeries}, first, nullptr);
    all.insert(all.end(), more.begin(), more.end());
    const auto plain = player.undiscounted();
    undiscounted.insert(undiscounted.end(), plain.begin(), plain.end());
  }
  return all;
}

void Teaching::save(TensorFile& file) const {
  if (source_.given) return;
  if (ppo_) {
    const TensorFile own = ppo_->state();
    for (const auto& [name, tensor] : own.tensors) file.tensors["ppo." + name] = tensor;
  }
  if (best_) {
    visit_parameters(*best_, [&](const std::string& name, Part, const Matrix<float>& m) {
      file.tensors[kTeacherNetwork + name] =
          Tensor::of(std::span<const float>(m.values()), {m.rows(), m.cols()});
    });
  }
  file.tensors[kTeacherCounters] = Tensor::of(
      std::vector<std::uint64_t>{attempt_, steps_, steps_before_, policy_ ? 1u : 0u, first_attempt_});
  file.tensors[kTeacherReturns] = Tensor::of(returns_);
  file.tensors[kTeacherJudged] = Tensor::of(best_greedy_);
  file.tensors[kTeacherWarning] = Tensor::of(std::vector<std::uint8_t>(warning_.begin(), warning_.end()));
}

void Teaching::restore(std::string_view where, const TensorFile& file) {
  if (source_.given) return;
  const auto counters = read_counts(where, file, kTeacherCounters, 5);
  returns_ = file.at(where, kTeacherReturns).as<double>(where);
  best_greedy_ = file.at(where, kTeacherJudged).as<double>(where);
  if (counters[0] > attempts_) throw Error(where, "the state of its teacher is damaged");
  attempt_ = counters[0];
  steps_ = counters[1];
  steps_before_ = counters[2];
  const bool taught = counters[3] != 0;
  first_attempt_ = counters[4];
  ppo_ = source_.train(first_attempt_, steps_of(taught ? 0 : attempt_));
  const bool any = std::any_of(file.tensors.begin(), file.tensors.end(),
                               [](const auto& tensor) { return tensor.first.starts_with(kTeacherNetwork); });
  if (any) {
    best_ = ppo_->policy();
    best_->critic.reset();
    visit_parameters(*best_, [&](const std::string& name, Part, Matrix<float>& m) {
      const auto values = file.at(where, kTeacherNetwork + name).as<float>(where);
      if (values.size() != m.size()) throw Error(where, "the network of its teacher has another shape");
      std::copy(values.begin(), values.end(), m.values().begin());
    });
  }
  const auto warning = file.at(where, kTeacherWarning).as<std::uint8_t>(where);
  warning_ = in_one_line(std::string(warning.begin(), warning.end()));
  if (taught) {
    if (!best_) throw Error(where, "the state of its teacher is damaged");
    policy_ = source_.policy(*best_);
    ppo_.reset();
    return;
  }
  TensorFile own;
  for (const auto& [name, tensor] : file.tensors) {
    if (name.starts_with("ppo.")) own.tensors[name.substr(4)] = tensor;
  }
  ppo_->restore(where, own);
}

}  // namespace ndnf
