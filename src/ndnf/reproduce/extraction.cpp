// Programs from every neural DNF-MT run: their faithfulness and size, by the paper's method and by ours; the
// paper's example of a size, and Table tab:dc-2501-failed-case.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/model/layers.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/paper_figures.h"

namespace ndnf {
namespace {

constexpr double kFaithful = 1e-3;

/// A preset and the language of its programs; "" for its own.
struct Source {
  std::string preset;
  std::string as{};
};

const std::vector<Source>& sources() {
  static const std::vector<Source> kSources = {{"paper/small-corridor-ndnf-mt"},
                                               {"paper/long-corridor-5-ndnf-mt"},
                                               {"paper/long-corridor-11-ndnf-mt"},
                                               {"paper/small-corridor-wall-ndnf-mt"},
                                               {"paper/long-corridor-5-wall-ndnf-mt"},
                                               {"paper/long-corridor-11-wall-ndnf-mt"},
                                               {"paper/blackjack-ndnf-mt"},
                                               {"paper/blackjack-ndnf-mt", "asp"},
                                               {"paper/taxi-distill-ndnf-mt"},
                                               {"paper/taxi-distill-ndnf-mt", "asp"},
                                               {"paper/door-corridor-ndnf-mt"}};
  return kSources;
}

std::vector<Piece> extraction_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const Source& source : sources()) {
    const Study study = study_of(source.preset, effort);
    append(all, train_pieces(study));
    append(all, extract_pieces(study, source.as));
  }
  return all;
}

/// The reports of `ndnf extract` on the seeds of a source.
std::vector<Json> reports_of(const Source& source, const Effort& effort, const Results& results) {
  std::vector<Json> reports;
  for (const std::string& name : extract_names(study_of(source.preset, effort), source.as)) {
    reports.push_back(results.at(name));
  }
  return reports;
}

/// The report about the paper's method on each seed.
std::vector<Json> thresholded(const std::vector<Json>& reports) {
  std::vector<Json> found;
  for (const Json& report : reports) {
    for (const Json& attempt : report.at("methods")) {
      if (attempt.at("method") == "threshold") found.push_back(attempt);
    }
  }
  return found;
}

Sample sample_of(const std::vector<Json>& reports, const std::string& key) {
  Sample sample;
  for (const Json& report : reports) {
    if (report.contains(key) && report.at(key).is_number()) sample.values.push_back(report.at(key));
  }
  return sample;
}

Cell mean_cell(const Sample& sample, int digits = 1) {
  return sample.empty() ? Cell::none() : Cell::number(sample.mean(), digits);
}

Cell worst_cell(const Sample& sample) {
  return sample.empty() ? Cell::none() : Cell{fmt::format("{:.2g}", sample.greatest()), sample.greatest()};
}

/// Mean loss of exact return; programs that visit an undefined observation have none and are left out.
Cell loss_cell(const std::vector<Json>& reports) {
  Sample loss;
  std::size_t undefined = 0;
  for (const Json& report : reports) {
    if (report.at("rules").is_null()) continue;
    if (report.at("return_program").is_null()) {
      ++undefined;
    } else {
      loss.values.push_back(report.at("return_network").get<double>() -
                            report.at("return_program").get<double>());
    }
  }
  if (loss.empty()) return Cell::none();
  // Rounding of the last digit is not a gain.
  Cell cell = Cell::number(std::abs(loss.mean()) < 5e-5 ? 0 : loss.mean(), 4);
  if (undefined > 0) cell.text += fmt::format(" ({} undefined)", undefined);
  return cell;
}

Cell faithful_cell(const std::vector<Json>& reports) {
  const auto n = std::count_if(reports.begin(), reports.end(),
                               [](const Json& report) { return report.at("faithful").get<bool>(); });
  return Cell::share(static_cast<std::size_t>(n), reports.size());
}

std::string ways_text(const std::vector<Json>& reports) {
  std::map<std::string, std::size_t> ways;
  for (const Json& report : reports) ++ways[report.at("method").get<std::string>()];
  std::string text;
  for (const auto& [way, count] : ways) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", way, count);
  return text;
}

Table faithful_table(const Effort& effort, const Results& results) {
  Table table{"faithful",
              {{"preset", "preset", false},
               {"as", "as", false},
               {"faithful", "faithful"},
               {"disagreements", "differing actions"},
               {"max_dp", "max Δp"},
               {"ways", "way taken", false},
               {"loss", "loss of return"},
               {"rules", "rules"},
               {"annotated_disjunctions", "annotated disjunctions"},
               {"lower_bound", "at least"},
               {"literals", "literals"},
               {"splits", "splits"}}};
  for (const Source& source : sources()) {
    const auto reports = reports_of(source, effort, results);
    table.add({{fmt::format("`{}`", source.preset)},
               {reports.front().at("as").get<std::string>()},
               faithful_cell(reports),
               worst_cell(sample_of(reports, "disagreements")),
               worst_cell(sample_of(reports, "max_dp")),
               {ways_text(reports)},
               loss_cell(reports),
               mean_cell(sample_of(reports, "rules")),
               mean_cell(sample_of(reports, "annotated_disjunctions")),
               mean_cell(sample_of(reports, "lower_bound")),
               mean_cell(sample_of(reports, "literals")),
               mean_cell(sample_of(reports, "splits"))});
  }
  return table;
}

bool faithful_where_visited(const Json& attempt) {
  const Json& visited = attempt.at("visited");
  return !visited.is_null() && visited.at("exactly_one").get<bool>() &&
         visited.at("max_dp").get<double>() <= kFaithful;
}

Table threshold_table(const Effort& effort, const Results& results) {
  Table table{"threshold",
              {{"preset", "preset", false},
               {"as", "as", false},
               {"faithful", "faithful"},
               {"visited", "faithful where visited"},
               {"no_program", "no program"},
               {"disagreements", "differing actions"},
               {"max_dp", "max Δp"},
               {"loss", "loss of return"},
               {"rules", "rules"},
               {"annotated_disjunctions", "annotated disjunctions"},
               {"literals", "literals"}}};
  for (const Source& source : sources()) {
    const auto reports = reports_of(source, effort, results);
    const auto tried = thresholded(reports);
    const auto count = [&](auto holds) {
      return Cell::count(static_cast<std::size_t>(std::count_if(tried.begin(), tried.end(), holds)));
    };
    table.add({{fmt::format("`{}`", source.preset)},
               {reports.front().at("as").get<std::string>()},
               faithful_cell(tried),
               count(faithful_where_visited),
               count([](const Json& attempt) { return attempt.at("rules").is_null(); }),
               worst_cell(sample_of(tried, "disagreements")),
               worst_cell(sample_of(tried, "max_dp")),
               loss_cell(tried),
               mean_cell(sample_of(tried, "rules")),
               mean_cell(sample_of(tried, "annotated_disjunctions")),
               mean_cell(sample_of(tried, "literals"))});
  }
  return table;
}

/// The number of rules that define a conjunction, without annotated disjunctions, which the paper counts
/// separately.
Sample definitions_of(const std::vector<Json>& reports) {
  Sample sample;
  for (const Json& report : reports) {
    if (report.at("rules").is_null()) continue;
    sample.values.push_back(report.at("rules").get<double>() -
                            report.at("annotated_disjunctions").get<double>());
  }
  return sample;
}

Table program_sizes_table(const Effort& effort, const Results& results) {
  const auto reports = reports_of({"paper/blackjack-ndnf-mt"}, effort, results);
  Table table{"sizes",
              {{"what", "a Blackjack program's", false},
               {"threshold", "the paper's way"},
               {"range", "from, to"},
               {"ours", "ndnf's way"},
               {"paper", "paper"},
               {"difference", "difference (its way)"}}};
  const auto add = [&](const char* what, const Sample& theirs_way, const Sample& our_way, std::size_t paper) {
    if (theirs_way.empty()) return;
    table.add({{what},
               Cell::number(theirs_way.mean(), 1),
               {fmt::format("{:.0f}, {:.0f}", theirs_way.least(), theirs_way.greatest())},
               Cell::number(our_way.mean(), 1),
               Cell::count(paper),
               Cell::difference(theirs_way.mean() - static_cast<double>(paper), 1)});
  };
  const auto tried = thresholded(reports);
  add("rules for conjunctions", definitions_of(tried), definitions_of(reports), paper::kBlackjackRules);
  add("annotated disjunctions", sample_of(tried, "annotated_disjunctions"),
      sample_of(reports, "annotated_disjunctions"), paper::kBlackjackDisjunctions);
  return table;
}

Table frontier_table(const Effort& effort, const Results& results) {
  Table table{"frontier",
              {{"preset", "preset", false},
               {"epsilon", "epsilon"},
               {"annotated_disjunctions", "annotated disjunctions"},
               {"conjunctions", "conjunctions"},
               {"literals", "literals"},
               {"change", "change of return"}}};
  for (const Source& source : sources()) {
    const auto reports = reports_of(source, effort, results);
    if (reports.front().at("as") != "problog") continue;
    for (std::size_t k = 0; k < reports.front().at("frontier").size(); ++k) {
      std::vector<Json> points;
      Sample change;
      for (const Json& report : reports) {
        points.push_back(report.at("frontier").at(k));
        change.values.push_back(points.back().at("return").get<double>() -
                                report.at("return_network").get<double>());
      }
      const Json& epsilon = points.front().at("epsilon");
      const bool argmax = epsilon.is_string();
      table.add({{fmt::format("`{}`", source.preset)},
                 argmax ? Cell{"argmax"} : Cell{epsilon.dump(), epsilon.get<double>()},
                 argmax ? Cell::none() : mean_cell(sample_of(points, "annotated_disjunctions")),
                 mean_cell(sample_of(points, "conjunctions")),
                 mean_cell(sample_of(points, "literals")),
                 Cell::difference(change.mean(), 4)});
    }
  }
  return table;
}

/// Listing code:dc-2501-failed-case: inputs x_2, x_7, x_9, x_13; conjunctions c_0, c_7, c_9, c_11; actions 1,
/// 2, 3.
NeuralDnf<double> failing_run(bool thresholded_weights) {
  const std::vector<std::vector<double>> conjunctive = {
      {0, 0, -1.56, 0}, {3.03, 0, 0, 0}, {0, 0, 0, -1.05}, {0, 0.56, 0, 0}};  // (I, Q)
  const std::vector<std::vector<double>> disjunctive = {
      {4.58, 0, 0}, {0, 0, 1.29}, {0, -3.48, 0.76}, {0, 0, 4.33}};  // (Q, N)
  const auto matrix = [&](const std::vector<std::vector<double>>& rows) {
    Matrix<double> result(rows.size(), rows.front().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        const double w = rows[i][j];
        result(i, j) = thresholded_weights && w != 0 ? std::copysign(6, w) : w;
      }
    }
    return result;
  };
  NeuralDnf<double> dnf;
  dnf.conjunctions = matrix(conjunctive);
  dnf.disjunctions = matrix(disjunctive);
  return dnf;
}

Table failing_table() {
  Table table{"failing_run",
              {{"row", "", false},
               {"c_0", "c_0"},
               {"c_7", "c_7"},
               {"c_9", "c_9"},
               {"c_11", "c_11"},
               {"y_1", "ŷ_1"},
               {"y_2", "ŷ_2"},
               {"y_3", "ŷ_3"},
               {"paper", "paper", false}}};
  Matrix<double> x(1, 4);
  const std::vector<double> inputs = {-1, 1, 1, -1};
  for (std::size_t i = 0; i < inputs.size(); ++i) x(0, i) = inputs[i];
  for (std::size_t row = 0; row < paper::kFailingRun.size(); ++row) {
    DnfActivations<double> activations;
    forward(failing_run(row == 1), x, activations);
    std::vector<Cell> cells = {{row == 0 ? "trained" : "thresholded"}};
    for (std::size_t q = 0; q < 4; ++q) cells.push_back(Cell::number(activations.c(0, q), 2));
    for (std::size_t a = 0; a < 3; ++a) cells.push_back(Cell::number(std::tanh(activations.d(0, a)), 2));
    std::string printed;
    for (const double figure : paper::kFailingRun[row])
      printed += fmt::format("{}{:.2f}", printed.empty() ? "" : ", ", figure);
    cells.push_back({printed});
    table.add(std::move(cells));
  }
  return table;
}

std::vector<Block> show_extraction(const Effort& effort, const Results& results) {
  return {
      Paragraph{"`ndnf extract RUN` on every neural DNF-MT run, all seeds counted. *Faithful*: the network's "
                "action (ASP) or its "
                "distribution to 0.001 (ProbLog) in every reachable observation, exactly one action "
                "everywhere. Differences are the "
                "worst over all seeds and reachable observations; sizes are means over seeds. For Door "
                "Corridor *rules* includes "
                "the definitions of the invented predicates."},
      faithful_table(effort, results),
      Paragraph{"The paper's way (`--method threshold`) on the same networks. *Visited* is the paper's own "
                "criterion: right "
                "wherever the policy comes."},
      threshold_table(effort, results),
      Paragraph{"The paper's example of a Blackjack program beside the means of ours:"},
      program_sizes_table(effort, results),
      Paragraph{
          "Size against faithfulness, means over seeds: annotated disjunctions of a ProbLog program, the "
          "conjunctions in the bodies of its rules and their literals; *argmax* keeps the best action only."},
      frontier_table(effort, results),
      Paragraph{"The network that thresholding breaks (`tab:dc-2501-failed-case`), from the weights that the "
                "paper prints, where "
                "x_2 = −1, x_7 = 1, x_9 = 1, x_13 = −1:"},
      failing_table()};
}

}  // namespace

Experiment extraction_experiment() {
  return {"extraction", "Programs: faithfulness and size", extraction_pieces, show_extraction};
}

}  // namespace ndnf
