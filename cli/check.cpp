#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/many_policies.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "ndnf/base/text_table.h"
#include "ndnf/pipeline/check_policy.h"

namespace ndnf::cli {
namespace {

constexpr std::uint64_t kMaxEpisodes = 1'000'000'000;

std::string verdict_text(Verdict verdict, bool counts) {
  if (verdict == Verdict::kUndecided) return coloured("UNDECIDED", Colour::kYellow);
  if (verdict == Verdict::kHolds) return coloured("holds", Colour::kGreen);
  return counts ? coloured("FAILS", Colour::kRed) : "fails";
}

std::string line_text(const CheckResult& check, const CheckedPolicy& result) {
  const std::string what =
      check.property ? check.name : fmt::format("{} ({})", check.name, to_string(check.scope));
  std::string text = fmt::format("{}  {}", verdict_text(check.verdict, result.counts(check)), what);
  if (check.value) text += ": " + check.value_text;
  text += "\n";
  if (!check.holds()) text += fmt::format("       {}\n", check.witness);
  // The trace of a check that does not count is shown in the JSON only.
  if (!check.holds() && result.counts(check) && check.trace) {
    text += to_text(*check.trace, result.task.model());
  }
  return text;
}

/// The claims in the file's header; false claims are warnings.
std::string claims_text(const std::vector<ProgramClaim>& claims) {
  std::string text = claims.empty() ? "" : "claims in the file's header:\n";
  for (const ProgramClaim& claim : claims) {
    text += fmt::format("{}{}  {}: {}\n",
                        claim.verdict == ClaimVerdict::kFalse ? coloured("WARNING: ", Colour::kYellow) : "",
                        word(claim.verdict), claim.name, claim.said);
    if (!claim.found.empty()) text += fmt::format("       {}\n", claim.found);
  }
  return text;
}

std::string check_text(const CheckedPolicy& result) {
  std::string all =
      fmt::format("{} on {}, {}{}, scope {}\n", result.policy, result.task.spec, result.select.to_string(),
                  result.shielded ? ", shielded" : "", to_string(result.scope));
  for (const CheckResult& check : result.checks) all += line_text(check, result);
  return all + claims_text(result.claims);
}

std::string check_failure(const CheckedPolicy& result) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(result.checks.begin(), result.checks.end(), [&](const CheckResult& one) {
      return one.verdict == verdict && result.counts(one);
    });
  };
  std::vector<std::string> parts;
  if (const auto failed = count(Verdict::kFails); failed > 0) {
    parts.push_back(fmt::format("{} check{} not hold", failed, failed == 1 ? " does" : "s do"));
  }
  if (const auto open = count(Verdict::kUndecided); open > 0) {
    parts.push_back(fmt::format("{} check{} undecided", open, open == 1 ? " is" : "s are"));
  }
  return parts.empty() ? "" : fmt::format("{}: {}", result.policy, fmt::join(parts, ", "));
}

/// The checks of a policy that count and do not hold.
std::string failing_text(const CheckedPolicy& result) {
  std::vector<std::string> names;
  for (const CheckResult& check : result.checks) {
    if (!check.holds() && result.counts(check)) names.push_back(check.name);
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

std::string checks_text(const CheckedPolicies& all) {
  TextTable table({"verdict", "policy", "what does not hold"});
  for (const auto& outcome : all) {
    if (outcome.result) {
      table.add(
          {verdict_text(outcome.result->verdict(), true), outcome.policy, failing_text(*outcome.result)});
    } else {
      table.add({coloured("error", Colour::kRed), outcome.policy, "not checked"});
    }
  }
  const CheckSummary summary = summary_of(all);
  std::string text = table.to_text(screen_width());
  text += fmt::format("{}: {} hold, {} fail, {} undecided\n", counts_text(summary.counts), summary.hold,
                      summary.fail, summary.undecided);
  for (const auto& [check, policies] : summary.failing)
    text +=
        fitted(fmt::format("{} does not hold for {}: {}", check, policies.size(), fmt::join(policies, ", ")));
  return text;
}

Reply check(CheckRequest request, const PolicyArguments& arguments) {
  if (arguments.many()) {
    return many_replies<CheckedPolicy>(for_each_policy(request, arguments.policies, check_policy),
                                       checks_text, check_failure);
  }
  request.policy = arguments.policies.front();
  CheckedPolicy result = check_policy(request);
  std::string failure = check_failure(result);
  return reply(std::move(result), check_text, std::move(failure));
}

Action prepare_check(CLI::App& app) {
  const auto request = std::make_shared<CheckRequest>();
  const auto policies = std::make_shared<std::vector<Input>>();
  add_policies(app, *policies);
  add_environment(app, request->env);
  add_discount(app, request->discount);
  add_selection(app, request->select);
  add_shield(app, request->shield, kShieldBesides);
  add_choice(
      app, "--scope", kScope, kScopes,
      [request](const std::string& scope) {
        request->scope = scope == "visited" ? CheckScope::kVisited : CheckScope::kReachable;
      },
      "where exactly-one, coverage and rules are checked: reachable (the default) or visited; both are "
      "reported");
  app.add_option("--property", request->properties,
                 "a property of the policy's episodes, such as 'P>=1 [F<=50 \"goal\"]'; may be repeated")
      ->type_name(kProperty)
      ->allow_extra_args(false);
  add_integer(
      app, "--episodes", 1, kMaxEpisodes, [request](std::uint64_t n) { request->sampling.episodes = n; },
      "without a finite model: how many episodes to sample for properties of episodes (default: 10000)");
  add_integer(
      app, "--seed", 0, UINT64_MAX, [request](std::uint64_t n) { request->sampling.seed = n; },
      "the seed of these episodes (default: 0)");
  app.add_option("--against", request->against,
                 "the run or .safetensors that a program was extracted from, to check its header's claims")
      ->type_name(kPolicy);
  return [request, policies] { return check(*request, expanded(*policies)); };
}

}  // namespace

Command check_command() {
  return {
      "check",
      "Checks a policy: exactly one action, coverage, dead and subsumed rules, properties of its episodes.",
      {"ndnf check policy.lp --env small-corridor",
       "ndnf check policy.lp --env door-corridor --scope visited",
       "ndnf check optimal --env small-corridor --property 'P>=1 [F<=50 \"goal\"]'",
       "ndnf check policy.pl --env blackjack --shield never-bust.lp --property 'P<=0 [F \"bust\"]'",
       "ndnf check runs/taxi --property 'P>=1 [F \"delivered\"]'",
       "ndnf check cart.lp --env cart-pole --property 'never action(left) when velocity <= -1.5'",
       "ndnf check optimal --env blackjack --property 'never action(hit) when hand(20)' --json"},
      prepare_check};
}

}  // namespace ndnf::cli
