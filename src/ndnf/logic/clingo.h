#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/base/process.h"

namespace ndnf {

/// What the real clingo found out about a program.
struct ClingoAnswer {
  enum class Status : std::uint8_t {
    kSatisfiable,    ///< `models` are answer sets (all of them if that was asked for).
    kUnsatisfiable,  ///< There is none; `models` is empty.
    kOptimum,        ///< `models` are of least cost, proved so.
    kInterrupted,    ///< The limit was reached; `models` are the best so far, if any.
  };
  Status status = Status::kInterrupted;
  /// The shown atoms of each model, in clingo's order. With `#minimize`, only the models of least cost.
  std::vector<std::vector<std::string>> models;
  std::vector<std::int64_t>
      costs;  ///< Of these models, the highest priority first; empty without `#minimize`.
};

/// Solves a program of any kind. `options` go to clingo: {"0"} for all models, {"--opt-mode=optN", "0"} for
/// all optima. `solve_limit` is how many conflicts the search may run into: work rather than time, so that
/// the answer is the same on every machine. Throws Error when clingo is missing, rejects the program or does
/// not answer at all.
ClingoAnswer run_clingo(const std::string& program, const std::vector<std::string>& options = {},
                        std::optional<std::uint64_t> solve_limit = std::nullopt);

/// The raw call: the program on standard input. clingo is $NDNF_CLINGO, or `clingo` in PATH; Error, with what
/// to install, when there is none. It is stopped when its time is over or it writes more than `output_limit`.
ProcessResult call_clingo(const std::string& program, const std::vector<std::string>& options,
                          std::optional<std::chrono::milliseconds> time_limit = std::nullopt,
                          std::optional<std::size_t> output_limit = std::nullopt);

/// An error in what clingo says: "-:12:7-9: error: …".
struct ClingoComplaint {
  std::size_t line = 0;
  std::string what;
};
std::vector<ClingoComplaint> read_complaints(std::string_view messages);

}  // namespace ndnf
