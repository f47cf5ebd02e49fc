#include "ndnf/pipeline/extract_policy.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/file.h"
#include "ndnf/env/registry.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/pipeline/certificate.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/shield_source.h"
#include "ndnf/symbolic/compact.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Syntax syntax_for(const ExtractionRequest& request, const Checkpoint& checkpoint) {
  std::string as = request.as.value_or(checkpoint.extract_as);
  if (!request.as && request.method == "exact") as = "asp";
  if (!request.as && request.method == "refit") as = "problog";
  return as == "asp" ? Syntax::kAsp : Syntax::kProbLog;
}

fs::path program_file(const ExtractionRequest& request, Syntax as) {
  const std::string extension = as == Syntax::kAsp ? ".lp" : ".pl";
  if (request.output) {
    if (fs::path(*request.output).extension() != extension) {
      throw Error("-o", fmt::format("{} would not be read back as it is written", *request.output),
                  "its name must end in " + extension);
    }
    return *request.output;
  }
  if (fs::is_directory(request.run)) return fs::path(request.run) / ("policy" + extension);
  const fs::path file = fs::path(request.run).replace_extension(extension);
  if (fs::exists(file)) {  // it may be what the network was compiled from
    throw Error(file.string(), "is there already", "name the program's file with -o");
  }
  return file;
}

std::string size_text(const Extraction& extraction) {
  const Attempt& best = extraction.best();
  const std::string what = extraction.as == Syntax::kAsp
                               ? fmt::format("{} rules for the actions", best.size.action_rules)
                               : fmt::format("{} annotated disjunctions", best.size.annotated_disjunctions);
  const std::string proof =
      best.proved_minimal ? "proved minimal" : fmt::format("best found, at least {}", best.lower_bound);
  return fmt::format("{} ({}), {} rules and {} literals in all", what, proof, best.size.rules,
                     best.size.literals);
}

std::string faithfulness_text(const Extraction& extraction) {
  const Agreement& reachable = extraction.best().reachable;
  if (!extraction.best().faithful) {
    return fmt::format("NOT faithful: {} of {} reachable observations differ, probabilities by up to {:.2g}",
                       reachable.disagreements, reachable.observations, reachable.max_dp);
  }
  if (extraction.as == Syntax::kAsp) {
    return fmt::format("the network's action in all {} reachable observations", reachable.observations);
  }
  return fmt::format("the network's probabilities to {:.2g} in all {} reachable observations",
                     reachable.max_dp, reachable.observations);
}

// What a reader should know first. The line "environment:" lets other commands find it.
std::vector<std::string> heading(const std::string& env, const Extraction& extraction) {
  std::vector<std::string> lines = {
      "environment: " + env, fmt::format("method: {}; {}", extraction.best().method, size_text(extraction)),
      faithfulness_text(extraction)};
  if (extraction.best().mean_return) {
    lines.push_back(fmt::format("exact return: {:.7g} (network {:.7g})", *extraction.best().mean_return,
                                extraction.return_network));
  }
  lines.push_back("");
  return lines;
}

// The folded text must mean the same to who reads it back.
void check_same(const std::string& text, const Program& plain, const Scope& scope) {
  const auto& vocabulary = scope.table().shared_vocabulary();
  const BoundProgram folded(ground_program("--compact", text, Syntax::kAsp, *vocabulary), vocabulary);
  const PolicyTable a = tabulate(folded, scope.table());
  const PolicyTable b = tabulate(BoundProgram(plain, vocabulary), scope.table());
  for (const ObsId obs : scope.observations()) {
    if (!std::equal(a.row(obs).begin(), a.row(obs).end(), b.row(obs).begin())) {
      throw Error("--compact", "folding changed " + scope.table().describe(obs), "extract without it");
    }
  }
}

std::string program_text(const ExtractionRequest& request, const Environment& environment,
                         const Subject& subject, const Extraction& extraction) {
  Program program = *extraction.best().program;
  const Scope scope(environment.model.shared_observations(), subject.reachable);
  if (request.compact) program = compacted(program, scope);
  if (!program.statements.empty()) {
    auto& comments = program.statements.front().comments;
    const auto lines = heading(environment.spec, extraction);
    comments.insert(comments.begin(), lines.begin(), lines.end());
  }
  const std::string text = to_text(program);
  if (request.compact) check_same(text, *extraction.best().program, scope);
  return text;
}

Json agreement_json(const Agreement& agreement) {
  return {{"observations", agreement.observations},
          {"disagreements", agreement.disagreements},
          {"max_dp", agreement.max_dp},
          {"exactly_one", agreement.exactly_one}};
}

Json attempt_json(const Attempt& attempt, double return_network) {
  Json json = {{"method", attempt.method}, {"faithful", attempt.faithful}};
  if (attempt.tau) json["tau"] = *attempt.tau;
  if (!attempt.program) {
    json["reason"] = attempt.reason;
    for (const char* figure : {"disagreements", "max_dp", "exactly_one", "visited", "rules", "conjunctions",
                               "literals", "annotated_disjunctions", "splits", "return_program"}) {
      json[figure] = nullptr;
    }
    json["lower_bound"] = attempt.lower_bound;
    json["proved_minimal"] = false;
    json["return_network"] = return_network;
    json["seconds"] = attempt.seconds;
    return json;
  }
  json["observations"] = attempt.reachable.observations;
  json["disagreements"] = attempt.reachable.disagreements;
  json["max_dp"] = attempt.reachable.max_dp;
  json["kl"] = attempt.kl;
  json["exactly_one"] = attempt.reachable.exactly_one;
  json["visited"] = agreement_json(attempt.visited);
  json["rules"] = attempt.size.rules;
  json["action_rules"] = attempt.size.action_rules;
  json["conjunctions"] = attempt.size.conjunctions;
  json["literals"] = attempt.size.literals;
  json["annotated_disjunctions"] = attempt.size.annotated_disjunctions;
  json["splits"] = attempt.size.splits;
  json["lower_bound"] = attempt.lower_bound;
  json["proved_minimal"] = attempt.proved_minimal;
  json["return_network"] = return_network;
  json["return_program"] = attempt.mean_return ? Json(*attempt.mean_return) : Json(nullptr);
  json["seconds"] = attempt.seconds;
  return json;
}

Json frontier_json(const std::vector<FrontierPoint>& frontier) {
  Json list = Json::array();
  for (const FrontierPoint& point : frontier) {
    list.push_back({{"epsilon", point.epsilon ? Json(*point.epsilon) : Json("argmax")},
                    {"conjunctions", point.conjunctions},
                    {"literals", point.literals},
                    {"max_dp", point.max_dp},
                    {"kl", point.kl},
                    {"return", point.mean_return},
                    {"annotated_disjunctions", point.annotated_disjunctions},
                    {"class_conjunctions", point.class_conjunctions}});
  }
  return list;
}

Json definitions_json(const PredicateDefinitions& definitions) {
  Json visited = Json::object();
  for (std::size_t k = 0; k < definitions.visited.size(); ++k) {
    visited[definitions.names[k]] = definitions.visited[k];
  }
  return {{"predicates", definitions.names},
          {"with_several_rules", definitions.disjunctions},
          {"visited", definitions.visited.empty() ? Json(nullptr) : visited},
          {"proved", definitions.proved},
          {"smallest_sets", definitions.optimal_answers},
          {"all_sets", definitions.all_answers}};
}

}  // namespace

PolicyExtraction extract_policy(const ExtractionRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const fs::path model_file = checkpoint_file(request.run);
  const std::string bytes = read_file(model_file);
  const Checkpoint checkpoint = parse_checkpoint(model_file.string(), bytes);
  const Environment environment = environment_for(request.env, {request.run});
  check_fits(request.run, checkpoint, environment.model.observations());

  ExtractionOptions options;
  options.method = request.method;
  options.as = syntax_for(request, checkpoint);
  options.epsilon = request.epsilon;
  options.rules = request.rules;
  options.on_step = request.on_step;
  const fs::path file = program_file(request, options.as);
  if (request.compact && options.as != Syntax::kAsp) {
    throw Error("--compact", "only clingo knows intervals", "leave it out, or add --as asp");
  }
  const auto shield = shield_of(request.run, checkpoint, environment.model.observations());
  Subject subject = make_subject(checkpoint, environment.model, shield ? &*shield : nullptr);
  PolicyExtraction result;
  result.run = request.run;
  result.env = environment.spec;
  result.extraction = extract(subject, environment.model, options);
  // The truth values of an encoder's outputs may not hold what the policy needs. Then its images' atoms do.
  if (request.method == "auto" && options.as == Syntax::kAsp &&
      result.extraction.return_discretised < result.extraction.return_network) {
    subject = on_atoms(subject, environment.model);
    result.extraction = extract(subject, environment.model, options);
  }
  result.over = subject.view.invented(environment.model.observations()) ? "predicates" : "atoms";
  if (result.extraction.best().program) {
    result.text = program_text(request, environment, subject, result.extraction);
    result.file = file.string();
    result.certificate = certificate_file(file).string();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!result.file.empty()) {
    write_file(file, result.text);
    const Json claims = certificate(result, subject, checkpoint, bytes, request.certify);
    write_file(result.certificate, claims.dump(1) + "\n");
  }
  return result;
}

nlohmann::ordered_json to_json(const PolicyExtraction& result) {
  const Extraction& extraction = result.extraction;
  Json json = {{"run", result.run},
               {"env", result.env},
               {"as", extraction.as == Syntax::kAsp ? "asp" : "problog"},
               {"select", extraction.as == Syntax::kAsp ? "argmax" : "sample"}};
  json.update(attempt_json(extraction.best(), extraction.return_network));
  json["over"] = result.over;
  json["changed_by_discretisation"] = extraction.changed_actions;
  json["return_discretised"] = extraction.return_discretised;
  json["file"] = result.file.empty() ? Json(nullptr) : Json(result.file);
  json["frontier"] = frontier_json(extraction.frontier);
  if (extraction.best().definitions) json["definitions"] = definitions_json(*extraction.best().definitions);
  json["methods"] = Json::array();
  for (const Attempt& attempt : extraction.attempts) {
    json["methods"].push_back(attempt_json(attempt, extraction.return_network));
  }
  json["seconds"] = result.seconds;
  return json;
}

}  // namespace ndnf
