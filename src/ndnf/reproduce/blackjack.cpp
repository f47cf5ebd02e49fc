// Table tab:blackjack-rl-win-rate and the policy grids fig:blackjack-ndnf-mt-3191-….
#include <fmt/format.h>

#include "ndnf/pieces/runs.h"
#include "ndnf/report/place_map.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/comparison.h"
#include "ndnf/reproduce/paper_figures.h"

namespace ndnf {
namespace {

const char* const kBlackjackPreset = "paper/blackjack-ndnf-mt";

struct BlackjackRow {
  std::string model;
  const paper::Blackjack* paper;
  Sample win;
  Sample decisions;
  Sample all;
};

BlackjackRow row_of(const std::string& model, const paper::Blackjack& paper, const Results& results,
                    const std::vector<std::string>& names, const std::string& where) {
  return {model, &paper, collect(results, names, fmt::format("{}/{}/win", where, paper.select)),
          collect(results, names, where + "/divergence/decisions"),
          collect(results, names, where + "/divergence/all")};
}

std::vector<BlackjackRow> rows_of(const Effort& effort, const Results& results) {
  std::vector<BlackjackRow> rows;
  for (const paper::Blackjack& paper : paper::blackjack()) {
    if (paper.preset.empty()) {
      rows.push_back(row_of(paper.model, paper, results, {blackjack_optimum_piece().name}, ""));
      continue;
    }
    const Study study = study_of(paper.preset, effort);
    if (!paper.program) {
      rows.push_back(row_of(paper.model, paper, results, train_names(study), "/measures"));
    } else {
      const auto names = extract_names(study);
      rows.push_back(row_of(paper.model + ", the paper's way", paper, results, names, "/threshold"));
      rows.push_back(row_of(paper.model + ", ndnf's way", paper, results, names, "/measures"));
    }
  }
  return rows;
}

Cell percentage(const Sample& sample) { return Cell::estimate(100 * sample.mean(), 100 * sample.error(), 2); }

Cell percentage(const Estimate& paper) { return Cell::estimate(100 * paper.mean, 100 * paper.error, 2); }

std::string verdict(const Sample& ours, const Estimate& paper, bool more_is_better) {
  return to_text(judge(ours.estimate(), paper, paper::kRateRounding, more_is_better));
}

Table win_table(const std::vector<BlackjackRow>& rows) {
  Table table{"blackjack",
              {{"model", "model", false},
               {"select", "picked by", false},
               {"win", "win, %"},
               {"paper_win", "paper"},
               {"win_difference", "difference"},
               {"win_verdict", "verdict", false},
               {"divergence_280", "divergence on the 280 decisions, %"},
               {"divergence_380", "on all 380, %"},
               {"paper_divergence", "paper (380)"},
               {"divergence_difference", "difference"},
               {"divergence_verdict", "verdict", false}}};
  for (const BlackjackRow& row : rows) {
    const auto& theirs = row.paper->divergence;
    table.add({{row.model},
               {row.paper->select},
               percentage(row.win),
               percentage(row.paper->win),
               Cell::difference(100 * (row.win.mean() - row.paper->win.mean), 2),
               {verdict(row.win, row.paper->win, true)},
               percentage(row.decisions),
               percentage(row.all),
               theirs ? percentage(*theirs) : Cell::none(),
               theirs ? Cell::difference(100 * (row.all.mean() - theirs->mean), 2) : Cell::none(),
               theirs ? Cell{verdict(row.all, *theirs, false)} : Cell::none()});
  }
  return table;
}

/// One panel without and one with a usable ace, from `hits` (measure.h).
PlaceMap map_of(const std::string& title, const Json& hits) {
  constexpr int kMostSum = 21;
  constexpr int kLeastSum = 4;
  PlaceMap map;
  map.title = title;
  map.row_title = "player's sum";
  map.column_title = "dealer's card";
  for (int sum = kMostSum; sum >= kLeastSum; --sum) map.rows.push_back(fmt::format("{}", sum));
  map.columns = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
  map.actions = {{"stick", "S"}, {"hit", "H"}};
  map.probability_of = 1;
  map.panels = {{"no usable ace", {}}, {"usable ace", {}}};
  for (MapPanel& panel : map.panels) panel.squares.resize(map.rows.size() * map.columns.size());
  for (const Json& hit : hits) {
    const auto row = static_cast<std::size_t>(kMostSum - hit[0].get<int>());
    const auto column = static_cast<std::size_t>(hit[1].get<int>() - 1);
    MapSquare& square = map.panels[hit[2].get<std::size_t>()].squares[row * map.columns.size() + column];
    square.exists = true;
    if (hit[3].is_null()) {
      square.undefined = "names no action";
      continue;
    }
    const double p = hit[3].get<double>();
    square.probabilities = {1 - p, p};
    square.differs = (p > 0.5) != (hit[4] == 1);
  }
  return map;
}

Figure grid_figure(const std::string& name, const std::string& title, const Json& measures) {
  return {name, title, draw(map_of(title, measures.at("hits")), PolicyAspect::kActions).to_string()};
}

std::vector<Piece> blackjack_pieces(const Effort& effort) {
  std::vector<Piece> all = {blackjack_optimum_piece()};
  for (const char* preset : {"paper/blackjack-mlp", kBlackjackPreset}) {
    append(all, train_pieces(study_of(preset, effort)));
  }
  append(all, extract_pieces(study_of(kBlackjackPreset, effort)));
  return all;
}

std::vector<Block> show_blackjack(const Effort& effort, const Results& results) {
  const Study study = study_of(kBlackjackPreset, effort);
  const Json& network = results.at(train_names(study).front()).at("measures");
  const Json& programs = results.at(extract_names(study).front());
  std::vector<Block> blocks = {
      Paragraph{
          "*Divergence*: the share of observations whose best action is not the optimal policy's, "
          "which is Sutton and "
          "Barto's. Decisions are taken in 280 observations; the paper counts 380, among them 100 bust "
          "hands, where "
          "the game is over and nothing is learned. The paper does not say which action counts as right "
          "there; we take stick, so that a point or two of the difference may be convention. What a "
          "program says nothing about counts as different."},
      win_table(rows_of(effort, results)),
      Paragraph{"The policy of the first seed: its more probable action for each hand and dealer's card, and "
                "P(hit) where it is not certain. A red frame: the optimal policy takes the other action."},
      grid_figure("blackjack-network", "Blackjack: the neural DNF-MT actor", network)};
  if (!programs.at("threshold").is_null()) {
    blocks.emplace_back(grid_figure("blackjack-threshold", "Blackjack: its program, the paper's way",
                                    programs.at("threshold")));
  }
  blocks.emplace_back(
      grid_figure("blackjack-program", "Blackjack: its program, ndnf's way", programs.at("measures")));
  return blocks;
}

}  // namespace

Experiment blackjack_experiment() {
  return {"blackjack", "Blackjack: win rate, divergence, policy grids", blackjack_pieces, show_blackjack};
}

}  // namespace ndnf
