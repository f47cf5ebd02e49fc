#pragma once

#include <nanobind/nanobind.h>

#include "ndnf/base/error.h"

namespace ndnf::python {

/// An Error as the ndnf.Error of Python. REQUIRES: the GIL is held.
nanobind::object error_object(const Error& error);

/// Makes every ndnf::Error an ndnf.Error in Python.
void translate_errors();

}  // namespace ndnf::python
