// message.cpp: messages that are lost or held back: every one that is under way and not held already. Only
// the head of a queue can be held, since what follows it waits anyway.
#include <algorithm>

#include "model/world/faults/table.h"
#include "model/world/tracer.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

template <class Visit>
void each_message(Listing& list, bool held, Visit visit) {
  list.each_link([&](LinkId id, const Link& link) {
    for (const Flight& flight : link.flights)
      if (flight.travels() && flight.transit.held == held)
        visit(Carried{id, flight.reply ? Lane::reply : Lane::request, flight.connection});
    if (!link.down.empty() && link.down.front().transit.held == held) visit(Carried{id, Lane::push});
    if (!link.up.empty() && link.up.front().transit.held == held) visit(Carried{id, Lane::channel});
  });
}

void list_free_messages(Listing& list) {
  each_message(list, false, [&](const Carried& carried) { list.add(carried); });
}

void list_held_messages(Listing& list) {
  each_message(list, true, [&](const Carried& carried) { list.add_ending(carried, sim::never); });
}

void touch_message(const Move& move, Touching& touching) {
  const auto& [link, lane, connection] = move.of<Carried>();
  touching.link_of(link).writes(Part::pushes, link.process.index(), link.node.index());
  if (touching.setup().kind_of(link.node).sessions) touching.writes(Part::node, link.node.index());
}

Flight& flight_of(Link& link, ConnectionId connection) {
  const auto found = std::find_if(link.flights.begin(), link.flights.end(), [&](const Flight& flight) {
    return flight.connection == connection;
  });
  VERIFY(found != link.flights.end());
  return *found;
}

void hold(World& world, const Move& move, bool held) {
  const auto& [id, lane, connection] = move.of<Carried>();
  Link& link = world.link(id.process, id.node).write();
  Transit& transit = lane == Lane::push      ? link.down.front().transit
                     : lane == Lane::channel ? link.up.front().transit
                                             : flight_of(link, connection).transit;
  transit.held = held;
  transit.earliest = transit.latest = Duration::zero();
}

void lose(World& world, const Move& move, StepReport& report) {
  const auto& carried = move.of<Carried>();
  Link& link = world.link(carried.link.process, carried.link.node).write();
  if (report.tracer != nullptr) report.tracer->lost(carried, "the message is lost");
  if (carried.lane == Lane::push) link.down.erase(link.down.begin());
  else if (carried.lane == Lane::channel) link.up.erase(link.up.begin());
  else
    std::erase_if(link.flights,
                  [&](const Flight& flight) { return flight.connection == carried.connection; });
  report.seen.push_back(MessageLost{carried.link.process});
  const auto& [p, n] = carried.link;
  if (!report.setup.kind_of(n).sessions) return;
  // All that a session sends goes over one connection, which breaks where something is missing.
  break_link(world, carried.link, "its connection broke", report);
  report.setup.kind_of(n).disconnect(world.nodes[n.index()].write(), p);
}

}  // namespace

const FaultRow lose_message_fault{.key = "lose-message",
                                  .about = "a message never arrives",
                                  .begin = {.verb = {.word = "lose-",
                                                     .form = Form::carried,
                                                     .list = list_free_messages,
                                                     .touches = touch_message,
                                                     .apply = lose},
                                            .fixed = "lose"},
                                  .end = {},
                                  .place = 4,
                                  .at_any_time = false};

const FaultRow delay_message_fault{
    .key = "delay-message",
    .about = "a message is held back, and released later",
    .begin = {.verb = {.word = "hold-",
                       .form = Form::carried,
                       .event = sim::TraceKind::hold,
                       .list = list_free_messages,
                       .touches = touch_message,
                       .apply = [](World& world, const Move& move, StepReport&) { hold(world, move, true); }},
              .fixed = "delay"},
    .end = FaultEnd{.act = {.verb = {.word = "release-",
                                     .form = Form::carried,
                                     .event = sim::TraceKind::release,
                                     .list = list_held_messages,
                                     .touches = touch_message,
                                     .apply = [](World& world, const Move& move,
                                                 StepReport&) { hold(world, move, false); }},
                            .fixed = "release"},
                    .words = "release",
                    .at_latest = nullptr,
                    .limit_key = {},
                    .place = 3},
    .place = 3,
    .at_any_time = false};

}  // namespace lockstep::model
