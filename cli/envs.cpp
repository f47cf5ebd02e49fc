#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/optimum_text.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "ndnf/base/error.h"
#include "ndnf/base/text_table.h"
#include "ndnf/env/model_file.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/describe_environment.h"

namespace ndnf::cli {
namespace {

struct EnvsOptions {
  std::optional<std::string> name;
  std::string model_file;
  CLI::Option* dump = nullptr;
  EnvironmentFiles files;
  std::optional<double> discount;
};

std::string limit_text(std::optional<std::size_t> limit) {
  return limit ? fmt::format("{}", *limit) : "none";
}

std::string count_text(std::optional<std::size_t> count) { return count ? fmt::to_string(*count) : "-"; }

std::string list_text(const std::vector<EnvironmentLine>& lines) {
  TextTable table({"environment", "states", "observations", "atoms", "actions", "step limit", "what it is"},
                  {1, 2, 3, 4, 5});
  for (const EnvironmentLine& line : lines) {
    table.add({line.name, count_text(line.states), count_text(line.observations), fmt::to_string(line.atoms),
               fmt::to_string(line.actions), limit_text(line.step_limit), line.summary});
  }
  return table.to_text(screen_width());
}

/// All names; if there are many, the first two and the last.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMany = 6;
  if (names.size() <= kMany) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {}, … {}", names[0], names[1], names.back());
}

void add_atoms(TextTable& table, const std::vector<AtomGroup>& groups) {
  constexpr std::size_t kMany = 64;
  std::string heading = "atoms";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups.size() > kMany && g == kMany / 2) {  // the first and the last few
      table.add({"", fmt::format("… {} more groups", groups.size() - kMany)});
      g = groups.size() - kMany / 2;
    }
    const AtomGroup& group = groups[g];
    table.add({heading, group.one_hot ? fmt::format("one of {}: {}", group.atoms.size(), some_of(group.atoms))
                                      : group.atoms[0]});
    heading.clear();
  }
}

std::string optimum_text(const ModelDescription& description) {
  const Evaluation& optimum = description.optimum;
  const std::string length = std::isinf(optimum.length) ? "unbounded" : fmt::format("{:.7g}", optimum.length);
  std::string text = fmt::format("return {:.7g}, length {}, terminated {:.3f} %", optimum.mean_return, length,
                                 100 * optimum.terminated);
  for (std::size_t t = 0; t < description.tags.size(); ++t) {
    text += fmt::format(", {} {:.3f} %", description.tags[t], 100 * optimum.tag_rates[t]);
  }
  return text + fmt::format(" ({})", proof_text(*description.best));
}

std::string parameters_text(const std::vector<ConfigField>& parameters) {
  if (parameters.empty()) return "";
  TextTable table({"parameter", "default", "allowed", "meaning"});
  for (const ConfigField& field : parameters) {
    table.add({field.key, to_text(field.fallback, true), field.allowed(), field.sentence});
  }
  return "\n" + table.to_text(screen_width());
}

void add_quantities(TextTable& table, const std::vector<Quantity>& quantities) {
  std::string heading = "quantities";
  for (const Quantity& quantity : quantities) {
    const std::string unit = quantity.unit.empty() ? "" : " " + quantity.unit;
    const bool bounded = std::isfinite(quantity.low) && std::isfinite(quantity.high);
    const auto end = [&](std::int32_t place) { return place * quantity.grid->quantum + 0.0; };  // not -0
    const std::string steps =
        quantity.grid ? fmt::format("; rules see steps of {:g}{} from {:g} to {:g}", quantity.grid->quantum,
                                    unit, end(quantity.grid->lowest), end(quantity.grid->highest))
                      : "";
    table.add({heading, (bounded ? fmt::format("{}: {:.4g} to {:.4g}{}", quantity.name, quantity.low + 0.0,
                                               quantity.high, unit)
                                 : fmt::format("{}{}", quantity.name, unit.empty() ? "" : "," + unit)) +
                            steps});
    heading.clear();
  }
}

void add_model(TextTable& table, const ModelDescription& model, const std::string& no_optimum) {
  std::vector<std::string> labels;
  for (const auto& [label, count] : model.labels) labels.push_back(fmt::format("{} ({})", label, count));
  if (!labels.empty()) table.add({"labels", fmt::format("{}", fmt::join(labels, ", "))});
  table.add({"optimum", model.best ? optimum_text(model) : no_optimum});
}

std::string description_text(const EnvironmentDescription& description) {
  const auto& model = description.model;
  TextTable table({"states", model ? fmt::format("{} ({} reachable)", model->states, model->reachable_states)
                                   : "not enumerated: returns are sampled"});
  if (model) {
    table.add({"observations",
               fmt::format("{} ({} reachable)", model->observations, model->reachable_observations)});
  }
  add_atoms(table, description.atoms);
  add_quantities(table, description.quantities);
  table.add({"actions", fmt::format("{}", fmt::join(description.actions, ", "))});
  table.add({"step limit", limit_text(description.step_limit)});
  if (description.discount < 1) table.add({"discount", fmt::format("{}", description.discount)});
  if (model) add_model(table, *model, description.no_optimum);
  const std::string heading =
      description.summary.empty() ? description.spec : description.spec + ": " + description.summary;
  return fmt::format("{}\n{}{}{}", fitted(heading), table.to_text(screen_width()),
                     parameters_text(description.parameters),
                     model ? fmt::format("\nstate {}\n{}", model->drawn_state, model->drawing) : "");
}

std::string exported_text(const ExportedEnvironment& exported) {
  return fmt::format("{}: wrote {}\n", exported.spec, fmt::join(exported.files, ", "));
}

Reply describe_or_export(const EnvsOptions& options) {
  const bool exports = options.dump->count() > 0 || options.files.picture;
  if (!options.name) {
    if (exports || options.files.drawn) throw Error("", "NAME is required with --dump, --svg and --state");
    return reply(list_environments(), list_text);
  }
  const Task environment = with_discount(open_task(*options.name), options.discount);
  if (!exports) return reply(describe(environment, options.files.drawn), description_text);
  EnvironmentFiles files = options.files;
  if (!options.model_file.empty()) files.model = options.model_file;
  ExportedEnvironment exported = export_environment(environment, files);
  const bool to_output = options.dump->count() > 0 && !files.model;
  if (!to_output) return reply(std::move(exported), exported_text);
  const auto text = std::make_shared<const std::string>(to_model_file(environment));
  return {[text] { return nlohmann::ordered_json::parse(*text); }, [text] { return *text; }, ""};
}

Action prepare_envs(CLI::App& app) {
  const auto options = std::make_shared<EnvsOptions>();
  app.add_option("NAME", options->name, "an environment, with settings after a colon, or a model .json")
      ->type_name(kEnvironment);
  options->dump =
      app.add_option(
             "--dump", options->model_file,
             "write the model to a file: .drn for model checkers, otherwise JSON (default: standard output)")
          ->expected(0, 1)
          ->type_name(kFile);
  app.add_option("--svg", options->files.picture, "write a picture of a state")
      ->type_name(kFile)
      ->check([](const std::string& file) { return file.empty() ? "needs the name of a file" : ""; });
  add_integer(
      app, "--state", 0, UINT32_MAX,
      [options](std::uint64_t n) { options->files.drawn = static_cast<StateId>(n); },
      "the state to draw (default: the first start state)");
  add_discount(app, options->discount);
  return [options] { return describe_or_export(*options); };
}

}  // namespace

Command envs_command() {
  return {"envs",
          "Lists the environments, or describes one: atoms, actions, sizes, exact optimum, a drawing.",
          {"ndnf envs", "ndnf envs long-corridor-5:wall,length=9,goal=8", "ndnf envs blackjack --json",
           "ndnf envs taxi --state 14 --svg taxi.svg", "ndnf envs small-corridor --dump mine.json",
           "ndnf envs taxi --dump taxi.drn"},
          prepare_envs};
}

}  // namespace ndnf::cli
