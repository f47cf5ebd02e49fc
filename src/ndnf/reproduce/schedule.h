#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/pipeline/ranks.h"
#include "ndnf/reproduce/piece.h"

namespace ndnf {

/// Does what is missing of the pieces, stage by stage: each rank its share, on `jobs` threads. Times are
/// measured by the first rank alone, one after the other. Returns all results on the first rank, nothing on
/// the others. What is finished when this is interrupted is not done again.
Results do_pieces(std::vector<Piece> pieces, const PieceStore& store, Ranks& ranks, std::size_t jobs);

}  // namespace ndnf
