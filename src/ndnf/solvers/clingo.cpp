#include "ndnf/solvers/clingo.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using nlohmann::json;

/// clingo's exit codes are sums of these (clasp's ExitCode).
constexpr int kInterruptedBit = 1;
constexpr int kSatisfiableBit = 10;
constexpr int kExhaustedBit = 20;

/// 0 means that the solve limit was reached before anything was found.
bool is_answer(int exit_code) {
  const int found = exit_code & ~kInterruptedBit;
  return found == 0 || found == kSatisfiableBit || found == kExhaustedBit ||
         found == (kSatisfiableBit | kExhaustedBit);
}

/// True if clingo was asked for an optimum and cannot say whether it has found it.
bool lacks_proof(const json& document) {
  return document.value("Models", json::object()).value("Optimum", "yes") != "yes";
}

/// Keeps the models of least cost. While improving, clingo prints every intermediate model; if it then lists
/// all optima (`Optimal` is their number), the first one is repeated.
void read_models(const json& document, ClingoAnswer& answer) {
  for (const json& call : document.at("Call")) {
    if (!call.contains("Witnesses")) continue;
    for (const json& witness : call.at("Witnesses")) {
      if (witness.contains("Lower") && !witness.contains("Value")) continue;  // clingo 5.8 lists bounds, too
      std::vector<std::int64_t> costs;
      if (witness.contains("Costs")) costs = witness.at("Costs").get<std::vector<std::int64_t>>();
      if (!answer.models.empty() && answer.costs < costs) continue;
      if (costs < answer.costs) answer.models.clear();
      answer.costs = std::move(costs);
      answer.models.push_back(witness.at("Value").get<std::vector<std::string>>());
    }
  }
  if (lacks_proof(document)) return;
  const json summary = document.value("Models", json::object());
  const std::size_t optimal = summary.value("Optimal", answer.models.size());
  if (optimal > answer.models.size()) throw_nonsense("clingo", "fewer models than reported");
  const std::size_t repeated = answer.models.size() - optimal;
  answer.models.erase(answer.models.begin(), answer.models.begin() + static_cast<std::ptrdiff_t>(repeated));
}

ClingoAnswer::Status read_status(const json& document, bool interrupted) {
  const std::string result = document.at("Result").get<std::string>();
  if (result == "OPTIMUM FOUND") return ClingoAnswer::Status::kOptimum;
  if (result == "UNSATISFIABLE") return ClingoAnswer::Status::kUnsatisfiable;
  if (result == "SATISFIABLE" && !interrupted && !lacks_proof(document)) {
    return ClingoAnswer::Status::kSatisfiable;
  }
  return ClingoAnswer::Status::kInterrupted;
}

}  // namespace

bool read_numbers(std::string_view atom, std::string_view name, std::span<const std::size_t> bounds,
                  std::span<std::size_t> numbers) {
  if (atom.substr(0, atom.find('(')) != name) return false;
  const auto fail = [&] { throw_nonsense("clingo", fmt::format("unexpected atom {}", atom.substr(0, 100))); };
  const char* at = atom.data() + name.size();
  const char* const end = atom.data() + atom.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (at == end || *at != (i == 0 ? '(' : ',')) fail();
    const auto [stop, error] = std::from_chars(at + 1, end, numbers[i]);
    if (error != std::errc() || numbers[i] >= bounds[i]) fail();
    at = stop;
  }
  if (std::string_view(at, static_cast<std::size_t>(end - at)) != ")") fail();
  return true;
}

std::vector<ClingoComplaint> read_complaints(std::string_view messages, std::string_view kind) {
  constexpr std::string_view kPlace = "-:";
  std::vector<ClingoComplaint> complaints;
  while (!messages.empty()) {
    std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(messages.size(), line.size() + 1));
    const std::size_t found = line.find(kind);
    if (!line.starts_with(kPlace) || found == std::string_view::npos) continue;
    const std::size_t what = std::min(line.size(), found + kind.size() + 2);  // after a colon and a space
    ClingoComplaint complaint{0, std::string(line.substr(what))};
    std::from_chars(line.data() + kPlace.size(), line.data() + line.size(), complaint.line);
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

ClingoAnswer run_clingo(const SolverText& program, const std::vector<std::string>& options,
                        std::optional<std::uint64_t> solve_limit, const SolverLimits& limits) {
  std::vector<std::string> arguments{"--outf=2", "--warn=none"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (solve_limit) arguments.push_back(fmt::format("--solve-limit={}", *solve_limit));
  const ProcessResult result = call_clingo(program, arguments, limits);
  if (result.timed_out || result.output_cut || !is_answer(result.exit_code)) {
    throw_no_answer("clingo", result, limits);
  }
  try {
    const json document = json::parse(result.output);
    ClingoAnswer answer;
    read_models(document, answer);
    answer.status = read_status(document, (result.exit_code & kInterruptedBit) != 0);
    if (answer.status == ClingoAnswer::Status::kOptimum && answer.models.empty()) {
      throw_nonsense("clingo", "an optimum without a model");
    }
    return answer;
  } catch (const json::exception& error) {
    if (result.output.empty()) throw_no_answer("clingo", result, limits);
    throw_nonsense("clingo", error.what());
  }
}

}  // namespace ndnf
