#pragma once

#include <cmath>

namespace ndnf {

/// a + b without its rounding error, which is returned beside it (Knuth). No branch, so loops of it can be
/// vectorised.
struct TwoSum {
  double sum;
  double error;
};
inline TwoSum two_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// A sum of many numbers whose error does not grow with their number.
class CompensatedSum {
 public:
  void add(double term) {
    const TwoSum next = two_sum(sum_, term);
    sum_ = next.sum;
    error_ += next.error;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0;
  double error_ = 0;
};

}  // namespace ndnf
