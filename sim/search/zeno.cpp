#include "sim/search/zeno.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockstep::sim {

namespace {

enum class Colour : std::uint8_t { unmet, on_path, finished };

/// Depth-first search with the path kept by hand: state graphs are deeper than call stacks.
class CycleSearch {
 public:
  CycleSearch(const Edges& edges, std::size_t states) : edges_(edges), colours_(states) {}

  /// Any cycle.
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
    return cycle;
  }

  const Edges& edges_;
  std::vector<Colour> colours_;
  std::vector<Frame> path_;
};

/// From each state that cycles may begin with, breadth first back to it.
class ShortestCycle {
 public:
  ShortestCycle(const Edges& edges, const Parents& parents)
      : edges_(edges),
        depths_(parents.size()),
        met_(parents.size()),
        left_(looks * (edges.size() + parents.size())) {
    for (std::uint32_t state = 1; state < depths_.size(); ++state)
      depths_[state] = depths_[parents.from(state)] + 1;
  }

  /// At least as short as `known`.
  std::vector<std::uint32_t> find(std::vector<std::uint32_t> known) {
    std::rotate(known.begin(), std::min_element(known.begin(), known.end()), known.end());
    std::size_t moves_max = depths_[known.front()] + known.size();
    for (std::uint32_t state = 0; state < depths_.size() && left_ > 0; ++state) {
      if (depths_[state] + 1 > moves_max || (depths_[state] + 1 == moves_max && state >= known.front()))
        continue;
      std::vector<std::uint32_t> lap = lap_from(state, moves_max - depths_[state]);
      if (lap.empty() || (depths_[state] + lap.size() == moves_max && state >= known.front())) continue;
      known = std::move(lap);
      moves_max = depths_[state] + known.size();
    }
    return known;
  }

 private:
  static constexpr std::size_t looks = 16;

  struct Reached {
    std::uint32_t state;
    std::size_t from;  // in the same list
    std::size_t moves;
  };

  /// The shortest lap of at most so many moves; empty if there is none.
  std::vector<std::uint32_t> lap_from(std::uint32_t first, std::size_t moves_max) {
    ++lap_;
    reached_.assign(1, {first, 0, 0});
    for (std::size_t at = 0; at < reached_.size() && reached_[at].moves < moves_max; ++at)
      for (Edges::OfState edges = edges_.of(reached_[at].state); !edges.is_at_end();) {
        if (left_ == 0) return {};
        --left_;
        const Edges::Edge edge = edges.take();
        if (!edge.timeless) continue;
        if (edge.to == first) return way_to(at);
        if (met_[edge.to] == lap_) continue;
        met_[edge.to] = lap_;
        reached_.push_back({edge.to, at, reached_[at].moves + 1});
      }
    return {};
  }

  std::vector<std::uint32_t> way_to(std::size_t at) const {
    std::vector<std::uint32_t> way;
    for (; at != 0; at = reached_[at].from) way.push_back(reached_[at].state);
    way.push_back(reached_.front().state);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const Edges& edges_;
  std::vector<std::size_t> depths_;  // by state: by how many moves it was reached first
  std::vector<std::uint32_t> met_;   // by state: in which search for a lap last
  std::uint32_t lap_ = 0;
  std::vector<Reached> reached_;
  std::size_t left_;  // so many edges may be looked at yet
};

}  // namespace

std::vector<std::uint32_t> find_cycle(const Edges& edges, const Parents& parents) {
  std::vector<std::uint32_t> any = CycleSearch{edges, parents.size()}.find();
  return any.empty() ? any : ShortestCycle{edges, parents}.find(std::move(any));
}

}  // namespace lockstep::sim
