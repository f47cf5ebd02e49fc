#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// A NumPy array: numbers, or a list of texts. REQUIRES: the texts are ASCII.
using NumpyArray = std::variant<Tensor, std::vector<std::string>>;

/// The arrays as a NumPy .npz file, an uncompressed zip file of .npy files. The same arrays always give the
/// same bytes. REQUIRES: together they are smaller than 4 GiB, the limit of zip.
std::string to_npz(const std::map<std::string, NumpyArray>& arrays);

}  // namespace ndnf
