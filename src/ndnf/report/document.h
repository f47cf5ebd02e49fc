#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// One entry of a table: its text and the number behind it.
struct Cell {
  std::string text;
  std::optional<double> value{};
  std::optional<double> error{};  ///< Its standard error.

  /// "-9.025".
  static Cell number(double value, int digits);
  /// "-9.025 ± 0.006".
  static Cell estimate(double value, double error, int digits);
  /// "+0.311".
  static Cell difference(double value, int digits);
  /// "26 of 32"; the figure is the 26.
  static Cell share(std::size_t some, std::size_t all);
  static Cell count(std::size_t value);
  static Cell none() { return {"–"}; }
};

struct Column {
  std::string key;  ///< Its name in JSON.
  std::string title;
  bool right = true;  ///< Right-aligned, as numbers are.
};

struct Table {
  std::string name;  ///< Its name in JSON.
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows{};

  /// REQUIRES: one cell per column.
  void add(std::vector<Cell> row);
};

/// A paragraph in which `code` and *emphasis* are marked as in Markdown.
struct Paragraph {
  std::string text;
};

struct Figure {
  std::string name;  ///< The name of its file, without extension.
  std::string title;
  std::string svg;
};

struct Listing {
  std::string title;
  std::string text;
  std::vector<std::string> actions{};  ///< In HTML their names have the colours of their numbers.
  bool folded = false;                 ///< In HTML it is opened by a click.
};

struct Section;
/// Parts that are compared: side by side in HTML, one after the other elsewhere.
struct Beside {
  std::vector<Section> parts;
};

using Block = std::variant<Paragraph, Table, Figure, Listing, Beside>;

struct Section {
  std::string name;
  std::string title;
  std::vector<Block> blocks{};
};

/// A report that can be printed as text, Markdown, HTML or JSON.
struct Document {
  std::string title;
  std::vector<Paragraph> lead{};
  std::vector<Section> sections{};
};

/// For a terminal; figures are left out.
std::string to_text(const Document& document);
/// Figures are named as `FOLDER/NAME.svg`.
std::string to_markdown(const Document& document, std::string_view figure_folder);
/// One self-contained page with embedded figures: light or dark as the reader's system is, and for print.
std::string to_html(const Document& document);
/// The tables: a row is an object with one field per column, and `KEY_stderr` if the cell has an error.
nlohmann::ordered_json to_json(const Document& document);

/// Every figure of the document, in order.
std::vector<const Figure*> figures_of(const Document& document);

}  // namespace ndnf
