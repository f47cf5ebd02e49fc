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

/// What the map of one panel shows in a place.
struct MapPlace {
  bool exists = false;
  bool marked = false;
  std::string label{};  ///< The first label of its state that not all states of the panel have.
};

/// The map of the panel in which a state lies.
class PanelMap {
 public:
  PanelMap(const FiniteModel& model, const Layout& layout, StateId state)
      : layout_(layout), places_(layout.rows.size() * layout.columns.size()) {
    const StatePlace own = *layout.place(state);
    title = layout.panels[own.panel];
    std::vector<std::size_t> index(model.state_count(), places_.size());
    std::size_t count = 0;
    for (StateId s = 0; s < model.state_count(); ++s) {
      const auto place = layout.place(s);
      if (!place || place->panel != own.panel) continue;
      index[s] = place->row * layout.columns.size() + place->column;
      places_[index[s]].exists = true;
      ++count;
    }
    places_[index[state]].marked = true;
    for (const auto& [label, members] : model.labels()) add(label, members, index, count);
  }

  const MapPlace& at(std::size_t row, std::size_t column) const {
    return places_[row * layout_.columns.size() + column];
  }

  std::string title;

 private:
  void add(const std::string& label, const std::vector<StateId>& members,
           const std::vector<std::size_t>& index, std::size_t count) {
    std::vector<std::size_t> here;
    for (const StateId s : members) {
      if (index[s] < places_.size()) here.push_back(index[s]);
    }
    if (here.size() == count) return;
    for (const std::size_t i : here) {
      if (places_[i].label.empty()) places_[i].label = label;
    }
  }

  const Layout& layout_;
  std::vector<MapPlace> places_;
};

constexpr std::size_t kMostDrawn = 36;

bool has_map(const Layout& layout, StateId state) {
  return layout.place(state) && layout.rows.size() <= kMostDrawn && layout.columns.size() <= kMostDrawn;
}

std::string map_text(const FiniteModel& model, const Layout& layout, StateId state) {
  const PanelMap map(model, layout, state);
  std::string text = map.title.empty() ? "" : map.title + "\n";
  for (std::size_t r = 0; r < layout.rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const MapPlace& place = map.at(r, c);
      const char plain = !place.exists ? ' ' : place.label.empty() ? '.' : place.label[0];
      line += fmt::format(" {}", place.marked ? '@' : plain);
    }
    text += line + "\n";
  }
  return text + card_text(model, state);
}

Svg map_svg(const FiniteModel& model, const Layout& layout, const std::string& name, StateId state) {
  const PanelMap map(model, layout, state);
  const double most = static_cast<double>(std::max(layout.rows.size(), layout.columns.size()));
  const double cell = std::clamp(480 / most, 16.0, 56.0);
  constexpr double kMargin = 12, kHead = 30;
  const double width = 2 * kMargin + std::max(200.0, cell * static_cast<double>(layout.columns.size()));
  Svg svg(width, kHead + kMargin + cell * static_cast<double>(layout.rows.size()),
          fmt::format("{}, state {}", name, state));
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kMargin, 20, 14, map.title.empty() ? name : map.title, R"(fill="#1b1f24" font-weight="bold")",
           "start");
  const auto x = [&](std::size_t column) { return kMargin + cell * static_cast<double>(column); };
  const auto y = [&](std::size_t row) { return kHead + cell * static_cast<double>(row); };
  for (std::size_t r = 0; r < layout.rows.size(); ++r) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const MapPlace& place = map.at(r, c);
      if (!place.exists) continue;
      svg.rect(x(c), y(r), cell, cell,
               fmt::format(R"(fill="{}" stroke="#8c959f")", place.label.empty() ? "#f6f8fa" : "#dbe4ee"));
      if (!place.label.empty() && cell >= 30)
        svg.text(x(c) + cell / 2, y(r) + cell - 5, 10,
                 place.label.substr(0, static_cast<std::size_t>(cell / 6)), R"(fill="#1b1f24")");
      if (place.marked)
        svg.circle(x(c) + cell / 2, y(r) + cell * 0.42, cell * 0.26,
                   R"(fill="#facc15" stroke="#422006" stroke-width="2")");
    }
  }
  for (const LayoutWall& wall : layout.walls) {
    const double x1 = x(wall.column + (wall.below ? 0 : 1)), y1 = y(wall.row + (wall.below ? 1 : 0));
    svg.line(x1, y1, wall.below ? x1 + cell : x1, wall.below ? y1 : y1 + cell,
             R"(stroke="#1b1f24" stroke-width="4" stroke-linecap="round")");
  }
  return svg;
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

void draw_as_map(Task& task, std::shared_ptr<const Layout> layout, const std::string& name) {
  task.layout = std::move(layout);
  const auto model = task.finite;
  task.draw_text = [model, shared = task.layout](StateId state) {
    return has_map(*shared, state) ? map_text(*model, *shared, state) : card_text(*model, state);
  };
  task.draw_svg = [model, shared = task.layout, name](StateId state) {
    return has_map(*shared, state) ? map_svg(*model, *shared, name, state) : card_svg(*model, name, state);
  };
}

}  // namespace ndnf
