#include "ndnf/logic/read_program.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/file.h"
#include "ndnf/base/nearest.h"
#include "ndnf/logic/atoms.h"
#include "ndnf/logic/clingo.h"
#include "ndnf/logic/parser.h"

namespace ndnf {
namespace {

/// Marks each rule sent to clingo, so that its instances can be told from others'.
constexpr std::string_view kMark = "ndnf_rule";
constexpr std::chrono::seconds kTimeLimit{20};

/// A place in what clingo says: "-:12:7-9: …".
struct Complaint {
  Place place;
  std::string what;
};

std::uint32_t read_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return number;
}

/// The lines of clingo's messages that point into the program: errors, and which variables are unsafe.
std::vector<Complaint> read_complaints(std::string_view messages) {
  std::vector<Complaint> complaints;
  while (!messages.empty()) {
    std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(messages.size(), line.size() + 1));
    const bool error = line.find(" error: ") != std::string_view::npos;
    if (!line.starts_with("-:") || (!error && line.find(" note: ") == std::string_view::npos)) continue;
    line.remove_prefix(2);
    const std::uint32_t row = read_number(line);
    const Place place{row, read_number(line)};
    if (error && line.find("unsafe variables") != std::string_view::npos) continue;  // the notes say which
    const std::size_t what = line.find(error ? "error: " : "note: ") + (error ? 7 : 6);
    complaints.push_back({place, std::string(line.substr(what))});
  }
  return complaints;
}

std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

/// The order of people: hand(2) before hand(10).
bool natural_less(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  while (!a.empty() && !b.empty()) {
    const std::size_t x = digits(a);
    const std::size_t y = digits(b);
    if (x > 0 && y > 0 && x != y) return x < y;
    if (a[0] != b[0]) return a[0] < b[0];
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

bool rule_less(const Rule& a, const Rule& b) {
  if (a.heads[0].atom != b.heads[0].atom) return natural_less(a.heads[0].atom, b.heads[0].atom);
  return std::lexicographical_compare(
      a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
      [](const BodyLiteral& x, const BodyLiteral& y) { return natural_less(x.atom, y.atom); });
}

/// Sends all rules to clingo and puts the instances of open rules where those stood.
class Grounder {
 public:
  Grounder(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes)
      : parsed_(std::move(parsed)), vocabulary_(vocabulary), mistakes_(mistakes) {}

  Program run() {
    check_names();
    if (mistakes_.any()) return {};
    const ProcessResult result = call_clingo(text_for_clingo(), {"--text", "--warn=none"}, kTimeLimit);
    if (result.timed_out) {
      throw Error(parsed_.program.source, "clingo does not finish grounding the rules",
                  fmt::format("it has {} seconds", kTimeLimit.count()));
    }
    if (result.exit_code != 0) {
      report(result.errors);
      return {};
    }
    return assemble(read_instances(result.output));
  }

 private:
  /// Rules of unknown atoms would vanish silently, so every atom must be observed, a head or under
  /// `#defined`.
  void check_names() {
    std::set<std::string> heads = defined_signatures();
    std::set<std::string> observed;
    for (const std::string& atom : vocabulary_.atom_names()) observed.insert(signature(atom));
    for (const OpenRule& open : parsed_.open) {
      for (const OpenAtom& atom : open.body) {
        const std::string name = fmt::format("{}/{}", atom.name, atom.arity);
        const bool known =
            heads.contains(name) ||
            (observed.contains(name) && (!atom.ground || vocabulary_.find_atom(atom.text).has_value()));
        if (!known && !mistakes_.enough()) report_unknown(atom, heads);
      }
    }
  }

  std::set<std::string> defined_signatures() const {
    std::set<std::string> names;
    for (const OpenRule& open : parsed_.open)
      names.insert(fmt::format("{}/{}", open.head.name, open.head.arity));
    for (const Statement& statement : parsed_.program.statements) {
      if (const auto* directive = std::get_if<Directive>(&statement.content)) {
        if (const auto name = defined_signature(*directive)) names.emplace(*name);
      } else if (const Rule& rule = std::get<Rule>(statement.content); !rule.heads.empty()) {
        names.insert(signature(rule.heads.front().atom));
      }
    }
    return names;
  }

  void report_unknown(const OpenAtom& atom, const std::set<std::string>& heads) {
    std::vector<std::string> known = vocabulary_.atom_names();
    for (const std::string& name : heads) known.push_back(name.substr(0, name.find('/')));
    mistakes_.add(atom.place, fmt::format("{} is neither observed nor the head of a rule; {}", atom.text,
                                          suggestion(atom.text, known)));
  }

  /// Open rules stand in lines of their own, each from the column where it stands in the file, so that
  /// clingo's messages can be traced back.
  std::string text_for_clingo() {
    std::string text;
    std::uint32_t line = 1;
    for (const OpenRule& open : parsed_.open) {
      first_lines_[line] = &open;
      text += fmt::format("{:{}}{}{} {}({}).\n", "", open.place.column - 1, open.text,
                          open.fact ? " :-" : ",", kMark, open.statement);
      line += 1 + static_cast<std::uint32_t>(std::count(open.text.begin(), open.text.end(), '\n'));
    }
    Program ground{Syntax::kAsp, "", {}, {}};
    for (const Statement& statement : parsed_.program.statements) {
      const Rule* rule = std::get_if<Rule>(&statement.content);
      if (rule != nullptr && !rule->heads.empty()) ground.statements.push_back(marked(*rule));
    }
    text += to_text(ground);
    text += fmt::format("#external {}(0..{}).\n", kMark, parsed_.program.statements.size());
    for (const std::string& atom : vocabulary_.atom_names()) text += fmt::format("#external {}.\n", atom);
    return text;
  }

  /// A ground rule that clingo may not simplify away; its instance is not needed.
  Statement marked(Rule rule) const {
    rule.body.push_back({fmt::format("{}({})", kMark, parsed_.program.statements.size()), true, {}});
    return {{}, std::move(rule), {}};
  }

  void report(const std::string& messages) {
    for (const Complaint& complaint : read_complaints(messages)) {
      auto rule = first_lines_.upper_bound(complaint.place.line);
      if (rule == first_lines_.begin()) continue;
      --rule;
      const Place place{rule->second->place.line + complaint.place.line - rule->first,
                        complaint.place.column};
      mistakes_.add(place, "clingo says: " + complaint.what);
    }
    if (!mistakes_.any()) throw Error("clingo", messages);
  }

  /// The instances of each open rule, by its statement.
  std::map<std::size_t, std::vector<Rule>> read_instances(const std::string& output) const {
    std::string rules;
    for (std::size_t begin = 0; begin < output.size();) {
      const std::size_t end = std::min(output.find('\n', begin), output.size() - 1) + 1;
      if (output[begin] != '#') rules.append(output, begin, end - begin);
      begin = end;
    }
    std::map<std::size_t, std::vector<Rule>> instances;
    for (Statement& statement : parse_program("clingo", rules, Syntax::kAsp).statements) {
      Rule& rule = std::get<Rule>(statement.content);
      const std::size_t source = take_mark(rule);
      if (source < parsed_.program.statements.size()) instances[source].push_back(std::move(rule));
    }
    return instances;
  }

  /// Removes the mark from the body and returns its number.
  static std::size_t take_mark(Rule& rule) {
    const auto mark = std::find_if(rule.body.begin(), rule.body.end(), [](const BodyLiteral& literal) {
      return literal.atom.starts_with(kMark) && literal.atom[kMark.size()] == '(';
    });
    if (mark == rule.body.end()) throw Error("clingo", "grounds the rules in a way that is not understood");
    std::string_view number = std::string_view(mark->atom).substr(kMark.size() + 1);
    const std::size_t source = read_number(number);
    rule.body.erase(mark);
    return source;
  }

  Program assemble(std::map<std::size_t, std::vector<Rule>> instances) {
    std::vector<Statement> statements = std::exchange(parsed_.program.statements, {});
    std::vector<std::string> waiting;  // comments of rules without instances go to the next statement
    auto open = parsed_.open.begin();
    for (std::size_t s = 0; s < statements.size(); ++s) {
      Statement& statement = statements[s];
      statement.comments.insert(statement.comments.begin(), waiting.begin(), waiting.end());
      waiting.clear();
      if (open == parsed_.open.end() || open->statement != s) {
        parsed_.program.statements.push_back(std::move(statement));
      } else if (std::vector<Rule>& rules = instances[s]; rules.empty()) {
        waiting = std::move(statement.comments);
        waiting.push_back(fmt::format("no instance: {}.", in_one_line(open++->text)));
      } else {
        place_instances(std::move(statement), *open++, std::move(rules));
      }
    }
    auto& closing = parsed_.program.closing_comments;
    closing.insert(closing.begin(), waiting.begin(), waiting.end());
    return std::move(parsed_.program);
  }

  void place_instances(Statement source, const OpenRule& open, std::vector<Rule> rules) {
    std::sort(rules.begin(), rules.end(), rule_less);
    for (Rule& rule : rules) {
      rule.place = open.place;
      for (HeadAtom& head : rule.heads) head.place = open.place;
      for (BodyLiteral& literal : rule.body) literal.place = open.place;
      source.content = std::move(rule);
      parsed_.program.statements.push_back(std::exchange(source, {}));
    }
  }

  ParsedProgram parsed_;
  const Vocabulary& vocabulary_;
  Mistakes& mistakes_;
  std::map<std::uint32_t, const OpenRule*> first_lines_;  ///< In what clingo reads.
};

}  // namespace

Program ground_program(std::string_view where, std::string_view text, Syntax syntax,
                       const Vocabulary& vocabulary) {
  Mistakes mistakes(where);
  ParsedProgram parsed = parse_open_program(where, text, syntax, mistakes);
  mistakes.throw_if_any();
  if (parsed.open.empty()) return std::move(parsed.program);
  Program program = Grounder(std::move(parsed), vocabulary, mistakes).run();
  mistakes.throw_if_any();
  return program;
}

Syntax syntax_of(const std::filesystem::path& path) {
  if (path.extension() == ".lp") return Syntax::kAsp;
  if (path.extension() == ".pl") return Syntax::kProbLog;
  throw Error(path.string(), "is no program by its name", "ASP programs end in .lp, ProbLog programs in .pl");
}

std::string read_program_text(const std::filesystem::path& path) {
  std::error_code unreadable;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unreadable);
  if (!unreadable && bytes > kMaxProgramBytes) {
    throw Error(path.string(), fmt::format("the program has {} bytes", bytes),
                fmt::format("at most {} MB are read", kMaxProgramBytes >> 20));
  }
  return read_file(path);
}

Program read_program(const std::filesystem::path& path, const Vocabulary& vocabulary) {
  const Syntax syntax = syntax_of(path);
  return ground_program(path.string(), read_program_text(path), syntax, vocabulary);
}

}  // namespace ndnf
