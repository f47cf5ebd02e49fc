// How the cost of building a task, evaluating a policy exactly, finding the optimum and extracting its rules
// grows with the number of states: Taxi on maps of increasing size. Usage: scaling FILE.md FILE.svg
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/svg.h"
#include "ndnf/base/text_table.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/backward_induction.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace {

struct Point {
  std::size_t states;
  double build;     // seconds
  double evaluate;  // seconds
  double optimum;   // seconds
  double extract;   // seconds
  std::size_t rules;
};

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Point measure(std::size_t side) {
  Point point{};
  std::optional<ndnf::Task> taxi;
  point.build =
      seconds([&] { taxi = ndnf::make_task(fmt::format("taxi:factored,rows={0},cols={0}", side)); });
  point.states = taxi->model().state_count();
  const ndnf::PolicyTable uniform = ndnf::uniform_policy(taxi->model().observations());
  point.evaluate = seconds([&] { ndnf::evaluate_exactly(taxi->model(), uniform); });
  point.optimum = seconds([&] { ndnf::find_optimum(taxi->model()); });
  const ndnf::FiniteModel& model = taxi->model();
  const std::vector<ndnf::ActionSet> optimal = ndnf::induct_backward(model).actions;
  const ndnf::Reach reach = ndnf::reachable(model);
  std::vector<std::uint64_t> allowed;  // one observation per state
  for (const ndnf::StateId s : reach.states) allowed.push_back(optimal[s]);
  ndnf::ExactOptions greedy;
  greedy.search_limit = 0;
  point.extract = seconds([&] {
    const ndnf::Scope scope(model.shared_observations(), reach.observations);
    point.rules = ndnf::extract_exactly(scope, allowed, greedy).rules.size();
  });
  return point;
}

/// Both axes logarithmic; a line of slope 1 is linear growth.
class Plot {
 public:
  Plot() : svg_(640, 420, "Cost against the number of states") {
    svg_.rect(0, 0, 640, 420, "fill=\"white\"");
    for (int decade = 2; decade <= 6; ++decade) {
      svg_.line(x(std::pow(10, decade)), 20, x(std::pow(10, decade)), 360, "stroke=\"#ddd\"");
      svg_.text(x(std::pow(10, decade)), 380, 13, fmt::format("{:.0f}", std::pow(10, decade)),
                "fill=\"#333\"");
    }
    for (int decade = -5; decade <= 2; ++decade) {
      svg_.line(80, y(std::pow(10, decade)), 620, y(std::pow(10, decade)), "stroke=\"#ddd\"");
      svg_.text(72, y(std::pow(10, decade)) + 4, 13, fmt::format("{:g} s", std::pow(10, decade)),
                "fill=\"#333\"", "end");
    }
    svg_.text(350, 405, 14, "states", "fill=\"#333\"");
  }

  void series(const std::vector<Point>& points, double Point::*cost, const std::string& colour,
              const std::string& name) {
    ndnf::Svg::Points line;
    for (const Point& point : points) line.emplace_back(x(static_cast<double>(point.states)), y(point.*cost));
    svg_.polyline(line, fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour));
    for (const auto& [px, py] : line) svg_.circle(px, py, 3.5, fmt::format("fill=\"{}\"", colour));
    svg_.text(100, 45 + 20 * series_++, 14, name, fmt::format("fill=\"{}\"", colour), "start");
  }

  std::string to_string() const { return svg_.to_string(); }

 private:
  static double x(double states) { return 80 + (std::log10(states) - 2) / 4.3 * 540; }
  static double y(double cost) { return 360 - (std::log10(cost) + 5) / 7 * 340; }

  ndnf::Svg svg_;
  int series_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: scaling FILE.md FILE.svg\n");
    return 2;
  }
  ndnf::TextTable table({"map", "states", "build, ns a state", "exact evaluation, ns a state",
                         "optimum, ns a state", "extraction, ns a state", "rules"},
                        {1, 2, 3, 4, 5, 6});
  std::vector<Point> points;
  for (const std::size_t side : {5u, 9u, 16u, 28u, 50u, 89u, 158u, 224u}) {
    points.push_back(measure(side));
    const Point& point = points.back();
    const auto each = [&](double cost) {
      return fmt::format("{:.0f}", 1e9 * cost / static_cast<double>(point.states));
    };
    table.add({fmt::format("{0} × {0}", side), fmt::format("{}", point.states), each(point.build),
               each(point.evaluate), each(point.optimum), each(point.extract),
               fmt::format("{}", point.rules)});
  }
  Plot plot;
  plot.series(points, &Point::build, "#888888", "build the model");
  plot.series(points, &Point::evaluate, "#1f6fb4", "exact evaluation of the uniform policy, 200 steps");
  plot.series(points, &Point::optimum, "#c0392b", "optimum with its proof, 200 steps");
  plot.series(points, &Point::extract, "#2e8b57", "rules of the optimal policy, without a search for fewer");
  ndnf::write_file(argv[2], plot.to_string());
  ndnf::write_file(
      argv[1],
      fmt::format(
          "# Cost against the number of states\n\nGenerated by `make bench`; do not edit. `taxi` in the "
          "factored encoding on larger maps, one core (above 65,536 states the optimum uses all).\n\n![cost "
          "against states]({})\n\n{}",
          std::filesystem::path(argv[2]).filename().string(), table.to_markdown()));
  return 0;
}
