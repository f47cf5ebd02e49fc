#include "ndnf/pipeline/edit_program.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/boxes/solve_limit.h"
#include "ndnf/compile/override_rule.h"
#include "ndnf/env/task.h"
#include "ndnf/extract/predicate_definitions.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/nodes/subject.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using Sources = std::vector<const PolicySource*>;

std::string negation(Syntax syntax) { return syntax == Syntax::kAsp ? "not " : "\\+ "; }

std::string to_text(const std::vector<BodyLiteral>& body, Syntax syntax) {
  std::vector<std::string> words;
  for (const BodyLiteral& literal : body)
    words.push_back((literal.positive ? "" : negation(syntax)) + literal.atom);
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The new rule, parsed as a separate program.
Program parse_edit(const EditRequest& request) {
  const std::string text = fmt::format("{} :- {}.", action_atom(request.action), request.when);
  Program program = parse_program(argument("when"), text, Syntax::kAsp);
  if (program.statements.size() == 1) return program;
  throw Error(argument("when"), fmt::format("{} is more than one condition", request.when),
              "separate literals by commas");
}

/// The reachable observations in which the new rule applies.
std::vector<ObsId> applies(const Program& edit, const Task& task, const std::vector<ObsId>& reachable) {
  const ObservationTable& table = task.model().observations();
  const PolicyTable rows = tabulate(BoundProgram(edit, table.shared_vocabulary()), table);
  std::vector<ObsId> found;
  std::copy_if(reachable.begin(), reachable.end(), std::back_inserter(found),
               [&](ObsId obs) { return rows.defined(obs); });
  if (found.empty()) throw Error(argument("when"), fmt::format("never holds in {}", task.spec));
  return found;
}

/// The condition as a conjunction of the encoder's predicates that holds in `where` and nowhere else in
/// `scope`, if there is one. There is none if an observation in `where` and one outside show the same
/// predicate values.
std::optional<std::vector<BodyLiteral>> in_predicates(const std::vector<ObsId>& where,
                                                      const std::vector<ObsId>& scope,
                                                      const ActorView& view) {
  const Scope rows(view.table, seen(view, scope));
  PositionSet wanted(rows.size());
  PositionSet others(rows.size());
  for (const ObsId obs : scope) {
    const auto all = rows.observations();
    const auto position = std::lower_bound(all.begin(), all.end(), view.seen_as[obs]) - all.begin();
    PositionSet& side = std::binary_search(where.begin(), where.end(), obs) ? wanted : others;
    side.insert(static_cast<std::size_t>(position));
  }
  if (wanted.empty() || wanted.intersects(others)) return std::nullopt;
  const auto literals = conjunction_for(wanted, rows);
  if (!literals || literals->empty()) return std::nullopt;
  std::vector<BodyLiteral> body;
  for (const AtomLiteral& literal : *literals)
    body.push_back({rows.vocabulary().atom_name(literal.atom), literal.positive});
  return body;
}

/// Whether the program decides by the encoder's predicates alone. Rules that define them are ignored.
bool decides_by_predicates(const PolicySource& source, const Task& task, const ActorView& invented) {
  const ObservationTable& table = task.model().observations();
  const Program program = over_view(invented, table, source.program(task, table.vocabulary()));
  return std::none_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr &&
           std::any_of(rule->body.begin(), rule->body.end(), [&](const BodyLiteral& literal) {
             return table.vocabulary().find_atom(literal.atom).has_value();
           });
  });
}

/// The observations that a program over this view visits.
std::vector<ObsId> visited_by(const PolicySource& source, const Task& task, const ActorView& view) {
  const Program program =
      over_view(view, task.model().observations(), source.program(task, view.table->vocabulary()));
  const PolicyTable policy = tabulate(BoundProgram(program, view.table->shared_vocabulary()), *view.table);
  return visited(task.model(), on_environment(view, policy)).observations;
}

/// A condition as it is written into the program: over the environment's atoms, or over predicates.
struct Condition {
  std::vector<BodyLiteral> literals;
  ActorView view;
  bool predicates = false;
};

/// The condition in the encoder's predicates, if the program uses these alone and some conjunction says it.
std::optional<Condition> over_predicates(const EditRequest& request, const PolicySource& run,
                                         const PolicySource& source, const Task& task,
                                         const std::vector<ObsId>& where,
                                         const std::vector<ObsId>& reachable) {
  ActorView invented = view_of(converted<double>(run.encoder_for(task.model().observations())),
                               task.model().shared_observations());
  if (!decides_by_predicates(source, task, invented)) return std::nullopt;
  const std::vector<ObsId> scope = request.visited ? visited_by(source, task, invented) : reachable;
  auto literals = in_predicates(where, scope, invented);
  if (!literals) return std::nullopt;
  return Condition{std::move(*literals), std::move(invented), true};
}

/// Keeps the program self-contained: defines the predicates of the new condition that it did not use before.
void define_new_predicates(Program& program, const std::vector<BodyLiteral>& when, const ActorView& view,
                           const FiniteModel& model, const std::vector<ObsId>& reachable) {
  for (const BodyLiteral& literal : when) {
    const auto defines = [&](const Statement& statement) {
      const Rule* rule = std::get_if<Rule>(&statement.content);
      return rule != nullptr && rule->heads.front().atom == literal.atom;
    };
    if (std::any_of(program.statements.begin(), program.statements.end(), defines)) continue;
    const AtomId predicate = *view.table->vocabulary().find_atom(literal.atom);
    for (Statement& rule : definition_of(predicate, view, model, reachable, kSolveLimit))
      program.statements.push_back(std::move(rule));
  }
}

/// Replaces the header of an extracted program: its claims (size, return) were about the unedited program.
void name_origin(Program& program, const std::string& env, const std::string& file) {
  std::vector<std::string>& comments = program.statements.front().comments;
  if (!comments.empty() && comments.front().starts_with("environment:"))
    comments.erase(comments.begin(), std::find(comments.begin(), comments.end(), ""));
  const std::vector<std::string> header = {"environment: " + env, "edited from " + file};
  comments.insert(comments.begin(), header.begin(), header.end());
}

ProgramEdit edited(const EditRequest& request, const PolicySource& source, const PolicySource* run,
                   const Task& task) {
  const FiniteModel& model = task.model();
  const std::vector<ObsId> reachable = ndnf::reachable(model).observations;
  const Program edit = parse_edit(request);
  const std::vector<ObsId> where = applies(edit, task, reachable);
  Condition when{std::get<Rule>(edit.statements[0].content).body, own_view(model.shared_observations())};
  if (run != nullptr) {
    if (auto found = over_predicates(request, *run, source, task, where, reachable)) when = std::move(*found);
  }
  Program program = source.program(task, when.view.table->vocabulary());
  const std::string condition = to_text(when.literals, program.syntax);
  program = with_override(std::move(program), when.literals, request.action, *task.vocabulary);
  if (when.predicates) define_new_predicates(program, when.literals, when.view, model, reachable);
  name_origin(program, task.spec, source.name());
  const BoundProgram bound(over_view(when.view, model.observations(), program),
                           when.view.table->shared_vocabulary());  // reports mistakes
  return {source.name(),          task.spec,     condition, when.predicates, where.size(),
          ndnf::to_text(program), request.output};
}

}  // namespace

ProgramEdit edit_program(const EditRequest& request) {
  const PolicySource source = PolicySource::rules(request.program);
  std::optional<PolicySource> run;
  if (request.encoder) run = PolicySource::network(*request.encoder);
  const Task task = task_for(request.env, run ? Sources{&source, &*run} : Sources{&source});
  if (!request.output.empty() && syntax_of(request.output) != source.syntax())
    throw Error(argument("output"), fmt::format("{} would be read in another syntax", request.output),
                "keep the extension");
  ProgramEdit result =
      source.fitting(task, [&] { return edited(request, source, run ? &*run : nullptr, task); });
  if (!result.file.empty()) write_file(result.file, result.text);
  return result;
}

nlohmann::ordered_json to_json(const ProgramEdit& result) {
  return {{"program", result.program},           {"env", result.env},
          {"condition", result.condition},       {"predicates", result.predicates},
          {"observations", result.observations}, {"file", result.file}};
}

}  // namespace ndnf
