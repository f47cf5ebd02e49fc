#include "ndnf/syntax/token_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

using Construct = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kOneAnswer = "a policy has exactly one answer";
constexpr std::string_view kRulesAlone = "a program consists of rules alone";
constexpr std::string_view kNoMeaning = "it does not change what holds";

/// Constructs of clingo and ProbLog that are not supported, by the token that identifies them, and why.
constexpr std::array<std::pair<std::string_view, Construct>, 19> kRefused{
    {{":~", {"weak constraints `:~ …` are", kOneAnswer}},
     {"#minimize", {"optimisation by `#minimize` is", kOneAnswer}},
     {"#maximize", {"optimisation by `#maximize` is", kOneAnswer}},
     {"@", {"calls of scripts `@f(…)` are", kRulesAlone}},
     {"#script", {"scripts `#script` are", kRulesAlone}},
     {"#include", {"`#include` is", "a program is one file"}},
     {"#external", {"`#external` is", "the task determines what is observed"}},
     {"#program", {"program parts `#program` are", "a program is one part"}},
     {"#theory", {"theories `#theory` are", kRulesAlone}},
     {"#heuristic", {"`#heuristic` is", kNoMeaning}},
     {"#edge", {"`#edge` is", "it would need recursion"}},
     {"#project", {"`#project` is", kNoMeaning}},
     {"#disjoint", {"`#disjoint` is", kRulesAlone}},
     {"&", {"theory atoms `&…` are", kRulesAlone}},
     {"?", {"probabilities to be learned `?::` are", "write a number"}},
     {"[", {"lists `[…]` are", "arguments are numbers, names, terms and quoted texts"}},
     {"->", {"if-then-else `->` is", "write two rules"}},
     {"!", {"cuts `!` are", "write what excludes the other rules"}},
     {"//", {"integer division `//` is", "solvers round it in different ways"}}}};

std::string found(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the file ends";
  return fmt::format("found {}", token.text);
}

}  // namespace

bool TokenStream::is_one_of(std::initializer_list<std::string_view> symbols) const {
  return is(TokenKind::kSymbol) && std::find(symbols.begin(), symbols.end(), token_.text) != symbols.end();
}

void TokenStream::fail(std::string_view expected) const {
  if (!token_.problem.empty()) throw Wrong{token_.place, std::string(token_.problem)};
  for (const auto& [token, refused] : kRefused) {
    if (token_.text == token) refuse(refused.first, refused.second);
  }
  throw Wrong{token_.place, fmt::format("{}, expected {}", found(token_), expected)};
}

void TokenStream::refuse(std::string_view construct, std::string_view why) const {
  throw Wrong{token_.place, fmt::format("{} not supported: {}", construct, why)};
}

void TokenStream::expect(std::string_view symbol, std::string_view expected) {
  if (!is(symbol)) fail(expected);
  take();
}

}  // namespace ndnf
