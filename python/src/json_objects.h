#pragma once

#include <nanobind/nanobind.h>
#include <nlohmann/json_fwd.hpp>

namespace ndnf::python {

/// A result of the engine as Python objects: the same object that `--json` prints.
nanobind::object to_python(const nlohmann::ordered_json& json);

}  // namespace ndnf::python
