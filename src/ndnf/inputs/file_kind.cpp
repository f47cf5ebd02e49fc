#include "ndnf/inputs/file_kind.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

struct Description {
  FileKind kind;
  std::string is;        ///< "this is …"
  std::string good_for;  ///< Which commands or options take it.
};

const std::vector<Description>& descriptions() {
  static const std::vector<Description> all{
      {FileKind::kRun, "a run directory",
       "`ndnf extract` turns it into a program; eval, check, diff, explain, draw and export take it as a "
       "policy"},
      {FileKind::kFolder, "a folder but not a run directory",
       "name the directory of a run, or of runs seed-N"},
      {FileKind::kNetwork, "a network",
       "`ndnf extract` turns it into a program; eval, check, diff, explain, draw and export take it as a "
       "policy"},
      {FileKind::kState, "the state of a training run",
       "the network is model.safetensors in the same folder"},
      {FileKind::kAsp, "a program (ASP)",
       "`ndnf compile` turns it into a network; eval, check, diff, explain, draw and export take it as a "
       "policy"},
      {FileKind::kShield, "a shield (rules about forbidden actions)", "give it with " + argument("shield")},
      {FileKind::kProbLog, "a program (ProbLog)",
       "`ndnf compile` turns it into a network; eval, check, diff, explain, draw and export take it as a "
       "policy"},
      {FileKind::kTask, "the model of a task",
       fmt::format("give it with {}, or describe it with `ndnf envs`", argument("env"))},
      {FileKind::kTable, "a table of probabilities",
       "eval, check, diff, explain, draw and export take it as a policy"},
      {FileKind::kCertificate, "the certificate of an extraction", "name the program in the same folder"},
      {FileKind::kPreset, "a preset", "give it to `ndnf train`"},
  };
  return all;
}

/// How many bytes of a file are read to find its kind.
constexpr std::size_t kBeginning = 64u << 10;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Whether this is a safetensors file: eight bytes with the length of the header, then the header, in JSON.
bool is_tensor_file(std::string_view bytes) {
  constexpr std::size_t kLength = 8;
  return bytes.size() > kLength && bytes[kLength] == '{' && bytes[kLength - 1] == '\0' &&
         bytes[kLength - 2] == '\0';
}

/// The value of the key "format".
std::string_view format_of(std::string_view json) {
  constexpr std::string_view kKey = "\"format\"";
  const std::size_t key = json.find(kKey);
  if (key == json.npos) return "";
  const std::size_t begin = json.find('"', key + kKey.size());
  const std::size_t end = begin == json.npos ? begin : json.find('"', begin + 1);
  return end == json.npos ? "" : json.substr(begin + 1, end - begin - 1);
}

FileKind kind_of_format(std::string_view format) {
  if (format == "ndnf-checkpoint") return FileKind::kNetwork;
  if (format == "ndnf-state") return FileKind::kState;
  if (format == "ndnf-model") return FileKind::kTask;
  if (format == "ndnf-policy") return FileKind::kTable;
  return format == "ndnf-extraction" ? FileKind::kCertificate : FileKind::kOther;
}

/// The text without comment lines, as programs and presets have them.
std::string without_comments(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    if (line[0] != '%' && line[0] != '#') rest += line;
    text.remove_prefix(line.size());
  }
  return rest;
}

FileKind kind_of_text(std::string_view text, const fs::path& path) {
  const std::string rules = without_comments(text);
  const bool acts = contains(rules, "action(");
  if (path.extension() == ".toml") return FileKind::kPreset;
  if (path.extension() == ".pl" || (acts && contains(rules, "::"))) return FileKind::kProbLog;
  if (!acts && contains(rules, "forbidden(")) return FileKind::kShield;
  if (path.extension() == ".lp" || (acts && contains(rules, "."))) return FileKind::kAsp;
  return contains(rules, "\nmethod = ") ? FileKind::kPreset : FileKind::kOther;
}

FileKind kind_of_bytes(std::string_view bytes, const fs::path& path) {
  if (is_tensor_file(bytes)) return kind_of_format(format_of(bytes));
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != bytes.npos && bytes[first] == '{') return kind_of_format(format_of(bytes));
  if (path.extension() == ".drn" || contains(bytes, "\n@model")) return FileKind::kTask;
  return kind_of_text(bytes, path);
}

}  // namespace

FileKind kind_of(const Input& input) {
  const fs::path path = input.name;
  if (input.contents) return kind_of_bytes(input.contents->substr(0, kBeginning), path);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) {
    const RunFiles run(path);
    const bool is_run = fs::exists(run.model_file(), ignored) || fs::exists(run.config_file(), ignored);
    return is_run ? FileKind::kRun : FileKind::kFolder;
  }
  if (!fs::is_regular_file(status)) return fs::exists(status) ? FileKind::kOther : FileKind::kNothing;
  return kind_of_bytes(read_beginning(path, kBeginning), path);
}

void require_kind(const Input& input, std::initializer_list<FileKind> wanted, std::string_view needed) {
  const FileKind kind = kind_of(input);
  if (std::find(wanted.begin(), wanted.end(), kind) != wanted.end()) return;
  const auto known = std::find_if(descriptions().begin(), descriptions().end(),
                                  [&](const Description& description) { return description.kind == kind; });
  if (known == descriptions().end()) return;
  throw Error(input.name, fmt::format("this is {}, but {} is needed here", known->is, needed),
              std::string(known->good_for));
}

}  // namespace ndnf
