#include "ndnf/logic/bound_program.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr std::size_t kBits = 64;

bool has_bit(std::span<const std::uint64_t> state, std::size_t bit) {
  return (state[bit / kBits] >> (bit % kBits) & 1U) != 0;
}

void set_bit(std::span<std::uint64_t> state, std::size_t bit) {
  state[bit / kBits] |= std::uint64_t{1} << (bit % kBits);
}

}  // namespace

template <class Then>
void BoundProgram::for_each(const Bodies& bodies, const std::uint64_t* state, Then then) {
  const auto holds = [state](const Check& check) { return (state[check.word] & check.mask) == check.value; };
  if (bodies.checks.size() == bodies.rules.size()) {  // one check per rule, as in small programs: branch-free
    for (std::size_t i = 0; i < bodies.rules.size(); ++i) then(i, holds(bodies.checks[i]));
    return;
  }
  const Check* check = bodies.checks.data();
  for (std::size_t i = 0; i < bodies.rules.size(); ++i) {
    const Check* const end = bodies.checks.data() + bodies.rules[i].checks_end;
    while (check != end && holds(*check)) ++check;
    then(i, check == end);
    check = end;
  }
}

void BoundProgram::define(std::span<std::uint64_t> state, std::size_t begin, std::size_t end) const {
  const auto set = [&](std::size_t i, bool holds) {
    const std::size_t bit = definitions_.rules[i].target;
    state[bit / kBits] |= std::uint64_t{holds} << (bit % kBits);
  };
  if (begin == 0 && end == definitions_.rules.size()) return for_each(definitions_, state.data(), set);
  std::size_t check = begin == 0 ? 0 : definitions_.rules[begin - 1].checks_end;
  for (std::size_t i = begin; i < end; ++i) {
    bool holds = true;
    for (; check < definitions_.rules[i].checks_end; ++check) {
      const Check& one = definitions_.checks[check];
      holds = holds && (state[one.word] & one.mask) == one.value;
    }
    set(i, holds);
  }
}

// Definitions are evaluated up to the next draw. If its body holds, each alternative continues in a world of
// its own; the bits that it sets are read only later. So the work is the number of worlds times the part of
// the program in which they differ.
template <class Then>
void BoundProgram::for_each_world(std::span<std::uint64_t> state, Then then) const {
  std::size_t count = 0;
  worlds_after(state, 0, 1, count, then);
}

template <class Then>
void BoundProgram::worlds_after(std::span<std::uint64_t> state, std::size_t draw, double weight,
                                std::size_t& count, Then& then) const {
  const std::size_t begin = draw == 0 ? 0 : draws_[draw - 1].rule + 1;
  if (draw == draws_.size()) {
    if (++count > kMostWorlds) {
      throw Error("",
                  fmt::format("the program has more than {} possible worlds in one observation", kMostWorlds),
                  "too many helpers with probabilities");
    }
    define(state, begin, definitions_.rules.size());
    then(std::span<const std::uint64_t>(state), weight);
    return;
  }
  define(state, begin, draws_[draw].rule + 1);
  if (!has_bit(state, draws_[draw].holds)) return worlds_after(state, draw + 1, weight, count, then);
  constexpr double kRounding = 1e-12;  // of a sum of probabilities that is meant to be 1
  double rest = 1;
  for (const auto& [pick, probability] : draws_[draw].picks) {
    std::vector<std::uint64_t> world(state.begin(), state.end());
    set_bit(world, pick);
    worlds_after(world, draw + 1, weight * probability, count, then);
    rest -= probability;
  }
  if (rest > kRounding) worlds_after(state, draw + 1, weight * rest, count, then);
}

void BoundProgram::decide(std::span<std::uint64_t> state, std::span<double> row) const {
  if (draws_.empty()) {
    define(state, 0, definitions_.rules.size());
    return syntax_ == Syntax::kAsp ? decide_certainly(state, row) : decide_by_chance(state, row);
  }
  std::fill(row.begin(), row.end(), 0.0);
  std::vector<double> in_world(row.size());
  for_each_world(state, [&](std::span<const std::uint64_t> world, double weight) {
    decide_by_chance(world, in_world);
    for (std::size_t a = 0; a < row.size(); ++a) row[a] += weight * in_world[a];
  });
  for (double& p : row) p = std::min(p, 1.0);  // rounding
}

void BoundProgram::decide_certainly(std::span<const std::uint64_t> state, std::span<double> row) const {
  std::uint64_t actions = 0;
  for_each(decisions_, state.data(),
           [&](std::size_t i, bool holds) { actions |= std::uint64_t{holds} << decisions_.rules[i].target; });
  if (violated_ && has_bit(state, *violated_)) actions = 0;
  for (std::size_t a = 0; a < row.size(); ++a) row[a] = static_cast<double>(actions >> a & 1U);
}

template <class Then>
void BoundProgram::for_each_choice(std::span<const std::uint64_t> state, Then then) const {
  for_each(decisions_, state.data(), [&](std::size_t i, bool holds) {
    const std::size_t begin = i == 0 ? 0 : decisions_.rules[i - 1].target;
    if (holds) then(std::span(choices_).subspan(begin, decisions_.rules[i].target - begin));
  });
}

void BoundProgram::decide_by_chance(std::span<const std::uint64_t> state, std::span<double> row) const {
  std::fill(row.begin(), row.end(), 0.0);
  for_each_choice(state, [&](std::span<const ActionChoice> choices) {
    for (const ActionChoice& choice : choices) {
      // 1 − (1 − q)(1 − p), written so that a single choice gives p to the bit
      double& q = row[choice.action];
      q += choice.probability * (1 - q);
    }
  });
}

/// Dynamic programming over the rules that fire, which choose independently: the probability that no action
/// holds yet, and per action that it alone holds. Let p be the probability that the rule chooses the action
/// and q that it chooses none. The action is alone afterwards if it was alone and the rule chooses it or
/// none, or if there was none and the rule chooses it. O(rules · actions) instead of enumerating all worlds.
double BoundProgram::exactly_one(std::span<const std::uint64_t> state) const {
  double none = 1;
  std::vector<double> alone(action_count(), 0.0);
  for_each_choice(state, [&](std::span<const ActionChoice> choices) {
    double q = 1;
    for (const ActionChoice& choice : choices) q -= choice.probability;
    q = std::max(q, 0.0);
    std::vector<double> next(alone.size());
    for (std::size_t a = 0; a < alone.size(); ++a) next[a] = alone[a] * q;
    for (const ActionChoice& choice : choices) {
      next[choice.action] += (alone[choice.action] + none) * choice.probability;
    }
    alone.swap(next);
    none *= q;
  });
  return std::accumulate(alone.begin(), alone.end(), 0.0);
}

void BoundProgram::require_same_vocabulary(const ObservationTable& table) const {
  if (&table.vocabulary() != vocabulary_.get() &&
      table.vocabulary().fingerprint() != vocabulary_->fingerprint()) {
    throw Error("", "the program is bound to the atoms and actions of another task");
  }
}

void BoundProgram::observe(std::span<const std::uint32_t> values, std::span<std::uint64_t> state) const {
  std::fill(state.begin(), state.end(), 0);
  for (std::size_t g = 0; g < values.size(); ++g) {
    const AtomId first = vocabulary_->first_atom(g);
    if (vocabulary_->group(g).one_hot) {
      set_bit(state, first + values[g]);
    } else if (values[g] != 0) {
      set_bit(state, first);
    }
  }
}

template <class Place>
void BoundProgram::compare(std::span<std::uint64_t> state, Place place) const {
  std::size_t bit = vocabulary_->atom_count();
  for (const LinearComparison& comparison : comparisons_) {
    std::int64_t sum = 0;
    for (const LinearComparison::Term& term : comparison.terms)
      sum += term.coefficient * place(term.quantity);
    if (comparison.equal ? sum == comparison.bound : sum > comparison.bound) set_bit(state, bit);
    ++bit;
  }
}

void BoundProgram::observe(const ObservationTable& table, ObsId obs, std::span<std::uint64_t> state) const {
  observe(table.values(obs), state);
  if (comparisons_.empty()) return;
  const std::span<const float> numbers = table.dense(obs);
  compare(state, [&](std::uint32_t q) { return vocabulary_->quantities()[q].grid->place(numbers[q]); });
}

void BoundProgram::observe(const QuantisedObservation& observation, std::span<std::uint64_t> state) const {
  observe(observation.values, state);
  compare(state, [&](std::uint32_t q) { return observation.places[q]; });
}

void BoundProgram::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                                 std::span<double> rows) const {
  require_same_vocabulary(table);
  std::vector<std::uint64_t> state(state_words_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    observe(table, ids[i], state);
    decide(state, rows.subspan(i * action_count(), action_count()));
  }
}

std::vector<double> BoundProgram::exactly_one(const ObservationTable& table,
                                              std::span<const ObsId> ids) const {
  if (syntax_ == Syntax::kAsp) return {};  // the row itself shows it
  require_same_vocabulary(table);
  std::vector<double> all;
  std::vector<std::uint64_t> state(state_words_);
  for (const ObsId obs : ids) {
    observe(table, obs, state);
    double one = 0;
    for_each_world(state, [&](std::span<const std::uint64_t> world, double weight) {
      one += weight * exactly_one(world);
    });
    all.push_back(std::min(one, 1.0));
  }
  return all;
}

std::vector<std::size_t> BoundProgram::fired(const ObservationTable& table, ObsId obs) const {
  require_same_vocabulary(table);
  std::vector<std::uint64_t> state(state_words_);
  observe(table, obs, state);
  return fired_in(state);
}

std::vector<double> BoundProgram::row(const QuantisedObservation& observation) const {
  std::vector<std::uint64_t> state(state_words_);
  observe(observation, state);
  std::vector<double> row(action_count());
  decide(state, row);
  return row;
}

std::vector<std::size_t> BoundProgram::fired(const QuantisedObservation& observation) const {
  std::vector<std::uint64_t> state(state_words_);
  observe(observation, state);
  return fired_in(state);
}

std::vector<std::size_t> BoundProgram::fired_in(std::span<std::uint64_t> state) const {
  std::vector<std::size_t> statements;
  for_each_world(state, [&](std::span<const std::uint64_t> world, double) {
    for (const Bodies* bodies : {&definitions_, &decisions_}) {
      for_each(*bodies, world.data(), [&](std::size_t i, bool holds) {
        const std::size_t statement = bodies->rules[i].statement;
        if (holds && statement != kNoStatement && !auxiliary_[statement]) statements.push_back(statement);
      });
    }
  });
  std::sort(statements.begin(), statements.end());
  statements.erase(std::unique(statements.begin(), statements.end()), statements.end());
  return statements;
}

std::vector<std::size_t> BoundProgram::evaluation_order() const {
  std::vector<std::size_t> statements;
  for (const Bodies* bodies : {&definitions_, &decisions_}) {
    for (const BoundRule& rule : bodies->rules) {
      if (rule.statement != kNoStatement) statements.push_back(rule.statement);
    }
  }
  return statements;
}

}  // namespace ndnf
