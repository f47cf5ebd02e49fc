#include <algorithm>

#include <fmt/format.h>

#include "ndnf/pipeline/policy_views.h"
#include "ndnf/report/axis.h"
#include "ndnf/simulation/played_episode.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {
namespace {

constexpr std::size_t kMostFrames = 24;
constexpr std::size_t kMostSimulated = 1000;

FilmStrip strip_of(const std::string& policy, const Task& task, const PlayedEpisode& episode,
                   const std::string& select, std::uint64_t seed) {
  FilmStrip strip;
  strip.title = picture_title(policy, task);
  strip.remark = fmt::format("one episode, seed {}; actions picked by {}; beside an action: its probability",
                             seed, select);
  strip.actions = drawn_actions(task);
  strip.ending = fmt::format("{} after {} step{}; return {}", episode.ending, episode.steps.size(),
                             episode.steps.size() == 1 ? "" : "s",
                             figure_text(episode.discounted_return(task.discount)));
  return strip;
}

/// The steps that get a frame: all, or the first ones and the last. In a simulated episode, which changes
/// little in a step, they are spread over all of it.
std::vector<std::size_t> shown_steps(const Task& task, std::size_t steps, FilmStrip& strip) {
  const std::size_t count = std::min(steps, kMostFrames);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t spread = count > 1 ? i * (steps - 1) / (count - 1) : 0;
    shown.push_back(i + 1 == count ? steps - 1 : task.is_finite() ? i : spread);
  }
  strip.left_out = steps - shown.size();
  return shown;
}

Frame frame_of(const PlayedEpisode& episode, std::size_t number, const PolicyTable& rows, ObsId row) {
  const PlayedStep& step = episode.steps[number];
  Frame frame;
  frame.step = number;
  frame.observation = episode.table->describe(step.observation);
  frame.reward = step.reward;
  if (step.action) {
    frame.action = *step.action;
    frame.probability = rows.row(row)[*step.action];
  }
  return frame;
}

}  // namespace

FilmStrip view_episode(const DrawnPolicy& policy, std::uint64_t seed) {
  const Task& task = policy.task;
  const FiniteModel& model = task.model();
  const PlayedEpisode episode = play_episode(model, policy.taken.table, seed);
  FilmStrip strip = strip_of(policy.own.name, task, episode, policy.taken.select.to_string(), seed);
  for (const std::size_t i : shown_steps(task, episode.steps.size(), strip)) {
    const PlayedStep& step = episode.steps[i];
    strip.frames.push_back(frame_of(episode, i, policy.own.table, step.observation));
    Frame& frame = strip.frames.back();
    frame.picture = task.draw_svg(step.state);
    frame.text = task.draw_text(step.state);
    if (policy.own.bound)
      frame.rules =
          fired_rules(*policy.own.program, *policy.own.bound, model.observations(), step.observation);
  }
  if (episode.last_state && *episode.last_state != episode.steps.back().state) {
    Frame last;
    last.step = episode.steps.size();
    last.over = true;
    last.observation = model.observations().describe(model.observation(*episode.last_state));
    last.picture = task.draw_svg(*episode.last_state);
    last.text = task.draw_text(*episode.last_state);
    strip.frames.push_back(std::move(last));
  }
  return strip;
}

FilmStrip view_episode(const Task& task, const PolicySource& source, const Selection& selection,
                       std::uint64_t seed) {
  const auto policy = source.policy(task);
  const PlayedEpisode episode = play_episode(task.environments, *policy, selection, seed, kMostSimulated);
  FilmStrip strip = strip_of(source.name(), task, episode, selection.to_string(), seed);
  const PolicyTable rows = tabulate(*policy, *episode.table);
  std::optional<Program> program;
  std::optional<BoundProgram> bound;
  if (source.is_program()) {
    program = source.program(task, *task.vocabulary);
    bound.emplace(*program, task.vocabulary);
  }
  for (const std::size_t i : shown_steps(task, episode.steps.size(), strip)) {
    const ObsId obs = episode.steps[i].observation;
    strip.frames.push_back(frame_of(episode, i, rows, obs));
    if (task.draw_numbers) strip.frames.back().picture = task.draw_numbers(episode.table->dense(obs));
    if (bound) strip.frames.back().rules = fired_rules(*program, *bound, *episode.table, obs);
  }
  return strip;
}

}  // namespace ndnf
