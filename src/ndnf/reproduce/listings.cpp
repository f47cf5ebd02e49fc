// The paper's listings, beside the programs of our own runs.
#include "ndnf/reproduce/listings.h"

#include <fmt/format.h>

#include "ndnf/pieces/runs.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/listing_files.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

/// Runs whose programs the paper prints in part.
const std::vector<std::string> kExcerpts = {"paper/blackjack-ndnf-mt", "paper/taxi-distill-ndnf-mt"};

Json exact_return(const std::string& policy) {
  EvaluationRequest request;
  request.policy = policy;
  const PolicyEvaluation result = evaluate_policy(request);
  return {{"env", result.env},
          {"return", result.undefined ? Json() : Json(result.evaluation.mean_return)},
          {"optimum", result.optimum->found}};
}

std::string without_heading(std::string text) {
  while (text.starts_with('%') || text.starts_with('\n')) text.erase(0, text.find('\n') + 1);
  return text;
}

Json evaluate_listing(const std::string& file, const std::string& text, const fs::path& out) {
  const fs::path program = out / "listings" / file;
  fs::create_directories(program.parent_path());
  write_file(program, text);
  Json json = exact_return(program.string());
  const std::string network = program.string() + ".safetensors";
  const ProgramCompilation compiled = compile_program({program.string(), {}, {}, network});
  json["compiled"] = compiled.agrees() ? exact_return(network).at("return") : Json();
  json["text"] = without_heading(text);
  return json;
}

std::vector<Piece> listings_pieces(const Effort& effort) {
  std::vector<Piece> all;
  const auto add_runs = [&](const std::string& preset) {
    append(all, train_pieces(study_of(preset, effort)));
    append(all, extract_pieces(study_of(preset, effort)));
  };
  for (const paper::ListedProgram& listed : paper::listings()) {
    all.push_back(listing_piece(listed.file));
    if (!listed.preset.empty()) add_runs(listed.preset);
  }
  for (const std::string& preset : kExcerpts) add_runs(preset);
  return all;
}

Cell return_cell(const Json& value) {
  return value.is_null() ? Cell::none() : Cell::number(value.get<double>(), 3);
}

Table listings_table(const Effort& effort, const Results& results) {
  Table table{"listings",
              {{"listing", "listing", false},
               {"env", "task", false},
               {"paper", "the paper's program"},
               {"compiled", "the same as a network"},
               {"ours", "ours, mean over seeds"},
               {"difference", "difference"},
               {"optimum", "optimum"}}};
  for (const paper::ListedProgram& listed : paper::listings()) {
    const Json& paper = results.at(listing_piece(listed.file).name);
    Sample ours;
    if (!listed.preset.empty()) {
      const Study study = study_of(listed.preset, effort);
      ours = collect(results, extract_names(study), "/return_program");
    }
    table.add(
        {{fmt::format("`{}`", listed.label)},
         {paper.at("env").get<std::string>()},
         return_cell(paper.at("return")),
         return_cell(paper.at("compiled")),
         ours.empty() ? Cell::none() : Cell::number(ours.mean(), 3),
         ours.empty() ? Cell::none() : Cell::difference(ours.mean() - paper.at("return").get<double>(), 3),
         return_cell(paper.at("optimum"))});
  }
  return table;
}

std::vector<Block> show_listings(const Effort& effort, const Results& results) {
  std::vector<Block> blocks = {
      Paragraph{"Exact returns of the programs that the paper prints (`examples/`; predicates that it does "
                "not define are "
                "defined there so that the program does what the text says), of the networks that they "
                "compile to, and of "
                "our own runs' programs; then the program of our first seed for each."},
      listings_table(effort, results)};
  const auto add_program = [&](const std::string& preset) {
    const Json& result = results.at(extract_names(study_of(preset, effort)).front());
    if (!result.contains("text")) return;
    blocks.emplace_back(
        Listing{fmt::format("`{}`, first seed, {}", preset, result.at("method").get<std::string>()),
                without_heading(result.at("text"))});
  };
  for (const paper::ListedProgram& listed : paper::listings()) {
    if (!listed.preset.empty()) add_program(listed.preset);
  }
  for (const std::string& preset : kExcerpts) add_program(preset);
  return blocks;
}

}  // namespace

Piece listing_piece(const std::string& file) {
  const std::string text = listing_files().at(file);
  return {"measure/listings/" + file, build_text() + text, Stage::kTrain, 0.05,
          [file, text](const fs::path& out) { return evaluate_listing(file, text, out); }};
}

Experiment listings_experiment() { return {"listings", "Listings", listings_pieces, show_listings}; }

}  // namespace ndnf
