// Table tab:rl-performance and Figure fig:rl-results: the return of every model on every task.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/pieces/runs.h"
#include "ndnf/report/dot_chart.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/comparison.h"
#include "ndnf/reproduce/paper_figures.h"

namespace ndnf {
namespace {

constexpr std::size_t kStudents = 5;  // of each teacher except the first, which has the preset's number

/// A row of the report: one of the paper's rows, for one extraction method, on all runs or on some.
struct Row {
  const paper::Return* paper;
  std::string model;
  std::string label;  ///< A short form; "" to leave the row out of the chart.
  Sample returns;
  std::size_t runs;
  double optimum;
  Estimate ours;
  double luck = 0;  ///< The standard deviation over teachers; the paper has only one teacher.

  bool compared() const { return paper->figure && !returns.empty(); }
  /// Sutton and Barto's table is one policy, not a run of many.
  bool exact() const { return paper->preset.empty(); }
  int digits() const { return std::abs(optimum) < 1 ? 4 : 3; }
  Estimate theirs() const { return {paper->figure->mean, std::hypot(paper->figure->error, luck)}; }
  std::string verdict() const {
    if (returns.values.size() < 2 && !exact()) return "one run";
    return to_text(judge(ours, theirs(), paper::kReturnRounding));
  }
  /// The difference in standard errors of both.
  Cell errors_apart() const {
    const double error = std::hypot(ours.error, theirs().error);
    return error == 0 ? Cell::none() : Cell::difference((ours.mean - paper->figure->mean) / error, 1);
  }
};

/// The studies of a row: one, or one per teacher.
std::vector<Study> studies_of(const paper::Return& row, const Effort& effort) {
  std::vector<Study> studies = {study_of(row.preset, effort)};
  if (effort.quick) return studies;
  if (row.seeds > 0) studies.front().seeds = row.seeds;
  for (std::size_t teacher = 1; teacher < row.teachers; ++teacher) {
    studies.push_back(with_settings(study_of(row.preset, effort), fmt::format("teacher-{}", teacher),
                                    {fmt::format("distill.teacher_seed={}", teacher)}));
    studies.back().seeds = kStudents;
  }
  return studies;
}

/// The paper's wall corridors with the weaker L4 that its results suggest.
bool has_weaker_l4(const paper::Return& row) { return row.preset.ends_with("-wall-ndnf-mt"); }

Study with_weaker_l4(const paper::Return& row, const Effort& effort) {
  const std::string value = paper::kLikelyL4;
  return with_settings(study_of(row.preset, effort), "l4-" + value, {"losses.mt_lambda=" + value});
}

/// Door Corridor's mean in the paper leaves out the runs that do not finish.
bool has_unfinished_runs(const paper::Return& row) { return row.preset == "paper/door-corridor-ndnf-mt"; }

/// One row over the results at `where` in the named pieces, one list of names per teacher: if there are
/// several, mean and error are those of the teachers' means.
Row row_over(const paper::Return& paper, const Results& results,
             const std::vector<std::vector<std::string>>& names, const std::string& where) {
  Row row{&paper, paper.model, paper.model, {}, 0, 0, {}};
  Sample means;
  for (const std::vector<std::string>& own : names) {
    const Sample returns = collect(results, own, fmt::format("{}/{}/return", where, paper.select));
    row.returns.values.insert(row.returns.values.end(), returns.values.begin(), returns.values.end());
    row.runs += own.size();
    if (!returns.empty()) means.values.push_back(returns.mean());
  }
  if (row.returns.empty()) return row;
  row.ours = names.size() > 1 ? means.estimate() : row.returns.estimate();
  if (names.size() > 1) row.luck = means.error() * std::sqrt(static_cast<double>(names.size()));
  return row;
}

/// Those of the named pieces whose policy always finishes.
std::vector<std::string> finishing(const std::vector<std::string>& names, const Results& results,
                                   const std::string& pointer) {
  std::vector<std::string> some;
  std::copy_if(names.begin(), names.end(), std::back_inserter(some), [&](const std::string& name) {
    return results.at(name).value(Json::json_pointer(pointer), Json()) == 1.0;
  });
  return some;
}

/// The rows of one study: of the networks, or of their programs by both methods.
std::vector<Row> rows_of_study(const paper::Return& paper, const std::vector<Study>& studies,
                               const Results& results, const std::string& remark, bool only_finishing) {
  std::vector<Row> rows;
  const auto add = [&](const std::string& way, const std::string& where, auto names_of) {
    std::vector<std::vector<std::string>> names;
    for (const Study& study : studies) {
      names.push_back(names_of(study));
      if (only_finishing)
        names.back() = finishing(names.back(), results, fmt::format("{}/{}/terminated", where, paper.select));
    }
    Row row = row_over(paper, results, names, where);
    row.optimum = results.at(train_names(studies.front()).front()).at("optimum");
    row.model = paper.model + (paper.program ? " program, " + way : "") + remark;
    row.label = remark.empty() ? paper.model + (paper.program ? ", " + way : "") : "";
    rows.push_back(std::move(row));
  };
  if (!paper.program) {
    add("", "/measures", [](const Study& study) { return train_names(study); });
  } else {
    const auto names = [](const Study& study) { return extract_names(study); };
    add("the paper's way", "/threshold", names);
    add("ndnf's way", "/measures", names);
  }
  return rows;
}

std::vector<Row> rows_of(const paper::Return& paper, const Effort& effort, const Results& results) {
  if (paper.preset.empty()) {
    const double value = results.at(blackjack_optimum_piece().name).at("argmax").at("return");
    return {{&paper, paper.model, paper.model, {{value}}, 1, value, {value, 0}}};
  }
  if (left_out(paper.preset, effort)) return {};
  const std::vector<Study> studies = studies_of(paper, effort);
  std::vector<Row> rows = rows_of_study(paper, studies, results, "", false);
  const auto append = [&](std::vector<Row> more) {
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  };
  if (has_weaker_l4(paper)) {
    append(rows_of_study(paper, {with_weaker_l4(paper, effort)}, results,
                         fmt::format(", λ4 = {}", paper::kLikelyL4), false));
  }
  if (has_unfinished_runs(paper)) append(rows_of_study(paper, studies, results, ", runs that finish", true));
  return rows;
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
               {"errors", "in standard errors"},
               {"verdict", "verdict", false},
               {"optimum", "optimum"}}};
  for (const Row& row : rows) {
    const int digits = row.digits();
    const std::size_t n = row.returns.values.size();
    table.add(
        {{row.paper->task},
         {row.model},
         {row.paper->select},
         n == row.runs ? Cell::count(n) : Cell::share(n, row.runs),
         n == 0 ? Cell::none() : Cell::estimate(row.ours.mean, row.ours.error, digits),
         n == 0 ? Cell::none() : Cell::number(row.returns.least(), digits),
         row.paper->figure ? Cell::estimate(row.paper->figure->mean, row.paper->figure->error, 3)
                           : Cell::none(),
         row.compared() ? Cell::difference(row.ours.mean - row.paper->figure->mean, digits) : Cell::none(),
         row.compared() ? row.errors_apart() : Cell::none(),
         row.compared() ? Cell{row.verdict()} : Cell::none(),
         Cell::number(row.optimum, digits)});
  }
  return table;
}

Figure returns_figure(const std::vector<Row>& rows) {
  std::vector<DotPanel> panels;
  for (const Row& row : rows) {
    if (row.returns.empty() || row.label.empty()) continue;
    if (panels.empty() || panels.back().title != row.paper->task) {
      panels.push_back({row.paper->task, {}, row.optimum});
    }
    const std::string how = row.paper->select == "argmax" ? "*" : row.paper->select == "sample" ? "‡" : "†";
    panels.back().figures.push_back({row.label + how, row.ours, row.paper->figure});
  }
  return {"returns", "Mean return of every model",
          dot_chart("Mean return of every model", "mean return over seeds",
                    {"actions picked: * by argmax, † ε-greedily, ‡ by sampling"}, panels)
              .to_string()};
}

std::string teacher_text(const Effort& effort, const Results& results) {
  if (effort.quick)
    return "Taxi, distilled: with `--quick` the teacher is the optimal policy, for an MLP takes too long.";
  const auto row = std::find_if(paper::returns().begin(), paper::returns().end(),
                                [](const paper::Return& r) { return r.teachers > 1; });
  std::string text;
  for (const Study& study : studies_of(*row, effort)) {
    const Json& teacher = results.at(teacher_name(study)).at("measures");
    const Sample students = collect(results, train_names(study), "/measures/sample/return");
    text += fmt::format("{}{:.3f} and {:.3f} (its students {:.3f})", text.empty() ? "" : "; ",
                        teacher.at("/argmax/return"_json_pointer).get<double>(),
                        teacher.at("/sample/return"_json_pointer).get<double>(), students.mean());
  }
  return fmt::format(
      "Taxi, distilled: {} teachers (`paper/taxi-mlp-teacher`, seeds 0, 1, …) earn by argmax and sampled {}. "
      "Mean and error are those of the teachers' means. The paper has one teacher, so that its error leaves "
      "out "
      "what the teacher's luck is worth; for the verdict the spread of our teachers is added to it. The "
      "programs "
      "are those of the first teacher's students.",
      row->teachers, text);
}

/// The pieces of a row over these studies.
void add_pieces(const paper::Return& row, const std::vector<Study>& studies, std::vector<Piece>& all) {
  for (const Study& study : studies) {
    append(all, train_pieces(study));
    if (row.program) append(all, extract_pieces(study));
  }
}

std::vector<Piece> returns_pieces(const Effort& effort) {
  std::vector<Piece> all = {blackjack_optimum_piece()};
  for (const paper::Return& row : paper::returns()) {
    if (row.preset.empty() || left_out(row.preset, effort)) continue;
    add_pieces(row, studies_of(row, effort), all);
    if (has_weaker_l4(row)) add_pieces(row, {with_weaker_l4(row, effort)}, all);
  }
  return all;
}

std::vector<Block> show_returns(const Effort& effort, const Results& results) {
  const std::vector<Row> rows = all_rows(effort, results);
  return {
      Paragraph{"The mean is over all seeds, failed ones too; *n of m* seeds means that the others gave no "
                "program. *the paper's way* is thresholding (`--method threshold`), *ndnf's way* is `ndnf "
                "extract` as it is. *agrees*: the two differ by no more than two standard errors of the "
                "difference; *better*, *worse*: by more. *too uncertain*: they would agree, but only because "
                "our error is more than three times the paper's, so that the runs differ from each other "
                "otherwise than the paper's do and the statement would be empty."},
      returns_table(rows),
      returns_figure(rows),
      Paragraph{teacher_text(effort, results)},
      Paragraph{fmt::format("POMDP corridors: with the settings that the paper prints, λ4 = {} of them, our "
                            "networks are better than its rows by far more than error, and so are those that "
                            "the authors' own code trains with them. With λ4 = {} networks and programs are "
                            "the paper's: its runs used a weaker L4 than it prints.",
                            paper::kPrintedL4, paper::kLikelyL4)},
      Paragraph{
          "The paper's figure for Sutton and Barto's table is below what the table earns: it is the "
          "optimal policy, so its return is the optimum. Our Q-table for Blackjack is learned with the "
          "authors' settings and has no counterpart there. Door Corridor: the paper's mean leaves out the "
          "runs that do not finish, so we give both."}};
}

}  // namespace

Experiment returns_experiment() { return {"returns", "Returns", returns_pieces, show_returns}; }

}  // namespace ndnf
