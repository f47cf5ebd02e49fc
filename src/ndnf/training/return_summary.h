#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/optimum/optimum.h"
#include "ndnf/report/sample.h"

namespace ndnf {

/// The returns of several policies in one task.
class ReturnSummary {
 public:
  /// One of them; `mean_return` is empty (or NaN) if it has none.
  void add(const std::optional<double>& mean_return, const std::optional<BestReturn>& optimum);

  std::size_t count() const { return count_; }
  /// Those that have a return.
  const Sample& returns() const { return returns_; }
  /// How many are at the optimum; empty if none is known.
  const std::optional<std::size_t>& at_optimum() const { return at_optimum_; }

 private:
  std::size_t count_ = 0;
  Sample returns_;
  std::optional<std::size_t> at_optimum_;
};

/// A return, a gap or an error in a table: with 5 decimals, unless figures of this size have other ones.
std::string table_figure(double value, double size);
/// The size of a return and of its gap.
double size_of(double mean_return, const std::optional<BestReturn>& optimum);

/// "mean -3.1 ± 0.2, worst -3.5, 4 of 5 at the optimum".
std::string to_text(const ReturnSummary& summary);

/// `returns` (how many there are), and their `mean`, `stderr` and `worst` (null if there is none), and
/// `at_optimum` (null if no optimum is known).
nlohmann::ordered_json to_json(const ReturnSummary& summary);

}  // namespace ndnf
