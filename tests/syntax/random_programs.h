#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// Generates unusual programs over a task with single atoms and one-hot groups: derived atoms under negation
/// and in any order, contradictions, repetitions, overlapping bodies, facts.
class RandomPrograms {
 public:
  explicit RandomPrograms(std::uint64_t seed) : random_(seed) {}

  static std::shared_ptr<const Vocabulary> vocabulary() {
    std::vector<AtomGroup> groups{AtomGroup::numbered("cell", "cell(", 5, ")")};
    for (int i = 0; i < 7; ++i) groups.push_back(AtomGroup::single(fmt::format("x_{}", i)));
    return std::make_shared<Vocabulary>(std::move(groups), std::vector<std::string>{"left", "right", "wait"});
  }

  /// Every observation: 5 · 2⁷ = 640.
  static ObservationTable all_observations() {
    ObservationTable table(vocabulary());
    for (std::uint32_t i = 0; i < 640; ++i) {
      std::vector<std::uint32_t> values{i % 5};
      for (std::uint32_t bit = 0; bit < 7; ++bit) values.push_back(i / 5 >> bit & 1U);
      table.intern(values);
    }
    return table;
  }

  Program asp() { return make(Syntax::kAsp); }
  Program problog() { return make(Syntax::kProbLog); }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

 private:
  Program make(Syntax syntax) {
    Program program{syntax, "random", {}, {}};
    const std::size_t derived = below(6);
    for (std::size_t d = 0; d < derived; ++d) {
      for (std::size_t i = 0; i <= below(3); ++i) add(program, {{derived_atom(d), 1, false, {}}}, d);
    }
    for (std::size_t i = 0; i < 1 + below(5); ++i) add(program, action_heads(syntax), derived);
    if (syntax == Syntax::kAsp && below(3) == 0) {
      program.statements.push_back({{}, Rule{{action("wait")}, {{"action(left)", false, {}}}, {}}, ""});
      program.statements.push_back({{}, Rule{{action("left")}, body(derived), {}}, ""});
    }
    std::shuffle(program.statements.begin(), program.statements.end(), random_);
    return program;
  }

  void add(Program& program, std::vector<HeadAtom> heads, std::size_t derived) {
    program.statements.push_back({{}, Rule{std::move(heads), body(derived), {}}, ""});
  }

  static std::string derived_atom(std::size_t d) { return fmt::format("d({})", d); }
  static HeadAtom action(const char* name) { return {fmt::format("action({})", name), 1, false, {}}; }

  std::vector<HeadAtom> action_heads(Syntax syntax) {
    constexpr const char* kNames[] = {"left", "right", "wait"};
    std::vector<HeadAtom> heads;
    if (syntax == Syntax::kAsp || below(8) == 0) return {action(kNames[below(2)])};
    std::vector<double> weights(2 + below(3));
    double sum = 0;
    for (double& weight : weights) sum += weight = static_cast<double>(1 + below(1000));
    for (double& weight : weights) weight /= sum;
    for (const double p : to_annotations(weights, 6)) {
      heads.push_back(action(kNames[below(3)]));
      heads.back().annotated = true;
      heads.back().probability = p;
    }
    if (below(3) == 0) heads.pop_back();  // what is left over is no action
    return heads;
  }

  std::vector<BodyLiteral> body(std::size_t derived) {
    std::vector<BodyLiteral> literals;
    for (std::size_t i = below(4); i > 0; --i) {
      const std::size_t kind = below(4);
      const std::string atom = kind == 0                  ? fmt::format("cell({})", below(5))
                               : kind == 1 && derived > 0 ? derived_atom(below(derived))
                                                          : fmt::format("x_{}", below(7));
      literals.push_back({atom, below(2) == 0, {}});
    }
    return literals;
  }

  std::mt19937_64 random_;
};

}  // namespace ndnf
