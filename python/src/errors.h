#pragma once

#include <nanobind/nanobind.h>

namespace ndnf::python {

/// Lets every ndnf::Error arrive in Python as an `ndnf.Error`.
void translate_errors();

}  // namespace ndnf::python
