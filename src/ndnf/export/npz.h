#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// An array of NumPy's: numbers, or a list of texts. REQUIRES: the texts are ASCII.
using NumpyArray = std::variant<Tensor, std::vector<std::string>>;

/// The arrays as NumPy's .npz, a zip file of .npy files without compression. The same arrays always give the
/// same bytes. REQUIRES: together they are smaller than 4 GiB, zip's limit.
std::string to_npz(const std::map<std::string, NumpyArray>& arrays);

}  // namespace ndnf
