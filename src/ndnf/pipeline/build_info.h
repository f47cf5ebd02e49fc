#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// What this program is and how it was built. Trained numbers are the same bits whatever the compiler, its
/// flags and the processor (docs/training.md).
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string build_type;
  std::string flags;
  std::string architecture;
};

BuildInfo build_info();

/// On one line.
std::string to_text(const BuildInfo& info);

nlohmann::ordered_json to_json(const BuildInfo& info);

}  // namespace ndnf
