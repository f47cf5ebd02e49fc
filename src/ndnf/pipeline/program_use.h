#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/system/input.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {

/// The program whose rules are counted.
struct ProgramUseRequest {
  Input program;                     ///< An .lp or .pl file.
  std::optional<Input> env{};        ///< Default: the one that the program names.
  std::optional<double> discount{};  ///< As in the other requests; it changes no figure.
};

/// How often a rule of a program fires.
struct RuleUse {
  RuleName rule;
  std::size_t observations = 0;  ///< Those of the scope in which it fires.
  std::size_t visited = 0;       ///< Those of them that the program visits.
  double per_episode = 0;        ///< Expected decisions of an episode in which it fires.
};

struct ProgramUse {
  std::string program;
  std::string env;
  std::vector<RuleUse> rules;        ///< In the order of the program; rules with variables count once.
  std::size_t observations = 0;      ///< The scope: all reachable observations, or a sample.
  std::size_t visited = 0;           ///< Those that the program visits.
  std::size_t sampled_episodes = 0;  ///< 0 if the scope is not a sample.
};

/// Where the rules fire: in all observations that some policy reaches, or for a task without a finite model
/// in those of sampled episodes. Throws Error with the mistakes of the program. Cost: one evaluation of the
/// program per observation.
ProgramUse use_of_program(const ProgramUseRequest& request);

nlohmann::ordered_json to_json(const ProgramUse& use);

}  // namespace ndnf
