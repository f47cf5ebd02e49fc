#include <fmt/format.h>

#include "ndnf/report/document.h"
#include "ndnf/report/html_text.h"

namespace ndnf {
namespace {

// Colours of actions are mixed with the ink, so that they are readable on light and dark paper.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --card: #f6f8fa;
  --link: #0a58a8; --code: #7b3fa0; --number: #0a6a5e; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e6e9ed; --soft: #a3adb8; --line: #3a434d;
  --card: #1c2229; --link: #7db7f5; --code: #d3a4f2; --number: #6fd3c2; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 78rem;
  margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .8rem; padding-top: .8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
p { max-width: 60rem; }
a { color: var(--link); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .4rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem .5rem; padding: 0; }
nav a { display: inline-block; padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 1rem;
  text-decoration: none; }
.wide { overflow: auto; max-width: 100%; max-height: 36rem; }
thead th { position: sticky; top: 0; background: var(--paper); }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; font-size: .93rem; }
th, td { padding: .25em .8em; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { border-bottom: 2px solid var(--soft); font-weight: 600; }
td:first-child, th:first-child { padding-left: .2em; }
.right { text-align: right; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
pre { padding: .8em 1em; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow: auto;
  line-height: 1.5; max-height: 40rem; }
p code { overflow-wrap: anywhere; }
pre .c { color: var(--soft); } pre .k { color: var(--code); font-weight: 600; } pre .n { color: var(--number); }
.a { color: color-mix(in srgb, var(--a) 62%, var(--ink)); }
figure { margin: 1rem 0; } figcaption { color: var(--soft); font-size: .9rem; margin-top: .3rem; }
figure .paper { background: #fff; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
summary { cursor: pointer; padding: .3rem 0; overflow-wrap: anywhere; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.6rem; }
.beside > section { min-width: 0; }
@media (max-width: 40rem) { body { padding: 1rem .8rem; } h1 { font-size: 1.35rem; }
  figure svg { max-width: none; width: max(100%, 34rem); } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --card: #fff;
  --link: #000; --code: #5b2f78; --number: #064d44; }
  body { max-width: none; font-size: 10.5pt; padding: 0; } nav, .skip { display: none; }
  figure, tr { break-inside: avoid; } h2, h3, summary { break-after: avoid; }
  pre { white-space: pre-wrap; } figure .paper { border: 0; } td { white-space: normal; }
  .wide, pre { overflow: visible; max-height: none; } }
)css";

/// Headings of a section are one level above those within it.
struct HtmlWriter {
  std::string operator()(const Paragraph& paragraph) const {
    return "<p>" + inline_html(paragraph.text) + "</p>\n";
  }
  std::string operator()(const Table& table) const {
    std::string html = fmt::format(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"table: {}\"><table>\n<thead><tr>",
        html_escaped(table.name));
    const auto side = [&](std::size_t c) { return table.columns[c].right ? " class=\"right\"" : ""; };
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      html += fmt::format("<th scope=\"col\"{}>{}</th>", side(c), inline_html(table.columns[c].title));
    }
    html += "</tr></thead>\n";
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
    return fmt::format(
        "<figure>\n<div class=\"paper\" tabindex=\"0\" role=\"region\" aria-label=\"figure: {0}\">\n{1}</div>"
        "<figcaption>{0}</figcaption></figure>\n",
        html_escaped(figure.title), figure.svg);
  }
  std::string operator()(const Listing& listing) const {
    const std::string text =
        fmt::format("<pre tabindex=\"0\">{}</pre>\n", program_html(listing.text, listing.actions));
    const std::string title = inline_html(listing.title);
    if (listing.folded) return fmt::format("<details><summary>{}</summary>\n{}</details>\n", title, text);
    return fmt::format("<p>{}:</p>\n{}", title, text);
  }
  std::string operator()(const Beside& beside) const {
    std::string html = "<div class=\"beside\">\n";
    for (const Section& part : beside.parts) {
      html += fmt::format("<section><h3>{}</h3>\n", html_escaped(part.title));
      for (const Block& block : part.blocks) html += std::visit(*this, block);
      html += "</section>\n";
    }
    return html + "</div>\n";
  }
};

}  // namespace

std::string to_html(const Document& document) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style></head>\n"
      "<body>\n<a class=\"skip\" href=\"#content\">to the content</a>\n<header><h1>{0}</h1>\n",
      html_escaped(document.title), kStyle);
  for (const Paragraph& paragraph : document.lead) html += HtmlWriter{}(paragraph);
  html += "</header>\n<nav aria-label=\"sections\"><ul>";
  for (const Section& section : document.sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li> ", html_escaped(section.name),
                        html_escaped(section.title));
  }
  html += "</ul></nav>\n<main id=\"content\">\n";
  for (const Section& section : document.sections) {
    html += fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n",
                        html_escaped(section.name), html_escaped(section.title));
    for (const Block& block : section.blocks) html += std::visit(HtmlWriter{}, block);
    html += "</section>\n";
  }
  return html + "</main>\n</body></html>\n";
}

}  // namespace ndnf
