#include "ndnf/syntax/dependency_order.h"

#include <algorithm>
#include <utility>

namespace ndnf {
namespace {

/// Depth-first search with an explicit stack. A node is finished after all its dependencies, so the order of
/// finishing is a topological order; an edge to a node on the current path closes a cycle.
class Search {
 public:
  explicit Search(const Dependencies& needs) : needs_(needs), marks_(needs.size(), Mark::kNew) {}

  DependencyOrder run() {
    for (std::uint32_t node = 0; node < needs_.size(); ++node) {
      if (marks_[node] == Mark::kNew) visit(node);
    }
    return std::move(result_);
  }

 private:
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint32_t node;
    std::size_t next;  ///< Index of the next dependency.
  };

  void push(std::uint32_t node) {
    marks_[node] = Mark::kOnPath;
    path_.push_back({node, 0});
  }

  void visit(std::uint32_t root) {
    push(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == needs_[step.node].size()) {
        marks_[step.node] = Mark::kDone;
        result_.order.push_back(step.node);
        path_.pop_back();
        continue;
      }
      const std::uint32_t need = needs_[step.node][step.next++];
      if (marks_[need] == Mark::kNew) {
        push(need);
      } else if (marks_[need] == Mark::kOnPath) {
        record_cycle(need);
      }
    }
  }

  /// The path from `node` to the current node, which depends on `node`.
  void record_cycle(std::uint32_t node) {
    constexpr std::size_t kEnough = 100;
    if (result_.cycles.size() == kEnough) return;
    auto step = std::find_if(path_.begin(), path_.end(), [&](const Step& s) { return s.node == node; });
    auto& cycle = result_.cycles.emplace_back();
    for (; step != path_.end(); ++step) cycle.push_back(step->node);
  }

  const Dependencies& needs_;
  std::vector<Mark> marks_;
  std::vector<Step> path_;
  DependencyOrder result_;
};

}  // namespace

DependencyOrder order_by_dependency(const Dependencies& needs) { return Search(needs).run(); }

}  // namespace ndnf
