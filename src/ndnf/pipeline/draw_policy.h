#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/svg.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/report/curve_chart.h"
#include "ndnf/report/film_strip.h"
#include "ndnf/report/observation_list.h"
#include "ndnf/report/place_map.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// What to draw of a policy.
enum class PolicyView : std::uint8_t {
  kPolicy,   ///< Its actions, in the places of the task or observation by observation.
  kValues,   ///< The expected return from each of them.
  kEpisode,  ///< One episode, with the rules that fired.
  kCurves,   ///< How its training went on.
};

/// "policy", "values", "episode", "curves".
std::string_view to_string(PolicyView view);
/// The view with this name, if there is one.
std::optional<PolicyView> view_of(std::string_view name);

struct DrawRequest {
  /// One policy as PolicySource reads it; for curves runs, or folders of runs (inputs/run_folder.h).
  std::vector<Input> policies;
  std::optional<PolicyView> view{};   ///< Default: kCurves for several runs, otherwise kPolicy.
  std::optional<Input> env{};         ///< If absent, the policy must name its own.
  std::optional<Selection> select{};  ///< Default: the policy's own.
  std::optional<Input> shield{};      ///< Rules that forbid actions (docs/shields.md).
  std::optional<double> discount{};   ///< Of returns, instead of the task's own.
  std::uint64_t seed = 0;             ///< The seed of the episode, or of sampled observations.
  /// Of curves: a key of metrics.jsonl. Default: the returns of training episodes or, for a distillation, the
  /// divergence.
  std::optional<std::string> metric{};
};

/// A picture as data. `to_svg` and `to_text` draw it.
struct Drawing {
  PolicyView view = PolicyView::kPolicy;
  std::string policy;  ///< The first, of several.
  std::string env;
  std::string select;  ///< Empty for curves.
  bool shielded = false;
  double discount = 1;
  std::variant<PlaceMap, ObservationList, FilmStrip, CurveChart> picture;
};

/// Throws Error if the policy or its task cannot be read, or the view needs something that they do not have.
Drawing draw_policy(const DrawRequest& request);

Svg to_svg(const Drawing& drawing);
std::string to_text(const Drawing& drawing, std::size_t width = 80);
/// The data behind the picture.
nlohmann::ordered_json to_json(const Drawing& drawing);
/// The same; each frame of an episode has its `picture`, too, as SVG, where it can be drawn.
nlohmann::ordered_json to_json_with_frames(const Drawing& drawing);

}  // namespace ndnf
