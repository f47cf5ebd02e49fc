#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// Text as it is written into HTML, also into attributes.
std::string html_escaped(std::string_view text);

/// Translates `code` and *emphasis*; everything else is escaped.
std::string inline_html(std::string_view text);

/// A program as HTML: comments, words, numbers and signs are marked by classes (`c`, `k`, `n`, `s`), an atom
/// action(NAME) by the colour of NAME's number among the actions. A lexer for readers, not a parser: every
/// text is accepted.
std::string program_html(std::string_view text, const std::vector<std::string>& actions);

}  // namespace ndnf
