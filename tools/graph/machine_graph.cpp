#include "tools/graph/machine_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "properties/check/checked.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/suggest.h"
#include "sim/base/verify.h"
#include "sim/search/search.h"
#include "tools/cli/load.h"
#include "tools/compare/questions.h"

namespace lockstep::tools {

namespace {

using model::Call;
using properties::Checked;

constexpr sim::ThreadId drawn_thread{};       // the first thread

std::string newest_set(const scenarios::ScriptLibrary& library) {
  std::string newest;
  for (const auto& [name, set] : library.sets)
    if (name.starts_with("redisson@") && (newest.empty() || scenarios::natural_less(newest, name)))
      newest = name;
  return newest;
}

/// The lock that a call of the kind is of, and what the other thread takes: one that is in its way.
std::pair<std::string, std::string> locks_of(const model::LockKind& kind) {
  if (kind.is_made_of_others()) return {fmt::format("{}:a+b", kind.name), "a"};
  const std::string lock = fmt::format("{}:x{}", kind.name, kind.shares_key ? "/a" : "");
  return {lock, kind.mode == model::Mode::shared ? "write:x" : lock};
}

/// What the first thread does, and what befalls it.
struct World {
  std::string program, faults;
};

std::vector<World> worlds_of(const model::LockKind& kind, const std::string& lock, bool future) {
  const std::string get = future ? " async', 'get" : "";
  const auto calls = [&](const char* call) {
    return fmt::format("'{}{}', 'unlock {}{}'", fmt::format(fmt::runtime(call), lock), get, lock, get);
  };
  const std::string interrupted = future ? "" : "[faults]\ninterrupt-thread = 1\n";
  std::vector<World> worlds{{calls("lock {}"), interrupted},
                            {calls("trylock {} wait=1s"), interrupted},
                            {calls("trylock {}"), ""}};
  if (!future) worlds.push_back({calls("lock-interruptibly {}"), interrupted});
  if (!kind.is_made_of_others() && !future) worlds.push_back({fmt::format("'force-unlock {}'", lock), ""});
  if (!kind.is_made_of_others()) return worlds;
  worlds.push_back({calls("lock {} lease=5s"), ""});
  // A member's server does not answer, and nothing is sent again.
  worlds.push_back({calls("trylock {} wait=9s"),
                    "[redisson]\nretry-attempts = 0\n[faults]\ncrash-node = 1\n"});
  return worlds;
}

/// The outermost call of the thread: that of a member is a step of the one that made it.
const Call* call_of(const model::Thread& thread, bool future) {
  const Call* call = thread.call && !future ? &*thread.call : nullptr;
  for (const auto& [task, one] : thread.futures)
    if (future && call == nullptr && !one.answer) call = &one.call;
  while (call != nullptr && !call->outer.empty()) call = &call->outer.get<model::Outer>().call;
  return call;
}

class MachineDrawer {
 public:
  MachineDrawer(const model::Setup& setup, const model::Machine& machine, bool future)
      : setup_(setup), machine_(machine), future_(future) {}

  /// Adds what the calls of one world do to the graph.
  void add(const model::Setup& setup, reports::StateGraph& graph,
           std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>>& moves,
           bool with_now = false) {
    Checked system(setup, {.with_now = with_now});
    std::vector<Checked::State> states{system.initial()};
    sim::SearchOptions<Checked> how;
    how.limits.states_max = states_max;
    how.symmetry = false;
    how.zeno = false;
    how.on_edge = [&](const sim::Edge<Checked>& edge) {
      if (edge.fresh) states.push_back(edge.state);
      const std::string from = label(states[edge.from]), to = label(states[edge.to]);
      if (from == to) return;
      const std::size_t tail = node(graph, from), head = node(graph, to);
      moves[{tail, head}].insert(moved_by(edge.move, states[edge.from], system));
    };
    node(graph, label(states.front()));
    const auto outcome = sim::explore(system, how);
    if (system.needs_now() && !with_now) return add(setup, graph, moves, true);
    searched += outcome.states;
    cut = cut || !outcome.complete();
  }

  std::uint64_t states_max = 0, searched = 0;
  bool cut = false;

 private:
  std::string label(const Checked::State& state) const {
    const model::Process& process = *state.world.processes[setup_.process_of(drawn_thread).index()];
    if (process.life == model::Process::Life::dead) return "dead";
    const Call* call = call_of(process.threads[setup_.threads[drawn_thread.index()].place], future_);
    if (call != nullptr && (future_ || &model::machine_of(setup_, *call) == &machine_))
      return std::string(machine_.states[machine_.state(*call)]);
    const auto& held = state.monitors->beliefs.held;
    const bool holds = std::any_of(held.begin(), held.end(), [](const auto& one) {
      return one.first.thread == drawn_thread && one.second.depth > 0;
    });
    return holds ? "no call, holds the lock" : "no call";
  }

  static std::size_t node(reports::StateGraph& graph, const std::string& label) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (graph.nodes[i].label == label) return i;
    graph.nodes.push_back({.label = label, .css = "state", .initial = graph.nodes.empty()});
    return graph.nodes.size() - 1;
  }

  /// The verb as in a trail; of an answer also what it means.
  std::string moved_by(const model::Move& move, const Checked::State& before, const Checked& system) const {
    const std::string text = system.show(move);
    const std::string verb = text.substr(0, text.find(' '));
    const auto* carried = std::get_if<model::Carried>(&move.on);
    if (carried == nullptr || verb != "reply") return verb;
    const model::Process& process = *before.world.processes[carried->link.process.index()];
    for (const model::Client& client : process.clients)
      for (const model::Pending& pending : client.pending) {
        if (pending.connection != carried->connection || pending.node != carried->link.node) continue;
        for (const model::Flight& flight :
             before.world.link(carried->link.process, carried->link.node)->flights)
          if (flight.connection == carried->connection && flight.reply)
            return verb + ": " + meaning(model::read_reply(pending.request, *flight.reply, setup_));
      }
    return verb;
  }

  static std::string meaning(const model::Items& items) {
    std::string text;
    for (const model::Item& item : items)
      text += (text.empty() ? "" : ", ") + std::string(name_of(item.what));
    return text.empty() ? "nothing" : text;
  }

  const model::Setup& setup_;
  const model::Machine& machine_;
  bool future_;
};

/// What stands in front of the programs.
std::string head_of_set(const std::string& set) { return fmt::format("scripts = '{}'\n", set); }

/// A described kind may need several masters, each of them a server of its own.
std::string head_of_scheme(const Contestant& scheme) {
  const char* servers = scheme.several ? "[redis]\nmode = 'independent'\nnodes = 3\n" : "";
  return scheme.head + "\n" + servers;
}

sim::Result<model::Setup> setup_of_world(const World& world, const std::string& head,
                                         const std::string& rival) {
  const auto library = script_library();
  if (!library) return library.problem();
  const std::string text = fmt::format(
      "format = 1\n{}[process.A]\nthreads = [[{}]]\n[process.B]\nthreads = [['lock {}', "
      "'work 1s', 'unlock {}']]\n{}",
      head, world.program, rival, rival, world.faults);
  return scenarios::read_scenario(text, "machine.toml", *library, vocabulary());
}

const model::Machine* machine_drawn(const model::LockKind& kind, bool future) {
  return future ? kind.listening : kind.machine;
}

/// What is asked for, as the graph and its title need it.
struct Drawn {
  const model::LockKind& kind;
  std::string name, head, scripts;  // scripts: as people call what serves it
};

sim::Result<MachineGraph> drawn_graph(const Drawn& what, bool future, std::uint64_t states_max) {
  const model::Machine* machine = machine_drawn(what.kind, future);
  if (machine == nullptr || machine->state == nullptr)
    return sim::Problem{fmt::format("the lock kind `{}` has no calls that return a future", what.name)};
  const auto [lock, rival] = locks_of(what.kind);
  MachineGraph drawn_one;
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>> moves;
  std::uint64_t searched = 0;
  bool cut = false;
  std::optional<sim::Problem> refused;
  for (const World& world : worlds_of(what.kind, lock, future)) {
    const auto setup = setup_of_world(world, what.head, rival);
    if (!setup) {
      refused = setup.problem();
      if (what.kind.scheme != nullptr) continue;  // a call that it does not describe
      return *refused;
    }
    MachineDrawer drawer(*setup, *machine, future);
    drawer.states_max = states_max;
    drawer.add(*setup, drawn_one.graph, moves);
    searched += drawer.searched;
    cut = cut || drawer.cut;
  }
  if (drawn_one.graph.nodes.empty()) return *refused;
  std::set<std::size_t> reached{0};
  for (const auto& [ends, verbs] : moves)
    drawn_one.graph.edges.push_back({.from = ends.first,
                                     .to = ends.second,
                                     .label = fmt::format("{}", fmt::join(verbs, "\n")),
                                     .tree = reached.insert(ends.second).second});
  for (const std::string_view state : machine->states)
    if (std::none_of(drawn_one.graph.nodes.begin(), drawn_one.graph.nodes.end(),
                     [&](const auto& node) { return node.label == state; }))
      drawn_one.unmet.emplace_back(state);
  drawn_one.title = fmt::format(
      "{}: the machine `{}`, as calls {} go through it\n{}, {} states of small worlds{}", what.name,
      machine->name, future ? "that return a future" : "of a thread", what.scripts, searched,
      cut ? ", some of which are larger" : "");
  if (!drawn_one.unmet.empty())
    drawn_one.title += fmt::format("\nnot come to: {}", fmt::join(drawn_one.unmet, ", "));
  return drawn_one;
}

/// A scheme that comes with the program.
sim::Result<MachineGraph> scheme_graph(const Contestant& scheme, bool future, std::uint64_t states_max) {
  const std::string head = head_of_scheme(scheme), lock = fmt::format("{}:x", scheme.name);
  const auto setup = setup_of_world({fmt::format("'lock {}', 'unlock {}'", lock, lock), ""}, head, lock);
  if (!setup) return setup.problem();
  const auto kind = std::find_if(setup->kinds.begin(), setup->kinds.end(),
                                 [&](const model::LockKind* one) { return one->name == scheme.name; });
  VERIFY(kind != setup->kinds.end());
  return drawn_graph({**kind, scheme.name, head, scheme.head}, future, states_max);
}

}  // namespace

std::vector<std::string> kinds_with_machines() {
  std::vector<std::string> names;
  for (const model::LockKind* kind : model::shipped_kinds())
    if (kind->is_taken() && kind->machine != nullptr && kind->machine->state != nullptr)
      names.emplace_back(kind->name);
  return names;
}

sim::Result<MachineGraph> machine_graph(const std::string& name, const std::string& set, bool future,
                                        std::uint64_t states_max) {
  std::vector<std::string> kinds = kinds_with_machines();
  if (std::find(kinds.begin(), kinds.end(), name) == kinds.end()) {
    for (const Contestant& one : usual_contestants()) {
      if (!one.head.starts_with("schemes")) continue;
      if (one.name == name && !set.empty())
        return sim::Problem{
            fmt::format("`{}` is described, with what it sends; --scripts is not for it", name)};
      if (one.name == name) return scheme_graph(one, future, states_max);
      kinds.push_back(one.name);
    }
    return sim::Problem{
        fmt::format("there is no lock kind `{}`; {}", name,
                    scenarios::did_you_mean(name, kinds, "there is " + scenarios::either(kinds)))};
  }
  const auto library = script_library();
  if (!library) return library.problem();
  const std::string scripts = set.empty() ? newest_set(*library) : set;
  return drawn_graph({*model::find_kind(name), name, head_of_set(scripts), scripts}, future, states_max);
}

}  // namespace lockstep::tools
