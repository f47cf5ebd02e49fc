// Figure fig:time-problog-rules: ProbLog's inference time against the number of annotated disjunctions.
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/logic/bound_program.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/report/line_chart.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/policy_inference.h"
#include "ndnf/solvers/real_solvers.h"

namespace ndnf {
namespace {

constexpr std::size_t kMost = 18;         // annotated disjunctions
constexpr std::size_t kRepetitions = 50;  // of our own evaluation

/// One line of the figure: programs of 1 to 18 disjunctions of n actions each.
struct Line {
  std::size_t actions;
  bool all_true;       ///< All bodies hold, otherwise the first alone.
  bool probabilistic;  ///< The facts are given as `1.0::rule(0).`, as the paper does, not as `rule(0).`

  std::string name() const {
    return fmt::format("n{}-{}-{}", actions, all_true ? "all" : "one",
                       probabilistic ? "probabilistic" : "deterministic");
  }
  std::string short_title() const {
    return fmt::format("n = {}, {}{}", actions, all_true ? "all" : "one", probabilistic ? ", p" : "");
  }
  std::string title() const {
    return fmt::format("n = {}, {} true, {} facts", actions, all_true ? "all bodies" : "one body",
                       probabilistic ? "probabilistic" : "deterministic");
  }
};

std::vector<Line> lines() {
  std::vector<Line> all;
  for (const std::size_t actions : {std::size_t{2}, std::size_t{6}}) {
    for (const bool all_true : {false, true}) {
      for (const bool probabilistic : {false, true}) all.push_back({actions, all_true, probabilistic});
    }
  }
  return all;
}

std::chrono::seconds scaling_limit(const Effort& effort) {
  return effort.quick ? std::chrono::seconds(1) : kProblogTimeLimit;
}

/// Probabilities that sum to 1.
std::vector<double> shares(std::size_t actions) {
  return actions == 2 ? std::vector<double>{0.3, 0.7} : std::vector<double>{0.05, 0.1, 0.15, 0.2, 0.2, 0.3};
}

/// m annotated disjunctions in the paper's format.
std::string rules(const Line& line, std::size_t m) {
  std::string text;
  const std::vector<double> probabilities = shares(line.actions);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t a = 0; a < line.actions; ++a) {
      text += fmt::format("{}{}::action(a{})", a == 0 ? "" : " ; ", probabilities[a], a);
    }
    text += fmt::format(" :- rule({}).\n", i);
  }
  return text;
}

/// ProbLog's input: the rules, a fact or its negation for each body, and the queries.
SolverText for_problog(const Line& line, std::size_t m) {
  SolverText text = solver_text(parse_program("series", rules(line, m), Syntax::kProbLog));
  for (std::size_t i = 0; i < m; ++i) {
    const bool holds = line.all_true || i == 0;
    if (line.probabilistic) text.add(holds ? OwnText("1.0::") : OwnText("0.0::"));
    text.add("rule({})", i).add(holds || line.probabilistic ? OwnText(".\n") : OwnText(" :- fail.\n"));
  }
  for (std::size_t a = 0; a < line.actions; ++a) text.add("query(action(a{})).\n", a);
  return text;
}

/// The same with our own evaluator, from the text to the probabilities: the row and the seconds.
std::pair<std::vector<double>, double> ours(const Line& line, std::size_t m) {
  std::vector<AtomGroup> groups;
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < m; ++i) {
    groups.push_back(AtomGroup::single(fmt::format("rule({})", i)));
    values.push_back(line.all_true || i == 0 ? 1 : 0);
  }
  std::vector<std::string> actions;
  for (std::size_t a = 0; a < line.actions; ++a) actions.push_back(fmt::format("a{}", a));
  const auto vocabulary = std::make_shared<const Vocabulary>(groups, actions);
  ObservationTable table(vocabulary);
  const ObsId obs = table.intern(values);
  const std::string text = rules(line, m);
  std::vector<double> row(line.actions);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < kRepetitions; ++i) {
    const BoundProgram program(parse_program("series", text, Syntax::kProbLog), vocabulary);
    program.probabilities(table, {&obs, 1}, row);
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return {row, passed.count() / kRepetitions};
}

double largest_difference(const std::vector<double>& row, const std::map<std::string, double>& theirs) {
  double largest = 0;
  for (std::size_t a = 0; a < row.size(); ++a) {
    const auto found = theirs.find(fmt::format("action(a{})", a));
    largest = std::max(largest, std::abs(row[a] - (found == theirs.end() ? 0 : found->second)));
  }
  return largest;
}

/// One point per m: `ours` in seconds, and `problog` with the `difference` of the answers, until it times
/// out.
Json measure_line(const Line& line, std::chrono::seconds time_limit) {
  std::vector<SolverText> programs;
  for (std::size_t m = 1; m <= kMost; ++m) programs.push_back(for_problog(line, m));
  const auto answers = time_problog(programs, time_limit);
  Json points = Json::array();
  for (std::size_t m = 1; m <= kMost; ++m) {
    const auto [row, seconds] = ours(line, m);
    Json point = {{"m", m}, {"ours", seconds}, {"problog", nullptr}};
    if (m <= answers.size() && answers[m - 1]) {
      point["problog"] = answers[m - 1]->seconds;
      point["difference"] = largest_difference(row, answers[m - 1]->probabilities);
    }
    points.push_back(std::move(point));
  }
  return points;
}

Piece line_piece(const Line& line, const Effort& effort) {
  const std::chrono::seconds time_limit = scaling_limit(effort);
  return {"time/problog/" + line.name(),
          fmt::format("{}{}, {} s", build_text(), line.title(), time_limit.count()), Stage::kTime,
          2.7 * static_cast<double>(time_limit.count()),
          [line, time_limit](const std::filesystem::path&) { return measure_line(line, time_limit); }};
}

std::vector<Piece> problog_scaling_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const Line& line : lines()) all.push_back(line_piece(line, effort));
  append(all, inference_pieces(effort));
  return all;
}

std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

Table seconds_table(const Effort& effort, const Results& results) {
  Table table{"problog", {{"m", "m"}}};
  for (const Line& line : lines()) table.columns.push_back({line.name(), line.short_title()});
  table.columns.push_back({"ours", "ndnf, slowest"});
  for (std::size_t m = 1; m <= kMost; ++m) {
    std::vector<Cell> row = {Cell::count(m)};
    double slowest = 0;
    for (const Line& line : lines()) {
      const Json& points = results.at(line_piece(line, effort).name);
      const Json& seconds = points.at(m - 1).at("problog");
      const bool first_over = seconds.is_null() && (m == 1 || !points.at(m - 2).at("problog").is_null());
      if (seconds.is_null()) {
        row.push_back({first_over ? fmt::format("> {}", scaling_limit(effort).count()) : "–"});
      } else {
        row.push_back({seconds_text(seconds), seconds.get<double>()});
      }
      slowest = std::max(slowest, points.at(m - 1).at("ours").get<double>());
    }
    row.push_back({fmt::format("{:.2g}", slowest), slowest});
    table.add(std::move(row));
  }
  return table;
}

Figure seconds_figure(const Effort& effort, const Results& results) {
  LineChart chart{"ProbLog against the number of annotated disjunctions", "annotated disjunctions", "s", {}};
  Series own{"ndnf (n = 6, all bodies true)", {}};
  for (const Line& line : lines()) {
    Series series{line.title(), {}};
    for (const Json& point : results.at(line_piece(line, effort).name)) {
      const double m = point.at("m");
      if (line.name() == "n6-all-deterministic") own.points.emplace_back(m, point.at("ours").get<double>());
      if (point.at("problog").is_null()) {
        series.cut = true;
      } else {
        series.points.emplace_back(m, point.at("problog").get<double>());
      }
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back(std::move(own));
  chart.cut_title = "the next one timed out";
  return {"problog", "Seconds per inference against the number of annotated disjunctions; × timed out",
          draw(chart).to_string()};
}

double worst_difference(const Effort& effort, const Results& results) {
  double worst = 0;
  for (const Line& line : lines()) {
    for (const Json& point : results.at(line_piece(line, effort).name)) {
      worst = std::max(worst, point.value("difference", 0.0));
    }
  }
  return worst;
}

std::vector<Block> show_problog_scaling(const Effort& effort, const Results& results) {
  return {Paragraph{fmt::format("Seconds from the text of a program to the probabilities of all its actions, "
                                "by the real ProbLog (default back end, "
                                "start of Python not counted) and by ndnf: *m* annotated disjunctions of *n* "
                                "actions in the paper's format, of which "
                                "*one* body holds or *all* do; *p* marks facts given as probabilities "
                                "(`1.0::rule(0)`, as the authors' code does), "
                                "which is most of the cost. A query that takes longer than {} s is the last "
                                "of its series. The paper prints a figure "
                                "without numbers and finds exponential growth. Wherever both answer, the "
                                "probabilities differ by at most {:.1g}.",
                                scaling_limit(effort).count(), worst_difference(effort, results))},
          seconds_table(effort, results), seconds_figure(effort, results),
          Paragraph{"A policy: a Blackjack program, the paper's way, asked for the distribution in one "
                    "observation after the other. Ours is that of the first seed, in every tenth of the 380 "
                    "observations by ProbLog, in every hundredth if facts are given as probabilities:"},
          inference_table(effort, results)};
}

}  // namespace

Experiment problog_experiment() {
  return {"problog", "ProbLog inference against the size of the program", problog_scaling_pieces,
          show_problog_scaling, require_problog};
}

}  // namespace ndnf
