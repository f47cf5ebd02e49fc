#include "harness.h"
#include "ndnf/training/train_config.h"

void ndnf::fuzz::try_input(std::string_view input) {
  const TrainConfig config = parse_train_config("preset.toml", input, {});
  const std::string text = to_toml(config);
  require(to_toml(parse_train_config("preset.toml", text, {})) == text, "the written settings are others");
}
