#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/solvers/problog_driver.h"
#include "ndnf/solvers/real_solvers.h"

namespace ndnf {
namespace {

using nlohmann::json;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_problog(const std::string& python) {
  try {
    return call_python(python, "", "import problog", "", {}).exit_code == 0;
  } catch (const Error&) {
    return false;
  }
}

/// The interpreter in the first line of the program `problog`: the Python for which pip installed it.
std::string python_of_program() {
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::ifstream program(std::filesystem::path(folder) / "problog");
    std::string line;
    if (std::getline(program, line) && line.starts_with("#!")) return line.substr(2);
  }
  return "";
}

std::string find_python() {
  const std::string named = environment("NDNF_PROBLOG_PYTHON");
  std::vector<std::string> candidates{named};
  if (named.empty()) candidates = {solvers_in_use().problog_python, "python3", python_of_program()};
  for (const std::string& python : candidates) {
    if (!python.empty() && has_problog(python)) return python;
  }
  throw Error("", "ProbLog is not installed",
              "install problog from PyPI, and name its Python in NDNF_PROBLOG_PYTHON if that is not python3");
}

json texts(const std::vector<SolverText>& programs) {
  json all = json::array();
  for (const SolverText& program : programs) all.push_back(program.sent());
  return all;
}

json quantity_names(const Vocabulary& vocabulary) {
  json names = json::array();
  for (const Quantity& quantity : vocabulary.quantities()) names.push_back(quantity.name);
  return names;
}

json to_request(const std::vector<SolverText>& programs, const std::vector<ProblogQuestion>& questions,
                const Vocabulary& vocabulary, bool exactly_one, std::chrono::seconds limit) {
  json asked = json::array();
  for (const ProblogQuestion& question : questions)
    asked.push_back({question.program, question.facts, question.places});
  return {{"programs", texts(programs)},
          {"questions", std::move(asked)},
          {"atoms", vocabulary.atom_names()},
          {"quantities", quantity_names(vocabulary)},
          {"actions", vocabulary.actions()},
          {"one", exactly_one},
          {"limit", limit.count()}};
}

/// The reply of one of the scripts in problog_driver.h to a request.
template <class Read>
auto ask_python(OwnText script, const json& request, const SolverLimits& limits, const Read& read) {
  const ProcessResult result = call_python(find_python(), kProblogChildren, script, request.dump(), limits);
  if (result.timed_out || result.output_cut || result.output.empty()) {
    throw_no_answer("problog", result, limits);
  }
  try {
    const json reply = json::parse(result.output);
    if (reply.contains("error")) throw Error("problog", reply.at("error").get<std::string>());
    return read(reply);
  } catch (const json::exception& error) {
    throw_nonsense("problog", error.what());
  }
}

/// ProbLog computes with logarithms, so a certain result may be slightly above 1.
double probability(const json& value) {
  const double number = value.get<double>();
  if (!(number >= 0 && number <= 1 + 1e-6))
    throw_nonsense("problog", fmt::format("a probability of {}", number));
  return std::min(1.0, number);
}

std::vector<std::optional<double>> read_row(const json& values, std::size_t size) {
  if (values.size() != size) throw_nonsense("problog", "wrong number of values");
  std::vector<std::optional<double>> row;
  for (const json& value : values) {
    row.push_back(value.is_null() ? std::nullopt : std::optional(probability(value)));
  }
  return row;
}

ProblogAnswer read_timed(const json& answer) {
  ProblogAnswer read{answer.at("seconds").get<double>(), {}};
  for (const auto& [query, value] : answer.at("values").items()) {
    read.probabilities[query] = probability(value);
  }
  return read;
}

}  // namespace

void require_problog() { find_python(); }

std::vector<std::vector<std::optional<double>>> ask_problog(const std::vector<SolverText>& programs,
                                                            const std::vector<ProblogQuestion>& questions,
                                                            const Vocabulary& vocabulary, bool exactly_one,
                                                            std::chrono::seconds limit,
                                                            const SolverLimits& limits) {
  const json request = to_request(programs, questions, vocabulary, exactly_one, limit);
  return ask_python(kProblogDriver, request, limits, [&](const json& reply) {
    std::vector<std::vector<std::optional<double>>> rows;
    for (const json& values : reply.at("rows")) {
      rows.push_back(read_row(values, vocabulary.action_count() + (exactly_one ? 1 : 0)));
    }
    if (rows.size() != questions.size()) throw_nonsense("problog", "wrong number of rows");
    return rows;
  });
}

std::vector<std::optional<ProblogAnswer>> time_problog(const std::vector<SolverText>& programs,
                                                       std::chrono::seconds limit) {
  const json request = {{"programs", texts(programs)}, {"limit", limit.count()}};
  const auto most = static_cast<std::int64_t>(programs.size() + 1) * limit + std::chrono::minutes(10);
  return ask_python(kProblogTimer, request, {most}, [&](const json& reply) {
    std::vector<std::optional<ProblogAnswer>> answers;
    for (const json& answer : reply.at("answers")) {
      answers.push_back(answer.is_null() ? std::nullopt : std::optional(read_timed(answer)));
    }
    if (answers.size() > programs.size()) throw_nonsense("problog", "more answers than programs");
    return answers;
  });
}

ProblogEvaluation evaluate_with_problog(const SolverText& rules, const ObservationTable& table,
                                        std::span<const ObsId> ids, std::chrono::seconds limit,
                                        const SolverLimits& limits) {
  const Vocabulary& vocabulary = table.vocabulary();
  std::vector<ProblogQuestion> questions;
  for (const ObsId obs : ids) {
    const bool numbers = !vocabulary.quantities().empty();
    questions.push_back({0, table.facts(obs),
                         numbers ? places_of(table.dense(obs), vocabulary) : std::vector<std::int32_t>{}});
  }
  const auto answers = ask_problog({rules}, questions, vocabulary, true, limit, limits);
  const std::size_t actions = vocabulary.action_count();
  std::vector<double> rows(table.size() * actions);
  std::vector<double> exactly_one(table.size());
  std::vector<ProblogTimeout> timeouts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (ActionId a = 0; a < actions; ++a) {
      if (!answers[i][a]) timeouts.push_back({ids[i], a});
      rows[ids[i] * actions + a] = answers[i][a].value_or(0);
    }
    if (!answers[i][actions]) timeouts.push_back({ids[i], std::nullopt});
    exactly_one[ids[i]] = answers[i][actions].value_or(0);
  }
  return {PolicyTable(actions, std::move(rows), std::move(exactly_one)), std::move(timeouts)};
}

ProblogEvaluation evaluate_with_problog(const Program& program, const ObservationTable& table,
                                        std::span<const ObsId> ids, std::chrono::seconds limit,
                                        const SolverLimits& limits) {
  return evaluate_with_problog(solver_text(program), table, ids, limit, limits);
}

}  // namespace ndnf
