#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf::testing {

/// Every program with one statement, body literal or alternative removed.
inline std::vector<Program> smaller(const Program& program) {
  std::vector<Program> all;
  const auto at = [](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    Program& without = all.emplace_back(program);
    without.statements.erase(at(without.statements, s));
  }
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    const Rule& rule = std::get<Rule>(program.statements[s].content);
    for (std::size_t b = 0; b < rule.body.size(); ++b) {
      auto& body = std::get<Rule>(all.emplace_back(program).statements[s].content).body;
      body.erase(at(body, b));
    }
    for (std::size_t h = 0; rule.heads.size() > 1 && h < rule.heads.size(); ++h) {
      auto& heads = std::get<Rule>(all.emplace_back(program).statements[s].content).heads;
      heads.erase(at(heads, h));
    }
  }
  return all;
}

/// A locally minimal program for which `fails` is still true. Programs that `fails` cannot judge, such as one
/// that lost a definition, must count as not failing. REQUIRES: `fails(program)`; rules only.
template <class Fails>
Program shrunk(Program program, const Fails& fails) {
  for (bool found = true; found;) {
    found = false;
    for (Program& candidate : smaller(program)) {
      if (!fails(candidate)) continue;
      program = std::move(candidate);
      found = true;
      break;
    }
  }
  return program;
}

}  // namespace ndnf::testing
