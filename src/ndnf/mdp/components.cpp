#include "ndnf/mdp/components.h"

#include <algorithm>
#include <cstddef>

namespace ndnf {
namespace {

/// Tarjan's algorithm with an explicit stack: long paths do not overflow the call stack. Linear.
class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<std::uint32_t>>& next)
      : next_(next), index_(next.size(), 0), low_(next.size(), 0), open_(next.size(), false) {}

  std::vector<std::vector<std::uint32_t>> run() {
    for (std::uint32_t root = 0; root < next_.size(); ++root) {
      if (index_[root] == 0) search(root);
    }
    return std::move(components_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t edge;
  };

  void enter(std::uint32_t node) {
    index_[node] = low_[node] = ++count_;
    open_[node] = true;
    path_.push_back(node);
    frames_.push_back({node, 0});
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t node = frame.node;
      if (frame.edge < next_[node].size()) {
        const std::uint32_t target = next_[node][frame.edge++];
        if (index_[target] == 0) {
          enter(target);
        } else if (open_[target]) {
          low_[node] = std::min(low_[node], index_[target]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] == index_[node]) close(node);
    }
  }

  void close(std::uint32_t root) {
    const auto begin = std::find(path_.rbegin(), path_.rend(), root).base() - 1;
    components_.emplace_back(begin, path_.end());
    for (auto it = begin; it != path_.end(); ++it) open_[*it] = false;
    path_.erase(begin, path_.end());
  }

  const std::vector<std::vector<std::uint32_t>>& next_;
  std::vector<std::uint32_t> index_;  // 0: not seen yet
  std::vector<std::uint32_t> low_;
  std::vector<bool> open_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> path_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::uint32_t>> components_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> strong_components(
    const std::vector<std::vector<std::uint32_t>>& next) {
  return Tarjan(next).run();
}

std::vector<bool> can_reach(const std::vector<std::vector<std::uint32_t>>& next, std::vector<bool> targets) {
  std::vector<std::vector<std::uint32_t>> before(next.size());
  for (std::uint32_t node = 0; node < next.size(); ++node) {
    for (const std::uint32_t target : next[node]) before[target].push_back(node);
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = 0; node < next.size(); ++node) {
    if (targets[node]) found.push_back(node);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::uint32_t node : before[found[i]]) {
      if (!targets[node]) found.push_back(node);
      targets[node] = true;
    }
  }
  return targets;
}

}  // namespace ndnf
