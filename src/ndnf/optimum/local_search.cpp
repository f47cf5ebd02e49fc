#include "ndnf/optimum/local_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "ndnf/base/random.h"
#include "ndnf/optimum/return_gradient.h"

namespace ndnf {
namespace {

constexpr std::size_t kMaxValues = std::size_t{1} << 24;

using Rows = std::vector<double>;  // (slots, actions)

/// The Euclidean projection onto the probability simplex: subtracts the constant that makes the positive
/// parts sum to 1 (found by sorting, O(n log n)).
void project_to_simplex(std::span<double> row) {
  std::vector<double> sorted(row.begin(), row.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  for (double& p : row) p = std::clamp(p - shift, 0.0, 1.0);
}

double dot(const Rows& a, const Rows& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Rows difference(const Rows& a, const Rows& b) {
  Rows result(a);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= b[i];
  return result;
}

Rows blend(const Rows& from, const Rows& to, double share) {
  Rows result(from);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (1 - share) * from[i] + share * to[i];
  return result;
}

/// The spectral projected gradient method (Birgin, Martinez and Raydan, 2000), with a monotone line search:
/// move along the gradient, project the rows back onto the simplex, then backtrack until the return
/// increases sufficiently. The step length comes from the curvature of the last move. Converges to a local
/// optimum only. Each evaluation costs horizon × moves.
class Climber {
 public:
  Climber(const DecisionProcess& process, std::size_t max_evaluations)
      : objective_(process), actions_(process.action_count()), evaluations_left_(max_evaluations) {}

  RatedPolicy run(Rows rows) {
    Point here = evaluate(std::move(rows));
    double step = 1;
    while (true) {
      const Rows target = project(here, step);
      const double ascent = dot(here.gradient, difference(target, here.rows));
      if (ascent <= 1e-14 * std::max(1.0, std::abs(here.value))) break;
      std::optional<Point> next = search_line(here, target, ascent);
      if (!next) break;
      step = spectral_step(here, *next);
      here = *std::move(next);
    }
    return {std::move(here.rows), here.value};
  }

 private:
  struct Point {
    Rows rows;
    Rows gradient;
    double value;
  };

  Point evaluate(Rows rows) {
    Point point{std::move(rows), {}, 0};
    point.value = objective_.evaluate(point.rows, point.gradient);
    return point;
  }

  /// One gradient step, projected back to probabilities.
  Rows project(const Point& from, double step) const {
    Rows target(from.rows);
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += step * from.gradient[i];
    for (std::size_t i = 0; i < target.size(); i += actions_) {
      project_to_simplex({target.data() + i, actions_});
    }
    return target;
  }

  /// The first point at 1, 1/2, 1/4, … of the way to the target with a sufficient increase (Armijo's
  /// condition); empty if there is none. `ascent` is the directional derivative towards the target.
  std::optional<Point> search_line(const Point& from, const Rows& target, double ascent) {
    for (double share = 1; share > 1e-9 && evaluations_left_ > 0; share /= 2, --evaluations_left_) {
      Point point = evaluate(blend(from.rows, target, share));
      if (point.value >= from.value + 1e-4 * share * ascent) return point;
    }
    return std::nullopt;
  }

  /// The step that would be right if the curvature of the last move held everywhere.
  static double spectral_step(const Point& from, const Point& to) {
    constexpr double kMaxStep = 1e6;
    const Rows move = difference(to.rows, from.rows);
    const double curvature = -dot(move, difference(to.gradient, from.gradient));
    return curvature > 0 ? std::min(kMaxStep, dot(move, move) / curvature) : kMaxStep;
  }

  ReturnGradient objective_;
  std::size_t actions_;
  std::size_t evaluations_left_;
};

/// The starting points: the uniform policy, the given one, a mixture of the two, and random ones.
std::vector<Rows> starting_points(const DecisionProcess& process, const Rows& given) {
  constexpr std::size_t kRandomStarts = 6;
  const std::size_t actions = process.action_count();
  const double equal = 1.0 / static_cast<double>(actions);
  Rows mixed(given);
  for (double& p : mixed) p = 0.9 * p + 0.1 * equal;
  std::vector<Rows> starts{Rows(given.size(), equal), given, mixed};
  RandomSequence random(RandomStream(0, 0));
  for (std::size_t i = 0; i < kRandomStarts; ++i) {
    Rows rows(given.size());
    for (std::size_t row = 0; row < rows.size(); row += actions) {
      double sum = 0;
      for (std::size_t a = 0; a < actions; ++a) sum += rows[row + a] = 1 - random.uniform();
      for (std::size_t a = 0; a < actions; ++a) rows[row + a] /= sum;
    }
    starts.push_back(std::move(rows));
  }
  return starts;
}

}  // namespace

bool can_climb(const DecisionProcess& process) {
  return (process.endless() ? process.state_count() : process.horizon()) < kMaxValues / process.state_count();
}

RatedPolicy climb(const DecisionProcess& process, std::vector<double> rows, std::size_t max_evaluations) {
  return Climber(process, max_evaluations).run(std::move(rows));
}

RatedPolicy search_locally(const DecisionProcess& process, const std::vector<double>& given) {
  constexpr std::size_t kMostMoves = 300'000'000;  // in moves processed: a few seconds
  const std::vector<Rows> starts = starting_points(process, given);
  const std::size_t evaluations =
      std::clamp<std::size_t>(kMostMoves / process.work() / starts.size(), 2, 2000);
  RatedPolicy best = climb(process, starts.front(), evaluations);
  for (std::size_t i = 1; i < starts.size(); ++i) {
    RatedPolicy next = climb(process, starts[i], evaluations);
    if (next.value > best.value) best = std::move(next);
  }
  return best;
}

}  // namespace ndnf
