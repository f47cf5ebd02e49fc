// The targets of relative links between our documents exist.
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "project/project_files.h"

namespace ndnf::project {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The relative link targets in a document that do not exist. Code, such as `[&](int x)`, has no links.
std::vector<std::string> dead_links(const std::filesystem::path& document, const std::string& markdown) {
  std::vector<std::string> dead;
  const std::string prose = std::regex_replace(markdown, std::regex("``[^\n]*?``|`[^`\n]*`"), "");
  for (const std::string& target : find_all(prose, R"(\]\(([^)#\s]+))")) {
    if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
    if (!std::filesystem::exists(root() / document.parent_path() / target)) dead.push_back(target);
  }
  return dead;
}

TEST(Links, EveryRelativeLinkLeadsToAFile) {
  const auto documents = files(".", {".md"});
  EXPECT_GE(documents.size(), 5U);
  for (const std::filesystem::path& document : documents) {
    EXPECT_THAT(dead_links(document, read(document)), IsEmpty()) << "in " << document;
  }
}

TEST(Links, ADeadLinkIsFound) {
  const std::string markdown =
      "[a](design.md) [b](../README.md#x) [c](https://example.org) [d](nowhere.md#top) `[e](f.md)` "
      "``[&](const ...)``";
  EXPECT_THAT(dead_links("docs/page.md", markdown), ElementsAre("nowhere.md"));
}

}  // namespace
}  // namespace ndnf::project
