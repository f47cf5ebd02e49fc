#pragma once

#include <memory>
#include <string_view>

#include "harness.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/solvers/solver_text.h"
#include "ndnf/syntax/parser.h"
#include "ndnf/syntax/program.h"

namespace ndnf::fuzz {

inline const std::shared_ptr<const Vocabulary>& small_vocabulary() {
  static const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{{"hand", true, {"hand(1)", "hand(2)", "hand(3)"}}, AtomGroup::single("ace")},
      std::vector<std::string>{"hit", "stick"});
  return vocabulary;
}

/// Reads a program as every command does. The printed program must read back as the same program, both in our
/// form and in the form for solvers, and a ground program over the small vocabulary must have an answer in
/// every observation.
inline void try_program(std::string_view text, Syntax syntax) {
  Mistakes mistakes("p");
  const ParsedProgram parsed = parse_open_program("p", text, syntax, mistakes);
  mistakes.throw_if_any();
  const std::string printed = to_text(parsed.program);
  const Program again = parse_program("again", printed, syntax);
  require(to_text(again) == printed, "the printed program reads otherwise");
  Mistakes of_solvers("solver");
  const std::string solver = solver_text(parsed).sent();
  const ParsedProgram as_solvers = parse_open_program("solver", solver, syntax, of_solvers);
  require(!of_solvers.any() && solver_text(as_solvers).sent() == solver, "what solvers get reads otherwise");
  if (!parsed.open.empty()) return;
  const BoundProgram bound(parsed.program, small_vocabulary());
  ObservationTable table(small_vocabulary());
  for (std::uint32_t hand = 0; hand < 3; ++hand) table.intern(std::vector<std::uint32_t>{hand, hand % 2});
  const PolicyTable rows = tabulate(bound, table);
  for (ObsId obs = 0; obs < rows.size(); ++obs) {
    for (const double p : rows.row(obs)) require(p >= 0 && p <= 1, "a probability is out of range");
  }
}

}  // namespace ndnf::fuzz
