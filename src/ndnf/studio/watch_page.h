#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ndnf/mdp/policy.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Which episode of which policy to show.
struct WatchRequest {
  Input policy;                       ///< As PolicySource reads it.
  std::optional<Input> env{};         ///< If absent, the policy must name its own.
  std::optional<Selection> select{};  ///< Default: the policy's own.
  std::optional<Input> shield{};      ///< Rules that forbid actions (docs/shields.md).
  std::uint64_t seed = 0;             ///< Of the episode.
  std::optional<double> discount{};   ///< Of returns, instead of the task's own.
};

struct WatchedPolicy {
  std::string policy;
  std::string env;
  std::string html;
};

/// The studio's watch view as a page that is complete in itself and sends no request: for notebooks. Throws
/// Error if the policy or its task cannot be read.
WatchedPolicy watch_policy(const WatchRequest& request);

/// The page around these data: JSON with `title`, `map` (as `draw` gives it), `explained` and `pictures` (as
/// the requests `explain` and `pictures` do) or, without a finite model, `strip`, and `program`.
std::string watch_page(const std::string& data);

}  // namespace ndnf
