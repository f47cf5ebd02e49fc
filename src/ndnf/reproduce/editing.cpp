// Section sec:door-corridor, policy intervention, for every seed: one rule adapts a program of Door Corridor
// to its two variants, without training.
#include <filesystem>

#include <fmt/format.h>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/pipeline/certificate.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/edit_program.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// Where the goal must be toggled, and the smallest number of steps.
struct Variant {
  std::string env;
  std::string when;
  double best;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> kVariants = {{"door-corridor-t", "one_step_ahead_goal", -8},
                                                 {"door-corridor-ot", "curr_location_goal", -9}};
  return kVariants;
}

const char* const kPaper = "paper/door-corridor-ndnf-mt";
const char* const kBest = "best/door-corridor-ndnf-mt";

std::string inputs_of(const Study& study, std::uint64_t seed) {
  return to_toml(run_config(study.preset, study.settings, seed));
}

// ---- Edits

std::vector<std::string> edit_names(const Study& study) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < study.seeds; ++i)
    names.push_back(fmt::format("edit/{}/seed-{}", study.preset, study.first_seed + i));
  return names;
}

/// Edits one program for one variant, compiles it, and evaluates the network.
Json edited(const Study& study, std::uint64_t seed, const Variant& variant, const fs::path& out) {
  const std::string run = (out / run_folder(study, seed)).string();
  EditRequest edit;
  edit.program = (out / program_file(study, seed, kPredicateWay, "asp")).string();
  edit.when = variant.when;
  edit.action = "toggle";
  edit.env = variant.env;
  edit.encoder = run;
  edit.visited = true;
  edit.output = (out / program_file(study, seed, variant.env, "asp")).string();
  const ProgramEdit result = edit_program(edit);
  CompileRequest compile;
  compile.program = result.file;
  if (result.predicates) compile.encoder = run;
  compile.output = fs::path(result.file).replace_extension(".safetensors").string();
  const ProgramCompilation network = compile_program(compile);
  const Task environment = make_task(variant.env);
  const PolicyTable policy = load_policy(network.file, environment);
  return {{"predicates", result.predicates},
          {"return",
           evaluate_exactly(environment.model(), select(policy, {Selection::Kind::kArgmax})).mean_return}};
}

std::vector<Piece> edit_pieces(const Study& study) {
  std::vector<Piece> pieces;
  const std::vector<std::string> names = edit_names(study);
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const std::uint64_t seed = study.first_seed + i;
    pieces.push_back(
        {names[i], inputs_of(study, seed) + "edit", Stage::kEdit, 0.05, [study, seed](const fs::path& out) {
           Json json;
           for (const Variant& variant : variants()) json[variant.env] = edited(study, seed, variant, out);
           return json;
         }});
  }
  return pieces;
}

void add_edits(const Study& study, const Results& results, Table& table) {
  const std::vector<std::string> runs = train_names(study);
  const std::vector<std::string> edits = edit_names(study);
  for (const Variant& variant : variants()) {
    std::size_t solved = 0;
    std::size_t best = 0;
    std::size_t raw = 0;
    for (std::size_t i = 0; i < study.seeds; ++i) {
      if (results.at(runs[i]).at("/measures/argmax/return"_json_pointer) != -8.0) continue;
      const Json& edit = results.at(edits[i]).at(variant.env);
      ++solved;
      best += edit.at("return") == variant.best ? 1 : 0;
      raw += edit.at("predicates") == false ? 1 : 0;
    }
    table.add({{fmt::format("`{}`", study.preset)},
               {variant.env},
               Cell::share(solved, study.seeds),
               Cell::share(best, solved),
               Cell::number(variant.best, 0),
               Cell::count(raw)});
  }
}

Table edits_table(const Effort& effort, const Results& results) {
  Table table{"edits",
              {{"preset", "preset", false},
               {"env", "edited for", false},
               {"solved", "runs that solve Door Corridor at best"},
               {"best", "of these, edited network at best"},
               {"return", "which is"},
               {"raw", "edits in the environment's atoms"}}};
  for (const char* preset : {kPaper, kBest}) add_edits(study_of(preset, effort), results, table);
  return table;
}

// ---- The experiment

std::vector<Piece> editing_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const char* preset : {kPaper, kBest}) {
    const Study study = study_of(preset, effort);
    append(all, train_pieces(study));
    append(all, predicate_pieces(study));
    append(all, edit_pieces(study));
  }
  return all;
}

std::vector<Block> show_editing(const Effort& effort, const Results& results) {
  return {
      Paragraph{
          "The program of every seed over the predicates that its encoder invents (`ndnf extract --over "
          "predicates`) gets one rule by `ndnf edit … --do toggle --encoder RUN --scope "
          "visited`, "
          "and the network that `ndnf compile` makes of it is evaluated: nothing is trained. Where no "
          "conjunction of the run's predicates tells the goal's view from what else the program sees, the "
          "rule is in the environment's atoms."},
      edits_table(effort, results)};
}

}  // namespace

Experiment editing_experiment() { return {"editing", "Editing", editing_pieces, show_editing}; }

}  // namespace ndnf
