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

/// Which policy to extract a program from, and how.
struct ExtractionRequest {
  Input policy;                ///< As PolicySource reads it.
  std::optional<Input> env{};  ///< Default: the one that the policy names.
  std::string method = "auto";
  std::optional<std::string> as;     ///< "asp" or "problog". Default: that of the method, preset or program.
  std::optional<std::string> over;   ///< "atoms" or "predicates". Default: both are tried.
  std::optional<std::string> ties;   ///< "eval" or "free". Default: eval, but free for `optimal` in ASP.
  std::string form = "exactly-one";  ///< Or "default" or "list".
  double epsilon = 1e-3;
  std::optional<std::size_t> rules;
  std::optional<std::string> threshold;  ///< "kl" or "actions". Default: that of the preset.
  std::uint64_t solve_limit = kSolveLimit;
  /// Tasks that are not finite: the observations to compare on, at most. Default: 1000; for a network with
  /// threshold atoms those of 256 whole episodes, or of as many as have 100,000.
  std::optional<std::size_t> sample{};
  std::size_t episodes = 1000;  ///< Tasks that are not finite: the episodes that estimate returns.
  bool certify = false;         ///< Include the witnesses of the lower bound in the certificate.
  bool compact = false;         ///< Write ranges of values as intervals.
  Watch watch{};
  /// The program's file. Default: policy.lp or policy.pl in the run; for contents and policies that are not
  /// networks nothing is written.
  std::optional<std::string> output;
  std::optional<double> discount{};  ///< Of returns, instead of the task's own.
  bool write = true;                 ///< False: no file is written, whatever the policy is.
};

struct PolicyExtraction {
  std::string policy;
  std::string env;
  double discount = 1;  ///< Of all returns.
  Extraction extraction;
  std::string over;                  ///< What the rules are about: "atoms", or "predicates" of an encoder.
  std::vector<std::string> actions;  ///< The environment's actions.
  std::string text;                  ///< The program; empty if none was found.
  std::string file;                  ///< Empty if nothing was written.
  std::string certificate;           ///< The certificate's file (docs/certificates.md).
  std::optional<bool> optimal;       ///< From `optimal`: whether its return is proved to be the optimum.
  double seconds = 0;
};

/// For a task that is not finite, the program is compared with the network on a sample of observations, and
/// has no certificate. Otherwise writes the program and, in the same folder, its certificate: both or
/// neither. Nothing is written if no program was found. From `optimal` comes the smallest program of any
/// optimal policy that needs the fewest expected steps; its exact return is the optimum. Throws Error if the
/// policy cannot be read or the options do not fit it.
PolicyExtraction extract_policy(const ExtractionRequest& request);

nlohmann::ordered_json to_json(const PolicyExtraction& result);

}  // namespace ndnf
