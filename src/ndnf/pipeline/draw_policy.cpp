#include "ndnf/pipeline/draw_policy.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/palette.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/run_folder.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/pipeline/learning_curves.h"
#include "ndnf/pipeline/policy_views.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kViewNames = {"policy", "values", "episode", "curves"};

PolicyAspect aspect_of(PolicyView view) {
  return view == PolicyView::kValues ? PolicyAspect::kValues : PolicyAspect::kActions;
}

Drawing draw_curves(const std::vector<Input>& runs, const DrawRequest& request) {
  LearningCurves curves = learning_curves(runs, request.metric);
  return {PolicyView::kCurves, runs.front().name, curves.env, "", false, 1, std::move(curves.chart)};
}

Drawing draw_in_model(const Task& task, const PolicySource& source, const DrawRequest& request,
                      PolicyView view) {
  TaskPolicy own = source.in(task, read_shield_option(request.shield, task.model().observations()));
  TaskPolicy taken = TaskPolicy(own).taken(request.select);
  const DrawnPolicy policy{task, std::move(own), std::move(taken)};
  Drawing drawing{
      view, source.name(), task.spec, policy.taken.select.to_string(), policy.taken.shielded, task.discount,
      {}};
  if (view == PolicyView::kEpisode) {
    drawing.picture = view_episode(policy, request.seed);
  } else {
    std::visit([&](auto&& picture) { drawing.picture = std::move(picture); },
               view_policy(policy, view == PolicyView::kValues));
  }
  return drawing;
}

/// A task without a finite model.
Drawing draw_samples(const Task& task, const PolicySource& source, const DrawRequest& request,
                     PolicyView view) {
  if (view == PolicyView::kValues || request.shield) task.model();  // says that there is none
  const Selection selection = request.select.value_or(source.selection());
  Drawing drawing{view, source.name(), task.spec, selection.to_string(), false, task.discount, {}};
  if (view == PolicyView::kEpisode) {
    drawing.picture = view_episode(task, source, selection, request.seed);
  } else {
    std::visit([&](auto&& picture) { drawing.picture = std::move(picture); },
               view_samples(task, source, selection, request.seed));
  }
  return drawing;
}

// As JSON.

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json actions_json(const std::vector<DrawnAction>& actions) {
  Json list = Json::array();
  for (std::size_t a = 0; a < actions.size(); ++a)
    list.push_back(
        {{"name", actions[a].name}, {"mark", actions[a].mark}, {"colour", action_colour(a).hex()}});
  return list;
}

Json distribution_json(const std::vector<double>& probabilities, const std::vector<DrawnAction>& actions) {
  if (probabilities.empty()) return nullptr;
  Json row = Json::object();
  for (std::size_t a = 0; a < actions.size(); ++a) row[actions[a].name] = probabilities[a];
  return row;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json square_json(const PlaceMap& map, const MapSquare& square, std::size_t index) {
  return {{"row", index / map.columns.size()},
          {"column", index % map.columns.size()},
          {"state", square.state ? Json(*square.state) : Json(nullptr)},
          {"observation", square.description},
          {"labels", square.labels},
          {"probabilities", distribution_json(square.probabilities, map.actions)},
          {"undefined", text_or_null(square.undefined)},
          {"value", number_or_null(square.value)},
          {"visited", square.visited},
          {"visits", number_or_null(square.visits)},
          {"differs", square.differs}};
}

void add_picture(Json& json, const PlaceMap& map) {
  json["actions"] = actions_json(map.actions);
  json["rows"] = map.rows;
  json["row_title"] = map.row_title;
  json["columns"] = map.columns;
  json["column_title"] = map.column_title;
  json["reference"] = text_or_null(map.reference);
  json["panels"] = Json::array();
  for (const MapPanel& panel : map.panels) {
    Json places = Json::array();
    for (std::size_t i = 0; i < panel.squares.size(); ++i) {
      if (panel.squares[i].exists) places.push_back(square_json(map, panel.squares[i], i));
    }
    json["panels"].push_back({{"title", panel.title}, {"places", std::move(places)}});
  }
  json["left_out"] = map.left_out;
}

void add_picture(Json& json, const ObservationList& list) {
  json["actions"] = actions_json(list.actions);
  json["reference"] = list.reference;
  json["observations"] = Json::array();
  for (const ListedObservation& row : list.rows) {
    json["observations"].push_back({{"observation", row.observation},
                                    {"probabilities", distribution_json(row.probabilities, list.actions)},
                                    {"undefined", text_or_null(row.undefined)},
                                    {"value", number_or_null(row.value)},
                                    {"visits", row.visits},
                                    {"differs", row.differs}});
  }
  json["left_out"] = list.left_out;
}

void add_picture(Json& json, const FilmStrip& strip) {
  json["actions"] = actions_json(strip.actions);
  json["frames"] = Json::array();
  for (const Frame& frame : strip.frames) {
    const bool acts = frame.action.has_value();
    json["frames"].push_back({{"step", frame.step},
                              {"observation", frame.observation},
                              {"action", acts ? Json(strip.actions[*frame.action].name) : Json(nullptr)},
                              {"probability", acts ? Json(frame.probability) : Json(nullptr)},
                              {"reward", acts ? Json(frame.reward) : Json(nullptr)},
                              {"rules", frame.rules}});
  }
  json["left_out"] = strip.left_out;
  json["ending"] = strip.ending;
}

void add_picture(Json& json, const CurveChart& chart) {
  json["x"] = chart.x_title;
  json["y"] = chart.y_title;
  json["optimum"] = number_or_null(chart.reference);
  json["curves"] = Json::array();
  for (const Curve& curve : chart.curves) {
    Json points = Json::array();
    for (const CurvePoint& point : curve.points)
      points.push_back({{"steps", point.x}, {"mean", point.mean}, {"low", point.low}, {"high", point.high}});
    json["curves"].push_back({{"name", curve.name}, {"runs", curve.runs}, {"points", std::move(points)}});
  }
}

}  // namespace

std::string_view to_string(PolicyView view) { return kViewNames[static_cast<std::size_t>(view)]; }

std::optional<PolicyView> view_of(std::string_view name) {
  const auto found = std::find(std::begin(kViewNames), std::end(kViewNames), name);
  if (found == std::end(kViewNames)) return std::nullopt;
  return static_cast<PolicyView>(found - std::begin(kViewNames));
}

Drawing draw_policy(const DrawRequest& request) {
  const std::vector<Input> policies = policies_in(request.policies);
  const PolicyView view =
      request.view.value_or(policies.size() > 1 ? PolicyView::kCurves : PolicyView::kPolicy);
  if (request.metric && view != PolicyView::kCurves)
    throw Error(argument("metric"), "is for curves", "add " + argument("view", "curves"));
  if (view == PolicyView::kCurves) return draw_curves(policies, request);
  if (policies.size() > 1) {
    throw Error(argument("view", std::string(to_string(view))),
                fmt::format("shows one policy, but there are {}", policies.size()),
                "name one, or see how they were trained with " + argument("view", "curves"));
  }
  const PolicySource source(policies.front());
  const Task task = task_for(request.env, {&source}, request.discount);
  return task.is_finite() ? draw_in_model(task, source, request, view)
                          : draw_samples(task, source, request, view);
}

Svg to_svg(const Drawing& drawing) {
  struct Drawer {
    PolicyAspect aspect;
    Svg operator()(const PlaceMap& map) const { return draw(map, aspect); }
    Svg operator()(const ObservationList& list) const { return draw(list, aspect); }
    Svg operator()(const FilmStrip& strip) const { return draw(strip); }
    Svg operator()(const CurveChart& chart) const { return draw(chart); }
  };
  return std::visit(Drawer{aspect_of(drawing.view)}, drawing.picture);
}

std::string to_text(const Drawing& drawing, std::size_t width) {
  struct Writer {
    PolicyAspect aspect;
    std::size_t width;
    std::string operator()(const PlaceMap& map) const { return to_text(map, aspect, width); }
    std::string operator()(const ObservationList& list) const { return to_text(list, aspect, width); }
    std::string operator()(const FilmStrip& strip) const { return to_text(strip, width); }
    std::string operator()(const CurveChart& chart) const { return to_text(chart, width); }
  };
  return std::visit(Writer{aspect_of(drawing.view), width}, drawing.picture);
}

nlohmann::ordered_json to_json(const Drawing& drawing) {
  Json json = {{"view", to_string(drawing.view)}, {"policy", drawing.policy}, {"env", drawing.env}};
  if (drawing.view != PolicyView::kCurves) {
    json["select"] = drawing.select;
    json["shielded"] = drawing.shielded;
    json["discount"] = drawing.discount;
  }
  std::visit([&json](const auto& picture) { add_picture(json, picture); }, drawing.picture);
  return json;
}

nlohmann::ordered_json to_json_with_frames(const Drawing& drawing) {
  Json json = to_json(drawing);
  if (const auto* strip = std::get_if<FilmStrip>(&drawing.picture)) {
    for (std::size_t i = 0; i < strip->frames.size(); ++i) {
      const Frame& frame = strip->frames[i];
      if (frame.picture) json["frames"][i]["picture"] = frame.picture->to_string();
      json["frames"][i]["over"] = frame.over;
    }
  }
  return json;
}

}  // namespace ndnf
