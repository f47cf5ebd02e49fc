#pragma once

#include "ndnf/report/document.h"
#include "ndnf/reproduce/experiment.h"

namespace ndnf {

// How long ProbLog takes for a policy: the paper's Blackjack program of 58 annotated disjunctions in 380
// observations, and ours.
std::vector<Piece> inference_pieces(const Effort& effort);
Table inference_table(const Effort& effort, const Results& results);

}  // namespace ndnf
