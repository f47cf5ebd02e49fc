#pragma once

#include <string>

#include "ndnf/properties/episode_chain.h"

namespace ndnf {

/// The chain in PRISM's language: a `dtmc` with a state variable `s`, one value per position; rewards
/// `return` and `length`; and as labels the model's labels, `end`, the tags, and every atom and action that
/// holds somewhere, by their names with `_` for characters that PRISM does not allow (a comment keeps the
/// name: hand(18) is "hand_18"). If the step limit can stop an episode, a variable `t` counts the steps, so
/// that properties need no bound. With several start positions state 0 draws one: then step bounds of
/// properties grow by 1 (the first line says so).
std::string to_prism(const EpisodeChain& chain);

}  // namespace ndnf
