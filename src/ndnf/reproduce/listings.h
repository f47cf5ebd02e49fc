#pragma once

#include <string>

#include "ndnf/pieces/piece.h"

namespace ndnf {

/// Evaluates a listing of the paper, a file of examples/. Result: `env`, `return`, `optimum`, `compiled` (the
/// return of the compiled network) and `text` without the leading comments.
Piece listing_piece(const std::string& file);

}  // namespace ndnf
