#include "model/client/process.h"

#include <algorithm>

#include "model/client/machine.h"
#include "model/client/one_request.h"
#include "model/client/requests.h"
#include "model/client/token.h"
#include "model/program/interpreter.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

Thread& thread_of(Process& process, const Setup& setup, ThreadId id) {
  return process.threads[setup.threads[id.index()].place];
}
const Thread& thread_of(const Process& process, const Setup& setup, ThreadId id) {
  return process.threads[setup.threads[id.index()].place];
}

/// The library of a client: that of the kinds which the scenario uses.
const Library& library_of(const Setup& setup, std::uint16_t client) { return *setup.libraries[client]; }

/// The key that the object locks; a fresh object has one for each acquire of each thread.
std::string key_of(Caller caller, std::uint16_t object) {
  const LockObject& named = caller.setup().objects[object];
  if (!named.fresh) return named.name;
  return named.name + "#" + caller.setup().thread_name(caller.id) + "." +
         std::to_string(caller.cursor().fresh);
}

/// When a thread inside an interval lo..hi must go on.
std::optional<sim::Timer> latest_of(const Thread& thread, const Setup& setup) {
  if (const auto* busy = std::get_if<Busy>(&thread.cursor.activity)) return busy->hi;
  if (!thread.call) return std::nullopt;
  const Machine& machine = machine_of(setup, *thread.call);
  return machine.at_latest == nullptr ? std::nullopt : machine.at_latest(*thread.call);
}

/// A thread awaits the answer.
bool has_caller(const Purpose& purpose, const Setup& setup) {
  const Intent intent = role_of(purpose, setup).intent;
  return intent != Intent::renew && intent != Intent::tidy;
}

/// A command in one line.
std::string told(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

bool writes(const std::vector<Step>& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Step& step) { return step.kind == StepKind::write; });
}

Call call_of(Caller caller, const Step& step) {
  Call call{.verb = step.kind,
            .object = step.object,
            .lock = step.kind == StepKind::command ? told(step.words) : key_of(caller, step.object)};
  if (step.wait) call.time_left = sim::Countdown{*step.wait};
  if (step.lease && *step.lease > Duration::zero()) call.lease = step.lease;
  const bool may_wait = step.kind != StepKind::try_lock || step.wait.has_value() || wants_token(step);
  call.waits = is_acquire(step.kind) && may_wait;
  return call;
}

void begin_call(Caller caller, const Step& step) {
  Thread& thread = thread_of(caller.process, caller.setup(), caller.id);
  if (is_acquire(step.kind) && caller.setup().objects[step.object].fresh) ++thread.cursor.fresh;
  thread.call = call_of(caller, step);
  std::vector<Observation>& seen = caller.context.out.seen;
  const std::string lock = resource_of(*thread.call, caller.setup());
  seen.push_back(Invoked{caller.id, step.kind, lock, thread.call->waits,
                         number_of_write(caller.process, thread.cursor)});
  if (step.kind == StepKind::unlock || step.kind == StepKind::force_unlock)
    seen.push_back(Yielded{caller.id, lock, step.kind == StepKind::force_unlock, caller.kind().mode});
  machine_of(caller.setup(), *thread.call).invoke(caller, step);
}

void go_on_in_program(Caller caller, const std::vector<bool>& signals) {
  Out& out = caller.context.out;
  const Step* step = go_on(caller.cursor(), caller.id, caller.setup().threads[caller.id.index()].program,
                           signals, {out.seen, out.signals});
  if (step == nullptr) return;
  if (step->kind == StepKind::crash) out.crash = true;
  else begin_call(caller, *step);
}

}  // namespace

Process initial_process(const Setup& setup, ProcessId self) {
  Process process;
  for (std::uint16_t group = 0; group < setup.libraries.size(); ++group) {
    Client client{.master = first_master(setup, sim::make_id<GroupId>(group)), .pending = {}, .library = {}};
    client.library = library_of(setup, group).initial();
    process.clients.push_back(std::move(client));
  }
  for (const ThreadSetup& thread : setup.threads)
    if (thread.process == self) process.threads.rows.emplace_back();
  return process;
}

/// One that is answered is not under way any more; those of a dead process are told apart by its incarnation.
std::uint32_t number_of_write(const Process& process, const Cursor& cursor) {
  return (std::uint32_t{process.incarnation} << 16U) + cursor.unanswered;
}

std::uint32_t number_of_call(const Cursor& cursor) {
  constexpr std::uint32_t more_than_rounds = 1'000'003;  // prime, so that rounds do not meet
  std::uint32_t number = cursor.step;
  for (const std::uint32_t rounds_left : cursor.loops) number = number * more_than_rounds + rounds_left;
  return number;
}

std::string resource_of(const Call& call, const Setup& setup) {
  if (!kind_of(setup, call.object).is_lock()) return call.lock;
  return resource_name(setup.objects[call.object].group, call.lock);
}

const Machine& machine_of(const Setup& setup, std::uint16_t object, Intent intent) {
  const bool asks = intent == Intent::ask_held || intent == Intent::ask_locked;
  return asks ? one_request : *kind_of(setup, object).machine;
}

const Machine& machine_of(const Setup& setup, const Call& call) {
  return machine_of(setup, call.object, *intent_of(call.verb));
}

std::uint16_t client_of(const Setup& setup, std::uint16_t object) {
  return setup.objects[object].group.value;
}

std::string holder_name(const Setup& setup, ThreadId thread, std::uint16_t incarnation,
                        std::uint16_t client) {
  const ThreadSetup& its = setup.threads[thread.index()];
  std::string name = setup.processes[its.process.index()].client_id;
  if (incarnation != 0) name += "-again-" + std::to_string(incarnation);
  if (client != 0) name += "-client-" + std::to_string(client);
  return name + ":" + std::to_string(its.java_id);
}

std::string holder_of(const Purpose& purpose, const Setup& setup) {
  return holder_name(setup, purpose.thread, purpose.incarnation, client_of(setup, purpose.object));
}

bool is_stalled(const Process& process, const Setup& setup, ThreadId id) {
  return process.stalled.contains(setup.threads[id.index()].place);
}

bool runnable(const Process& process, const Setup& setup, ThreadId id, const std::vector<bool>& signals) {
  return !is_stalled(process, setup, id) && has_step(process, setup, id, signals);
}

bool has_step(const Process& process, const Setup& setup, ThreadId id, const std::vector<bool>& signals) {
  const Thread& thread = thread_of(process, setup, id);
  if (!std::holds_alternative<InCall>(thread.cursor.activity)) return can_go_on(thread.cursor, signals);
  return machine_of(setup, *thread.call).may_resume(process, setup, id);
}

std::optional<sim::Timer> latest(const Process& process, const Setup& setup, ThreadId id) {
  return latest_of(thread_of(process, setup, id), setup);
}

bool must_run(const Process& process, const Setup& setup, ThreadId id, const std::vector<bool>& signals) {
  if (is_stalled(process, setup, id)) return false;
  const auto at_latest = latest(process, setup, id);
  return at_latest ? at_latest->due() : runnable(process, setup, id, signals);
}

void run(Process& process, ThreadId id, const std::vector<bool>& signals, Context& context) {
  const Caller caller{process, id, context};
  if (std::holds_alternative<InCall>(caller.cursor().activity))
    machine_of(context.setup, caller.call()).resume(caller);
  else go_on_in_program(caller, signals);
}

void receive_push(Process& process, std::uint16_t client, const Reply& message, Context& context) {
  library_of(context.setup, client).pushed({process, client, context}, message);
}

void receive_close(Process& process, std::uint16_t client, Context& context) {
  const Library& library = library_of(context.setup, client);
  if (library.closed != nullptr) library.closed({process, client, context});
}

std::vector<LibraryTimer> due_timers(const Process& process, const Setup& setup) {
  std::vector<LibraryTimer> due;
  for (std::uint16_t c = 0; c < process.clients.size(); ++c)
    for (const std::size_t number : library_of(setup, c).due(process.clients[c])) due.push_back({c, number});
  return due;
}

std::string lock_of_timer(const Process& process, const Setup& setup, LibraryTimer timer) {
  return library_of(setup, timer.client).lock_of_timer(process.clients[timer.client], timer.number);
}

void fire(Process& process, LibraryTimer timer, Context& context) {
  library_of(context.setup, timer.client).fire({process, timer.client, context}, timer.number);
}

void learn_master(Process& process, std::uint16_t client, NodeId master, Context& context) {
  process.clients[client].master = master;
  library_of(context.setup, client).connected({process, client, context});
}

bool interruptible(const Process& process, const Setup& setup, ThreadId id) {
  const Thread& thread = thread_of(process, setup, id);
  return thread.call && machine_of(setup, *thread.call).interruptible(*thread.call);
}

void interrupt(Process& process, ThreadId id, Context& context) {
  const Caller caller{process, id, context};
  context.out.seen.push_back(Interrupted{id});
  for (Client& client : process.clients)
    for (Pending& pending : client.pending)
      if (pending.request.purpose.thread == id && has_caller(pending.request.purpose, context.setup))
        pending.caller_gone = true;
  if (!caller.call().outer.empty()) caller.call().outer.write<Outer>().interrupted = true;
  machine_of(context.setup, caller.call()).interrupt(caller);
}

void call_member(Caller caller, const Step& step) {
  Thread& thread = thread_of(caller.process, caller.setup(), caller.id);
  Call call = call_of(caller, step);
  call.outer = Outer{*std::move(thread.call)};
  thread.call = std::move(call);
  machine_of(caller.setup(), *thread.call).invoke(caller, step);
}

namespace {

/// What the program knows nothing of: a member of its lock is taken, or not.
void return_to_outer(Caller caller, Answer answer, std::optional<std::int64_t> token) {
  Thread& thread = thread_of(caller.process, caller.setup(), caller.id);
  if (answer == Answer::yes)
    caller.context.out.seen.push_back(
        Gained{caller.id, resource_of(*thread.call, caller.setup()), token, caller.kind().mode});
  Outer outer = thread.call->outer.get<Outer>();
  thread.call = std::move(outer.call);
  machine_of(caller.setup(), *thread.call).member_returned(caller, answer, outer.interrupted);
}

}  // namespace

void return_from_call(Caller caller, Answer answer, std::optional<std::int64_t> token) {
  Thread& thread = thread_of(caller.process, caller.setup(), caller.id);
  if (!thread.call->outer.empty()) return return_to_outer(caller, answer, token);
  const Call& call = *thread.call;
  std::vector<Observation>& seen = caller.context.out.seen;
  const std::string lock = resource_of(call, caller.setup());
  const Mode mode = caller.kind().mode;
  seen.push_back(Returned{caller.id, call.verb, lock, answer, mode});
  if (is_acquire(call.verb) && answer == Answer::yes) seen.push_back(Gained{caller.id, lock, token, mode});
  if (call.verb == StepKind::write && answer == Answer::exception) ++thread.cursor.unanswered;
  if (token && writes(caller.setup().threads[caller.id.index()].program)) thread.token = token;
  thread.call.reset();
  call_returned(thread.cursor, caller.setup().threads[caller.id.index()].program, answer);
}

void crash(Process& process) {
  Process dead;
  dead.life = Process::Life::dead;
  dead.incarnation = process.incarnation;
  for (const Client& client : process.clients)
    dead.clients.push_back({.master = client.master, .pending = {}, .library = {}});
  dead.threads.rows.assign(process.threads.size(), Thread{.cursor = {.activity = Ended{}}, .call = {}});
  process = std::move(dead);
}

bool all_ended(const Process& process) {
  return std::all_of(process.threads.begin(), process.threads.end(), [](const Thread& thread) {
    return std::holds_alternative<Ended>(thread.cursor.activity);
  });
}

bool has_work(const Process& process, const Setup& setup) {
  if (!all_ended(process)) return true;
  for (std::uint16_t c = 0; c < process.clients.size(); ++c)
    if (!process.clients[c].pending.empty() || library_of(setup, c).busy(process.clients[c])) return true;
  return false;
}

bool flexible(const Process& process, const Setup& setup) {
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.at_latest.left > pending.left.left) return true;
  return std::any_of(process.threads.begin(), process.threads.end(), [&](const Thread& thread) {
    if (!thread.call) return flexible(thread.cursor);
    return latest_of(thread, setup).has_value();
  });
}

const Call* waiting_call(const Thread& thread) {
  return thread.call && thread.call->waits ? &*thread.call : nullptr;
}

}  // namespace lockstep::model
