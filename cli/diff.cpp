#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/pipeline/diff_policies.h"

namespace ndnf::cli {
namespace {

constexpr std::uint64_t kMaxExamples = 1'000'000;

std::string return_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.7g}", *value) : "undefined";
}

std::string side_text(char name, const DiffSide& side) {
  const Colour colour = name == 'A' ? Colour::kRed : Colour::kGreen;
  std::string text = coloured(fmt::format("  {}  {}", name, side.row), colour) + "\n";
  for (const std::string& rule : side.rules) text += fmt::format("       {}\n", rule);
  return text;
}

std::string where_text(const ChangedObservation& change) {
  if (!change.reachable) return "never reached";
  if (change.visited_a && change.visited_b) return "visited by both";
  if (change.visited_a) return "visited by A only";
  return change.visited_b ? "visited by B only" : "visited by neither";
}

std::string example_text(const DiffExample& example) {
  std::string text = fmt::format("\n{}\n  {}", example.observation, where_text(example.change));
  if (example.change.contribution && example.change.visited_b) {
    text += fmt::format(", {:.4g} decisions per episode of B, changes the return by {:+.6g}",
                        example.change.visits_b, *example.change.contribution);
  }
  return text + "\n" + side_text('A', example.a) + side_text('B', example.b);
}

std::string sampled_text(const Evaluation& evaluation) {
  return evaluation.has_return()
             ? with_error(fmt::format("{:.6g}", evaluation.mean_return), evaluation.standard_error)
             : "undefined";
}

std::string numbers_text(const DiffResult& result) {
  const NumbersDiff& numbers = *result.numbers;
  std::string all = fmt::format("A {}, {}\nB {}, {}\n", result.policy_a, result.select_a.to_string(),
                                result.policy_b, result.select_b.to_string());
  all += numbers.regions.empty()
             ? fmt::format("on {}: proved equal in every observation within the ranges\n", result.env)
             : fmt::format("on {}: they differ in {} region{}\n", result.env, numbers.regions.size(),
                           numbers.regions.size() == 1 ? "" : "s");
  all += fmt::format("return {} -> {} (standard errors, {} sampled episodes each)\n", sampled_text(numbers.a),
                     sampled_text(numbers.b), numbers.a.episodes);
  for (const NumbersDiff::Region& region : numbers.regions) {
    all += fmt::format("\nfor example {}\n", region.observation) + side_text('A', region.a) +
           side_text('B', region.b);
  }
  return all;
}

std::string diff_text(const DiffResult& result) {
  if (result.numbers) return numbers_text(result);
  const PolicyDiff& diff = result.diff;
  const auto shield = [](bool shielded) { return shielded ? ", shielded" : ""; };
  std::string all = fmt::format("A {}, {}{}\nB {}, {}{}\n", result.policy_a, result.select_a.to_string(),
                                shield(result.shielded_a), result.policy_b, result.select_b.to_string(),
                                shield(result.shielded_b)) +
                    fmt::format("on {}: {} of {} observations changed ({} of them reachable)\n", result.env,
                                diff.changed.size(), diff.observations, result.changed_reachable);
  if (diff.within_rounding > 0) {
    all += fmt::format("{} more differ by at most {:g}, within rounding\n", diff.within_rounding,
                       kSameProbability);
  }
  all += fmt::format("return {} -> {}", return_text(diff.return_a), return_text(diff.return_b));
  if (diff.return_a && diff.return_b) all += fmt::format(" ({:+.6g})", *diff.return_b - *diff.return_a);
  all += "\n";
  if (result.loop_a) all += "an episode of A may never end:\n" + to_text(*result.loop_a, *result.model);
  if (result.loop_b) all += "an episode of B may never end:\n" + to_text(*result.loop_b, *result.model);
  for (const DiffExample& example : result.examples) all += example_text(example);
  const std::size_t left = diff.changed.size() - result.examples.size();
  return left == 0 ? all : all + fmt::format("\nand {} more; see --examples\n", left);
}

Reply diff(const DiffRequest& request, bool fail_on_change) {
  DiffResult result = diff_policies(request);
  std::string failure;
  if (fail_on_change && !result.diff.changed.empty()) {
    failure = fmt::format("{} and {} differ in {} of {} observations", result.policy_a, result.policy_b,
                          result.diff.changed.size(), result.diff.observations);
  }
  if (fail_on_change && result.numbers && !result.numbers->regions.empty())
    failure = fmt::format("{} and {} differ", result.policy_a, result.policy_b);
  for (const auto* loop : {&result.loop_a, &result.loop_b}) {
    if (*loop && failure.empty()) {
      failure = fmt::format(
          "{}: an episode may never end, so there is no return without a step limit or a discount",
          loop == &result.loop_a ? result.policy_a : result.policy_b);
    }
  }
  return reply(std::move(result), diff_text, std::move(failure));
}

Action prepare_diff(CLI::App& app) {
  const auto request = std::make_shared<DiffRequest>();
  const auto fail_on_change = std::make_shared<bool>(false);
  add_policy(app, "A", request->a);
  add_policy(app, "B", request->b);
  add_environment(app, request->env);
  add_discount(app, request->discount);
  add_selection(app, request->select);
  add_shield(app, request->shield,
             "rules (.lp) that forbid actions in both policies, in addition to a run's own shield");
  add_integer(
      app, "--examples", 0, kMaxExamples, [request](std::uint64_t n) { request->examples = n; },
      "the most changed observations to report in full (default: 10)");
  add_integer(
      app, "--episodes", 1, kMaxExamples, [request](std::uint64_t n) { request->episodes = n; },
      "without a finite model: how many episodes of each policy to sample for its return (default: 10000)");
  add_integer(
      app, "--seed", 0, UINT64_MAX, [request](std::uint64_t n) { request->seed = n; },
      "the seed of these episodes (default: 0)");
  app.add_flag("--fail-on-change", *fail_on_change, "exit with 1 if anything changed, for CI")
      ->disable_flag_override();
  return [request, fail_on_change] { return diff(*request, *fail_on_change); };
}

}  // namespace

Command diff_command() {
  return {
      "diff",
      "Shows in which observations two policies differ, which rules cause it, and the change of the return.",
      {"ndnf diff policy.lp edited.lp --env door-corridor", "ndnf diff policy.lp model.safetensors --json",
       "ndnf diff old.pl new.pl --env blackjack --fail-on-change"},
      prepare_diff};
}

}  // namespace ndnf::cli
