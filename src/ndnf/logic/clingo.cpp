#include "ndnf/logic/clingo.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

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

/// A clingo that takes longer than this is taken to hang: an error, never an answer.
constexpr std::chrono::hours kPatience{1};

std::string clingo_program() {
  const char* named = std::getenv("NDNF_CLINGO");
  return named != nullptr && *named != '\0' ? named : "clingo";
}

/// 0: the solve limit was reached before anything was found.
bool is_answer(int exit_code) {
  const int found = exit_code & ~kInterruptedBit;
  return found == 0 || found == kSatisfiableBit || found == kExhaustedBit ||
         found == (kSatisfiableBit | kExhaustedBit);
}

/// True if clingo was to find an optimum and cannot say whether it has.
bool lacks_proof(const json& document) {
  return document.value("Models", json::object()).value("Optimum", "yes") != "yes";
}

/// The first line of what clingo says that names a mistake.
std::string complaint(const std::string& errors) {
  const std::size_t at = errors.find("error: ");
  if (at == std::string::npos) return errors.substr(0, errors.find('\n'));
  const std::size_t begin = errors.rfind('\n', at) + 1;  // npos + 1 is 0
  return errors.substr(begin, errors.find('\n', at) - begin);
}

/// Keeps the models of least cost. While it improves, clingo prints every step; when it then lists all optima
/// (their number is `Optimal`), the first comes again.
void read_models(const json& document, ClingoAnswer& answer) {
  for (const json& call : document.at("Call")) {
    if (!call.contains("Witnesses")) continue;
    for (const json& witness : call.at("Witnesses")) {
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
  const std::size_t repeated = answer.models.size() - summary.value("Optimal", answer.models.size());
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

ProcessResult call_clingo(const std::string& program, const std::vector<std::string>& options,
                          std::optional<std::chrono::milliseconds> time_limit,
                          std::optional<std::size_t> output_limit) {
  ProcessRequest request{{clingo_program(), "-"}, program, {}, time_limit, output_limit};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  try {
    return run_process(request);
  } catch (const Error& error) {
    throw Error("", error.what(),
                "install clingo (the Debian package gringo, or clingo from PyPI) or name it in NDNF_CLINGO");
  }
}

std::vector<ClingoComplaint> read_complaints(std::string_view messages) {
  constexpr std::string_view kPlace = "-:";
  constexpr std::string_view kError = "error: ";
  std::vector<ClingoComplaint> complaints;
  while (!messages.empty()) {
    std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(messages.size(), line.size() + 1));
    const std::size_t error = line.find(kError);
    if (!line.starts_with(kPlace) || error == std::string_view::npos) continue;
    ClingoComplaint complaint{0, std::string(line.substr(error + kError.size()))};
    std::from_chars(line.data() + kPlace.size(), line.data() + line.size(), complaint.line);
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

ClingoAnswer run_clingo(const std::string& program, const std::vector<std::string>& options,
                        std::optional<std::uint64_t> solve_limit) {
  std::vector<std::string> arguments{"--outf=2", "--warn=none"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (solve_limit) arguments.push_back(fmt::format("--solve-limit={}", *solve_limit));
  const ProcessResult result = call_clingo(program, arguments, kPatience);
  if (result.timed_out) {
    throw Error("clingo", fmt::format("did not answer within {} h", kPatience.count()),
                "a lower --solve-limit makes its work less");
  }
  const json document = json::parse(result.output, nullptr, false);
  if (!is_answer(result.exit_code) || document.is_discarded() || !document.contains("Result")) {
    throw Error("clingo", complaint(result.errors));
  }
  ClingoAnswer answer;
  read_models(document, answer);
  answer.status = read_status(document, (result.exit_code & kInterruptedBit) != 0);
  return answer;
}

}  // namespace ndnf
