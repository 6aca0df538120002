#include "sim/search/zeno.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::sim {

namespace {

enum class Colour : std::uint8_t { unmet, on_path, finished };

/// Depth-first search with the path kept by hand: state graphs are deeper than call stacks.
class CycleSearch {
 public:
  CycleSearch(std::span<const TimelessEdge> edges, std::size_t states) : edges_(edges), colours_(states) {
    VERIFY(std::is_sorted(edges.begin(), edges.end(), by_from));
  }

  std::vector<std::uint32_t> find() {
    for (const TimelessEdge& edge : edges_) {
      if (colours_[edge.from] != Colour::unmet) continue;
      enter(edge.from);
      while (!path_.empty()) {
        if (const auto back = advance()) return cycle_from(*back);
      }
    }
    return {};
  }

 private:
  struct Frame {
    std::uint32_t state;
    std::size_t next;  // the edge to follow next
  };

  static bool by_from(const TimelessEdge& a, const TimelessEdge& b) { return a.from < b.from; }

  void enter(std::uint32_t state) {
    const auto first = std::lower_bound(edges_.begin(), edges_.end(), TimelessEdge{state, 0}, by_from);
    path_.push_back({state, static_cast<std::size_t>(first - edges_.begin())});
    colours_[state] = Colour::on_path;
  }

  /// One step of the search; the state that closes a cycle, if this step found one.
  const std::uint32_t* advance() {
    Frame& top = path_.back();
    if (top.next == edges_.size() || edges_[top.next].from != top.state) {
      colours_[top.state] = Colour::finished;
      path_.pop_back();
      return nullptr;
    }
    const std::uint32_t& to = edges_[top.next++].to;
    if (colours_[to] == Colour::on_path) return &to;
    if (colours_[to] == Colour::unmet) enter(to);
    return nullptr;
  }

  std::vector<std::uint32_t> cycle_from(std::uint32_t first) const {
    std::vector<std::uint32_t> cycle;
    auto frame = std::find_if(path_.begin(), path_.end(), [&](const Frame& f) { return f.state == first; });
    for (; frame != path_.end(); ++frame) cycle.push_back(frame->state);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }

  std::span<const TimelessEdge> edges_;
  std::vector<Colour> colours_;
  std::vector<Frame> path_;
};

}  // namespace

std::vector<std::uint32_t> find_cycle(std::span<const TimelessEdge> edges, std::size_t states) {
  return CycleSearch{edges, states}.find();
}

}  // namespace lockstep::sim
