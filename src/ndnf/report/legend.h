#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// The width of a text in a picture, estimated: viewers have different fonts.
double text_width(const std::string& text, double size);

/// What the signs of a picture mean: small samples with words, in lines from left to right.
class Legend {
 public:
  /// `sample(svg, x, y, size)` draws into the square with that top left corner.
  using Sample = std::function<void(Svg& svg, double x, double y, double size)>;

  void add(Sample sample, std::string words) { entries_.push_back({std::move(sample), std::move(words)}); }
  /// Words without a sample.
  void add(std::string words) { entries_.push_back({nullptr, std::move(words)}); }
  bool empty() const { return entries_.empty(); }

  /// The height that it takes when lines are at most so wide.
  double height(double width) const { return lay_out(width, nullptr, 0, 0); }
  void draw(Svg& svg, double x, double y, double width) const { lay_out(width, &svg, x, y); }

 private:
  struct Entry {
    Sample sample;
    std::string words;
  };
  double lay_out(double width, Svg* svg, double left, double top) const;

  std::vector<Entry> entries_;
};

}  // namespace ndnf
