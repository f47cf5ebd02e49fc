#include "ndnf/pieces/runs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pieces/measure.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/run_directory.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kQuickSeeds = 2;
constexpr std::size_t kExcerptLines = 12;
constexpr std::size_t kExcerptColumns = 160;

/// A rough estimate of the time of a training run on one core.
double training_seconds(const std::string& preset) {
  if (preset.find("taxi-mlp") != std::string::npos) return 95;
  if (preset.find("taxi") != std::string::npos) return 12;
  if (preset.find("blackjack") != std::string::npos) return 0.8;
  return preset.find("wall-q-table") != std::string::npos ? 2 : 0.2;
}

double extraction_seconds(const std::string& preset) {
  if (preset.find("taxi") != std::string::npos) return 18;
  return preset.find("blackjack") != std::string::npos ? 2 : 0.1;
}

fs::path runs_folder(const Study& study) { return fs::path("runs") / study.name(); }

/// The request to train one seed, or to resume the run in its folder. Removes a run there that has other
/// settings or comes from another build.
TrainRequest train_request(const Study& study, std::uint64_t seed, const fs::path& out) {
  const fs::path folder = out / run_folder(study, seed);
  const fs::path config = folder / "config.toml";
  if (fs::exists(config) && read_file(config) != to_toml(run_config(study.preset, study.settings, seed))) {
    fs::remove_all(folder);
  }
  TrainRequest request;
  request.source = study.preset;
  request.settings = study.settings;
  request.seeds = {seed};
  request.folder_per_seed = true;
  request.out = (out / runs_folder(study)).string();
  request.resume = true;
  return request;
}

Json measures_of(const fs::path& run, const std::string& env) {
  const Task environment = make_task(env);
  return measure(load_policy(run.string(), environment), environment);
}

Json train_and_measure(const Study& study, std::uint64_t seed, const fs::path& out) {
  const TrainedRun run = train(train_request(study, seed, out)).front();
  Json json = {{"seconds", run.seconds},
               {"steps", run.steps},
               {"optimum", run.optimum->found},
               {"measures", measures_of(run.run, run.env)}};
  if (run.env == "door-corridor") {
    for (const char* env : {"door-corridor-t", "door-corridor-ot"}) {
      json["variants"][env] = measures_of(run.run, env);
    }
  }
  return json;
}

/// The first lines, shortened if necessary.
std::string excerpt(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t line = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (line == kExcerptLines) return result + "% …\n";
    const std::string whole = text.substr(begin, end - begin);
    result += whole.size() <= kExcerptColumns ? whole : whole.substr(0, kExcerptColumns) + " …";
    result += '\n';
    begin = end + 1;
  }
  return result;
}

const Attempt* threshold_attempt(const Extraction& extraction) {
  for (const Attempt& attempt : extraction.attempts) {
    if (attempt.method == kPaperWay && attempt.program) return &attempt;
  }
  return nullptr;
}

ExtractionRequest extraction_request(const Study& study, std::uint64_t seed, const std::string& way,
                                     const std::string& as, const fs::path& out) {
  const fs::path file = out / program_file(study, seed, way, as);
  fs::create_directories(file.parent_path());
  ExtractionRequest request;
  request.policy = (out / run_folder(study, seed)).string();
  request.as = as;
  request.output = file.string();
  return request;
}

Json extract_and_measure(const Study& study, std::uint64_t seed, const std::string& as,
                         const std::string& method, const fs::path& out) {
  // Two pieces of one seed may run at the same time, so each has its own files.
  const std::string way = method == kAllWays ? method : "only-" + method;
  ExtractionRequest request = extraction_request(study, seed, way, as, out);
  request.method = method;
  const PolicyExtraction result = extract_policy(request);
  const Task environment = make_task(result.env);
  Json json = to_json(result);
  json.erase("run");
  json.erase("file");
  if (const auto& program = result.extraction.best().program) {
    json["measures"] = measure(table_of(*program, environment), environment);
    json["text"] = excerpt(result.text);
  }
  json["threshold"] = nullptr;
  if (const Attempt* paper = threshold_attempt(result.extraction)) {
    if (method == kAllWays)
      write_file(out / program_file(study, seed, kPaperWay, as), to_text(*paper->program));
    json["threshold"] = measure(table_of(*paper->program, environment), environment);
  }
  return json;
}

std::string syntax_of(const Study& study, const std::string& as) {
  return as.empty() ? run_config(study.preset, study.settings, study.first_seed).extract.as : as;
}

/// The settings of each run and, for distillation, of its teacher.
std::vector<std::string> inputs_of(const Study& study) {
  TrainConfig config = run_config(study.preset, study.settings, study.first_seed);
  const auto teacher = teacher_config(config);
  const std::string taught_by = teacher ? to_toml(*teacher) : "";
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < study.seeds; ++i) {
    config.run.seed = static_cast<std::int64_t>(study.first_seed + i);
    inputs.push_back(to_toml(config) + taught_by);
  }
  return inputs;
}

Piece teacher_piece(const Study& study, const TrainConfig& teacher) {
  const auto work = [study, teacher](const fs::path& out) -> Json {
    const fs::path folder = out / runs_folder(study) / kTeacherFolder;
    const fs::path config = folder / "config.toml";
    if (fs::exists(config) && read_file(config) != to_toml(teacher)) fs::remove_all(folder);
    TrainRequest request = train_request(study, study.first_seed, out);
    request.until = TrainRequest::Until::kTaught;
    train(request);
    return {{"measures", measures_of(folder, teacher.run.env)}};
  };
  return {teacher_name(study), to_toml(teacher), Stage::kTrain, training_seconds(teacher.run.preset), work};
}

}  // namespace

bool left_out(const std::string& preset, const Effort& effort) {
  return effort.quick && (preset == "paper/taxi-mlp" || preset.starts_with("best/taxi"));
}

Study study_of(const std::string& preset, const Effort& effort) {
  Study study{preset, {}, preset.starts_with("best/") ? kFirstFreshSeed : 0, 1};
  const TrainConfig config = run_config(preset, {}, study.first_seed);
  study.seeds = static_cast<std::size_t>(config.run.seeds);
  if (!effort.quick) return study;
  const bool slow = training_seconds(preset) > 5;
  study.seeds = std::min(study.seeds, slow ? 1 : kQuickSeeds);
  if (teacher_config(config))
    study.settings = {"distill.teacher=\"optimal\""};  // training a teacher would take too long
  return study;
}

fs::path run_folder(const Study& study, std::uint64_t seed) {
  return runs_folder(study) / fmt::format("seed-{}", seed);
}

fs::path program_file(const Study& study, std::uint64_t seed, const std::string& way, const std::string& as) {
  return fs::path("programs") / study.name() /
         fmt::format("seed-{}-{}.{}", seed, way, as == "asp" ? "lp" : "pl");
}

Study with_settings(Study study, const std::string& variant, const std::vector<std::string>& settings) {
  study.variant = variant;
  study.settings.insert(study.settings.end(), settings.begin(), settings.end());
  return study;
}

std::string teacher_name(const Study& study) { return "train/" + study.name() + "/teacher"; }

std::vector<std::string> train_names(const Study& study) {
  std::vector<std::string> names;
  for (std::uint64_t seed = study.first_seed; seed < study.first_seed + study.seeds; ++seed) {
    names.push_back(fmt::format("train/{}/seed-{}", study.name(), seed));
  }
  return names;
}

std::vector<std::string> extract_names(const Study& study, const std::string& as, const std::string& method) {
  std::vector<std::string> names;
  std::string syntax = syntax_of(study, as);
  if (method != kAllWays) syntax += "-" + method;
  for (std::uint64_t seed = study.first_seed; seed < study.first_seed + study.seeds; ++seed) {
    names.push_back(fmt::format("extract/{}/seed-{}-{}", study.name(), seed, syntax));
  }
  return names;
}

std::vector<Piece> train_pieces(const Study& study) {
  std::vector<Piece> pieces;
  const auto teacher = teacher_config(run_config(study.preset, study.settings, study.first_seed));
  if (teacher) pieces.push_back(teacher_piece(study, *teacher));
  const std::vector<std::string> names = train_names(study);
  const std::vector<std::string> inputs = inputs_of(study);
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const std::uint64_t seed = study.first_seed + i;
    pieces.push_back({names[i], inputs[i], teacher ? Stage::kDistill : Stage::kTrain,
                      training_seconds(study.preset),
                      [study, seed](const fs::path& out) { return train_and_measure(study, seed, out); }});
  }
  return pieces;
}

std::vector<Piece> extract_pieces(const Study& study, const std::string& as, const std::string& method) {
  std::vector<Piece> pieces;
  const std::string syntax = syntax_of(study, as);
  const std::vector<std::string> names = extract_names(study, syntax, method);
  const std::vector<std::string> inputs = inputs_of(study);
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const std::uint64_t seed = study.first_seed + i;
    pieces.push_back({names[i], fmt::format("{}extract as {} by {}", inputs[i], syntax, method),
                      Stage::kExtract, extraction_seconds(study.preset),
                      [study, seed, syntax, method](const fs::path& out) {
                        return extract_and_measure(study, seed, syntax, method, out);
                      }});
  }
  return pieces;
}

std::vector<Piece> predicate_pieces(const Study& study) {
  std::vector<Piece> pieces;
  const std::vector<std::string> inputs = inputs_of(study);
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const std::uint64_t seed = study.first_seed + i;
    pieces.push_back({fmt::format("extract/{}/seed-{}-{}", study.preset, seed, kPredicateWay),
                      fmt::format("{}extract over {}", inputs[i], kPredicateWay), Stage::kExtract,
                      extraction_seconds(study.preset), [study, seed](const fs::path& out) {
                        ExtractionRequest request =
                            extraction_request(study, seed, kPredicateWay, "asp", out);
                        request.over = kPredicateWay;
                        return Json{{"faithful", extract_policy(request).extraction.best().faithful()}};
                      }});
  }
  return pieces;
}

void append(std::vector<Piece>& all, std::vector<Piece> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

Piece blackjack_optimum_piece() {
  return {"measure/blackjack-optimal", build_text(), Stage::kTrain, 0.01, [](const fs::path&) {
            const Task blackjack = make_task("blackjack");
            return measure(find_optimum(blackjack.model()).policy, blackjack);
          }};
}

Sample collect(const Results& results, const std::vector<std::string>& names, const std::string& pointer) {
  Sample sample;
  for (const std::string& name : names) {
    const Json value = results.at(name).value(Json::json_pointer(pointer), Json());
    if (value.is_number()) sample.values.push_back(value.get<double>());
  }
  return sample;
}

PolicyTable table_of(const Program& program, const Task& environment) {
  const ObservationTable& table = environment.model().observations();
  return tabulate(BoundProgram(program, table.shared_vocabulary()), table);
}

}  // namespace ndnf
