#pragma once

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// Our tasks as environments for Python.
void bind_native_envs(nanobind::module_& module);

}  // namespace ndnf::python
