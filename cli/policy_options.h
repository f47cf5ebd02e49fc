#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/system/input.h"

namespace ndnf::cli {

inline constexpr const char* kScope = "SCOPE";
inline constexpr const char* kFormat = "FORMAT";
inline constexpr const char* kView = "VIEW";
inline constexpr const char* kProperty = "PROPERTY";
inline constexpr const char* kAtoms = "ATOMS";

inline constexpr const char* kShieldBesides =
    "rules (.lp) that forbid actions, in addition to a run's own shield";

inline const std::vector<std::string> kScopes = {"reachable", "visited"};
inline const std::vector<std::string> kViews = {"policy", "values", "episode", "curves"};
inline const std::vector<std::string> kFormats = {"c", "npz", "onnx", "drn", "prism"};

/// Options shared by the commands that take a policy. Targets must outlive the parsing.
void add_policy(CLI::App& app, const std::string& name, Input& target);
/// One or more of them, or folders of runs.
void add_policies(CLI::App& app, std::vector<Input>& target);
void add_environment(CLI::App& app, std::optional<Input>& target);
/// The discount of returns, instead of the task's own.
void add_discount(CLI::App& app, std::optional<double>& target);
void add_selection(CLI::App& app, std::optional<Selection>& target);

}  // namespace ndnf::cli
