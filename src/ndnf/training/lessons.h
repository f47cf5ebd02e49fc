#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/train/distill.h"

namespace ndnf {

/// What a distillation learns from: observations, and its teacher's action probabilities there.
struct Lessons {
  std::shared_ptr<const ObservationTable> table;
  std::vector<ObsId> observations;  ///< Those to learn from, each once.
  PolicyTable teacher;              ///< A row for every observation of the table; the others are not used.
};

/// Makes the lessons of a teacher that is not a file, for the task of a training.
using LessonMaker = std::function<Lessons(const Task&, const DistillOptions&, std::uint64_t seed)>;

/// Makes a teacher that is asked while the training plays, for the same task.
using TeacherMaker = std::function<std::shared_ptr<const Policy>(const Task&)>;

/// The observations of a finite task that `options` names.
std::vector<ObsId> observations_to_learn(const FiniteModel& model, const DistillOptions& options);

/// Asks a teacher. In a finite task it is asked once about every observation to learn; elsewhere it plays
/// episodes, drawing its actions, and the distinct observations that it met are learned.
Lessons lessons_of(const Policy& teacher, const Task& task, const DistillOptions& options,
                   std::uint64_t seed);
/// The same for a teacher whose rows are known.
Lessons lessons_of(PolicyTable teacher, const FiniteModel& model, const DistillOptions& options);

/// Throws Error naming the teacher and the observation if a row to be learned is not a distribution.
void check_lessons(const std::string& teacher, const Lessons& lessons);

}  // namespace ndnf
