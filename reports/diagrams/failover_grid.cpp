#include "reports/diagrams/failover_grid.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/diagrams/ownership.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

std::vector<Epoch> epochs_of(const sim::Trace& trace) {
  std::vector<Epoch> epochs{{1, 0, trace.events.size()}};
  for (std::size_t at = 1; at < trace.events.size(); ++at) {
    const bool begins = trace.events[at].kind == TraceKind::promote;
    if (!begins || trace.events[at - 1].kind == TraceKind::promote) continue;
    epochs.back().end = at;
    epochs.push_back({epochs.size() + 1, at, trace.events.size()});
  }
  return epochs;
}

/// What is known of a node at some point of the run.
struct KnownNode {
  std::string role;
  bool down = false;
  std::map<std::string, std::string> keys;  // how each key that it stores is told

  std::string role_now() const { return down ? "down" : role; }
};

std::string key_text(const sim::Trace& trace, const sim::TraceEvent& event, sim::KeyChange change) {
  const auto left_ms = std::exchange(change.pttl_ms, std::nullopt);
  std::string text = change_text(trace, change);
  if (left_ms) text += " until " + time_text(deadline_us(event.time_us, *left_ms));
  return text;
}

class GridReader {
 public:
  GridReader(const sim::Trace& trace, FailoverGrid& grid) : trace_(trace), grid_(grid) {
    for (const sim::TraceActor& actor : trace.actors) {
      if (actor.kind != "redis") continue;
      grid.nodes.push_back(actor.id);
      now_[actor.id].role = cut(printable(actor.role), 24);
    }
  }

  /// Goes through all epochs, since each begins with what the one before it left.
  void read(const std::vector<Epoch>& epochs) {
    for (const Epoch& epoch : epochs) {
      std::vector<Cell> cells(grid_.nodes.size());
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i].first_role = now_[grid_.nodes[i]].role_now();
      std::vector<Copying> copying;
      for (std::size_t at = epoch.begin; at < epoch.end; ++at) follow(at, cells, copying);
      std::set<std::string> keys;
      for (const auto& [id, node] : now_)
        for (const auto& [key, text] : node.keys) keys.insert(key);
      for (std::size_t i = 0; i < cells.size(); ++i) close(cells[i], now_[grid_.nodes[i]], keys);
      grid_.cells.push_back(std::move(cells));
      grid_.copying.push_back(std::move(copying));
    }
  }

 private:
  void follow(std::size_t at, std::vector<Cell>& cells, std::vector<Copying>& copying) {
    const sim::TraceEvent& event = trace_.events[at];
    for (const sim::KeyChange& change : event.changes) {
      const auto node = now_.find(change.node);
      if (node == now_.end()) continue;
      if (change.present) node->second.keys[change.key] = key_text(trace_, event, change);
      else node->second.keys.erase(change.key);
    }
    const bool lost = event.kind == TraceKind::drop && now_.contains(event.who) && now_.contains(event.to);
    if (lost) between(copying, event.who, event.to).lost.push_back(at);
    if (event.kind == TraceKind::repl) between(copying, event.from, event.who).applied.push_back(at);
    const auto place = std::find(grid_.nodes.begin(), grid_.nodes.end(), event.who);
    if (place == grid_.nodes.end() || !is_fault(event.kind)) return;
    if (event.kind != TraceKind::hold && event.kind != TraceKind::release)
      cells[static_cast<std::size_t>(place - grid_.nodes.begin())].turns.push_back(at);
    KnownNode& node = now_[event.who];
    if (event.kind == TraceKind::crash) node.down = true;
    if (event.kind == TraceKind::restart) node.down = false;
    if (event.kind == TraceKind::promote) node.role = "master";
    if (event.kind == TraceKind::demote) node.role = "replica";
  }

  static Copying& between(std::vector<Copying>& copying, const std::string& from, const std::string& to) {
    for (Copying& one : copying)
      if (one.from == from && one.to == to) return one;
    copying.push_back({from, to, {}, {}});
    return copying.back();
  }

  static void close(Cell& cell, const KnownNode& node, const std::set<std::string>& keys) {
    cell.role = node.role_now();
    if (cell.first_role == "down" && cell.role == "down") return;
    for (const std::string& key : keys) {
      const auto stored = node.keys.find(key);
      if (stored != node.keys.end()) cell.stored.push_back({stored->second, false});
      else cell.stored.push_back({cut(printable(key), 60) + ": nothing", true});
    }
  }

  const sim::Trace& trace_;
  FailoverGrid& grid_;
  std::map<std::string, KnownNode> now_;
};

/// The first and the last epoch that are shown, both included.
std::pair<std::size_t, std::size_t> kept_epochs(const sim::Trace& trace, const std::vector<Epoch>& epochs,
                                                const Shown& shown, std::size_t epochs_max) {
  std::size_t first = 0, last = epochs.size() - 1;
  while (first < last && epochs[first].end <= shown.begin) ++first;
  while (last > first && epochs[last].begin >= shown.end) --last;
  if (last - first < epochs_max) return {first, last};
  const auto broken = std::find_if(trace.events.begin(), trace.events.end(),
                                   [](const auto& event) { return event.kind == TraceKind::prop; });
  const auto at = static_cast<std::size_t>(broken - trace.events.begin());
  while (last - first >= epochs_max && epochs[last].begin > at) --last;
  return {last + 1 - std::min(epochs_max, last - first + 1), last};
}

}  // namespace

FailoverGrid failover_grid(const sim::Trace& trace, const Window& window, std::size_t epochs_max) {
  FailoverGrid grid;
  const std::vector<Epoch> epochs = epochs_of(trace);
  GridReader(trace, grid).read(epochs);
  const auto [first, last] = kept_epochs(trace, epochs, shown_events(trace, window), epochs_max);
  const auto keep = [first = first, last = last](auto& list) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(last) + 1, list.end());
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first));
  };
  grid.epochs = epochs;
  grid.earlier = first;
  grid.later = epochs.size() - 1 - last;
  keep(grid.epochs);
  keep(grid.cells);
  keep(grid.copying);
  return grid;
}

}  // namespace lockstep::reports
