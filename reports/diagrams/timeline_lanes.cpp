#include "reports/diagrams/timeline_lanes.h"

#include <algorithm>
#include <set>

#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

Lane lane_of(LaneKind kind, const sim::Trace& trace, const std::string& id, const std::string& subtitle) {
  return {kind, id, actor_text(trace, id), printable(subtitle), 0};
}

bool renews(const sim::Trace& trace, const std::string& process) {
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const sim::TraceEvent& event) {
    return event.kind == TraceKind::renew && event.who == process;
  });
}

/// In the order in which they are held or wanted first.
std::vector<Lane> lanes_of_locks(const Ownership& ownership) {
  std::vector<std::pair<std::size_t, std::string>> first;
  for (const Tenure& tenure : ownership.tenures) first.emplace_back(tenure.begin, tenure.lock);
  for (const Band& band : ownership.bands) first.emplace_back(band.begin, band.lock);
  std::sort(first.begin(), first.end());
  std::vector<Lane> lanes;
  std::set<std::string> known;
  for (const auto& [begin, lock] : first)
    if (!lock.empty() && known.insert(lock).second)
      lanes.push_back({LaneKind::owner, lock, printable(lock), "owner", 0});
  return lanes;
}

}  // namespace

std::vector<Lane> timeline_lanes(const sim::Trace& trace, const Ownership& ownership) {
  std::vector<Lane> lanes = lanes_of_locks(ownership);
  for (const auto& process : trace.actors) {
    if (process.kind != "process") continue;
    for (const auto& actor : trace.actors)
      if (actor.kind == "thread" && actor.of == process.id)
        lanes.push_back(lane_of(LaneKind::thread, trace, actor.id, actor.id));
    if (renews(trace, process.id))
      lanes.push_back(lane_of(LaneKind::watchdog, trace, process.id, "watchdog"));
  }
  for (const auto& actor : trace.actors)
    if (actor.kind == "thread" && !find_actor(trace, actor.of))
      lanes.push_back(lane_of(LaneKind::thread, trace, actor.id, actor.id));
  for (const auto& actor : trace.actors)
    if (actor.kind == "redis") lanes.push_back(lane_of(LaneKind::node, trace, actor.id, actor.id));
  std::vector<std::string> titles;
  for (const Lane& lane : lanes) titles.push_back(lane.title);
  titles = cut_apart(titles, 10, 150, true);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].title = titles[i];
  return lanes;
}

std::vector<Vacancy> vacancies_of(const std::string& lock, const Ownership& ownership, std::size_t events) {
  std::vector<int> held(events + 1), wanted(events + 1);  // how many more than before
  for (const Tenure& tenure : ownership.tenures)
    if (tenure.lock == lock) {
      ++held[tenure.begin];
      --held[tenure.end];
    }
  for (const Band& band : ownership.bands)
    if (band.lock == lock && band.standing == Standing::waiting) {
      ++wanted[band.begin];
      --wanted[band.end];
    }
  std::vector<Vacancy> vacancies;
  int holders = 0, waiters = 0;
  for (std::size_t at = 0; at < events; ++at) {
    holders += held[at];
    waiters += wanted[at];
    if (holders > 0 || waiters == 0) continue;
    if (!vacancies.empty() && vacancies.back().end == at) ++vacancies.back().end;
    else vacancies.push_back({at, at + 1});
  }
  return vacancies;
}

bool fails_next(const sim::Trace& trace, std::size_t at) {
  for (std::size_t next = at + 1; next < trace.events.size(); ++next) {
    if (trace.events[next].who != trace.events[at].who) continue;
    return trace.events[next].kind == TraceKind::ret && trace.events[next].outcome != "ok";
  }
  return false;
}

}  // namespace lockstep::reports
