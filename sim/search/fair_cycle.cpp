#include "sim/search/fair_cycle.h"

#include <algorithm>
#include <utility>

#include "sim/base/verify.h"

namespace lockstep::sim {

void FairGraph::add(std::uint32_t from, const Step& step, QuestionMask open) {
  VERIFY(step.to <= open_.size());
  if (step.to == open_.size()) open_.push_back(open);
  while (begins_.size() <= from) begins_.push_back(steps_.size());
  VERIFY(begins_.size() == from + std::size_t{1});
  steps_.push_back(step);
  actors_ = std::max<std::uint16_t>(actors_, static_cast<std::uint16_t>(step.actor + 1));
}

/// Tarjan's algorithm with the path kept by hand: state graphs are deeper than call stacks. Calls
/// visit(states of the part).
template <class Visit>
void FairGraph::for_each_part(QuestionMask question, Visit visit) const {
  struct Frame {
    std::uint32_t state;
    std::size_t next;  // of its steps
  };
  constexpr std::uint32_t unmet = 0, finished = ~std::uint32_t{0};
  std::vector<std::uint32_t> orders(states(), unmet), lows(states(), 0), waiting, part;
  std::vector<Frame> path;
  std::uint32_t order = 0;
  const auto enter = [&](std::uint32_t state) {
    orders[state] = lows[state] = ++order;
    waiting.push_back(state);
    path.push_back({state, begin_of(state)});
  };
  const auto leave = [&] {
    const std::uint32_t state = path.back().state;
    path.pop_back();
    if (!path.empty()) lows[path.back().state] = std::min(lows[path.back().state], lows[state]);
    if (lows[state] != orders[state]) return;
    part.clear();
    do {
      part.push_back(waiting.back());
      orders[waiting.back()] = finished;
      waiting.pop_back();
    } while (part.back() != state);
    visit(part);
  };
  for (std::uint32_t start = 0; start < states(); ++start) {
    if ((open_[start] & question) == 0 || orders[start] != unmet) continue;
    enter(start);
    while (!path.empty()) {
      Frame& top = path.back();
      if (top.next == begin_of(top.state + 1)) {
        leave();
        continue;
      }
      const Step& step = steps_[top.next++];
      if (!stays(step, question) || orders[step.to] == finished) continue;
      if (orders[step.to] == unmet) enter(step.to);
      else lows[top.state] = std::min(lows[top.state], orders[step.to]);
    }
  }
}

/// One strongly connected part: whether going round it is fair, and a lap that is.
class FairLap {
 public:
  FairLap(const FairGraph& graph, QuestionMask question, std::vector<std::uint32_t> part)
      : graph_(graph),
        question_(question),
        part_(std::move(part)),
        able_(graph.actors_),
        acts_(graph.actors_) {
    std::sort(part_.begin(), part_.end());
    std::vector<bool> able;
    for (const std::uint32_t state : part_) {
      able_in(state, able);
      for (std::size_t actor = 0; actor < able.size(); ++actor) able_[actor] += able[actor] ? 1 : 0;
      for_each_inside(state, [&](const FairGraph::Step& step, std::uint32_t) {
        acts_[step.actor] = true;
        time_passes_ = time_passes_ || step.passes_time;
      });
    }
  }

  std::uint32_t least() const { return part_.front(); }

  bool is_fair() const {
    if (!time_passes_) return false;
    for (std::size_t actor = 0; actor < able_.size(); ++actor)
      if (able_[actor] == part_.size() && !acts_[actor]) return false;
    return true;
  }

  /// From the least state on to the nearest place at which something is met that makes a lap fair, until
  /// nothing is left to be met, and back.
  std::vector<FairGraph::Taken> taken() {
    Wanted wanted{true, std::vector<bool>(able_.size(), true)};
    std::vector<FairGraph::Taken> lap;
    std::uint32_t at = least();
    for (;;) {
      meet_state(at, wanted);
      if (!wanted.any()) break;
      go(at, lap, [&](const FairGraph::Step& step) { return helps(step, wanted); });
      const FairGraph::Taken& last = lap.back();
      meet_step(graph_.steps_[graph_.begin_of(last.from) + last.place], wanted);
    }
    if (lap.empty() || at != least())
      go(at, lap, [&](const FairGraph::Step& step) { return step.to == least(); });
    return lap;
  }

 private:
  struct Wanted {
    bool time = true;
    std::vector<bool> actors;
    bool any() const { return time || std::find(actors.begin(), actors.end(), true) != actors.end(); }
  };
  struct Reached {
    std::uint32_t state;
    std::size_t from;  // in the same list
    FairGraph::Taken by;
  };

  bool is_inside(std::uint32_t state) const { return std::binary_search(part_.begin(), part_.end(), state); }

  /// Calls visit(step, its place) for what does not lead out of the part.
  template <class Visit>
  void for_each_inside(std::uint32_t state, Visit visit) const {
    const std::size_t begin = graph_.begin_of(state), end = graph_.begin_of(state + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const FairGraph::Step& step = graph_.steps_[i];
      if (graph_.stays(step, question_) && is_inside(step.to))
        visit(step, static_cast<std::uint32_t>(i - begin));
    }
  }

  void able_in(std::uint32_t state, std::vector<bool>& able) const {
    able.assign(graph_.actors_, false);
    for (std::size_t i = graph_.begin_of(state); i < graph_.begin_of(state + 1); ++i)
      if (!graph_.steps_[i].fault) able[graph_.steps_[i].actor] = true;
  }

  void meet_state(std::uint32_t state, Wanted& wanted) const {
    std::vector<bool> able;
    able_in(state, able);
    for (std::size_t actor = 0; actor < able.size(); ++actor)
      if (!able[actor]) wanted.actors[actor] = false;
  }
  static void meet_step(const FairGraph::Step& step, Wanted& wanted) {
    wanted.actors[step.actor] = false;
    if (step.passes_time) wanted.time = false;
  }
  bool helps(const FairGraph::Step& step, const Wanted& wanted) const {
    if (wanted.actors[step.actor] || (wanted.time && step.passes_time)) return true;
    std::vector<bool> able;
    able_in(step.to, able);
    for (std::size_t actor = 0; actor < able.size(); ++actor)
      if (wanted.actors[actor] && !able[actor]) return true;
    return false;
  }

  /// Breadth first by at least one step, until one is it.
  template <class IsIt>
  void go(std::uint32_t& at, std::vector<FairGraph::Taken>& lap, IsIt is_it) const {
    std::vector<bool> met(part_.size(), false);
    std::vector<Reached> reached{{at, 0, {}}};
    for (std::size_t next = 0; next < reached.size(); ++next) {
      std::optional<Reached> found;
      for_each_inside(reached[next].state, [&](const FairGraph::Step& step, std::uint32_t place) {
        if (found) return;
        const Reached one{step.to, next, {reached[next].state, place}};
        if (is_it(step)) found = one;
        const auto where = std::lower_bound(part_.begin(), part_.end(), step.to) - part_.begin();
        if (met[static_cast<std::size_t>(where)]) return;
        met[static_cast<std::size_t>(where)] = true;
        reached.push_back(one);
      });
      if (!found) continue;
      std::vector<FairGraph::Taken> way{found->by};
      for (std::size_t i = next; i != 0; i = reached[i].from) way.push_back(reached[i].by);
      lap.insert(lap.end(), way.rbegin(), way.rend());
      at = found->state;
      return;
    }
    UNREACHABLE("all of a part can be reached from each state of it");
  }

  const FairGraph& graph_;
  QuestionMask question_;
  std::vector<std::uint32_t> part_;  // ascending
  std::vector<std::size_t> able_;    // by actor: in how many states it can act
  std::vector<bool> acts_;           // by actor: it takes a step inside
  bool time_passes_ = false;
};

std::optional<std::vector<FairGraph::Taken>> FairGraph::lap(unsigned question) const {
  const QuestionMask its = QuestionMask{1} << question;
  std::optional<FairLap> best;
  for_each_part(its, [&](const std::vector<std::uint32_t>& part) {
    FairLap one(*this, its, part);
    if (one.is_fair() && (!best || one.least() < best->least())) best.emplace(std::move(one));
  });
  if (!best) return std::nullopt;
  return best->taken();
}

}  // namespace lockstep::sim
