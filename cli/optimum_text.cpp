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
                     const std::string& number) {
  if (!optimum || std::isnan(mean_return)) return "unknown";
  const auto text = [&](double gap) { return fmt::format(fmt::runtime(number), gap); };
  const std::string gap = text(optimum->gap(mean_return));
  return optimum->proved() ? gap : fmt::format("{} to {}", gap, text(optimum->gap_bound(mean_return)));
}

}  // namespace ndnf::cli
