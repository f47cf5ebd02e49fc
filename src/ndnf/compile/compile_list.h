#pragma once

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/model/layers.h"
#include "ndnf/syntax/ordered_rules.h"

namespace ndnf {

/// An ordered list as a neural DNF-MT over the atoms of the vocabulary: one conjunction per rule, so that
/// nothing is unfolded. In every observation that the atoms can express the largest raw output is that of the
/// list's action, by 2 at least. Throws Error if the list changes its action so often that the weights would
/// exceed what a double adds up exactly. REQUIRES: bodies have atoms of the vocabulary only.
NeuralDnf<double> compile_list(const OrderedRules& list, const Vocabulary& vocabulary);

}  // namespace ndnf
