#pragma once

#include <nanobind/nanobind.h>

#include "ndnf/training/lessons.h"

namespace ndnf::python {

/// A teacher of a distillation that Python brings along.
struct Teacher {
  LessonMaker lessons;
  TeacherMaker policy{};  ///< Empty if it cannot be asked.
};

void bind_teachers(nanobind::module_& module);

}  // namespace ndnf::python
