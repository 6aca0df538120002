#include "tools/graph/searched_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "properties/check/checked.h"
#include "sim/base/verify.h"
#include "sim/search/search.h"
#include "tools/cli/lock_view.h"

namespace lockstep::tools {

namespace {

using properties::Checked;
using Outcome = sim::Outcome<Checked>;

constexpr std::size_t digits_shown = 12;

constexpr std::size_t labels_shown = 2;

/// What leads from one node to another, whichever moves they are, is one edge with the first of their labels.
/// What stays inside a node is one loop without any.
reports::StateGraph merged(reports::StateGraph graph) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> by_ends;
  std::vector<reports::StateEdge> edges;
  std::vector<std::size_t> labels;
  for (reports::StateEdge& edge : graph.edges) {
    const auto [found, fresh] = by_ends.emplace(std::pair{edge.from, edge.to}, edges.size());
    if (fresh) {
      if (edge.from == edge.to) edge.label = "inside";
      edges.push_back(std::move(edge));
      labels.push_back(1);
      continue;
    }
    reports::StateEdge& first = edges[found->second];
    first.count += edge.count;
    first.tree |= edge.tree;
    first.on_path |= edge.on_path;
    if (++labels[found->second] <= labels_shown && edge.from != edge.to) first.label += "\n" + edge.label;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool loop = edges[i].from == edges[i].to;
    if (labels[i] > labels_shown && !loop)
      edges[i].label += fmt::format("\n+{} more", labels[i] - labels_shown);
  }
  graph.edges = std::move(edges);
  return graph;
}

class Drawer {
 public:
  Drawer(const model::Setup& setup, GraphView view, bool with_now)
      : setup_(setup), view_(view), system_(setup, {.with_now = with_now}) {}

  Outcome search(std::uint64_t states_max) {
    add_node(system_.initial());
    graph_.nodes.front().initial = true;
    sim::SearchOptions<Checked> how;
    how.limits = {.states_max = std::min(states_max, sim::SearchLimits{}.states_max),
                  .stop = [this] { return system_.needs_now(); }};
    how.symmetry = false;
    how.zeno = false;
    how.on_edge = [this](const sim::Edge<Checked>& edge) { add_edge(edge); };
    return sim::explore(system_, how);
  }

  bool needs_now() const { return system_.needs_now(); }

  SearchedGraph finish(const Outcome& outcome) {
    mark_at_rest(outcome.complete());
    SearchedGraph done;
    if (!outcome.violations.empty()) {
      const auto& first = outcome.violations.front();
      done.counterexample = properties::catalog[first.property].name;
      mark_path(first.trail);
    }
    done.graph = view_ == GraphView::full ? graph_ : merged(reports::fold(graph_));
    done.states = outcome.states;
    done.transitions = outcome.transitions;
    done.complete = outcome.complete();
    return done;
  }

 private:
  void add_node(const Checked::State& state) {
    reports::StateNode node;
    node.label = lock_view(state, setup_);
    if (view_ == GraphView::full)
      node.label = sim::hex(system_.digest(state)).substr(0, digits_shown) + "\n" + node.label;
    node.violating = system_.violated(state) != 0;
    graph_.nodes.push_back(std::move(node));
  }

  void add_edge(const sim::Edge<Checked>& edge) {
    if (edge.fresh) add_node(edge.state);
    graph_.edges.push_back({.from = edge.from, .to = edge.to, .label = system_.show(edge.move),
                            .tree = edge.fresh});
  }

  /// Only what the search has expanded is known to have no moves: states are expanded in their order.
  void mark_at_rest(bool complete) {
    std::vector<bool> moves(graph_.nodes.size());
    for (const reports::StateEdge& edge : graph_.edges) moves[edge.from] = true;
    const std::size_t expanded = complete             ? graph_.nodes.size()
                                 : graph_.edges.empty() ? 0
                                                        : graph_.edges.back().from;
    for (std::size_t i = 0; i < expanded; ++i) graph_.nodes[i].at_rest = !moves[i];
  }

  /// The edges out of one state stand together, in the order of their states.
  void mark_path(const sim::Decisions<Checked>& trail) {
    std::size_t at = 0;
    graph_.nodes[at].on_path = true;
    for (const auto& decision : trail) {
      auto edge = std::lower_bound(
          graph_.edges.begin(), graph_.edges.end(), at,
          [](const reports::StateEdge& e, std::size_t from) { return e.from < from; });
      edge += decision.index;
      VERIFY(edge < graph_.edges.end() && edge->from == at);
      edge->on_path = true;
      at = edge->to;
      graph_.nodes[at].on_path = true;
    }
  }

  const model::Setup& setup_;
  GraphView view_;
  Checked system_;
  reports::StateGraph graph_;
};

}  // namespace

SearchedGraph search_graph(const model::Setup& setup, GraphView view, std::uint64_t states_max) {
  for (const bool with_now : {false, true}) {
    Drawer drawer(setup, view, with_now);
    const Outcome outcome = drawer.search(states_max);
    if (!drawer.needs_now()) return drawer.finish(outcome);
  }
  UNREACHABLE("a search that counts `now` in does not need it once more");
}

}  // namespace lockstep::tools
