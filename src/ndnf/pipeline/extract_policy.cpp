#include "ndnf/pipeline/extract_policy.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/compile/compact.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/certificate.h"
#include "ndnf/pipeline/extraction_subject.h"
#include "ndnf/pipeline/program_heading.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/ordered_rules.h"
#include "ndnf/system/file.h"
#include "ndnf/system/file_descriptor.h"
#include "ndnf/system/folder_lock.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kSampleSeed = 0;
/// Episodes after which no more observations are looked for.
constexpr std::size_t kMostEpisodes = 100000;
constexpr std::size_t kSample = 1000;
constexpr std::size_t kSampleOfNumbers = 100000;  // whole episodes
constexpr std::size_t kEpisodesOfNumbers = 256;

/// Whether the policy is a network with threshold atoms, whose rules are about numbers.
bool has_comparisons(const PolicySource& source) {
  if (!source.is_network()) return false;
  const auto* network = std::get_if<ActorCritic<float>>(&source.checkpoint().policy);
  return network != nullptr && comparisons_of(network->encoder) != nullptr;
}

/// The language that was asked for, or that of the method, the preset or the program; otherwise ASP if one
/// action is certain everywhere.
Syntax syntax_for(const ExtractionRequest& request, const PolicySource& source, const Task& task) {
  if (request.as) return *request.as == "asp" ? Syntax::kAsp : Syntax::kProbLog;
  if (request.method == "exact") return Syntax::kAsp;
  if (request.method == "classes") return Syntax::kProbLog;
  if (source.is_network()) return source.checkpoint().extract_as == "asp" ? Syntax::kAsp : Syntax::kProbLog;
  if (source.is_program()) return source.syntax();
  const PolicyTable rows = source.in(task).table;
  const auto scope = reachable(task.model()).observations;
  const auto certain = [&](ObsId obs) { return !rows.defined(obs) || rows.row(obs)[rows.argmax(obs)] == 1; };
  return std::all_of(scope.begin(), scope.end(), certain) ? Syntax::kAsp : Syntax::kProbLog;
}

/// Empty if nothing is to be written.
fs::path program_file(const ExtractionRequest& request, const PolicySource& source, Syntax as) {
  const std::string extension = as == Syntax::kAsp ? ".lp" : ".pl";
  if (!request.write) return {};
  if (request.output) {
    if (fs::path(*request.output).extension() != extension) {
      throw Error(argument("output"),
                  fmt::format("{} would not be read back in the same syntax", *request.output),
                  "its name must end in " + extension);
    }
    return *request.output;
  }
  if (!request.policy.is_file() || !source.is_network()) return {};
  if (fs::is_directory(request.policy.name)) return fs::path(request.policy.name) / ("policy" + extension);
  const fs::path file = fs::path(request.policy.name).replace_extension(extension);
  if (fs::exists(file)) {  // it may be the program that the network was compiled from
    throw Error(file.string(), "already exists", "name the program's file with " + argument("output"));
  }
  return file;
}

/// Locks a run directory against other writers. A missing folder is reported now, not after the extraction.
std::optional<FolderLock> lock_of(const fs::path& file) {
  if (file.empty()) return std::nullopt;
  const fs::path folder = folder_of(file);
  if (!fs::is_directory(folder)) fail_write(file, ENOENT);
  if (kind_of(folder.string()) != FileKind::kRun) return std::nullopt;
  return FolderLock(folder);
}

/// What a program is extracted from, and the observations on which it is compared.
struct Ground {
  std::shared_ptr<const ObservationTable> observations;
  Subject subject;
  std::optional<ObservationSample> sample;  ///< If the task is not finite.
};

/// The network's selection in a language.
Selection selection_for(Syntax as) {
  return {as == Syntax::kAsp ? Selection::Kind::kArgmax : Selection::Kind::kSample, 0};
}

/// What a network with threshold atoms meets in whole episodes, as many of them as there is room for: a
/// sample that is full lacks what comes late in its episodes, and rules would be wrong there.
ObservationSample whole_episodes(const Task& task, const Policy& policy, const Selection& select,
                                 std::size_t most, std::uint64_t seed) {
  for (std::size_t episodes = kEpisodesOfNumbers;; episodes /= 2) {
    ObservationSample sample =
        sample_observations(task.environments, policy, select, most, {episodes, seed, 1, nullptr});
    if (sample.table->size() < most || episodes == 1) return sample;
  }
}

ObservationSample sample_for(const ExtractionRequest& request, const PolicySource& source, const Task& task,
                             const Selection& select) {
  const auto policy = source.policy(task);
  if (has_comparisons(source))
    return whole_episodes(task, *policy, select, request.sample.value_or(kSampleOfNumbers), kSampleSeed);
  return sample_observations(task.environments, *policy, select, request.sample.value_or(kSample),
                             {kMostEpisodes, kSampleSeed, 1, nullptr});
}

Ground ground_of(const ExtractionRequest& request, const PolicySource& source, const Task& task,
                 const ExtractionOptions& options) {
  if (task.is_finite()) {
    return {task.model().shared_observations(), subject_of(source, task, options.ties == Ties::kFree),
            std::nullopt};
  }
  if (RunFiles(source.name()).has_learned_rules()) {
    throw Error(source.name(), "has learned rules, so there is nothing to extract",
                fmt::format("its program is {}", RunFiles(source.name()).program_file().string()));
  }
  if (!source.is_network()) {
    throw Error(source.name(), fmt::format("{} cannot be enumerated", task.spec),
                "only a network can be extracted on a sample of observations");
  }
  if (task.vocabulary->atom_count() == 0 && !has_comparisons(source)) {
    throw Error(source.name(), fmt::format("{} has no atoms that rules could be about", task.spec));
  }
  ObservationSample sample = sample_for(request, source, task, selection_for(options.as));
  const ActionMask* const offered = sample.offered ? &*sample.offered : nullptr;
  Subject subject = make_subject(source.checkpoint(), decision_model(sample), offered);
  return {sample.table, std::move(subject), std::move(sample)};
}

/// Compares the program with the network on observations that are not in the sample.
void compare_elsewhere(const ObservationSample& sample, const Policy& network, const Policy& program,
                       const Task& task, const ExtractionOptions& options, SampledScope& scope) {
  const Selection select = selection_for(options.as);
  const ObservationSample more =
      task.vocabulary->quantities().empty()
          ? sample_observations(task.environments, network, select, sample.table->size(),
                                {kMostEpisodes, kSampleSeed + 1, 1, nullptr})
          : whole_episodes(task, network, select, kSampleOfNumbers, kSampleSeed + 1);
  const PolicyTable wanted = more.rows_of(network);
  const PolicyTable found = more.rows_of(program);
  for (ObsId obs = 0; obs < more.table->size(); ++obs) {
    if (sample.table->find(more.table->values(obs), more.table->dense(obs))) continue;
    ++scope.fresh;
    const bool same =
        found.defined(obs) &&
        (options.as == Syntax::kAsp ? found.argmax(obs) == wanted.argmax(obs)
                                    : largest_difference(found.row(obs), wanted.row(obs)) <= options.epsilon);
    if (!same) ++scope.fresh_disagreements;
  }
}

std::string lossless(Syntax as) { return as == Syntax::kAsp ? "exact" : "classes"; }

/// Extraction on a sample of observations. Methods that read the network's nodes generalise as the network
/// does; rules made for the sample alone need not, so they are the last resort of `auto`.
Extraction extract_from_sample(const ExtractionRequest& request, const ObservationSample& sample,
                               const Subject& subject, const PolicySource& source, const Task& task,
                               ExtractionOptions options) {
  const FiniteModel model = decision_model(sample);
  std::vector<std::string> methods = {options.method == "auto" ? lossless(options.as) : options.method};
  const bool numbers = !subject.view.comparisons.empty();
  if (options.method == "auto" && subject.dnf && !numbers)
    methods = {"threshold", "disentangle", lossless(options.as)};
  if (options.method == "auto" && numbers && options.as == Syntax::kAsp && options.form == Form::kExactlyOne)
    options.form = Form::kList;  // the shortest form, and it names one action elsewhere, too
  options.bounds = false;        // nothing is claimed about sizes
  Extraction extraction;
  for (const std::string& method : methods) {
    if (method != options.method && method == "exact" && !numbers)
      options.form = Form::kDefault;  // which names one action elsewhere, too
    options.method = method;
    extraction = extract(subject, model, options);
    if (extraction.best().faithful()) break;
  }
  const auto network = source.policy(task);
  const Selection select = selection_for(options.as);
  const SamplingOptions episodes{request.episodes, kSampleSeed + 2, 1, nullptr, task.discount};
  const auto played = [&](const Policy& policy) -> std::optional<Expectation> {
    const Evaluation evaluation = evaluate_by_simulation(task.environments, policy, select, episodes);
    if (evaluation.undefined) return std::nullopt;
    return evaluation.expected_return();
  };
  extraction.sample = SampledScope{sample.table->size(), sample.episodes, 0, 0};
  extraction.frontier.clear();
  extraction.other_forms.clear();
  extraction.return_network = played(*network).value_or(Expectation{});
  extraction.return_discretised = extraction.return_network;
  for (Attempt& attempt : extraction.attempts) {
    if (attempt.program) attempt.mean_return = played(BoundProgram(*attempt.program, task.vocabulary));
  }
  if (const auto& program = extraction.best().program) {
    const BoundProgram bound(*program, task.vocabulary);
    compare_elsewhere(sample, *network, bound, task, options, *extraction.sample);
    if (options.as == Syntax::kAsp) compare_kinds(subject, *network, bound, task, *extraction.sample);
  }
  return extraction;
}

/// Verifies that the compact text, read back, is equivalent to the program.
void check_same(const std::string& text, const Program& plain, const Scope& scope) {
  const auto& vocabulary = scope.table().shared_vocabulary();
  const BoundProgram folded(ground_program(argument("compact"), text, Syntax::kAsp, *vocabulary), vocabulary);
  const PolicyTable a = tabulate(folded, scope.table());
  const PolicyTable b = tabulate(BoundProgram(plain, vocabulary), scope.table());
  for (const ObsId obs : scope.observations()) {
    if (!std::equal(a.row(obs).begin(), a.row(obs).end(), b.row(obs).begin())) {
      throw Error(argument("compact"), "the compact form differs in " + scope.table().describe(obs),
                  "extract without it");
    }
  }
}

std::string program_text(const ExtractionRequest& request, const std::string& env, const Ground& ground,
                         const Extraction& extraction, const Original& original) {
  Program program = *extraction.best().program;
  const Scope scope(ground.observations, ground.subject.reachable);
  if (request.compact) program = compacted(program, scope);
  if (!program.statements.empty()) {
    auto& comments = program.statements.front().comments;
    auto lines = program_heading(env, original, extraction, size_of(program, scope), request.discount);
    const std::string units = units_comment(ground.observations->vocabulary());
    if (!ground.subject.view.comparisons.empty()) lines.insert(lines.end() - 1, units);
    comments.insert(comments.begin(), lines.begin(), lines.end());
  }
  const std::string text = to_text(program);
  if (request.compact) check_same(text, *extraction.best().program, scope);
  return text;
}

ExtractionOptions options_of(const ExtractionRequest& request, Syntax as, bool free_by_default) {
  ExtractionOptions options;
  options.method = request.method;
  options.as = as;
  if (request.over) options.over = *request.over == "atoms" ? Over::kAtoms : Over::kPredicates;
  if (request.ties == "free" || (!request.ties && free_by_default)) options.ties = Ties::kFree;
  if (request.form == "default") options.form = Form::kDefault;
  if (request.form == "list") options.form = Form::kList;
  options.epsilon = request.epsilon;
  options.rules = request.rules;
  options.solve_limit = request.solve_limit;
  if (request.certify) options.search_limit = std::numeric_limits<std::uint64_t>::max();
  options.on_step = [&watch = request.watch, done = 0](const std::string& next) mutable {
    watch.step(static_cast<double>(done++) / static_cast<double>(kExtractionSteps), next);
  };
  return options;
}

Json agreement_json(const Agreement& agreement) {
  return {{"observations", agreement.observations},
          {"disagreements", agreement.disagreements},
          {"max_dp", agreement.max_dp},
          {"exactly_one", agreement.exactly_one}};
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json class_json(const Attempt& attempt) {
  return attempt.program_class ? Json(letter(*attempt.program_class)) : Json(nullptr);
}

Json value_or_null(const std::optional<Expectation>& expected) {
  return expected ? Json(expected->value) : Json(nullptr);
}

Json attempt_json(const Attempt& attempt, const Expectation& return_network) {
  Json json = {{"method", attempt.method},
               {"over", word(attempt.over)},
               {"form", word(attempt.form)},
               {"faithful", attempt.faithful()},
               {"faithful_to", word(attempt.faithful_to)}};
  if (attempt.tau) json["tau"] = *attempt.tau;
  if (attempt.program) {
    json["observations"] = attempt.reachable.observations;
    json["disagreements"] = attempt.reachable.disagreements;
    if (attempt.truth_values) json["disagreements_truth_values"] = attempt.truth_values->disagreements;
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
  } else {
    json["reason"] = attempt.reason;
    for (const char* figure : {"disagreements", "max_dp", "exactly_one", "visited", "rules", "action_rules",
                               "conjunctions", "literals", "annotated_disjunctions", "splits"}) {
      json[figure] = nullptr;
    }
  }
  json["class"] = class_json(attempt);
  json["lower_bound"] = or_null(attempt.lower_bound);
  json["proved_minimal"] = attempt.proved_minimal;
  json["proof"] = attempt.proof.empty() ? Json(nullptr) : Json(attempt.proof);
  json["return_network"] = return_network.value;
  json["return_program"] = value_or_null(attempt.mean_return);
  if (!return_network.exact()) {
    json["return_network_stderr"] = return_network.standard_error;
    json["return_program_stderr"] =
        attempt.mean_return ? Json(attempt.mean_return->standard_error) : Json(nullptr);
  }
  json["seconds"] = attempt.seconds;
  return json;
}

Json other_forms_json(const std::vector<Attempt>& forms) {
  Json list = Json::array();
  for (const Attempt& form : forms) {
    list.push_back({{"form", word(form.form)},
                    {"class", class_json(form)},
                    {"rules", form.size.rules},
                    {"literals", form.size.literals},
                    {"action_rules", form.size.action_rules},
                    {"lower_bound", or_null(form.lower_bound)},
                    {"proved_minimal", form.proved_minimal}});
  }
  return list;
}

Json covers_json(const std::vector<std::size_t>& covers, const std::vector<std::string>& actions) {
  Json by_action = Json::object();
  for (std::size_t a = 0; a < covers.size(); ++a) by_action[actions[a]] = covers[a];
  return by_action;
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
                    {"annotated_disjunctions", point.annotated_disjunctions}});
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

void refuse_contradictions(const ExtractionRequest& request, Syntax as) {
  if (request.threshold && as == Syntax::kAsp) {
    throw Error(argument("threshold"),
                "applies to ProbLog only: ASP uses the smallest threshold with exactly one action",
                "leave it out, or add " + argument("as", "problog"));
  }
  if (request.compact && as != Syntax::kAsp) {
    throw Error(argument("compact"), "intervals exist in clingo's language only",
                "leave it out, or add " + argument("as", "asp"));
  }
}

/// Whether the chosen program has the best return.
bool attains(const Extraction& extraction, const BestReturn& best) {
  const auto& found = extraction.best().mean_return;
  return found && best.gap(found->value) == 0;
}

/// Extracts from `optimal`, with ties only if the program is optimal then: with a step limit, not every
/// choice among them need be.
void extract_optimal(const ExtractionRequest& request, const PolicySource& source, const Task& task,
                     ExtractionOptions options, Ground& ground, PolicyExtraction& result) {
  const BestReturn best = find_optimum(task.model()).best_return();
  result.extraction = extract(ground.subject, task.model(), options);
  if (options.ties == Ties::kFree && !attains(result.extraction, best)) {
    options.ties = Ties::kEval;
    ground = ground_of(request, source, task, options);
    result.extraction = extract(ground.subject, task.model(), options);
  }
  result.optimal = best.proved() && attains(result.extraction, best);
}

/// Writes the program with its certificate. A program that was compared on a sample has none.
void write(const ExtractionRequest& request, const PolicySource& source, PolicyExtraction& result) {
  if (result.file.empty()) return;
  if (result.extraction.sample) return write_file(result.file, result.text);
  result.certificate = certificate_file(result.file).string();
  const std::string claims = certificate(result, source, request.certify).dump(1) + "\n";
  write_files({{result.file, result.text}, {result.certificate, claims}});  // never one without the other
}

}  // namespace

PolicyExtraction extract_policy(const ExtractionRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const PolicySource source(request.policy);
  const Task task = task_for(request.env, {&source}, request.discount);
  if (source.is_network()) check_fits(source.name(), source.checkpoint(), *task.observations());

  const Syntax as = syntax_for(request, source, task);
  ExtractionOptions options = options_of(request, as, source.is_optimal() && as == Syntax::kAsp);
  if (source.is_network()) {
    options.threshold_by_actions =
        request.threshold.value_or(source.checkpoint().extract_threshold) == "actions";
  }
  const fs::path file = program_file(request, source, as);
  const std::optional<FolderLock> lock = lock_of(file);
  refuse_contradictions(request, as);
  Ground ground = ground_of(request, source, task, options);
  PolicyExtraction result;
  result.policy = source.name();
  result.env = task.spec;
  result.discount = task.discount;
  if (source.is_optimal()) {
    extract_optimal(request, source, task, options, ground, result);
  } else if (ground.sample) {
    result.extraction = extract_from_sample(request, *ground.sample, ground.subject, source, task, options);
  } else {
    result.extraction = extract(ground.subject, task.model(), options);
  }
  const Attempt& best = result.extraction.best();
  result.over = word(best.over);
  result.actions = task.vocabulary->actions();
  if (best.program) {
    result.text = program_text(request, task.spec, ground, result.extraction, original_of(source));
    result.file = file.string();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write(request, source, result);
  return result;
}

nlohmann::ordered_json to_json(const PolicyExtraction& result) {
  const Extraction& extraction = result.extraction;
  Json json = {{"run", result.policy},
               {"policy", result.policy},
               {"env", result.env},
               {"discount", result.discount},
               {"as", extraction.as == Syntax::kAsp ? "asp" : "problog"},
               {"select", extraction.as == Syntax::kAsp ? "argmax" : "sample"}};
  json["scope"] = extraction.scope();
  if (const auto& sample = extraction.sample) {
    json["sample"] = {{"observations", sample->observations},
                      {"episodes", sample->episodes},
                      {"fresh", sample->fresh},
                      {"fresh_disagreements", sample->fresh_disagreements},
                      {"kinds", or_null(sample->kinds)},
                      {"kind_disagreements", sample->kind_disagreements}};
  }
  json.update(attempt_json(extraction.best(), extraction.return_network));
  json["ties"] = word(extraction.ties);
  if (!extraction.best().covers.empty()) {
    json["covers"] = covers_json(extraction.best().covers, result.actions);
  }
  json["other_forms"] = other_forms_json(extraction.other_forms);
  json["changed_by_discretisation"] = extraction.changed_actions;
  json["return_discretised"] = extraction.return_discretised.value;
  json["file"] = result.file.empty() ? Json(nullptr) : Json(result.file);
  json["program"] = result.file.empty() && !result.text.empty() ? Json(result.text) : Json(nullptr);
  json["optimal"] = or_null(result.optimal);
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
