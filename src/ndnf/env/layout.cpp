#include "ndnf/env/layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace ndnf {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kDirections = {{{"left", "←"},
                                                                                        {"right", "→"},
                                                                                        {"up", "↑"},
                                                                                        {"down", "↓"},
                                                                                        {"west", "←"},
                                                                                        {"east", "→"},
                                                                                        {"north", "↑"},
                                                                                        {"south", "↓"},
                                                                                        {"northwest", "↖"},
                                                                                        {"northeast", "↗"},
                                                                                        {"southeast", "↘"},
                                                                                        {"southwest", "↙"},
                                                                                        {"nw", "↖"},
                                                                                        {"ne", "↗"},
                                                                                        {"se", "↘"},
                                                                                        {"sw", "↙"}}};

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The arrow of an action; empty if its name says no direction, or says to turn.
std::string arrow_of(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  if (words.empty() || words.front() == "turn" || words.front() == "rotate") return "";
  for (const auto& [word, arrow] : kDirections) {
    if (words.back() == word) return std::string(arrow);
  }
  return "";
}

std::string capitals(const std::string& name, std::size_t count) {
  std::string letters = name.substr(0, count);
  letters[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(letters[0])));
  return letters;
}

}  // namespace

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

std::vector<std::string> default_marks(const std::vector<std::string>& actions) {
  constexpr std::size_t kMostLetters = 3;
  std::vector<std::string> marks(actions.size());
  const auto is_taken = [&marks](const std::string& mark) {
    return std::find(marks.begin(), marks.end(), mark) != marks.end();
  };
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (const std::string arrow = arrow_of(actions[a]); !is_taken(arrow)) marks[a] = arrow;
  }
  for (std::size_t a = 0; a < actions.size(); ++a) {
    for (std::size_t count = 1; marks[a].empty() && count <= kMostLetters; ++count) {
      const std::string letters = capitals(actions[a], count);
      const auto shares = [&](const std::string& other) {
        return arrow_of(other).empty() && capitals(other, count) == letters;
      };
      if (!is_taken(letters) && std::count_if(actions.begin(), actions.end(), shares) <= 1)
        marks[a] = letters;
    }
    if (marks[a].empty()) marks[a] = std::to_string(a);
  }
  return marks;
}

}  // namespace ndnf
