#pragma once

#include <string>

#include "ndnf/solvers/solver_text.h"

namespace ndnf {

/// Turns any text into solver input, which only tests can do: to see how solvers read it, and that they do no
/// harm if something ever gets past our parser.
class SolverTextOfATest {
 public:
  static SolverText make(std::string text, Syntax syntax = Syntax::kAsp) {
    SolverText made(syntax);
    made.text_ = std::move(text);
    made.has_constraints_ = true;  // it may have
    return made;
  }
};

inline SolverText raw_text(std::string text, Syntax syntax = Syntax::kAsp) {
  return SolverTextOfATest::make(std::move(text), syntax);
}

}  // namespace ndnf
