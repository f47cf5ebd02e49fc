#include "ndnf/pipeline/edit_request.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/pipeline/program_text.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/physical_comparison.h"
#include "ndnf/verify/cells.h"

namespace ndnf {
namespace {

std::size_t line_ends(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The rule, with its dot. Throws Error if it is not one. The option may be repeated, so `before`, the lines
/// of those before it, are part of its place.
std::string one_rule(const std::string& option, std::string rule, Syntax syntax, const std::string& before) {
  while (rule.ends_with(' ') || rule.ends_with('\n')) rule.pop_back();
  if (!rule.ends_with('.')) rule += '.';
  const std::string lines(line_ends(before), '\n');
  const ParsedProgram parsed = parse_program_text(argument(option), lines + rule, syntax);
  if (parsed.program.statements.size() == 1) return rule;
  throw Error(argument(option), fmt::format("{} is not one rule", rule), "repeat the option for each");
}

void collect_comparisons(const Program& rules, const Vocabulary& vocabulary,
                         std::vector<LinearComparison>& comparisons) {
  for (const Statement& statement : rules.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    for (const BodyLiteral& literal : rule->body) {
      const auto comparison = comparison_of(literal.atom, vocabulary);
      if (comparison && std::find(comparisons.begin(), comparisons.end(), *comparison) == comparisons.end())
        comparisons.push_back(*comparison);
    }
  }
}

}  // namespace

void check_request(const EditRequest& request, Syntax syntax) {
  if (request.action.empty() && request.add.empty() && request.remove.empty() && request.replace.empty() &&
      request.forbid.empty() && request.prefer.empty()) {
    throw Error("", "nothing to change",
                fmt::format("give {} and {}, or one of {}, {}, {}, {} and {}", argument("when"),
                            argument("do"), argument("add"), argument("remove"), argument("replace"),
                            argument("forbid"), argument("prefer")));
  }
  const bool overrides = !request.action.empty() && request.forbid.empty();
  if (overrides && request.when.empty())
    throw Error(argument("do"), "needs a condition", "give it with " + argument("when"));
  if (!request.when.empty() && request.action.empty() && request.forbid.empty() && request.prefer.empty()) {
    throw Error(argument("when"), "has nothing to do",
                fmt::format("give {}, {} or {}", argument("do"), argument("forbid"), argument("prefer")));
  }
  if (request.prefer.empty() != request.over.empty()) {
    throw Error(argument("prefer"), "needs two actions",
                fmt::format("give {} and {}", argument("prefer"), argument("over")));
  }
  if (!request.output.empty() && syntax_of(request.output) != syntax) {
    throw Error(argument("output"), fmt::format("{} would be read in another syntax", request.output),
                "keep the extension");
  }
}

EditRequest in_one_line(EditRequest request) {
  for (char& c : request.when) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  if (request.when.find('%') != std::string::npos)
    throw Error(argument("when"), "a condition has no comments", "leave out the %");
  return request;
}

EditRequest without_units(EditRequest request, Syntax syntax, const Vocabulary& vocabulary) {
  request.shown_when = request.when;
  request.when = in_places(argument("when"), request.when, syntax, vocabulary);
  return request;
}

ChangedText with_changed_rules(const EditRequest& request, const PolicySource& source) {
  ProgramText text(source.name(), source.bytes(), source.syntax());
  for (const std::string& rule : request.remove) text.remove(text.named("remove", rule));
  ChangedText changed;
  for (const Replacement& one : request.replace) {
    changed.replacing += one_rule("with", one.by, source.syntax(), changed.replacing) + "\n";
    text.replace(text.named("replace", one.rule), one_rule("with", one.by, source.syntax(), ""));
  }
  for (const std::string& rule : request.add)
    changed.added += one_rule("add", rule, source.syntax(), changed.added) + "\n";
  if (!changed.added.empty()) text.append(changed.added);
  changed.text = text.text();
  return changed;
}

void report_mistakes(const ChangedText& changed, const std::string& name,
                     const std::function<void(const std::string& name, const std::string& text)>& read) {
  try {
    return read(name + ", edited", changed.text);
  } catch (const Error&) {
    for (const auto& [option, rules] :
         {std::pair("with", changed.replacing), std::pair("add", changed.added)}) {
      if (rules.empty()) continue;
      try {
        read(argument(option),
             rules + changed.text);  // the new rules twice, first where their lines are counted
      } catch (const Error& again) {
        std::vector<Complaint> own = again.complaints();
        std::erase_if(own, [&](const Complaint& one) { return one.where.place.line > line_ends(rules); });
        if (!own.empty()) throw Error(std::move(own));
      }
    }
    throw;
  }
}

Task with_cells(Task task, const EditRequest& request, const PolicySource& source,
                const ChangedText& changed) {
  const Vocabulary& vocabulary = *task.vocabulary;
  const auto ground = [&](const std::string& name, const std::string& text) {
    return ground_program(name, text, source.syntax(), vocabulary);
  };
  std::vector<LinearComparison> comparisons;
  collect_comparisons(source.fitting(task, [&] { return ground(source.name(), source.bytes()); }), vocabulary,
                      comparisons);
  report_mistakes(changed, source.name(), [&](const std::string& name, const std::string& text) {
    collect_comparisons(ground(name, text), vocabulary, comparisons);
  });
  if (!request.when.empty()) {
    const std::string head = "when_the_edit_applies :- ";
    const auto rule = in_the_condition(request, head.size(), [&] {
      return ground(argument("when"), head + request.when + ".\n" + changed.text);
    });
    collect_comparisons(rule, vocabulary, comparisons);
  }
  const auto table = Cells(task.vocabulary, std::move(comparisons)).table();
  task.finite = std::make_shared<const FiniteModel>(
      decision_model({table, std::vector<double>(table->size(), 1.0), table->size()}));
  return task;
}

}  // namespace ndnf
