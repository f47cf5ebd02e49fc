#pragma once

#include "ndnf/env/environment.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/reproduce/piece.h"

namespace ndnf {

/// What a policy earns, exactly: per way of picking actions (`argmax`, `sample`, `epsilon:0.1`) `return`
/// (null where it visits an undefined observation), `terminated`, and `win`, … where they exist; by argmax
/// `stuck_starts`, the starts from which it may not finish; in Blackjack `divergence`, the share of the 280
/// `decisions` and of `all` 380 observations whose best action is not the optimal one (bust hands, at which
/// nobody decides, count as stick), and `hits`, one [hand, dealer, usable ace, P(hit), optimal action] per
/// decision.
Json measure(const PolicyTable& policy, const Environment& environment);

}  // namespace ndnf
