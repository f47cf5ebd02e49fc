// Writes the Markov chain of every environment under the uniform and the optimal policy as a DRN file, with
// our own values for each in index.json, for storm_test.py. Usage: write_chains FOLDER
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "ndnf/export/drn.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace {

using ndnf::FiniteModel;
using ndnf::PolicyTable;

/// Every environment, once for each kind of observation.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const ndnf::TaskKind& kind : ndnf::task_kinds()) {
    std::vector<std::string> views;
    for (const ndnf::ConfigField& field : kind.parameters) {
      if (field.key == "obs") views = field.choices;
    }
    if (views.empty() && ndnf::make_task(kind.name).is_finite()) specs.push_back(kind.name);
    for (const std::string& view : views) specs.push_back(kind.name + ":obs=" + view);
  }
  return specs;
}

/// The step bound for Storm: with several start states the chain has one additional first step.
std::size_t step_bound(const FiniteModel& model) {
  return model.horizon() + (model.starts().size() > 1 ? 1 : 0);
}

nlohmann::json write_chain(const std::filesystem::path& folder, const std::string& name,
                           const FiniteModel& model, const PolicyTable& policy) {
  const std::string file = fmt::format("{}.drn", name);
  ndnf::write_file(folder / file, ndnf::to_drn(model, policy));
  const ndnf::Evaluation ours = ndnf::evaluate_exactly(model, policy);
  nlohmann::json probabilities{{"end", ours.terminated}};
  for (std::size_t tag = 0; tag < model.tags().size(); ++tag)
    probabilities[model.tags()[tag]] = ours.tag_rates[tag];
  return {{"name", name},
          {"file", file},
          {"step_bound", step_bound(model)},
          {"return", ours.mean_return},
          {"probabilities", probabilities}};
}

void write_all(const std::filesystem::path& folder) {
  nlohmann::json index = nlohmann::json::array();
  for (const std::string& spec : all_specs()) {
    const FiniteModel model = ndnf::make_task(spec).model();
    index.push_back(
        write_chain(folder, spec + "-uniform", model, ndnf::uniform_policy(model.observations())));
    index.push_back(write_chain(folder, spec + "-optimal", model, ndnf::find_optimum(model).policy));
  }
  ndnf::write_file(folder / "index.json", index.dump(2));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_chains FOLDER\n");
    return 2;
  }
  try {
    write_all(argv[1]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_chains: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
