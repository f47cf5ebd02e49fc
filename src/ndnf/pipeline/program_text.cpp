#include "ndnf/pipeline/program_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/read_program.h"

namespace ndnf {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

ProgramText::ProgramText(std::string name, std::string text, Syntax syntax)
    : name_(std::move(name)), text_(std::move(text)), parsed_(parse_program_text(name_, text_, syntax)) {}

bool ProgramText::is_rule(std::size_t statement) const {
  return std::holds_alternative<Rule>(parsed_.program.statements[statement].content);
}

const OpenRule* ProgramText::open_rule(std::size_t statement) const {
  const auto found = std::find_if(parsed_.open.begin(), parsed_.open.end(),
                                  [&](const OpenRule& rule) { return rule.statement == statement; });
  return found == parsed_.open.end() ? nullptr : &*found;
}

std::vector<std::string> ProgramText::heads(std::size_t statement) const {
  std::vector<std::string> all;
  if (const OpenRule* open = open_rule(statement)) {
    for (const Term* head : ndnf::heads(*open)) all.push_back(to_text(*head));
  } else if (is_rule(statement)) {
    for (const HeadAtom& head : std::get<Rule>(parsed_.program.statements[statement].content).heads) {
      all.push_back(head.atom);
    }
  }
  return all;
}

std::size_t ProgramText::named(const std::string& option, const std::string& rule) const {
  const auto line_of = [&](std::size_t at) {
    return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  std::vector<std::size_t> found;
  std::vector<std::ptrdiff_t> lines;
  for (std::size_t s = 0; s < parsed_.spans.size(); ++s) {
    const std::ptrdiff_t first = line_of(parsed_.spans[s].begin);
    const auto all = heads(s);
    const bool named = is_number(rule)
                           ? first <= std::stol(rule) && std::stol(rule) <= line_of(parsed_.spans[s].dot)
                           : std::find(all.begin(), all.end(), without_spaces(rule)) != all.end();
    if (!named || !is_rule(s)) continue;
    found.push_back(s);
    lines.push_back(first);
  }
  if (found.size() == 1) return found[0];
  const std::string what = is_number(rule) ? "line " + rule : rule;
  if (found.empty())
    throw Error(argument(option),
                fmt::format("{} has no rule {}", name_, is_number(rule) ? "in " + what : "for " + what));
  throw Error(argument(option),
              fmt::format("{} has several rules {}", name_, is_number(rule) ? "in " + what : "for " + what),
              is_number(rule) ? "write each on its own line"
                              : fmt::format("name one by its line: {}", fmt::join(lines, ", ")));
}

std::size_t ProgramText::statement_at(Place place) const {
  for (const OpenRule& open : parsed_.open) {
    if (open.head.place.line == place.line && open.head.place.column == place.column) return open.statement;
  }
  std::size_t s = 0;
  for (; s + 1 < parsed_.program.statements.size(); ++s) {
    const Rule* rule = std::get_if<Rule>(&parsed_.program.statements[s].content);
    if (rule != nullptr && rule->place.line == place.line && rule->place.column == place.column) break;
  }
  return s;
}

std::size_t ProgramText::line_end(std::size_t at) const {
  return std::min(text_.find('\n', at), text_.size());
}

void ProgramText::remove(std::size_t statement) {
  const std::size_t begin = parsed_.spans[statement].begin;
  const std::size_t dot = parsed_.spans[statement].dot;
  const std::size_t line = text_.rfind('\n', begin) == std::string::npos ? 0 : text_.rfind('\n', begin) + 1;
  const std::string_view before = std::string_view(text_).substr(line, begin - line);
  const std::size_t end = line_end(dot);
  const std::string_view after = std::string_view(text_).substr(dot + 1, end - dot - 1);
  const bool alone =
      is_blank(before) && (is_blank(after) || after.find_first_not_of(" \t") == after.find('%'));
  changes_.push_back(alone ? Change{line, std::min(end + 1, text_.size()), ""} : Change{begin, dot + 1, ""});
}

void ProgramText::replace(std::size_t statement, std::string_view rule) {
  const StatementSpan& span = parsed_.spans[statement];
  changes_.push_back({span.begin, span.dot + 1, std::string(rule)});
  remove_remark(span.dot);
}

void ProgramText::add_literal(std::size_t statement, const std::string& literal) {
  const StatementSpan& span = parsed_.spans[statement];
  const OpenRule* open = open_rule(statement);
  const std::size_t end = span.last;
  if (span.body == 0) {
    changes_.push_back({end, end, " :- " + literal});
  } else if (open != nullptr && !open->other_bodies.empty()) {
    changes_.push_back({span.body, span.body, " ("});
    changes_.push_back({end, end, "), " + literal});
  } else {
    const bool condition = open != nullptr && open->body.back().is_conditional();
    changes_.push_back({end, end, (condition ? "; " : ", ") + literal});
  }
  remove_remark(span.dot, "% of decisions");
}

void ProgramText::remove_remark(std::size_t dot, std::string_view part) {
  const std::size_t end = line_end(dot);
  const std::string_view remark = std::string_view(text_).substr(dot + 1, end - dot - 1);
  const std::size_t mark = remark.find_first_not_of(" \t");
  if (mark == std::string_view::npos || remark[mark] != '%' || remark.find(part) == std::string_view::npos)
    return;
  changes_.push_back({dot + 1, end, ""});
}

void ProgramText::append(const std::string& lines) {
  const bool ended = text_.empty() || text_.back() == '\n';
  changes_.push_back({text_.size(), text_.size(), (ended ? "" : "\n") + lines});
}

std::string ProgramText::text() const {
  std::vector<Change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Change& change : changes) {
    if (change.begin > at) out.append(text_, at, change.begin - at);
    out += change.insert;
    at = std::max(at, change.end);
  }
  return out.append(text_, at);
}

std::string with_heading(const std::string& text, const std::string& env, const std::string& origin) {
  constexpr std::array<std::string_view, 15> kClaims{
      "network",     "method",    "faithful",   "size",         "minimal",
      "other forms", "elsewhere", "everywhere", "exact return", "sampled return",
      "learned in",  "program",   "teacher",    "warning",      "search so far"};
  constexpr std::string_view kEnvironment = "% environment: ";
  const bool extracted =
      text.find("\n% network: ") != std::string::npos || text.find("\n% learned in: ") != std::string::npos;
  std::string out;
  bool named = false;
  std::string_view rest = text;
  while (rest.starts_with('%')) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    const std::string_view key = line.substr(std::min<std::size_t>(2, line.size()),
                                             line.find(": ") - std::min<std::size_t>(2, line.size()));
    if (extracted && std::find(kClaims.begin(), kClaims.end(), key) != kClaims.end()) continue;
    if (line.starts_with(kEnvironment)) {
      named = true;
      out += fmt::format("{}{}\n", kEnvironment, env);
      if (extracted) out += fmt::format("% edited from {}\n", origin);
    } else {
      out += line;
    }
  }
  if (!named) out.insert(0, fmt::format("{}{}\n", kEnvironment, env));
  return out.append(rest);
}

}  // namespace ndnf
