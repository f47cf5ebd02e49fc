#include "ndnf/studio/watch_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/draw_policy.h"
#include "ndnf/pipeline/explain_policy.h"
#include "ndnf/studio/page_files.h"

namespace ndnf {
namespace {

/// A module without its imports and exports: the files of a watch page become one script.
std::string plain_script(const std::string& module) {
  std::string script;
  for (std::size_t begin = 0; begin < module.size();) {
    const std::size_t end = std::min(module.find('\n', begin), module.size() - 1) + 1;
    std::string line = module.substr(begin, end - begin);
    if (line.starts_with("export ")) line.erase(0, 7);
    if (!line.starts_with("import ")) script += line;
    begin = end;
  }
  return script;
}

/// JSON within a script element: nothing in it may end the element.
std::string in_script(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

DrawRequest drawn_for(const WatchRequest& request, PolicyView view) {
  DrawRequest drawn;
  drawn.policies = {request.policy};
  drawn.view = view;
  drawn.env = request.env;
  drawn.select = request.select;
  drawn.shield = request.shield;
  drawn.discount = request.discount;
  drawn.seed = request.seed;
  return drawn;
}

PolicyExplanation explained_episode(const WatchRequest& request) {
  ExplainRequest explained;
  explained.policy = request.policy;
  explained.env = request.env;
  explained.select = request.select;
  explained.shield = request.shield;
  explained.discount = request.discount;
  explained.seed = request.seed;
  return explain_policy(explained);
}

/// The episode with its reasons, and a picture for each of its states.
void add_episode(const WatchRequest& request, const Task& task, nlohmann::ordered_json& data) {
  const PolicyExplanation episode = explained_episode(request);
  std::vector<StateId> states;
  for (const EpisodeStep& step : episode.episode) states.push_back(step.state);
  if (episode.last_state) states.push_back(*episode.last_state);
  data["explained"] = to_json(episode);
  data["pictures"] = nlohmann::ordered_json::array();
  for (const Svg& picture : draw_states(task, states)) data["pictures"].push_back(picture.to_string());
}

}  // namespace

WatchedPolicy watch_policy(const WatchRequest& request) {
  const PolicySource source(request.policy);
  const Task task = task_for(request.env, {&source}, request.discount);
  nlohmann::ordered_json data = {{"title", fmt::format("{} on {}", source.name(), task.spec)},
                                 {"map", to_json(draw_policy(drawn_for(request, PolicyView::kPolicy)))}};
  if (source.is_program()) data["program"] = source.bytes();
  if (task.is_finite()) {
    add_episode(request, task, data);
  } else {
    data["strip"] = to_json_with_frames(draw_policy(drawn_for(request, PolicyView::kEpisode)));
    try {
      if (source.is_program()) data["reasons"] = to_json(explained_episode(request));
    } catch (const Error&) {  // rules that are not about numbers alone, or no prover: it is shown without
    }
  }
  const std::string text = data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return {source.name(), task.spec, watch_page(text)};
}

std::string watch_page(const std::string& data) {
  const auto& files = page_files();
  std::string script;
  for (const char* module : {"dom.js", "actions.js", "program.js", "map.js", "player.js", "still.js"})
    script += plain_script(files.at(module));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>ndnf</title>\n<style>{}</style>"
      "</head>\n<body class=\"still\"><main id=\"still\"></main>\n<script type=\"application/json\" "
      "id=\"data\">{}</script>\n<script>{}</script></body></html>\n",
      files.at("style.css"), in_script(data), script);
}

}  // namespace ndnf
