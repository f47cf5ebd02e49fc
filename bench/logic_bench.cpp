#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "ndnf/logic/bound_program.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Bodies of literals over the atoms of a task, as extraction produces them.
class Bodies {
 public:
  explicit Bodies(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  std::vector<BodyLiteral> make(std::size_t literals) {
    std::vector<BodyLiteral> body;
    for (std::size_t i = 0; i < literals; ++i) {
      const auto atom = static_cast<AtomId>(random_() % vocabulary_.atom_count());
      body.push_back({vocabulary_.atom_name(atom), random_() % 4 == 0, {}});
    }
    return body;
  }

 private:
  const Vocabulary& vocabulary_;
  std::mt19937 random_{1};
};

Statement statement(std::vector<HeadAtom> heads, std::vector<BodyLiteral> body) {
  return {{}, Rule{std::move(heads), std::move(body), {}}, ""};
}

/// 20 rules over the 63 atoms of Door Corridor.
Program deterministic_program(const Vocabulary& vocabulary) {
  Program program;
  Bodies bodies(vocabulary);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string& action = vocabulary.action_name(static_cast<ActionId>(i % vocabulary.action_count()));
    program.statements.push_back(
        statement({{fmt::format("action({})", action), 1, false, {}}}, bodies.make(1 + i % 6)));
  }
  return program;
}

std::string conjunction(std::size_t i) { return fmt::format("conj_{}", i); }

bool holds(const std::vector<BodyLiteral>& body, const ObservationTable& table, ObsId obs) {
  return std::all_of(body.begin(), body.end(), [&](const BodyLiteral& literal) {
    return table.holds(obs, *table.vocabulary().find_atom(literal.atom)) == literal.positive;
  });
}

/// The size of the paper's Blackjack listing: 37 conjunctions, and up to 200 annotated disjunctions, each
/// with a pattern of all conjunctions that some observation shows: in most observations one of them fires.
Program stochastic_program(const ObservationTable& table) {
  constexpr std::size_t kConjunctions = 37;
  constexpr std::size_t kDisjunctions = 200;
  Program program{Syntax::kProbLog, "", {}, {}};
  Bodies bodies(table.vocabulary());
  std::vector<std::vector<BodyLiteral>> conjunctions;
  for (std::size_t i = 0; i < kConjunctions; ++i) {
    conjunctions.push_back(bodies.make(1 + i % 4));
    program.statements.push_back(statement({{conjunction(i), 1, false, {}}}, conjunctions.back()));
  }
  std::set<std::vector<bool>> patterns;
  for (ObsId obs = 0; obs < table.size() && patterns.size() < kDisjunctions; ++obs) {
    std::vector<bool> pattern;
    for (const auto& body : conjunctions) pattern.push_back(holds(body, table, obs));
    patterns.insert(std::move(pattern));
  }
  for (const std::vector<bool>& pattern : patterns) {
    std::vector<BodyLiteral> body;
    for (std::size_t i = 0; i < kConjunctions; ++i) body.push_back({conjunction(i), pattern[i], {}});
    program.statements.push_back(
        statement({{"action(stick)", 0.25, true, {}}, {"action(hit)", 0.75, true, {}}}, std::move(body)));
  }
  return program;
}

/// The time of one decision, averaged over all observations of the task.
void measure(benchmark::State& state, const Program& program, const ObservationTable& table) {
  const BoundProgram bound(program, table.shared_vocabulary());
  std::vector<std::vector<std::uint64_t>> observations(table.size(),
                                                       std::vector<std::uint64_t>(bound.state_words()));
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    for (const AtomId atom : table.facts(obs))
      observations[obs][atom / 64] |= std::uint64_t{1} << (atom % 64);
  }
  std::vector<std::uint64_t> scratch(bound.state_words());
  std::vector<double> row(bound.action_count());
  std::size_t next = 0;
  for (auto _ : state) {
    scratch = observations[next];
    bound.decide(scratch, row);
    benchmark::DoNotOptimize(row.data());
    next = next + 1 == observations.size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["rules"] = static_cast<double>(program.statements.size());
}

/// Goal: at most 50 ns.
void DeterministicDecision(benchmark::State& state) {
  const Task environment = make_task("door-corridor");
  const ObservationTable& table = environment.model().observations();
  measure(state, deterministic_program(table.vocabulary()), table);
}
BENCHMARK(DeterministicDecision);

/// Goal: at most 1 µs.
void ProbLogDecision(benchmark::State& state) {
  const Task environment = make_task("blackjack");
  const ObservationTable& table = environment.model().observations();
  measure(state, stochastic_program(table), table);
}
BENCHMARK(ProbLogDecision);

/// Reading a program of the size of the paper's Blackjack listing.
void ParseProgram(benchmark::State& state) {
  const Task environment = make_task("blackjack");
  const std::string text = to_text(stochastic_program(environment.model().observations()));
  for (auto _ : state) benchmark::DoNotOptimize(parse_program("", text, Syntax::kProbLog));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ParseProgram);

}  // namespace
}  // namespace ndnf
