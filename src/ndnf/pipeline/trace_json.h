#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ndnf/properties/trace.h"

namespace ndnf {

/// One object per position: `state`, `observation`, `action`, `reward`, and `end`, `tag`, `truncated` where
/// they apply.
nlohmann::ordered_json to_json(const Trace& trace, const FiniteModel& model);

}  // namespace ndnf
