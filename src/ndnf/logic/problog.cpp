#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/process.h"
#include "ndnf/logic/problog_driver.h"
#include "ndnf/logic/real_solvers.h"
#include "ndnf/logic/solver_text.h"

namespace ndnf {
namespace {

using nlohmann::json;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_problog(const std::string& python) {
  try {
    return run_process({{python, "-c", "import problog"}, "", {}, {}}).exit_code == 0;
  } catch (const Error&) {
    return false;
  }
}

/// The interpreter in the first line of the program `problog`: where pip put it is where its Python is.
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
  if (named.empty()) candidates = {"python3", python_of_program()};
  for (const std::string& python : candidates) {
    if (!python.empty() && has_problog(python)) return python;
  }
  throw Error("", "ProbLog is not installed",
              "install problog from PyPI, and name its Python in NDNF_PROBLOG_PYTHON if that is not python3");
}

json to_request(const std::vector<std::string>& programs, const std::vector<ProblogQuestion>& questions,
                const Vocabulary& vocabulary, bool exactly_one, std::chrono::seconds limit) {
  json asked = json::array();
  for (const ProblogQuestion& question : questions) asked.push_back({question.program, question.facts});
  return {{"programs", programs},
          {"questions", std::move(asked)},
          {"atoms", vocabulary.atom_names()},
          {"actions", vocabulary.actions()},
          {"one", exactly_one},
          {"limit", limit.count()}};
}

/// The reply of one of the scripts of problog_driver.h.
json run_python(const char* script, const json& request) {
  const ProcessResult result =
      run_process({{find_python(), "-c", std::string(kProblogChildren) + script}, request.dump(), {}, {}});
  json reply = json::parse(result.output, nullptr, false);
  if (reply.is_discarded()) throw Error("problog", result.errors);
  if (reply.contains("error")) throw Error("problog", reply.at("error").get<std::string>());
  return reply;
}

}  // namespace

void require_problog() { find_python(); }

std::vector<std::vector<std::optional<double>>> ask_problog(const std::vector<std::string>& programs,
                                                            const std::vector<ProblogQuestion>& questions,
                                                            const Vocabulary& vocabulary, bool exactly_one,
                                                            std::chrono::seconds limit) {
  const json answer =
      run_python(kProblogDriver, to_request(programs, questions, vocabulary, exactly_one, limit));
  std::vector<std::vector<std::optional<double>>> rows;
  for (const json& values : answer.at("rows")) {
    auto& row = rows.emplace_back();
    for (const json& value : values) {
      row.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    }
  }
  return rows;
}

std::vector<std::optional<ProblogAnswer>> time_problog(const std::vector<std::string>& programs,
                                                       std::chrono::seconds limit) {
  const json reply = run_python(kProblogTimer, {{"programs", programs}, {"limit", limit.count()}});
  std::vector<std::optional<ProblogAnswer>> answers;
  for (const json& answer : reply.at("answers")) {
    answers.push_back(answer.is_null()
                          ? std::nullopt
                          : std::optional(ProblogAnswer{answer.at("seconds"), answer.at("values")}));
  }
  return answers;
}

ProblogEvaluation evaluate_with_problog(std::string_view rules, const ObservationTable& table,
                                        std::span<const ObsId> ids, std::chrono::seconds limit) {
  const Vocabulary& vocabulary = table.vocabulary();
  std::vector<ProblogQuestion> questions;
  for (const ObsId obs : ids) {
    ProblogQuestion& question = questions.emplace_back();
    for (const AtomId atom : table.facts(obs)) question.facts.push_back(vocabulary.atom_name(atom));
  }
  const auto answers = ask_problog({std::string(rules)}, questions, vocabulary, true, limit);
  const std::size_t actions = vocabulary.action_count();
  std::vector<double> rows(table.size() * actions);
  std::vector<double> exactly_one(table.size());
  std::vector<ProblogTimeout> timeouts;
  // ProbLog computes with logarithms, so certainty may come out a little above 1.
  const auto number = [](std::optional<double> answer) { return std::min(1.0, answer.value_or(0)); };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (ActionId a = 0; a < actions; ++a) {
      if (!answers[i][a]) timeouts.push_back({ids[i], a});
      rows[ids[i] * actions + a] = number(answers[i][a]);
    }
    if (!answers[i][actions]) timeouts.push_back({ids[i], std::nullopt});
    exactly_one[ids[i]] = number(answers[i][actions]);
  }
  return {PolicyTable(actions, std::move(rows), std::move(exactly_one)), std::move(timeouts)};
}

ProblogEvaluation evaluate_with_problog(const Program& program, const ObservationTable& table,
                                        std::span<const ObsId> ids, std::chrono::seconds limit) {
  return evaluate_with_problog(solver_text(program), table, ids, limit);
}

}  // namespace ndnf
