#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/many_policies.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/progress_bar.h"
#include "cli/screen.h"
#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/base/text_table.h"
#include "ndnf/pipeline/extract_policy.h"

namespace ndnf::cli {
namespace {

/// Longer programs are not printed, only written to their file.
constexpr std::ptrdiff_t kMostLines = 60;

std::string return_text(const Expectation& expected, const std::string& number = "{:.6g}") {
  if (std::isnan(expected.value)) return "none (it may never end)";
  const std::string value = fmt::format(fmt::runtime(number), expected.value);
  return expected.exact() ? value : with_error(value, expected.standard_error);
}

std::string sample_text(const Extraction& extraction) {
  if (!extraction.sample) return "";
  return fmt::format(", compared on {} observations of {} sampled episodes", extraction.sample->observations,
                     extraction.sample->episodes);
}

std::string agreement_text(const Agreement& agreement) {
  return fmt::format("{} of {}", agreement.disagreements, agreement.observations);
}

std::string faithful_text(FaithfulTo what) {
  if (what == FaithfulTo::kNetwork) return "yes";
  return what == FaithfulTo::kTruthValues ? "truth values" : "no";
}

/// One row per attempt. There is a column `over` only if both were possible, and one for probabilities only
/// for ProbLog.
class MethodsTable {
 public:
  explicit MethodsTable(const Extraction& extraction)
      : problog_(extraction.as == Syntax::kProbLog), over_(has_predicates(extraction)) {
    std::vector<std::string> titles = {"method"};
    if (over_) titles.push_back("over");
    titles.insert(titles.end(), {"faithful", "differ", "visited"});
    if (problog_) titles.push_back("max dp");
    titles.insert(titles.end(), {"one", "return", "rules", "literals", "splits"});
    if (problog_) titles.push_back("disj.");
    titles.push_back("seconds");
    std::vector<std::size_t> right;
    for (std::size_t k = over_ ? 3 : 2; k < titles.size(); ++k) right.push_back(k);
    columns_ = titles.size();
    table_.emplace(std::move(titles), std::move(right));
    for (const Attempt& attempt : extraction.attempts) add(attempt);
  }
  std::string text() const { return table_->to_text(screen_width()); }

 private:
  static bool has_predicates(const Extraction& extraction) {
    return std::any_of(extraction.attempts.begin(), extraction.attempts.end(),
                       [](const Attempt& attempt) { return attempt.over == Over::kPredicates; });
  }

  void add(const Attempt& attempt) {
    std::vector<std::string> row = {attempt.method};
    if (over_) row.emplace_back(word(attempt.over));
    row.push_back(faithful_text(attempt.faithful_to));
    if (attempt.program) add_figures(attempt, row);
    row.resize(columns_ - 1, "-");
    row.push_back(fmt::format("{:.3f}", attempt.seconds));
    table_->add(std::move(row));
  }

  void add_figures(const Attempt& attempt, std::vector<std::string>& row) const {
    row.push_back(agreement_text(attempt.reachable));
    row.push_back(agreement_text(attempt.visited));
    if (problog_) row.push_back(fmt::format("{:.2g}", attempt.reachable.max_dp));
    row.emplace_back(attempt.reachable.exactly_one ? "yes" : "no");
    row.push_back(attempt.mean_return ? return_text(*attempt.mean_return) : "undefined");
    for (const std::size_t count : {attempt.size.rules, attempt.size.literals, attempt.size.splits}) {
      row.push_back(fmt::format("{}", count));
    }
    if (problog_) row.push_back(fmt::format("{}", attempt.size.annotated_disjunctions));
  }

  bool problog_;
  bool over_;
  std::size_t columns_ = 0;
  std::optional<TextTable> table_;
};

std::string methods_text(const Extraction& extraction) {
  std::string text = MethodsTable(extraction).text();
  for (const Attempt& attempt : extraction.attempts) {
    if (!attempt.program) text += fmt::format("{}: {}\n", attempt.method, attempt.reason);
  }
  return text;
}

std::string frontier_text(const Extraction& extraction) {
  if (extraction.frontier.empty() || extraction.as == Syntax::kAsp) return "";
  TextTable table({"epsilon", "disjunctions", "conjunctions", "literals", "max dp", "KL", "return"},
                  {0, 1, 2, 3, 4, 5, 6});
  for (const FrontierPoint& point : extraction.frontier) {
    const bool best_action = !point.epsilon;
    table.add({best_action ? "argmax" : fmt::format("{}", *point.epsilon),
               best_action ? "-" : fmt::format("{}", point.annotated_disjunctions),
               fmt::format("{}", point.conjunctions), fmt::format("{}", point.literals),
               best_action ? "-" : fmt::format("{:.2g}", point.max_dp),
               best_action ? "-" : fmt::format("{:.2g}", point.kl), return_text({point.mean_return})});
  }
  return "\nSize against faithfulness: annotated disjunctions, and the bodies of all rules\n" +
         table.to_text(screen_width());
}

std::string definitions_text(const Extraction& extraction) {
  if (!extraction.best().definitions) return "";
  const PredicateDefinitions& definitions = *extraction.best().definitions;
  std::string text = fmt::format(
      "\nDiscretising the invented predicates changed {} of {} best actions; on truth values the actor's "
      "return is {:.7g}.\n",
      extraction.changed_actions, extraction.best().reachable.observations,
      extraction.return_discretised.value);
  if (definitions.visited.empty()) {
    return text + (definitions.proved
                       ? "Single conjunctions cannot define each of them, even in visited observations.\n"
                       : "Whether single conjunctions define them in visited observations was not decided "
                         "within --solve-limit.\n");
  }
  text += definitions.proved
              ? fmt::format("In visited observations single conjunctions define them ({} smallest sets{}):\n",
                            definitions.optimal_answers, definitions.all_answers ? "" : " and more")
              : "In visited observations single conjunctions define them (there may be smaller sets):\n";
  for (std::size_t k = 0; k < definitions.names.size(); ++k) {
    text += fmt::format("  {} :- {}.\n", definitions.names[k], fmt::join(definitions.visited[k], ", "));
  }
  return text;
}

/// The program or, if it is long, its header only.
std::string shown(const std::string& program) {
  if (std::count(program.begin(), program.end(), '\n') <= kMostLines) return program;
  std::size_t end = 0;
  while (program[end] == '%') end = program.find('\n', end) + 1;
  return program.substr(0, end);
}

/// Where the sample says too little: a locked rule, say, may be about what no episode meets.
std::string unmet_text(const Extraction& extraction) {
  if (!extraction.sample || extraction.sample->kind_disagreements == 0) return "";
  return fitted(fmt::format("note: the program and the network differ in {} of the {} kinds of observations "
                            "that the network "
                            "tells apart",
                            extraction.sample->kind_disagreements, *extraction.sample->kinds)) +
         "\n";
}

/// Without a file the program itself: it can be redirected into one, and its header has the figures.
std::string extract_text(const PolicyExtraction& result) {
  const Extraction& extraction = result.extraction;
  if (result.file.empty() && !result.text.empty()) return result.text;
  std::string all = fmt::format("{} on {}: return {}, {}{}\n\n", result.policy, result.env,
                                return_text(extraction.return_network, "{:.7g}"),
                                extraction.as == Syntax::kAsp ? "argmax" : "sample", sample_text(extraction));
  all += methods_text(extraction) + frontier_text(extraction) + definitions_text(extraction) +
         unmet_text(extraction);
  if (result.file.empty()) return all;
  all += "\n" + shown(result.text);
  all += fmt::format("\nwritten     {}\n", result.file);
  return result.certificate.empty() ? all : all + fmt::format("certificate {}\n", result.certificate);
}

std::string extract_failure(const PolicyExtraction& result) {
  const Attempt& best = result.extraction.best();
  if (!best.program)
    return fmt::format("{}: {} found no program: {}", result.policy, best.method, best.reason);
  if (best.faithful()) return "";
  std::string failure =
      fmt::format("{}: the program is not faithful: {} of {} {} observations differ", result.policy,
                  best.reachable.disagreements, best.reachable.observations, result.extraction.scope());
  if (result.extraction.as == Syntax::kProbLog) {
    failure += fmt::format(", probabilities by up to {:.2g}", best.reachable.max_dp);
  }
  if (best.faithful_to == FaithfulTo::kTruthValues) {
    failure += "; it is faithful only to the actor on the truth values of its encoder's outputs";
  }
  return failure;
}

std::vector<std::string> extract_row(const PolicyOutcome<PolicyExtraction>& outcome) {
  if (!outcome.result) return {outcome.policy, "error", "-", "-", "-", "-", "-", "-"};
  const Attempt& best = outcome.result->extraction.best();
  if (!best.program) return {outcome.policy, "none found", "-", "-", "-", "-", "-", outcome.result->file};
  return {outcome.policy,
          faithful_text(best.faithful_to),
          agreement_text(best.reachable),
          fmt::format("{}", best.size.rules),
          best.proved_minimal ? "yes" : "no",
          fmt::format("{}", best.size.literals),
          best.mean_return ? return_text(*best.mean_return) : "undefined",
          outcome.result->file};
}

std::string rules_text(const Sample& rules) {
  if (rules.empty()) return "no program";
  return fmt::format("{:.4g} rules on average ({} to {})", rules.mean(), rules.least(), rules.greatest());
}

std::string extracts_text(const Extractions& all) {
  TextTable table({"policy", "faithful", "differ", "rules", "proved minimal", "literals", "return", "file"},
                  {2, 3, 5, 6});
  for (const auto& outcome : all) table.add(extract_row(outcome));
  const ExtractionSummary summary = summary_of(all);
  const std::string returns = summary.comparable ? to_text(summary.returns) : "different tasks";
  return table.to_text(screen_width()) +
         fitted(fmt::format("{}: {} faithful, {} proved minimal, {}; return: {}", counts_text(summary.counts),
                            summary.faithful, summary.proved_minimal, rules_text(summary.rules), returns));
}

PolicyExtraction extract_one(ExtractionRequest request) {
  ProgressBar bar("extract");
  request.watch = bar.watch();
  return extract_policy(request);
}

Reply extract(ExtractionRequest request, const PolicyArguments& arguments) {
  if (arguments.many()) {
    if (request.output)
      throw Error(argument("output"), fmt::format("one file for {} programs", arguments.policies.size()),
                  "without it each goes to its run");
    return many_replies<PolicyExtraction>(for_each_policy(request, arguments.policies, extract_one),
                                          extracts_text, extract_failure);
  }
  request.policy = arguments.policies.front();
  PolicyExtraction result = extract_one(std::move(request));
  std::string failure = extract_failure(result);
  return reply(std::move(result), extract_text, std::move(failure));
}

Action prepare_extract(CLI::App& app) {
  const auto request = std::make_shared<ExtractionRequest>();
  const auto policies = std::make_shared<std::vector<Input>>();
  add_policies(app, *policies);
  app.add_option("--env", request->env, "the environment (default: the one that the policy names)")
      ->type_name(kEnvironment);
  add_discount(app, request->discount);
  add_choice(
      app, "--method", kMethod, kMethods, [request](const std::string& method) { request->method = method; },
      "auto, threshold (the paper's), disentangle, exact (ASP) or classes (ProbLog); auto takes the "
      "smallest faithful program")
      ->transform(
          [](const std::string& method) { return method == "refit" ? "classes" : method; });  // its old name
  add_choice(
      app, "--as", kSyntax, kSyntaxes, [request](const std::string& as) { request->as = as; },
      "asp or problog (default: that of the run's preset, or of the program; asp for other policies whose "
      "actions are certain)");
  add_choice(
      app, "--over", kOver, kOvers, [request](const std::string& over) { request->over = over; },
      "what rules are about: the environment's atoms, or the predicates invented by an encoder (default: "
      "auto tries both)");
  add_choice(
      app, "--ties", kTies, kTieRules, [request](const std::string& ties) { request->ties = ties; },
      "if several actions are best: eval takes the one that eval takes, free any of them (default: eval, but "
      "free for optimal)");
  add_choice(
      app, "--form", kForm, kForms, [request](const std::string& form) { request->form = form; },
      "the form of ASP programs: exactly-one (the default), default (one action if no other holds) or "
      "list (ordered rules)");
  add_choice(
      app, "--threshold", kThreshold, kThresholds,
      [request](const std::string& rule) { request->threshold = rule; },
      "what --method threshold preserves for ProbLog: kl (the distributions) or actions (the best actions; "
      "default: that of the run's preset)");
  const auto read_epsilon = [request](double epsilon) {
    if (!(epsilon >= 1e-9 && epsilon <= 1)) {
      throw Error("--epsilon", fmt::format("{} is out of range", epsilon), "it is a number from 1e-9 to 1");
    }
    request->epsilon = epsilon;
  };
  app.add_option_function<double>("--epsilon", read_epsilon,
                                  "the largest error of a probability (default: 0.001)")
      ->type_name(kNumber);
  add_integer(
      app, "--rules", 1, 1'000'000, [request](std::uint64_t n) { request->rules = n; },
      "instead: the most faithful ProbLog program with at most N rules");
  add_integer(
      app, "--solve-limit", 1, 1'000'000'000'000, [request](std::uint64_t n) { request->solve_limit = n; },
      fmt::format("the limit of clingo's conflicts per solver call (default: {})", kSolveLimit));
  add_integer(
      app, "--sample", 1, 1'000'000, [request](std::uint64_t n) { request->sample = n; },
      "tasks without a finite model: the number of observations to compare on (default: 1000; over numbers "
      "those of 256 episodes)");
  add_integer(
      app, "--episodes", 1, 1'000'000'000, [request](std::uint64_t n) { request->episodes = n; },
      "tasks without a finite model: the episodes that estimate returns (default: 1000)");
  app.add_flag("--certify", request->certify,
               "include the witnesses of the lower bound on the size in the certificate, and search for it "
               "in large tasks, too")
      ->disable_flag_override();
  app.add_flag("--compact", request->compact, "write ranges of values as intervals, hand(12..16)")
      ->disable_flag_override();
  app.add_option(
         "-o,--output", request->output,
         "the program's file (default: policy.lp or policy.pl in the run; standard output for policies "
         "that are not networks)")
      ->type_name(kFile);
  return [request, policies] { return extract(*request, expanded(*policies)); };
}

}  // namespace

Command extract_command() {
  return {"extract",
          "Extracts a logic program from a policy and reports how faithful it is.",
          {"ndnf extract runs/paper/door-corridor-ndnf-mt", "ndnf extract optimal --env taxi:factored",
           "ndnf extract runs/taxi --as asp", "ndnf extract run --method exact --certify --compact",
           "ndnf extract run --over predicates", "ndnf extract run --as asp --form default",
           "ndnf extract run --as problog --epsilon 0.01 -o blackjack.pl", "ndnf extract run --json"},
          prepare_extract};
}

}  // namespace ndnf::cli
