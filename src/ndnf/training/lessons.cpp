#include "ndnf/training/lessons.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {
namespace {

/// The rows of these observations, in a table whose other rows are 0.
PolicyTable rows_of(const Policy& teacher, const ObservationTable& table, const std::vector<ObsId>& asked) {
  const std::size_t actions = teacher.action_count();
  std::vector<double> answers(asked.size() * actions);
  teacher.probabilities(table, asked, answers);
  std::vector<double> rows(table.size() * actions, 0);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::copy_n(answers.begin() + static_cast<std::ptrdiff_t>(i * actions), actions,
                rows.begin() + static_cast<std::ptrdiff_t>(asked[i] * actions));
  }
  return PolicyTable(actions, std::move(rows));
}

}  // namespace

std::vector<ObsId> observations_to_learn(const FiniteModel& model, const DistillOptions& options) {
  return options.states == "reachable" ? reachable(model).observations : model.decision_observations();
}

Lessons lessons_of(const Policy& teacher, const Task& task, const DistillOptions& options,
                   std::uint64_t seed) {
  if (task.is_finite()) {
    std::vector<ObsId> asked = observations_to_learn(task.model(), options);
    PolicyTable rows = rows_of(teacher, task.model().observations(), asked);
    return {task.model().shared_observations(), std::move(asked), std::move(rows)};
  }
  SamplingOptions sampling;
  sampling.episodes = static_cast<std::size_t>(options.episodes);
  sampling.seed = seed;
  const ObservationSample sample = sample_observations(task.environments, teacher, Selection{},
                                                       static_cast<std::size_t>(options.sample), sampling);
  if (!sample.table) throw Error(task.spec, "the teacher names no action at the start");
  std::vector<ObsId> all(sample.table->size());
  for (ObsId obs = 0; obs < all.size(); ++obs) all[obs] = obs;
  PolicyTable rows = rows_of(teacher, *sample.table, all);
  return {sample.table, std::move(all), std::move(rows)};
}

Lessons lessons_of(PolicyTable teacher, const FiniteModel& model, const DistillOptions& options) {
  return {model.shared_observations(), observations_to_learn(model, options), std::move(teacher)};
}

void check_lessons(const std::string& teacher, const Lessons& lessons) {
  if (lessons.observations.empty()) throw Error(teacher, "teaches nothing: there are no observations");
  for (const ObsId obs : lessons.observations) {
    if (lessons.teacher.defined(obs)) continue;
    throw Error(teacher, fmt::format("{} in {}", lessons.teacher.defect(obs), lessons.table->describe(obs)),
                "a teacher needs a distribution in every observation to be learned");
  }
}

}  // namespace ndnf
