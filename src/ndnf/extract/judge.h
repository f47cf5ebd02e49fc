#pragma once

#include <vector>

#include "ndnf/extract/extraction.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Compares programs with the network itself.
class Judge {
 public:
  /// REQUIRES: the subject and the model outlive this.
  Judge(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options);

  /// Sets the fields of an attempt that follow from its program: agreement, faithfulness, return, size.
  /// `epsilon` is for ProbLog. `truth_values` are the rows of the actor on truth values, if the program is
  /// over predicates.
  void judge(Attempt& attempt, double epsilon, const PolicyTable* truth_values) const;

  /// ASP: the faithful actions in a reachable observation.
  std::uint64_t allowed(ObsId obs) const { return best_actions(network_, obs, ties_); }
  Selection selection() const { return selection_; }
  Expectation return_network() const;

 private:
  Agreement compare(const PolicyTable& program, const PolicyTable& wanted,
                    const std::vector<ObsId>& where) const;
  bool is_close(const PolicyTable& program, const PolicyTable& wanted, const Agreement& agreement,
                double epsilon) const;
  bool keeps_impossible(const PolicyTable& program, const PolicyTable& wanted) const;
  double mean_divergence(const PolicyTable& program) const;

  const PolicyTable& network_;
  const FiniteModel& model_;
  Syntax as_;
  Ties ties_;
  Selection selection_;
  std::vector<ObsId> reachable_;
  std::vector<ObsId> visited_;
  Scope scope_;  ///< The reachable observations of the environment.
};

}  // namespace ndnf
