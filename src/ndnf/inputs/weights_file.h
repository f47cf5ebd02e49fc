#pragma once

#include <map>
#include <string>
#include <vector>

#include "ndnf/model/tensor_file.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// The weights of a neural DNF by the names of a checkpoint (docs/checkpoint.md), as float32.
struct Weights {
  std::map<std::string, Tensor> tensors;
  std::vector<std::string> left_out;  ///< Parameters of a critic.
};

/// Reads a .safetensors or .npz file with the parameters of the authors' PyTorch modules. Names may have any
/// prefix: `conjunctions.weights`, `actor.conjunctions.weights` and `model.actor.conjunctions.weights` are
/// the same. Throws Error for a file of another kind (a .pt file is a program: reading it would run code), an
/// unknown or missing name, or other numbers than finite float32 and float64.
Weights read_weights(const Input& input);

}  // namespace ndnf
