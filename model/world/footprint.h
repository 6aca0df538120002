// footprint.h: which components of a world a move may read and write.
//
// A footprint is declared by the move's verb, for all worlds of a setup alike, so it may name more than a
// step touches in the end, but never less: it covers the guard (whether the move is enabled) as well as the
// step. Two moves whose footprints are independent commute. Both are held by a test on random runs
// (footprint_test.cpp). Monitors and `now` are not part of a world's components.
//
// This holds with all reductions off (Reductions::none()), and only then: with them, whether a move is
// offered also depends on what is about to happen elsewhere (lazy.h), which is no part of its footprint.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "model/world/move.h"

namespace lockstep::model {

struct World;

/// What a component is of: the members of World, and parts of them that moves touch apart.
enum class Part : std::uint8_t {
  node,
  process,
  link,      // of process and node: all of it but
  pushes,    // the messages that wait there for the process
  stream,    // by replica
  roles,     // of a group: who is master, who will be told so
  learning,  // of process and group: that it will learn who is master
  lives,
  clocks,
  budget,  // of a fault
  signals,
  fixed
};

struct Component {
  Part part{};
  std::uint16_t a = 0, b = 0;
  friend auto operator<=>(const Component&, const Component&) = default;
};

struct Footprint {
  std::vector<Component> reads, writes;  // sorted; what is written may be read as well
  bool everything = false;               // time passes for all
};

Footprint footprint(const Move& move, const Setup& setup);
bool independent(const Footprint& a, const Footprint& b);
/// The components in which two worlds of one setup differ.
std::vector<Component> differences(const World& before, const World& after, const Setup& setup);

/// In which a verb declares what it touches.
class Touching {
 public:
  explicit Touching(const Setup& setup) : setup_(setup) {}

  const Setup& setup() const { return setup_; }
  Touching& reads(Part part, std::size_t a = 0, std::size_t b = 0) { return add(print_.reads, part, a, b); }
  Touching& writes(Part part, std::size_t a = 0, std::size_t b = 0) { return add(print_.writes, part, a, b); }
  Touching& everything();

  // What occurs in many verbs.
  Touching& link_of(LinkId link);  // written
  Touching& links_of(ProcessId process);
  Touching& links_of(NodeId node);
  Touching& pushes_of(NodeId node);
  Touching& streams_from(NodeId node);  // to any other of its group
  Touching& nodes_in_group_of(NodeId node);  // read
  /// A process takes a step: it sends to the masters it knows.
  Touching& step_of(ProcessId process);
  /// A process dies: its connections close at their other ends.
  Touching& death_of(ProcessId process);

  Footprint done() &&;

 private:
  Touching& add(std::vector<Component>& to, Part part, std::size_t a, std::size_t b) {
    to.push_back({part, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)});
    return *this;
  }

  const Setup& setup_;
  Footprint print_;
};

}  // namespace lockstep::model
