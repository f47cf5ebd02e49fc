#include "ndnf/optimum/global_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace ndnf {
namespace {

constexpr std::size_t kMaxFree = 3;
/// In moves processed: about ten seconds.
constexpr std::size_t kWorkLimit = 1'000'000'000;

/// One number per free probability; unused entries stay 0.
using Vector = std::array<double, kMaxFree>;

/// A set of policies, each given by its probabilities of action 0.
struct Box {
  Vector low{};
  Vector high{};
  double bound = std::numeric_limits<double>::infinity();  ///< Upper bound on the returns in the box.
  std::size_t steepest = 0;  ///< The side along which the return may change most.
};
bool operator<(const Box& a, const Box& b) { return a.bound < b.bound; }

/// Every policy p of a box has the return value + sum over i of (p_i - c_i) S_i(p), with low_i <= S_i(p) <=
/// high_i.
struct Expansion {
  double value;
  Vector low{};
  Vector high{};
};

/// Expands the return about a policy c. Let D_k(s) be the return of p minus that of c over the last k steps
/// from s, q0 and q1 the values of the two actions under c, and i the observation of s. Then (the
/// performance difference lemma, Kakade and Langford 2002)
///   D_k(s) = (p_i - c_i)(q0 - q1) + p_i E[D_{k-1} after action 0] + (1 - p_i) E[D_{k-1} after action 1],
/// so D_k = sum over j of (p_j - c_j) S_j with coefficients that satisfy
///   S_j(s) = [i = j](q0 - q1) + p_i E[S_j after action 0] + (1 - p_i) E[S_j after action 1].
/// This is linear in the uncertain p_i, so the extremes are attained at the ends of its interval. Rounding
/// is not bounded, being far below any tolerance in use (about 1e-13 of the values).
class Expander {
 public:
  explicit Expander(const DecisionProcess& process)
      : process_(process), now_(process.state_count()), before_(process.state_count()) {}

  Expansion expand(const Box& box, const Vector& c) {
    std::fill(now_.begin(), now_.end(), Expansion{0, {}, {}});
    for (std::size_t k = 0; k < process_.horizon(); ++k) {
      now_.swap(before_);
      for (std::size_t s = 0; s < now_.size(); ++s) now_[s] = step_back(box, c, s);
    }
    Expansion total{0, {}, {}};
    for (const auto& start : process_.starts()) add(total, start.probability, now_[start.next]);
    return total;
  }

 private:
  static void add(Expansion& sum, double weight, const Expansion& term) {
    sum.value += weight * term.value;
    for (std::size_t j = 0; j < kMaxFree; ++j) {
      sum.low[j] += weight * term.low[j];
      sum.high[j] += weight * term.high[j];
    }
  }

  Expansion after(std::size_t s, std::size_t action) const {
    Expansion sum{process_.reward(s, action), {}, {}};
    for (const auto& move : process_.moves(s, action)) add(sum, move.probability, before_[move.next]);
    return sum;
  }

  Expansion step_back(const Box& box, const Vector& c, std::size_t s) const {
    const std::size_t i = process_.slot(s);
    const Expansion zero = after(s, 0);
    const Expansion one = after(s, 1);
    const auto mix = [](double p, double a, double b) { return b + p * (a - b); };
    Expansion result{mix(c[i], zero.value, one.value), {}, {}};
    for (std::size_t j = 0; j < kMaxFree; ++j) {
      result.low[j] =
          std::min(mix(box.low[i], zero.low[j], one.low[j]), mix(box.high[i], zero.low[j], one.low[j]));
      result.high[j] =
          std::max(mix(box.low[i], zero.high[j], one.high[j]), mix(box.high[i], zero.high[j], one.high[j]));
    }
    result.low[i] += zero.value - one.value;
    result.high[i] += zero.value - one.value;
    return result;
  }

  const DecisionProcess& process_;
  std::vector<Expansion> now_;     // per state
  std::vector<Expansion> before_;  // per state, with one step less to go
};

class BranchAndBound {
 public:
  explicit BranchAndBound(const DecisionProcess& process)
      : process_(process),
        free_(process.observations().size()),
        expander_(process),
        best_(climb(process, std::vector<double>(2 * free_, 0.5))) {}

  /// The box with its bound. It is expanded about its centre and then, along sides whose coefficient has a
  /// constant sign, about the better end: such a side adds nothing to the bound.
  Box bounded(Box box) {
    Vector c;
    for (std::size_t i = 0; i < kMaxFree; ++i) c[i] = 0.5 * (box.low[i] + box.high[i]);
    const Expansion about_centre = expand(box, c);
    bool moved = false;
    for (std::size_t i = 0; i < free_; ++i) {
      if (about_centre.low[i] <= 0 && about_centre.high[i] >= 0) continue;
      c[i] = about_centre.low[i] > 0 ? box.high[i] : box.low[i];
      moved = true;
    }
    if (moved) expand(box, c);
    return box;
  }

  // Best-first branch and bound: the box with the highest bound is split in half along its steepest side. No
  // policy exceeds the highest bound of the open boxes, which cover all policies, so the search may stop
  // once that bound is within `tolerance` of the best policy found. Worst case exponential in the free
  // probabilities.
  GlobalOptimum run(double tolerance) {
    Box root;
    std::fill_n(root.high.begin(), free_, 1.0);
    std::priority_queue<Box> open;
    open.push(bounded(root));
    while (open.top().bound > best_.value + tolerance && expansions_ < kWorkLimit / process_.work()) {
      Box lower = open.top();
      Box upper = open.top();
      open.pop();
      const std::size_t side = lower.steepest;
      lower.high[side] = upper.low[side] = 0.5 * (lower.low[side] + lower.high[side]);
      open.push(bounded(lower));
      open.push(bounded(upper));
    }
    return {best_, std::max(best_.value, open.top().bound)};
  }

 private:
  /// Lowers the box's bound by an expansion about `c`. The side to split is chosen by how much the return
  /// may change along it, not by its contribution to the bound: another side's coefficient may depend on a
  /// side that contributes nothing, for example if the other observation matters only at one of its ends.
  Expansion expand(Box& box, const Vector& c) {
    ++expansions_;
    const Expansion expansion = expander_.expand(box, c);
    if (expansion.value > best_.value) best_ = climb(process_, rows_of(c));
    double bound = expansion.value;
    Vector change{};
    for (std::size_t i = 0; i < free_; ++i) {
      bound += std::max((box.high[i] - c[i]) * expansion.high[i], (box.low[i] - c[i]) * expansion.low[i]);
      change[i] = (box.high[i] - box.low[i]) * std::max(-expansion.low[i], expansion.high[i]);
    }
    box.bound = std::min(box.bound, bound);
    box.steepest = static_cast<std::size_t>(std::max_element(change.begin(), change.end()) - change.begin());
    return expansion;
  }

  std::vector<double> rows_of(const Vector& c) const {
    std::vector<double> rows;
    for (std::size_t i = 0; i < free_; ++i) rows.insert(rows.end(), {c[i], 1 - c[i]});
    return rows;
  }

  const DecisionProcess& process_;
  const std::size_t free_;
  Expander expander_;
  RatedPolicy best_;
  std::size_t expansions_ = 0;
};

}  // namespace

bool can_search_globally(const DecisionProcess& process) {
  return !process.endless() && process.action_count() == 2 && process.observations().size() <= kMaxFree &&
         can_climb(process);
}

double bound_return(const DecisionProcess& process, std::span<const double> low,
                    std::span<const double> high) {
  Box box;
  std::copy(low.begin(), low.end(), box.low.begin());
  std::copy(high.begin(), high.end(), box.high.begin());
  return BranchAndBound(process).bounded(box).bound;
}

GlobalOptimum search_globally(const DecisionProcess& process, double tolerance) {
  return BranchAndBound(process).run(tolerance);
}

}  // namespace ndnf
