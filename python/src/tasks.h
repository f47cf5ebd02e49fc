#pragma once

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// Vocabularies, tasks, and Python's environments as tasks.
void bind_tasks(nanobind::module_& module);

}  // namespace ndnf::python
