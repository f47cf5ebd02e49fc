#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/properties/trace.h"
#include "ndnf/system/input.h"
#include "ndnf/verify/diff.h"

namespace ndnf {

/// Which two policies to compare, and how.
struct DiffRequest {
  Input a;  ///< Both as PolicySource reads them.
  Input b;
  std::optional<Input> env{};         ///< If absent, one of the policies must name its own.
  std::optional<Selection> select{};  ///< For both policies. Default: each policy's own.
  std::optional<Input> shield{};      ///< For both policies: rules that forbid actions.
  std::size_t examples = 10;          ///< The most changed observations to report in full.
  std::optional<double> discount{};   ///< Of returns, instead of the task's own.
  std::size_t episodes = 10000;       ///< To sample of each policy, where there is no finite model.
  std::uint64_t seed = 0;
};

/// One policy's part in a changed observation.
struct DiffSide {
  std::string row;                 ///< As formatted by row_text.
  std::vector<std::string> rules;  ///< Rules that fire on this side only, or else the action's rules.
};

/// How two programs differ in a task without a finite model: proved for every observation within the grids of
/// its quantities; returns are sampled.
struct NumbersDiff {
  /// One region per pair of decisions that differ somewhere, with an observation in it. None: proved equal.
  struct Region {
    std::string observation;
    DiffSide a;
    DiffSide b;
  };
  std::vector<Region> regions;
  Evaluation a;  ///< Both with the same seed.
  Evaluation b;
};

struct DiffExample {
  std::string observation;
  ChangedObservation change;
  DiffSide a;
  DiffSide b;
};

struct DiffResult {
  std::string policy_a;
  std::string policy_b;
  std::string env;
  Selection select_a;
  Selection select_b;
  bool shielded_a = false;  ///< By the shield of the request or by one of its own.
  bool shielded_b = false;
  PolicyDiff diff;
  std::size_t changed_reachable = 0;
  std::vector<DiffExample> examples;  ///< The first entries of diff.changed.
  std::shared_ptr<const FiniteModel> model{};
  std::optional<Trace> loop_a{};  ///< An episode may stay in it, so that there is no return.
  std::optional<Trace> loop_b{};
  std::optional<NumbersDiff> numbers{};  ///< If the task has no finite model; `diff` is empty then.
};

/// Throws Error if a policy or the environment cannot be loaded.
DiffResult diff_policies(const DiffRequest& request);

nlohmann::ordered_json to_json(const DiffResult& result);

}  // namespace ndnf
