#include <cmath>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/many_policies.h"
#include "cli/optimum_text.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "ndnf/base/parallel.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/base/progress.h"
#include "ndnf/base/text_table.h"
#include "ndnf/pipeline/evaluate_policy.h"

namespace ndnf::cli {
namespace {

constexpr std::uint64_t kMaxEpisodes = 1'000'000'000'000;
constexpr std::uint64_t kMaxSolverSeconds = 1'000'000;

std::string line(std::string_view what, const std::string& figure) {
  return fmt::format("{:<12}{}\n", what, figure);
}

std::string return_text(const PolicyEvaluation& result) {
  const Evaluation& evaluation = result.evaluation;
  const std::string value = fmt::format("{:.7g}", evaluation.mean_return);
  if (evaluation.exact) return value;
  const std::string what = evaluation.episodes == 1
                               ? "1 episode"
                               : fmt::format("standard error, {} episodes", evaluation.episodes);
  return fmt::format("{} ({} in {:.2f} s)", with_error(value, evaluation.standard_error), what,
                     result.seconds);
}

std::string length_text(double length) {
  return std::isinf(length) ? "unbounded" : fmt::format("{:.7g}", length);
}

std::string eval_text(const PolicyEvaluation& result) {
  const Evaluation& evaluation = result.evaluation;
  std::string all =
      fmt::format("{} on {}, {}, {}{}{}\n", result.policy, result.env, result.select.to_string(),
                  evaluation.exact ? "exact" : "sampled", result.shielded ? ", shielded" : "",
                  (result.discount < 1 ? fmt::format(", discount {}", result.discount) : "") +
                      (result.with ? ", rules evaluated by " + *result.with : ""));
  for (const std::string& query : result.timeouts) all += line("timed out", query);
  if (result.undefined) return all;
  if (result.loop) return all + "an episode may never end:\n" + to_text(*result.loop, *result.model);
  all += line("return", return_text(result));
  all += line("length", length_text(evaluation.length));
  all += line("terminated", fmt::format("{:.3f} %", 100 * evaluation.terminated));
  for (std::size_t t = 0; t < result.tags.size(); ++t) {
    all += line(result.tags[t], fmt::format("{:.3f} %", 100 * evaluation.tag_rates[t]));
  }
  if (result.optimum_left_out)
    return all + line("optimum", "not computed for so large a task; --optimum computes it");
  if (!result.no_optimum.empty()) return all + line("optimum", result.no_optimum);
  if (!result.optimum) return all + line("optimum", "unknown (the task has no finite model)");
  all += line("optimum", fmt::format("{:.7g} ({})", result.optimum->found, proof_text(*result.optimum)));
  return all + line("gap", gap_text(result.optimum, evaluation.mean_return,
                                    [](double gap) { return fmt::format("{:.7g}", gap); }));
}

std::string eval_failure(const PolicyEvaluation& result) {
  if (const auto& undefined = result.undefined) {
    return fmt::format("{}: {} in a visited observation: {}", result.policy, undefined->reason,
                       undefined->observation);
  }
  if (!result.loop) return "";
  return fmt::format("{}: an episode may never end, so there is no return without a step limit or a discount",
                     result.policy);
}

std::vector<std::string> eval_row(const PolicyOutcome<PolicyEvaluation>& outcome, bool comparable) {
  std::vector<std::string> row = {outcome.policy};
  if (!comparable) row.push_back(outcome.result ? outcome.result->env : "-");
  if (!outcome.result || outcome.result->undefined || outcome.result->loop) {
    row.emplace_back(!outcome.result        ? "error"
                     : outcome.result->loop ? "none: it may never end"
                                            : "undefined");
    row.insert(row.end(), {"-", "-", "-", outcome.result ? outcome.result->select.to_string() : "-"});
    return row;
  }
  const Evaluation& evaluation = outcome.result->evaluation;
  const auto figure = [size = size_of(evaluation.mean_return, outcome.result->optimum)](double value) {
    return table_figure(value, size);
  };
  const std::string value = figure(evaluation.mean_return);
  row.push_back(evaluation.exact ? value : with_error(value, evaluation.standard_error, figure));
  row.push_back(gap_text(outcome.result->optimum, evaluation.mean_return, figure));
  row.push_back(length_text(evaluation.length));
  row.push_back(fmt::format("{:.3f} %", 100 * evaluation.terminated));
  row.push_back(outcome.result->select.to_string());
  return row;
}

std::string evals_text(const Evaluations& all) {
  const EvaluationSummary summary = summary_of(all);
  std::vector<std::string> titles = {"policy", "return", "gap", "length", "terminated", "select"};
  std::vector<std::size_t> right = {1, 2, 3, 4};
  if (!summary.comparable) {
    titles.insert(titles.begin() + 1, "environment");
    right = {2, 3, 4, 5};
  }
  TextTable table(std::move(titles), std::move(right));
  for (const auto& outcome : all) table.add(eval_row(outcome, summary.comparable));
  const std::string returns =
      summary.comparable ? to_text(summary.returns) : "no mean: they are for different tasks";
  return table.to_text(screen_width()) + fitted(fmt::format("{}: {}", counts_text(summary.counts), returns));
}

PolicyEvaluation evaluate_one(EvaluationRequest request) {
  Progress progress("episodes", request.episodes.value_or(kDefaultEpisodes));
  request.on_episodes = [&progress](std::size_t more) { progress.advance(more); };
  return evaluate_policy(request);
}

Reply evaluate(EvaluationRequest request, const PolicyArguments& arguments) {
  if (arguments.many()) {
    return many_replies<PolicyEvaluation>(for_each_policy(request, arguments.policies, evaluate_one),
                                          evals_text, eval_failure);
  }
  request.policy = arguments.policies.front();
  PolicyEvaluation result = evaluate_one(std::move(request));
  std::string failure = eval_failure(result);
  return reply(std::move(result), eval_text, std::move(failure));
}

Action prepare_eval(CLI::App& app) {
  const auto request = std::make_shared<EvaluationRequest>();
  request->jobs = default_jobs();
  const auto policies = std::make_shared<std::vector<Input>>();
  add_policies(app, *policies);
  add_environment(app, request->env);
  add_discount(app, request->discount);
  add_selection(app, request->select);
  add_shield(app, request->shield, kShieldBesides);
  CLI::Option* with = add_choice(
      app, "--with", kSolver, kSolvers, [request](const std::string& solver) { request->with = solver; },
      "evaluate the program's rules with clingo (.lp) or problog (.pl)");
  add_integer(
      app, "--solver-time", 1, kMaxSolverSeconds,
      [request](std::uint64_t n) { request->solver_time = std::chrono::seconds(n); },
      "the time limit of --with, in seconds (default: 600)")
      ->needs(with);
  CLI::Option* exact = app.add_flag("--exact", request->exact)
                           ->description("the exact expectation over all episodes (default for finite tasks)")
                           ->disable_flag_override();
  add_integer(
      app, "--episodes", 1, kMaxEpisodes, [request](std::uint64_t n) { request->episodes = n; },
      "the mean over N simulated episodes instead (default for other tasks: 10000)")
      ->excludes(exact);
  app.add_flag("--optimum", request->optimum)
      ->description("compare with the optimum, which takes long for a large task (default for others)")
      ->disable_flag_override();
  add_integer(
      app, "--seed", 0, UINT64_MAX, [request](std::uint64_t n) { request->seed = n; },
      "the seed of the simulated episodes (default: 0)");
  add_integer(
      app, "--jobs", 1, kMaxJobs, [request](std::uint64_t n) { request->jobs = n; },
      "the number of threads; the result does not depend on it (default: one per core)");
  return [request, policies] { return evaluate(*request, expanded(*policies)); };
}

}  // namespace

Command eval_command() {
  return {"eval",
          "Computes a policy's expected return, exactly or by simulation, and its gap to the optimum.",
          {"ndnf eval uniform --env blackjack", "ndnf eval runs/paper/blackjack-ndnf-mt",
           "ndnf eval runs/taxi/seed-0 runs/taxi/seed-1", "ndnf eval runs/taxi",
           "ndnf eval policy.lp --env small-corridor --with clingo",
           "ndnf eval optimal --env blackjack --shield examples/shields/never-bust.lp",
           "ndnf eval policy.json --env small-corridor:wall --select epsilon:0.1",
           "ndnf eval optimal --env taxi --episodes 1e6 --json"},
          prepare_eval};
}

}  // namespace ndnf::cli
