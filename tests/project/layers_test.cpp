// Includes go downward only, according to the layer table of docs/design.md.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "project/project_files.h"

namespace ndnf::project {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The folders that each folder may include.
using Layers = std::map<std::string, std::set<std::string>>;

/// The folders a row may include: itself, those its column names, and what those include.
std::set<std::string> allowed(const std::string& folder, const std::string& column, const Layers& above) {
  std::set<std::string> result{folder};
  const std::vector<std::string> names = find_all(column, "([a-z]+)");
  for (const auto& [other, may_include] : above) {
    if (names.empty() || (names[0] != "all" && std::ranges::count(names, other) == 0)) continue;
    result.insert(may_include.begin(), may_include.end());
  }
  return result;
}

Layers read_layers(const std::string& design) {
  Layers layers;
  for (const auto& row : table_rows(design, "| folder | may include | holds |")) {
    const Layers above = layers;
    for (const std::string& folder : find_all(row[0], "`([a-z]+)/`")) {
      layers[folder] = allowed(folder, row[1], above);
    }
  }
  return layers;
}

/// The row of the table for a file, or "" if everything may be included (tests, benchmarks).
std::string folder_of(const Layers& layers, const std::filesystem::path& file) {
  const std::string top = file.begin()->string();
  if (top == "src") return std::next(file.begin(), 2)->string();  // src/ndnf/FOLDER/...
  return layers.contains(top) ? top : "";
}

/// What is wrong with one include in a file of this folder, or "".
std::string complaint(const Layers& layers, const std::string& folder, const std::string& include) {
  if (include.find("../") != std::string::npos) return "which is not a path from the include root";
  const std::vector<std::string> module = find_all(include, "^ndnf/([^/]+)/");
  if (!module.empty() && !layers.contains(module[0])) return "whose folder is not in the layer table";
  if (folder.empty()) return "";
  return !module.empty() && !layers.at(folder).contains(module[0]) ? "which its layer may not" : "";
}

/// What is wrong with the includes of a file, one sentence each.
std::vector<std::string> violations(const Layers& layers, const std::filesystem::path& file,
                                    const std::string& text) {
  const std::string folder = folder_of(layers, file);
  if (!folder.empty() && !layers.contains(folder)) {
    return {fmt::format("{}: the folder {}/ is not in the layer table", file.string(), folder)};
  }
  std::vector<std::string> found;
  for (const std::string& include : find_all(text, R"re(#[ \t]*include[ \t]*["<]([^">]+)[">])re")) {
    const std::string what = complaint(layers, folder, include);
    if (!what.empty()) found.push_back(fmt::format("{} includes {}, {}", file.string(), include, what));
  }
  return found;
}

Layers project_layers() { return read_layers(read("docs/design.md")); }

TEST(Layers, EveryIncludeIsOneThatTheDesignAllows) {
  const Layers layers = project_layers();
  std::size_t checked = 0;
  for (const char* folder : {"src", "cli", "tests", "bench"}) {
    for (const std::filesystem::path& file : files(folder, {".h", ".cpp"})) {
      EXPECT_THAT(violations(layers, file, read(file)), IsEmpty());
      ++checked;
    }
  }
  EXPECT_GT(checked, 50U);
}

TEST(Layers, TheTableIsReadWithWhatLowerLayersInclude) {
  const Layers layers = project_layers();
  EXPECT_THAT(layers.at("base"), ElementsAre("base"));
  EXPECT_THAT(layers.at("env"), ElementsAre("base", "env", "mdp", "simulation", "system"));
  EXPECT_THAT(layers.at("train"), ElementsAre("base", "mdp", "model", "nn", "optimum", "simulation", "system",
                                              "train", "update"));
  EXPECT_TRUE(layers.at("pipeline").contains("report"));
  EXPECT_FALSE(layers.at("pipeline").contains("cli"));
}

TEST(Layers, AnUpwardIncludeIsFound) {
  const Layers layers = project_layers();
  EXPECT_THAT(violations(layers, "src/ndnf/mdp/policy.cpp", "#include \"ndnf/tasks/registry.h\"\n"),
              ElementsAre("src/ndnf/mdp/policy.cpp includes ndnf/tasks/registry.h, which its layer may not"));
  EXPECT_THAT(violations(layers, "src/ndnf/studio/studio.cpp", "#include <ndnf/server/server.h>\n"),
              ElementsAre(HasSubstr("which its layer may not")));
  EXPECT_THAT(violations(layers, "src/ndnf/tasks/taxi.cpp", "#include \"../train/ppo.h\"\n"),
              ElementsAre(HasSubstr("not a path from the include root")));
}

TEST(Layers, AnUnknownFolderIsFound) {
  const Layers layers = project_layers();
  EXPECT_THAT(violations(layers, "src/ndnf/utils/misc.h", ""),
              ElementsAre(HasSubstr("not in the layer table")));
  EXPECT_THAT(violations(layers, "tests/env/taxi_test.cpp", "# include \"ndnf/utils/misc.h\"\n"),
              ElementsAre(HasSubstr("not in the layer table")));
}

/// Requests name their arguments by `argument(…)`, which each front end formats in its own way. Exceptions:
/// the output of `reproduce` and what a report says about certificates are about commands, clingo has its own
/// options, and --a is a colour of CSS.
TEST(Layers, OnlyTheCommandLineKnowsItsOptions) {
  std::size_t checked = 0;
  for (const std::filesystem::path& file : files("src", {".h", ".cpp"})) {
    if (file.string().find("/reproduce/") != std::string::npos || file.filename() == "report_sections.cpp")
      continue;
    ++checked;
    for (const std::string& option : find_all(read(file), R"re("[^"\n]*(--[a-z]+)[^"\n]*")re")) {
      EXPECT_THAT(option, ::testing::AnyOf("--opt", "--outf", "--warn", "--text", "--solve", "--a")) << file;
    }
  }
  EXPECT_GT(checked, 200U);
}

}  // namespace
}  // namespace ndnf::project
