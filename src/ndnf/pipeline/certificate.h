#pragma once

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/extract_policy.h"

namespace ndnf {

/// The path of a program's certificate: FILE.certificate.json in the same folder as FILE.
std::filesystem::path certificate_file(const std::filesystem::path& program);

/// The claims about an extraction, in a form that can be checked without any code of ndnf
/// (docs/certificates.md). `source` is what the program was extracted from; with `certify` the
/// certificate includes the witnesses of the lower bound.
nlohmann::ordered_json certificate(const PolicyExtraction& result, const PolicySource& source, bool certify);

}  // namespace ndnf
