#include "ndnf/studio/studio.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/config.h"
#include "ndnf/base/nearest.h"
#include "ndnf/base/palette.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/certificate.h"
#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/diff_policies.h"
#include "ndnf/pipeline/draw_policy.h"
#include "ndnf/pipeline/edit_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/explain_policy.h"
#include "ndnf/pipeline/export_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/pipeline/program_use.h"
#include "ndnf/pipeline/report_runs.h"
#include "ndnf/studio/base64.h"
#include "ndnf/studio/request_reader.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/presets.h"
#include "ndnf/training/recipe.h"

namespace ndnf {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostEpisodes = 1'000'000;
constexpr std::size_t kMostPictures = 1000;
constexpr std::uint64_t kMostSeeds = 16;

Json answer_envs(RequestReader& read) {
  const auto env = read.env();
  const auto discount = read.number("discount");
  read.finish();
  if (!env) return to_json(list_environments());
  const Task task = with_discount(open_task(*env), discount);
  Json json = to_json(describe(task));
  json["action_colours"] = Json::array();
  for (std::size_t a = 0; a < task.vocabulary->action_count(); ++a)
    json["action_colours"].push_back(action_colour(a).hex());
  return json;
}

Json answer_presets(RequestReader& read) {
  read.finish();
  return to_json(presets());
}

Json answer_eval(RequestReader& read) {
  EvaluationRequest request;
  request.policy = read.policy("policy");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  if (const auto episodes = read.count("episodes", 0, kMostEpisodes); episodes > 0)
    request.episodes = episodes;
  request.seed = read.count("seed", 0, UINT64_MAX);
  request.alone = !read.flag("optimum", true);
  read.finish();
  return to_json(evaluate_policy(request));
}

Json answer_check(RequestReader& read) {
  CheckRequest request;
  request.policy = read.policy("policy");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.properties = read.texts("properties");
  request.scope = read.word("scope", {"reachable", "visited"}, "reachable") == "visited"
                      ? CheckScope::kVisited
                      : CheckScope::kReachable;
  read.finish();
  return to_json(check_policy(request));
}

Json answer_rules(RequestReader& read) {
  ProgramUseRequest request;
  request.program = read.policy("program");
  request.env = read.env();
  read.finish();
  return to_json(use_of_program(request));
}

Json answer_diff(RequestReader& read) {
  DiffRequest request;
  request.a = read.policy("a");
  request.b = read.policy("b");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.examples = read.count("examples", 10, 10000);
  if (const auto episodes = read.count("episodes", 0, kMostEpisodes); episodes > 0)
    request.episodes = episodes;
  read.finish();
  return to_json(diff_policies(request));
}

Json answer_explain(RequestReader& read) {
  ExplainRequest request;
  request.policy = read.policy("policy");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.observations = read.texts("observations");
  request.seed = read.count("seed", 0, UINT64_MAX);
  read.finish();
  return to_json(explain_policy(request));
}

Json answer_draw(RequestReader& read) {
  DrawRequest request;
  request.policies = read.policies("policies");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.seed = read.count("seed", 0, UINT64_MAX);
  request.metric = read.maybe_text("metric");
  if (const auto view = read.maybe_text("view")) {
    request.view = view_of(*view);
    if (!request.view) throw Error(argument("view"), "there is no " + *view);
  }
  const bool svg = read.flag("svg");
  read.finish();
  const Drawing drawing = draw_policy(request);
  Json json = to_json_with_frames(drawing);
  if (svg) json["svg"] = to_svg(drawing).to_string();
  return json;
}

Json answer_pictures(RequestReader& read) {
  const auto env = read.env();
  const std::vector<StateId> states = read.numbers("states", kMostPictures);
  read.finish();
  if (!env) throw Error(argument("env"), "is missing");
  Json pictures = Json::array();
  for (const Svg& picture : draw_states(open_task(*env), states)) pictures.push_back(picture.to_string());
  return {{"pictures", std::move(pictures)}};
}

Json answer_extract(RequestReader& read) {
  ExtractionRequest request;
  request.policy = read.policy("policy");
  request.env = read.env();
  request.discount = read.number("discount");
  request.as = read.maybe_text("as");
  request.method = read.word("method", {"auto", "threshold", "disentangle", "exact", "classes"}, "auto");
  request.compact = read.flag("compact");
  request.certify = read.flag("certify");
  request.write = false;
  read.finish();
  const PolicyExtraction result = extract_policy(request);
  Json json = to_json(result);
  json["program"] = result.text.empty() ? Json(nullptr) : Json(result.text);
  if (request.certify && !result.text.empty() && !result.extraction.sample)
    json["certificate"] = certificate(result, PolicySource(request.policy), true);
  return json;
}

Json answer_edit(RequestReader& read) {
  EditRequest request;
  request.program = read.policy("program");
  request.env = read.env();
  request.discount = read.number("discount");
  request.when = read.text("when");
  request.action = read.text("do");
  request.add = read.texts("add");
  request.remove = read.texts("remove");
  request.forbid = read.text("forbid");
  read.finish();
  const ProgramEdit edit = edit_program(request);
  Json json = to_json(edit);
  json["text"] = edit.text;
  return json;
}

Json answer_compile(RequestReader& read) {
  CompileRequest request;
  const Input program = read.policy("program");
  request.program =
      program.is_file() ? Input(fs::path(program.name).filename().string(), program.read()) : program;
  request.env = read.env();
  request.shield = read.shield();
  read.finish();
  const ProgramCompilation result = compile_program(request);
  Json json = to_json(result);
  json["contents"] = base64(result.bytes);
  return json;
}

Json answer_export(RequestReader& read) {
  ExportRequest request;
  request.policy = read.policy("policy");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.format = read.word("format", {"c", "npz", "drn", "prism"}, "c");
  read.finish();
  const ExportedPolicy result = export_policy(request);
  Json json = to_json(result);
  json["contents"] = base64(result.bytes);
  return json;
}

Json answer_report(RequestReader& read) {
  ReportRequest request;
  request.policies = read.policies("policies");
  request.env = read.env();
  request.select = read.selection();
  request.shield = read.shield();
  request.discount = read.number("discount");
  request.properties = read.texts("properties");
  request.seed = read.count("seed", 0, UINT64_MAX);
  read.finish();
  const PolicyReport report = report_runs(request);
  Json json = to_json(report);
  json["html"] = to_html(report.document);
  return json;
}

/// A name below the workspace that is not taken: the task's, with a number if needed.
std::string free_name(const Workspace& workspace, const std::string& folder) {
  std::string base;
  for (const char c : folder) base += (c == ':' || c == '/' || c == '[' || c == ']') ? '-' : c;
  std::string name = base;
  for (int number = 2; fs::exists(workspace.file(name)); ++number) name = fmt::format("{}-{}", base, number);
  return name;
}

/// How to learn a task, or a preset as it is.
void choose_recipe(RequestReader& read, const Input& task, TrainRequest& request, Json& reply,
                   std::string& folder) {
  RecipeRequest recipe;
  recipe.task = task.name;
  recipe.recipe = read.text("recipe", "auto");
  recipe.model = read.word("model", {"ndnf-mt", "mlp", "q-table", "rules"}, "ndnf-mt");
  if (const auto steps = read.count("steps", 0, 1'000'000'000'000); steps > 0) recipe.steps = steps;
  if (recipe.recipe != "auto") find_preset(recipe.recipe);  // a file could be anywhere
  Recipe chosen = recipe_for(recipe);
  request.source = std::move(chosen.source);
  request.settings = std::move(chosen.settings);
  folder = chosen.folder;
  reply["choices"] = chosen.choices;
}

Json answer_train(RequestReader& read, const Workspace& workspace, Trainings& trainings) {
  TrainRequest request;
  Json reply = Json::object();
  const auto task = read.env();
  if (!task) throw Error(argument("env"), "is missing");
  if (!task->is_file())
    throw Error(argument("env"), "is not saved yet", "save the model file in the studio's folder");
  std::string folder;
  choose_recipe(read, *task, request, reply, folder);
  std::string name = read.text("name");
  request.resume = read.flag("resume");
  request.jobs = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t seeds = read.count("seeds", 1, kMostSeeds);
  for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(1, seeds); ++seed)
    request.seeds.push_back(seed);
  request.folder_per_seed = seeds > 1;
  request.shield = read.shield();
  const auto init = read.has("init") ? std::optional(read.policy("init")) : std::nullopt;
  const std::vector<std::string> lock = read.texts("lock");
  read.finish();
  if (name.empty()) name = free_name(workspace, folder);
  request.out = workspace.file(name).string();
  if (init) {  // training reads its start from a file that is kept beside the run
    const std::string start = name + "-start" + fs::path(init->name).extension().string();
    if (!request.resume) workspace.save(start, init->read());
    request.settings.push_back("init.policy=" + to_text(ConfigValue(workspace.file(start).string())));
    if (!lock.empty()) request.settings.push_back("init.lock=" + to_text(ConfigValue(lock)));
  }
  fs::create_directories(workspace.folder());
  reply["id"] = trainings.start(name, read.body(), std::move(request));
  reply["run"] = name;
  return reply;
}

Json entries_json(const Workspace& workspace) {
  Json list = Json::array();
  for (const WorkspaceEntry& entry : workspace.entries())
    list.push_back({{"name", entry.name}, {"kind", entry.kind}});
  return list;
}

/// So that people can see where their files are.
std::string full_name(const Workspace& workspace) {
  return fs::absolute(workspace.folder()).lexically_normal().string();
}

Json answer_files(RequestReader& read, const Workspace& workspace) {
  read.finish();
  return {{"folder", full_name(workspace)}, {"files", entries_json(workspace)}};
}

Json answer_read(RequestReader& read, const Workspace& workspace) {
  const std::string name = read.text("file");
  read.finish();
  return {{"file", name}, {"contents", workspace.read(name)}};
}

Json answer_save(RequestReader& read, const Workspace& workspace) {
  const std::string name = read.text("file");
  const std::string contents = read.text("contents");
  const bool replace = read.flag("replace", true);
  read.finish();
  if (!replace && fs::exists(workspace.file(name)) && workspace.read(name) != contents)
    throw Error(name, "is in the folder already, with other contents", "give one of them another name");
  workspace.save(name, contents);
  return {{"file", name}, {"bytes", contents.size()}};
}

using Answer = Json (*)(RequestReader&);
using FileAnswer = Json (*)(RequestReader&, const Workspace&);

/// The requests without side effects.
const std::map<std::string, Answer>& answers() {
  static const std::map<std::string, Answer> all = {
      {"envs", answer_envs},       {"presets", answer_presets}, {"eval", answer_eval},
      {"check", answer_check},     {"rules", answer_rules},     {"diff", answer_diff},
      {"explain", answer_explain}, {"draw", answer_draw},       {"pictures", answer_pictures},
      {"extract", answer_extract}, {"edit", answer_edit},       {"compile", answer_compile},
      {"export", answer_export},   {"report", answer_report}};
  return all;
}

const std::map<std::string, FileAnswer>& file_answers() {
  static const std::map<std::string, FileAnswer> all = {
      {"files", answer_files}, {"read", answer_read}, {"save", answer_save}};
  return all;
}

}  // namespace

StudioSubject studio_subject(const std::string& argument, const std::optional<std::string>& env,
                             const std::optional<std::string>& folder) {
  constexpr const char* kDefaultFolder = "runs/studio";
  StudioSubject subject{"", "", folder.value_or(kDefaultFolder), env.value_or("")};
  if (argument.empty()) return subject;
  const FileKind kind = kind_of(argument);
  const fs::path path = fs::path(argument).lexically_normal();
  const fs::path beside = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (kind == FileKind::kRun) {
    const fs::path run = path.has_filename() ? path : path.parent_path();
    const fs::path parent = run.has_parent_path() ? run.parent_path() : fs::path(".");
    subject = {"run", run.filename().string(), parent.string(), subject.env};
  } else if (kind == FileKind::kAsp || kind == FileKind::kProbLog || kind == FileKind::kNetwork) {
    subject = {kind == FileKind::kNetwork ? "network" : "program", path.filename().string(), beside.string(),
               subject.env};
  } else if (kind == FileKind::kTask) {
    subject = {"task", path.filename().string(), beside.string(), path.filename().string()};
  } else {
    const bool settings = argument.find(':') != std::string::npos;  // of a task
    if (!settings && !fs::exists(path) && (path.has_parent_path() || path.has_extension()))
      throw Error(argument, "there is no such file or run");
    const std::string spec = open_task(argument).spec;  // throws if it is none
    subject = {"task", spec, subject.folder, spec};
  }
  return subject;
}

Studio::Studio(StudioSubject subject) : subject_(std::move(subject)), workspace_(subject_.folder) {}

std::vector<std::string> Studio::requests() {
  std::vector<std::string> names = {"hello", "train", "stop", "trainings"};
  for (const auto& [name, answer] : answers()) names.push_back(name);
  for (const auto& [name, answer] : file_answers()) names.push_back(name);
  return names;
}

nlohmann::ordered_json Studio::answer(const std::string& request, const nlohmann::json& body) {
  RequestReader read(body, workspace_);
  if (const auto found = answers().find(request); found != answers().end()) return found->second(read);
  if (const auto found = file_answers().find(request); found != file_answers().end())
    return found->second(read, workspace_);
  if (request == "train") return answer_train(read, workspace_, trainings_);
  if (request == "stop") {
    const auto id = read.count("id", 0, UINT64_MAX);
    read.finish();
    trainings_.stop(id);
    return {{"id", id}};
  }
  if (request == "trainings") {
    read.finish();
    return {{"trainings", trainings_.list()}};
  }
  if (request == "hello") {
    return {{"version", build_info().version},
            {"subject", {{"kind", subject_.kind}, {"name", subject_.name}, {"env", subject_.env}}},
            {"folder", full_name(workspace_)},
            {"files", entries_json(workspace_)},
            {"environments", to_json(list_environments()).at("environments")},
            {"trainings", trainings_.list()}};
  }
  throw Error(request, "there is no such request", suggestion(request, requests()));
}

nlohmann::ordered_json error_json(const Error& error) {
  const auto style = [](std::string_view name, std::string_view value) {
    return value.empty() ? std::string(name) : fmt::format("{} {}", name, value);
  };
  Json complaints = Json::array();
  for (const Complaint& complaint : error.complaints()) {
    complaints.push_back({{"line", complaint.where.place.line},
                          {"column", complaint.where.place.column},
                          {"what", Error("", complaint.what).text(style)},
                          {"hint", complaint.hint.empty() ? "" : Error("", complaint.hint).text(style)}});
  }
  return {{"error", error.text(style)}, {"complaints", std::move(complaints)}};
}

}  // namespace ndnf
