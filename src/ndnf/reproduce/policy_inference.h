#pragma once

#include "ndnf/pieces/experiment.h"
#include "ndnf/report/document.h"

namespace ndnf {

// ProbLog's inference time for a policy: the paper's Blackjack program with 58 annotated disjunctions in 380
// observations, and ours.
std::vector<Piece> inference_pieces(const Effort& effort);
Table inference_table(const Effort& effort, const Results& results);

}  // namespace ndnf
