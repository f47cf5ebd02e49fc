#include "ndnf/distributions/distribution_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "ndnf/boxes/greedy_boxes.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

using Cluster = std::vector<std::size_t>;

/// Keeps rounding from pushing a probability over the limit.
constexpr double kRounding = 1e-13;

/// The rows, ordered so that similar distributions are neighbours: by most probable action, runner-up and
/// probability. With two actions this is the order of the probability.
std::vector<std::size_t> line_up(const Matrix<double>& targets, std::span<const std::size_t> rows) {
  std::vector<std::tuple<std::size_t, std::size_t, double, std::size_t>> keys;
  for (const std::size_t i : rows) {
    std::vector<double> p(targets.row_span(i).begin(), targets.row_span(i).end());
    const std::size_t first = most_probable(p);
    const double probability = std::exchange(p[first], -1);
    keys.emplace_back(first, most_probable(p), probability, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  for (const auto& key : keys) order.push_back(std::get<3>(key));
  return order;
}

/// The best partition of the line into intervals, by dynamic programming over their ends. An interval costs
/// one for its class plus one per box, hence at least 2, so an interval that cannot beat the best cost so far
/// is skipped. An interval stops growing at the first row that does not fit. At most n²/2 intervals, each
/// with a greedy cover.
std::vector<Cluster> cut(const std::vector<std::size_t>& line, const Matrix<double>& targets, double epsilon,
                         GreedyBoxes& boxes) {
  std::vector<std::size_t> cost(line.size() + 1, std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> begin_of(line.size() + 1);
  cost[0] = 0;
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    Envelope envelope;
    Cluster cluster;
    for (std::size_t end = begin + 1; end <= line.size(); ++end) {
      const std::size_t next = line[end - 1];
      envelope.add(targets.row_span(next));
      if (!envelope.centre(epsilon)) break;
      cluster.insert(std::upper_bound(cluster.begin(), cluster.end(), next), next);
      if (cost[begin] + 2 >= cost[end]) continue;
      const std::size_t with_this = cost[begin] + 1 + boxes.cover_size(cluster);
      if (with_this < cost[end]) {
        cost[end] = with_this;
        begin_of[end] = begin;
      }
    }
  }
  std::vector<Cluster> clusters;
  for (std::size_t end = line.size(); end > 0; end = begin_of[end]) {
    Cluster& cluster = clusters.emplace_back(line.begin() + static_cast<std::ptrdiff_t>(begin_of[end]),
                                             line.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(cluster.begin(), cluster.end());
  }
  return clusters;
}

Envelope envelope_of(const Cluster& cluster, const Matrix<double>& targets) {
  Envelope envelope;
  for (const std::size_t i : cluster) envelope.add(targets.row_span(i));
  return envelope;
}

/// Joins clusters that are not neighbours on the line, where that saves rules.
void merge(std::vector<Cluster>& clusters, const Matrix<double>& targets, double epsilon,
           GreedyBoxes& boxes) {
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      Envelope both = envelope_of(clusters[a], targets);
      both.add(envelope_of(clusters[b], targets));
      if (!both.centre(epsilon)) continue;
      Cluster joined;
      std::merge(clusters[a].begin(), clusters[a].end(), clusters[b].begin(), clusters[b].end(),
                 std::back_inserter(joined));
      if (boxes.cover_size(joined) > boxes.cover_size(clusters[a]) + boxes.cover_size(clusters[b])) continue;
      clusters[a] = std::move(joined);
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(b));
      b = a;
    }
  }
}

}  // namespace

void nearest_between(std::span<const double> low, std::span<const double> high, std::span<const double> q,
                     std::span<double> t) {
  // t = clamp(s q) for the scale s that makes it sum to 1; the sum rises with s.
  const auto sum_at = [&](double scale) {
    double sum = 0;
    for (std::size_t a = 0; a < q.size(); ++a) sum += t[a] = std::clamp(scale * q[a], low[a], high[a]);
    return sum;
  };
  double below = 0;
  double above = 1;
  while (sum_at(above) < 1 && above < 1e30) above *= 4;
  for (int step = 0; step < 60 && std::abs(sum_at(above) - 1) > 1e-15; ++step) {
    const double middle = (below + above) / 2;
    (sum_at(middle) < 1 ? below : above) = middle;
  }
}

void Envelope::add(std::span<const double> p) {
  Envelope one;
  one.least_.assign(p.begin(), p.end());
  one.most_ = one.sum_ = one.least_;
  one.action_ = most_probable(p);
  add(one);
}

void Envelope::add(const Envelope& other) {
  if (sum_.empty()) {
    *this = other;
    return;
  }
  for (std::size_t a = 0; a < sum_.size(); ++a) {
    least_[a] = std::min(least_[a], other.least_[a]);
    most_[a] = std::max(most_[a], other.most_[a]);
    sum_[a] += other.sum_[a];
  }
  one_action_ = one_action_ && other.one_action_ && action_ == other.action_;
}

std::optional<std::vector<double>> Envelope::centre(double epsilon) const {
  if (!one_action_) return std::nullopt;
  std::vector<double> low(sum_.size());
  std::vector<double> high(sum_.size());
  for (std::size_t a = 0; a < sum_.size(); ++a) {
    if (least_[a] == 0) {
      if (most_[a] > epsilon) return std::nullopt;
      continue;
    }
    low[a] = std::max(most_[a] - epsilon + kRounding, 0.0);
    high[a] = std::min(least_[a] + epsilon - kRounding, 1.0);
    if (low[a] > high[a]) {
      if (most_[a] - least_[a] > 2 * epsilon) return std::nullopt;
      low[a] = high[a] = (most_[a] + least_[a]) / 2;
    }
  }
  const double slack = 1e-12;
  if (std::accumulate(low.begin(), low.end(), 0.0) > 1 + slack) return std::nullopt;
  if (std::accumulate(high.begin(), high.end(), 0.0) < 1 - slack) return std::nullopt;
  const double total = std::accumulate(sum_.begin(), sum_.end(), 0.0);
  std::vector<double> mean(sum_.size());
  std::transform(sum_.begin(), sum_.end(), mean.begin(), [&](double s) { return s / total; });
  std::vector<double> t(sum_.size());
  nearest_between(low, high, mean, t);
  if (most_probable(t) != action_) return std::nullopt;
  return t;
}

std::vector<Cluster> clusters_in_line(const Matrix<double>& targets, std::span<const std::size_t> rows,
                                      double epsilon) {
  std::vector<Cluster> clusters;
  Envelope envelope;
  for (const std::size_t i : line_up(targets, rows)) {
    Envelope wider = envelope;
    wider.add(targets.row_span(i));
    if (clusters.empty() || !wider.centre(epsilon)) {
      clusters.emplace_back();
      wider = Envelope();
      wider.add(targets.row_span(i));
    }
    clusters.back().push_back(i);
    envelope = std::move(wider);
  }
  for (Cluster& cluster : clusters) std::sort(cluster.begin(), cluster.end());
  return clusters;
}

std::vector<Cluster> cluster_distributions(const Scope& scope, const Matrix<double>& targets,
                                           std::span<const std::size_t> rows, double epsilon) {
  GreedyBoxes boxes(scope);
  std::vector<Cluster> clusters = cut(line_up(targets, rows), targets, epsilon, boxes);
  if (targets.cols() > 2) merge(clusters, targets, epsilon, boxes);
  return clusters;
}

}  // namespace ndnf
