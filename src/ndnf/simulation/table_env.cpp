#include "ndnf/simulation/table_env.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "ndnf/base/error.h"

namespace ndnf {

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

}  // namespace

TransitionSampler::TransitionSampler(const FiniteModel& model) : model_(model) {
  const std::size_t rows = model.state_count() * model.action_count();
  for (std::size_t row = 0; row < rows && !random_outcomes_; ++row)
    random_outcomes_ = model.row_begin(row + 1) - model.row_begin(row) > 1;
  std::vector<double> probabilities;
  if (random_outcomes_) rows_.reserve(rows, model.outcome_count());
  for (std::size_t row = 0; row < rows && random_outcomes_; ++row) {
    probabilities.clear();
    const std::uint32_t begin = model.row_begin(row);
    for (const Outcome& outcome : model.all_outcomes().subspan(begin, model.row_begin(row + 1) - begin))
      probabilities.push_back(outcome.probability);
    rows_.add_row(probabilities);
  }
  probabilities.clear();
  for (const Start& start : model.starts()) {
    probabilities.push_back(start.probability);
    starts_.push_back({start.state, model.observation(start.state)});
  }
  start_row_.add_row(probabilities);
}

TableEnv::TableEnv(const TransitionSampler& sampler, std::size_t size, std::uint64_t stream)
    : sampler_(sampler),
      stream_(stream),
      random_(0, stream),
      words_(8 * size),
      used_(words_.size()),
      step_limit_(static_cast<std::uint32_t>(std::min<std::size_t>(
          sampler.model_.endless() ? kRolloutSteps : sampler.model_.step_limit().value_or(kUnlimited),
          kUnlimited))),
      states_(size),
      steps_(size),
      observations_(size),
      arrived_(size),
      rewards_(size),
      terminated_(size),
      truncated_(size) {}

TableEnv::TableEnv(std::shared_ptr<const TransitionSampler> sampler, std::size_t size, std::uint64_t stream)
    : TableEnv(*sampler, size, stream) {
  owned_ = std::move(sampler);
}

std::span<const ObsId> TableEnv::reset(std::uint64_t seed) {
  seed_ = seed;
  random_ = RandomStream(seed, stream_);
  position_ = 0;
  used_ = words_.size();
  provide_words();
  for (std::size_t i = 0; i < size(); ++i) {
    const TransitionSampler::Place start =
        sampler_.starts_[sampler_.start_row_.view().pick(0, words_[used_++])];
    states_[i] = start.state;
    observations_[i] = start.observation;
    steps_[i] = 0;
  }
  return observations_;
}

VectorStep TableEnv::step(std::span<const ActionId> actions) {
  assert(actions.size() == size() && position_ > 0);
  provide_words();
  if (sampler_.random_outcomes_) {
    advance<true>(actions);
  } else {
    advance<false>(actions);
  }
  return {observations_, arrived_, rewards_, terminated_, truncated_};
}

std::optional<std::vector<std::uint64_t>> TableEnv::snapshot() const {
  std::vector<std::uint64_t> snapshot{seed_, position_, used_};
  snapshot.insert(snapshot.end(), states_.begin(), states_.end());
  snapshot.insert(snapshot.end(), steps_.begin(), steps_.end());
  return snapshot;
}

std::span<const ObsId> TableEnv::restore(std::span<const std::uint64_t> snapshot) {
  constexpr std::size_t kHead = 3;
  const auto valid = [&](std::uint64_t state) {
    return state < sampler_.model_.state_count() && !sampler_.model_.is_end(static_cast<StateId>(state));
  };
  if (snapshot.size() != kHead + 2 * size() || snapshot[1] < blocks() || snapshot[2] > words_.size() ||
      !std::all_of(snapshot.begin() + kHead, snapshot.begin() + static_cast<std::ptrdiff_t>(kHead + size()),
                   valid)) {
    throw Error("", "the saved environment does not match this one",
                "resume with the settings it was saved with");
  }
  seed_ = snapshot[0];
  random_ = RandomStream(seed_, stream_);
  position_ = snapshot[1] - blocks();
  refill();
  used_ = snapshot[2];
  for (std::size_t i = 0; i < size(); ++i) {
    states_[i] = static_cast<StateId>(snapshot[kHead + i]);
    steps_[i] = static_cast<std::uint32_t>(snapshot[kHead + size() + i]);
    observations_[i] = sampler_.model_.observation(states_[i]);
  }
  return observations_;
}

template <bool kRandomOutcomes>
void TableEnv::advance(std::span<const ActionId> actions) {
  // Pointers in local variables: a store to a byte array may alias anything, so members would be reloaded
  // for every walker.
  const AliasTable::View rows = sampler_.rows_.view();
  const AliasTable::View start_row = sampler_.start_row_.view();
  const FiniteModel& model = sampler_.model_;
  const Outcome* outcomes = model.all_outcomes().data();
  const TransitionSampler::Place* starts = sampler_.starts_.data();
  const std::uint32_t* word = words_.data() + used_;
  const std::size_t width = model.action_count();
  const std::size_t count = size();
  const std::uint32_t limit = step_limit_;
  StateId* states = states_.data();
  std::uint32_t* steps = steps_.data();
  ObsId* observations = observations_.data();
  ObsId* arrived = arrived_.data();
  double* rewards = rewards_.data();
  std::uint8_t* terminated = terminated_.data();
  std::uint8_t* truncated = truncated_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = states[i] * width + actions[i];
    const Outcome& result = outcomes[kRandomOutcomes ? rows.pick(row, *word++) : model.row_begin(row)];
    const ObsId shown = model.observation(result.next);
    const std::uint32_t step = steps[i] + 1;
    const bool over_limit = step >= limit;
    const bool over = over_limit || result.terminal;
    const TransitionSampler::Place start = starts[start_row.pick(0, *word)];
    word += over ? 1 : 0;
    rewards[i] = result.reward;
    arrived[i] = shown;
    terminated[i] = static_cast<std::uint8_t>(result.terminal);
    truncated[i] = static_cast<std::uint8_t>(over_limit);
    states[i] = over ? start.state : result.next;
    observations[i] = over ? start.observation : shown;
    steps[i] = over ? 0 : step;
  }
  used_ = static_cast<std::size_t>(word - words_.data());
}

void TableEnv::provide_words() {
  if (used_ + 2 * size() >= words_.size()) refill();
}

void TableEnv::refill() {
  random_.fill(position_, words_);
  position_ += blocks();
  used_ = 0;
}

}  // namespace ndnf
