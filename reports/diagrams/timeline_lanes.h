// timeline_lanes.h: which lanes a timeline has, and what stands in them besides what ownership.h tells.
#pragma once

#include <string>
#include <vector>

#include "reports/diagrams/ownership.h"
#include "sim/trace.h"

namespace lockstep::reports {

enum class LaneKind { owner, thread, watchdog, node };

struct Lane {
  LaneKind kind = LaneKind::owner;
  std::string id;
  std::string title, subtitle;
  int y = 0;  // its middle
};

/// Locks that were held or wanted; threads by process, with the watchdog of one that renews; nodes.
std::vector<Lane> timeline_lanes(const sim::Trace& trace, const Ownership& ownership);

/// A lock is free while a thread waits for it; [begin, end) are positions.
struct Vacancy {
  std::size_t begin = 0, end = 0;
  bool operator==(const Vacancy&) const = default;
};
std::vector<Vacancy> vacancies_of(const std::string& lock, const Ownership& ownership, std::size_t events);

/// Whether the call that the thread of this event is in fails next, without asking again.
bool fails_next(const sim::Trace& trace, std::size_t at);

}  // namespace lockstep::reports
