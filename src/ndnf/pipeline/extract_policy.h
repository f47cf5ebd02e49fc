#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/extract/extraction.h"

namespace ndnf {

/// Turn this network into rules.
struct ExtractionRequest {
  std::string run;                 ///< A run directory or a .safetensors file.
  std::optional<std::string> env;  ///< Otherwise what it was trained on.
  std::string method = "auto";
  std::optional<std::string>
      as;  ///< "asp" or "problog"; otherwise what the method gives, or the preset says.
  std::optional<std::string> over;   ///< "atoms" or "predicates"; otherwise both are tried.
  std::string ties = "eval";         ///< Or "free".
  std::string form = "exactly-one";  ///< Or "default" or "list".
  double epsilon = 1e-3;
  std::optional<std::size_t> rules;
  std::optional<std::string> threshold;  ///< "kl" or "actions"; otherwise what the preset says.
  std::uint64_t solve_limit = kSolveLimit;
  bool certify = false;               ///< Put the witnesses of the lower bound into the certificate.
  bool compact = false;               ///< Fold runs of values in the file.
  std::function<void()> on_step;      ///< As in ExtractionOptions.
  std::optional<std::string> output;  ///< The program's file; otherwise policy.lp or policy.pl of the run.
};

struct PolicyExtraction {
  std::string run;
  std::string env;
  Extraction extraction;
  std::string over;                  ///< What the rules speak of: "atoms", or "predicates" of an encoder.
  std::vector<std::string> actions;  ///< The environment's.
  std::string text;                  ///< The program as it stands in the file.
  std::string file;                  ///< Empty if there is no program.
  std::string certificate;           ///< The file with its claims (docs/certificates.md).
  double seconds = 0;
};

/// Writes the program and its certificate beside it, whole or not at all. Nothing is written if no program
/// was found. Throws Error when the run or the options make no sense.
PolicyExtraction extract_policy(const ExtractionRequest& request);

nlohmann::ordered_json to_json(const PolicyExtraction& result);

}  // namespace ndnf
