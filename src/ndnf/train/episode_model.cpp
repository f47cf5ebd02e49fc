#include "ndnf/train/episode_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {

void EpisodeModel::make_room(ObsId obs) {
  if (obs < size()) return;
  tries_.resize((obs + std::size_t{1}) * actions_, 0);
  results_.resize(tries_.size());
  starts_.resize(size(), 0);
}

void EpisodeModel::add_start(ObsId obs) {
  make_room(obs);
  ++starts_[obs];
}

void EpisodeModel::add(ObsId obs, ActionId action, ObsId next, bool terminal, double reward) {
  make_room(obs);
  make_room(next);
  const std::size_t row = obs * actions_ + action;
  ++tries_[row];
  largest_reward_ = std::max(largest_reward_, std::abs(reward));
  std::vector<Result>& results = results_[row];
  const auto same = [&](const Result& r) {
    return r.next == next && r.terminal == terminal && r.reward == reward;
  };
  const auto found = std::find_if(results.begin(), results.end(), same);
  if (found != results.end()) {
    ++found->count;
  } else {
    results.push_back({next, terminal, reward, 1});
  }
}

FiniteModel EpisodeModel::estimated(std::shared_ptr<const ObservationTable> table, std::size_t step_limit,
                                    double discount) const {
  const auto end = static_cast<StateId>(size());
  const auto decides = [&](ObsId obs) {
    const auto first = tries_.begin() + static_cast<std::ptrdiff_t>(obs * actions_);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(actions_), [](auto n) { return n > 0; });
  };
  FiniteModelData data;
  data.observations = std::move(table);
  data.step_limit = step_limit;
  data.discount = discount;
  std::vector<std::vector<Outcome>> rows(actions_);
  for (ObsId obs = 0; obs < end; ++obs) {
    for (ActionId a = 0; a < actions_; ++a) {
      rows[a].clear();
      const auto tries = static_cast<double>(this->tries(obs, a));
      for (const Result& result : results(obs, a)) {
        const bool over = result.terminal || !decides(result.next);
        rows[a].push_back(
            {static_cast<double>(result.count) / tries, result.reward, over ? end : result.next, over, -1});
      }
    }
    data.add_state(obs, rows);
  }
  for (auto& row : rows) row.clear();
  data.add_state(0, rows);
  double begun = 0;
  for (ObsId obs = 0; obs < end; ++obs) begun += decides(obs) ? static_cast<double>(starts_[obs]) : 0;
  for (ObsId obs = 0; obs < end; ++obs) {
    if (starts_[obs] > 0 && decides(obs))
      data.starts.push_back({static_cast<double>(starts_[obs]) / begun, obs});
  }
  return FiniteModel(std::move(data));
}

void EpisodeModel::save(TensorFile& file) const {
  file.tensors["model.starts"] = Tensor::of(starts_);
  std::vector<std::uint64_t> numbers;  // row, next, terminal, count
  std::vector<double> rewards;
  for (std::size_t row = 0; row < results_.size(); ++row) {
    for (const Result& result : results_[row]) {
      numbers.insert(numbers.end(), {row, result.next, result.terminal ? 1u : 0u, result.count});
      rewards.push_back(result.reward);
    }
  }
  file.tensors["model.results"] = Tensor::of(numbers);
  file.tensors["model.rewards"] = Tensor::of(rewards);
}

void EpisodeModel::restore(std::string_view where, const TensorFile& file, std::size_t observation_count) {
  const auto rewards = file.at(where, "model.rewards").as<double>(where);
  const auto numbers = read_numbers<std::uint64_t>(where, file, "model.results", 4 * rewards.size());
  const auto starts = file.at(where, "model.starts").as<std::uint64_t>(where);
  if (starts.size() > observation_count)
    throw Error(std::string(where), "contains an observation that does not exist");
  *this = EpisodeModel(actions_);
  if (!starts.empty()) make_room(static_cast<ObsId>(starts.size() - 1));
  starts_ = starts;
  for (std::size_t k = 0; k < rewards.size(); ++k) {
    const std::uint64_t row = numbers[4 * k];
    if (row >= observation_count * actions_ || numbers[4 * k + 1] >= observation_count)
      throw Error(std::string(where), "contains an observation that does not exist");
    const auto next = static_cast<ObsId>(numbers[4 * k + 1]);
    if (std::max<std::uint64_t>(row / actions_, next) >= size())
      throw Error(std::string(where), "contains an observation that does not exist");
    results_[row].push_back({next, numbers[4 * k + 2] != 0, rewards[k], numbers[4 * k + 3]});
    tries_[row] += numbers[4 * k + 3];
    largest_reward_ = std::max(largest_reward_, std::abs(rewards[k]));
  }
}

}  // namespace ndnf
