#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "ndnf/pipeline/explain_policy.h"

namespace ndnf::cli {
namespace {

std::string explanation_text(const Explanation& explanation) {
  std::string text = fmt::format("\n{}\n  policy    {}\n", explanation.observation, explanation.row);
  for (const std::string& rule : explanation.rules) text += fmt::format("  fired     {}\n", rule);
  if (explanation.reason) {
    text += fmt::format("  reason    {} suffices for {}{}\n", *explanation.reason, *explanation.action,
                        explanation.smallest ? "" : " (perhaps not the smallest reason)");
  } else if (explanation.action) {
    text += "  reason    none: the same atoms get another action elsewhere\n";
  }
  for (const auto& [action, change, observation] : explanation.why_not) {
    text += observation.empty() ? fmt::format("  why not   {}: taken in no reachable observation\n", action)
                                : fmt::format("  why not   {}: it would take {}\n", action, change);
  }
  return text;
}

std::string episode_text(const PolicyExplanation& result) {
  std::string text = "\n";
  double sum = 0;
  double weight = 1;
  for (std::size_t i = 0; i < result.episode.size(); ++i) {
    const EpisodeStep& step = result.episode[i];
    text += fmt::format("{:4}  {}", i, step.observation);
    if (!step.action.empty()) text += fmt::format("  -> {}, reward {:g}", step.action, step.reward);
    text += "\n";
    sum += weight * step.reward;
    weight *= result.discount;
  }
  return text + fmt::format("      {}; return {:g}\n", result.ending, sum);
}

std::string explain_text(const PolicyExplanation& result) {
  std::string all = fmt::format("{} on {}, {}{}{}\n", result.policy, result.env, result.select.to_string(),
                                result.shielded ? ", shielded" : "",
                                result.stochastic ? "; reasons are for the most probable action" : "");
  if (!result.episode.empty()) all += episode_text(result);
  for (const Explanation& explanation : result.explanations) all += explanation_text(explanation);
  return all;
}

Action prepare_explain(CLI::App& app) {
  const auto request = std::make_shared<ExplainRequest>();
  add_policy(app, "POLICY", request->policy);
  add_environment(app, request->env);
  add_discount(app, request->discount);
  add_selection(app, request->select);
  add_shield(app, request->shield, kShieldBesides);
  CLI::Option* observations =
      app.add_option("--obs", request->observations,
                     "explain every reachable observation that matches, such as 'hand(18), not usable_ace', "
                     "or 'velocity > 0.5' in a task with numbers; may be repeated")
          ->type_name(kAtoms)
          ->allow_extra_args(false);
  app.add_flag("--episode")
      ->description("explain the decisions of one episode (the default)")
      ->disable_flag_override()
      ->excludes(observations);
  add_integer(
      app, "--seed", 0, UINT64_MAX, [request](std::uint64_t n) { request->seed = n; },
      "the seed of the episode (default: 0)")
      ->excludes(observations);
  return [request] { return reply(explain_policy(*request), explain_text); };
}

}  // namespace

Command explain_command() {
  return {"explain",
          "Explains a policy's decisions: rules that fired, a minimal reason, why not another action.",
          {"ndnf explain policy.lp --env door-corridor --episode --seed 3",
           "ndnf explain optimal --env blackjack --obs 'hand(18), dealer(9), usable_ace'"},
          prepare_explain};
}

}  // namespace ndnf::cli
