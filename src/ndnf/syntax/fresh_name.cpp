#include "ndnf/syntax/fresh_name.h"

#include <algorithm>

namespace ndnf {

std::string fresh_name(std::string name, std::initializer_list<const Vocabulary*> taken) {
  const auto has_it = [&](const Vocabulary* vocabulary) {
    return vocabulary != nullptr && vocabulary->find_atom(name);
  };
  while (std::any_of(taken.begin(), taken.end(), has_it)) name += '_';
  return name;
}

std::string fresh_name(const std::string& stem, std::size_t number,
                       std::initializer_list<const Vocabulary*> taken) {
  return fresh_name(stem + std::to_string(number), taken);
}

}  // namespace ndnf
