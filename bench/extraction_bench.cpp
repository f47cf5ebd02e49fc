// A whole extraction, `--method auto`, on one core: all methods, their exact evaluation and the frontier.
// Networks are trained first with the paper's presets.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "ndnf/extract/extraction.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace {

ndnf::Checkpoint trained(const std::string& preset) {
  const std::filesystem::path run = std::filesystem::temp_directory_path() / "ndnf-extraction-bench";
  std::filesystem::remove_all(run);
  ndnf::TrainRequest request;
  request.source = preset;
  request.out = run.string();
  ndnf::train(request);
  ndnf::Checkpoint checkpoint = ndnf::read_checkpoint(run / "model.safetensors");
  std::filesystem::remove_all(run);
  return checkpoint;
}

void Extraction(benchmark::State& state, const std::string& preset) {
  const ndnf::Checkpoint checkpoint = trained(preset);
  const ndnf::Task environment = ndnf::make_task(checkpoint.env);
  ndnf::ExtractionOptions options;
  options.as = checkpoint.extract_as == "asp" ? ndnf::Syntax::kAsp : ndnf::Syntax::kProbLog;
  std::size_t rules = 0;
  for (auto _ : state) {
    const ndnf::Subject subject = ndnf::make_subject(checkpoint, environment.model());
    rules = ndnf::extract(subject, environment.model(), options).best().size.rules;
  }
  state.counters["rules"] = static_cast<double>(rules);
}

BENCHMARK_CAPTURE(Extraction, small_corridor, "paper/small-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Extraction, long_corridor_11_wall, "paper/long-corridor-11-wall-ndnf-mt")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Extraction, door_corridor, "paper/door-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Extraction, blackjack, "paper/blackjack-ndnf-mt")->Unit(benchmark::kMillisecond);

}  // namespace
