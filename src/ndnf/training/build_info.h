#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// The version of this program and how it was built. Trained weights do not depend on it: they are identical
/// bit by bit for every supported compiler, flag set and processor (docs/training.md).
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
