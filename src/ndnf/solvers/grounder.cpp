#include "ndnf/solvers/grounder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/solvers/clingo.h"
#include "ndnf/solvers/grounding_text.h"
#include "ndnf/solvers/instances.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/name_checker.h"

namespace ndnf {
namespace {

/// Sends all rules to clingo and replaces open rules by their instances.
class Grounder {
 public:
  Grounder(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
           const GroundingLimits& limits)
      : parsed_(std::move(parsed)),
        names_(parsed_, vocabulary, mistakes),
        mistakes_(mistakes),
        vocabulary_(vocabulary),
        limits_(limits) {}

  Program run() {
    names_.run();
    if (mistakes_.any()) return {};
    const GroundingText asked(parsed_, vocabulary_, names_.unevaluated());
    const ProcessResult result =
        call_clingo(asked.text(), {"--text", "--warn=none"}, {limits_.time, limits_.bytes});
    if (result.timed_out || result.output_cut) {
      report_endless(result.output);
    } else if (result.exit_code != 0) {
      report_refusal(result.errors, asked);
    } else {
      take(Instances(asked.text().reveal(result.output), parsed_.program.statements.size()));
    }
    return mistakes_.any() ? Program{} : assembled();
  }

 private:
  void take(Instances instances) {
    for (const auto& [number, atom] : instances.values()) {
      names_.check(atom, names_.unevaluated()[number]->place);
    }
    for (const OpenRule& open : parsed_.open) {
      instances_[open.statement] = instances.take(open.statement);
      const std::vector<Rule>& rules = instances_[open.statement];
      // One instance with a wrong head is enough: the others have the same mistake.
      std::all_of(rules.begin(), rules.end(),
                  [&](const Rule& rule) { return names_.check_head(rule.heads[0].atom, open.head.place); });
    }
  }

  /// clingo was stopped. The rule with the most instances is the one that has infinitely or too many; if
  /// there are no instances, it is the one with the most variables.
  void report_endless(const std::string& output) {
    const std::vector<std::size_t> counts = count_instances(output, parsed_.program.statements.size());
    const auto weight = [&](const OpenRule& rule) {
      return std::pair{counts[rule.statement], variable_count(rule)};
    };
    const auto worst =
        std::max_element(parsed_.open.begin(), parsed_.open.end(),
                         [&](const OpenRule& a, const OpenRule& b) { return weight(a) < weight(b); });
    mistakes_.add(
        worst->head.place,
        fmt::format("grounding this rule does not terminate: it has at least {} instances, expected all "
                    "rules together to take at most {} seconds and {} MB",
                    counts[worst->statement], std::chrono::ceil<std::chrono::seconds>(limits_.time).count(),
                    limits_.bytes >> 20));
  }

  static std::size_t variable_count(const OpenRule& rule) {
    std::set<std::string> names;
    for (const OpenLiteral& literal : rule.body) {
      for (const Term* side : {&literal.left, &literal.right}) {
        for_each_variable(*side, [&](const Term& variable) { names.insert(variable.text); });
      }
    }
    return names.size();
  }

  /// We check what clingo would reject, so this is for cases that we do not know.
  void report_refusal(const std::string& messages, const GroundingText& asked) {
    for (const ClingoComplaint& complaint : read_complaints(messages)) {
      if (const OpenRule* rule = asked.rule_in_line(complaint.line)) {
        mistakes_.add(rule->head.place, fmt::format("clingo cannot ground this rule: {}", complaint.what));
      }
    }
    if (!mistakes_.any()) throw Error("clingo", fmt::format("failed to ground the rules ({})", messages));
  }

  Program assembled() {
    std::vector<Statement> statements = std::exchange(parsed_.program.statements, {});
    std::vector<std::string> waiting;  // comments of rules without instances go to the next statement
    auto open = parsed_.open.begin();
    for (std::size_t s = 0; s < statements.size(); ++s) {
      Statement& statement = statements[s];
      statement.comments.insert(statement.comments.begin(), waiting.begin(), waiting.end());
      waiting.clear();
      if (open == parsed_.open.end() || open->statement != s) {
        parsed_.program.statements.push_back(std::move(statement));
      } else if (std::vector<Rule>& rules = instances_[s]; rules.empty()) {
        waiting = std::move(statement.comments);
        waiting.push_back(fmt::format("no instance: {}.", to_text(*open++)));
      } else {
        place_instances(std::move(statement), *open++, std::move(rules));
      }
    }
    auto& closing = parsed_.program.closing_comments;
    closing.insert(closing.begin(), waiting.begin(), waiting.end());
    declare_missing();
    return std::move(parsed_.program);
  }

  void place_instances(Statement source, const OpenRule& open, std::vector<Rule> rules) {
    for (Rule& rule : rules) {
      rule.place = rule.heads[0].place = open.head.place;
      for (BodyLiteral& literal : rule.body) literal.place = open.head.place;
      source.content = std::move(rule);
      parsed_.program.statements.push_back(std::exchange(source, {}));
    }
  }

  /// Ground rules may refer to an instance that an open rule does not have. It is false, and `#defined`
  /// declares this to later readers of the ground program.
  void declare_missing() {
    std::map<std::string, Place> open;
    for (const OpenRule& rule : parsed_.open) {
      for (const Term* head : alternatives(rule.head)) open.emplace(signature(*head), head->place);
    }
    std::set<std::string_view> heads;
    std::set<std::string> missing;
    for_each_rule([&](const Rule& rule) { heads.insert(rule.heads[0].atom); });
    for_each_rule([&](const Rule& rule) {
      for (const BodyLiteral& literal : rule.body) {
        if (!heads.contains(literal.atom) && open.contains(signature(literal.atom))) {
          missing.insert(signature(literal.atom));
        }
      }
    });
    for (const std::string& name : missing) {
      parsed_.program.statements.push_back({{}, Directive{"#defined " + name, open.at(name)}, {}});
    }
  }

  template <class Visit>
  void for_each_rule(const Visit& visit) const {
    for (const Statement& statement : parsed_.program.statements) {
      if (const auto* rule = std::get_if<Rule>(&statement.content)) visit(*rule);
    }
  }

  ParsedProgram parsed_;
  NameChecker names_;
  Mistakes& mistakes_;
  const Vocabulary& vocabulary_;
  GroundingLimits limits_;
  std::map<std::size_t, std::vector<Rule>> instances_;  ///< By statement.
};

}  // namespace

Program ground(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
               const GroundingLimits& limits) {
  if (parsed.open.empty()) return std::move(parsed.program);
  return Grounder(std::move(parsed), vocabulary, mistakes, limits).run();
}

}  // namespace ndnf
