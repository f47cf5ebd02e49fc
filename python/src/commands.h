#pragma once

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// The requests of pipeline/ and reproduce/: arguments in, the objects of `--json` out.
void bind_commands(nanobind::module_& module);

/// Training, with its progress and its interruption.
void bind_training(nanobind::module_& module);

}  // namespace ndnf::python
