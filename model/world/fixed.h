// fixed.h: faults that a scenario fixes: when they come, and what they befall.
//
// World::fixed_left has one entry for each. It counts down to the time at which the fault is due; before
// that, one that is bound to an event waits for the event, and one that befalls a message waits for the
// message. A fault before an event takes the place of the move that would make the event, which may follow
// it; a fault after an event leaves nothing else to happen between the two. One that is a part of a crash may
// come before the crash of its instant; it then waits for that.
#pragma once

#include <vector>

#include "model/world/world.h"

namespace lockstep::model {

// What an entry says instead of a time; `never`: it has come.
inline constexpr Duration awaits_event = sim::never - Duration{1};
inline constexpr Duration awaits_message = sim::never - Duration{2};
inline constexpr Duration awaits_crash = sim::never - Duration{3};  // of its node, at this instant
inline constexpr Duration at_once{-1};  // before everything else

/// A time is left.
constexpr bool is_counting(Duration left) { return left < awaits_crash; }

Duration left_at_start(const FixedFault& fault);
/// Time passes for a fault that waits for its time.
Duration left_after(const FixedFault& fault, Duration left, Duration passed);

/// The fault as a move; not of those that befall messages, or keys that are not there.
std::optional<Move> move_of(const FixedFault& fault, const World& world, const Setup& setup);

/// The move, which may happen next, makes the event.
bool makes(const Move& move, const FaultEvent& event, const World& world, const Setup& setup);
/// The message that this is about is meant, wherever it is on its way.
bool means(const FaultEvent& event, const Carried& carried, const World& world, const Setup& setup);

/// What a fixed fault comes before is not what comes next.
void give_way_to_fixed_faults(const World& world, const Setup& setup, std::vector<Move>& moves);

/// The fixed faults whose event this move makes, or has made by what was seen: they are due. `before` is
/// the world in which it was taken.
class EventWatch {
 public:
  EventWatch(const World& before, const Move& move, const StepReport& report);
  void done(World& world, const StepReport& report) const;

 private:
  std::vector<std::size_t> made_;
  std::size_t seen_before_ = 0;
};

/// A node crashed: what is a part of that happens.
void make_due_by_crash(World& world, const Setup& setup, NodeId node);

/// Whether there are faults that wait for anything but their time.
bool binds_events(const Setup& setup);

/// A fault that is due happens, if what it befalls is there.
void befall(World& world, FixedId which, StepReport& report);
void befall(World& world, const FixedMessage& which, StepReport& report);

}  // namespace lockstep::model
