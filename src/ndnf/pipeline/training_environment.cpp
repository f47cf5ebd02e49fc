#include "ndnf/pipeline/training_environment.h"

#include "ndnf/env/registry.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/run_directory.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// The model file kept by the run whose config.toml is `source`, unless a setting replaced the environment.
std::optional<fs::path> kept_by_source(const std::string& source, const TrainConfig& config) {
  const RunDirectory run(fs::path(source).parent_path());
  const auto kept = run.kept_task();
  if (!kept || fs::path(source) != run.config_file()) return std::nullopt;
  return load_train_config(source, {}).run.env == config.run.env ? kept : std::nullopt;
}

std::optional<fs::path> kept_model(const std::string& source, const TrainConfig& config,
                                   const std::optional<fs::path>& resumed) {
  if (const auto kept = kept_by_source(source, config)) return kept;
  if (!resumed || fs::exists(config.run.env)) return std::nullopt;
  return RunDirectory(*resumed).kept_task();
}

}  // namespace

Environment training_environment(const std::string& source, const TrainConfig& config,
                                 const std::optional<fs::path>& resumed) {
  const auto kept = kept_model(source, config, resumed);
  if (!kept) return open_environment(config.run.env);
  Environment environment = make_environment(kept->string());
  environment.spec = config.run.env;
  return environment;
}

}  // namespace ndnf
