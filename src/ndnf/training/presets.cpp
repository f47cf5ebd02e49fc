#include "ndnf/training/presets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"

namespace ndnf {
namespace {

std::string first_sentence(const PresetFile& file) {
  const std::string line = file.text.substr(0, file.text.find('\n'));
  if (!line.starts_with("# ")) throw Error(file.name, "its first line is not a comment with its summary");
  return line.substr(2);
}

std::string required_text(const PresetFile& file, const toml::table& table, std::string_view path) {
  const auto text = table.at_path(path).value<std::string>();
  if (!text) throw Error(file.name, fmt::format("has no string {}", path));
  return *text;
}

/// The name without its folder, which also identifies a preset.
std::string_view short_name(std::string_view name) { return name.substr(name.rfind('/') + 1); }

nlohmann::ordered_json headline(const Preset& preset) {
  return {{"name", preset.name},     {"summary", preset.summary}, {"env", preset.env},
          {"method", preset.method}, {"select", preset.select},   {"extract_as", preset.extract_as}};
}

}  // namespace

Preset parse_preset(const PresetFile& file) {
  try {
    const toml::table table = toml::parse(file.text);
    return {file.name,
            first_sentence(file),
            required_text(file, table, "env"),
            required_text(file, table, "method"),
            required_text(file, table, "eval.select"),
            required_text(file, table, "extract.as"),
            file.text};
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw Error({file.name, {at.line, at.column}}, std::string(error.description()));
  }
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> parsed;
    for (const PresetFile& file : embedded_presets()) parsed.push_back(parse_preset(file));
    return parsed;
  }();
  return all;
}

const Preset& find_preset(std::string_view name) {
  const Preset* called_so = nullptr;
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    if (short_name(preset.name) == name && (called_so == nullptr || preset.name.starts_with("paper/")))
      called_so = &preset;
    names.push_back(preset.name);
  }
  if (called_so != nullptr) return *called_so;
  if (name.find('/') == std::string_view::npos) {
    for (std::string& known : names) known = short_name(known);
  }
  const std::string near = nearest(name, names);
  throw Error(std::string(name), "there is no such preset",
              near.empty() ? "`ndnf presets` lists them all, and `ndnf envs` the tasks"
                           : fmt::format("did you mean {}?", near));
}

nlohmann::ordered_json to_json(const Preset& preset) {
  nlohmann::ordered_json json = headline(preset);
  json["toml"] = preset.text;
  return json;
}

nlohmann::ordered_json to_json(const std::vector<Preset>& presets) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Preset& preset : presets) list.push_back(headline(preset));
  return {{"presets", list}};
}

}  // namespace ndnf
