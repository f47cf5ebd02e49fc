#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/logic/program.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/symbolic/predicate_definitions.h"
#include "ndnf/symbolic/program_size.h"
#include "ndnf/symbolic/subject.h"

namespace ndnf {

/// The bound, up to three ways, and the frontier.
inline constexpr std::size_t kExtractionSteps = 5;

struct ExtractionOptions {
  std::string method = "auto";  ///< Or "threshold", "disentangle", "exact" (ASP), "refit" (ProbLog).
  Syntax as = Syntax::kAsp;     ///< ASP keeps the best action, ProbLog the distribution.
  double epsilon = 1e-3;        ///< ProbLog: how far a probability may be off.
  std::function<void()>
      on_step;  ///< Called kExtractionSteps times at most, as the work goes on. May be empty.
  std::optional<std::size_t> rules;  ///< ProbLog, refit: the most accurate program of at most so many rules.
};

/// How a program compares with the network on a scope.
struct Agreement {
  std::size_t observations = 0;
  std::size_t disagreements = 0;  ///< Observations whose best action is another, or undefined.
  double max_dp = 0;              ///< Largest difference of a probability; for ASP 1 where an action differs.
  bool exactly_one = true;        ///< One action everywhere; for ProbLog, probabilities that sum to 1.
};

/// One way of extraction, and how it went.
struct Attempt {
  std::string method;
  std::optional<Program> program;  ///< Nothing if this way found none; then `reason` says why.
  std::string reason;
  bool faithful = false;  ///< On every reachable observation.
  Agreement reachable;
  Agreement visited;
  std::optional<double> mean_return;  ///< Exact; nothing if an undefined observation is visited.
  double kl = 0;  ///< ProbLog: KL(network ‖ program), mean over the reachable observations.
  ProgramSize size;
  std::size_t lower_bound = 0;  ///< ASP: no exactly-one program over these atoms has fewer rules. ProbLog: no
                                ///< program of exclusive annotated disjunctions within epsilon has fewer.
  bool proved_minimal = false;
  std::optional<double> tau;
  std::optional<PredicateDefinitions> definitions;  ///< With an encoder.
  double seconds = 0;
};

/// A point of the trade of size against faithfulness.
struct FrontierPoint {
  std::optional<double> epsilon;  ///< Nothing: the best action alone.
  std::size_t conjunctions = 0;   ///< Of the refitted network.
  std::size_t literals = 0;
  double max_dp = 0;
  double kl = 0;
  double mean_return = 0;
  std::size_t annotated_disjunctions = 0;  ///< Of the program in class form,
  std::size_t class_conjunctions = 0;      ///< and its boxes.
};

/// Observations that prove a lower bound: no two of one list can share a rule. One list per action (ASP), or
/// one in all (ProbLog). Rows of the subject's view.
struct BoundWitnesses {
  std::vector<std::vector<ObsId>> sets;
  std::string proof;  ///< "fooling set", "clingo" or "incompatible distributions".
};

struct Extraction {
  Syntax as = Syntax::kAsp;
  double epsilon = 1e-3;
  std::vector<Attempt> attempts;  ///< In the order tried.
  std::size_t chosen = 0;
  BoundWitnesses witnesses;
  std::vector<FrontierPoint> frontier;
  std::size_t changed_actions = 0;  ///< By discretisation, among the reachable observations.
  double return_discretised = 0;    ///< Exact, of the actor on truth values.
  double return_network = 0;        ///< Exact, with the selection that goes with `as`.

  const Attempt& best() const { return attempts[chosen]; }
};

/// Network to program. With `auto` the paper's way is tried first, then each next one until a program is
/// faithful and proved minimal; the smallest faithful one is taken, the first of equals. The program stands
/// alone: invented predicates carry their definitions. Each rule remarks how much of the program's decisions
/// it takes part in. Throws Error for a method that does not go with the subject or `as`.
Extraction extract(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options);

}  // namespace ndnf
