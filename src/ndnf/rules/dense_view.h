#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/simulation/vector_env.h"

// A network reads atoms or numbers. A teacher of a task that shows both reads the atoms as numbers, too: 0 or
// 1, after the numbers.

namespace ndnf {

/// Whether observations have both atoms and named numbers.
bool is_mixed(const Vocabulary& vocabulary);

/// An empty table of such rows.
ObservationTable dense_table(const Vocabulary& vocabulary, std::size_t rows);

/// The same environments with numbers alone.
std::unique_ptr<VectorEnv> dense_view(std::unique_ptr<VectorEnv> env);

/// A policy for such rows as one for the observations themselves.
std::shared_ptr<const Policy> through_dense_view(std::shared_ptr<const Policy> policy);

}  // namespace ndnf
