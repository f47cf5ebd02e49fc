#include <fmt/format.h>

#include "ndnf/report/document.h"

namespace ndnf {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
nav a { margin-right: 1em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2em .7em; border-bottom: 1px solid #8884; text-align: left; white-space: nowrap; }
th { border-bottom: 2px solid #8888; }
.right { text-align: right; }
pre { padding: .7em 1em; background: #8881; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
)css";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

/// Translates `code` and *emphasis*; everything else is escaped.
std::string inline_html(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = text.find_first_of("`*");
    const std::size_t end = mark == std::string_view::npos ? mark : text.find(text[mark], mark + 1);
    if (end == std::string_view::npos) return out + escaped(text);
    const std::string_view tag = text[mark] == '`' ? "code" : "em";
    out += escaped(text.substr(0, mark));
    out += fmt::format("<{0}>{1}</{0}>", tag, escaped(text.substr(mark + 1, end - mark - 1)));
    text.remove_prefix(end + 1);
  }
  return out;
}

struct HtmlWriter {
  std::string operator()(const Paragraph& paragraph) const {
    return "<p>" + inline_html(paragraph.text) + "</p>\n";
  }
  std::string operator()(const Table& table) const {
    std::string html = "<div class=\"wide\"><table>\n<tr>";
    const auto side = [&](std::size_t c) { return table.columns[c].right ? " class=\"right\"" : ""; };
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      html += fmt::format("<th{}>{}</th>", side(c), inline_html(table.columns[c].title));
    }
    html += "</tr>\n";
    for (const std::vector<Cell>& row : table.rows) {
      html += "<tr>";
      for (std::size_t c = 0; c < row.size(); ++c) {
        html += fmt::format("<td{}>{}</td>", side(c), inline_html(row[c].text));
      }
      html += "</tr>\n";
    }
    return html + "</table></div>\n";
  }
  std::string operator()(const Figure& figure) const {
    return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", figure.svg,
                       escaped(figure.title));
  }
  std::string operator()(const Listing& listing) const {
    return fmt::format("<p>{}:</p>\n<pre>{}</pre>\n", inline_html(listing.title), escaped(listing.text));
  }
};

}  // namespace

std::string to_html(const Document& document) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<h1>{0}</"
      "h1>\n",
      escaped(document.title), kStyle);
  for (const Paragraph& paragraph : document.lead) html += HtmlWriter{}(paragraph);
  html += "<nav>";
  for (const Section& section : document.sections) {
    html += fmt::format("<a href=\"#{}\">{}</a> ", section.name, escaped(section.title));
  }
  html += "</nav>\n";
  for (const Section& section : document.sections) {
    html += fmt::format("<h2 id=\"{}\">{}</h2>\n", section.name, escaped(section.title));
    for (const Block& block : section.blocks) html += std::visit(HtmlWriter{}, block);
  }
  return html + "</body></html>\n";
}

}  // namespace ndnf
