#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/boxes/default_form.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/extract/extraction.h"
#include "ndnf/extract/judge.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/layered_rules.h"
#include "ndnf/nodes/paper_way.h"
#include "ndnf/nodes/scoped_dnf.h"

namespace ndnf {

/// All extraction methods over one kind of atoms, those of the subject's view.
///
/// Methods that read the network's own nodes follow the actor on the view. `exact` requires of every row of
/// the view what the network itself does in the observations seen as this row; only if no action fits all of
/// them does it follow the actor, too.
class ViewExtraction {
 public:
  /// Finds the exact program, and with it the bounds. REQUIRES: the arguments outlive this.
  ViewExtraction(const Subject& subject, const FiniteModel& model, const Judge& judge,
                 const ExtractionOptions& options);

  Over over() const { return over_; }
  /// As requested, or the epsilon that the requested number of rules achieves.
  double epsilon() const { return epsilon_; }
  /// REQUIRES: a method that fits the subject and the language.
  Attempt attempt(const std::string& method, Form form);
  BoundWitnesses witnesses() const;
  std::vector<FrontierPoint> frontier() const;
  Expectation return_of_actor() const;
  /// Whether fewer rules and proofs were searched for; a large scope has no other forms and no frontier.
  bool searched() const { return exact_ && exact_->searched; }
  std::size_t changed_actions() const { return subject_.changed_actions; }

 private:
  void find_allowed();
  void find_exact();
  std::optional<Program> program_by(const std::string& method, Form form, Attempt& result);
  std::vector<ObsId> visited_by(const Program& program) const;
  Program exact_program(Form form);
  NodeRules own_nodes(const std::string& method);
  OutputCheck finishing() const;
  LayeredRules class_rules(double epsilon) const;
  double epsilon_for_rules(std::size_t most) const;
  void round(LayeredRules& rules, double epsilon) const;
  Program program_of(const LayeredRules& rules) const;
  void claim(Attempt& attempt) const;

  const Subject& subject_;
  const FiniteModel& model_;
  const Judge& judge_;
  const ExtractionOptions& options_;
  Over over_;
  Scope scope_;  ///< The reachable rows of the view.
  Target target_;
  PolicyTable actor_;           ///< On the environment's observations, through the view.
  std::vector<ObsId> visited_;  ///< Of the environment, under the actor.
  double epsilon_ = 0;
  std::vector<std::uint64_t> allowed_;  ///< Per position of the scope, for `exact`.
  bool can_say_it_ = true;              ///< `allowed_` is what the network itself does.
  std::optional<ExactProgram> exact_;   ///< Nothing if some observations cannot be distinguished.
  double exact_seconds_ = 0;            ///< What finding it took.
  std::optional<DefaultProgram> default_;
  std::vector<ObsId> incompatible_;  ///< ProbLog: of the environment.
  std::optional<ScopedDnf> pruned_;
};

}  // namespace ndnf
