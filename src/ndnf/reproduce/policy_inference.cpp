#include "ndnf/reproduce/policy_inference.h"

#include <chrono>

#include <fmt/format.h>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/problog_query.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

const char* const kInferencePreset = "paper/blackjack-ndnf-mt";

/// One way to query ProbLog: in every n-th of the 380 observations.
struct Way {
  std::string key;
  std::string title;
  bool as_probabilities;
  ObsId every;
};
const std::vector<Way>& ways() {
  static const std::vector<Way> kWays = {{"facts", "problog, facts as they are", false, 10},
                                         {"probabilities", "problog, facts as probabilities", true, 100}};
  return kWays;
}

std::chrono::seconds inference_limit(const Effort& effort) {
  return effort.quick ? std::chrono::seconds(2) : kProblogTimeLimit;
}

/// `inferences` and their `seconds`; the last one is null if it timed out.
Json by_problog(const Way& way, const SolverText& rules, const ObservationTable& table,
                std::chrono::seconds limit) {
  std::vector<SolverText> programs;
  for (ObsId obs = 0; obs < table.size(); obs += way.every)
    programs.push_back(problog_query(rules, table, obs, way.as_probabilities));
  double seconds = 0;
  std::size_t inferences = 0;
  for (const auto& answer : time_problog(programs, limit)) {
    if (!answer) return {{"inferences", inferences + 1}, {"seconds", nullptr}};
    seconds += answer->seconds;
    ++inferences;
  }
  return {{"inferences", inferences}, {"seconds", seconds}};
}

Json by_ndnf(const Program& rules, const ObservationTable& table) {
  const auto begin = std::chrono::steady_clock::now();
  tabulate(BoundProgram(rules, table.shared_vocabulary()), table);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return {{"inferences", table.size()}, {"seconds", passed.count()}};
}

Json measure_inference(const Study& study, std::chrono::seconds limit, const fs::path& out) {
  const Task blackjack = make_task("blackjack");
  const ObservationTable& table = blackjack.model().observations();
  const fs::path file = out / program_file(study, study.first_seed, kPaperWay, "problog");
  const Program program = read_program(file, table.vocabulary());
  Json json = {{"ndnf", by_ndnf(program, table)}};
  for (const Way& way : ways())
    json[way.key] = by_problog(way, PolicySource(file).for_solver(), table, limit);
  return json;
}

/// The program of the first seed.
Study timed_study(const Effort& effort) {
  Study study = study_of(kInferencePreset, effort);
  study.seeds = 1;
  return study;
}

Piece inference_piece(const Effort& effort) {
  const Study study = timed_study(effort);
  const std::chrono::seconds time_limit = inference_limit(effort);
  return {"time/inference", fmt::format("{}{} s", extract_pieces(study).front().inputs, time_limit.count()),
          Stage::kTime, 30,
          [study, time_limit](const fs::path& out) { return measure_inference(study, time_limit, out); }};
}

std::size_t disjunctions_of(const Json& report) {
  for (const Json& attempt : report.at("methods")) {
    if (attempt.at("method") == kPaperWay) return attempt.at("annotated_disjunctions");
  }
  return 0;
}

}  // namespace

std::vector<Piece> inference_pieces(const Effort& effort) {
  const Study study = timed_study(effort);
  std::vector<Piece> all = train_pieces(study);
  append(all, extract_pieces(study));
  all.push_back(inference_piece(effort));
  return all;
}

Table inference_table(const Effort& effort, const Results& results) {
  Table table{"inference",
              {{"by", "by", false},
               {"disjunctions", "annotated disjunctions"},
               {"inferences", "inferences"},
               {"seconds", "seconds"},
               {"each", "seconds each"}}};
  const auto add = [&](const std::string& by, std::size_t disjunctions, std::size_t inferences,
                       const Json& seconds) {
    const auto figure = [](double value) { return Cell{fmt::format("{:.4g}", value), value}; };
    table.add({{by},
               Cell::count(disjunctions),
               Cell::count(inferences),
               seconds.is_null() ? Cell::none() : figure(seconds),
               seconds.is_null() ? Cell{fmt::format("one > {}", inference_limit(effort).count())}
                                 : figure(seconds.get<double>() / static_cast<double>(inferences))});
  };
  add("problog, the paper", paper::kTimedDisjunctions, paper::kTimedInferences, paper::kTimedSeconds);
  const Json& ours = results.at(inference_piece(effort).name);
  const std::size_t disjunctions = disjunctions_of(results.at(extract_names(timed_study(effort)).front()));
  for (const Way& way : ways()) {
    const Json& own = ours.at(way.key);
    add(way.title, disjunctions, own.at("inferences"), own.at("seconds"));
  }
  add("ndnf", disjunctions, ours.at("ndnf").at("inferences"), ours.at("ndnf").at("seconds"));
  return table;
}

}  // namespace ndnf
