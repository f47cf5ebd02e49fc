#include "ndnf/training/recipe.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/config.h"
#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/rules/dense_view.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/presets.h"
#include "ndnf/training/time_budget.h"
#include "ndnf/training/train_config.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultSteps = 10'000'000;
constexpr std::uint64_t kForeignSteps = 5'000'000;  ///< Of rules in environments of Python, which are slow.
constexpr std::uint64_t kPpoSteps = 1'597'440;
constexpr std::uint64_t kPpoIteration = 8 * 512;  // num_envs × num_steps
constexpr std::uint64_t kThresholdSteps = 401'408;

/// PPO in large batches with whole returns, an entropy bonus that ends, and averaged weights.
constexpr std::string_view kPpo = R"(
[critic]
hidden = [64]
activation = "tanh"
bias = true
init = "unit-rows"

[ppo]
total_timesteps = {}
learning_rate = 1e-2
num_envs = 8
num_steps = 512
gamma = {}
gae_lambda = 1.0
num_minibatches = 16
update_epochs = 4
clip_coef = 0.3
ent_coef = 0.1
ent_from = 0.2
ent_to = 0.4
vf_coef = 1.0
max_grad_norm = 0.5
average_last = 0.15
reward_scale = {}
)";

/// The teacher of a search for rules: PPO with scaled observations and rewards, one setting for all tasks.
constexpr std::string_view kRulesTeacher = R"(
[actor]
model = "mlp"
hidden = [64, 64]
init = "orthogonal"

[critic]
hidden = [64, 64]
init = "orthogonal"

[ppo]
total_timesteps = 300000
learning_rate = 3e-4
num_envs = 16
num_steps = 256
gamma = 0.999
gae_lambda = 0.98
num_minibatches = 32
update_epochs = 6
clip_coef = 0.2
clip_vloss = false
ent_coef = 0.01
vf_coef = 0.5
max_grad_norm = 0.5
bootstrap_truncated = true
scale_inputs = true
scale_rewards = true
)";

/// A neural DNF-MT whose atoms are learned thresholds, one setting for all tasks. Its atoms and conjunctions
/// harden between 30 and 70 % of the training and are signs from 75 % on, so that the disjunctive layer
/// learns for the network as it will be used.
constexpr std::string_view kThresholds = R"(
[encoder]
model = "thresholds"
thresholds = 4
linear = 4

[actor]
model = "ndnf-mt"
conjunctions = 16
init = "sparse"
init_std_disjunctions = 0.1

[delta]
initial = 1.0

[harden]
gain = 20.0
gain_from = 0.3
gain_to = 0.7
freeze = 0.75
atoms = 20.0
literals = 0.05

[losses]
literal_lambda = 0.01
)";

/// How it learns by itself.
constexpr std::string_view kThresholdsPpo = R"(
[critic]
hidden = [64, 64]
init = "orthogonal"

[ppo]
total_timesteps = {}
learning_rate_actor = 3e-3
learning_rate_critic = 1e-3
num_envs = 16
num_steps = 256
gamma = 0.999
gae_lambda = 0.98
num_minibatches = 16
update_epochs = 6
clip_coef = 0.2
clip_vloss = false
ent_coef = 0.01
ent_from = 0.0
ent_to = 0.8
vf_coef = 0.5
max_grad_norm = 0.5
bootstrap_truncated = true
average_last = 0.1
scale_inputs = true
scale_until = 0.2
scale_rewards = true
)";

/// The student of a teacher, if it is to have rules.
const std::string kImitatingRules = R"(
[actor]
model = "ndnf-mt"
conjunctions = 64
init = "negative"
init_std = 0.3
init_std_disjunctions = 0.1

[delta]
initial = 1.0

[harden]
gain = 20.0
gain_from = 0.3
gain_to = 0.7
freeze = 0.75
)";

/// "1 step", "3 steps".
std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What rewards are multiplied by, so that the settings below suit them: 1 unless they are very large or
/// small.
double reward_scale(const Task& task) {
  constexpr double kSmall = 0.01;
  constexpr double kLarge = 1000;
  constexpr double kGood = 10;
  if (!task.is_finite()) return 1;
  const FiniteModel& model = task.model();
  double largest = 0;
  for (StateId s = 0; s < model.state_count(); ++s) {
    for (ActionId a = 0; a < model.action_count(); ++a) {
      for (const Outcome& outcome : model.outcomes(s, a))
        largest = std::max(largest, std::abs(outcome.reward));
    }
  }
  const bool usual = largest == 0 || (largest >= kSmall && largest <= kLarge);
  return usual ? 1 : kGood / largest;
}

std::string ppo(std::uint64_t steps, const Task& task) {
  return fmt::format(fmt::runtime(kPpo), steps, to_text(ConfigValue(task.discount)),
                     to_text(ConfigValue(reward_scale(task))));
}

std::string head(const std::string& task, const std::string& method) {
  return fmt::format("env = {}\nmethod = \"{}\"\n", to_text(ConfigValue(task)), method);
}

std::string actor(const std::string& model) {
  return fmt::format(
      "\n[actor]\nmodel = \"{}\"\n{}", model,
      model == "mlp" ? "hidden = [64, 64]\n" : "conjunctions = 32\ninit = \"normal\"\ninit_std = 0.1\n");
}

/// How many of all steps PPO gets after a plan: up to half of them, in whole iterations.
std::uint64_t ppo_share(std::uint64_t all) {
  const std::uint64_t most = std::max(kPpoSteps, all / 8);
  return std::min(most, all / 2) / kPpoIteration * kPpoIteration;
}

/// Whether two reachable decision states look the same.
bool hides_states(const FiniteModel& model) {
  std::vector<bool> shown(model.observations().size(), false);
  for (const StateId s : reachable(model).states) {
    if (model.is_end(s)) continue;
    if (shown[model.observation(s)]) return true;
    shown[model.observation(s)] = true;
  }
  return false;
}

/// The settings of `auto`.
class AutoRecipe {
 public:
  AutoRecipe(const RecipeRequest& request, const Task& task, Recipe& recipe)
      : request_(request), task_(task), recipe_(recipe) {}

  std::string toml() {
    if (request_.model == "rules") return rules();
    if (is_mixed(*task_.vocabulary) && has_grids()) return mixed();
    if (is_mixed(*task_.vocabulary)) say("ignores its numbers, which have no grid");
    if (!request_.teacher.empty()) return imitation();
    if (request_.model == "q-table") return q_table();
    if (request_.model == "mlp") return network("mlp");
    if (task_.vocabulary->atom_count() == 0) {
      if (has_numbers()) return thresholds();
      say("it observes numbers that rules cannot be about: an MLP by PPO");
      return network("mlp");
    }
    if (!task_.is_finite()) {
      say("its states cannot be enumerated: a neural DNF-MT by PPO");
      return network("ndnf-mt");
    }
    return plan();
  }

 private:
  void say(const std::string& sentence) { recipe_.choices.push_back(sentence); }

  /// Whether all that it observes are numbers, some of which rules can be about.
  bool has_numbers() const { return task_.vocabulary->atom_count() == 0 && has_grids(); }

  bool has_grids() const {
    const auto& quantities = task_.vocabulary->quantities();
    return std::any_of(quantities.begin(), quantities.end(),
                       [](const Quantity& quantity) { return quantity.grid.has_value(); });
  }

  /// Networks read either atoms or numbers.
  std::string mixed() {
    if (request_.model != RecipeRequest().model)
      throw Error(argument("model"),
                  fmt::format("{} reads atoms or numbers, and the task observes both", request_.model),
                  "use rules");
    say("observes atoms and numbers, which only rules are about together");
    return rules();
  }

  std::string thresholds() {
    const std::uint64_t steps = request_.steps.value_or(kThresholdSteps);
    say("observes numbers: learns a neural DNF-MT with threshold atoms by PPO; the model rules "
        "searches for a shorter program");
    return head(request_.task, "ppo") + std::string(kThresholds) +
           fmt::format(fmt::runtime(kThresholdsPpo), std::max(steps, kPpoIteration)) +
           "\n[eval]\nselect = \"argmax\"\n\n[extract]\nas = \"asp\"\n";
  }

  std::string plan() {
    const FiniteModel& model = task_.model();
    const bool hidden = hides_states(model);
    const std::string limit =
        model.endless() ? "no step limit" : "at most " + counted(model.horizon(), "step") + " an episode";
    say(fmt::format("{}, {}, {}", counted(model.decision_observations().size(), "observation"),
                    counted(model.action_count(), "action"), limit));
    say("learns what actions do from episodes, explores by optimism, and plans in what it has learned; the "
        "plan "
        "becomes a neural DNF-MT");
    if (hidden)
      say("several states look the same: unless the plan is optimal, PPO goes on from it, and the better of "
          "the two is kept");
    const std::uint64_t all = request_.steps.value_or(kDefaultSteps + (hidden ? kPpoSteps : 0));
    const std::uint64_t refining = hidden ? ppo_share(all) : 0;
    return head(request_.task, "plan") + actor("ndnf-mt") +
           fmt::format("\n[plan]\ntotal_timesteps = {}\ndiscount = {}\nrefine = {}\n", all - refining,
                       model.discount(), refining > 0) +
           (refining > 0 ? ppo(refining, task_) + "\n[delta]\ninitial = 1.0\n" : "") +
           "\n[eval]\nselect = \"argmax\"\n\n[extract]\nas = \"asp\"\n";
  }

  /// Delta 1 and negative conjunctive weights from the start, and conjunctions that harden: as for
  /// best/taxi-distill-ndnf-mt.
  std::string imitation() {
    const bool numbers = request_.model != "mlp" && has_numbers();
    const bool rules = request_.model != "mlp" && (numbers || task_.vocabulary->atom_count() > 0);
    if (request_.model == "q-table")
      throw Error(argument("model"), "a table does not imitate a teacher", "use ndnf-mt or mlp");
    if (request_.steps) throw Error(argument("steps"), "imitation takes none", "set distill.epochs");
    say(fmt::format("imitates {}: {} by distillation", request_.teacher,
                    rules ? "a neural DNF-MT" : "an MLP"));
    say(task_.is_finite()
            ? "learns from all reachable observations"
            : "its states cannot be enumerated: learns from observations that the teacher meets");
    const std::string student = numbers ? std::string(kThresholds) : rules ? kImitatingRules : actor("mlp");
    const std::string use = numbers ? "argmax" : "sample";
    return head(request_.task, "distill") + student +
           fmt::format("\n[distill]\nteacher = {}\nbatch_size = 400\nepochs = {}\nlearning_rate = {}\n",
                       to_text(ConfigValue(request_.teacher)), task_.is_finite() ? 3000 : 300,
                       numbers ? "3e-3" : (rules ? "1e-2" : "1e-3")) +
           fmt::format("\n[eval]\nselect = \"{}\"\n\n[extract]\nas = \"{}\"\n", use,
                       numbers ? "asp" : "problog");
  }

  std::string network(const std::string& model) {
    const std::uint64_t steps = request_.steps.value_or(kPpoSteps);
    return head(request_.task, "ppo") + actor(model) + ppo(std::max(steps, kPpoIteration), task_) +
           "\n[eval]\nselect = \"sample\"\n\n[extract]\nas = \"problog\"\n";
  }

  std::string rules() {
    const std::uint64_t steps =
        request_.steps.value_or(is_brought_task(request_.task) ? kForeignSteps : kDefaultSteps);
    say("rules: imitates a teacher, searches on the return, and keeps the best program of each size");
    return head(request_.task, "rules") + std::string(kRulesTeacher) +
           fmt::format("\n[rules]\ntotal_timesteps = {}\nteacher = {}\n", steps,
                       to_text(ConfigValue(request_.teacher))) +
           "\n[eval]\nselect = \"argmax\"\n\n[extract]\nas = \"asp\"\n";
  }

  std::string q_table() {
    if (!task_.is_finite())
      throw Error(request_.task, "a table needs a task that can be enumerated", "use mlp");
    const std::uint64_t steps = request_.steps.value_or(kDefaultSteps);
    say(fmt::format("Q-learning for {} steps", steps));
    return head(request_.task, "q-learning") + "\n[actor]\nmodel = \"q-table\"\n" +
           fmt::format("\n[q-learning]\nepisodes = {}\ntotal_timesteps = {}\ngamma = {}\nalpha = 0.1\n",
                       steps, steps, task_.discount) +
           fmt::format("epsilon_decay = {}\n", std::max<std::uint64_t>(1, steps / 8)) +
           "\n[eval]\nselect = \"argmax\"\n\n[extract]\nas = \"asp\"\n";
  }

  const RecipeRequest& request_;
  const Task& task_;
  Recipe& recipe_;
};

/// taxi:factored becomes taxi-factored, tasks/lake.json lake.
std::string folder_of_task(const std::string& task) {
  std::string name = task;
  const std::size_t file = std::min(name.find(".json"), name.find(".drn"));
  if (file != name.npos) name = fs::path(name.substr(0, file)).filename().string() + name.substr(file);
  std::string folder;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (plain || (!folder.empty() && folder.back() != '-')) folder += plain ? c : '-';
  }
  for (const std::string_view extension : {"-json", "-drn"}) {
    const std::size_t at = folder.find(extension);
    if (at != folder.npos && at > 0) folder.erase(at, extension.size());
  }
  while (folder.ends_with('-')) folder.pop_back();
  return folder.empty() ? "task" : folder;
}

constexpr const char* kSteps = "total_timesteps";

/// The section of the settings with the steps of a method; null if it is not limited by steps.
const TrainSection* section_with_steps(std::string_view method) {
  const std::string_view name = method == "sarsa" ? "q-learning" : method;
  if (name != "ppo" && name != "plan" && name != "rules" && name != "q-learning") return nullptr;
  const auto& all = train_sections();
  return &*std::find_if(all.begin(), all.end(), [&](const TrainSection& one) { return one.name == name; });
}

/// The setting that limits the steps of a recipe.
std::string steps_setting(const Input& recipe, std::uint64_t steps) {
  const std::string method = load_train_config(recipe).run.method;
  if (const TrainSection* section = section_with_steps(method))
    return fmt::format("{}.{}={}", section->name, kSteps, steps);
  throw Error(argument("steps"), fmt::format("the recipe {} learns by {}", recipe.name, method),
              "set its own limit with " + argument("set"));
}

}  // namespace

bool is_task(std::string_view word) {
  if (word.ends_with(".json") || is_drn_spec(word) || is_brought_task(word)) return true;
  const std::string_view name = word.substr(0, word.find(':'));
  const auto& kinds = task_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const TaskKind& kind) { return kind.name == name; });
}

std::string meant_task(std::string_view word) {
  if (word.find('/') != std::string_view::npos || word.ends_with(".toml")) return "";
  std::vector<std::string> names;
  for (const TaskKind& kind : task_kinds()) names.push_back(kind.name);
  const std::size_t tasks = names.size();
  for (const Preset& preset : presets()) names.push_back(preset.name.substr(preset.name.rfind('/') + 1));
  const std::string near = nearest(word.substr(0, word.find(':')), names);
  const auto end_of_tasks = names.begin() + static_cast<std::ptrdiff_t>(tasks);
  return std::find(names.begin(), end_of_tasks, near) == end_of_tasks ? "" : near;
}

namespace {

Recipe recipe_in(const RecipeRequest& request, const Task& task) {
  Recipe recipe;
  recipe.folder = folder_of_task(request.task);
  if (request.recipe == "auto") {
    const std::string text = AutoRecipe(request, task, recipe).toml();
    recipe.source = Input("auto", text);
    return recipe;
  }
  recipe.source = Input(request.recipe);
  recipe.settings.push_back("env=" + to_text(ConfigValue(request.task)));
  if (!request.teacher.empty())
    recipe.settings.push_back("distill.teacher=" + to_text(ConfigValue(request.teacher)));
  if (request.steps) recipe.settings.push_back(steps_setting(recipe.source, *request.steps));
  return recipe;
}

/// How many steps a run was told to take; nothing for methods that are limited otherwise.
std::optional<std::uint64_t> steps_of_run(const Input& config) {
  const TrainConfig settings = load_train_config(config);
  const TrainSection* section = section_with_steps(settings.run.method);
  if (section == nullptr) return std::nullopt;
  const auto& fields = section->fields;
  const auto field =
      std::find_if(fields.begin(), fields.end(), [](const ConfigField& one) { return one.key == kSteps; });
  const auto place = static_cast<std::size_t>(field - fields.begin());
  const auto steps = std::get<std::int64_t>(section->values(settings).at(place));
  return steps > 0 ? std::optional(static_cast<std::uint64_t>(steps)) : std::nullopt;
}

/// The folder of the first run: the others were told the same.
std::string first_run(const TrainRequest& request, const std::string& folder) {
  const std::string out = request.out.value_or("runs/" + folder);
  return request.folder_per_seed ? fmt::format("{}/seed-{}", out, request.seeds.front()) : out;
}

}  // namespace

void limit_time(RecipeRequest& recipe, double seconds, const TrainRequest& request) {
  if (!(seconds > 0)) throw Error(argument("time"), fmt::format("{} is not a number of seconds", seconds));
  if (recipe.steps) throw Error(argument("time"), "excludes " + argument("steps"), "give one of them");
  if (request.resume) {
    const auto config = std::filesystem::path(first_run(request, recipe_for(recipe).folder)) / "config.toml";
    if (std::filesystem::exists(config)) recipe.steps = steps_of_run(Input(config.string()));
    if (recipe.steps) return;
  }
  const std::size_t seeds =
      std::max<std::size_t>(1, request.seeds.size());  // in turn, if they are more than jobs
  recipe.seconds = seconds / static_cast<double>((seeds + request.jobs - 1) / request.jobs);
}

Recipe recipe_for(const RecipeRequest& request) {
  static const std::vector<std::string> kModels = {"ndnf-mt", "mlp", "q-table", "rules"};
  if (std::find(kModels.begin(), kModels.end(), request.model) == kModels.end())
    throw Error(argument("model"), request.model + " is not a model", suggestion(request.model, kModels));
  if (request.seconds && !request.teacher.empty() && request.model != "rules")
    throw Error(argument("time"), "imitation is limited by its epochs", "set distill.epochs");
  const Task task = with_discount(open_task(request.task), request.discount);
  Recipe recipe = recipe_in(request, task);
  if (!request.seconds) return recipe;
  if (request.recipe != "auto") steps_setting(recipe.source, 1);  // says if it cannot be limited
  RecipeRequest limited = request;
  limited.steps = steps_within(*request.seconds, recipe.source, recipe.settings, task);
  if (!limited.steps) return recipe;
  recipe = recipe_in(limited, task);
  recipe.steps = limited.steps;
  recipe.choices.push_back(
      fmt::format("{} steps fit into the time, about; the same number repeats this run", *limited.steps));
  return recipe;
}

}  // namespace ndnf
