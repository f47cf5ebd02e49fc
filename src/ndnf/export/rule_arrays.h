#pragma once

#include <map>
#include <string>

#include "ndnf/export/npz.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A program over quantities as arrays with which a few lines of NumPy compute its rows (docs/deployment.md).
/// An observation has one number per *value*: the atoms, the comparisons of quantities, the derived atoms,
/// the actions. Each rule raises the value of its head where its body holds. REQUIRES:
/// bound.decides_by_rules().
std::map<std::string, NumpyArray> rule_arrays(const Program& program, const BoundProgram& bound,
                                              const Vocabulary& vocabulary);

}  // namespace ndnf
