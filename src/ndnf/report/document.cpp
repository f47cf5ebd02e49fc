#include "ndnf/report/document.h"

#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/plain_text.h"
#include "ndnf/base/text_table.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

TextTable laid_out(const Table& table) {
  std::vector<std::string> header;
  std::vector<std::size_t> right;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    header.push_back(table.columns[c].title);
    if (table.columns[c].right) right.push_back(c);
  }
  TextTable result(std::move(header), std::move(right));
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> texts;
    for (const Cell& cell : row) texts.push_back(cell.text);
    result.add(std::move(texts));
  }
  return result;
}

/// -0.0001 is 0.000, not -0.000.
double without_negative_zero(double value, int digits) {
  return std::abs(value) < 0.5 * std::pow(10, -digits) ? 0 : value;
}

/// Writes one block as plain text.
struct TextWriter {
  std::string operator()(const Beside& beside) const {
    std::string text;
    for (const Section& part : beside.parts) {
      text += fmt::format("{}-- {}\n", text.empty() ? "" : "\n", part.title);
      for (const Block& block : part.blocks) text += fmt::format("\n{}", std::visit(*this, block));
    }
    return text;
  }
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const Table& table) const { return laid_out(table).to_text(); }
  std::string operator()(const Figure& figure) const { return "Figure: " + figure.title + "\n"; }
  std::string operator()(const Listing& listing) const { return listing.title + ":\n" + listing.text; }
};

struct MarkdownWriter {
  std::string_view figure_folder;

  std::string operator()(const Beside& beside) const {
    std::string text;
    for (const Section& part : beside.parts) {
      text += fmt::format("{}### {}\n", text.empty() ? "" : "\n", part.title);
      for (const Block& block : part.blocks) text += fmt::format("\n{}", std::visit(*this, block));
    }
    return text;
  }
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const Table& table) const { return laid_out(table).to_markdown(); }
  std::string operator()(const Figure& figure) const {
    return fmt::format("![{}]({}/{}.svg)\n", figure.title, figure_folder, figure.name);
  }
  std::string operator()(const Listing& listing) const {
    return fmt::format("{}:\n```prolog\n{}```\n", listing.title, listing.text);
  }
};

Json row_json(const Table& table, const std::vector<Cell>& row) {
  Json json = Json::object();
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string& key = table.columns[c].key;
    json[key] = row[c].value ? Json(*row[c].value) : Json(row[c].text);
    if (row[c].error) json[key + "_stderr"] = *row[c].error;
  }
  return json;
}

Json section_json(const Section& section) {
  Json json = {{"name", section.name}, {"title", section.title}};
  for (const Block& block : section.blocks) {
    if (const auto* table = std::get_if<Table>(&block)) {
      Json& rows = json["tables"][table->name] = Json::array();
      for (const std::vector<Cell>& row : table->rows) rows.push_back(row_json(*table, row));
    } else if (const auto* listing = std::get_if<Listing>(&block)) {
      json["listings"][listing->title] = listing->text;
    } else if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
      json["notes"].push_back(paragraph->text);
    } else if (const auto* beside = std::get_if<Beside>(&block)) {
      for (const Section& part : beside->parts) json["parts"].push_back(section_json(part));
    }
  }
  return json;
}

void add_figures(const Section& section, std::vector<const Figure*>& figures) {
  for (const Block& block : section.blocks) {
    if (const auto* figure = std::get_if<Figure>(&block)) {
      figures.push_back(figure);
    } else if (const auto* beside = std::get_if<Beside>(&block)) {
      for (const Section& part : beside->parts) add_figures(part, figures);
    }
  }
}

}  // namespace

Cell Cell::number(double value, int digits) {
  return {fmt::format("{:.{}f}", without_negative_zero(value, digits), digits), value};
}

Cell Cell::estimate(double value, double error, int digits) {
  const auto figure = [&](double number) { return fmt::format("{:.{}f}", number, digits); };
  return {with_error(figure(value), error, figure), value, error};
}

Cell Cell::difference(double value, int digits) {
  return {fmt::format("{:+.{}f}", without_negative_zero(value, digits), digits), value};
}

Cell Cell::share(std::size_t some, std::size_t all) {
  return {fmt::format("{} of {}", some, all), static_cast<double>(some)};
}

Cell Cell::count(std::size_t value) { return {fmt::format("{}", value), static_cast<double>(value)}; }

void Table::add(std::vector<Cell> row) {
  assert(row.size() == columns.size());
  rows.push_back(std::move(row));
}

std::string to_text(const Document& document) {
  std::string text = document.title + "\n";
  for (const Paragraph& paragraph : document.lead) text += fmt::format("\n{}\n", paragraph.text);
  for (const Section& section : document.sections) {
    text += fmt::format("\n== {} ({})\n", section.title, section.name);
    for (const Block& block : section.blocks) text += fmt::format("\n{}", std::visit(TextWriter{}, block));
  }
  return text;
}

std::string to_markdown(const Document& document, std::string_view figure_folder) {
  std::string text = "# " + document.title + "\n";
  for (const Paragraph& paragraph : document.lead) text += fmt::format("\n{}\n", paragraph.text);
  for (const Section& section : document.sections) {
    text += "\n## " + section.title + "\n";
    for (const Block& block : section.blocks) {
      text += fmt::format("\n{}", std::visit(MarkdownWriter{figure_folder}, block));
    }
  }
  return text;
}

nlohmann::ordered_json to_json(const Document& document) {
  Json json = {{"title", document.title}, {"notes", Json::array()}, {"sections", Json::array()}};
  for (const Paragraph& paragraph : document.lead) json["notes"].push_back(paragraph.text);
  for (const Section& section : document.sections) json["sections"].push_back(section_json(section));
  return json;
}

std::vector<const Figure*> figures_of(const Document& document) {
  std::vector<const Figure*> figures;
  for (const Section& section : document.sections) add_figures(section, figures);
  return figures;
}

}  // namespace ndnf
