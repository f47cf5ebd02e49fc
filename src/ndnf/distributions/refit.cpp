#include "ndnf/distributions/refit.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "ndnf/boxes/box_search.h"
#include "ndnf/distributions/free_bias.h"
#include "ndnf/distributions/softmax_regression.h"

namespace ndnf {
namespace {

/// A candidate is preferred if its gain is at least this fraction of the best box's gain.
constexpr double kPreference = 0.9;
/// The minimum weight of observations with probabilities near 0 or 1; see importance_of.
constexpr double kLeastImportance = 0.1;
/// Growth fits targets mixed with the uniform distribution, with this fraction of epsilon as weight: logits
/// stay finite.
constexpr double kSmoothing = 0.02;
/// Fits within epsilon aim at this fraction of it, so that they end inside the tolerance and not on its
/// border.
constexpr double kAim = 0.95;

/// The curvature of an observation is at least this fraction of the curvature half-way to its target.
constexpr double kLeastCurvature = 0.5;

constexpr SoftmaxSolver kGrowthSolver{.max_steps = 15, .min_decrease = 1e-3};
/// Gives up early: a fit that can reach the tolerance does so in a few steps.
constexpr SoftmaxSolver kToleranceSolver{.max_steps = 15, .min_decrease = 0.2};

/// Conjunctions with their columns and weights; column 0 is the bias, column k + 1 box k.
struct Model {
  std::vector<Box> boxes;
  std::vector<bool> from_candidates;
  Matrix<double> X;  // (n, boxes + 1), 0 or 1
  Matrix<double> W;  // (boxes + 1, A)
};

Model without_box(const Model& model, std::size_t box) {
  Model less{model.boxes, model.from_candidates, Matrix<double>(model.X.rows(), model.X.cols() - 1),
             Matrix<double>(model.W.rows() - 1, model.W.cols())};
  less.boxes.erase(less.boxes.begin() + static_cast<std::ptrdiff_t>(box));
  less.from_candidates.erase(less.from_candidates.begin() + static_cast<std::ptrdiff_t>(box));
  for (std::size_t k = 0; k < less.X.cols(); ++k) {
    const std::size_t from = k <= box ? k : k + 1;
    for (std::size_t i = 0; i < less.X.rows(); ++i) less.X(i, k) = model.X(i, from);
    std::copy_n(model.W.row(from), less.W.cols(), less.W.row(k));
  }
  return less;
}

void append(Model& model, Box box, bool from_candidates, const std::vector<double>& column) {
  const Model before = model;
  model.boxes.push_back(std::move(box));
  model.from_candidates.push_back(from_candidates);
  model.X = Matrix<double>(before.X.rows(), before.X.cols() + 1);
  model.W = Matrix<double>(before.W.rows() + 1, before.W.cols());
  for (std::size_t i = 0; i < before.X.rows(); ++i) {
    std::copy_n(before.X.row(i), before.X.cols(), model.X.row(i));
    model.X(i, before.X.cols()) = column[i];
  }
  std::copy(before.W.values().begin(), before.W.values().end(), model.W.values().begin());
}

double spread(const double* p, std::size_t actions) {
  double rest = 1;
  for (std::size_t a = 0; a < actions; ++a) rest -= p[a] * p[a];
  return rest;
}

double variance(const double* p, const std::vector<double>& u) {
  double mean = 0;
  double square = 0;
  for (std::size_t a = 0; a < u.size(); ++a) {
    mean += p[a] * u[a];
    square += p[a] * u[a] * u[a];
  }
  return square - mean * mean;
}

/// KL(p‖q) is about Δp² / p for small differences. Weighting it with the spread of p makes it about Δp²,
/// which is the quantity to be made small.
std::vector<double> importance_of(const Matrix<double>& targets) {
  std::vector<double> importance(targets.rows());
  for (std::size_t i = 0; i < importance.size(); ++i) {
    importance[i] = std::max(spread(targets.row(i), targets.cols()), kLeastImportance);
  }
  return importance;
}

Matrix<double> smoothed(const Matrix<double>& targets, double share) {
  Matrix<double> result = targets;
  for (double& p : result.values()) p = (1 - share) * p + share / static_cast<double>(targets.cols());
  return result;
}

/// Stagewise growth, as in boosting: each step adds the box with the largest second-order gain
/// (box_search.h), refits all weights, then moves each box, with the others fixed, to where its gain is
/// largest. Box search is a heuristic; the fit is a softmax regression, convex during growth. Every returned
/// model is measured against the targets, and one box per observation always suffices, so epsilon is met
/// unless max_conjunctions forbids it. A fit costs about n · k² per Newton step for k boxes; thinning refits
/// once per box.
class Growth {
 public:
  Growth(const Scope& scope, const Matrix<double>& targets, double least_epsilon, const RefitOptions& options)
      : scope_(scope),
        targets_(targets),
        goal_(smoothed(targets, kSmoothing * least_epsilon)),
        importance_(importance_of(targets)),
        search_(scope),
        candidates_(options.candidates) {
    for (const Box& box : candidates_) candidate_columns_.push_back(indicator(box));
    model_.X = Matrix<double>(scope.size(), 1, 1.0);
    model_.W = Matrix<double>(1, targets.cols());
    fit();
  }

  const Model& model() const { return model_; }
  double max_dp() const { return max_dp_of(model_); }

  /// Adds the box with the largest gain. False if no box has a positive gain.
  bool add_box() {
    Addition best = best_addition();
    if (best.gain <= 0) return false;
    const std::vector<double> column = indicator(best.box);
    append(model_, std::move(best.box), best.from_candidates, column);
    fit();
    improve_boxes();
    fit();
    return true;
  }

  /// The model refitted to be within epsilon of the targets; nothing if the fit does not get there.
  std::optional<Model> within(Model model, double epsilon) const {
    fit_softmax({model.X, targets_, importance_, kAim * epsilon}, kToleranceSolver, model.W);
    if (max_dp_of(model) > epsilon) return std::nullopt;
    return model;
  }

  /// Drops boxes, those with the least effect first, as long as the rest stays within epsilon.
  Model thinned(Model model, double epsilon) const {
    std::vector<std::pair<double, Box>> order;
    for (std::size_t k = 0; k < model.boxes.size(); ++k) order.emplace_back(effect(model, k), model.boxes[k]);
    std::sort(order.begin(), order.end());
    for (const auto& [size, box] : order) {
      const auto at = std::find(model.boxes.begin(), model.boxes.end(), box);
      auto less = within(without_box(model, static_cast<std::size_t>(at - model.boxes.begin())), epsilon);
      if (less) model = *std::move(less);
    }
    return model;
  }

  /// The same boxes with the smallest max |p − q| that bisection finds.
  Model closest(Model model) const {
    double high = max_dp_of(model);
    double low = 0;
    for (int step = 0; step < 12; ++step) {
      const double middle = (low + high) / 2;
      auto better = within(model, middle);
      (better ? high : low) = middle;
      if (better) model = *std::move(better);
    }
    return model;
  }

  /// One box per observation: this always works.
  Model table() const {
    Model model;
    model.X = Matrix<double>(scope_.size(), 1, 1.0);
    model.W = Matrix<double>(1, targets_.cols());
    for (std::size_t i = 0; i < scope_.size(); ++i) {
      Box box = hull(scope_, std::array{i});
      const std::vector<double> column = indicator(box);
      append(model, std::move(box), false, column);
      for (std::size_t a = 0; a < targets_.cols(); ++a) model.W(i + 1, a) = std::log(goal_(i, a));
    }
    return model;
  }

  Refit result(const Model& model) const {
    Refit refit;
    const std::size_t actions = targets_.cols();
    for (const Box& box : model.boxes) refit.boxes.push_back(simplified(box, scope_));
    refit.from_candidates = model.from_candidates;
    refit.bias.assign(model.W.row(0), model.W.row(0) + actions);
    refit.weights = Matrix<double>(model.boxes.size(), actions);
    // w [box] = w/2 c + w/2 for c = 2 [box] − 1.
    for (std::size_t k = 0; k < model.boxes.size(); ++k) {
      for (std::size_t a = 0; a < actions; ++a) {
        refit.weights(k, a) = model.W(k + 1, a) / 2;
        refit.bias[a] += model.W(k + 1, a) / 2;
      }
    }
    const Distance d = distance(targets_, softmax_rows(model.X, model.W));
    refit.max_dp = d.max_dp;
    refit.mean_kl = d.mean_kl;
    return refit;
  }

 private:
  struct Addition {
    Box box;
    double gain = 0;
    bool from_candidates = false;
  };

  /// 1 where the observation is in the box, otherwise 0.
  std::vector<double> indicator(const Box& box) const {
    std::vector<double> column(scope_.size());
    for (const std::uint32_t i : members(box, scope_).values()) column[i] = 1;
    return column;
  }

  double max_dp_of(const Model& model) const {
    return distance(targets_, softmax_rows(model.X, model.W)).max_dp;
  }

  void fit() {
    fit_softmax({model_.X, goal_, importance_}, kGrowthSolver, model_.W);
    Q_ = softmax_rows(model_.X, model_.W);
  }

  double effect(const Model& model, std::size_t box) const {
    const double* w = model.W.row(box + 1);
    const auto [low, high] = std::minmax_element(w, w + model.W.cols());
    double mass = 0;
    for (std::size_t i = 0; i < importance_.size(); ++i) mass += importance_[i] * model.X(i, box + 1);
    return (*high - *low) * std::sqrt(mass);
  }

  /// Negative gradient g and curvature h of the loss, per observation, when its logits move along u.
  void look_along(const std::vector<double>& u) {
    g_.assign(Q_.rows(), 0);
    h_.assign(Q_.rows(), 0);
    std::vector<double> half_way(u.size());
    for (std::size_t i = 0; i < Q_.rows(); ++i) {
      for (std::size_t a = 0; a < u.size(); ++a) {
        g_[i] += importance_[i] * (goal_(i, a) - Q_(i, a)) * u[a];
        half_way[a] = (goal_(i, a) + Q_(i, a)) / 2;
      }
      // Where the model is certain but wrong, its own curvature is almost 0 and a step would be unbounded.
      const double least = kLeastCurvature * variance(half_way.data(), u);
      h_[i] = importance_[i] * std::max({variance(Q_.row(i), u), least, 1e-12});
    }
  }

  Addition best_addition() {
    const std::size_t actions = Q_.cols();
    Addition best;
    // With two actions there is only one direction.
    for (std::size_t a = 0; a < (actions == 2 ? 1 : actions); ++a) {
      std::vector<double> u(actions, -1 / static_cast<double>(actions));
      u[a] += 1;
      Addition found = best_along(u);
      if (actions > 2 && found.gain > 0) {
        Addition turned = best_along(direction_of(found.box));
        if (turned.gain > found.gain) found = std::move(turned);
      }
      if (found.gain > best.gain) best = std::move(found);
    }
    return best;
  }

  Addition best_along(const std::vector<double>& u) {
    look_along(u);
    BoxSearch::Found found = search_.find(g_, h_);
    Addition best{std::move(found.box), found.gain};
    double least = kPreference * found.gain;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const double gain = gain_of(candidate_columns_[c]);
      if (gain < least || gain <= 0) continue;
      best = {candidates_[c], gain, true};
      least = gain;
    }
    return best;
  }

  double gain_of(const std::vector<double>& column) const {
    const double gradient = std::inner_product(column.begin(), column.end(), g_.begin(), 0.0);
    const double curvature = std::inner_product(column.begin(), column.end(), h_.begin(), 0.0);
    return curvature > 0 ? gradient * gradient / curvature : 0;
  }

  /// The direction of the residual in the box, each action scaled by its curvature.
  std::vector<double> direction_of(const Box& box) const {
    std::vector<double> gradient(Q_.cols());
    std::vector<double> curvature(Q_.cols(), 1e-9);
    const std::vector<double> inside = indicator(box);
    for (std::size_t i = 0; i < Q_.rows(); ++i) {
      for (std::size_t a = 0; a < gradient.size(); ++a) {
        gradient[a] += inside[i] * importance_[i] * (goal_(i, a) - Q_(i, a));
        curvature[a] += inside[i] * importance_[i] * Q_(i, a) * (1 - Q_(i, a));
      }
    }
    for (std::size_t a = 0; a < gradient.size(); ++a) gradient[a] /= curvature[a];
    return gradient;
  }

  /// Moves each box, with the others fixed, to where its gain is now largest.
  void improve_boxes() {
    for (std::size_t k = 0; k < model_.boxes.size(); ++k) improve_box(k);
  }

  void improve_box(std::size_t k) {
    const std::vector<double> u(model_.W.row(k + 1), model_.W.row(k + 1) + model_.W.cols());
    look_along(u);
    // The gradient as it would be without the box, to second order.
    for (std::size_t i = 0; i < g_.size(); ++i) g_[i] += h_[i] * model_.X(i, k + 1);
    std::vector<double> column(g_.size());
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = model_.X(i, k + 1);
    BoxSearch::Found found = search_.climb(g_, h_, model_.boxes[k], 0);
    const double present = gain_of(column) / (model_.from_candidates[k] ? kPreference : 1);
    if (found.gain <= present * (1 + 1e-6)) return;
    column = indicator(found.box);
    const double length = std::inner_product(column.begin(), column.end(), g_.begin(), 0.0) /
                          std::inner_product(column.begin(), column.end(), h_.begin(), 0.0);
    for (std::size_t i = 0; i < column.size(); ++i) model_.X(i, k + 1) = column[i];
    for (std::size_t a = 0; a < u.size(); ++a) model_.W(k + 1, a) = length * u[a];
    model_.boxes[k] = std::move(found.box);
    model_.from_candidates[k] = false;
    Q_ = softmax_rows(model_.X, model_.W);
  }

  const Scope& scope_;
  const Matrix<double>& targets_;
  Matrix<double> goal_;
  std::vector<double> importance_;
  BoxSearch search_;
  const std::vector<Box>& candidates_;
  std::vector<std::vector<double>> candidate_columns_;
  Model model_;
  Matrix<double> Q_;       // (n, A), the model's distributions
  std::vector<double> g_;  // (n), see look_along
  std::vector<double> h_;  // (n)
};

}  // namespace

std::vector<Refit> refit_frontier(const Scope& scope, const Matrix<double>& targets,
                                  std::span<const double> epsilons, const RefitOptions& options) {
  assert(targets.rows() == scope.size() && std::is_sorted(epsilons.rbegin(), epsilons.rend()));
  Growth growth(scope, targets, epsilons.back(), options);
  const std::size_t limit = std::min(options.max_conjunctions.value_or(scope.size()), scope.size());
  Model at_limit = growth.model();
  std::vector<Refit> frontier;
  for (const double epsilon : epsilons) {
    // Growth may exceed the limit a little: thinning removes more than a tenth of the boxes.
    while (growth.max_dp() > epsilon && growth.model().boxes.size() < limit + limit / 8 && growth.add_box()) {
      if (growth.model().boxes.size() <= limit) at_limit = growth.model();
    }
    const bool reached = growth.max_dp() <= epsilon;
    Model model = reached ? growth.thinned(growth.model(), epsilon) : at_limit;
    if (!reached || model.boxes.size() > limit) {
      model = limit == scope.size() ? growth.table() : growth.closest(at_limit);
    }
    frontier.push_back(growth.result(model));
  }
  return frontier;
}

Refit refit(const Scope& scope, const Matrix<double>& targets, double epsilon, const RefitOptions& options) {
  return std::move(refit_frontier(scope, targets, {&epsilon, 1}, options).front());
}

Matrix<double> probabilities(const Refit& refit, const Scope& scope) {
  Matrix<double> X(scope.size(), refit.boxes.size() + 1, 1.0);
  Matrix<double> W(refit.boxes.size() + 1, refit.bias.size());
  std::copy(refit.bias.begin(), refit.bias.end(), W.row(0));
  for (std::size_t k = 0; k < refit.boxes.size(); ++k) {
    std::copy_n(refit.weights.row(k), W.cols(), W.row(k + 1));
    for (std::size_t i = 0; i < scope.size(); ++i) {
      X(i, k + 1) = contains(refit.boxes[k], scope.values(i)) ? 1 : -1;
    }
  }
  return softmax_rows(X, W);
}

NeuralDnf<double> network(const Refit& refit, const Scope& scope) {
  std::vector<std::vector<AtomLiteral>> conjunctions;
  for (const Box& box : refit.boxes) conjunctions.push_back(literals(box, scope));
  return affine_network(conjunctions, refit.weights, refit.bias, scope.vocabulary().atom_count());
}

}  // namespace ndnf
