#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

#include "ndnf/nn/vector.h"

namespace ndnf {

/// A row-major matrix that keeps its memory when it shrinks, so that batches of varying size do not
/// reallocate. Weight matrices are (inputs, outputs): one row per input, so that a true atom is one
/// contiguous row.
template <class S>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, S value = S(0))
      : rows_(rows), cols_(cols), data_(rows * cols, value) {}

  /// Never inlined: g++ 12 otherwise warns, as an error, that copies of optional networks are uninitialised.
  [[gnu::noinline]] Matrix(const Matrix& other)
      : rows_(other.rows_), cols_(other.cols_), data_(other.data_) {}
  Matrix(Matrix&&) = default;
  Matrix& operator=(const Matrix&) = default;
  Matrix& operator=(Matrix&&) = default;

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t size() const { return rows_ * cols_; }

  /// Changes the shape; the contents are unspecified afterwards.
  void reshape(std::size_t rows, std::size_t cols) {
    rows_ = rows;
    cols_ = cols;
    if (data_.size() < rows * cols) data_.resize(rows * cols);
  }
  void fill(S value) { std::fill_n(data_.data(), size(), value); }
  /// Changes the shape; all elements are 0 afterwards.
  void clear(std::size_t rows, std::size_t cols) {
    reshape(rows, cols);
    fill(S(0));
  }

  S* row(std::size_t r) { return data_.data() + r * cols_; }
  const S* row(std::size_t r) const { return data_.data() + r * cols_; }
  std::span<const S> row_span(std::size_t r) const { return {row(r), cols_}; }
  S& operator()(std::size_t r, std::size_t c) { return data_[r * cols_ + c]; }
  S operator()(std::size_t r, std::size_t c) const { return data_[r * cols_ + c]; }
  std::span<S> values() { return {data_.data(), size()}; }
  std::span<const S> values() const { return {data_.data(), size()}; }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  Numbers<S> data_;
};

template <class S>
void scale(S factor, Matrix<S>& m) {
  for (S& x : m.values()) x *= factor;
}

/// The same matrix in another precision.
template <class To, class From>
Matrix<To> converted(const Matrix<From>& m) {
  Matrix<To> result(m.rows(), m.cols());
  std::transform(m.values().begin(), m.values().end(), result.values().begin(),
                 [](From x) { return static_cast<To>(x); });
  return result;
}

}  // namespace ndnf
