#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/base/watch.h"
#include "ndnf/pieces/piece.h"
#include "ndnf/training/ranks.h"

namespace ndnf {

/// Does the missing pieces, stage by stage: each rank does its share, on `jobs` threads. Times are measured
/// by the first rank alone, sequentially. Returns all results on the first rank, nothing on the others.
/// Pieces that were finished before an interruption are not done again.
/// `watch` is asked before each piece.
Results do_pieces(std::vector<Piece> pieces, const PieceStore& store, Ranks& ranks, std::size_t jobs,
                  const Watch& watch = {});

}  // namespace ndnf
