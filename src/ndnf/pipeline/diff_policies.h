#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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
};

/// One policy's part in a changed observation.
struct DiffSide {
  std::string row;                 ///< As formatted by row_text.
  std::vector<std::string> rules;  ///< Rules that fire on this side only, or else the action's rules.
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
};

/// Throws Error if a policy or the environment cannot be loaded.
DiffResult diff_policies(const DiffRequest& request);

nlohmann::ordered_json to_json(const DiffResult& result);

}  // namespace ndnf
