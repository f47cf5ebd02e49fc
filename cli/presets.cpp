#include "ndnf/training/presets.h"

#include <optional>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/screen.h"
#include "ndnf/base/text_table.h"
#include "ndnf/training/train_config.h"

namespace ndnf::cli {
namespace {

std::string list_text(const std::vector<Preset>& presets) {
  TextTable table({"preset", "method", "environment", "what it is"});
  for (const Preset& preset : presets) table.add({preset.name, preset.method, preset.env, preset.summary});
  return table.to_text(screen_width());
}

Action prepare_presets(CLI::App& app) {
  const auto name = std::make_shared<std::optional<std::string>>();
  app.add_option("NAME", *name, "the preset to print; its folder may be left out")->type_name(kPreset);
  return [name] {
    if (!*name) return reply(presets(), list_text);
    return reply(find_preset(**name),
                 [](const Preset& preset) { return explained(preset.text, preset.method); });
  };
}

}  // namespace

Command presets_command() {
  return {"presets",
          "Lists the presets, or prints one as TOML with the meaning of each key.",
          {"ndnf presets", "ndnf presets paper/blackjack-ndnf-mt > mine.toml"},
          prepare_presets};
}

}  // namespace ndnf::cli
