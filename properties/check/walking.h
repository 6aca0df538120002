// walking.h: makes the sampled runs of a check one by one, over the graph of what earlier ones met where the
// scenario allows it, else over whole states.
//
// Which of the two does not show. A sample of runs is drawn once more, over whole states, and its trail is
// then run twice and compared step by step (sim/run/determinism.h). All must be the same: a run is a function
// of its decisions, or the program has a mistake, says at which step and what usually causes it, and stops.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "properties/check/begun.h"
#include "properties/check/broken_run.h"
#include "properties/check/coverage.h"
#include "properties/check/drawing.h"
#include "properties/check/settling.h"
#include "properties/check/walked_graph.h"

namespace lockstep::properties {

/// Off only to compare.
enum class Graphs : std::uint8_t { used, unused };

struct Walked {
  Walk walk{};
  Decisions trail;
  sim::End end = sim::End::stopped;
  sim::WitnessMask witnesses = 0;
  std::vector<sim::FirstViolation> violations;
  std::uint64_t actors = 0;    // as ActorCount has it, of PCT only
  bool one_move_each = true;
  bool settled = false;                 // some of it was not drawn (settling.h)
  bool finished = false;                // all programs were at the end
  std::optional<Checked::State> last;  // where it ended before it was finished
};

/// Whether runs of one sort walk over the graph. A step that leads to contents of components that were never
/// met costs more there than over whole states, all others next to nothing: where there are too many of those
/// and they do not become fewer, it is given up for a while, each time for longer.
class WorthWalking {
 public:
  bool is_tried() const { return pause_left_ == 0; }
  void note(std::uint64_t steps, std::uint64_t contents);
  void note_pause(std::uint64_t steps) { pause_left_ -= std::min(steps, pause_left_); }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0} / 32;

  std::uint64_t steps_ = 0, contents_ = 0, last_ = never;  // contents in a thousand steps
  std::uint64_t pause_ = 1 << 16, pause_left_ = 0;           // in steps
};

class Walker {
 public:
  /// Setup and options must outlive it. `setup`: as it is sampled.
  Walker(const Setup& setup, const CheckOptions& options, const MadeMoves& made, RunLength cut_after,
         Graphs graphs = Graphs::used);

  Walked walked(std::uint64_t number, sim::Random random);

  // What was met so far.
  sim::WitnessMask made_witnesses() const { return made_witnesses_; }
  std::uint64_t thought_steps() const { return expected_.steps; }
  std::optional<std::string> refusal() const;
  bool met_horizon() const;
  /// Of those roles that were not told before.
  std::set<std::string> new_roles_sent();
  Seen seen() const { return coverage_ ? coverage_->seen() : Seen(); }
  /// Shows moves.
  const Checked& system() const { return system_; }
  /// How many steps of runs were made by going along an edge that was known.
  std::uint64_t steps_known() const { return steps_known_; }

 private:
  Checked::Options how() const {
    return {.watched = options_.watched, .with_now = with_now_, .watch_instants = false};
  }
  Checked::Options watching() const {
    Checked::Options options = how();
    options.overseer = options_.ways;
    return options;
  }
  sim::RunLimits limits() const;
  void begin_graph(bool with_now);
  std::optional<Walked> over_graph(std::uint64_t number, sim::Random random, WorthWalking& worth);
  Walked over_states(std::uint64_t number, sim::Random random, bool covers);
  void stop_unless_alike(const Walked& one, const Walked& again);
  template <class S>
  Walked as_walked(sim::Run<S> run, const Drawing<S>& drawing, const Settling<S>& settling,
                   std::uint64_t number);
  void follow_if_new(const Walked& walked);

  const Setup& setup_;
  const CheckOptions& options_;
  RunLength cut_after_;
  bool with_now_;  // a script says that it reads what time it is, so no situation comes back
  Checked system_;
  sim::WitnessMask made_witnesses_ = 0;
  std::optional<Coverage> coverage_;
  Expectancy expected_;
  MoveLists worth_following_;  // runs that met what none before did
  std::unique_ptr<Checked> graph_system_;
  std::unique_ptr<WalkedGraph> graph_;
  std::array<WorthWalking, 2> worth_walking_;
  std::vector<std::uint64_t> sent_;  // that was told
  std::uint64_t steps_known_ = 0;
};

}  // namespace lockstep::properties
