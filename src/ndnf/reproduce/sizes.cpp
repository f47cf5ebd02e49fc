// Beyond the paper: the cost of readable programs. Return against size, over presets and seeds.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ndnf/pieces/runs.h"
#include "ndnf/report/scatter_chart.h"
#include "ndnf/reproduce/all_experiments.h"

namespace ndnf {
namespace {

struct Kind {
  std::string name;
  std::string preset;
};

/// Presets for one task whose programs can be compared.
struct SizedTask {
  std::string title;
  std::string as;
  std::vector<Kind> kinds;
};

std::vector<Kind> kinds_of(const std::string& task, const std::vector<std::string>& variants) {
  std::vector<Kind> kinds = {{"paper", "paper/" + task}, {"best", "best/" + task}};
  for (const std::string& variant : variants)
    kinds.push_back({"best, " + variant, fmt::format("best/{}-{}", task, variant)});
  return kinds;
}

const std::vector<SizedTask>& all_tasks() {
  static const std::vector<SizedTask> kTasks = {
      {"LC-11, rules", "asp", kinds_of("long-corridor-11-ndnf-mt", {"small"})},
      {"Door Corridor, rules for actions", "asp", kinds_of("door-corridor-ndnf-mt", {"small"})},
      {"Blackjack, rules", "asp", kinds_of("blackjack-ndnf-mt", {"small", "exact"})},
      {"Taxi one-hot, rules",
       "asp",
       {{"paper", "paper/taxi-distill-ndnf-mt"},
        {"best, distilled", "best/taxi-distill-ndnf-mt"},
        {"best", "best/taxi-ndnf-mt"},
        {"best, small", "best/taxi-ndnf-mt-small"}}},
      {"Taxi factored, rules",
       "asp",
       {{"best", "best/taxi-factored-ndnf-mt"}, {"best, small", "best/taxi-factored-ndnf-mt-small"}}},
      {"Blackjack, annotated disjunctions", "problog", kinds_of("blackjack-ndnf-mt", {"small", "exact"})},
      {"SC wall, annotated disjunctions", "problog",
       kinds_of("small-corridor-wall-ndnf-mt", {"small", "exact"})},
      {"LC-5 wall, annotated disjunctions", "problog",
       kinds_of("long-corridor-5-wall-ndnf-mt", {"small", "exact"})},
      {"LC-11 wall, annotated disjunctions", "problog",
       kinds_of("long-corridor-11-wall-ndnf-mt", {"small", "exact"})},
  };
  return kTasks;
}

/// Those that the effort allows.
std::vector<SizedTask> tasks(const Effort& effort) {
  std::vector<SizedTask> some;
  for (SizedTask task : all_tasks()) {
    std::erase_if(task.kinds, [&](const Kind& kind) { return left_out(kind.preset, effort); });
    if (!task.kinds.empty()) some.push_back(std::move(task));
  }
  return some;
}

std::vector<Piece> sizes_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const SizedTask& task : tasks(effort)) {
    for (const Kind& kind : task.kinds) {
      const Study study = study_of(kind.preset, effort);
      append(all, train_pieces(study));
      append(all, extract_pieces(study, task.as));
    }
  }
  return all;
}

struct Programs {
  Sample sizes;
  Sample returns;
};

Programs programs_of(const Study& study, const std::string& as, const Results& results) {
  Programs programs;
  for (const std::string& name : extract_names(study, as)) {
    const Json& report = results.at(name);
    if (!report.at("return_program").is_number()) continue;
    programs.sizes.values.push_back(report.at(as == "asp" ? "action_rules" : "annotated_disjunctions"));
    programs.returns.values.push_back(report.at("return_program"));
  }
  return programs;
}

double optimum_of(const Study& study, const Results& results) {
  return results.at(train_names(study).front()).at("optimum").get<double>();
}

/// The smallest program with an optimal return (to 1 part in 10⁴: sampled policies approach the optimum but
/// never reach it) that is proved minimal.
std::optional<double> proved_minimum(const SizedTask& task, const Effort& effort, const Results& results) {
  std::optional<double> least;
  for (const Kind& kind : task.kinds) {
    const Study study = study_of(kind.preset, effort);
    const double optimum = optimum_of(study, results);
    for (const std::string& name : extract_names(study, task.as)) {
      const Json& report = results.at(name);
      const bool counts = report.at("proved_minimal") == true && report.at("return_program").is_number() &&
                          report.at("return_program").get<double>() >= optimum - 1e-4 * std::abs(optimum);
      if (!counts) continue;
      const double size = report.at(task.as == "asp" ? "action_rules" : "annotated_disjunctions");
      least = std::min(least.value_or(size), size);
    }
  }
  return least;
}

/// The position of a size on the logarithmic axis, at least 1: a deterministic program has no annotated
/// disjunction at all.
double drawn(double size) { return std::max(1.0, size); }

ScatterPanel panel_of(const SizedTask& task, const Effort& effort, const Results& results) {
  ScatterPanel panel{task.title, {}, std::nullopt, std::nullopt};
  if (const auto proved = proved_minimum(task, effort, results)) panel.least_x = drawn(*proved);
  for (const Kind& kind : task.kinds) {
    const Study study = study_of(kind.preset, effort);
    const Programs programs = programs_of(study, task.as, results);
    panel.best_y = optimum_of(study, results);
    Cloud cloud{kind.name, {}};
    for (std::size_t i = 0; i < programs.sizes.values.size(); ++i)
      cloud.points.emplace_back(drawn(programs.sizes.values[i]), programs.returns.values[i]);
    panel.clouds.push_back(std::move(cloud));
  }
  return panel;
}

Table sizes_table(const Effort& effort, const Results& results) {
  Table table{"sizes",
              {{"task", "task and size", false},
               {"preset", "preset", false},
               {"size", "size, mean"},
               {"least", "smallest"},
               {"return", "return of the program"},
               {"optimum", "optimum"},
               {"proved", "proved minimum at the optimum"}}};
  for (const SizedTask& task : tasks(effort)) {
    const auto proved = proved_minimum(task, effort, results);
    for (const Kind& kind : task.kinds) {
      const Study study = study_of(kind.preset, effort);
      const Programs programs = programs_of(study, task.as, results);
      if (programs.sizes.empty()) continue;
      table.add({{task.title},
                 {fmt::format("`{}`", kind.preset)},
                 Cell::number(programs.sizes.mean(), 1),
                 Cell::number(programs.sizes.least(), 0),
                 Cell::estimate(programs.returns.mean(), programs.returns.error(), 4),
                 Cell::number(optimum_of(study, results), 4),
                 proved ? Cell::number(*proved, 0) : Cell::none()});
    }
  }
  return table;
}

std::vector<Block> show_sizes(const Effort& effort, const Results& results) {
  std::vector<ScatterPanel> panels;
  for (const SizedTask& task : tasks(effort)) panels.push_back(panel_of(task, effort, results));
  return {Paragraph{
              "A point is the program of one seed, `ndnf extract RUN --as asp` (rules for actions) or `--as "
              "problog` "
              "(annotated disjunctions; none is drawn as 1). *Proved minimum*: the smallest of these "
              "programs that earns the "
              "optimum, to 1 part in 10⁴, and has a proof that no smaller program does the same. `exact` "
              "presets are model-based."},
          Figure{"sizes", "Return of the program against its size",
                 scatter_chart("Return of the program against its size", "size of the program (logarithmic)",
                               "return of the program", "optimum; proved minimum at the optimum", panels)
                     .to_string()},
          sizes_table(effort, results)};
}

}  // namespace

Experiment sizes_experiment() { return {"sizes", "Return against size", sizes_pieces, show_sizes}; }

}  // namespace ndnf
