#include "ndnf/training/rule_learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/model/build.h"
#include "ndnf/rules/dense_view.h"
#include "ndnf/rules/rule_policy.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/ordered_rules.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/streams.h"

namespace ndnf {
namespace {

/// The rows of a table as a policy for the observations that it was made for.
class TabledPolicy final : public Policy {
 public:
  explicit TabledPolicy(PolicyTable table) : table_(std::move(table)) {}
  std::size_t action_count() const override { return table_.action_count(); }
  void probabilities(const ObservationTable&, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto row = table_.row(ids[i]);
      std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * action_count()));
    }
  }

 private:
  PolicyTable table_;
};

/// Episodes of very different lengths in lockstep wait for the longest, and most races end after the first:
/// one at a time is best, unless somebody's vector environment has a size of its own.
std::size_t lanes_for(const Task& task) { return task.environments.only.value_or(1); }

/// Environments of Python take turns anyway, and threads that wait for each other lose time.
std::size_t jobs_for(const Task& task, std::size_t jobs) { return is_brought_task(task.spec) ? 1 : jobs; }

std::shared_ptr<const Features> features_for(const Task& task) {
  return std::make_shared<const Features>(task.spec, task.vocabulary, task.observations()->dense_size());
}

TeacherSource ppo_teacher(const TrainConfig& config, const Task& task) {
  TeacherSource source;
  constexpr std::int64_t kShare = 3;  // of all steps, at most one third is for the first attempt
  const std::int64_t samples = config.ppo.num_envs * config.ppo.num_steps;
  const std::int64_t most = std::max(samples, config.rules.total_timesteps / kShare);
  source.steps = static_cast<std::uint64_t>(std::min(config.ppo.total_timesteps, most));
  const auto seed = static_cast<std::uint64_t>(config.run.seed);
  source.train = [config, task, seed](std::uint64_t attempt, std::uint64_t steps) {
    constexpr std::uint64_t kApart = std::uint64_t{1} << 48;  // of the seeds of two attempts
    const std::uint64_t own = seed + attempt * kApart;
    RandomSequence random(RandomStream(own, kFirstWeightsStream));
    PpoOptions ppo = config.ppo;
    ppo.total_timesteps = static_cast<std::int64_t>(steps);
    const bool mixed = is_mixed(*task.vocabulary);
    auto env = task.environments(static_cast<std::size_t>(ppo.num_envs), kEnvironmentStream);
    if (mixed) env = dense_view(std::move(env));
    const ObservationTable shape = mixed ? dense_table(*task.vocabulary, 1) : *task.observations();
    return std::make_unique<PpoTrainer<float>>(
        std::move(env), converted<float>(build_network(shape, config.actor, config.critic, {}, random)), ppo,
        LossOptions{}, DeltaOptions{}, HardenOptions{}, own);
  };
  source.policy = [vocabulary = task.vocabulary](const ActorCritic<float>& network) {
    std::shared_ptr<const Policy> policy =
        std::make_shared<const ActorPolicy>(converted<double>(network), vocabulary->action_count());
    return is_mixed(*vocabulary) ? through_dense_view(std::move(policy)) : policy;
  };
  return source;
}

std::string figures_text(const SampledReturn& own) {
  return fmt::format("{} in {} episodes, the worst {:.6g}",
                     with_error(fmt::format("{:.6g}", own.mean), own.error), own.episodes, own.worst);
}

std::string exact_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "none: an episode may never end";
}

/// The figures of a finite task need no episodes.
void add_exact_returns(RuleFront& front, const std::shared_ptr<const Features>& features, const Task& task) {
  for (FrontEntry& entry : front.entries) {
    const RulePolicy policy(entry.list, features);
    entry.exact_return =
        evaluate_exactly(task.model(), tabulate(policy, task.model().observations())).expected_return().value;
  }
}

}  // namespace

Program program_of(const RuleList& list, const Features& features) {
  const Vocabulary& vocabulary = features.vocabulary();
  OrderedRules ordered;
  ordered.otherwise = list.otherwise;
  for (const ListedRule& rule : list.rules) {
    OrderedRule own{rule.action, {}};
    for (const SumLiteral& literal : rule.body) {
      const Feature& first = features[literal.terms.front().feature];
      if (first.is_atom()) {
        own.body.push_back({first.name, literal.above});
        continue;
      }
      std::vector<LinearComparison::Term> terms;
      for (const SumTerm& term : literal.terms)
        terms.push_back({static_cast<std::uint32_t>(features[term.feature].number), term.factor});
      NumericLiteral numeric = canonical(std::move(terms), literal.bound);
      if (!literal.above) numeric.positive = !numeric.positive;
      own.body.push_back(comparison_literal(numeric, vocabulary));
    }
    ordered.rules.push_back(std::move(own));
  }
  return ordered_program(ordered, vocabulary);
}

std::string size_words(const RuleList& list) {
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return counted(list.rules.size(), "rule") + ", " + counted(list.literal_count(), "literal");
}

std::string front_file(const FrontEntry& entry) { return fmt::format("{:02}.lp", entry.list.term_count()); }

bool is_front_file(std::string_view name) {
  if (name.size() < 5 || !name.ends_with(".lp")) return false;
  name.remove_suffix(3);
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string program_text(const LearnedRules& learned, const FrontEntry& entry) {
  const RuleFront& front = learned.front;
  std::string text = fmt::format("% environment: {}\n% learned in: {}\n% program: {} and a default\n",
                                 learned.env, learned.origin, size_words(entry.list));
  if (front.final) {
    text += entry.exact_return ? fmt::format("% exact return: {}\n", exact_text(*entry.exact_return))
                               : fmt::format("% sampled return: {}, none of which any decision used\n",
                                             figures_text(entry.figures));
    text += fmt::format("% teacher: {}\n", figures_text(front.teacher));
  } else {
    text += fmt::format("% search so far: {}, on which it was found; the run is not finished\n",
                        figures_text(entry.figures));
  }
  for (const std::string& warning : front.warnings) text += fmt::format("% warning: {}\n", warning);
  const std::string units = units_comment(learned.features->vocabulary());
  if (!units.empty()) text += fmt::format("% numbers: {}\n", units);
  return text + "\n" + to_text(program_of(entry.list, *learned.features));
}

void add_front(nlohmann::ordered_json& json, const LearnedRules& learned) {
  json["front"] = nlohmann::ordered_json::array();
  for (const FrontEntry& entry : learned.front.entries) {
    json["front"].push_back({{"file", "front/" + front_file(entry)},
                             {"rules", entry.list.rules.size()},
                             {"literals", entry.list.literal_count()},
                             {"terms", entry.list.term_count()},
                             {"return", entry.exact_return.value_or(entry.figures.mean)},
                             {"stderr", entry.exact_return ? 0 : entry.figures.error},
                             {"worst", entry.figures.worst},
                             {"episodes", entry.figures.episodes},
                             {"selection_return", entry.selection_return},
                             {"picked", entry.picked},
                             {"program", to_text(program_of(entry.list, *learned.features))}});
  }
  if (learned.front.final) {
    json["teacher_return"] = learned.front.teacher.mean;
    json["teacher_stderr"] = learned.front.teacher.error;
  }
  if (learned.front.entries.empty()) json["exact"] = false;  // there is nothing yet that could earn
  if (!learned.front.warnings.empty())
    json["warning"] = fmt::format("{}", fmt::join(learned.front.warnings, "; "));
}

std::shared_ptr<const Policy> given_teacher(const TrainConfig& config, const Task& task) {
  if (config.rules.teacher.empty()) return nullptr;
  const PolicySource source(config.rules.teacher);
  if (!task.is_finite()) return source.policy(task);
  PolicyTable table = source.in(task).table;
  for (const ObsId obs : task.model().decision_observations()) {
    if (!table.defined(obs))
      throw Error(config.rules.teacher,
                  fmt::format("{} in {}", table.defect(obs), task.model().observations().describe(obs)),
                  "a teacher needs an action in every observation");
  }
  return std::make_shared<const TabledPolicy>(std::move(table));
}

std::unique_ptr<RuleTrainer> make_rule_trainer(const TrainConfig& config, const Task& task,
                                               std::shared_ptr<const Policy> given, std::size_t jobs) {
  if (task.is_finite() && allowed_actions(task.spec, task.model(), std::nullopt))
    throw Error(task.spec, "offers other actions in some states, and rules choose among all",
                "learn it with " + argument("model", "ndnf-mt"));
  const PlayedTask stage{task.environments, features_for(task), task.discount, lanes_for(task),
                         task.step_limit};
  TeacherSource source;
  if (given) {
    source.given = std::move(given);
  } else {
    source = ppo_teacher(config, task);
  }
  return std::make_unique<RuleTrainer>(stage, config.rules, std::move(source),
                                       static_cast<std::uint64_t>(config.run.seed), jobs_for(task, jobs));
}

LearnedRules learned_rules(const RuleTrainer& trainer, const TrainConfig& config, const Task& task,
                           std::uint64_t steps) {
  LearnedRules learned{trainer.front(), features_for(task), std::nullopt, task.spec,
                       fmt::format("{} steps, seed {}", steps, config.run.seed)};
  if (task.is_finite() && learned.front.final) add_exact_returns(learned.front, learned.features, task);
  // The teacher of a mixed task reads what no other part of ndnf does, so it is not kept as a policy.
  auto network = trainer.teacher_network();
  if (network && !is_mixed(*task.vocabulary)) {
    learned.teacher = Checkpoint{"mlp",
                                 std::move(*network),
                                 task.vocabulary,
                                 task.spec,
                                 config.run.preset,
                                 {Selection::Kind::kArgmax, 0},
                                 "asp",
                                 static_cast<std::uint64_t>(config.run.seed),
                                 trainer.teacher_steps(),
                                 "",
                                 task.fingerprint(),
                                 "kl"};
  }
  return learned;
}

}  // namespace ndnf
