#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ndnf/studio/studio.h"

namespace ndnf {

struct ServeOptions {
  std::uint16_t port = 0;  ///< 0: any that is free.
  /// Called once with the address of the page, which contains the token, when it is served.
  std::function<void(const std::string& address)> on_ready;
  /// Asked several times a second; true ends it.
  std::function<bool()> stop;
};

/// Serves the studio's page on 127.0.0.1 until `stop`; then trainings are stopped and saved. What is refused:
/// a foreign Host or Origin, a request without the token, a body of more than a few megabytes. Throws Error
/// if the port is taken.
void serve(Studio& studio, const ServeOptions& options);

}  // namespace ndnf
