#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/watch.h"
#include "ndnf/extract/extraction.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Which network to extract a program from, and how.
struct ExtractionRequest {
  Input run;                   ///< A run directory or a .safetensors file.
  std::optional<Input> env{};  ///< Default: the one it was trained on.
  std::string method = "auto";
  std::optional<std::string> as;  ///< "asp" or "problog". Default: that of the method, or else of the preset.
  std::optional<std::string> over;   ///< "atoms" or "predicates". Default: both are tried.
  std::string ties = "eval";         ///< Or "free".
  std::string form = "exactly-one";  ///< Or "default" or "list".
  double epsilon = 1e-3;
  std::optional<std::size_t> rules;
  std::optional<std::string> threshold;  ///< "kl" or "actions". Default: that of the preset.
  std::uint64_t solve_limit = kSolveLimit;
  std::size_t sample = 1000;     ///< Tasks that are not finite: the observations to compare on.
  std::size_t episodes = 10000;  ///< Tasks that are not finite: the episodes that estimate returns.
  bool certify = false;          ///< Include the witnesses of the lower bound in the certificate.
  bool compact = false;          ///< Write ranges of values as intervals.
  Watch watch{};
  /// The program's file. Default: policy.lp or policy.pl in the run; for contents nothing is written.
  std::optional<std::string> output;
};

struct PolicyExtraction {
  std::string run;
  std::string env;
  Extraction extraction;
  std::string over;                  ///< What the rules are about: "atoms", or "predicates" of an encoder.
  std::vector<std::string> actions;  ///< The environment's actions.
  std::string text;                  ///< The program; empty if none was found.
  std::string file;                  ///< Empty if nothing was written.
  std::string certificate;           ///< The certificate's file (docs/certificates.md).
  double seconds = 0;
};

/// For a task that is not finite, the program is compared with the network on a sample of observations, and
/// has no certificate. Otherwise writes the program and, in the same folder, its certificate: both or
/// neither. Nothing is written if no program was found. Throws Error if the run cannot be read or the options
/// do not fit it.
PolicyExtraction extract_policy(const ExtractionRequest& request);

nlohmann::ordered_json to_json(const PolicyExtraction& result);

}  // namespace ndnf
