#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// The arrays of numbers in a NumPy .npz file that was written by `np.savez`: a zip file of .npy files that
/// are stored, not compressed. Throws Error naming `where` if the bytes are not such a file, if an array is
/// compressed, or if it holds anything but float32, float64, int64 or unsigned integers.
std::map<std::string, Tensor> parse_npz(std::string_view where, std::string_view bytes);

}  // namespace ndnf
