#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/model/checkpoint.h"
#include "ndnf/pipeline/extract_policy.h"

namespace ndnf {

/// FILE.certificate.json beside FILE: each program has its own.
std::filesystem::path certificate_file(const std::filesystem::path& program);

/// What is claimed of an extraction, so that others can check it without any code of ours
/// (docs/certificates.md). `bytes` are the checkpoint's; with `certify` the witnesses of the bound are part
/// of it.
nlohmann::ordered_json certificate(const PolicyExtraction& result, const Checkpoint& checkpoint,
                                   std::string_view bytes, bool certify);

}  // namespace ndnf
