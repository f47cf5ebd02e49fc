// Table tab:rl-performance and Figure fig:rl-results: what every model earns on every task.
#include <cmath>

#include <fmt/format.h>

#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/runs.h"

namespace ndnf {
namespace {

constexpr double kRounding = 0.0005;  // half a unit of the paper's last digit

/// A row as it is shown: one of the paper's, or one of the two ways to a program.
struct Row {
  const paper::Return* paper;
  std::string model;
  std::string label;  ///< The same in short.
  Sample returns;
  std::size_t seeds;
  double optimum;

  std::string as_good() const {
    const double short_by = paper->figure->mean - returns.mean() - kRounding;
    if (short_by <= 2 * paper->figure->error) return "yes";
    return short_by <= 2 * std::hypot(returns.error(), paper->figure->error) ? "within error" : "*no*";
  }
  int digits() const { return std::abs(optimum) < 1 ? 4 : 3; }
};

std::vector<Row> rows_of(const paper::Return& paper, const Effort& effort, const Results& results) {
  if (paper.preset.empty()) {
    const Json& best = results.at(blackjack_optimum_piece().name);
    const double value = best.at("argmax").at("return");
    return {{&paper, paper.model, paper.model, {{value}}, 1, value}};
  }
  if (left_out(paper.preset, effort)) return {};
  const Study study = study_of(paper.preset, effort);
  const double optimum = results.at(train_names(study).front()).at("optimum");
  const std::string figure = "/" + paper.select + "/return";
  if (!paper.program) {
    const Sample returns = collect(results, train_names(study), "/measures" + figure);
    return {{&paper, paper.model, paper.model, returns, study.seeds, optimum}};
  }
  const auto row = [&](const char* way, const std::string& where) -> Row {
    return {&paper,
            fmt::format("{} program, {}", paper.model, way),
            fmt::format("{}, {}", paper.model, way),
            collect(results, extract_names(study), where + figure),
            study.seeds,
            optimum};
  };
  return {row("the paper's way", "/threshold"), row("ndnf's way", "/measures")};
}

std::vector<Row> all_rows(const Effort& effort, const Results& results) {
  std::vector<Row> rows;
  for (const paper::Return& paper : paper::returns()) {
    for (Row& row : rows_of(paper, effort, results)) rows.push_back(std::move(row));
  }
  return rows;
}

Table returns_table(const std::vector<Row>& rows) {
  Table table{"returns",
              {{"task", "task", false},
               {"model", "model", false},
               {"select", "picked by", false},
               {"seeds", "seeds"},
               {"ours", "ours"},
               {"worst", "worst seed"},
               {"paper", "paper"},
               {"difference", "difference"},
               {"optimum", "optimum"},
               {"as_good", "as good", false}}};
  for (const Row& row : rows) {
    const int digits = row.digits();
    const bool compared = row.paper->figure && !row.returns.empty();
    const std::size_t n = row.returns.values.size();
    table.add(
        {{row.paper->task},
         {row.model},
         {row.paper->select},
         n == row.seeds ? Cell::count(n) : Cell::share(n, row.seeds),
         n == 0 ? Cell::none() : Cell::estimate(row.returns.mean(), row.returns.error(), digits),
         n == 0 ? Cell::none() : Cell::number(row.returns.least(), digits),
         row.paper->figure ? Cell::estimate(row.paper->figure->mean, row.paper->figure->error, 3)
                           : Cell::none(),
         compared ? Cell::difference(row.returns.mean() - row.paper->figure->mean, digits) : Cell::none(),
         Cell::number(row.optimum, digits),
         compared ? Cell{row.as_good()} : Cell::none()});
  }
  return table;
}

Figure returns_figure(const std::vector<Row>& rows) {
  std::vector<BarPanel> panels;
  for (const Row& row : rows) {
    if (row.returns.empty()) continue;
    if (panels.empty() || panels.back().title != row.paper->task) {
      panels.push_back({row.paper->task, {}, row.optimum});
    }
    const std::string how = row.paper->select == "argmax" ? "*" : row.paper->select == "sample" ? "‡" : "†";
    panels.back().bars.push_back({row.label + how, row.returns.estimate(), row.paper->figure});
  }
  return {"returns", "Mean return of every model; * argmax, † ε-greedy, ‡ sampled",
          bar_chart("Mean return of every model", panels).to_string()};
}

std::string teacher_text(const Effort& effort, const Results& results) {
  if (effort.quick)
    return "Taxi, distilled: with `--quick` the teacher is the optimal policy, for an MLP takes too long.";
  const Json& teacher = results.at(teacher_name(study_of("paper/taxi-distill-ndnf-mt", effort)));
  return fmt::format(
      "Taxi, distilled: the teacher (`paper/taxi-mlp-oracle`, one run for all students) earns {:.3f} by "
      "argmax and {:.3f} "
      "sampled, which bounds what its students are asked to imitate.",
      teacher.at("/measures/argmax/return"_json_pointer).get<double>(),
      teacher.at("/measures/sample/return"_json_pointer).get<double>());
}

std::vector<Piece> pieces(const Effort& effort) {
  std::vector<Piece> all = {blackjack_optimum_piece()};
  for (const paper::Return& row : paper::returns()) {
    if (row.preset.empty() || left_out(row.preset, effort)) continue;
    const Study study = study_of(row.preset, effort);
    append(all, row.program ? extract_pieces(study) : train_pieces(study));
  }
  return all;
}

std::vector<Block> show(const Effort& effort, const Results& results) {
  const std::vector<Row> rows = all_rows(effort, results);
  return {
      Paragraph{"The mean is over all seeds, failed ones too; *n of m* seeds means that the others gave no "
                "program. "
                "*the paper's way* is thresholding (`--method threshold`), *ndnf's way* is `ndnf extract` as "
                "it is. "
                "*as good*: not more than two of the paper's standard errors below its figure; *within "
                "error*: not more "
                "than two of both."},
      returns_table(rows), returns_figure(rows), Paragraph{teacher_text(effort, results)},
      Paragraph{"The paper's figure for Sutton and Barto's table is below what the table earns: it is the "
                "optimal policy, "
                "so its return is the optimum. Our Q-table for Blackjack is learned and has no counterpart "
                "there. Door Corridor's "
                "neural DNF-MT: the paper's mean leaves out the runs that do not finish, ours does not."}};
}

}  // namespace

Experiment returns_experiment() { return {"returns", "Returns", pieces, show}; }

}  // namespace ndnf
