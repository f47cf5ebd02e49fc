#include "harness.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/env/model_file.h"

/// A model that can be read is the same when it is read from its model file.
void ndnf::fuzz::try_input(std::string_view input) {
  const Task task = read_drn_file({"model.drn:limit=9", std::string(input)});
  const Task again = read_model_file({"task.json", task.source});
  require(to_model_file(again.model(), "model.drn") == task.source, "the written model is another");
}
