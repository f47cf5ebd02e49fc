#include "ndnf/training/build_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ndnf {

BuildInfo build_info() {
  return {NDNF_VERSION, NDNF_COMPILER, NDNF_BUILD_TYPE, NDNF_BUILD_FLAGS, NDNF_ARCHITECTURE};
}

std::string to_text(const BuildInfo& info) {
  return fmt::format("ndnf {} ({}, {}: {}, {})", info.version, info.compiler, info.build_type, info.flags,
                     info.architecture);
}

nlohmann::ordered_json to_json(const BuildInfo& info) {
  return {{"version", info.version},
          {"compiler", info.compiler},
          {"build_type", info.build_type},
          {"flags", info.flags},
          {"architecture", info.architecture}};
}

}  // namespace ndnf
