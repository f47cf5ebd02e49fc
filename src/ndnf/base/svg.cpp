#include "ndnf/base/svg.h"

#include <fmt/format.h>

namespace ndnf {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string point_list(const Svg::Points& points) {
  std::string out;
  for (const auto& [x, y] : points) out += fmt::format("{}{:g},{:g}", out.empty() ? "" : " ", x, y);
  return out;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(title) {}

void Svg::rect(double x, double y, double width, double height, std::string_view style, double radius) {
  const std::string rounded = radius > 0 ? fmt::format(" rx=\"{:g}\"", radius) : "";
  body_ += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"{} {}/>\n", x, y, width,
                       height, rounded, style);
}

void Svg::circle(double x, double y, double radius, std::string_view style) {
  body_ += fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"{:g}\" {}/>\n", x, y, radius, style);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += fmt::format("<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" {}/>\n", x1, y1, x2, y2, style);
}

void Svg::polygon(const Points& points, std::string_view style) {
  body_ += fmt::format("<polygon points=\"{}\" {}/>\n", point_list(points), style);
}

void Svg::polyline(const Points& points, std::string_view style) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", point_list(points), style);
}

void Svg::path(std::string_view data, std::string_view style) {
  body_ += fmt::format("<path d=\"{}\" {}/>\n", data, style);
}

void Svg::text(double x, double y, double size, std::string_view text, std::string_view style,
               std::string_view anchor) {
  body_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" text-anchor=\"{}\" {}>{}</text>\n", x,
                       y, size, anchor, style, escaped(text));
}

void Svg::upward_text(double x, double y, double size, std::string_view text, std::string_view style) {
  this->text(x, y, size, text, fmt::format("{} transform=\"rotate(-90 {:g} {:g})\"", style, x, y));
}

void Svg::begin_group(std::string_view description) {
  body_ += fmt::format("<g><title>{}</title>\n", escaped(description));
}

void Svg::end_group() { body_ += "</g>\n"; }

void Svg::embed(const Svg& picture, double x, double y, double width, double height) {
  body_ += fmt::format(
      "<svg x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" viewBox=\"0 0 {:g} {:g}\" "
      "preserveAspectRatio=\"xMinYMin\">\n<title>{}</title>\n{}"
      "</svg>\n",
      x, y, width, height, picture.width_, picture.height_, escaped(picture.title_), picture.body_);
}

std::string Svg::to_string() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"sans-serif\" role=\"img\">\n<title>{2}</title>\n{3}</svg>\n",
      width_, height_, escaped(title_), body_);
}

}  // namespace ndnf
