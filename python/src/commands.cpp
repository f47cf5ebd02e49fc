#include "python/src/commands.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/run_folder.h"
#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/diff_policies.h"
#include "ndnf/pipeline/draw_policy.h"
#include "ndnf/pipeline/edit_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/explain_policy.h"
#include "ndnf/pipeline/export_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/pipeline/policy_summaries.h"
#include "ndnf/pipeline/report_runs.h"
#include "ndnf/reproduce/reproduce.h"
#include "ndnf/studio/watch_page.h"
#include "ndnf/system/file.h"
#include "ndnf/training/presets.h"
#include "python/src/errors.h"
#include "python/src/json_objects.h"
#include "python/src/watching.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Text = std::optional<std::string>;
using Texts = std::vector<std::string>;
using MaybeInput = std::optional<Input>;
using Json = nlohmann::ordered_json;
using Dict = nb::typed<nb::dict, nb::str, nb::any>;

/// Runs a request without the GIL and gives its result as Python objects.
template <class Request>
Dict reply(Request request) {
  Json json;
  {
    const nb::gil_scoped_release released;
    json = request();
  }
  return nb::cast<Dict>(to_python(json));
}

/// What a command that takes several policies replies: {"many", "results", "errors", "summary"}. One policy
/// that is not a folder of runs has no summary, and its Error is thrown. describe(result) is the result's
/// JSON.
template <class Request, class Work, class Describe>
Dict replies(Request request, const std::vector<Input>& named, Work work, Describe describe) {
  using Result = decltype(work(request));
  std::vector<PolicyOutcome<Result>> outcomes;
  Json json{{"many", false}, {"results", Json::array()}};
  {
    const nb::gil_scoped_release released;
    const std::vector<Input> policies = policies_in(named);
    const bool many = policies.size() > 1 || policies.front().name != named.front().name;
    if (many) {
      outcomes = for_each_policy(request, policies, work);
    } else {
      request.policy = policies.front();
      outcomes.push_back({request.policy.name, work(request)});
    }
    json["many"] = many;
    json["summary"] = to_json(summary_of(outcomes));
    for (const auto& outcome : outcomes) {
      if (outcome.result) json["results"].push_back(describe(*outcome.result));
    }
  }
  nb::dict errors;
  for (const auto& outcome : outcomes) {
    if (outcome.error) errors[outcome.policy.c_str()] = error_object(*outcome.error);
  }
  Dict result = nb::cast<Dict>(to_python(json));
  result["errors"] = errors;
  return result;
}

std::optional<Selection> selection(const Text& select) {
  return select ? std::optional(Selection::parse("select", *select)) : std::nullopt;
}

void require_word(const char* argument_name, const Text& word, const Texts& allowed) {
  if (!word) return;
  std::string list;
  for (const std::string& one : allowed) {
    if (one == *word) return;
    list += (list.empty() ? "" : ", ") + one;
  }
  throw Error(argument(argument_name), "there is no " + *word, "it is one of " + list);
}

/// The bytes of a result beside its JSON: what would have been written to a file.
Dict with_bytes(Dict result, const char* key, const std::string& bytes) {
  result[key] = nb::bytes(bytes.data(), bytes.size());
  return result;
}

Dict evaluate(const std::vector<Input>& policies, const MaybeInput& env, const Text& select, const Text& with,
              std::uint64_t solver_time, const MaybeInput& shield, std::optional<std::size_t> episodes,
              bool exact, bool optimum, std::uint64_t seed, std::optional<std::size_t> jobs,
              std::optional<double> discount) {
  require_word("with", with, {"clingo", "problog"});
  EvaluationRequest request;
  request.env = env;
  request.select = selection(select);
  request.with = with;
  request.solver_time = std::chrono::seconds(solver_time);
  request.shield = shield;
  request.episodes = episodes;
  request.exact = exact;
  request.optimum = optimum;
  request.seed = seed;
  request.jobs = jobs.value_or(default_jobs());
  request.discount = discount;
  Interruption interruption;
  request.on_episodes = [&interruption](std::size_t) { interruption.check(); };
  return replies(request, policies, evaluate_policy,
                 [](const PolicyEvaluation& evaluation) { return to_json(evaluation); });
}

Dict extract(const std::vector<Input>& policies, const MaybeInput& env, const std::string& method,
             const Text& as, const Text& over, const Text& ties, const std::string& form, double epsilon,
             std::optional<std::size_t> rules, const Text& threshold,
             std::optional<std::uint64_t> solve_limit, std::optional<std::size_t> sample,
             std::size_t episodes, bool certify, bool compact, const Text& output,
             std::optional<double> discount, const nb::object& progress) {
  require_word("method", method, {"auto", "threshold", "disentangle", "exact", "classes"});
  require_word("as", as, {"asp", "problog"});
  require_word("over", over, {"atoms", "predicates"});
  require_word("ties", ties, {"eval", "free"});
  require_word("form", form, {"exactly-one", "default", "list"});
  require_word("threshold", threshold, {"kl", "actions"});
  if (!(epsilon >= 1e-9 && epsilon <= 1))
    throw Error(argument("epsilon"), "is out of range", "it is a number from 1e-9 to 1");
  if (const std::size_t count = policies_in(policies).size(); output && count > 1)
    throw Error(argument("output"), fmt::format("one file for {} programs", count),
                "without it each goes to its run");
  ExtractionRequest request;
  request.env = env;
  request.method = method;
  request.as = as;
  request.over = over;
  request.ties = ties;
  request.form = form;
  request.epsilon = epsilon;
  request.rules = rules;
  request.threshold = threshold;
  if (solve_limit) request.solve_limit = *solve_limit;
  request.sample = sample;
  request.episodes = episodes;
  request.certify = certify;
  request.compact = compact;
  request.output = output;
  request.discount = discount;
  request.watch = watch_by(progress);
  return replies(request, policies, extract_policy, [](const PolicyExtraction& extraction) {
    Json json = to_json(extraction);
    json["text"] = extraction.text;
    return json;
  });
}

Dict edit(const Input& program, const std::string& when, const std::string& action, const Texts& add,
          const Texts& remove, const std::vector<std::pair<std::string, std::string>>& replace,
          const std::string& forbid, const std::string& prefer, const std::string& over,
          const MaybeInput& env, const MaybeInput& encoder, const std::string& scope,
          const std::string& output, std::optional<double> discount) {
  require_word("scope", scope, {"reachable", "visited"});
  EditRequest request;
  request.program = program;
  request.when = when;
  request.action = action;
  request.env = env;
  request.encoder = encoder;
  request.visited = scope == "visited";
  request.output = output;
  request.add = add;
  request.remove = remove;
  for (const auto& [rule, by] : replace) request.replace.push_back({rule, by});
  request.forbid = forbid;
  request.prefer = prefer;
  request.over = over;
  request.discount = discount;
  std::string text;
  Dict result = reply([&] {
    const ProgramEdit edited = edit_program(request);
    text = edited.text;
    return to_json(edited);
  });
  result["text"] = nb::str(text.c_str(), text.size());
  return result;
}

Dict compile(const Input& program, const MaybeInput& env, const MaybeInput& shield, const MaybeInput& encoder,
             const Text& output) {
  CompileRequest request;
  request.program = program;
  request.env = env;
  request.encoder = encoder;
  request.output = output;
  request.shield = shield;
  std::string bytes;
  Dict result = reply([&] {
    const ProgramCompilation compilation = compile_program(request);
    bytes = compilation.bytes;
    return to_json(compilation);
  });
  return with_bytes(result, "contents", bytes);
}

Dict check(const std::vector<Input>& policies, const MaybeInput& env, const Text& select,
           const MaybeInput& shield, const std::string& scope, const Texts& properties,
           const MaybeInput& against, std::size_t episodes, std::uint64_t seed,
           std::optional<double> discount, const nb::object& progress) {
  require_word("scope", scope, {"reachable", "visited"});
  CheckRequest request;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.scope = scope == "visited" ? CheckScope::kVisited : CheckScope::kReachable;
  request.properties = properties;
  request.watch = watch_by(progress);
  request.against = against;
  request.sampling = {episodes, seed};
  request.discount = discount;
  return replies(request, policies, check_policy,
                 [](const CheckedPolicy& checked) { return to_json(checked); });
}

Dict diff(const Input& a, const Input& b, const MaybeInput& env, const Text& select, const MaybeInput& shield,
          std::size_t examples, std::size_t episodes, std::uint64_t seed, std::optional<double> discount) {
  DiffRequest request;
  request.a = a;
  request.b = b;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.examples = examples;
  request.episodes = episodes;
  request.seed = seed;
  request.discount = discount;
  return reply([&] { return to_json(diff_policies(request)); });
}

Dict explain(const Input& policy, const MaybeInput& env, const Text& select, const MaybeInput& shield,
             const Texts& observations, std::uint64_t seed, std::optional<double> discount) {
  ExplainRequest request;
  request.policy = policy;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.observations = observations;
  request.seed = seed;
  request.discount = discount;
  return reply([&] { return to_json(explain_policy(request)); });
}

Dict export_to(const Input& policy, const std::string& format, const MaybeInput& env, const Text& select,
               const MaybeInput& shield, const std::string& output, std::optional<double> discount) {
  require_word("format", format, {"c", "npz", "onnx", "drn", "prism"});
  ExportRequest request;
  request.policy = policy;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.format = format;
  request.file = output;
  request.discount = discount;
  std::string bytes;
  Dict result = reply([&] {
    const ExportedPolicy exported = export_policy(request);
    bytes = exported.bytes;
    return to_json(exported);
  });
  return with_bytes(result, "contents", bytes);
}

Dict draw(const std::vector<Input>& policies, const MaybeInput& env, const Text& view, const Text& select,
          const MaybeInput& shield, std::uint64_t seed, const Text& metric, const Text& output,
          std::optional<double> discount) {
  require_word("view", view, {"policy", "values", "episode", "curves"});
  DrawRequest request;
  request.policies = policies;
  if (view) request.view = view_of(*view);
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.discount = discount;
  request.seed = seed;
  request.metric = metric;
  std::string svg;
  std::string text;
  Dict result = reply([&] {
    const Drawing drawing = draw_policy(request);
    svg = to_svg(drawing).to_string();
    text = to_text(drawing);
    if (output) write_file(*output, svg);
    Json json = to_json(drawing);
    json["file"] = output ? Json(*output) : Json(nullptr);
    return json;
  });
  result["svg"] = nb::str(svg.c_str(), svg.size());
  result["text"] = nb::str(text.c_str(), text.size());
  return result;
}

Dict report(const std::vector<Input>& policies, const MaybeInput& env, const Text& select,
            const MaybeInput& shield, const Texts& properties, std::uint64_t seed, const Text& output,
            std::optional<double> discount, const nb::object& progress) {
  ReportRequest request;
  request.policies = policies;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.discount = discount;
  request.properties = properties;
  request.seed = seed;
  request.watch = watch_by(progress);
  std::string html;
  Dict result = reply([&] {
    const PolicyReport made = report_runs(request);
    html = to_html(made.document);
    if (output) write_file(*output, html);
    Json json = to_json(made);
    json["file"] = output ? Json(*output) : Json(nullptr);
    json["bytes"] = html.size();
    return json;
  });
  result["html"] = nb::str(html.c_str(), html.size());
  return result;
}

Dict watch(const Input& policy, const MaybeInput& env, const Text& select, const MaybeInput& shield,
           std::uint64_t seed, std::optional<double> discount) {
  WatchRequest request;
  request.policy = policy;
  request.env = env;
  request.select = selection(select);
  request.shield = shield;
  request.seed = seed;
  request.discount = discount;
  return reply([&] {
    const WatchedPolicy watched = watch_policy(request);
    return Json{{"policy", watched.policy}, {"env", watched.env}, {"html", watched.html}};
  });
}

Dict describe_task(const Input& env, std::optional<StateId> state, std::optional<double> discount) {
  return reply([&] { return to_json(describe(with_discount(open_task(env), discount), state)); });
}

Dict export_task(const Input& env, const Text& dump, const Text& svg, std::optional<StateId> state,
                 std::optional<double> discount) {
  return reply([&] {
    return to_json(export_environment(with_discount(open_task(env), discount), {dump, svg, state}));
  });
}

Dict reproduce_paper(bool quick, const Texts& only, const std::string& out, std::optional<std::size_t> jobs,
                     const Texts& format, const nb::object& progress) {
  for (const std::string& one : format) require_word("format", one, {"text", "markdown", "json", "html"});
  ReproduceRequest request;
  request.effort.quick = quick;
  request.only = only;
  request.out = out;
  request.formats = format;
  request.watch = watch_by(progress);
  return reply([&] {
    Ranks ranks;
    request.jobs = jobs.value_or(default_jobs(ranks));
    return to_json(reproduce(request, ranks));
  });
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("evaluate", evaluate, "policies"_a, "env"_a.none(), "select"_a.none(), "with_"_a.none(),
        "solver_time"_a, "shield"_a.none(), "episodes"_a.none(), "exact"_a, "optimum"_a, "seed"_a,
        "jobs"_a.none(), "discount"_a.none());
  m.def("extract", extract, "policies"_a, "env"_a.none(), "method"_a, "as_"_a.none(), "over"_a.none(),
        "ties"_a.none(), "form"_a, "epsilon"_a, "rules"_a.none(), "threshold"_a.none(),
        "solve_limit"_a.none(), "sample"_a.none(), "episodes"_a, "certify"_a, "compact"_a, "output"_a.none(),
        "discount"_a.none(), "progress"_a.none());
  m.def("edit", edit, "program"_a, "when"_a, "action"_a, "add"_a, "remove"_a, "replace"_a, "forbid"_a,
        "prefer"_a, "over"_a, "env"_a.none(), "encoder"_a.none(), "scope"_a, "output"_a, "discount"_a.none());
  m.def("compile", compile, "program"_a, "env"_a.none(), "shield"_a.none(), "encoder"_a.none(),
        "output"_a.none());
  m.def("check", check, "policies"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(), "scope"_a,
        "properties"_a, "against"_a.none(), "episodes"_a, "seed"_a, "discount"_a.none(), "progress"_a.none());
  m.def("diff", diff, "a"_a, "b"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(), "examples"_a,
        "episodes"_a, "seed"_a, "discount"_a.none());
  m.def("explain", explain, "policy"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(),
        "observations"_a, "seed"_a, "discount"_a.none());
  m.def("export", export_to, "policy"_a, "format"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(),
        "output"_a, "discount"_a.none());
  m.def("draw", draw, "policies"_a, "env"_a.none(), "view"_a.none(), "select"_a.none(), "shield"_a.none(),
        "seed"_a, "metric"_a.none(), "output"_a.none(), "discount"_a.none());
  m.def("report", report, "policies"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(), "properties"_a,
        "seed"_a, "output"_a.none(), "discount"_a.none(), "progress"_a.none());
  m.def("watch", watch, "policy"_a, "env"_a.none(), "select"_a.none(), "shield"_a.none(), "seed"_a,
        "discount"_a.none());
  m.def("describe_task", describe_task, "env"_a, "state"_a.none(), "discount"_a.none());
  m.def("export_task", export_task, "env"_a, "dump"_a.none(), "svg"_a.none(), "state"_a.none(),
        "discount"_a.none());
  m.def(
      "write_file",
      [](const std::string& path, const nb::bytes& contents) {
        const std::string_view bytes(contents.c_str(), contents.size());
        const nb::gil_scoped_release released;
        write_file(path, bytes);
      },
      "path"_a, "contents"_a);
  m.def("presets", [] { return nb::cast<Dict>(to_python(to_json(presets()))); });
  m.def(
      "preset", [](const std::string& name) { return nb::cast<Dict>(to_python(to_json(find_preset(name)))); },
      "name"_a);
  m.def("reproduce", reproduce_paper, "quick"_a, "only"_a, "out"_a, "jobs"_a.none(), "format"_a,
        "progress"_a.none());
}

}  // namespace ndnf::python
