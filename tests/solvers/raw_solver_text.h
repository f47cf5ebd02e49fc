#pragma once

#include <string>

#include "ndnf/solvers/solver_text.h"

namespace ndnf {

/// Makes any text one for solvers, which only tests can: to ask solvers what they make of it, and to see that
/// they do no harm if something should ever get past our reader.
class SolverTextOfATest {
 public:
  static SolverText make(std::string text, Syntax syntax = Syntax::kAsp) {
    SolverText made(syntax);
    made.text_ = std::move(text);
    return made;
  }
};

inline SolverText raw_text(std::string text, Syntax syntax = Syntax::kAsp) {
  return SolverTextOfATest::make(std::move(text), syntax);
}

}  // namespace ndnf
