#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace ndnf::testing {

/// A file of tests/golden, recorded from an independent implementation.
inline nlohmann::json read_golden(const std::string& file) {
  std::ifstream in(NDNF_GOLDEN_DIR "/" + file);
  if (!in) throw std::runtime_error("there is no golden file " + file);
  return nlohmann::json::parse(in);
}

/// The list `key`, by value: a range-for over a part of a temporary would dangle. Throws if the list is
/// missing or empty, because a loop over it would compare nothing and pass.
inline nlohmann::json elements(const nlohmann::json& node, const std::string& key) {
  nlohmann::json list = node.at(key);
  if (!list.is_array() || list.empty()) throw std::runtime_error("the golden list " + key + " is empty");
  return list;
}

/// The list `cases` of a file.
inline nlohmann::json golden_cases(const std::string& file) { return elements(read_golden(file), "cases"); }

}  // namespace ndnf::testing
