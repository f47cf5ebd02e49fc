#pragma once

#include <memory>
#include <string>

#include "ndnf/env/json_file.h"
#include "ndnf/env/layout.h"

namespace ndnf {

/// The key `layout` of a model file (docs/model-file.md): where the states of the model lie. Throws Error
/// naming the place of a mistake.
std::shared_ptr<const Layout> read_layout(const JsonNode& node, const FiniteModel& model);

/// The value of that key; reading it back gives the same layout.
std::string layout_text(const Layout& layout, const FiniteModel& model);

}  // namespace ndnf
