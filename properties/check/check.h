// check.h: asks a scenario its question and gives one verdict for each property.
//
// The search goes breadth first through every schedule until it is complete or a limit is hit; then, unless
// the strategy says otherwise, random schedules are sampled for what could not be decided. A violation comes
// with a trail: the shortest one that the search met, or a sampled one that was shrunk.
//
// Everything here is deterministic but what the caller may put into Outside: its own clock, what it knows of
// memory, and who looks on. A limit that was reached never makes a success: what was sampled
// after it is said, and the verdict stays unknown, unless the scenario asks for no more than samples.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lua/engine/line_watch.h"
#include "properties/monitors/catalog.h"
#include "properties/check/checked.h"
#include "properties/check/seen.h"
#include "properties/check/verdict.h"
#include "sim/search/outcome.h"
#include "sim/trail/trail.h"
#include "sim/trace.h"

namespace lockstep::sim {
class Ranks;
}

namespace lockstep::properties {

struct KeptSearch;

/// `search_deep`: depth first, by one worker. From `random` on samples only: all policies in turn, or one of
/// them. `guided` is none of those that take turns: its runs depend on those before.
enum class Strategy : std::uint8_t {
  search_then_sample,
  search,
  search_deep,
  random,
  uniform,
  swarm,
  pct,
  pos,
  surw,
  guided
};

/// How far a check is.
struct CheckProgress {
  sim::SearchProgress search;
  std::uint64_t runs = 0, runs_max = 0;       // sampled; none while it searches
  sim::PropertyMask asked = 0, violated = 0;
};

/// The world outside of a check; each may be absent.
struct Outside {
  std::function<bool()> time_is_up;         // asked now and then; true ends the work
  std::function<bool()> search_time_is_up;  // the same for the search, if samples are to follow
  std::function<bool()> interrupted;        // ends the work as it is: nothing is shrunk any more
  std::function<std::uint64_t()> memory_held;  // by the whole program, in bytes
  std::function<void(const CheckProgress&)> on_progress;
  /// Takes what a search has learned that a limit or an interrupt ended, to go on with it later.
  std::function<void(const KeptSearch&)> keep;
};

/// Told by scripts which ways they go (lua/engine/line_watch.h).
class WaysWatch : public lua::LineWatch {
 public:
  /// Numbers of the ways that were gone since it was asked last: which of the scripts of a setup ran, and
  /// which way each of their conditions went.
  virtual std::vector<std::uint32_t> gone() = 0;
};

struct CheckOptions {
  Strategy strategy = Strategy::search_then_sample;
  std::uint64_t states_max = 2'000'000;
  std::uint64_t depth_max = ~std::uint64_t{0};
  std::uint64_t memory_bytes_max = std::uint64_t{8} << 30;
  std::uint64_t runs = 1'000;              // sampled schedules
  std::optional<std::uint64_t> steps_max;  // decisions in one of them; absent: enough for the programs
  std::optional<std::uint64_t> settling_max;  // and then without faults, so that it comes to an end; likewise
  std::optional<std::uint64_t>
      sampled_steps_max;                // decisions in all of them together; absent: by the number of threads
  std::size_t search_threads_max = 16;  // a scenario with more threads than this is sampled at once
  std::uint64_t seed = 1;
  bool memo = true;    // the search remembers steps, and does not take them again
  bool exact = false;  // states are told apart by their encodings, not by digests
  bool symmetry = true;
  bool reduce = false;      // orders that come to the same are left out (reduced.h)
  std::size_t workers = 1;  // of the search; verdicts, counts and counterexamples are the same for any number
  model::Reductions reductions;  // off only to compare
  bool shrink = true;
  std::uint64_t shrink_runs = 5'000;
  std::uint64_t shrink_states = 30'000;  // of a search for a shorter run; 0: fewest deviations, however long
  sim::PropertyMask watched = all_usual;
  WaysWatch* ways = nullptr;  // of the scripts that samples run
  bool graph = false;  // take the digest of the graph of states
  bool boxes = false;  // with few faults first, then with more (boxes.h); nothing is sampled
  /// Of a search; absent: any number (few_preemptions.h). Of boxes: of the largest that has a bound.
  std::optional<std::uint64_t> preemptions_max;
  std::shared_ptr<KeptSearch> begin;  // of the same question: the search goes on there, and it is used up
  sim::Ranks* ranks = nullptr;        // that search together; this is the first of them
  Outside outside;
};

/// How many decisions a sampled run may have: drawn, and then without faults (settling.h).
struct RunLength {
  std::uint64_t drawn = 0, settling = 0;
  bool operator==(const RunLength&) const = default;
};

/// The runs that one policy drew.
struct SampledBy {
  std::uint64_t runs = 0, cut = 0;
  std::uint64_t settled = 0;       // how many went on without being drawn (settling.h)
  std::uint64_t longest = 0;       // moves in one of them
  std::uint64_t chains = 0;        // of moves, in one of them (sim/run/pct.h)
  bool one_move_each = true;       // at a time
  bool operator==(const SampledBy&) const = default;
};

struct PropertyResult {
  Property property{};
  Verdict verdict = Verdict::unknown;
  bool vacuous = false;
  std::string why;                       // of unknown: what was not done; of violated: what happened
  std::optional<sim::Trail> trail;       // of violated: every decision, strict
  std::optional<sim::Trail> deviations;  // the same run, as where it deviates from the default schedule
};

struct CheckReport {
  std::optional<std::string> refusal;   // why no verdict can be given; then nothing else counts
  std::vector<PropertyResult> results;  // in the order of the catalogue; only what was watched
  sim::WitnessMask witnesses = 0;
  bool searched = false, complete = false;
  bool deep = false;  // depth first: what it found is not the shortest
  std::optional<std::uint64_t> preemptions_max;  // of the runs that were searched
  std::vector<std::string> boxes;  // the largest ones that were exhausted (boxes.h), as bounds
  std::uint64_t states = 0, transitions = 0, depth = 0;
  bool symmetry = false, with_now = false;
  std::string rounds_open;  // why it could not be asked whether each round has an end
  std::string cycles_open;  // why cycles of the whole graph could not be asked for
  std::optional<Drift::Found> drift;  // the instants of a lock that run away from the clock
  /// Of a search with `grain = "exact"`: where it stopped; absent: at every millisecond.
  std::optional<model::Lattice> lattice;
  std::optional<std::string> symmetry_off;  // who looks into names, so that symmetry was not used
  sim::SearchEnd ended = sim::SearchEnd::complete;
  bool reduced = false;  // orders that come to the same were left out
  std::optional<std::string> reduction_off;  // why not, where that was asked for
  bool interrupted = false, time_was_up = false;
  std::uint64_t runs = 0, steps = 0;     // sampled
  std::uint64_t cut = 0;  // how many of the runs came to no end: then nothing follows from the others
  std::uint64_t cut_at_limit = 0;  // of these, those that met the limit
  RunLength cut_after;             // of so many decisions
  std::map<std::string, SampledBy> sampled_by;  // by policy
  std::uint64_t thought_steps = 0;  // so long were runs thought to be, by policies that must know
  Seen seen;                        // by samples, if CheckOptions::ways looked on
  std::set<std::string> sent;            // the scripts that were sent (name_of_sent)
  /// Of all transitions of a search that was complete: (state, move, state), states without the texts of
  /// scripts as long as nobody can ask for those. Another digest is another behaviour.
  std::optional<sim::Digest> graph;
  bool met_horizon = false;              // something was left to happen when time was up
  std::string bounds;                    // "3 processes, 1 lock, 1 node, no delay, at most 1 crash-node"
  std::vector<std::string> within;       // "grain 1 s", "pauses of at most 60 s": how far the bounds go;
                                         // fixed faults that found nothing to befall
};

CheckReport check(const Setup& setup, const CheckOptions& options);

/// What a verdict on this scenario covers, in words: who and what there is, and how far it goes.
std::string bounds_of(const Setup& setup);
std::vector<std::string> within_of(const Setup& setup);

/// A thread's program has no end (`repeat forever`).
bool goes_round_for_ever(const Setup& setup);

/// Decisions that are plenty for every program of the scenario to end, unless something goes on for ever.
std::uint64_t usual_steps_max(const Setup& setup);

/// What a scenario expects of a property: what it says, else `holds`.
model::Expected expected_of(const Setup& setup, Property property);

/// A trail's header for this scenario; the caller fills in decisions.
sim::Trail trail_header(const Setup& setup, std::string property, std::string verdict);

/// Runs a trail again and tells its whole story.
struct Told {
  sim::Trace trace;
  std::vector<std::string> monitor_lines;
  sim::PropertyMask violated = 0;
  sim::WitnessMask witnesses = 0;
  std::size_t steps = 0;
  std::optional<std::string> divergence;  // the run did not follow the trail: where and how
  bool at_rest = false;
  std::optional<std::string> goes_on;  // the default schedule would go on, and was ended: why
};
struct TellOptions {
  std::optional<std::uint64_t> to;  // stop after this decision
  bool lenient = false;             // follow the moves loosely: skip those that are not enabled
  lua::Overseer* overseer = nullptr;  // of the scripts that run
};
Told tell(const Setup& setup, const sim::Trail& trail, TellOptions options = {});

/// The deviations of the shortest run that shrinking finds to break the same property; absent if the trail
/// does not.
struct ShrunkTrail {
  sim::Trail full, deviations;
  std::size_t runs_used = 0;
  bool minimal = false;
};
sim::Result<ShrunkTrail> shrink_trail(const Setup& setup, const sim::Trail& trail, std::uint64_t runs_max);

}  // namespace lockstep::properties
