#include "ndnf/training/train_config.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/system/file.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/presets.h"

namespace ndnf {
namespace {

constexpr const char* kPresetKey = "preset";
constexpr const char* kShieldKey = "shield";

ConfigTable<RunOptions> run_config() {
  using O = RunOptions;
  return ConfigTable<O>()
      .text(kPresetKey, &O::preset, "The preset that these settings come from.")
      .text("env", &O::env, "The environment: a name listed by `ndnf envs`, or a model file.")
      .choice("method", &O::method, {"ppo", "q-learning", "sarsa", "distill", "plan", "rules"},
              "How the policy is learned.")
      .integer("seeds", &O::seeds, 1, 1'000'000, "The number of seeds in a study of this preset.")
      .integer("seed", &O::seed, 0, std::numeric_limits<std::int64_t>::max(),
               "The seed of all random numbers of a run.")
      .text(kShieldKey, &O::shield, "Rules that forbid actions (docs/shields.md); empty for none.");
}

ConfigTable<TableActorOptions> table_actor_config() {
  return ConfigTable<TableActorOptions>().choice("model", &TableActorOptions::model, {"q-table"},
                                                 "The actor's model: a table of action values.");
}

ConfigTable<InitOptions> init_config() {
  using O = InitOptions;
  return ConfigTable<O>()
      .text("policy", &O::policy, "A program or network to start from; empty: start from random weights.")
      .text("encoder", &O::encoder, "The run whose encoder computes the program's predicates a_0, a_1, …")
      .texts("lock", &O::lock, "Rules whose weights stay fixed: lines, heads, conj_N, or all.")
      .real("scale", &O::scale, 0.01, 6, "The initial weight of unlocked rules; at 6 they could not learn.")
      .real("least", &O::least, 0, 0.1, "The smallest initial probability of a stochastic program.");
}

ConfigTable<EvalOptions> eval_config() {
  return ConfigTable<EvalOptions>()
      .text("select", &EvalOptions::select,
            "How an action is picked when the policy is used: argmax, sample or epsilon:X.")
      .integer("every", &EvalOptions::every, 0, 1'000'000'000,
               "Iterations between two exact returns in the metrics; 0: never.");
}

ConfigTable<ExtractOptions> extract_config() {
  return ConfigTable<ExtractOptions>()
      .choice("as", &ExtractOptions::as, {"asp", "problog"},
              "The language of the program made from the policy.")
      .choice("threshold", &ExtractOptions::threshold, {"kl", "actions"},
              "How the method `threshold` chooses its threshold for ProbLog: by the smallest change of the "
              "distributions (kl) or of the best actions (actions).");
}

template <class Struct>
TrainSection section(std::string name, std::vector<std::string> methods, ConfigTable<Struct> table,
                     Struct TrainConfig::*member) {
  TrainSection result{std::move(name), std::move(methods), table.fields(), nullptr, nullptr};
  result.set = [table, member](TrainConfig& config, const Where& where, const ConfigAssignment& assignment) {
    table.set(config.*member, where, assignment);
  };
  result.values = [table, member](const TrainConfig& config) { return table.values(config.*member); };
  return result;
}

std::string full_key(const TrainSection& section, const ConfigField& field) {
  return section.name.empty() ? field.key : section.name + "." + field.key;
}

const TrainSection* find_section(std::string_view name, std::string_view method) {
  for (const TrainSection& section : train_sections()) {
    if (section.name == name && section.serves(method)) return &section;
  }
  return nullptr;
}

[[noreturn]] void fail_section(const ConfigSection& given, const std::string& method) {
  std::vector<std::string> names;
  for (const TrainSection& section : train_sections()) {
    if (section.name == given.name)
      throw Error(given.where, fmt::format("[{}] is not used by method = \"{}\"", given.name, method));
    if (!section.name.empty() && section.serves(method)) names.push_back(section.name);
  }
  throw Error(given.where, fmt::format("there is no section [{}]", given.name),
              suggestion(given.name, names));
}

[[noreturn]] void fail_setting(const std::string& key, const std::string& method) {
  std::vector<std::string> known;
  for (const TrainSection& section : train_sections()) {
    for (const ConfigField& field : section.fields) {
      if (full_key(section, field) == key)
        throw Error(argument("set"), fmt::format("{} is not used by method = \"{}\"", key, method));
      if (!section.serves(method)) continue;
      known.push_back(full_key(section, field));
      if (field.key == key)
        throw Error(argument("set"), "there is no setting " + key, "did you mean " + known.back() + "?");
    }
  }
  throw Error(argument("set"), "there is no setting " + key, suggestion(key, known));
}

/// A setting of the command line, split into section, key and value.
struct Setting {
  std::string section;
  ConfigAssignment assignment;

  std::string key() const { return section.empty() ? assignment.key : section + "." + assignment.key; }
};

Setting parse_setting(const std::string& text) {
  ConfigAssignment assignment = parse_assignment(argument("set"), text);
  const std::size_t dot = assignment.key.find('.');
  if (dot == std::string::npos) return {"", std::move(assignment)};
  return {assignment.key.substr(0, dot), {assignment.key.substr(dot + 1), std::move(assignment.value)}};
}

void make_setting(TrainConfig& config, const Setting& setting) {
  const TrainSection* section = find_section(setting.section, config.run.method);
  const auto has_key = [&](const ConfigField& field) { return field.key == setting.assignment.key; };
  if (section == nullptr || std::none_of(section->fields.begin(), section->fields.end(), has_key)) {
    fail_setting(setting.key(), config.run.method);
  }
  section->set(config, argument("set"), setting.assignment);
}

void check(const std::string& where, const TrainConfig& config) {
  if (config.run.env.empty())
    throw Error(where, "names no environment", "it needs a line such as env = \"blackjack\"");
  Selection::parse(where, config.eval.select);
  if (config.run.method == "ppo" || config.run.method == "rules" ||
      (config.run.method == "plan" && config.plan.refine)) {
    const std::int64_t samples = config.ppo.num_envs * config.ppo.num_steps;
    if (config.ppo.total_timesteps < samples) {
      throw Error(
          where,
          fmt::format("ppo.total_timesteps = {} is less than one iteration", config.ppo.total_timesteps),
          fmt::format("num_envs times num_steps is {}", samples));
    }
    if (config.ppo.num_minibatches > samples) {
      throw Error(
          where,
          fmt::format("ppo.num_minibatches = {} is more than there are samples", config.ppo.num_minibatches),
          fmt::format("num_envs times num_steps is {}", samples));
    }
  }
  if (config.init.policy.empty() && !(config.init.lock.empty() && config.init.encoder.empty())) {
    throw Error(where, "init.lock and init.encoder need a program or network to start from",
                "name it with " + argument("init"));
  }
  if (!config.init.policy.empty() && config.ppo.keep_negative) {
    throw Error(where, "rules have positive literals, which ppo.keep_negative would remove",
                "add " + argument("set", "ppo.keep_negative=false"));
  }
  if (!config.init.lock.empty() && (config.harden.gain != 1 || config.harden.sharpen != 1)) {
    throw Error(
        where, "harden.gain and harden.sharpen change all weights, locked ones too",
        fmt::format("add {} {}", argument("set", "harden.gain=1"), argument("set", "harden.sharpen=1")));
  }
  const auto check_order = [&](const char* keys, double from, double to) {
    if (from > to) throw Error(where, fmt::format("{} ends before it begins, at {} and {}", keys, to, from));
  };
  check_order("ppo.ent_from to ppo.ent_to", config.ppo.ent_from, config.ppo.ent_to);
  check_order("harden.gain_from to harden.gain_to", config.harden.gain_from, config.harden.gain_to);
  if (config.run.method == "distill" && config.distill.teacher.empty()) {
    throw Error(where, "names no teacher", "distill.teacher is a preset, a run or a policy file");
  }
  if (config.run.method == "rules" && (config.actor.model != "mlp" || config.critic.model != "mlp")) {
    throw Error(where, "the teacher of a search for rules is an MLP, and so is its critic",
                "actor.model and critic.model are \"mlp\"");
  }
}

}  // namespace

bool TrainSection::serves(std::string_view method) const {
  return methods.empty() || std::find(methods.begin(), methods.end(), method) != methods.end();
}

const std::vector<TrainSection>& train_sections() {
  using C = TrainConfig;
  static const std::vector<TrainSection> all = {
      section("", {}, run_config(), &C::run),
      section("encoder", {"ppo", "distill", "plan"}, encoder_config(), &C::encoder),
      section("actor", {"ppo", "distill", "plan", "rules"}, actor_config(), &C::actor),
      section("actor", {"q-learning", "sarsa"}, table_actor_config(), &C::table_actor),
      section("critic", {"ppo", "plan", "rules"}, critic_config(), &C::critic),
      section("init", {"ppo", "distill", "plan"}, init_config(), &C::init),
      section("ppo", {"ppo", "plan", "rules"}, ppo_config(), &C::ppo),
      section("plan", {"plan"}, plan_config(), &C::plan),
      section("q-learning", {"q-learning", "sarsa"}, q_learning_config(), &C::q_learning),
      section("distill", {"distill"}, distill_config(), &C::distill),
      section("rules", {"rules"}, rules_config(), &C::rules),
      section("losses", {"ppo", "distill", "plan"}, losses_config(), &C::losses),
      section("delta", {"ppo", "distill", "plan"}, delta_config(), &C::delta),
      section("harden", {"ppo", "distill", "plan"}, harden_config(), &C::harden),
      section("finish", {"ppo", "distill"}, finish_config(), &C::finish),
      section("eval", {}, eval_config(), &C::eval),
      section("extract", {}, extract_config(), &C::extract),
  };
  return all;
}

TrainConfig parse_train_config(const std::string& where, std::string_view text,
                               const std::vector<std::string>& settings) {
  TrainConfig config;
  config.run.preset = where;
  std::vector<Setting> made;
  for (const std::string& setting : settings) made.push_back(parse_setting(setting));

  // The method comes first: it determines which sections exist.
  const std::vector<ConfigSection> sections = parse_toml(where, text);
  for (const ConfigSection::Entry& entry : sections[0].entries)
    train_sections()[0].set(config, entry.where, entry.assignment);
  for (const Setting& setting : made) {
    if (setting.section.empty()) make_setting(config, setting);
  }
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const TrainSection* section = find_section(sections[i].name, config.run.method);
    if (section == nullptr) fail_section(sections[i], config.run.method);
    for (const ConfigSection::Entry& entry : sections[i].entries)
      section->set(config, entry.where, entry.assignment);
  }
  for (const Setting& setting : made) {
    if (!setting.section.empty()) make_setting(config, setting);
  }
  // Weights represent rules exactly only at delta = 1.
  if (!config.init.policy.empty()) config.delta.initial = 1;
  check(where, config);
  return config;
}

TrainConfig load_train_config(const Input& source, const std::vector<std::string>& settings) {
  if (!source.is_file() || source.name.ends_with(".toml"))
    return parse_train_config(source.name, source.read(), settings);
  try {
    const Preset& preset = find_preset(source.name);
    return parse_train_config(preset.name, preset.text, settings);
  } catch (const Error&) {
    require_kind(source.name, {FileKind::kPreset}, "a preset, by its name or as a .toml file,");
    throw;
  }
}

std::string to_toml(const TrainConfig& config) {
  std::string text = fmt::format("# Every setting of this run. Written by {}.\n", to_text(build_info()));
  for (const TrainSection& section : train_sections()) {
    if (!section.serves(config.run.method)) continue;
    text += section.name.empty() ? "\n" : fmt::format("\n[{}]\n", section.name);
    const std::vector<ConfigValue> values = section.values(config);
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += fmt::format("{} = {}\n", section.fields[i].key, to_text(values[i]));
    }
  }
  return text;
}

std::optional<std::string> first_difference(const TrainConfig& there, const TrainConfig& here) {
  for (const TrainSection& section : train_sections()) {
    if (!section.serves(here.run.method)) continue;
    const std::vector<ConfigValue> before = section.values(there);
    const std::vector<ConfigValue> now = section.values(here);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (before[i] == now[i] || section.fields[i].key == kPresetKey) continue;
      if (section.fields[i].key == kShieldKey) return "the shield is different there";
      return fmt::format("{} is {} there, not {}", full_key(section, section.fields[i]), to_text(before[i]),
                         to_text(now[i]));
    }
  }
  return std::nullopt;
}

std::string explained(std::string_view toml, std::string_view method) {
  std::string result;
  const TrainSection* section = find_section("", method);
  while (!toml.empty()) {
    const std::string_view line = toml.substr(0, toml.find('\n'));
    toml.remove_prefix(std::min(toml.size(), line.size() + 1));
    if (line.starts_with('[')) section = find_section(line.substr(1, line.find(']') - 1), method);
    const std::string_view key = line.substr(0, line.find_first_of(" ="));
    for (const ConfigField& field : section->fields) {
      if (field.key == key) result += fmt::format("# {}\n", field.sentence);
    }
    result += fmt::format("{}\n", line);
  }
  return result;
}

}  // namespace ndnf
