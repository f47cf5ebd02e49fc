#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "ndnf/env/task.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/pipeline/program_text.h"

namespace ndnf {

/// A program text in a task: what it means, and which of its rules fire where. Refers to the text and the
/// view.
class TextMeaning {
 public:
  /// Throws Error with the mistakes of the program.
  TextMeaning(const ProgramText& text, const Task& task, const ActorView& view);

  const Program& program() const { return program_; }
  const BoundProgram& bound() const { return bound_; }
  /// The rows of the environment's observations.
  PolicyTable rows() const;
  /// The statements of the text whose rules fire in an observation of the environment.
  const std::set<std::size_t>& fired(ObsId obs);

 private:
  const ProgramText& text_;
  const ActorView& view_;
  Program program_;
  BoundProgram bound_;
  std::map<ObsId, std::set<std::size_t>> fired_;
};

}  // namespace ndnf
