#include "ndnf/training/training_task.h"

#include "ndnf/inputs/policy_source.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/run_directory.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// The model file kept by the run whose config.toml is `source`, unless a setting replaced the environment.
std::optional<fs::path> kept_by_source(const Input& source, const TrainConfig& config) {
  if (!source.is_file()) return std::nullopt;
  const RunDirectory run(fs::path(source.name).parent_path());
  const auto kept = run.kept_task();
  if (!kept || fs::path(source.name) != run.config_file()) return std::nullopt;
  return load_train_config(source, {}).run.env == config.run.env ? kept : std::nullopt;
}

std::optional<fs::path> kept_model(const Input& source, const TrainConfig& config,
                                   const std::optional<fs::path>& resumed) {
  if (const auto kept = kept_by_source(source, config)) return kept;
  if (!resumed || fs::exists(config.run.env)) return std::nullopt;
  return RunDirectory(*resumed).kept_task();
}

}  // namespace

Task training_task(const Input& source, const TrainConfig& config, NamedBy by,
                   const std::optional<fs::path>& resumed) {
  const auto kept = kept_model(source, config, resumed);
  if (!kept) return open_task(config.run.env, by);
  Task task = make_task(kept->string());
  task.spec = config.run.env;
  return task;
}

}  // namespace ndnf
