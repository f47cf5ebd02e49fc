#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/solvers/solver_process.h"

namespace ndnf {

/// The result of running the real clingo on a program.
struct ClingoAnswer {
  enum class Status : std::uint8_t {
    kSatisfiable,    ///< `models` are answer sets (all of them if requested).
    kUnsatisfiable,  ///< There is none; `models` is empty.
    kOptimum,        ///< `models` are of least cost, proved so; there is at least one.
    kInterrupted,    ///< The limit was reached; `models` are the best so far, if any.
  };
  Status status = Status::kInterrupted;
  /// The shown atoms of each model, in clingo's order. With `#minimize`, only the models of least cost.
  std::vector<std::vector<std::string>> models;
  std::vector<std::int64_t> costs;  ///< Of these models, highest priority first; empty without `#minimize`.
};

/// A clingo that takes longer than this is considered to hang: an error, never an answer.
inline constexpr SolverLimits kPatience{std::chrono::hours(1)};

/// Solves any program. `options` are passed to clingo: {"0"} for all models, {"--opt-mode=optN", "0"} for all
/// optima. `solve_limit` is the maximum number of conflicts: work rather than time, so the answer is the same
/// on every machine. Throws Error if clingo is missing, rejects the program or does not answer at all.
ClingoAnswer run_clingo(const SolverText& program, const std::vector<std::string>& options = {},
                        std::optional<std::uint64_t> solve_limit = std::nullopt,
                        const SolverLimits& limits = kPatience);

/// Reads `name(N,…)` into `numbers`, each below its bound. False if the atom has another name; Error if it
/// has this name but not this form.
bool read_numbers(std::string_view atom, std::string_view name, std::span<const std::size_t> bounds,
                  std::span<std::size_t> numbers);

/// The numbers in an atom of an answer, 3 and 0 of `in(3,0)`; nothing if it has another name. Error as above.
template <std::size_t N>
std::optional<std::array<std::size_t, N>> numbers_of(std::string_view atom, std::string_view name,
                                                     const std::array<std::size_t, N>& bounds) {
  std::array<std::size_t, N> numbers{};
  return read_numbers(atom, name, bounds, numbers) ? std::optional(numbers) : std::nullopt;
}

/// A message of clingo: "-:12:7-9: error: …".
struct ClingoComplaint {
  std::size_t line = 0;
  std::string what;
};
/// Those of one kind, such as "error".
std::vector<ClingoComplaint> read_complaints(std::string_view messages, std::string_view kind);

}  // namespace ndnf
