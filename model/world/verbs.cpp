// verbs.cpp: what happens by itself, as rows of the table of verbs.
#include "model/world/verbs.h"

#include <algorithm>
#include <array>

#include "model/client/requests.h"
#include "model/world/acknowledging.h"
#include "model/world/asking.h"
#include "model/world/faults/table.h"
#include "model/world/fixed.h"
#include "model/world/intervals.h"
#include "model/world/settling.h"
#include "model/world/tracer.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {

// Messages arrive: replies and pushes at processes that run, requests at nodes that are up, over links that
// are whole.

void list_deliveries(Listing& list) {
  const auto may = [](const Flight& flight, bool reply) {
    return (reply ? flight.reply.has_value() : flight.request.has_value()) && flight.transit.deliverable();
  };
  for (const Lane lane : {Lane::reply, Lane::request})
    list.each_link([&](LinkId id, const Link& link) {
      const bool reply = lane == Lane::reply;
      const bool there = reply ? list.running(id.process.index()) : list.answers(id.node.index());
      if (link.cut || !there) return;
      for (const Flight& flight : link.flights)
        if (may(flight, reply)) list.add(Carried{id, lane, flight.connection});
    });
  list.each_link([&](LinkId id, const Link& link) {
    if (link.cut || link.down.empty() || !list.running(id.process.index())) return;
    if (link.down.front().transit.deliverable()) list.add(Carried{id, Lane::push});
  });
  list.each_link([&](LinkId id, const Link& link) {
    if (link.cut || link.up.empty() || !list.answers(id.node.index())) return;
    if (link.up.front().transit.deliverable()) list.add(Carried{id, Lane::channel});
  });
}

void touch_delivery(const Move& move, Touching& touching) {
  const auto& [link, lane, connection] = move.of<Carried>();
  touching.link_of(link).reads(Part::lives);
  switch (lane) {
    case Lane::push: touching.writes(Part::pushes, link.process.index(), link.node.index()); [[fallthrough]];
    case Lane::reply: touching.step_of(link.process); return;
    case Lane::channel:
      touching.writes(Part::pushes, link.process.index(), link.node.index()).reads(Part::clocks);
      touching.writes(Part::node, link.node.index());
      return;
    case Lane::request:
      touching.reads(Part::process, link.process.index()).reads(Part::clocks);
      touching.reads(Part::roles, touching.setup().group_of(link.node).index());
      touching.writes(Part::node, link.node.index()).pushes_of(link.node).streams_from(link.node);
      return;
  }
}

void deliver(World& world, const Move& move, StepReport& report) {
  const auto& [link, lane, connection] = move.of<Carried>();
  switch (lane) {
    case Lane::reply: return deliver_reply(world, link.process, link.node, connection, report);
    case Lane::request: return deliver_request(world, link.process, link.node, connection, report);
    case Lane::push: return deliver_push(world, link.process, link.node, report);
    case Lane::channel: return deliver_channel(world, link.process, link.node, report);
  }
}

void list_effects(Listing& list) {
  for (std::size_t n = 0; n < list.world.streams.size(); ++n) {
    const Stream& stream = *list.world.streams[n];
    if (stream.batches.empty() || stream.lagging || !list.answers(n)) continue;
    if (!list.world.reaches(*stream.master, sim::make_id<NodeId>(n))) continue;
    if (stream.batches.front().transit.deliverable())
      list.add(StreamId{*stream.master, sim::make_id<NodeId>(n)});
  }
}

void touch_effects(const Move& move, Touching& touching) {
  const NodeId to = move.of<StreamId>().to;
  touching.writes(Part::stream, to.index()).writes(Part::node, to.index()).pushes_of(to);
  touching.reads(Part::lives).reads(Part::clocks);
}

// A process goes on.

void list_threads(Listing& list) {
  for (std::size_t t = 0; t < list.setup.threads.size(); ++t) {
    const std::size_t p = list.setup.threads[t].process.index();
    const auto thread = sim::make_id<ThreadId>(t);
    if (list.lists(p) && list.running(p) &&
        runnable(*list.world.processes[p], list.setup, thread, *list.world.signals))
      list.add(thread);
  }
}

void touch_thread(const Move& move, Touching& touching) {
  const ThreadSetup& thread = touching.setup().threads[move.of<ThreadId>().index()];
  const auto has = [&](StepKind kind) {
    return std::any_of(thread.program.begin(), thread.program.end(),
                       [&](const Step& step) { return step.kind == kind; });
  };
  touching.step_of(thread.process);
  if (has(StepKind::await)) touching.reads(Part::signals);
  if (has(StepKind::signal)) touching.writes(Part::signals);
  if (has(StepKind::crash) || has(StepKind::shutdown)) touching.death_of(thread.process);
}

void run_thread(World& world, const Move& move, StepReport& report) {
  const auto thread = move.of<ThreadId>();
  step_process(world, report.setup.threads[thread.index()].process, report,
               [&](Process& process, Context& context) {
                 model::run(process, thread, *world.signals, context);
               });
}

void list_timers(Listing& list) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
    if (!list.lists(p) || !list.running(p)) continue;
    for (const LibraryTimer& timer : due_timers(*list.world.processes[p], list.setup))
      list.add(TimerId{sim::make_id<ProcessId>(p), number_of(timer)});
  }
}

void fire_timer(World& world, const Move& move, StepReport& report) {
  const auto& [p, timer] = move.of<TimerId>();
  step_process(world, p, report,
               [&, p = p, timer = timer](Process& process, Context& context) {
                 const LibraryTimer due = timer_of(timer);
                 if (report.tracer != nullptr)
                   report.tracer->fires(p, lock_of_timer(process, report.setup, due),
                                        timer_says(process, report.setup, due));
                 fire(process, due, context);
               });
}

void list_time_outs(Listing& list) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
    if (!list.lists(p) || !list.running(p)) continue;
    for (const Pending* pending : due_requests(*list.world.processes[p]))
      list.add(Carried{{sim::make_id<ProcessId>(p), pending->node}, Lane::request, pending->connection});
  }
}

void time_out(World& world, const Move& move, StepReport& report) {
  const auto& awaited = move.of<Carried>();
  drop_reply(world, awaited.link.process, awaited.link.node, awaited.connection, report);
  step_process(world, awaited.link.process, report,
               [&](Process& process, Context& context) {
                 model::time_out(process, awaited.link.node, awaited.connection, context);
               });
}

void list_fixed(Listing& list) {
  for (std::size_t f = 0; f < list.world.fixed_left->size(); ++f)
    if ((*list.world.fixed_left)[f] <= Duration::zero())
      list.add(FixedId{static_cast<std::uint16_t>(f)});
}

}  // namespace

bool Listing::ends_as_fixed(const Subject& on) const {
  for (std::size_t f = 0; f < setup.fixed.size(); ++f) {
    const FixedFault& fault = setup.fixed[f];
    if ((*world.fixed_left)[f] == sim::never || !fault.ends || verb.fault != fault.fault) continue;
    if (fault.aim == Aim::message) {
      if (means(*fault.message, std::get<Carried>(on), world, setup)) return true;
    } else if (const auto end = move_of(fault, world, setup); end && end->on == on) {
      return true;
    }
  }
  return false;
}

namespace {

void touch_fixed(const Move& move, Touching& touching) {
  const FixedFault& fault = touching.setup().fixed[move.of<FixedId>().number];
  const FaultRow row = fault_row(fault.fault, touching.setup());
  if (fault.aim == Aim::message || !fault.key.empty() || binds_events(touching.setup())) {
    touching.everything();
    return;
  }
  touching.writes(Part::fixed);
  const Subject on = fault.aim == Aim::process  ? Subject{ProcessId{fault.target}}
                     : fault.aim == Aim::thread ? Subject{ThreadId{fault.target}}
                     : fault.aim == Aim::link   ? Subject{LinkId{ProcessId{fault.target}, NodeId{fault.node}}}
                                                : Subject{NodeId{fault.target}};
  const Move befalling{{fault.ends ? Act::end : Act::begin, fault.fault}, on, fault.by.count()};
  (fault.ends ? row.end->act : row.begin).verb.touches(befalling, touching);
}

void list_passing(Listing& list) {
  if (const auto step = time_step(list.world, list.setup)) list.add(std::monostate{}, step->count());
}

const std::array<VerbRow, acts_by_themselves> by_themselves{{
    {"", Form::carried, {}, list_deliveries, touch_delivery, deliver},
    {"effects",
     Form::stream,
     {},
     list_effects,
     touch_effects,
     [](World& world, const Move& move, StepReport& report) {
       deliver_effects(world, move.of<StreamId>().to, report);
     }},
    {"ack",
     Form::stream,
     {},
     list_acknowledgements,
     touch_acknowledgement,
     [](World& world, const Move& move, StepReport& report) {
       deliver_acknowledgement(world, move.of<StreamId>().from, report);
     }},
    {"wait-over",
     Form::awaited,
     {},
     list_unacknowledged,
     touch_unacknowledged,
     [](World& world, const Move& move, StepReport& report) {
       const auto& waiting = move.of<Carried>();
       stop_waiting(world, waiting.link, waiting.connection, report);
     }},
    {"run", Form::thread, {}, list_threads, touch_thread, run_thread},
    {"renew",
     Form::timer,
     {},
     list_timers,
     [](const Move& move, Touching& touching) { touching.step_of(move.of<TimerId>().process); },
     fire_timer},
    {"time-out",
     Form::awaited,
     {},
     list_time_outs,
     [](const Move& move, Touching& touching) { touching.step_of(move.of<Carried>().link.process); },
     time_out},
    {"ask",
     Form::awaited,
     {},
     list_aims,
     [](const Move& move, Touching& touching) { touching.step_of(move.of<Carried>().link.process); },
     [](World& world, const Move& move, StepReport& report) {
       const auto& asking = move.of<Carried>();
       aim(world, asking.link, asking.connection, report);
     }},
    {"learn", Form::follower, sim::TraceKind::learn, list_learning, touch_learning,
     [](World& world, const Move& move, StepReport& report) {
       learn(world, move.of<Follower>().process, move.of<Follower>().group, report);
     }},
    {"demote",
     Form::node,
     {},
     list_demotions,
     touch_demotion,
     [](World& world, const Move& move, StepReport& report) { demote(world, move.of<NodeId>(), report); }},
    {"resync", Form::node, sim::TraceKind::resync, list_resyncs, touch_resync,
     [](World& world, const Move& move, StepReport& report) {
       resynchronise(world, move.of<NodeId>(), report);
     }},
    {"give-up", Form::cut, sim::TraceKind::broken, list_giving_up, touch_giving_up,
     [](World& world, const Move& move, StepReport& report) {
       time_out_link(world, move.of<LinkId>(), report);
     }},
    {"reconnect", Form::towards, sim::TraceKind::reconnect, list_reconnects,
     [](const Move& move, Touching& touching) { touching.step_of(move.of<LinkId>().process); },
     [](World& world, const Move& move, StepReport& report) {
       reconnect(world, move.of<LinkId>().process, move.of<LinkId>().node, report);
     }},
    {"cron", Form::node, sim::TraceKind::save, list_due,
     [](const Move& move, Touching& touching) {
       touching.writes(Part::node, move.of<NodeId>().index()).reads(Part::lives);
     },
     [](World& world, const Move& move, StepReport& report) {
       const auto node = move.of<NodeId>();
       report.setup.kind_of(node).do_due(world.nodes[node.index()].write());
       observe(report, DueDone{node});
     }},
    {"elect",
     Form::node,
     {},
     list_elections,
     [](const Move&, Touching& touching) { touching.everything(); },
     [](World& world, const Move& move, StepReport& report) {
       fail_over(world, move.of<NodeId>(), report);
     }},
    {"close", Form::node, sim::TraceKind::close, list_closing,
     [](const Move&, Touching& touching) { touching.everything(); },
     [](World& world, const Move& move, StepReport&) { close_node(world, move.of<NodeId>()); }},
    {"fixed",
     Form::fixed,
     {},
     list_fixed,
     touch_fixed,
     [](World& world, const Move& move, StepReport& report) { befall(world, move.of<FixedId>(), report); }},
    {"fixed-",
     Form::fixed_carried,
     {},
     [](Listing&) {},  // takes the place of a delivery
     [](const Move&, Touching& touching) { touching.everything(); },
     [](World& world, const Move& move, StepReport& report) {
       befall(world, move.of<FixedMessage>(), report);
     }},
    {"pass",
     Form::time,
     {},
     list_passing,
     [](const Move&, Touching& touching) { touching.everything(); },
     [](World& world, const Move& move, StepReport& report) { pass_time(world, Duration{move.by}, report); }},
}};

}  // namespace

VerbRow row_of(Verb verb, const Setup& setup) {
  if (verb.act < Act::end) return by_themselves[static_cast<std::size_t>(verb.act)];
  const FaultRow* row = world_fault(verb.fault);
  if (row == nullptr) return row_of(*server_fault(verb.fault, setup).fault, verb.fault).begin.verb;
  return verb.act == Act::begin ? row->begin.verb : row->end->act.verb;
}

std::vector<Verb> verbs_of(const Setup& setup) {
  std::vector<Verb> verbs;
  for (std::size_t act = 0; act < acts_by_themselves; ++act) verbs.push_back({static_cast<Act>(act), {}});
  for (const FaultId fault : faults_with_end()) verbs.push_back({Act::end, fault});
  for (std::size_t f = 0; f < fault_count(setup); ++f)
    verbs.push_back({Act::begin, sim::make_id<FaultId>(f)});
  return verbs;
}

std::string_view lane_word(Lane lane) {
  constexpr std::array<std::string_view, 4> words{"reply", "request", "push", "channel"};
  return words[static_cast<std::size_t>(lane)];
}

bool is_of_process(Form form) {
  switch (form) {
    case Form::node:
    case Form::stream:
    case Form::part:
    case Form::fixed:
    case Form::time:
    case Form::node_by_time:
      return false;
    default:
      return true;
  }
}

namespace {

/// Lists the verbs that are wanted, in their order.
template <class Wanted>
void list_all(Listing& list, Wanted wanted) {
  const auto list_verb = [&](Verb verb, const VerbRow& row) {
    list.place = (list.place | 15) + 1;  // those of one verb are told apart by the lists that it goes through
    list.verb = verb;
    if (wanted(row)) row.list(list);
  };
  for (std::size_t act = 0; act < acts_by_themselves; ++act)
    list_verb({static_cast<Act>(act), {}}, by_themselves[act]);
  for (const FaultId fault : faults_with_end())
    list_verb({Act::end, fault}, world_fault(fault)->end->act.verb);
  for (std::size_t f = 0; f < list.world.budget->counts.size(); ++f) {
    const Verb begin{Act::begin, sim::make_id<FaultId>(f)};
    if (list.world.budget->counts[f] > 0) list_verb(begin, row_of(begin, list.setup));
  }
}

}  // namespace

std::uint32_t place_of_passing() { return (static_cast<std::uint32_t>(Act::pass) + 1) * 16; }

PartOfMoves moves_of(const World& world, const Setup& setup, ProcessId p) {
  PartOfMoves part;
  Listing list(world, setup, part.moves);
  list.only = p;
  list.places = &part.places;
  list_all(list, [](const VerbRow& row) { return is_of_process(row.form); });
  part.soonest = list.soonest;
  return part;
}

PartOfMoves moves_of_others(const World& world, const Setup& setup) {
  PartOfMoves part;
  Listing list(world, setup, part.moves);
  list.places = &part.places;
  list_all(list, [](const VerbRow& row) { return !is_of_process(row.form) && row.form != Form::time; });
  part.soonest = list.soonest;
  return part;
}

void enabled(const World& world, const Setup& setup, std::vector<Move>& moves) {
  moves.clear();
  Listing list(world, setup, moves);
  list_all(list, [](const VerbRow&) { return true; });
  if (!setup.fixed.empty()) give_way_to_fixed_faults(world, setup, moves);
}

void apply(World& world, const Move& move, StepReport& report) {
  if (report.tracer != nullptr) report.tracer->moved(move);
  if (move.is_fault()) {
    FaultBudget& left = world.budget.write();
    left.set(move.verb.fault, static_cast<std::uint16_t>(left[move.verb.fault] - 1));
    observe(report, FaultBegan{move.verb.fault});
  }
  const EventWatch watch(world, move, report);
  row_of(move.verb, report.setup).apply(world, move, report);
  if (report.setup.is_watched()) watch_on(world, report);
  watch.done(world, report);
}

}  // namespace lockstep::model
