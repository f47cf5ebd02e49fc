#pragma once

#include <string>

#include "ndnf/optimum/optimum.h"

namespace ndnf::cli {

/// Why the optimum can be believed: "dynamic-programming", or "best-found, at most -8.9" where the best
/// policy found need not be the best there is.
std::string proof_text(const BestReturn& optimum);

/// How far a return is from the optimum: "0.25" where the optimum is proved, otherwise "0.25 to 0.35", from
/// the best return found and from the bound. `number` formats each, such as "{:.5f}".
std::string gap_text(const BestReturn& optimum, double mean_return, const std::string& number);

}  // namespace ndnf::cli
