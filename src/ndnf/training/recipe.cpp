#include "ndnf/training/recipe.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/config.h"
#include "ndnf/base/error.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train_config.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultSteps = 10'000'000;
constexpr std::uint64_t kPpoSteps = 1'597'440;

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
gamma = 1.0
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
)";

std::string ppo(std::uint64_t steps) { return fmt::format(fmt::runtime(kPpo), steps); }

std::string head(const std::string& task, const std::string& method) {
  return fmt::format("env = {}\nmethod = \"{}\"\n", to_text(ConfigValue(task)), method);
}

std::string actor(const std::string& model) {
  return fmt::format(
      "\n[actor]\nmodel = \"{}\"\n{}", model,
      model == "mlp" ? "hidden = [64, 64]\n" : "conjunctions = 32\ninit = \"normal\"\ninit_std = 0.1\n");
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
    if (request_.model == "q-table") return q_table();
    if (request_.model == "mlp") return network("mlp");
    if (task_.vocabulary->atom_count() == 0) {
      say("it observes numbers, over which rules are not learned yet: an MLP by PPO");
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

  std::string plan() {
    const FiniteModel& model = task_.model();
    const bool hidden = hides_states(model);
    const std::string limit =
        model.endless() ? "no step limit" : fmt::format("at most {} steps an episode", model.horizon());
    say(fmt::format("{} observations, {} actions, {}", model.decision_observations().size(),
                    model.action_count(), limit));
    say("learns what actions do from episodes, explores by optimism, and plans in what it has learned; the "
        "plan "
        "becomes a neural DNF-MT");
    if (hidden)
      say("several states look the same: unless the plan is optimal, PPO goes on from it, and the better of "
          "the two is kept");
    const std::uint64_t steps = request_.steps.value_or(kDefaultSteps);
    return head(request_.task, "plan") + actor("ndnf-mt") +
           fmt::format("\n[plan]\ntotal_timesteps = {}\ndiscount = {}\nrefine = {}\n", steps,
                       model.discount(), hidden) +
           (hidden ? ppo(kPpoSteps) + "\n[delta]\ninitial = 1.0\n" : "") +
           "\n[eval]\nselect = \"argmax\"\n\n[extract]\nas = \"asp\"\n";
  }

  std::string network(const std::string& model) {
    const std::uint64_t steps = request_.steps.value_or(kPpoSteps);
    return head(request_.task, "ppo") + actor(model) + ppo(std::max<std::uint64_t>(steps, 4096)) +
           "\n[eval]\nselect = \"sample\"\n\n[extract]\nas = \"problog\"\n";
  }

  std::string q_table() {
    if (!task_.is_finite())
      throw Error(request_.task, "a table needs a task that can be enumerated", "use mlp");
    const std::size_t horizon = std::min<std::size_t>(task_.model().horizon(), 1000);
    const std::uint64_t steps = request_.steps.value_or(kDefaultSteps);
    const std::uint64_t episodes = std::max<std::uint64_t>(1000, steps / std::max<std::size_t>(1, horizon));
    say(fmt::format("Q-learning for {} episodes", episodes));
    return head(request_.task, "q-learning") + "\n[actor]\nmodel = \"q-table\"\n" +
           fmt::format("\n[q-learning]\nepisodes = {}\ngamma = 1.0\nalpha = 0.1\nepsilon_decay = {}\n",
                       episodes, std::max<std::uint64_t>(1, steps / 8)) +
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

/// The setting that limits the steps of a recipe.
std::string steps_setting(const Input& recipe, std::uint64_t steps) {
  const std::string method = load_train_config(recipe).run.method;
  if (method == "ppo" || method == "plan") return fmt::format("{}.total_timesteps={}", method, steps);
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

Recipe recipe_for(const RecipeRequest& request) {
  Recipe recipe;
  recipe.folder = folder_of_task(request.task);
  const Task task = open_task(request.task);
  if (request.recipe == "auto") {
    const std::string text = AutoRecipe(request, task, recipe).toml();
    recipe.source = Input("auto", text);
    return recipe;
  }
  recipe.source = Input(request.recipe);
  recipe.settings.push_back("env=" + to_text(ConfigValue(request.task)));
  if (request.steps) recipe.settings.push_back(steps_setting(recipe.source, *request.steps));
  return recipe;
}

}  // namespace ndnf
