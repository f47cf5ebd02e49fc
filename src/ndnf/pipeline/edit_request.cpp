#include "ndnf/pipeline/edit_request.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/physical_comparison.h"
#include "ndnf/verify/cells.h"

namespace ndnf {

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

EditRequest without_units(EditRequest request, Syntax syntax, const Vocabulary& vocabulary) {
  request.shown_when = request.when;
  request.when = in_places(argument("when"), request.when, syntax, vocabulary);
  return request;
}

Task with_cells(Task task, const EditRequest& request, const PolicySource& source) {
  std::string text = source.bytes() + "\n";
  for (const std::string& rule : request.add) text += rule + (rule.ends_with('.') ? "\n" : ".\n");
  for (const Replacement& one : request.replace) text += one.by + (one.by.ends_with('.') ? "\n" : ".\n");
  if (!request.when.empty()) text += fmt::format("when_the_edit_applies :- {}.\n", request.when);
  const Program rules = source.fitting(
      task, [&] { return ground_program(source.name(), text, source.syntax(), *task.vocabulary); });
  std::vector<LinearComparison> comparisons;
  for (const Statement& statement : rules.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    for (const BodyLiteral& literal : rule->body) {
      const auto comparison = comparison_of(literal.atom, *task.vocabulary);
      if (comparison && std::find(comparisons.begin(), comparisons.end(), *comparison) == comparisons.end())
        comparisons.push_back(*comparison);
    }
  }
  const auto table = Cells(task.vocabulary, std::move(comparisons)).table();
  task.finite = std::make_shared<const FiniteModel>(
      decision_model({table, std::vector<double>(table->size(), 1.0), table->size()}));
  return task;
}

}  // namespace ndnf
