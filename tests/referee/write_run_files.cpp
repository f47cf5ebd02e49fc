// Writes files of a run for the real readers, safetensors_test.py and tensorboard_test.py. Usage:
//   write_run_files tensors FOLDER   all-types.safetensors, a checkpoint per model, and expected.json
//   write_run_files events FOLDER    events.out.tfevents.0 and expected.json
//   write_run_files copy FROM TO     reads FROM and writes what it held to TO
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "ndnf/model/build.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/report/event_file.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace {

using ndnf::ObservationTable;
using ndnf::Tensor;
using nlohmann::json;
using std::filesystem::path;

json write_all_types(const path& folder) {
  const std::vector<std::uint8_t> bytes = {0, 128, 255};
  const std::vector<std::uint32_t> u32 = {0, std::numeric_limits<std::uint32_t>::max()};
  const std::vector<std::uint64_t> u64 = {std::numeric_limits<std::uint64_t>::max()};
  const std::vector<std::int64_t> i64 = {std::numeric_limits<std::int64_t>::min(), -1};
  const std::vector<float> f32 = {0.1f, -2, 3e38f, 1e-40f, 5, 6};
  const std::vector<double> f64 = {0.1, -1e308};
  ndnf::TensorFile file;
  file.metadata = {{"name", "größer \"than\" \n one line"}};
  file.tensors = {{"bytes", Tensor::of(bytes)},
                  {"f32", Tensor::of(std::span<const float>(f32), {2, 1, 3})},
                  {"f64", Tensor::of(f64)},
                  {"i64", Tensor::of(i64)},
                  {"scalar", Tensor::of(std::span<const std::uint64_t>(u64), {})},
                  {"u32", Tensor::of(u32)}};
  ndnf::write_file(folder / "all-types.safetensors", ndnf::to_safetensors(file));
  return {{"metadata", file.metadata},
          {"tensors",
           {{"bytes", {{"dtype", "uint8"}, {"shape", {3}}, {"values", bytes}}},
            {"f32", {{"dtype", "float32"}, {"shape", {2, 1, 3}}, {"values", f32}}},
            {"f64", {{"dtype", "float64"}, {"shape", {2}}, {"values", f64}}},
            {"i64", {{"dtype", "int64"}, {"shape", {2}}, {"values", i64}}},
            {"scalar", {{"dtype", "uint64"}, {"shape", json::array()}, {"values", u64}}},
            {"u32", {{"dtype", "uint32"}, {"shape", {2}}, {"values", u32}}}}}};
}

ndnf::Checkpoint make_checkpoint(const std::string& model, const ndnf::Task& environment) {
  const ObservationTable& table = environment.model().observations();
  ndnf::Checkpoint checkpoint;
  checkpoint.model = model;
  checkpoint.vocabulary = table.shared_vocabulary();
  checkpoint.env = environment.spec;
  ndnf::RandomSequence random(ndnf::RandomStream(0, 0));
  if (model == "q-table") {
    ndnf::Matrix<double> q(table.size(), table.vocabulary().action_count());
    for (double& value : q.values()) value = random.normal();
    checkpoint.policy = ndnf::make_q_table(table, std::move(q));
    return checkpoint;
  }
  ndnf::ActorOptions actor;
  actor.model = model;
  actor.init_std = 1;
  actor.init = model == "mlp" ? "orthogonal" : "normal";
  actor.inputs = model == "mlp" ? "binary" : "signed";
  ndnf::EncoderOptions encoder;
  if (table.dense_size() > 0) {
    encoder.model = "conv-1x1";
    actor.bias = false;
  }
  checkpoint.policy = ndnf::converted<float>(ndnf::build_network(table, actor, {}, encoder, random));
  return checkpoint;
}

/// A checkpoint, with its policy's inputs and probabilities in every observation.
json write_checkpoint(const path& folder, const std::string& model, const std::string& spec) {
  const ndnf::Task environment = ndnf::make_task(spec);
  const ObservationTable& table = environment.model().observations();
  const ndnf::Checkpoint checkpoint = make_checkpoint(model, environment);
  const std::string file = fmt::format("{}-{}.safetensors", model, spec);
  ndnf::write_file(folder / file, ndnf::to_bytes(checkpoint));

  const ndnf::PolicyTable policy = ndnf::tabulate(*ndnf::policy_of(checkpoint), table);
  json observations = json::array();
  for (ndnf::ObsId obs = 0; obs < table.size(); ++obs) {
    json facts = json::array();
    for (const ndnf::AtomId atom : table.facts(obs)) facts.push_back(table.vocabulary().atom_name(atom));
    observations.push_back(
        {{"facts", facts}, {"image", table.dense(obs)}, {"probabilities", policy.row(obs)}});
  }
  return {{"file", file}, {"observations", observations}};
}

void write_tensors(const path& folder) {
  const json checkpoints = {
      write_checkpoint(folder, "ndnf-mt", "blackjack"),     write_checkpoint(folder, "ndnf-eo", "blackjack"),
      write_checkpoint(folder, "mlp", "blackjack"),         write_checkpoint(folder, "q-table", "blackjack"),
      write_checkpoint(folder, "ndnf-mt", "door-corridor"), write_checkpoint(folder, "mlp", "door-corridor")};
  const json expected = {{"all_types", write_all_types(folder)}, {"checkpoints", checkpoints}};
  ndnf::write_file(folder / "expected.json", expected.dump());
}

void write_events(const path& folder) {
  std::string bytes = ndnf::event_file_header(1.7e9);
  json expected = json::array();
  const auto add = [&](const std::string& tag, std::int64_t step, float value) {
    const double wall_time = 1.7e9 + static_cast<double>(step) / 1024;
    bytes += ndnf::scalar_event(tag, step, wall_time, value);
    expected.push_back({{"tag", tag}, {"step", step}, {"wall_time", wall_time}, {"value", value}});
  };
  for (std::int64_t i = 0; i < 2000; ++i) {
    add("charts/episodic_return", 512 * i, -50.0f / static_cast<float>(i + 1));
    if (i % 10 == 0) add("losses/policy_loss", i, 1e-7f * static_cast<float>(i));
  }
  add("charts/größe", std::int64_t{1} << 40, std::numeric_limits<float>::max());
  ndnf::write_file(folder / "events.out.tfevents.0", bytes);
  ndnf::write_file(folder / "expected.json", expected.dump());
}

bool run(const std::vector<std::string>& arguments) {
  const std::string mode = arguments.empty() ? "" : arguments[0];
  if (mode == "tensors" && arguments.size() == 2) {
    write_tensors(arguments[1]);
  } else if (mode == "events" && arguments.size() == 2) {
    write_events(arguments[1]);
  } else if (mode == "copy" && arguments.size() == 3) {
    const auto file = ndnf::parse_safetensors(arguments[1], ndnf::read_file(arguments[1]));
    ndnf::write_file(arguments[2], ndnf::to_safetensors(file));
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (run({argv + 1, argv + argc})) return EXIT_SUCCESS;
    fmt::print(stderr, "usage: write_run_files tensors FOLDER | events FOLDER | copy FROM TO\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_run_files: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
