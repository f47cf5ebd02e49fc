#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/optimum/decision_process.h"

namespace ndnf {

/// The exact return of a memoryless policy, step limit included, and its gradient. Keeps the values of all
/// states at all steps in memory.
class ReturnGradient {
 public:
  /// The process must outlive it.
  explicit ReturnGradient(const DecisionProcess& process)
      : process_(process), values_((process.horizon() + 1) * process.state_count(), 0) {}

  /// `rows` (slots, actions) are action probabilities; `gradient`, of the same shape, is set to the
  /// derivatives of the return with respect to them, treated as independent variables.
  double evaluate(const std::vector<double>& rows, std::vector<double>& gradient);

 private:
  double* values(std::size_t k) { return values_.data() + k * process_.state_count(); }
  double look_ahead(std::size_t s, std::size_t a, const double* next_values) const;
  void step_back(const std::vector<double>& rows, std::size_t k);
  void step_forward(const std::vector<double>& rows, std::size_t k, std::vector<double>& occupancy,
                    std::vector<double>& gradient);

  const DecisionProcess& process_;
  std::vector<double> values_;  // (horizon + 1, states): expected return with that many steps to go
};

}  // namespace ndnf
