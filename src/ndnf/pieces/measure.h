#pragma once

#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/pieces/piece.h"

namespace ndnf {

/// The exact evaluation of a policy. For each selection (`argmax`, `sample`, `epsilon:0.1`): `return` (null
/// if it visits an undefined observation), `terminated`, and `win`, … if they exist. For argmax also
/// `stuck_starts`, the start states from which it may not finish. In Blackjack also `divergence`, the
/// fraction of the 280 `decisions` and of `all` 380 observations whose best action is not the optimal one
/// (bust hands, which are not decision states, count as stick), and `hits`, one [hand, dealer, usable ace,
/// P(hit), optimal action] per decision.
Json measure(const PolicyTable& policy, const Task& environment);

}  // namespace ndnf
