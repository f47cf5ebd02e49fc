#include <bit>
#include <numeric>
#include <optional>

#include <gmock/gmock.h>

#include "ndnf/base/error.h"
#include "ndnf/compile/compile.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/side_by_side.h"
#include "syntax/random_programs.h"
#include "syntax/shrink.h"

// Random programs and random networks: our evaluator, the network and the real clingo agree on each.

namespace ndnf {
namespace {

constexpr std::size_t kActions = 3;
constexpr double kWeight = 6;

/// The actions that hold in each observation, a bit per action.
using Truth = std::vector<std::uint64_t>;

/// A program and a network that must be equivalent.
struct Pair {
  Program program;
  NeuralDnf<double> network;
};

class Differential : public ::testing::Test {
 protected:
  Differential() : ids_(table_.size()) { std::iota(ids_.begin(), ids_.end(), ObsId{0}); }

  Pair from_program() {
    Program program = random_.asp();
    NeuralDnf<double> network = compile_asp(program, table_.shared_vocabulary());
    return {std::move(program), std::move(network)};
  }

  /// Every node has one to four weights of ±6, and a rule that says so.
  Pair from_network() {
    constexpr std::size_t kConjunctions = 5;
    Pair pair{{Syntax::kAsp, "network", {}, {}}, {}};
    pair.network.activation = Activation::kStep;
    pair.network.conjunctions = Matrix<double>(table_.vocabulary().atom_count(), kConjunctions);
    pair.network.disjunctions = Matrix<double>(kConjunctions, kActions);
    for (std::size_t c = 0; c < kConjunctions; ++c) {
      Rule rule{{{fmt::format("d({})", c), 1, false, {}}}, {}, {}};
      for (const auto& [atom, positive] : literals(table_.vocabulary().atom_count())) {
        pair.network.conjunctions(atom, c) = positive ? kWeight : -kWeight;
        rule.body.push_back({table_.vocabulary().atom_name(static_cast<AtomId>(atom)), positive, {}});
      }
      pair.program.statements.push_back({{}, std::move(rule), {}});
    }
    for (ActionId a = 0; a < kActions; ++a) {
      for (const auto& [c, positive] : literals(kConjunctions)) {
        pair.network.disjunctions(c, a) = positive ? kWeight : -kWeight;
        const std::string head = fmt::format("action({})", table_.vocabulary().action_name(a));
        pair.program.statements.push_back(
            {{}, Rule{{{head, 1, false, {}}}, {{fmt::format("d({})", c), positive, {}}}, {}}, {}});
      }
    }
    return pair;
  }

  Truth ours(const Program& program) const {
    return holding(tabulate(BoundProgram(program, table_.shared_vocabulary()), table_), 0);
  }

  Truth of_network(const NeuralDnf<double>& dnf) const {
    AtomBatch atoms;
    gather_atoms(table_, ids_, -1, atoms);
    DnfActivations<double> activations;
    const Matrix<double>& raw = forward(dnf, atoms, activations);
    Truth truth(table_.size());
    for (ObsId obs = 0; obs < table_.size(); ++obs) {
      for (ActionId a = 0; a < kActions; ++a) truth[obs] |= std::uint64_t{raw(obs, a) > 0} << a;
    }
    return truth;
  }

  /// Of all programs, by one call.
  std::vector<Truth> by_clingo(const std::vector<Program>& programs) const {
    const auto vocabulary = SideBySide(programs.size()).vocabulary();
    ObservationTable table(vocabulary);
    for (const ObsId obs : ids_) table.intern(table_.values(obs));
    const PolicyTable rows = evaluate_with_clingo(SideBySide::join(programs), table, ids_);
    std::vector<Truth> all;
    for (std::size_t k = 0; k < programs.size(); ++k) all.push_back(holding(rows, k * kActions));
    return all;
  }

  /// The smallest program on which clingo and we still differ; the whole one if a part alone does not differ.
  Program shrunk_difference(const Program& program) const {
    const auto differs = [&](const Program& smaller) {
      try {
        return by_clingo({smaller})[0] != ours(smaller);
      } catch (const Error&) {  // it lost a definition
        return false;
      }
    };
    return differs(program) ? testing::shrunk(program, differs) : program;
  }

  const ObservationTable table_ = RandomPrograms::all_observations();
  std::vector<ObsId> ids_;
  RandomPrograms random_{5};

 private:
  std::vector<std::pair<std::size_t, bool>> literals(std::size_t nodes) {
    std::vector<std::pair<std::size_t, bool>> chosen;
    for (std::size_t i = 0; i <= random_.below(4); ++i) {
      const std::size_t node = random_.below(nodes);
      const bool known =
          std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return c.first == node; });
      if (!known) chosen.emplace_back(node, random_.below(2) == 0);
    }
    return chosen;
  }

  Truth holding(const PolicyTable& rows, std::size_t first) const {
    Truth truth(table_.size());
    for (ObsId obs = 0; obs < table_.size(); ++obs) {
      const auto row = rows.row(obs);
      for (std::size_t a = 0; a < kActions; ++a) truth[obs] |= std::uint64_t{row[first + a] == 1} << a;
    }
    return truth;
  }
};

TEST_F(Differential, TenToTheSixEvaluationsByNetworkEvaluatorAndClingoAreTheSame) {
  constexpr std::size_t kTogether = 21;  // a task has at most 64 actions
  std::size_t compared = 0;
  std::size_t ones = 0;
  while (compared < 1'000'000) {
    std::vector<Program> programs;
    std::vector<Truth> networks;
    for (std::size_t k = 0; k < kTogether; ++k) {
      Pair pair = k % 3 == 0 ? from_network() : from_program();
      networks.push_back(of_network(pair.network));
      programs.push_back(std::move(pair.program));
    }
    const std::vector<Truth> clingo = by_clingo(programs);
    for (std::size_t k = 0; k < kTogether; ++k) {
      const Truth evaluator = ours(programs[k]);
      ASSERT_TRUE(evaluator == clingo[k]) << to_text(shrunk_difference(programs[k]));
      ASSERT_TRUE(evaluator == networks[k]) << to_text(programs[k]);
      ones += static_cast<std::size_t>(std::count_if(evaluator.begin(), evaluator.end(),
                                                     [](auto bits) { return std::has_single_bit(bits); }));
      compared += evaluator.size();
    }
  }
  EXPECT_GT(ones, compared / 10);
  EXPECT_LT(ones, compared * 9 / 10);
}

/// If clingo gave one literal another meaning, we would get a program with one rule.
TEST_F(Differential, ADifferenceIsShrunkToWhatMakesIt) {
  const auto says_so = [](const Program& program) {
    for (const Statement& statement : program.statements) {
      for (const BodyLiteral& literal : std::get<Rule>(statement.content).body) {
        if (literal.atom == "cell(1)" && !literal.positive) return true;
      }
    }
    return false;
  };
  Program program = random_.asp();
  while (!says_so(program) || program.statements.size() < 8) program = random_.asp();
  const Program small = testing::shrunk(program, says_so);
  ASSERT_EQ(small.statements.size(), 1U);
  EXPECT_EQ(std::get<Rule>(small.statements[0].content).body.size(), 1U);
}

}  // namespace
}  // namespace ndnf
