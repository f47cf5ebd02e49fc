#include "ndnf/training/run_directory.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/system/file.h"
#include "ndnf/system/file_replacement.h"
#include "ndnf/training/build_info.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStateFormat = "ndnf-state";
constexpr const char* kVersion = "2";
constexpr const char* kUncheckedVersion = "1";         ///< Files of this version have no checksum.
constexpr const char* kMetricsFile = "metrics.jsonl";  ///< The key of its size.
constexpr const char* kBuild = "build";
constexpr const char* kEventsFile = "events.out.tfevents.ndnf";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  if (error && fs::exists(folder))
    throw Error(folder.string(), fmt::format("cannot be read ({})", error.message()));
  return files;
}

const std::string& metadata(const std::string& where, const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    throw Error(where, fmt::format("has no {} in its metadata", key), "it is not a saved state");
  return found->second;
}

std::string fingerprint_key(const RunDirectory::Input& input) { return input.role + ".fingerprint"; }

template <class Number>
Number number(const std::string& where, const TensorFile& file, const std::string& key) {
  const std::string& text = metadata(where, file, key);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(where, fmt::format("{} is {} in its metadata", key, text), "it must be a number");
  }
  return value;
}

}  // namespace

void RunDirectory::fail_changed(const std::string& input) const {
  throw Error(input, fmt::format("has changed since {} began", path().string()),
              "restore it, or begin another run with " + argument("out"));
}

void RunDirectory::check_task(const Task& environment) const {
  const auto kept = kept_task();  // empty in runs of older versions
  if (!kept || read_file(*kept) == environment.source) return;
  throw Error(environment.spec, fmt::format("has changed since {} began", path().string()),
              fmt::format("{} is the original: restore it, or begin another run with {}", kept->string(),
                          argument("out")));
}

void RunDirectory::check(const TrainConfig& config, const Task& environment, bool resume) const {
  if (!fs::exists(path())) return;
  if (!fs::is_directory(path())) throw Error(path().string(), "is a file, not a folder");
  const std::vector<fs::path> files = files_in(path());
  const auto is_beforehand = [resume](const fs::path& file) {
    return is_internal_file(file) || (resume && file.filename() == kTeacherFolder);
  };
  if (std::all_of(files.begin(), files.end(), is_beforehand)) return;
  if (!resume)
    throw Error(path().string(), "is not empty",
                fmt::format("resume it with {} or choose another folder with {}", argument("resume"),
                            argument("out")));
  if (!fs::exists(config_file()))
    throw Error(path().string(), "is not a run directory: it has no config.toml");
  const std::string where = config_file().string();
  const TrainConfig there = parse_train_config(where, read_file(config_file()));
  if (const auto difference = first_difference(there, config)) {
    throw Error(where, *difference, "a run can only be resumed with the same settings");
  }
  check_task(environment);
}

std::optional<TensorFile> RunDirectory::saved_state(const TrainConfig& config,
                                                    const std::vector<Input>& inputs) const {
  if (!fs::exists(state_file())) return std::nullopt;
  const std::string where = state_file().string();
  TensorFile file = parse_safetensors(where, read_file(state_file()));
  const std::string& version = metadata(where, file, "version");
  if (metadata(where, file, "format") != kStateFormat ||
      (version != kVersion && version != kUncheckedVersion))
    throw Error(where, fmt::format("is not a saved state of version {} or {}", kUncheckedVersion, kVersion));
  if (version == kVersion && !file.checked) throw Error(where, "has no checksum in its metadata");
  file.check_finite(where);
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"env", config.run.env},
                                   {"seed", fmt::format("{}", config.run.seed)}}) {
    const std::string& there = metadata(where, file, key);
    if (there != value) throw Error(where, fmt::format("belongs to {} {}, not {}", key, there, value));
  }
  for (const Input& input : inputs) {
    const auto there = file.metadata.find(fingerprint_key(input));  // missing in older versions
    if (there != file.metadata.end() && there->second != input.fingerprint) fail_changed(input.name);
  }
  return file;
}

RunDirectory::Standing RunDirectory::standing(const TensorFile& state) const {
  const std::string where = state_file().string();
  Standing standing{number<std::uint64_t>(where, state, "iteration"),
                    number<std::uint64_t>(where, state, "steps"), number<double>(where, state, "seconds")};
  const auto build = state.metadata.find(kBuild);
  if (build != state.metadata.end()) standing.begun_by = in_one_line(build->second);
  return standing;
}

void RunDirectory::lock() {
  std::error_code error;
  fs::create_directories(path(), error);
  if (error) throw Error(path().string(), fmt::format("cannot be created ({})", error.message()));
  lock_.emplace(path());
}

void RunDirectory::open(const TrainConfig& config, const Task& environment,
                        const std::optional<TensorFile>& state) {
  clear_leftovers(path());
  if (!fs::exists(config_file())) write_file(config_file(), to_toml(config));
  if (!environment.source.empty() && !fs::exists(task_file())) write_file(task_file(), environment.source);
  const auto size = [&](const char* file) {
    return state ? number<std::size_t>(state_file().string(), *state, file) : std::size_t{0};
  };
  metrics_ = std::make_unique<JsonLines>(metrics_file(), size(kMetricsFile));
  events_ = std::make_unique<TensorBoardEvents>(path() / kEventsFile, size(kEventsFile));
}

void RunDirectory::save(const TrainConfig& config, const std::vector<Input>& inputs, const Learned& learned,
                        TensorFile state, const Standing& standing) {
  state.metadata = {{"format", kStateFormat},
                    {"version", kVersion},
                    {kBuild, standing.begun_by},
                    {"env", config.run.env},
                    {"seed", fmt::format("{}", config.run.seed)},
                    {"iteration", fmt::format("{}", standing.iteration)},
                    {"steps", fmt::format("{}", standing.steps)},
                    {"seconds", fmt::format("{}", standing.seconds)},
                    {kMetricsFile, fmt::format("{}", metrics_->file().size())},
                    {kEventsFile, fmt::format("{}", events_->file().size())}};
  for (const Input& input : inputs) state.metadata[fingerprint_key(input)] = input.fingerprint;
  metrics_->file().sync();
  events_->file().sync();
  if (const auto* checkpoint = std::get_if<Checkpoint>(&learned)) {
    write_file(model_file(), to_bytes(*checkpoint));
  } else {
    write(std::get<LearnedRules>(learned));
  }
  write_file(state_file(), to_checked_safetensors(std::move(state)));
}

/// Programs whose sizes are no longer in the front are removed.
void RunDirectory::write(const LearnedRules& rules) const {
  if (rules.teacher && !fs::exists(teacher_file())) write_file(teacher_file(), to_bytes(*rules.teacher));
  if (rules.front.entries.empty()) return;
  require_own_folder(front_folder());
  std::error_code error;
  fs::create_directories(front_folder(), error);
  if (error) throw Error(front_folder().string(), fmt::format("cannot be created ({})", error.message()));
  clear_leftovers(front_folder());
  std::vector<fs::path> old = files_in(front_folder());
  for (const FrontEntry& entry : rules.front.entries) {
    const fs::path file = front_folder() / front_file(entry);
    write_file(file, program_text(rules, entry));
    std::erase(old, file);
  }
  for (const fs::path& file : old) {
    if (is_front_file(file.filename().string())) fs::remove(file, error);
  }
  write_file(program_file(), program_text(rules, rules.front.pick()));
}

void RunDirectory::close() {
  metrics_.reset();
  events_.reset();
  lock_.reset();
}

}  // namespace ndnf
