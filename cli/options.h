#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "ndnf/system/input.h"

namespace ndnf::cli {

/// The kinds of values of options and arguments. --help shows them, and completion offers candidates for
/// them.
inline constexpr const char* kEnvironment = "ENV";
inline constexpr const char* kPreset = "PRESET";
inline constexpr const char* kPolicy = "POLICY";
inline constexpr const char* kSelection = "HOW";
inline constexpr const char* kShell = "SHELL";
inline constexpr const char* kFile = "FILE";
inline constexpr const char* kNumber = "N";
inline constexpr const char* kSetting = "KEY=VALUE";
inline constexpr const char* kSeeds = "A..B";
inline constexpr const char* kFolder = "DIR";
inline constexpr const char* kMethod = "METHOD";
inline constexpr const char* kSyntax = "SYNTAX";
inline constexpr const char* kOver = "OVER";
inline constexpr const char* kTies = "TIES";
inline constexpr const char* kForm = "FORM";
inline constexpr const char* kThreshold = "RULE";
inline constexpr const char* kSolver = "SOLVER";
inline constexpr const char* kTable = "TABLE";
inline constexpr const char* kReportFormat = "REPORT";

inline const std::vector<std::string> kMethods = {"auto", "threshold", "disentangle", "exact", "classes"};
inline const std::vector<std::string> kSyntaxes = {"asp", "problog"};
inline const std::vector<std::string> kOvers = {"atoms", "predicates"};
inline const std::vector<std::string> kTieRules = {"eval", "free"};
inline const std::vector<std::string> kForms = {"exactly-one", "default", "list"};
inline const std::vector<std::string> kThresholds = {"kl", "actions"};
inline const std::vector<std::string> kSolvers = {"clingo", "problog"};
inline const std::vector<std::string> kReportFormats = {"text", "markdown", "json", "html"};

/// The largest number of threads that may be requested.
inline constexpr std::uint64_t kMaxJobs = 1024;

/// Parses 17 or 1e6; empty if the text is not an integer.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// An integer option that also accepts 1e6. `set` gets a number from `low` to `high`; anything else is an
/// Error.
CLI::Option* add_integer(CLI::App& app, const std::string& name, std::uint64_t low, std::uint64_t high,
                         std::function<void(std::uint64_t)> set, const std::string& description);

/// A file of rules that forbid actions.
CLI::Option* add_shield(CLI::App& app, std::optional<Input>& target, const std::string& description);

/// An option whose value is one of `words`. `set` gets it; anything else is an Error with the nearest word.
CLI::Option* add_choice(CLI::App& app, const std::string& name, const char* type,
                        const std::vector<std::string>& words, std::function<void(const std::string&)> set,
                        const std::string& description);

}  // namespace ndnf::cli
