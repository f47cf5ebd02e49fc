#include "ndnf/pipeline/build_info.h"

#include <nlohmann/json.hpp>

namespace ndnf {

BuildInfo build_info() {
  return {NDNF_VERSION, NDNF_COMPILER, NDNF_BUILD_TYPE, NDNF_BUILD_FLAGS, NDNF_ARCHITECTURE};
}

nlohmann::ordered_json to_json(const BuildInfo& info) {
  return {{"version", info.version},
          {"compiler", info.compiler},
          {"build_type", info.build_type},
          {"flags", info.flags},
          {"architecture", info.architecture}};
}

}  // namespace ndnf
