#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/optimum/decision_process.h"

namespace ndnf {

/// The exact return of a memoryless policy, step limit and discount included, and its gradient. Keeps the
/// values of all states at all steps in memory.
class ReturnGradient {
 public:
  /// The process must outlive it.
  explicit ReturnGradient(const DecisionProcess& process)
      : process_(process),
        values_((process.endless() ? 1 : process.horizon() + 1) * process.state_count(), 0) {}

  /// `rows` (slots, actions) are action probabilities; `gradient`, of the same shape, is set to the
  /// derivatives of the return with respect to them, treated as independent variables. If an episode may
  /// never end and nothing is discounted, the return is −∞ and the gradient 0.
  double evaluate(const std::vector<double>& rows, std::vector<double>& gradient);

 private:
  struct Standing;

  /// Calls visit(action, probability) for the actions that are taken in a state.
  template <class Visit>
  void for_each_taken(const std::vector<double>& rows, std::size_t s, Visit visit) const {
    const double* row = rows.data() + process_.slot(s) * process_.action_count();
    for (std::size_t a = 0; a < process_.action_count(); ++a) {
      if (row[a] > 0) visit(a, row[a]);
    }
  }
  Standing standing(const std::vector<double>& rows) const;
  double evaluate_endless(const std::vector<double>& rows, std::vector<double>& gradient);
  double* values(std::size_t k) { return values_.data() + k * process_.state_count(); }
  double look_ahead(std::size_t s, std::size_t a, const double* next_values) const;
  void step_back(const std::vector<double>& rows, std::size_t k);
  void step_forward(const std::vector<double>& rows, std::size_t k, std::vector<double>& occupancy,
                    std::vector<double>& gradient);

  const DecisionProcess& process_;
  std::vector<double> values_;  // (horizon + 1, states): expected return with that many steps to go
};

}  // namespace ndnf
