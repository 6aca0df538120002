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
      while (!path_.empty())
        if (const auto back = advance()) return cycle_from(*back);
    }
    return {};
  }

 private:
  struct Frame {
    std::uint32_t state;
    Edges::OfState left;  // to follow
  };

  void enter(std::uint32_t state) {
    path_.push_back({state, edges_.of(state)});
    colours_[state] = Colour::on_path;
  }

  /// Follows the state on top to the next one that was not met, or back; the state that closes a cycle, if
  /// one was found.
  std::optional<std::uint32_t> advance() {
    Frame& top = path_.back();
    while (!top.left.is_at_end()) {
      const Edges::Edge edge = top.left.take();
      if (colours_[edge.to] == Colour::finished || !edge.timeless) continue;
      if (colours_[edge.to] == Colour::on_path) return edge.to;
      enter(edge.to);
      return std::nullopt;
    }
    colours_[top.state] = Colour::finished;
    path_.pop_back();
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
