#include "ndnf/optimum/return_gradient.h"

#include <limits>
#include <utility>

#include "ndnf/mdp/absorbing_chain.h"
#include "ndnf/mdp/components.h"

namespace ndnf {

// Dynamic programming in both directions. The backward pass computes V_k(s), the return with k steps to go;
// the forward pass computes d_k(s), the probability of being in s with k steps to go. By the policy gradient
// theorem the derivative with respect to the probability of action a in an observation is the sum of d_k(s)
// Q_k(s, a) over all steps k and all states s that show it. Cost: two sweeps of horizon × moves.
double ReturnGradient::evaluate(const std::vector<double>& rows, std::vector<double>& gradient) {
  if (process_.endless()) return evaluate_endless(rows, gradient);
  for (std::size_t k = 1; k <= process_.horizon(); ++k) step_back(rows, k);
  double value = 0;
  std::vector<double> occupancy(process_.state_count(), 0);
  for (const auto& start : process_.starts()) {
    occupancy[start.next] += start.probability;
    value += start.probability * values(process_.horizon())[start.next];
  }
  gradient.assign(rows.size(), 0);
  for (std::size_t k = process_.horizon(); k > 0; --k) step_forward(rows, k, occupancy, gradient);
  return value;
}

/// Per state: whether the policy may come there, and whether it can still end then.
struct ReturnGradient::Standing {
  std::vector<bool> visited;
  std::vector<bool> ends;

  bool may_stay() const {
    for (std::size_t s = 0; s < visited.size(); ++s) {
      if (visited[s] && !ends[s]) return true;
    }
    return false;
  }
};

ReturnGradient::Standing ReturnGradient::standing(const std::vector<double>& rows) const {
  const std::size_t states = process_.state_count();
  std::vector<std::vector<std::uint32_t>> next(states);
  std::vector<std::vector<std::uint32_t>> before(states);
  Standing result{std::vector<bool>(states, false), std::vector<bool>(states, false)};
  for (std::uint32_t s = 0; s < states; ++s) {
    for_each_taken(rows, s, [&](std::size_t a, double) {
      if (process_.leaves(s, a) > 0) result.ends[s] = true;
      for (const auto& move : process_.moves(s, a)) {
        next[s].push_back(move.next);
        before[move.next].push_back(s);
      }
    });
  }
  for (const auto& start : process_.starts()) result.visited[start.next] = true;
  result.visited = can_reach(before, std::move(result.visited));
  result.ends = can_reach(next, std::move(result.ends));
  return result;
}

// The same without steps: V and the expected visits d solve linear equations. States from which no end can be
// reached, and which are not visited, count as ends.
double ReturnGradient::evaluate_endless(const std::vector<double>& rows, std::vector<double>& gradient) {
  const std::size_t actions = process_.action_count();
  const Standing standing = this->standing(rows);
  gradient.assign(rows.size(), 0);
  if (standing.may_stay()) return -std::numeric_limits<double>::infinity();
  AbsorbingChain<double> chain;
  std::vector<double> rewards(process_.state_count(), 0);
  for (std::size_t s = 0; s < rewards.size(); ++s) {
    std::vector<AbsorbingChain<double>::Move> moves;
    double leaves = standing.ends[s] ? 0 : 1;
    for_each_taken(rows, s, [&](std::size_t a, double taken) {
      if (!standing.ends[s]) return;
      rewards[s] += taken * process_.reward(s, a);
      leaves += taken * process_.leaves(s, a);
      for (const auto& move : process_.moves(s, a)) moves.push_back({move.next, taken * move.probability});
    });
    chain.add_state(moves, leaves);
  }
  chain.eliminate(WorkLimit());
  const std::vector<double> found = chain.values(std::move(rewards));
  std::vector<double> starts(found.size(), 0);
  double value = 0;
  for (const auto& start : process_.starts()) {
    starts[start.next] += start.probability;
    value += start.probability * found[start.next];
  }
  const std::vector<double> visits = chain.visits(std::move(starts));
  for (std::size_t s = 0; s < visits.size(); ++s) {
    for (std::size_t a = 0; a < actions; ++a)
      gradient[process_.slot(s) * actions + a] += visits[s] * look_ahead(s, a, found.data());
  }
  return value;
}

double ReturnGradient::look_ahead(std::size_t s, std::size_t a, const double* next_values) const {
  double sum = process_.reward(s, a);
  for (const auto& move : process_.moves(s, a)) sum += move.probability * next_values[move.next];
  return sum;
}

void ReturnGradient::step_back(const std::vector<double>& rows, std::size_t k) {
  const std::size_t actions = process_.action_count();
  for (std::size_t s = 0; s < process_.state_count(); ++s) {
    const double* row = rows.data() + process_.slot(s) * actions;
    double sum = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      if (row[a] > 0) sum += row[a] * look_ahead(s, a, values(k - 1));
    }
    values(k)[s] = sum;
  }
}

/// Adds the contribution of the decisions with `k` steps to go: the probability of being in a state times
/// the value of each action there. Advances `occupancy` by one step.
void ReturnGradient::step_forward(const std::vector<double>& rows, std::size_t k,
                                  std::vector<double>& occupancy, std::vector<double>& gradient) {
  const std::size_t actions = process_.action_count();
  std::vector<double> next(occupancy.size(), 0);
  for (std::size_t s = 0; s < occupancy.size(); ++s) {
    if (occupancy[s] == 0) continue;
    for (std::size_t a = 0; a < actions; ++a) {
      const std::size_t entry = process_.slot(s) * actions + a;
      gradient[entry] += occupancy[s] * look_ahead(s, a, values(k - 1));
      const double taken = occupancy[s] * rows[entry];
      for (const auto& move : process_.moves(s, a)) next[move.next] += taken * move.probability;
    }
  }
  occupancy.swap(next);
}

}  // namespace ndnf
