#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ndnf {

/// A minimal writer of standalone SVG images. Lengths are in user units, y grows downward; `style` is SVG
/// attribute text such as `fill="#333" stroke="none"`.
class Svg {
 public:
  using Points = std::vector<std::pair<double, double>>;

  Svg(double width, double height, std::string_view title);

  void rect(double x, double y, double width, double height, std::string_view style, double radius = 0);
  void circle(double x, double y, double radius, std::string_view style);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void polygon(const Points& points, std::string_view style);
  void polyline(const Points& points, std::string_view style);
  /// `data` is the value of SVG's `d` attribute.
  void path(std::string_view data, std::string_view style);
  /// `text` is escaped; `anchor` is start, middle or end; (x, y) is on the baseline.
  void text(double x, double y, double size, std::string_view text, std::string_view style,
            std::string_view anchor = "middle");

  /// Text that reads upward, its middle at (x, y).
  void upward_text(double x, double y, double size, std::string_view text, std::string_view style);
  /// What is drawn between the two has a description: browsers show it as a tooltip, readers read it aloud.
  void begin_group(std::string_view description);
  void end_group();
  /// Another picture, scaled to the largest size that fits into this box, at its top left.
  void embed(const Svg& picture, double x, double y, double width, double height);

  double width() const { return width_; }
  double height() const { return height_; }
  std::string to_string() const;

 private:
  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

}  // namespace ndnf
