#include "ndnf/mdp/finite_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"

namespace ndnf {
namespace {

constexpr double kSumTolerance = 1e-9;
/// Sums over any horizon, and their squares, are finite.
constexpr double kMostReward = 1e100;
/// States that one thread checks at a time; smaller models are checked by the caller's alone.
constexpr std::size_t kChunk = std::size_t{1} << 16;

bool is_probability(double p) { return p > 0 && p <= 1; }  // false for NaN

void check_discount(double discount) {
  if (is_probability(discount)) return;
  throw Error("discount", fmt::format("{} is not allowed", discount), "it is above 0 and at most 1");
}

/// Validates a model; each member function throws Error for one kind of mistake.
class Validator {
 public:
  explicit Validator(const FiniteModelData& data)
      : data_(data),
        states_(data.observation.size()),
        actions_(data.observations->vocabulary().action_count()) {}

  void run() const {
    check_shape();
    check_states();
    check_starts();
    check_labels();
    if (data_.step_limit == 0u) throw Error("", "the step limit is 0", "it must be at least 1");
    check_discount(data_.discount);
  }

 private:
  std::span<const Outcome> row(StateId s, std::size_t a) const {
    const std::size_t r = s * actions_ + a;
    const std::uint32_t begin = r == 0 ? 0 : data_.row_ends[r - 1];
    return {data_.outcomes.data() + begin, data_.row_ends[r] - begin};
  }
  std::string place(StateId s, std::size_t a) const {
    return fmt::format("state {}, action {}", s,
                       data_.observations->vocabulary().action_name(static_cast<ActionId>(a)));
  }

  void check_shape() const {
    if (states_ == 0) throw Error("", "the model has no states");
    if (data_.row_ends.size() != states_ * actions_) {
      throw Error("", fmt::format("the model has {} rows of outcomes", data_.row_ends.size()),
                  fmt::format("{} states with {} actions need {}", states_, actions_, states_ * actions_));
    }
    if (!std::is_sorted(data_.row_ends.begin(), data_.row_ends.end()) ||
        data_.row_ends.back() != data_.outcomes.size()) {
      throw Error("", "the rows of outcomes do not follow one another");
    }
    for (StateId s = 0; s < states_; ++s) {
      if (data_.observation[s] >= data_.observations->size()) {
        throw Error(fmt::format("state {}", s),
                    fmt::format("there is no observation {}", data_.observation[s]));
      }
    }
  }

  /// On all cores; if something is wrong, once more in order, for the first mistake.
  void check_states() const {
    const auto check = [&](std::size_t chunk) {
      const std::size_t end = std::min(states_, (chunk + 1) * kChunk);
      for (std::size_t s = chunk * kChunk; s < end; ++s) check_state(static_cast<StateId>(s));
    };
    const std::size_t chunks = states_ / kChunk + 1;
    try {
      parallel_for(chunks, default_jobs(), check);
    } catch (const Error&) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) check(chunk);
    }
  }

  void check_state(StateId s) const {
    const bool end = row(s, 0).empty();
    for (std::size_t a = 0; a < actions_; ++a) {
      const auto outcomes = row(s, a);
      if (outcomes.empty() != end)
        throw Error(place(s, a), "has no outcomes, but another action of the state has");
      double sum = 0;
      for (const Outcome& outcome : outcomes) {
        check_outcome(s, a, outcome);
        sum += outcome.probability;
      }
      if (!end && std::abs(sum - 1) > kSumTolerance) {
        throw Error(place(s, a), fmt::format("the probabilities sum to {}", sum), "they must sum to 1");
      }
    }
  }

  void check_outcome(StateId s, std::size_t a, const Outcome& outcome) const {
    if (!is_probability(outcome.probability)) {
      throw Error(place(s, a), fmt::format("the probability {} is not allowed", outcome.probability),
                  "a probability is above 0 and at most 1");
    }
    if (!(std::abs(outcome.reward) <= kMostReward)) {
      throw Error(place(s, a), fmt::format("the reward {} is not allowed", outcome.reward),
                  fmt::format("its magnitude is at most {:g}", kMostReward));
    }
    if (outcome.next >= states_) {
      throw Error(place(s, a), fmt::format("leads to state {}, which does not exist", outcome.next),
                  fmt::format("states are 0 to {}", states_ - 1));
    }
    if (!outcome.terminal && row(outcome.next, 0).empty()) {
      throw Error(place(s, a), fmt::format("continues in state {}, which has no outcomes", outcome.next),
                  "give it outcomes or make this outcome terminal");
    }
    if (outcome.tag < -1 || outcome.tag >= static_cast<int>(data_.tags.size())) {
      throw Error(place(s, a), fmt::format("there is no tag {}", outcome.tag));
    }
    if (outcome.tag >= 0 && !outcome.terminal) {
      throw Error(place(s, a),
                  fmt::format("has the tag {} but does not end the episode",
                              data_.tags[static_cast<std::size_t>(outcome.tag)]),
                  "tags describe how an episode ended");
    }
  }

  void check_starts() const {
    double sum = 0;
    for (const Start& start : data_.starts) {
      if (start.state >= states_) {
        throw Error("start", fmt::format("state {} does not exist", start.state),
                    fmt::format("states are 0 to {}", states_ - 1));
      }
      if (row(start.state, 0).empty())
        throw Error("start", fmt::format("state {} has no outcomes", start.state));
      if (!is_probability(start.probability)) {
        throw Error("start", fmt::format("the probability {} is not allowed", start.probability),
                    "a probability is above 0 and at most 1");
      }
      sum += start.probability;
    }
    if (std::abs(sum - 1) > kSumTolerance) {
      throw Error("start", fmt::format("the probabilities sum to {}", sum), "they must sum to 1");
    }
  }

  void check_labels() const {
    for (const std::string& tag : data_.tags) refuse_reserved("tag", tag);
    for (const auto& [name, members] : data_.labels) {
      refuse_reserved("label", name);
      for (const StateId s : members) {
        if (s >= states_)
          throw Error(fmt::format("label {}", name), fmt::format("state {} does not exist", s));
      }
    }
  }

  /// Names that model checkers and our own DRN files use.
  static void refuse_reserved(std::string_view kind, const std::string& name) {
    if (name != "init" && name != "end" && name != "deadlock") return;
    throw Error(fmt::format("{} {}", kind, name), "is a reserved name",
                "init, end and deadlock are used by model checkers");
  }

  const FiniteModelData& data_;
  std::size_t states_;
  std::size_t actions_;
};

/// The longest path of an acyclic model, in decisions: depth-first search with an explicit stack, so that
/// long paths do not overflow the call stack. kEndless if a state lies on a cycle. Cost: linear in the
/// outcomes.
std::size_t longest_path(const FiniteModel& model) {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    StateId state;
    ActionId action;
    std::size_t outcome;
  };
  std::vector<Mark> mark(model.state_count(), Mark::kNew);
  std::vector<std::size_t> length(model.state_count(), 0);
  std::vector<Frame> stack;
  const auto open = [&](StateId s) {
    mark[s] = Mark::kOpen;
    length[s] = model.is_end(s) ? 0 : 1;
    stack.push_back({s, 0, 0});
  };
  for (StateId root = 0; root < model.state_count(); ++root) {
    if (mark[root] == Mark::kNew) open(root);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.action == model.action_count()) {
        const StateId finished = frame.state;
        mark[finished] = Mark::kDone;
        stack.pop_back();
        if (!stack.empty())
          length[stack.back().state] = std::max(length[stack.back().state], length[finished] + 1);
        continue;
      }
      const auto outcomes = model.outcomes(frame.state, frame.action);
      if (frame.outcome == outcomes.size()) {
        ++frame.action;
        frame.outcome = 0;
        continue;
      }
      const Outcome& outcome = outcomes[frame.outcome++];
      if (outcome.terminal) continue;
      if (mark[outcome.next] == Mark::kOpen) return FiniteModel::kEndless;
      if (mark[outcome.next] == Mark::kNew) {
        open(outcome.next);
      } else {
        length[frame.state] = std::max(length[frame.state], length[outcome.next] + 1);
      }
    }
  }
  return *std::max_element(length.begin(), length.end());
}

/// Empty if every action is offered wherever something is decided.
std::optional<ActionMask> mask_of(std::vector<std::uint64_t> offered, const ObservationTable& table) {
  const std::size_t actions = table.vocabulary().action_count();
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - actions);
  if (std::all_of(offered.begin(), offered.end(), [&](auto bits) { return bits == 0 || bits == all; }))
    return std::nullopt;
  offered.resize(table.size(), 0);
  std::replace(offered.begin(), offered.end(), std::uint64_t{0}, all);
  return ActionMask(actions, std::move(offered));
}

}  // namespace

void FiniteModelData::add_row(std::span<const Outcome> row) {
  outcomes.insert(outcomes.end(), row.begin(), row.end());
  if (outcomes.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("", "the model has more than 2^32 outcomes");
  row_ends.push_back(static_cast<std::uint32_t>(outcomes.size()));
}

void FiniteModelData::add_state(ObsId obs, std::span<const std::vector<Outcome>> rows) {
  std::uint64_t bits = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) bits |= std::uint64_t{rows[a].empty() ? 0u : 1u} << a;
  observation.push_back(obs);
  for (const std::vector<Outcome>& row : rows) {
    const bool missing = bits != 0 && row.empty();
    add_row(missing ? rows[static_cast<std::size_t>(std::countr_zero(bits))] : row);
  }
  if (bits == 0) return;
  if (offered.size() <= obs) offered.resize(obs + 1, 0);
  if (offered[obs] != 0 && offered[obs] != bits) {
    throw Error(fmt::format("state {}", observation.size() - 1),
                fmt::format("offers other actions than an earlier state with the same observation, {}",
                            observations->describe(obs)));
  }
  offered[obs] = bits;
}

FiniteModel::FiniteModel(FiniteModelData data) : data_(std::move(data)) {
  Validator(data_).run();
  offered_ = mask_of(std::move(data_.offered), observations());
  horizon_ = data_.step_limit ? *data_.step_limit : longest_path(*this);
}

FiniteModel FiniteModel::discounted(double discount) const {
  check_discount(discount);
  FiniteModel other(*this);
  other.data_.discount = discount;
  return other;
}

std::size_t FiniteModel::decision_state_count() const {
  std::size_t count = 0;
  for (StateId s = 0; s < state_count(); ++s) count += is_end(s) ? 0 : 1;
  return count;
}

std::vector<ObsId> FiniteModel::decision_observations() const {
  std::vector<bool> shown(observations().size(), false);
  for (StateId s = 0; s < state_count(); ++s) {
    if (!is_end(s)) shown[observation(s)] = true;
  }
  std::vector<ObsId> all;
  for (ObsId obs = 0; obs < shown.size(); ++obs) {
    if (shown[obs]) all.push_back(obs);
  }
  return all;
}

}  // namespace ndnf
