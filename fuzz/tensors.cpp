#include "harness.h"
#include "ndnf/model/tensor_file.h"

void ndnf::fuzz::try_input(std::string_view input) {
  const std::string bytes = to_safetensors(parse_safetensors("t", input));
  require(to_safetensors(parse_safetensors("t", bytes)) == bytes, "the written tensors are others");
}
