#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

/// A name for a helper atom, `case_1`, that is not an atom of these vocabularies: `case_1_` if `case_1` is
/// taken. Null pointers are skipped.
std::string fresh_name(std::string name, std::initializer_list<const Vocabulary*> taken);
std::string fresh_name(const std::string& stem, std::size_t number,
                       std::initializer_list<const Vocabulary*> taken);

}  // namespace ndnf
