#include <algorithm>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/diff_policies.h"
#include "ndnf/pipeline/draw_policy.h"
#include "ndnf/pipeline/learning_curves.h"
#include "ndnf/pipeline/reported_policy.h"
#include "ndnf/pipeline/weight_maps.h"

// The sections of a report that are mostly pictures.

namespace ndnf {
namespace {

using Groups = std::vector<ReportedGroup>;
using Blocks = std::vector<Block>;

// Pictures.

Block picture(const ReportedPolicy& policy, const Input& drawn, PolicyView view, const ReportRequest& request,
              const std::string& title) {
  DrawRequest wanted;
  wanted.policies = {drawn};
  wanted.view = view;
  wanted.env = policy.env;
  wanted.select = request.select;
  wanted.shield = request.shield;
  wanted.discount = request.discount;
  wanted.seed = request.seed;
  try {
    return Figure{std::string(to_string(view)), title, to_svg(draw_policy(wanted)).to_string()};
  } catch (const Error& error) {
    return Paragraph{fmt::format("{}: {}", title, error.what())};
  }
}

// Weights.

Blocks map_blocks(const Checkpoint& checkpoint, const std::string& when) {
  constexpr std::size_t kMostInputs = 60;
  constexpr std::size_t kMostConjunctions = 40;
  Blocks blocks;
  for (const HeatMap& map : weight_maps(checkpoint)) {
    const HeatMap shown = shortened(map, kMostInputs, kMostConjunctions);
    const std::size_t left_out =
        map.rows.size() * map.columns.size() - shown.rows.size() * shown.columns.size();
    blocks.emplace_back(Figure{
        "weights",
        map.title + ", " + when + (left_out == 0 ? "" : "; only the largest rows and columns are shown"),
        draw(shown).to_string()});
  }
  return blocks;
}

Blocks weights_blocks(const ReportedGroup& group) {
  const ReportedPolicy& policy = group.shown();
  if (!policy.is_network) return {};
  const PolicySource network(policy.input);
  Blocks before = map_blocks(network.checkpoint(), "as trained");
  if (before.empty())
    return {Paragraph{
        fmt::format("A model of kind {} has no conjunctions to show.", network.checkpoint().model)}};
  Beside beside{{{"before", "Before: as trained", std::move(before)}}};
  if (policy.has_program() && policy.task->is_finite()) {
    CompileRequest wanted;
    wanted.program = policy.program;
    wanted.env = policy.env;
    try {
      const ProgramCompilation compiled = compile_program(wanted);
      if (compiled.agrees())
        beside.parts.push_back(
            {"after", "After: the program, compiled into a network",
             map_blocks(parse_checkpoint("policy.safetensors", compiled.bytes), "compiled")});
    } catch (const Error& error) {
      beside.parts.push_back({"after", "After", {Paragraph{error.what()}}});
    }
  }
  return {std::move(beside)};
}

// Differences.

std::string side_text(const DiffSide& side) {
  std::string text = side.row;
  for (const std::string& rule : side.rules) text += " (" + rule + ")";
  return text;
}

}  // namespace

Section training_section(const Groups& groups) {
  Section section{"training", "Training", {}};
  std::vector<Input> runs;
  for (const ReportedGroup& group : groups) {
    for (const ReportedPolicy& policy : group.policies) {
      if (policy.is_run && policy.error.empty()) runs.push_back(policy.input);
    }
  }
  if (runs.empty()) return section;
  try {
    const TrainingRecord record(runs);
    const auto figure = [&record](const std::optional<std::string>& metric, std::string title) {
      return Figure{metric.value_or("return"), std::move(title),
                    draw(record.curves(metric).chart).to_string()};
    };
    section.blocks.emplace_back(figure({}, "Learning curve"));
    Beside more;
    const std::vector<std::string> keys = record.shared_metrics();
    for (const char* key : {"delta", "entropy", "policy_loss", "value_loss", "l1", "l2", "l3", "l4",
                            "distillation_loss", "epsilon"}) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
      more.parts.push_back({key, key, {figure(std::string(key), std::string(key) + " during training")}});
    }
    if (!more.parts.empty()) section.blocks.emplace_back(std::move(more));
  } catch (const Error& error) {
    section.blocks.emplace_back(Paragraph{error.what()});
  }
  return section;
}

Section views_section(const Groups& groups, const ReportRequest& request) {
  return compared("policy", "The policy on its task", groups, [&request](const ReportedGroup& group) {
    const ReportedPolicy& policy = group.shown();
    Blocks blocks{
        picture(policy, policy.input, PolicyView::kPolicy, request, "Actions of " + policy.input.name)};
    if (policy.task->is_finite())
      blocks.push_back(picture(policy, policy.input, PolicyView::kValues, request,
                               "Expected return from each place, exact, of " + policy.input.name));
    return blocks;
  });
}

Section episode_section(const Groups& groups, const ReportRequest& request) {
  return compared("episode", "An episode", groups, [&request](const ReportedGroup& group) {
    const ReportedPolicy& policy = group.shown();
    const Input& drawn = policy.has_program() ? policy.program : policy.input;
    return Blocks{picture(policy, drawn, PolicyView::kEpisode, request,
                          fmt::format("One episode (seed {}), with the rules that fired", request.seed))};
  });
}

Section weights_section(const Groups& groups) {
  Section section{"weights", "Weights before and after extraction", {}};
  for (const ReportedGroup& group : groups) {
    if (groups.size() > 1) section.blocks.emplace_back(Paragraph{"`" + group.name + "`"});
    for (Block& block : weights_blocks(group)) section.blocks.push_back(std::move(block));
  }
  return section;
}

Section seeds_section(const Groups& groups) {
  return compared("seeds", "The programs of all seeds", groups, [](const ReportedGroup& group) {
    Blocks blocks;
    if (group.policies.size() < 2) return blocks;
    for (const ReportedPolicy& policy : group.policies) {
      if (policy.has_program())
        blocks.emplace_back(Listing{policy.input.name, *policy.program.contents, policy.actions(), true});
    }
    return blocks;
  });
}

Section difference_section(const Groups& groups, const ReportRequest& request) {
  Section section{"differences", "Differences", {}};
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const ReportedPolicy& a = groups.front().shown();
    const ReportedPolicy& b = groups[i].shown();
    if (!a.task->is_finite() || a.task->spec != b.task->spec) continue;
    DiffRequest wanted;
    wanted.a = a.has_program() ? Input("a/" + a.program.name, *a.program.contents) : a.input;
    wanted.b = b.has_program() ? Input("b/" + b.program.name, *b.program.contents) : b.input;
    wanted.env = a.env;
    wanted.shield = request.shield;
    wanted.discount = request.discount;
    try {
      const DiffResult diff = diff_policies(wanted);
      section.blocks.emplace_back(Paragraph{fmt::format(
          "From `{}` to `{}`: another action in {} of {} observations ({} of them reachable).", a.input.name,
          b.input.name, diff.diff.changed.size(), diff.diff.observations, diff.changed_reachable)});
      Table table{"differences",
                  {{"observation", "observation", false},
                   {"a", "in " + a.input.name, false},
                   {"b", "in " + b.input.name, false},
                   {"contribution", "change of return"}}};
      for (const DiffExample& example : diff.examples)
        table.add(
            {{example.observation},
             {side_text(example.a)},
             {side_text(example.b)},
             example.change.contribution ? Cell::difference(*example.change.contribution, 5) : Cell::none()});
      if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
    } catch (const Error& error) {
      section.blocks.emplace_back(Paragraph{error.what()});
    }
  }
  return section;
}

}  // namespace ndnf
