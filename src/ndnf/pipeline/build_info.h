#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// What this program is and how it was built. Same flags and architecture: same results, to the last bit.
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string build_type;
  std::string flags;
  std::string architecture;
};

BuildInfo build_info();

nlohmann::ordered_json to_json(const BuildInfo& info);

}  // namespace ndnf
