#include "cli/optimum_text.h"

#include <cmath>

#include <fmt/format.h>

namespace ndnf::cli {

std::string proof_text(const BestReturn& optimum) {
  const std::string proof(to_string(optimum.proof));
  if (optimum.proved()) return proof;
  return std::isinf(optimum.bound) ? proof + ", no bound known"
                                   : fmt::format("{}, at most {:.7g}", proof, optimum.bound);
}

std::string gap_text(const std::optional<BestReturn>& optimum, double mean_return,
                     const std::function<std::string(double)>& number) {
  if (!optimum || std::isnan(mean_return)) return "unknown";
  const std::string gap = number(optimum->gap(mean_return));
  return optimum->proved() ? gap : fmt::format("{} to {}", gap, number(optimum->gap_bound(mean_return)));
}

}  // namespace ndnf::cli
