#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ndnf/optimum/optimum.h"

namespace ndnf::cli {

/// How the optimum is proved: "dynamic-programming", or "best-found, at most -8.9" if the best policy found
/// is not proved to be optimal.
std::string proof_text(const BestReturn& optimum);

/// The gap between a return and the optimum: "0.25" if the optimum is proved, otherwise "0.25 to 0.35", the
/// gaps to the best return found and to the bound. `number` formats each. "unknown" without an optimum.
std::string gap_text(const std::optional<BestReturn>& optimum, double mean_return,
                     const std::function<std::string(double)>& number);

}  // namespace ndnf::cli
