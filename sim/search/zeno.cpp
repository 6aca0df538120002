#include "sim/search/zeno.h"

#include <algorithm>
#include <optional>

namespace lockstep::sim {

namespace {

enum class Colour : std::uint8_t { unmet, on_path, finished };

/// Depth-first search with the path kept by hand: state graphs are deeper than call stacks.
class CycleSearch {
 public:
  CycleSearch(const Edges& edges, std::size_t states) : edges_(edges), colours_(states) {}

  std::vector<std::uint32_t> find() {
    for (std::uint32_t state = 0; state < colours_.size(); ++state) {
      if (colours_[state] != Colour::unmet) continue;
      enter(state);
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

  void enter(std::uint32_t state) {
    path_.push_back({state, edges_.begin_of(state)});
    colours_[state] = Colour::on_path;
  }

  /// One step of the search; the state that closes a cycle, if this step found one.
  std::optional<std::uint32_t> advance() {
    Frame& top = path_.back();
    const std::size_t end = edges_.end_of(top.state);
    while (top.next < end && !edges_.is_timeless(top.next)) ++top.next;
    if (top.next == end) {
      colours_[top.state] = Colour::finished;
      path_.pop_back();
      return std::nullopt;
    }
    const std::uint32_t to = edges_.to(top.next++);
    if (colours_[to] == Colour::on_path) return to;
    if (colours_[to] == Colour::unmet) enter(to);
    return std::nullopt;
  }

  std::vector<std::uint32_t> cycle_from(std::uint32_t first) const {
    std::vector<std::uint32_t> cycle;
    auto frame = std::find_if(path_.begin(), path_.end(), [&](const Frame& f) { return f.state == first; });
    for (; frame != path_.end(); ++frame) cycle.push_back(frame->state);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }

  const Edges& edges_;
  std::vector<Colour> colours_;
  std::vector<Frame> path_;
};

}  // namespace

std::vector<std::uint32_t> find_cycle(const Edges& edges, std::size_t states) {
  return CycleSearch{edges, states}.find();
}

}  // namespace lockstep::sim
