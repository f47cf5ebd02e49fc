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
#include "ndnf/syntax/fold_comparisons.h"
#include "ndnf/syntax/name_checker.h"

namespace ndnf {
namespace {

/// Sends all rules to clingo and replaces open rules by their instances.
class Grounder {
 public:
  Grounder(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
           const GroundingLimits& limits)
      : written_(std::move(parsed)),
        parsed_(written_),
        names_(written_, vocabulary, mistakes),
        mistakes_(mistakes),
        vocabulary_(vocabulary),
        limits_(limits) {}

  Program run() {
    names_.run();
    if (mistakes_.any()) return {};
    fold_comparisons(parsed_, vocabulary_, mistakes_);
    if (mistakes_.any()) return {};
    if (parsed_.open.empty()) return std::move(parsed_.program);
    const GroundingText asked(parsed_, vocabulary_, names_.unevaluated());
    const ProcessResult result = call_clingo(asked.text(), {"--text", asp() ? "--warn=none" : "--warn=all"},
                                             {limits_.time, limits_.bytes});
    if (result.timed_out || result.output_cut) {
      report_endless(result.output);
    } else if (result.exit_code != 0) {
      report_refusal(result.errors, asked);
    } else {
      report_undefined(result.errors, asked);
      Instances instances(result.output, parsed_, vocabulary_);
      take(instances, asked.text());
    }
    return mistakes_.any() ? Program{} : assembled();
  }

 private:
  void take(Instances& instances, const SolverText& asked) {
    for (const auto& [number, atom] : instances.values()) {
      names_.check(asked.reveal(atom), names_.unevaluated()[number]->place);
    }
    for (const Instances::Problem& problem : instances.problems()) {
      mistakes_.add(place_of(problem.statement), problem.what);
    }
    for (const OpenRule& open : parsed_.open) {
      instances_[open.statement] = instances.take(open.statement);
      std::vector<Rule>& rules = instances_[open.statement];
      for (Rule& rule : rules) reveal(rule, asked);
      // One instance with a wrong head is enough: the others have the same mistake.
      std::all_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return std::all_of(rule.heads.begin(), rule.heads.end(), [&](const HeadAtom& head) {
          return names_.check_head(head.atom, open.head.place);
        });
      });
    }
  }

  /// Puts the original quoted texts back.
  static void reveal(Rule& rule, const SolverText& asked) {
    const auto original = [&](std::string& atom) {
      if (atom.find('"') != std::string::npos) atom = asked.reveal(atom);
    };
    for (HeadAtom& head : rule.heads) original(head.atom);
    for (BodyLiteral& literal : rule.body) original(literal.atom);
  }

  Place place_of(std::size_t statement) const {
    const auto found = std::find_if(parsed_.open.begin(), parsed_.open.end(),
                                    [&](const OpenRule& rule) { return rule.statement == statement; });
    return found->head.place;
  }

  bool asp() const { return parsed_.program.syntax == Syntax::kAsp; }

  /// ProbLog compares only numbers, and fails otherwise.
  void report_undefined(const std::string& messages, const GroundingText& asked) {
    if (asp()) return;
    for (const ClingoComplaint& complaint : read_complaints(messages, "info: operation undefined")) {
      const OpenRule* rule = asked.rule_in_line(complaint.line);
      if (rule != nullptr && reported_.insert(rule).second) {
        mistakes_.add(rule->head.place,
                      "compares a value that is not a number, expected = and \\= for names");
      }
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
      for_each_term(literal, [&](const Term& term) {
        for_each_variable(term, [&](const Term& variable) { names.insert(variable.text); });
      });
    }
    return names.size();
  }

  /// We check what clingo would reject, so this is for cases that we do not know.
  void report_refusal(const std::string& messages, const GroundingText& asked) {
    for (const ClingoComplaint& complaint : read_complaints(messages, "error")) {
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
        waiting.push_back(fmt::format("no instance: {}.", to_text(*open++, parsed_.program.syntax)));
      } else {
        place_instances(std::move(statement), *open++, std::move(rules));
      }
    }
    auto& closing = parsed_.program.closing_comments;
    closing.insert(closing.begin(), waiting.begin(), waiting.end());
    declare_missing();
    return std::move(parsed_.program);
  }

  static bool uses_auxiliaries(const Rule& rule) {
    return std::any_of(rule.body.begin(), rule.body.end(),
                       [](const BodyLiteral& literal) { return is_auxiliary(literal.atom); });
  }

  void place_instances(Statement source, const OpenRule& open, std::vector<Rule> rules) {
    for (Rule& rule : rules) {
      rule.place = open.head.place;
      for (HeadAtom& head : rule.heads) head.place = open.head.place;
      for (BodyLiteral& literal : rule.body) literal.place = open.head.place;
      if (uses_auxiliaries(rule)) rule.written = to_text(open, parsed_.program.syntax);
      source.content = std::move(rule);
      parsed_.program.statements.push_back(std::exchange(source, {}));
    }
  }

  /// Ground rules may refer to an instance that an open rule does not have. It is false, and `#defined`
  /// declares this to later readers of the ground program.
  void declare_missing() {
    std::map<std::string, Place> open;
    for (const OpenRule& rule : parsed_.open) {
      for (const Term* head : heads(rule)) open.emplace(signature(*head), head->place);
    }
    std::set<std::string_view> defined;
    std::set<std::string> missing;
    for_each_rule([&](const Rule& rule) {
      for (const HeadAtom& head : rule.heads) defined.insert(head.atom);
    });
    for_each_rule([&](const Rule& rule) {
      for (const BodyLiteral& literal : rule.body) {
        if (!defined.contains(literal.atom) && open.contains(signature(literal.atom))) {
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

  ParsedProgram written_;
  ParsedProgram parsed_;  ///< With comparisons of quantities as atoms.
  NameChecker names_;
  Mistakes& mistakes_;
  const Vocabulary& vocabulary_;
  GroundingLimits limits_;
  std::map<std::size_t, std::vector<Rule>> instances_;  ///< By statement.
  std::set<const OpenRule*> reported_;
};

}  // namespace

Program ground(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
               const GroundingLimits& limits) {
  if (parsed.open.empty() && vocabulary.quantities().empty()) return std::move(parsed.program);
  return Grounder(std::move(parsed), vocabulary, mistakes, limits).run();
}

}  // namespace ndnf
