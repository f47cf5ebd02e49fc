#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ndnf/studio/studio.h"

namespace ndnf::cli {

/// Serves a studio until `stop`, as ndnf::serve does: the plain program has a web server, the Python
/// package's command has none.
using StudioServer = std::function<void(Studio& studio, std::uint16_t port,
                                        const std::function<void(const std::string& address)>& on_ready,
                                        const std::function<bool()>& stop)>;

}  // namespace ndnf::cli
