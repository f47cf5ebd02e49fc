#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace ndnf::python {

/// Hands numbers over to NumPy, without a copy.
template <class Number>
nanobind::object to_array(std::vector<Number> numbers, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  const nanobind::capsule owner(
      kept, [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, Number>(kept->data(), shape.size(), shape.data(), owner));
}

}  // namespace ndnf::python
