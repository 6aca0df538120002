// verbs.h: the table of verbs: how each is written, when it may happen, what it touches, what it does.
//
// What happens by itself stands in verbs.cpp, what an adversary does in faults/ (table.h).
#pragma once

#include "model/world/footprint.h"
#include "model/world/identity.h"
#include "model/world/lazy.h"
#include "model/world/world.h"
#include "sim/trace.h"

namespace lockstep::model {

/// How the subject of a verb is written. P process, N node, M the node before it, T thread, C connection,
/// G the first node of a group that is not the only one, # number, D milliseconds.
enum class Form : std::uint8_t {
  thread,         // T
  process,        // P
  node,           // N
  cut,            // P | N
  towards,        // P to N
  carried,        // N -> P/C and so on, by its lane, which the verb's word ends in
  awaited,        // P/C at N
  stream,         // M -> N
  timer,          // P #
  part,           // N #
  fixed,          // #
  fixed_carried,  // # and a message, by its lane
  follower,       // P G
  time,           // D
  node_by_time    // N D
};

/// Whether the subjects of such verbs are of a process: it, its threads, timers and links.
bool is_of_process(Form form);

/// What one verb may do next, as moves.
class Listing {
 public:
  Listing(const World& of_world, const Setup& of_setup, std::vector<Move>& to)
      : world(of_world), setup(of_setup), moves_(to) {}

  void add(Subject on, std::int64_t by = 0) {
    moves_.push_back({verb, on, by});
    if (places != nullptr) places->push_back(place);
  }
  /// The end of a fault, which comes at the latest in `left`; if the scenario fixes it, it comes then only.
  void add_ending(Subject on, Duration left) {
    if (!as_fixed && ends_as_fixed(on)) return;
    add(on);
    soonest = std::min(soonest, left);
  }

  /// Runs, and is not done for good.
  bool busy(std::size_t p) const {
    return running(p) && !(setup.reductions.identity && is_done(world, setup, sim::make_id<ProcessId>(p)));
  }
  bool running(std::size_t p) const { return world.processes[p]->life == Process::Life::running; }
  bool alive(std::size_t p) const { return world.processes[p]->life != Process::Life::dead; }
  bool up(std::size_t n) const { return (*world.up)[n]; }
  bool answers(std::size_t n) const { return world.answers(sim::make_id<NodeId>(n)); }
  /// Whether what is of this process is asked for.
  bool lists(std::size_t p) const { return !only || only->index() == p; }
  template <class Visit>
  void each_link(Visit visit) {
    ++place;
    for (std::size_t p = 0; p < world.processes.size(); ++p)
      for (std::size_t n = 0; lists(p) && n < world.nodes.size(); ++n)
        visit(LinkId{sim::make_id<ProcessId>(p), sim::make_id<NodeId>(n)},
              *world.links[p * world.nodes.size() + n]);
  }

  const World& world;
  const Setup& setup;
  const Lazy lazy{world, setup};
  Verb verb;
  Duration soonest = sim::never;  // at which an ending is due
  bool as_fixed = false;          // endings that the scenario fixes are listed as well
  std::optional<ProcessId> only;  // if given, nothing is listed that is of another process
  std::uint32_t place = 0;        // ascends from list to list; within one, moves go by processes
  std::vector<std::uint32_t>* places = nullptr;  // if given, collects those of the moves

 private:
  bool ends_as_fixed(const Subject& on) const;

  std::vector<Move>& moves_;
};

struct VerbRow {
  std::string_view word;   // begins the text of a move; of what is carried, the lane completes it
  Form form{};
  std::optional<sim::TraceKind> event{};  // its kind in traces; absent: told by observations
  void (*list)(Listing& list) = nullptr;
  void (*touches)(const Move& move, Touching& touching) = nullptr;
  void (*apply)(World& world, const Move& move, StepReport& report) = nullptr;
};

VerbRow row_of(Verb verb, const Setup& setup);
/// All verbs of a setup, in the order in which `enabled` lists them.
std::vector<Verb> verbs_of(const Setup& setup);

std::string_view lane_word(Lane lane);
inline constexpr Lane lanes[] = {Lane::reply, Lane::request, Lane::push, Lane::channel};

}  // namespace lockstep::model
