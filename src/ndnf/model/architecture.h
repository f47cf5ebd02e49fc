#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// "tanh", "relu" or "step".
std::string_view to_string(Activation activation);

/// Everything about a network except its parameters and what the vocabulary determines, as JSON
/// (docs/checkpoint.md).
std::string to_architecture(const ActorCritic<float>& network);

/// The network described by `text` with all parameters 0. `model` is "ndnf-mt", "ndnf", "ndnf-eo" or "mlp".
/// Throws Error naming `where` if the text is not such a description, or a matrix would have more than
/// `most` elements.
ActorCritic<float> parse_architecture(std::string_view where, std::string_view text, std::string_view model,
                                      const Vocabulary& vocabulary, std::size_t most);

}  // namespace ndnf
