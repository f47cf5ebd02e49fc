#pragma once

#include <string>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// Rules in two layers, like a neural DNF: definitions of nodes, and rules over them. More than a DNF, since
/// rules share nodes, negate them and give them names. What all methods but `exact` find.
struct LayeredRules {
  /// An annotated disjunction: its body is over the nodes, p has one probability per action.
  struct Choice {
    Conjunction body;
    std::vector<double> p;
  };

  std::string node_name = "conj_";  ///< Node k is called conj_k where it needs a name.
  std::vector<Dnf> nodes;           ///< Over the atoms of the vocabulary.
  std::vector<Dnf> actions;         ///< Deterministic: one per action, over the nodes.
  std::vector<Choice> choices;      ///< Stochastic.
};

/// The rules as a program over the vocabulary: ASP for `actions`, ProbLog for `choices`; a choice with a
/// probability of 1 is a plain rule. A node with a single rule is inlined; one that is negated or has several
/// rules gets a name that is not an atom of the vocabulary or of `taken`.
Program to_program(const LayeredRules& rules, const Vocabulary& vocabulary,
                   const Vocabulary* taken = nullptr);

/// The definitions `name :- body.`, one rule per conjunction of the DNF. A name that is never true gets none.
std::vector<Statement> define(const std::string& name, const Dnf& dnf, const Vocabulary& vocabulary);

}  // namespace ndnf
