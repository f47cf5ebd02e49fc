#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/extract/predicate_definitions.h"
#include "ndnf/extract/program_class.h"
#include "ndnf/extract/program_size.h"
#include "ndnf/mdp/expectation.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/subject.h"
#include "ndnf/nodes/target.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// Over predicates a bound and three methods, over atoms a bound and one; other forms; the frontier.
inline constexpr std::size_t kExtractionSteps = 8;

/// The atoms that rules use.
enum class Over : std::uint8_t {
  kAtoms,        ///< The environment's atoms.
  kPredicates,   ///< Invented by an encoder: the signs of its outputs. The program defines them.
  kComparisons,  ///< Of the environment's quantities, and its atoms.
};

/// How rules ensure that exactly one action holds.
enum class Form : std::uint8_t { kExactlyOne, kDefault, kList, kAnnotatedDisjunctions };

/// The strongest reference that a program is faithful to.
enum class FaithfulTo : std::uint8_t {
  kNothing,
  kTruthValues,  ///< The actor on the signs of its encoder's outputs, but not the network itself.
  kNetwork,
};

/// Their names on the command line and in files.
std::string_view word(Over over);
std::string_view word(Form form);
std::string_view word(FaithfulTo what);
std::string_view word(Ties ties);

struct ExtractionOptions {
  std::string method = "auto";        ///< Or "threshold", "disentangle", "exact" (ASP), "classes" (ProbLog).
  Syntax as = Syntax::kAsp;           ///< ASP keeps the best action, ProbLog the distribution.
  std::optional<Over> over;           ///< If not given: both, if there is an encoder.
  Ties ties = Ties::kEval;            ///< ASP.
  Form form = Form::kExactlyOne;      ///< ASP; the other forms only with `exact`.
  double epsilon = 1e-3;              ///< ProbLog: the maximum error of a probability.
  bool threshold_by_actions = false;  ///< ProbLog, threshold: least_change decides, not least_kl.
  std::optional<std::size_t> rules;   ///< ProbLog: the most faithful program with at most N rules.
  std::uint64_t solve_limit = kSolveLimit;    ///< For each call of clingo.
  std::uint64_t search_limit = kSearchLimit;  ///< As in ExactOptions.
  /// Whether the smallest exact program is searched for in any case: it bounds the size of every other, and
  /// the frontier and other forms are made of it. Without it only `exact` searches.
  bool bounds = true;
  /// Progress: called before each step, at most kExtractionSteps times, with its name. May be empty.
  std::function<void(const std::string& next)> on_step;
};

/// How a program compares with a policy on a scope.
struct Agreement {
  std::size_t observations = 0;
  std::size_t disagreements = 0;  ///< Observations with a different best action, or none.
  double max_dp = 0;              ///< Largest difference of a probability; for ASP 1 where an action differs.
  bool exactly_one = true;        ///< One action everywhere; for ProbLog, probabilities that sum to 1.
};

/// One extraction method and its result.
struct Attempt {
  std::string method;
  Over over = Over::kAtoms;
  Form form = Form::kExactlyOne;
  std::optional<Program> program;  ///< Nothing if the method found none; see `reason`.
  std::string reason;
  FaithfulTo faithful_to = FaithfulTo::kNothing;  ///< On every reachable observation.
  Agreement reachable;                            ///< With the network itself.
  Agreement visited;                              ///< The same for what the network visits.
  std::optional<Agreement> truth_values;          ///< Over predicates: with the actor on truth values.
  std::optional<Expectation> mean_return;         ///< Nothing if there is none (Evaluation).
  double kl = 0;  ///< ProbLog: KL(network ‖ program), mean over the reachable observations.
  ProgramSize size;
  std::optional<ProgramClass> program_class;  ///< Nothing if the program is outside the class of its form.
  /// No program of the class over these atoms that is faithful to the network has fewer rules for actions (E
  /// and D) or annotated disjunctions (P). Nothing if unknown, or if the program is not faithful.
  std::optional<std::size_t> lower_bound;
  bool proved_minimal = false;
  std::string proof;  ///< Of the bound: "fooling set", "clingo" or "incompatible distributions".
  std::vector<std::size_t> covers;  ///< Class D without ties: the bound of each action's rules.
  std::optional<double> tau;
  std::optional<PredicateDefinitions> definitions;  ///< Over predicates.
  double seconds = 0;

  bool faithful() const { return faithful_to == FaithfulTo::kNetwork; }
  /// The size that the bound refers to.
  std::size_t counted_size() const {
    return form == Form::kAnnotatedDisjunctions ? size.annotated_disjunctions : size.action_rules;
  }
};

/// A point of the trade-off between size and faithfulness.
struct FrontierPoint {
  std::optional<double> epsilon;  ///< Nothing: the best action alone.
  std::size_t annotated_disjunctions = 0;
  std::size_t conjunctions = 0;  ///< The bodies of its rules.
  std::size_t literals = 0;
  double max_dp = 0;
  double kl = 0;
  double mean_return = 0;
};

/// Observations that prove a lower bound: no two of one list can share a rule. One list per action (ASP), or
/// a single one (ProbLog).
struct BoundWitnesses {
  std::vector<std::vector<ObsId>> sets;           ///< Rows of `table`.
  std::shared_ptr<const ObservationTable> table;  ///< The environment's or, for ASP, that of the predicates.
  std::string proof;                              ///< As in Attempt; empty if there is no bound.
};

/// The observations of an extraction if they are a sample: those met in simulated episodes of the network.
struct SampledScope {
  std::size_t observations = 0;
  std::size_t episodes = 0;
  /// Observations of further episodes that are not in the sample, and in how many the program differs.
  std::size_t fresh = 0;
  std::size_t fresh_disagreements = 0;
  /// Over comparisons: the kinds of observations that the network tells apart, if they can be listed, and in
  /// how many of them the program differs. If in none, it does what the network does in every observation.
  std::optional<std::size_t> kinds{};
  std::size_t kind_disagreements = 0;
};

struct Extraction {
  Syntax as = Syntax::kAsp;
  Ties ties = Ties::kEval;
  double epsilon = 1e-3;
  std::vector<Attempt> attempts;  ///< In the order tried.
  std::size_t chosen = 0;
  std::vector<Attempt> other_forms;  ///< ASP: the same policy in the other forms.
  BoundWitnesses witnesses;
  std::vector<FrontierPoint> frontier;
  std::size_t changed_actions = 0;  ///< Over predicates: by discretisation, of the reachable observations.
  Expectation return_discretised;   ///< Of the actor on the rules' atoms.
  Expectation return_network;       ///< With the selection that goes with `as`.

  std::optional<SampledScope> sample;  ///< Nothing if all reachable observations were considered.

  const Attempt& best() const { return attempts[chosen]; }
  /// What `reachable` in attempts refers to: "reachable" or "sampled" observations.
  std::string_view scope() const { return sample ? "sampled" : "reachable"; }
};

/// Network to program. `auto` tries every method, over predicates and over atoms, and chooses the smallest
/// program that is faithful to the network: the fewest rules, definitions included, then the fewest literals,
/// then the first tried. If there is none, the smallest that is faithful to truth values, or the closest. The
/// program is self-contained: it includes the definitions of invented predicates. Each rule has a remark with
/// its share of the program's decisions. Throws Error for options that do not fit the subject or each other.
Extraction extract(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options);

}  // namespace ndnf
