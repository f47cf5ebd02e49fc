#pragma once

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// Policies that act on NumPy arrays.
void bind_acting(nanobind::module_& module);

}  // namespace ndnf::python
