#include "ndnf/env/model_file_drawing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ndnf {
namespace {

struct Card {
  std::string title;
  std::vector<std::string> atoms;
  std::vector<std::string> labels;
};

Card card_of(const FiniteModel& model, StateId state) {
  Card card{fmt::format("state {}", state), {}, {}};
  for (const AtomId atom : model.observations().facts(model.observation(state))) {
    card.atoms.push_back(model.vocabulary().atom_name(atom));
  }
  for (const auto& [label, members] : model.labels()) {
    if (std::find(members.begin(), members.end(), state) != members.end()) card.labels.push_back(label);
  }
  return card;
}

}  // namespace

std::string card_text(const FiniteModel& model, StateId state) {
  const Card card = card_of(model, state);
  std::string text =
      fmt::format("{}\n  true: {}\n", card.title,
                  card.atoms.empty() ? "no atom" : fmt::format("{}", fmt::join(card.atoms, ", ")));
  if (!card.labels.empty()) text += fmt::format("  labels: {}\n", fmt::join(card.labels, ", "));
  return text;
}

Svg card_svg(const FiniteModel& model, const std::string& name, StateId state) {
  const Card card = card_of(model, state);
  constexpr double kMargin = 16, kLine = 22, kLetter = 9.5;
  std::vector<std::pair<std::string, const char*>> lines;
  for (const std::string& atom : card.atoms) lines.emplace_back(atom, R"(fill="#1b1f24")");
  if (card.atoms.empty()) lines.emplace_back("no atom", R"(fill="#6e7781")");
  for (const std::string& label : card.labels) lines.emplace_back("label " + label, R"(fill="#0a6b3d")");
  const std::string heading = fmt::format("{}, {}", name, card.title);
  std::size_t letters = heading.size();
  for (const auto& [line, style] : lines) letters = std::max(letters, line.size());

  const double width = 2 * kMargin + kLetter * static_cast<double>(letters);
  const double height = 2 * kMargin + 12 + kLine * static_cast<double>(lines.size() + 1);
  Svg svg(width, height, heading);
  svg.rect(1, 1, width - 2, height - 2, R"(fill="#ffffff" stroke="#8c959f")", 8);
  svg.text(kMargin, kMargin + 14, 15, heading, R"(fill="#1b1f24" font-weight="bold")", "start");
  svg.line(1, kMargin + 26, width - 1, kMargin + 26, R"(stroke="#8c959f")");
  double y = kMargin + 26;
  for (const auto& [line, style] : lines) svg.text(kMargin, y += kLine, 14, line, style, "start");
  return svg;
}

}  // namespace ndnf
