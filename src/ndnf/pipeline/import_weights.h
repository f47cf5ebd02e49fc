#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Weights from elsewhere, such as the paper's reference implementation, to become a checkpoint.
struct ImportRequest {
  Input weights;                      ///< A .safetensors or .npz file: inputs/weights_file.h.
  Input env;                          ///< The task whose atoms and actions they are for.
  std::optional<Selection> select{};  ///< How its actions are picked by default: sample unless it is given.
  std::string model = "ndnf-mt";      ///< Or "ndnf" or "ndnf-eo".
  std::string inputs = "signed";      ///< The value of a false atom: "signed" (−1) or "binary" (0).
  double delta = 1;                   ///< Of both layers.
  std::string output{};               ///< Where to write the checkpoint. If empty, nothing is written.
};

struct ImportedWeights {
  std::string weights;
  std::string env;
  std::string model;
  std::size_t conjunctions = 0;
  std::size_t inputs = 0;
  std::size_t actions = 0;
  Selection select;
  std::vector<std::string> left_out;
  std::string file;   ///< Empty if nothing was written.
  std::string bytes;  ///< The checkpoint.
};

/// Throws Error naming the file and the tensor if the weights are not those of a neural DNF for this task.
ImportedWeights import_weights(const ImportRequest& request);

nlohmann::ordered_json to_json(const ImportedWeights& result);

}  // namespace ndnf
