// apply.cpp: makes one enabled move happen. Each kind of move is one line here.
#include "model/world/tracer.h"
#include "model/world/world.h"

namespace lockstep::model {

namespace {

/// One step of a process: the machine says what it wants, the world carries it out.
template <class Step>
void step_process(World& world, ProcessId p, StepReport& report, Step step) {
  redisson::Out out;
  redisson::Context context{report.setup, p, out};
  step(world.processes[p.index()].write(), context);
  carry_out(world, p, out, report);
}

void run_thread(World& world, ThreadId thread, StepReport& report) {
  step_process(world, report.setup.threads[thread.index()].process, report,
               [&](redisson::Process& process, redisson::Context& context) {
                 redisson::run(process, thread, world.situation->signals, context);
               });
}

void renew(World& world, ProcessId p, std::size_t timer, StepReport& report) {
  step_process(world, p, report, [&](redisson::Process& process, redisson::Context& context) {
    if (report.tracer != nullptr) report.tracer->renewing(p, process.watchdog.timers[timer].lock);
    redisson::fire(process, timer, context);
  });
}

void time_out(World& world, const Move& move, StepReport& report) {
  step_process(world, sim::make_id<ProcessId>(move.a), report,
               [&](redisson::Process& process, redisson::Context& context) {
                 redisson::give_up(process, sim::make_id<NodeId>(move.b), sim::make_id<ConnectionId>(move.c),
                                   context);
               });
}

}  // namespace

void apply(World& world, const Move& move, StepReport& report) {
  const auto p = sim::make_id<ProcessId>(move.a);
  const auto n = sim::make_id<NodeId>(move.b);
  const auto c = sim::make_id<ConnectionId>(move.c);
  switch (move.kind) {
    case MoveKind::reply:
      return deliver_reply(world, p, n, c, report);
    case MoveKind::request:
      return deliver_request(world, p, n, c, report);
    case MoveKind::push:
      return deliver_push(world, p, n, report);
    case MoveKind::channel:
      return deliver_channel(world, p, n, report);
    case MoveKind::effects:
      return deliver_effects(world, n, report);
    case MoveKind::run:
      return run_thread(world, sim::make_id<ThreadId>(move.a), report);
    case MoveKind::renew:
      return renew(world, p, move.b, report);
    case MoveKind::time_out:
      return time_out(world, move, report);
    case MoveKind::pass:
      return pass_time(world, Duration{move.amount}, report);
    case MoveKind::fixed:
      return apply_fixed(world, move.a, report);
    default:
      return apply_fault(world, move, report);
  }
}

}  // namespace lockstep::model
