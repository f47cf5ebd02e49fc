// docs/paper-map.md names only existing code and tests, and covers every label of the paper.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <iterator>
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

constexpr const char* kHeader = "| paper | what | code | tests |";
constexpr const char* kReasonsHeader = "| label | why |";

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// All test code and the list of the tests that are not C++, as one text without spaces.
std::string all_tests() {
  std::string text = read("tests/CMakeLists.txt");
  for (const std::filesystem::path& file : files("tests", {".cpp"})) text += read(file);
  std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text;
}

bool is_test(const std::string& name, const std::string& tests) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return false;
  const std::string pair = fmt::format("({},{}", name.substr(0, dot), name.substr(dot + 1));
  const std::vector<std::string> forms{"TEST" + pair + ")", "TEST_F" + pair + ")", "TEST_P" + pair + ")",
                                       "RC_GTEST_PROP" + pair + ",", "add_test(NAME" + name + "COMMAND"};
  return std::ranges::any_of(forms,
                             [&](const std::string& form) { return tests.find(form) != std::string::npos; });
}

/// The dead references of one row. Its code cell is a list of files, each followed by names that occur in it.
std::vector<std::string> dead_parts(const std::vector<std::string>& row, const std::string& tests) {
  std::vector<std::string> dead;
  std::string file;
  std::size_t names = 0;
  for (const std::string& span : code_spans(row[2])) {
    if (span.find('/') != std::string::npos) {
      file = span;
      if (!std::filesystem::is_regular_file(root() / file)) dead.push_back("no file " + file);
    } else if (++names; !std::filesystem::is_regular_file(root() / file) || !has_word(read(file), span)) {
      dead.push_back(fmt::format("no {} in {}", span, file));
    }
  }
  if (names == 0) dead.emplace_back("no code named");
  const std::vector<std::string> named_tests = code_spans(row[3]);
  for (const std::string& test : named_tests) {
    if (!is_test(test, tests)) dead.push_back("no test " + test);
  }
  if (named_tests.empty()) dead.emplace_back("no test named");
  return dead;
}

/// Those of the labels that no row has in its first cell, with code or with a reason. A reason is more than
/// one word.
std::vector<std::string> labels_left_out(const std::vector<std::string>& labels, const std::string& map) {
  std::set<std::string> found;
  for (const auto& row : table_rows(map, kHeader)) {
    for (const std::string& span : code_spans(row[0])) found.insert(span);
  }
  for (const auto& row : table_rows(map, kReasonsHeader)) {
    if (row[1].find(' ', 1) == std::string::npos) continue;
    for (const std::string& span : code_spans(row[0])) found.insert(span);
  }
  std::vector<std::string> missing;
  std::ranges::copy_if(labels, std::back_inserter(missing),
                       [&](const std::string& label) { return !found.contains(label); });
  return missing;
}

TEST(PaperMap, HasEveryLabelOfThePaper) {
  const std::vector<std::string> labels = find_all(read("tests/project/paper_labels.txt"), "([^\n]+)\n");
  ASSERT_EQ(labels.size(), 91U);  // \label{…} and label={…} in its LaTeX source
  EXPECT_THAT(labels_left_out(labels, read("docs/paper-map.md")), IsEmpty());
}

TEST(PaperMap, ALabelWithoutARowOrAReasonIsFound) {
  const std::string map = std::string(kHeader) +
                          "\n|---|---|---|---|\n| `eq:a`, `eq:b` | `eq:c` | x | y |\n\n" + kReasonsHeader +
                          "\n|---|---|\n| `eq:d` | heads the others |\n| `eq:e` | |\n";
  EXPECT_THAT(labels_left_out({"eq:a", "eq:b", "eq:c", "eq:d", "eq:e"}, map), ElementsAre("eq:c", "eq:e"));
}

TEST(PaperMap, EveryEntryNamesCodeAndTestsThatExist) {
  const std::string tests = all_tests();
  const auto rows = table_rows(read("docs/paper-map.md"), kHeader);
  EXPECT_GE(rows.size(), 10U);
  for (const auto& row : rows) EXPECT_THAT(dead_parts(row, tests), IsEmpty()) << "in the entry of " << row[0];
}

TEST(PaperMap, ADeadEntryIsFound) {
  const std::string tests = all_tests();
  const auto dead = [&](const std::string& row) {
    return dead_parts(table_rows(std::string(kHeader) + "\n|---|---|---|---|\n" + row, kHeader).at(0), tests);
  };
  const std::string test = "`PaperMap.ADeadEntryIsFound`";
  EXPECT_THAT(dead("| a | b | `src/ndnf/mdp/policy.h` `Selection` | " + test + " |"), IsEmpty());
  EXPECT_THAT(dead("| a | b | `src/ndnf/mdp/policy.h` `Selec` | " + test + " |"),
              ElementsAre("no Selec in src/ndnf/mdp/policy.h"));
  EXPECT_THAT(dead("| a | b | `src/no.h` `Selection` | " + test + " |"),
              ElementsAre("no file src/no.h", HasSubstr("no Selection")));
  EXPECT_THAT(dead("| a | b | `src/ndnf/mdp/policy.h` `Selection` | `PaperMap.IsPerfect` |"),
              ElementsAre("no test PaperMap.IsPerfect"));
  EXPECT_THAT(dead("| a | b | | |"), ElementsAre("no code named", "no test named"));
}

}  // namespace
}  // namespace ndnf::project
