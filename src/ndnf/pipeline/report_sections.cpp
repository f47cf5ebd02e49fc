#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/program_use.h"
#include "ndnf/pipeline/reported_policy.h"
#include "ndnf/report/scatter_chart.h"
#include "ndnf/training/return_summary.h"

namespace ndnf {
namespace {

using Groups = std::vector<ReportedGroup>;
using Blocks = std::vector<Block>;

// Results.

std::string reported_return(const PolicyEvaluation& result) {
  if (result.undefined) return "undefined in " + result.undefined->observation;
  if (!result.evaluation.has_return()) return "none: it may never end";
  const double size = size_of(result.evaluation.mean_return, result.optimum);
  const std::string value = table_figure(result.evaluation.mean_return, size);
  if (result.evaluation.exact) return value;
  return with_error(value, result.evaluation.standard_error,
                    [&](double error) { return table_figure(error, size); });
}

std::string reported_optimum(const PolicyEvaluation& result) {
  if (!result.optimum) return "–";
  const std::string value = table_figure(result.optimum->found, std::abs(result.optimum->found));
  return result.optimum->proved() ? value : value + " (best found)";
}

std::string reported_gap(const PolicyEvaluation& result) {
  if (!result.optimum || !result.evaluation.has_return()) return "–";
  const double size = size_of(result.evaluation.mean_return, result.optimum);
  return table_figure(result.optimum->gap(result.evaluation.mean_return), size);
}

std::string reported_faithfulness(const ReportedPolicy& policy) {
  if (!policy.extraction) return "–";
  if (!policy.has_program()) return "no program";
  const Attempt& best = policy.extraction->extraction.best();
  if (best.faithful()) return policy.extraction->extraction.sample ? "on the sample" : "yes";
  return fmt::format("{} of {} differ", best.reachable.disagreements, best.reachable.observations);
}

std::vector<Cell> result_row(const ReportedPolicy& policy) {
  if (!policy.error.empty())
    return {{policy.input.name}, {policy.error}, {"–"}, {"–"}, {"–"}, {"–"}, {"–"}, {"–"}};
  const PolicyEvaluation& result = *policy.evaluation;
  const bool found = policy.extraction && policy.has_program();
  const Attempt* best = found ? &policy.extraction->extraction.best() : nullptr;
  Cell mean{reported_return(result)};
  if (result.evaluation.has_return()) mean.value = result.evaluation.mean_return;
  if (!result.evaluation.exact) mean.error = result.evaluation.standard_error;
  return {{policy.input.name},
          mean,
          {reported_optimum(result)},
          {reported_gap(result)},
          {result.evaluation.exact ? "exact" : fmt::format("{} episodes", result.evaluation.episodes)},
          {result.select.to_string()},
          best == nullptr ? Cell::none() : Cell::count(best->size.rules),
          {reported_faithfulness(policy)}};
}

std::string summary_sentence(const ReportedGroup& group) {
  ReturnSummary summary;
  for (const ReportedPolicy& policy : group.policies) {
    if (!policy.evaluation) continue;
    const Evaluation& evaluation = policy.evaluation->evaluation;
    summary.add(evaluation.has_return() ? std::optional(evaluation.mean_return) : std::nullopt,
                policy.evaluation->optimum);
  }
  return fmt::format("`{}`: {} seeds; return: {}. Shown in full below: `{}`.", group.name,
                     group.policies.size(), to_text(summary), group.shown().input.name);
}

// Rules.

Blocks rules_blocks(const ReportedPolicy& policy) {
  const ProgramUse use = use_of_program({policy.program, policy.env, std::nullopt});
  Table table{"rules",
              {{"line", "line"},
               {"observations", use.sampled_episodes > 0 ? "sampled observations" : "reachable observations"},
               {"visited", "visited"},
               {"per_episode", "decisions an episode"},
               {"rule", "rule", false}}};
  for (const RuleUse& rule : use.rules) {
    table.add({Cell::count(rule.rule.line),
               Cell::share(rule.observations, use.observations),
               Cell::share(rule.visited, use.visited),
               Cell::number(rule.per_episode, 3),
               {"`" + rule.rule.text + "`"}});
  }
  const std::string where =
      use.sampled_episodes > 0
          ? fmt::format("observations of {} sampled episodes", use.sampled_episodes)
          : std::string("the observations that some policy reaches, and those that this program visits");
  return {
      Paragraph{fmt::format("Where each rule fires, among {}. A rule that fires nowhere is dead.", where)},
      std::move(table)};
}

Blocks program_blocks(const ReportedGroup& group) {
  const ReportedPolicy& policy = group.shown();
  if (!policy.has_program()) {
    const std::string why = policy.no_extraction.empty() ? "No program was found." : policy.no_extraction;
    return policy.is_network ? Blocks{Paragraph{why}} : Blocks{};
  }
  Blocks blocks;
  const std::string from = policy.extraction ? " extracted from " + policy.input.name : policy.input.name;
  blocks.emplace_back(Listing{"The program" + from, *policy.program.contents, policy.actions()});
  try {
    for (Block& block : rules_blocks(policy)) blocks.push_back(std::move(block));
  } catch (const Error& error) {
    blocks.emplace_back(Paragraph{error.what()});
  }
  return blocks;
}

// Extraction.

std::vector<Cell> attempt_row(const Attempt& attempt, bool chosen) {
  const std::string name =
      fmt::format("{} over {}{}", attempt.method, word(attempt.over), chosen ? " (chosen)" : "");
  if (!attempt.program) return {{name}, {"no program"}, {"–"}, {"–"}, {"–"}, {"–"}, {"–"}, {"–"}};
  return {{name},
          {attempt.faithful()                                ? "yes"
           : attempt.faithful_to == FaithfulTo::kTruthValues ? "truth values"
                                                             : "no"},
          Cell::share(attempt.reachable.disagreements, attempt.reachable.observations),
          Cell::number(attempt.reachable.max_dp, 4),
          attempt.mean_return
              ? Cell{table_figure(attempt.mean_return->value, std::abs(attempt.mean_return->value)),
                     attempt.mean_return->value}
              : Cell{"undefined"},
          Cell::count(attempt.size.rules),
          Cell::count(attempt.size.literals),
          {attempt.proved_minimal ? "proved minimal"
           : attempt.lower_bound  ? fmt::format("at least {}", *attempt.lower_bound)
                                  : "–"}};
}

/// Size against faithfulness, one point per method.
Figure attempts_figure(const Extraction& extraction) {
  ScatterPanel panel{"", {}};
  for (const Attempt& attempt : extraction.attempts) {
    if (!attempt.program || attempt.size.rules == 0 || attempt.reachable.observations == 0) continue;
    const double share = 100 * (1 - static_cast<double>(attempt.reachable.disagreements) /
                                        static_cast<double>(attempt.reachable.observations));
    panel.clouds.push_back({fmt::format("{} over {}", attempt.method, word(attempt.over)),
                            {{static_cast<double>(attempt.size.rules), share}}});
  }
  panel.best_y = 100;
  return {
      "extraction",
      "Every method: the number of rules, and in how many observations the action is the policy's",
      scatter_chart("Size and faithfulness", "rules", "% of observations alike", "", {panel}).to_string()};
}

Blocks extraction_blocks(const ReportedGroup& group) {
  const ReportedPolicy& policy = group.shown();
  if (!policy.extraction) return {};
  const Extraction& extraction = policy.extraction->extraction;
  Table table{"methods",
              {{"method", "method", false},
               {"faithful", "faithful", false},
               {"disagreements", fmt::format("differ, of {}", extraction.scope())},
               {"max_dp", "max Δp"},
               {"return", "return"},
               {"rules", "rules"},
               {"literals", "literals"},
               {"bound", "size", false}}};
  for (std::size_t i = 0; i < extraction.attempts.size(); ++i)
    table.add(attempt_row(extraction.attempts[i], i == extraction.chosen));
  Blocks blocks{
      Paragraph{"What each way from network to program gives: how faithful it is to the network as it runs, "
                "and how large."},
      std::move(table)};
  const auto has_program = [](const Attempt& attempt) { return attempt.program.has_value(); };
  if (std::count_if(extraction.attempts.begin(), extraction.attempts.end(), has_program) > 1)
    blocks.emplace_back(attempts_figure(extraction));
  return blocks;
}

// Proofs.

std::string verdict_text(Verdict verdict) {
  return verdict == Verdict::kHolds ? "holds" : verdict == Verdict::kFails ? "fails" : "undecided";
}

Table checks_table(const CheckedPolicy& checked) {
  Table table{"checks",
              {{"check", "check", false},
               {"scope", "scope", false},
               {"verdict", "verdict", false},
               {"detail", "value or witness", false}}};
  for (const CheckResult& check : checked.checks) {
    const std::string detail = check.witness.empty() ? check.value_text : check.witness;
    table.add({{check.property ? "`" + check.name + "`" : check.name},
               {check.property ? "episodes" : std::string(to_string(check.scope))},
               {verdict_text(check.verdict)},
               {detail.empty() ? "–" : detail}});
  }
  return table;
}

std::string certificate_text(const ReportedPolicy& policy) {
  const bool asp = policy.extraction->extraction.as == Syntax::kAsp;
  const std::string run = shell_word(policy.input.name);
  const std::string file = shell_word(fmt::format("{}/policy.{}", policy.input.name, asp ? "lp" : "pl"));
  return fmt::format(
      "To check it without any code of ndnf: `ndnf extract {0}{3} --certify` writes the program with its "
      "certificate, `ndnf envs {1} --dump task.json` the task, and `python tools/check_certificate.py "
      "{0}/model.safetensors {2} {2}.certificate.json task.json` verifies every claim.",
      run, shell_word(policy.task->spec), file, asp ? " --compact" : "");
}

/// A program about numbers is proved for every observation; about a network nothing can be.
Blocks proofs_without_model(const ReportedPolicy& policy, const ReportRequest& request) {
  const bool provable = policy.has_program() && !policy.task->vocabulary->quantities().empty();
  try {
    if (!provable) throw Error("", "the task has no finite model");
    CheckRequest wanted;
    wanted.policy = policy.program;
    wanted.env = policy.env;
    wanted.properties = request.properties;
    return {Paragraph{"The rules are proved for every observation within the ranges of its numbers, by Z3. "
                      "Returns, and properties of episodes, are sampled."},
            checks_table(check_policy(wanted))};
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    return {Paragraph{
        fmt::format("Nothing is proved: {}. Returns are sampled and carry a standard error.", error.what())}};
  }
}

Blocks proof_blocks(const ReportedGroup& group, const ReportRequest& request) {
  const ReportedPolicy& policy = group.shown();
  if (!policy.task->is_finite()) return proofs_without_model(policy, request);
  Blocks blocks;
  CheckRequest wanted;
  wanted.policy = policy.has_program() ? policy.program : policy.input;
  wanted.env = policy.env;
  wanted.shield = request.shield;
  wanted.discount = request.discount;
  wanted.properties = request.properties;
  if (policy.has_program() && policy.extraction) wanted.against = policy.input;
  const CheckedPolicy checked = check_policy(wanted);
  blocks.emplace_back(Paragraph{
      fmt::format("Checked {}, in every observation that some policy reaches, and in those that it visits.",
                  policy.has_program() ? "for the program" : "for the policy")});
  blocks.emplace_back(checks_table(checked));
  if (!checked.claims.empty()) {
    Table claims{
        "claims",
        {{"claim", "claim of the program", false}, {"said", "said", false}, {"verdict", "verdict", false}}};
    for (const ProgramClaim& claim : checked.claims)
      claims.add({{claim.name}, {claim.said}, {std::string(word(claim.verdict))}});
    blocks.emplace_back(std::move(claims));
  }
  if (policy.evaluation->optimum) {
    const BestReturn& best = *policy.evaluation->optimum;
    blocks.emplace_back(
        Paragraph{fmt::format("Optimum: {} ({}).", table_figure(best.found, std::abs(best.found)),
                              best.proved() ? "proved: " + std::string(to_string(best.proof))
                                            : "the best return found, not proved")});
  }
  if (policy.extraction && policy.has_program() && policy.is_run)
    blocks.emplace_back(Paragraph{certificate_text(policy)});
  return blocks;
}

}  // namespace

/// One group's blocks as they are; those of several side by side.
Section compared(std::string name, std::string title, const Groups& groups,
                 const std::function<Blocks(const ReportedGroup&)>& blocks_of) {
  Section section{std::move(name), std::move(title), {}};
  if (groups.size() == 1) {
    section.blocks = blocks_of(groups.front());
    return section;
  }
  Beside beside;
  bool any = false;
  for (const ReportedGroup& group : groups) {
    beside.parts.push_back({section.name, group.name, blocks_of(group)});
    any = any || !beside.parts.back().blocks.empty();
  }
  if (any) section.blocks.push_back(std::move(beside));
  return section;
}

Section results_section(const Groups& groups) {
  Section section{"results", "Results", {}};
  Table table{"results",
              {{"policy", "policy", false},
               {"return", "return"},
               {"optimum", "optimum"},
               {"gap", "gap"},
               {"how", "evaluated", false},
               {"select", "actions picked by", false},
               {"rules", "rules"},
               {"faithful", "faithful", false}}};
  for (const ReportedGroup& group : groups) {
    if (group.policies.size() > 1) section.blocks.emplace_back(Paragraph{summary_sentence(group)});
    for (const ReportedPolicy& policy : group.policies) table.add(result_row(policy));
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

Section program_section(const Groups& groups) {
  return compared("program", "The program", groups, program_blocks);
}

Section extraction_section(const Groups& groups) {
  return compared("extraction", "Extraction", groups, extraction_blocks);
}

Section proof_section(const Groups& groups, const ReportRequest& request) {
  return compared("proved", "What was proved", groups,
                  [&request](const ReportedGroup& group) { return proof_blocks(group, request); });
}

}  // namespace ndnf
