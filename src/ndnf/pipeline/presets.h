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

/// An experiment as data: hyperparameters that somebody stands behind.
struct Preset {
  std::string name;
  std::string summary;  ///< The sentence in its first line.
  std::string env;      ///< As make_environment reads it.
  std::string method;   ///< ppo, q-learning, distill.
  std::string select;   ///< How its policy is evaluated unless told otherwise, as Selection::parse reads it.
  std::string extract_as;  ///< asp or problog.
  std::string text;        ///< The whole file.
};

/// Reads a preset's file. Throws Error naming the place if it is no TOML or lacks one of the fields above.
Preset parse_preset(const PresetFile& file);

/// Every preset we know.
const std::vector<Preset>& presets();

/// The preset with this name; its folder may be left out, and where several have the name the paper's is
/// meant. Throws Error naming the nearest.
const Preset& find_preset(std::string_view name);

nlohmann::ordered_json to_json(const Preset& preset);
nlohmann::ordered_json to_json(const std::vector<Preset>& presets);

}  // namespace ndnf
