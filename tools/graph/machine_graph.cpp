#include "tools/graph/machine_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/client/stages.h"
#include "properties/check/checked.h"
#include "reports/diagrams/folding.h"
#include "reports/text/text.h"
#include "scenarios/format/step_parser.h"
#include "sim/search/search.h"

namespace lockstep::tools {

namespace {

using properties::Checked;
using Stage = reports::Folding::Class;

/// Where a call is: its slot (the thread's own, that which made it, or a future's), and its stage.
struct CallPlace {
  std::uint32_t slot = 0;
  Stage stage = 0;
  std::string_view verb;
};

class MachineWatcher {
 public:
  MachineWatcher(const model::Setup& setup, const std::string& kind, bool with_now)
      : setup_(setup), kind_(kind), system_(setup, {.with_now = with_now}) {}

  sim::Outcome<Checked> search(std::uint64_t states_max) {
    places_.push_back(places_in(system_.initial()));
    sim::SearchOptions<Checked> how;
    how.limits = {.states_max = std::min(states_max, sim::SearchLimits{}.states_max),
                  .stop = [this] { return system_.needs_now(); }};
    how.symmetry = false;
    how.zeno = false;
    how.on_edge = [this](const sim::Edge<Checked>& edge) { follow(edge); };
    return sim::explore(system_, how);
  }

  bool needs_now() const { return system_.needs_now(); }
  bool found() const { return !stages_.empty(); }

  reports::StateGraph graph() const {
    reports::StateGraph drawn = folding_.finish();
    std::vector<bool> reached(drawn.nodes.size());
    for (const reports::StateEdge& edge : drawn.edges) reached[edge.from] = reached[edge.to] = true;
    for (std::size_t i = 0; i < drawn.nodes.size(); ++i) {
      drawn.nodes[i].count = 1;
      drawn.nodes[i].at_rest = !reached[i];
      if (!reached[i]) drawn.nodes[i].label += "\n(not reached here)";
    }
    return drawn;
  }

 private:
  /// All stages that the machine of a call declares, once; the first is "outside": there is no call.
  Stage stage_of(const model::Call& call, const model::Stages& stages) {
    const std::string kind(setup_.kinds[setup_.objects[call.object].kind]->name);
    const std::string name = fmt::format("{} · {}", kind.empty() ? "plain" : kind, stages.kind);
    const auto [known, fresh] = stages_.emplace(name, 0);
    if (fresh) {
      known->second = folding_.add(name + "\nno call", true, false);
      for (const std::string_view stage : stages.names)
        folding_.add(fmt::format("{}\n{}", name, stage), false, false);
    }
    return known->second + 1 + static_cast<Stage>(stages.at(call));
  }

  void add(std::vector<CallPlace>& places, const model::Call& call, std::uint32_t slot) {
    const auto* const kind = setup_.kinds[setup_.objects[call.object].kind];
    const model::Stages* const stages = model::stages_of(call);
    if (stages && (kind_.empty() || kind->name == kind_ || (kind_ == "plain" && kind->name.empty())))
      places.push_back({slot, stage_of(call, *stages), scenarios::word_of(call.verb)});
    if (!call.outer.empty()) add(places, call.outer.get<model::Outer>().call, slot + 1);
  }

  std::vector<CallPlace> places_in(const Checked::State& state) {
    constexpr std::uint32_t slots = 1U << 16;  // of one thread
    std::vector<CallPlace> places;
    for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
      const model::ThreadSetup& thread = setup_.threads[t];
      const model::Process& process = *state.world.processes[thread.process.index()];
      if (process.life == model::Process::Life::dead) continue;
      const model::Thread& its = process.threads[thread.place];
      const auto first = static_cast<std::uint32_t>(t) * slots;
      if (its.call) add(places, *its.call, first);
      for (const auto& [task, future] : its.futures)
        if (!future.call.state.empty()) add(places, future.call, first + task * 16U);
    }
    return places;
  }

  void follow(const sim::Edge<Checked>& edge) {
    std::vector<CallPlace> after = places_in(edge.state);
    const std::string move = system_.show(edge.move);
    const std::string verb = move.substr(0, move.find(' '));
    for (const CallPlace& was : places_[edge.from]) {
      const CallPlace* const is = find(after, was.slot);
      if (!is) folding_.move(was.stage, outside_of(was.stage), verb);
      else if (is->stage != was.stage) folding_.move(was.stage, is->stage, verb);
    }
    for (const CallPlace& is : after)
      if (!find(places_[edge.from], is.slot))
        folding_.move(outside_of(is.stage), is.stage, std::string(is.verb));
    if (edge.fresh) places_.push_back(std::move(after));
  }

  static const CallPlace* find(const std::vector<CallPlace>& places, std::uint32_t slot) {
    for (const CallPlace& one : places)
      if (one.slot == slot) return &one;
    return nullptr;
  }

  /// The first class of the same machine.
  Stage outside_of(Stage stage) const {
    Stage best = 0;
    for (const auto& [name, first] : stages_)
      if (first <= stage) best = std::max(best, first);
    return best;
  }

  const model::Setup& setup_;
  const std::string& kind_;
  Checked system_;
  reports::Folding folding_;
  std::map<std::string, Stage> stages_;         // the first class of each kind and machine
  std::vector<std::vector<CallPlace>> places_;  // by state
};

}  // namespace

sim::Result<MachineGraph> machine_graph(const model::Setup& setup, const std::string& kind,
                                        std::uint64_t states_max) {
  for (const bool with_now : {false, true}) {
    MachineWatcher watcher(setup, kind, with_now);
    const auto outcome = watcher.search(states_max);
    if (watcher.needs_now()) continue;
    if (!watcher.found())
      return sim::Problem{
          fmt::format("no call of {} was met in {}",
                      kind.empty() ? "a lock" : "a lock of kind `" + reports::printable(kind) + "`",
                      reports::printable(setup.name))};
    MachineGraph done{watcher.graph(), outcome.states, outcome.transitions, outcome.complete(), ""};
    done.title = fmt::format("machines in {}: {} transitions between {} states{}", setup.name,
                             reports::grouped(done.transitions), reports::grouped(done.states),
                             done.complete ? "" : ", search cut at the limit");
    return done;
  }
  return sim::Problem{"the search needs the clock twice"};
}

}  // namespace lockstep::tools
