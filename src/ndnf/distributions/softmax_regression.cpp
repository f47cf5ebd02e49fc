#include "ndnf/distributions/softmax_regression.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

constexpr double kLargestLogitStep = 4;
constexpr std::size_t kMaxConjugateSteps = 12;
constexpr double kConjugateReduction = 1e-4;

double dot(const Matrix<double>& a, const Matrix<double>& b) {
  return std::inner_product(a.values().begin(), a.values().end(), b.values().begin(), 0.0);
}

/// y += s x
void add_scaled(double s, const Matrix<double>& x, Matrix<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y.values()[i] += s * x.values()[i];
}

Matrix<double> transposed(const Matrix<double>& m) {
  Matrix<double> t(m.cols(), m.rows());
  for (std::size_t r = 0; r < m.rows(); ++r) {
    for (std::size_t c = 0; c < m.cols(); ++c) t(c, r) = m(r, c);
  }
  return t;
}

/// Four partial sums: a single one could not be vectorised.
double dot(const double* x, const double* y, std::size_t count) {
  double sum[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += x[k + lane] * y[k + lane];
  }
  for (; k < count; ++k) sum[0] += x[k] * y[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Z = X W
void multiply(const Matrix<double>& X, const Matrix<double>& W, Matrix<double>& Z) {
  const Matrix<double> by_action = transposed(W);
  Z.reshape(X.rows(), W.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    for (std::size_t a = 0; a < W.cols(); ++a) Z(i, a) = dot(X.row(i), by_action.row(a), X.cols());
  }
}

/// G = Xᵀ R. Many rows of R are 0.
void multiply_transposed(const Matrix<double>& X, const Matrix<double>& R, Matrix<double>& G) {
  Matrix<double> by_action(R.cols(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double* x = X.row(i);
    for (std::size_t a = 0; a < R.cols(); ++a) {
      const double r = R(i, a);
      if (r == 0) continue;
      double* target = by_action.row(a);
      for (std::size_t k = 0; k < X.cols(); ++k) target[k] += r * x[k];
    }
  }
  G = transposed(by_action);
}

void softmax(Matrix<double>& Z) {
  for (std::size_t i = 0; i < Z.rows(); ++i) {
    double* z = Z.row(i);
    const double top = *std::max_element(z, z + Z.cols());
    double sum = 0;
    for (std::size_t a = 0; a < Z.cols(); ++a) sum += z[a] = std::exp(z[a] - top);
    for (std::size_t a = 0; a < Z.cols(); ++a) z[a] /= sum;
  }
}

std::span<const double> row(const Matrix<double>& m, std::size_t i) { return {m.row(i), m.cols()}; }

/// K = L Lᵀ, L in the lower triangle, in place.
void factorise(Matrix<double>& K) {
  const std::size_t n = K.rows();
  for (std::size_t j = 0; j < n; ++j) {
    const double pivot = std::sqrt(K(j, j));
    for (std::size_t c = j; c < n; ++c) K(j, c) /= pivot;  // row j of Lᵀ
    for (std::size_t r = j + 1; r < n; ++r) {
      const double f = K(j, r);
      if (f == 0) continue;
      double* target = K.row(r);
      const double* source = K.row(j);
      for (std::size_t c = r; c < n; ++c) target[c] -= f * source[c];
    }
  }
}

/// B = K⁻¹ B, with K as left by `factorise`.
void solve(const Matrix<double>& K, Matrix<double>& B) {
  const std::size_t n = K.rows();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t a = 0; a < B.cols(); ++a) {
      const double b = B(j, a) /= K(j, j);
      for (std::size_t r = j + 1; r < n; ++r) B(r, a) -= K(j, r) * b;
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t a = 0; a < B.cols(); ++a) {
      double b = B(j, a);
      for (std::size_t r = j + 1; r < n; ++r) b -= K(j, r) * B(r, a);
      B(j, a) = b / K(j, j);
    }
  }
}

/// One run of the solver: the current point with all that a step needs. In the logits, the gradient of
/// KL(t‖q) is q − t; by the envelope theorem the gradient of the minimum over t is the same, taken at the
/// minimiser. So a step is a Newton step of the ordinary regression with the nearest admissible t as target.
/// The line search accepts a step only if the loss falls enough (Armijo). A step costs n k² for the
/// preconditioner, k³/3 for its Cholesky factors, and n k A per conjugate gradient iteration.
class NewtonFit {
 public:
  NewtonFit(const SoftmaxProblem& problem, const SoftmaxSolver& solver)
      : problem_(problem), solver_(solver), X_(problem.features) {}

  double run(Matrix<double>& W) {
    double loss = evaluate(W);
    for (std::size_t step = 0; step < solver_.max_steps && loss > 0; ++step) {
      const double next = descend(W, loss);
      const bool stalled = loss - next <= solver_.min_decrease * loss;
      loss = next;
      if (stalled) break;
    }
    return loss;
  }

 private:
  /// The loss at W. Sets Q, the residual and the curvature weights.
  double evaluate(const Matrix<double>& W) {
    multiply(X_, W, Q_);
    softmax(Q_);
    const std::size_t actions = Q_.cols();
    residual_.reshape(Q_.rows(), actions);
    curvature_.resize(Q_.rows());
    std::vector<double> t(actions);
    double loss = 0;
    for (std::size_t i = 0; i < Q_.rows(); ++i) {
      find_nearest(row(problem_.targets, i), row(Q_, i), t);
      const double importance = problem_.importance[i];
      const double own = std::max(0.0, kl_divergence(t, row(Q_, i)));
      for (std::size_t a = 0; a < actions; ++a) residual_(i, a) = importance * (t[a] - Q_(i, a));
      curvature_[i] = importance * (own > 0 ? 1 : solver_.slack_curvature);
      loss += importance * own;
    }
    return loss;
  }

  /// The distribution t within tolerance of p that is nearest to q.
  void find_nearest(std::span<const double> p, std::span<const double> q, std::span<double> t) {
    bool within = true;
    for (std::size_t a = 0; a < p.size(); ++a) within = within && std::abs(p[a] - q[a]) <= problem_.tolerance;
    if (within || problem_.tolerance == 0) {
      std::copy_n(within ? q.begin() : p.begin(), p.size(), t.begin());
      return;
    }
    low_.resize(p.size());
    high_.resize(p.size());
    for (std::size_t a = 0; a < p.size(); ++a) {
      low_[a] = std::max(p[a] - problem_.tolerance, 0.0);
      high_[a] = std::min(p[a] + problem_.tolerance, 1.0);
    }
    nearest_between(low_, high_, q, t);
  }

  /// One step along the Newton direction, halved until the loss falls. Returns the new loss, or the old one
  /// if no length works.
  double descend(Matrix<double>& W, double loss) {
    multiply_transposed(X_, residual_, gradient_);
    find_direction();
    const double directional_derivative = dot(gradient_, direction_);
    double length = std::min(1.0, kLargestLogitStep / largest_logit_change());
    for (int halvings = 0; halvings < 20; ++halvings, length /= 2) {
      trial_ = W;
      add_scaled(length, direction_, trial_);
      const double next = evaluate(trial_);
      if (next <= loss - 1e-4 * length * directional_derivative) {
        W = trial_;
        return next;
      }
    }
    return loss;
  }

  double largest_logit_change() {
    multiply(X_, direction_, logits_);
    double largest = 1e-12;
    for (const double z : logits_.values()) largest = std::max(largest, std::abs(z));
    return largest;
  }

  /// Conjugate gradients for H d = g.
  void find_direction() {
    build_preconditioner();
    direction_ = gradient_;
    direction_.fill(0);
    Matrix<double> r = gradient_;
    Matrix<double> y = r;
    solve(preconditioner_, y);
    Matrix<double> d = y;
    double ry = dot(r, y);
    const double goal = kConjugateReduction * ry;
    for (std::size_t step = 0; step < kMaxConjugateSteps && ry > goal; ++step) {
      apply_hessian(d, Hd_);
      const double alpha = ry / dot(d, Hd_);
      add_scaled(alpha, d, direction_);
      add_scaled(-alpha, Hd_, r);
      y = r;
      solve(preconditioner_, y);
      const double next = dot(r, y);
      for (std::size_t i = 0; i < d.size(); ++i) d.values()[i] = y.values()[i] + next / ry * d.values()[i];
      ry = next;
    }
  }

  /// Σ_i c_i (1 − Σ q²) x xᵀ: for two actions this is the curvature itself.
  void build_preconditioner() {
    const std::size_t k = X_.cols();
    preconditioner_.reshape(k, k);
    preconditioner_.fill(0);
    for (std::size_t i = 0; i < X_.rows(); ++i) {
      double spread = 1;
      for (std::size_t a = 0; a < Q_.cols(); ++a) spread -= Q_(i, a) * Q_(i, a);
      const double* x = X_.row(i);
      for (std::size_t r = 0; r < k; ++r) {
        if (x[r] == 0) continue;
        const double f = curvature_[i] * spread * x[r];
        double* target = preconditioner_.row(r);
        for (std::size_t c = r; c < k; ++c) target[c] += f * x[c];
      }
    }
    for (std::size_t r = 0; r < k; ++r) preconditioner_(r, r) += solver_.ridge;
    factorise(preconditioner_);
  }

  /// Xᵀ c (diag q − q qᵀ) X d + ridge d
  void apply_hessian(const Matrix<double>& d, Matrix<double>& Hd) {
    multiply(X_, d, logits_);
    for (std::size_t i = 0; i < logits_.rows(); ++i) {
      double mean = 0;
      for (std::size_t a = 0; a < logits_.cols(); ++a) mean += Q_(i, a) * logits_(i, a);
      for (std::size_t a = 0; a < logits_.cols(); ++a) {
        logits_(i, a) = curvature_[i] * Q_(i, a) * (logits_(i, a) - mean);
      }
    }
    multiply_transposed(X_, logits_, Hd);
    add_scaled(solver_.ridge, d, Hd);
  }

  const SoftmaxProblem& problem_;
  const SoftmaxSolver& solver_;
  const Matrix<double>& X_;
  Matrix<double> Q_;         // (n, A)
  Matrix<double> residual_;  // (n, A) importance · (t − q): negative gradient of the loss in the logits
  std::vector<double> curvature_;
  std::vector<double> low_;        // (A), scratch
  std::vector<double> high_;       // (A), scratch
  Matrix<double> gradient_;        // (k, A)
  Matrix<double> direction_;       // (k, A)
  Matrix<double> trial_;           // (k, A)
  Matrix<double> preconditioner_;  // (k, k), factorised
  Matrix<double> logits_;          // (n, A), scratch
  Matrix<double> Hd_;              // (k, A), scratch
};

}  // namespace

double fit_softmax(const SoftmaxProblem& problem, const SoftmaxSolver& solver, Matrix<double>& W) {
  assert(W.rows() == problem.features.cols() && W.cols() == problem.targets.cols());
  return NewtonFit(problem, solver).run(W);
}

Matrix<double> softmax_rows(const Matrix<double>& X, const Matrix<double>& W) {
  Matrix<double> q;
  multiply(X, W, q);
  softmax(q);
  return q;
}

void nearest_between(std::span<const double> low, std::span<const double> high, std::span<const double> q,
                     std::span<double> t) {
  // Stationarity of KL(t‖q) + λ Σt makes t/q the same for all actions strictly between their bounds, so t =
  // clamp(s q). The sum of t does not fall in s; bisection finds the s for which it is 1.
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

Distance distance(const Matrix<double>& p, const Matrix<double>& q) {
  Distance result;
  for (std::size_t i = 0; i < p.rows(); ++i) {
    result.max_dp = std::max(result.max_dp, largest_difference(row(p, i), row(q, i)));
    result.mean_kl += std::max(0.0, kl_divergence(row(p, i), row(q, i))) / static_cast<double>(p.rows());
  }
  return result;
}

}  // namespace ndnf
