#include "tools/graph/searched_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/check/prefix.h"
#include "properties/monitors/all_properties.h"
#include "reports/diagrams/folding.h"
#include "sim/base/verify.h"
#include "sim/search/search.h"
#include "tools/cli/lock_view.h"
#include "tools/cli/work_watch.h"

namespace lockstep::tools {

namespace {

using properties::Checked;
using Outcome = sim::Outcome<Checked>;

constexpr std::size_t digits_shown = 12;

class Drawer {
 public:
  Drawer(const model::Setup& setup, GraphView view, bool with_now)
      : setup_(setup), view_(view), system_(setup, {.with_now = with_now}) {
    const properties::MadeMoves made = properties::prefix_of(setup).moves;
    properties::begin_behind(system_, made);
    behind_ = made.size();
  }

  Outcome search(const GraphLimits& limits) {
    add_state(system_.initial());
    sim::SearchOptions<Checked> how;
    how.limits = {.states_max = std::min(limits.states_max, sim::SearchLimits{}.states_max),
                  .stop = [this] { return system_.needs_now(); }};
    if (limits.memory_max) {
      how.limits.memory_bytes_max = *limits.memory_max;
      if (resident_bytes() != 0) how.limits.memory_held = resident_bytes;
    }
    how.symmetry = false;
    how.zeno = false;
    how.on_edge = [this](const sim::Edge<Checked>& edge) { add_edge(edge); };
    return sim::explore(system_, how);
  }

  bool needs_now() const { return system_.needs_now(); }

  SearchedGraph finish(const Outcome& outcome, const std::vector<Decided>* run) {
    if (outcome.complete()) rest_until(classes_.size());
    SearchedGraph done;
    std::vector<model::Move> way;
    if (run) {
      for (std::size_t i = behind_; i < run->size(); ++i) way.push_back((*run)[i].taken);
      done.path = "the way of this run";
    } else if (!outcome.violations.empty()) {
      const auto& first = outcome.violations.front();
      for (const auto& decision : first.trail) way.push_back(decision.move);
      done.path = fmt::format("the shortest way to break {}",
                              properties::name_of(static_cast<properties::Property>(first.property), setup_));
    }
    done.nodes_of_run = mark_path(way);
    done.graph = folding_.finish();
    done.states = outcome.states;
    done.transitions = outcome.transitions;
    done.complete = outcome.complete();
    done.memory_was_up = outcome.ended == sim::SearchEnd::memory;
    return done;
  }

 private:
  std::string label_of(const Checked::State& state) const {
    if (view_ == GraphView::number) return lock_numbers(state, setup_);
    const std::string text = lock_view(state, setup_, view_ == GraphView::holder);
    if (view_ != GraphView::full) return text;
    return sim::hex(system_.digest(state)).substr(0, digits_shown) + "\n" + text;
  }

  void add_state(const Checked::State& state) {
    classes_.push_back(folding_.add(label_of(state), classes_.empty(), system_.violated(state) != 0));
  }

  void add_edge(const sim::Edge<Checked>& edge) {
    if (edge.fresh) add_state(edge.state);
    rest_until(edge.from);
    expanded_ = edge.from + std::size_t{1};
    std::string move = system_.show(edge.move);
    if (view_ == GraphView::number) move.resize(std::min(move.find(' '), move.size()));  // no names there
    folding_.move(classes_[edge.from], classes_[edge.to], move);
  }

  /// States are expanded in their order, so those that were passed over without an edge have no moves.
  void rest_until(std::size_t state) {
    for (; expanded_ < state; ++expanded_) folding_.rests(classes_[expanded_]);
  }

  std::vector<std::size_t> mark_path(const std::vector<model::Move>& way) {
    Checked::State state = system_.initial();
    std::vector<std::size_t> nodes(behind_ + 1, classes_.front());
    for (std::size_t i = 0; i < way.size(); ++i) {
      system_.apply(state, way[i]);
      const reports::Folding::Class next = folding_.find(label_of(state));
      folding_.step(static_cast<reports::Folding::Class>(nodes.back()), next, behind_ + i + 1,
                    system_.show(way[i]));
      nodes.push_back(next);
    }
    return nodes;
  }

  const model::Setup& setup_;
  GraphView view_;
  Checked system_;
  std::size_t behind_ = 0;  // so many moves, the first state
  reports::Folding folding_;
  std::vector<reports::Folding::Class> classes_;  // of each state, in the order in which they were met
  std::size_t expanded_ = 0;                      // states of which it is known whether they have moves
};

}  // namespace

SearchedGraph search_graph(const model::Setup& setup, GraphView view, const GraphLimits& limits,
                           const std::vector<Decided>* run) {
  for (const bool with_now : {false, true}) {
    Drawer drawer(setup, view, with_now);
    const Outcome outcome = drawer.search(limits);
    if (!drawer.needs_now()) return drawer.finish(outcome, run);
  }
  UNREACHABLE("a search that counts `now` in does not need it once more");
}

}  // namespace lockstep::tools
