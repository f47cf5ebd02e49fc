#include "ndnf/syntax/token_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

using Construct = std::pair<std::string_view, std::string_view>;

/// Constructs of clingo and ProbLog other than rules, by the token that identifies them.
constexpr std::array<Construct, 20> kConstructs{{{"{", "a choice or an aggregate"},
                                                 {":~", "a weak constraint"},
                                                 {":", "a condition"},
                                                 {"@", "a call of a script"},
                                                 {"[", "a list"},
                                                 {"#count", "an aggregate"},
                                                 {"#sum", "an aggregate"},
                                                 {"#min", "an aggregate"},
                                                 {"#max", "an aggregate"},
                                                 {"#minimize", "an optimisation"},
                                                 {"#maximize", "an optimisation"},
                                                 {"#script", "a script"},
                                                 {"#include", "another file"},
                                                 {"#const", "a constant"},
                                                 {"#external", "an external atom"},
                                                 {"#program", "a program part"},
                                                 {"#theory", "a theory"},
                                                 {"#heuristic", "a heuristic"},
                                                 {"#edge", "a graph"},
                                                 {"#project", "a projection"}}};

std::string construct(std::string_view token) {
  const auto found = std::find_if(kConstructs.begin(), kConstructs.end(),
                                  [&](const Construct& known) { return known.first == token; });
  return found == kConstructs.end() ? "" : fmt::format(" ({})", found->second);
}

std::string found(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the file ends";
  if (token.text.front() >= 0 && token.text.front() < ' ') {
    return fmt::format("found the control character {}", static_cast<int>(token.text.front()));
  }
  return fmt::format("found {}{}", token.text, construct(token.text));
}

}  // namespace

bool TokenStream::is_one_of(std::initializer_list<std::string_view> symbols) const {
  return is(TokenKind::kSymbol) && std::find(symbols.begin(), symbols.end(), token_.text) != symbols.end();
}

void TokenStream::fail(std::string_view expected) const {
  if (!token_.problem.empty()) throw Wrong{token_.place, std::string(token_.problem)};
  throw Wrong{token_.place, fmt::format("{}, expected {}", found(token_), expected)};
}

void TokenStream::expect(std::string_view symbol, std::string_view expected) {
  if (!is(symbol)) fail(expected);
  take();
}

}  // namespace ndnf
