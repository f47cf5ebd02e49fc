#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// A file below presets/, compiled into the program.
struct PresetFile {
  std::string name;  ///< Its path without `.toml`: paper/blackjack-mlp.
  std::string text;
};

/// Defined by the build (cmake/embed_presets.cmake).
std::vector<PresetFile> embedded_presets();

/// An experiment as data: a documented set of hyperparameters.
struct Preset {
  std::string name;
  std::string summary;     ///< The sentence in its first line.
  std::string env;         ///< As make_task reads it.
  std::string method;      ///< ppo, q-learning, distill.
  std::string select;      ///< How its policy is evaluated by default, as Selection::parse reads it.
  std::string extract_as;  ///< asp or problog.
  std::string text;        ///< The whole file.
};

/// Reads a preset's file. Throws Error with the place if it is not TOML or lacks one of the fields above.
Preset parse_preset(const PresetFile& file);

/// Every preset.
const std::vector<Preset>& presets();

/// The preset with this name. The folder may be left out; if several folders have the name, paper/ wins.
/// Throws Error with the nearest name.
const Preset& find_preset(std::string_view name);

nlohmann::ordered_json to_json(const Preset& preset);
nlohmann::ordered_json to_json(const std::vector<Preset>& presets);

}  // namespace ndnf
