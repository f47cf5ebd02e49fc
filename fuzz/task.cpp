#include "harness.h"
#include "ndnf/env/model_file.h"

void ndnf::fuzz::try_input(std::string_view input) {
  const Task environment = read_model_file({"task.json", std::string(input)});
  const std::string text = to_model_file(environment.model(), "task", environment.layout.get());
  const Task again = read_model_file({"task.json", text});
  require(to_model_file(again.model(), "task", again.layout.get()) == text, "the written model is another");
  environment.draw_text(0);
  environment.draw_svg(0);
}
