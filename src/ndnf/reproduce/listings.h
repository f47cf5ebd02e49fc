#pragma once

#include <string>

#include "ndnf/reproduce/piece.h"

namespace ndnf {

/// What a listing of the paper, a file of examples/, is worth. Result: `env`, `return`, `optimum`,
/// `compiled`: what it earns as a network, and `text` without the leading comments.
Piece listing_piece(const std::string& file);

}  // namespace ndnf
