#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/model/checkpoint.h"
#include "ndnf/pipeline/extract_policy.h"

namespace ndnf {

/// The path of a program's certificate: FILE.certificate.json in the same folder as FILE.
std::filesystem::path certificate_file(const std::filesystem::path& program);

/// The claims about an extraction, in a form that can be checked without any code of ndnf
/// (docs/certificates.md). `bytes` is the content of the checkpoint file; with `certify` the certificate
/// includes the witnesses of the lower bound.
nlohmann::ordered_json certificate(const PolicyExtraction& result, const Checkpoint& checkpoint,
                                   std::string_view bytes, bool certify);

}  // namespace ndnf
