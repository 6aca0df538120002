// process.cpp: faults of processes and their threads.
#include <algorithm>

#include "model/world/faults/table.h"
#include "model/world/held.h"

namespace lockstep::model {

namespace {

const Process& process_of(const World& world, const Subject& on) {
  return *world.processes[std::get<ProcessId>(on).index()];
}

const Process& process_of(const World& world, const Setup& setup, ThreadId thread) {
  return *world.processes[setup.threads[thread.index()].process.index()];
}

template <class Wanted>
void list_processes(Listing& list, Wanted wanted) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    if (list.lists(p) && wanted(*list.world.processes[p], p)) list.add(sim::make_id<ProcessId>(p));
}

bool is_dead(const Process& process) { return process.life == Process::Life::dead; }
bool is_running(const Process& process) { return process.life == Process::Life::running; }
bool is_paused(const Process& process) { return process.life == Process::Life::paused; }

void set_pause(World& world, const Move& move, bool paused, StepReport& report) {
  const auto p = move.of<ProcessId>();
  Process& process = world.processes[p.index()].write();
  process.life = paused ? Process::Life::paused : Process::Life::running;
  process.pause_left = {paused ? report.setup.limits.pause_max : Duration::zero()};
  if (paused) observe(report, ProcessPaused{p});
  else observe(report, ProcessResumed{p});
}

void restart(World& world, const Move& move, StepReport& report) {
  const auto p = move.of<ProcessId>();
  const std::uint16_t incarnation = world.processes[p.index()]->incarnation;
  Process fresh = initial_process(report.setup, p);
  for (std::size_t g = 0; g < world.groups.size(); ++g) fresh.clients[g].master = world.groups[g]->master;
  fresh.incarnation = static_cast<std::uint16_t>(incarnation + 1);
  world.processes[p.index()] = std::move(fresh);
}

void touch_process(const Move& move, Touching& touching) {
  touching.writes(Part::process, move.of<ProcessId>().index());
}

bool has_ended(const Process& process, const Setup& setup, ThreadId thread) {
  return std::holds_alternative<Ended>(process.threads[setup.threads[thread.index()].place].cursor.activity);
}

void set_stall(World& world, const Move& move, bool stalled, StepReport& report) {
  const ThreadSetup& thread = report.setup.threads[move.of<ThreadId>().index()];
  Process& process = world.processes[thread.process.index()].write();
  if (stalled) process.stalled[thread.place] = {report.setup.limits.stall_max};
  else process.stalled.erase(thread.place);
}

template <class Wanted>
void each_thread(const Listing& list, Wanted wanted) {
  for (std::size_t t = 0; t < list.setup.threads.size(); ++t) {
    const auto thread = sim::make_id<ThreadId>(t);
    if (list.lists(list.setup.threads[t].process.index()))
      wanted(thread, process_of(list.world, list.setup, thread));
  }
}

void touch_stall(const Move& move, Touching& touching) {
  const auto thread = move.of<ThreadId>();
  touching.writes(Part::process, touching.setup().threads[thread.index()].process.index());
  touching.reads(Part::signals);
}

}  // namespace

void close_connections(World& world, ProcessId p, StepReport& report) {
  for (auto& group : world.groups)
    if (group->learning.count(p) > 0) group.write().learning.erase(p);
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    auto& link = world.link(p, sim::make_id<NodeId>(n));
    close_held(world, {p, sim::make_id<NodeId>(n)}, report.setup);
    if (link->empty() && !link->listening && !link->broken) continue;
    Link& left = link.write();
    std::erase_if(left.flights, [](const Flight& flight) { return !flight.request; });
    left.up.clear();
    left.down.clear();
    left.listening = left.broken = false;
    report.setup.nodes[n].kind->disconnect(world.nodes[n].write(), p);
  }
}

void crash_process(World& world, ProcessId p, StepReport& report) {
  model::crash(world.processes[p.index()].write());
  close_connections(world, p, report);
  observe(report, ProcessCrashed{p});
}

const FaultRow crash_process_fault{
    .key = "crash-process",
    .about = "its threads, timers, connections and local state are gone",
    .begin = {.verb = {.word = "crash",
                       .form = Form::process,
                       .list =
                           [](Listing& list) {
                             list_processes(list, [&](const Process& process, std::size_t p) {
                               return !is_dead(process) && has_work(process, list.setup) &&
                                      list.lazy.should_crash(p);
                             });
                           },
                       .touches = [](const Move& move,
                                     Touching& touching) { touching.death_of(move.of<ProcessId>()); },
                       .apply =
                           [](World& world, const Move& move, StepReport& report) {
                             crash_process(world, move.of<ProcessId>(), report);
                           }},
              .fixed = "crash",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return !is_dead(process_of(world, on)); }},
    .end = {},
    .place = 1};

const FaultRow restart_process_fault{
    .key = "restart-process",
    .about = "a crashed process starts again, as a new Redisson instance",
    .begin = {.verb = {.word = "restart",
                       .form = Form::process,
                       .event = sim::TraceKind::restart,
                       .list =
                           [](Listing& list) {
                             list_processes(
                                 list, [](const Process& process, std::size_t) { return is_dead(process); });
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             touch_process(move, touching);
                             for (std::size_t g = 0; g < touching.setup().group_count(); ++g)
                               touching.reads(Part::roles, g);
                           },
                       .apply = restart},
              .fixed = "restart",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return is_dead(process_of(world, on)); }},
    .end = {},
    .place = 2};

const FaultRow pause_process_fault{
    .key = "pause-process",
    .about = "its threads, timers and handlers stop; clocks run on; it resumes at latest after pause-max",
    .begin = {.verb = {.word = "pause",
                       .form = Form::process,
                       .list =
                           [](Listing& list) {
                             list_processes(list, [&](const Process& process, std::size_t p) {
                               return is_running(process) && has_work(process, list.setup) &&
                                      list.lazy.should_pause(p);
                             });
                           },
                       .touches = touch_process,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_pause(world, move, true, report); }},
              .fixed = "pause",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return is_running(process_of(world, on)); }},
    .end =
        FaultEnd{.act = {.verb = {.word = "resume",
                                  .form = Form::process,
                                  .list =
                                      [](Listing& list) {
                                        for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
                                          if (!list.lists(p)) continue;
                                          const Process& process = *list.world.processes[p];
                                          if (!is_paused(process) || !list.lazy.should_resume(p)) continue;
                                          list.add_ending(sim::make_id<ProcessId>(p),
                                                          process.pause_left.left);
                                        }
                                      },
                                  .touches = touch_process,
                                  .apply = [](World& world, const Move& move,
                                              StepReport& report) { set_pause(world, move, false, report); }},
                         .fixed = "resume",
                         .befalls = [](const World& world, const Setup&,
                                       const Subject& on) { return is_paused(process_of(world, on)); }},
                 .words = "resume",
                 .at_latest = &FaultLimits::pause_max,
                 .limit_key = "pause-max",
                 .place = 0},
    .place = 0};

const FaultRow interrupt_thread_fault{
    .key = "interrupt-thread",
    .about = "a waiting thread is interrupted",
    .begin = {.verb = {.word = "interrupt",
                       .form = Form::thread,
                       .list =
                           [](Listing& list) {
                             for (std::size_t t = 0; t < list.setup.threads.size(); ++t) {
                               const auto thread = sim::make_id<ThreadId>(t);
                               const std::size_t p = list.setup.threads[t].process.index();
                               if (list.lists(p) && list.running(p) &&
                                   !is_stalled(*list.world.processes[p], list.setup, thread) &&
                                   interruptible(*list.world.processes[p], list.setup, thread))
                                 list.add(thread);
                             }
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             touching.step_of(touching.setup().threads[move.of<ThreadId>().index()].process);
                           },
                       .apply =
                           [](World& world, const Move& move, StepReport& report) {
                             const auto thread = move.of<ThreadId>();
                             step_process(world, report.setup.threads[thread.index()].process, report,
                                          [&](Process& process, Context& context) {
                                            model::interrupt(process, thread, context);
                                          });
                           }},
              .fixed = "interrupt",
              .befalls =
                  [](const World& world, const Setup& setup, const Subject& on) {
                    const auto thread = std::get<ThreadId>(on);
                    const Process& process = process_of(world, setup, thread);
                    return is_running(process) && !is_stalled(process, setup, thread) &&
                           interruptible(process, setup, thread);
                  }},
    .end = {},
    .place = 11};

const FaultRow stall_thread_fault{
    .key = "stall-thread",
    .about = "one thread takes no step while its process goes on, at most for stall-max",
    .begin = {.verb = {.word = "stall",
                       .form = Form::thread,
                       .event = sim::TraceKind::pause,
                       .list =
                           [](Listing& list) {
                             each_thread(list, [&](ThreadId thread, const Process& process) {
                               if (is_running(process) && !is_stalled(process, list.setup, thread) &&
                                   !has_ended(process, list.setup, thread) && list.lazy.should_stall(thread))
                                 list.add(thread);
                             });
                           },
                       .touches = touch_stall,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_stall(world, move, true, report); }},
              .fixed = "stall",
              .befalls =
                  [](const World& world, const Setup& setup, const Subject& on) {
                    const auto thread = std::get<ThreadId>(on);
                    const Process& process = process_of(world, setup, thread);
                    return !is_dead(process) && !is_stalled(process, setup, thread) &&
                           !has_ended(process, setup, thread);
                  }},
    .end =
        FaultEnd{.act = {.verb = {.word = "unstall",
                                  .form = Form::thread,
                                  .event = sim::TraceKind::resume,
                                  .list =
                                      [](Listing& list) {
                                        each_thread(list, [&](ThreadId thread, const Process& process) {
                                          if (!is_stalled(process, list.setup, thread) ||
                                              !list.lazy.should_unstall(thread))
                                            return;
                                          const auto place = list.setup.threads[thread.index()].place;
                                          list.add_ending(thread, process.stalled.at(place).left);
                                        });
                                      },
                                  .touches = touch_stall,
                                  .apply = [](World& world, const Move& move,
                                              StepReport& report) { set_stall(world, move, false, report); }},
                         .fixed = "unstall",
                         .befalls =
                             [](const World& world, const Setup& setup, const Subject& on) {
                               const auto thread = std::get<ThreadId>(on);
                               return is_stalled(process_of(world, setup, thread), setup, thread);
                             }},
                 .words = "unstall",
                 .at_latest = &FaultLimits::stall_max,
                 .limit_key = "stall-max",
                 .place = 5},
    .place = 13};

}  // namespace lockstep::model
