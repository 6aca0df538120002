#include "model/client/process.h"

#include <algorithm>

#include "model/client/machine.h"
#include "model/client/new_words.h"
#include "model/client/one_request.h"
#include "model/client/requests.h"
#include "model/client/token.h"
#include "model/program/interpreter.h"

namespace lockstep::model {

namespace {

const Thread& thread_of(const Process& process, const Setup& setup, ThreadId id) {
  return process.threads[setup.threads[id.index()].place];
}

/// The library of a client: that of the kinds which the scenario uses.
const Library& library_of(const Setup& setup, std::uint16_t client) { return *setup.libraries[client]; }

/// The key that the object locks; a fresh object has one for each acquire of each thread.
std::string key_of(Caller caller, std::uint16_t object) {
  const LockObject& named = caller.setup().objects[object];
  if (!named.fresh) return key_of(named);
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
  call.lease = step.lease;
  const bool may_wait = step.kind != StepKind::try_lock || step.wait.has_value() || wants_token(step);
  call.waits = is_acquire(step.kind) && may_wait;
  return call;
}

/// What a call has come to, which may be one that the thread made for another.
void tell_return(Caller caller, ThreadId whose, const Call& call, Answer answer,
                 std::optional<std::int64_t> token) {
  Thread& thread = caller.thread();
  std::vector<Observation>& seen = caller.context.out.seen;
  const std::string lock = resource_of(call, caller.setup());
  const Mode mode = kind_of(caller.setup(), call.object).mode;
  seen.push_back(Returned{whose, call.verb, lock, answer, mode});
  if (is_acquire(call.verb) && answer == Answer::yes)
    for (const std::string& gained : resources_of(call, caller.setup()))
      seen.push_back(Gained{whose, gained, token, mode});
  if (call.verb == StepKind::write && answer == Answer::exception) ++thread.cursor.unanswered;
  if (token && writes(caller.setup().threads[caller.id.index()].program)) thread.token = token;
}

void begin_call(Caller caller, const Step& step) {
  Thread& thread = caller.thread();
  if (is_acquire(step.kind) && caller.setup().objects[step.object].fresh) ++thread.cursor.fresh;
  if (caller.task == 0) thread.call = call_of(caller, step);
  else caller.call() = call_of(caller, step);
  const Call& call = caller.call();
  std::vector<Observation>& seen = caller.context.out.seen;
  const std::string lock = resource_of(call, caller.setup());
  seen.push_back(
      Invoked{caller.id, step.kind, lock, call.waits, number_of_write(caller.process, thread.cursor)});
  const bool takes_away = step.kind == StepKind::force_unlock && !caller.kind().is_made_of_others();
  if (step.kind == StepKind::unlock || takes_away)
    for (const std::string& yielded : resources_of(call, caller.setup()))
      seen.push_back(Yielded{caller.id, yielded, takes_away, caller.kind().mode});
  machine_of(caller).invoke(caller, step);
}

/// Whose the future is that a thread has open.
ThreadId owner_of_open(Caller caller) {
  const auto& place = caller.thread().open_of;
  return place ? caller.setup().processes[caller.context.self.index()].threads[place->index()] : caller.id;
}

/// The call goes on, and its future is complete without anybody who reads it.
void let_go(Caller caller, Future::Fate fate = Future::Fate::let_go) {
  Thread& thread = caller.thread();
  auto& futures = Caller{caller.process, owner_of_open(caller), caller.context}.thread().futures;
  const auto open = futures.find(std::exchange(thread.open, std::uint16_t{0}));
  thread.open_of.reset();
  if (open == futures.end()) return;
  if (open->second.answer) futures.erase(open);
  else open->second.fate = fate;
}

void begin_future(Caller caller, const Step& step) {
  Thread& thread = caller.thread();
  const ThreadId whose = step.by ? thread_called(caller.setup(), caller.context.self, *step.by) : caller.id;
  const Caller as{caller.process, whose, caller.context};
  auto& futures = as.thread().futures;
  std::uint16_t task = 1;
  while (futures.contains(task)) ++task;
  Future future{.call = {}, .step = thread.cursor.step, .number = number_of_future(caller, whose)};
  if (whose != caller.id) {
    future.maker = caller.place();
    thread.open_of = as.place();
  }
  futures[task] = std::move(future);
  thread.open = task;
  begin_call({caller.process, whose, caller.context, task}, step);
  future_begun(thread.cursor);
}

/// The thread has the answer of its future.
void read_future(Caller caller) {
  Thread& thread = caller.thread();
  const ThreadId whose = owner_of_open(caller);
  const Future future = *open_future(caller.process, thread);
  let_go(caller);
  tell_return(caller, whose, future.call, *future.answer, future.token);
  call_returned(thread.cursor, caller.setup().threads[caller.id.index()].program, *future.answer);
}

/// get() waits; cancel() is true unless the future was complete, and then that stays as it is. What a refused
/// trylock has skipped has made no future.
void ask_future(Caller caller, const Step& step) {
  Thread& thread = caller.thread();
  if (thread.open == 0) {
    thread.cursor.step = step.jump;
    thread.cursor.activity = Ready{};
    return;
  }
  const Future& future = *open_future(caller.process, thread);
  if (step.kind == StepKind::get) {
    if (future.answer) read_future(caller);
    return;
  }
  const bool complete = future.answer.has_value();
  if (!complete) {
    tell_return(caller, owner_of_open(caller), future.call, Answer::exception, std::nullopt);
    let_go(caller, Future::Fate::cancelled);
  }
  call_returned(thread.cursor, caller.setup().threads[caller.id.index()].program,
                complete ? Answer::no : Answer::yes);
}

/// Redisson.shutdown(): what was asked and not answered fails, and so does all that is asked later.
void shut_down(Caller caller) {
  Process& process = caller.process;
  process.shut_down = caller.context.out.shut_down = true;
  future_begun(caller.cursor());
  for (std::uint16_t c = 0; c < process.clients.size(); ++c) {
    Client& client = process.clients[c];
    const Library& library = library_of(caller.setup(), c);
    if (library.shut_down != nullptr) library.shut_down({process, c, caller.context});
    const std::vector<Pending> pending = std::exchange(client.pending, {});
    const std::vector<Queued> queue = std::exchange(client.queue, {});
    for (const Pending& one : pending) fail(process, one.request, one.caller_gone, caller.context);
    for (const Queued& one : queue) fail(process, one.request, one.caller_gone, caller.context);
  }
}

void go_on_in_program(Caller caller, const std::vector<bool>& signals) {
  Out& out = caller.context.out;
  const Step* step = go_on(caller.cursor(), caller.id, caller.setup().threads[caller.id.index()].program,
                           signals, {out.seen, out.signals});
  Thread& thread = caller.thread();
  if (step != nullptr && (step->kind == StepKind::get || step->kind == StepKind::cancel))
    return ask_future(caller, *step);
  if (step != nullptr || std::holds_alternative<Ended>(thread.cursor.activity)) let_go(caller);
  if (step == nullptr) return;
  if (step->kind == StepKind::shutdown) return shut_down(caller);
  if (step->kind == StepKind::crash) out.crash = true;
  else if (step->async) begin_future(caller, *step);
  else begin_call(caller, *step);
}

/// get() throws; the call whose future it waited for goes on.
void interrupt_get(Caller caller) {
  Thread& thread = caller.thread();
  tell_return(caller, owner_of_open(caller), open_future(caller.process, thread)->call, Answer::exception,
              std::nullopt);
  let_go(caller);
  call_returned(thread.cursor, caller.setup().threads[caller.id.index()].program, Answer::exception);
}

}  // namespace

Process initial_process(const Setup& setup, ProcessId self) {
  Process process;
  for (std::uint16_t group = 0; group < setup.libraries.size(); ++group) {
    Client client{.master = first_master(setup, sim::make_id<GroupId>(group))};
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

const Machine& machine_of(const Setup& setup, std::uint16_t object, Intent intent) {
  const LockKind& kind = kind_of(setup, object);
  const bool takes_whole_away = intent == Intent::force_release && kind.is_made_of_others();
  if (!is_question(intent) && !takes_whole_away) return *kind.machine;
  return kind.asking == nullptr ? one_request : *kind.asking;
}

const Machine& machine_of(const Setup& setup, const Call& call) {
  return machine_of(setup, call.object, *intent_of(call.verb));
}

const Machine& machine_of(Caller caller) {
  return caller.task == 0 ? machine_of(caller.setup(), caller.call()) : *caller.kind().listening;
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
  if (!thread.call) return open_future(process, thread)->answer.has_value();
  const Machine& machine = machine_of(setup, *thread.call);
  return machine.may_resume != nullptr && machine.may_resume(process, setup, id);
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
  if (!std::holds_alternative<InCall>(caller.cursor().activity)) go_on_in_program(caller, signals);
  else if (caller.thread().call) machine_of(caller).resume(caller);
  else read_future(caller);
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

std::optional<sim::Timer> latest(const Process& process, const Setup& setup, LibraryTimer timer) {
  const auto at_latest = library_of(setup, timer.client).fires_at_latest;
  if (at_latest == nullptr) return std::nullopt;
  return at_latest(process.clients[timer.client], timer.number);
}

bool must_fire(const Process& process, const Setup& setup) {
  const std::vector<LibraryTimer> due = due_timers(process, setup);
  return std::any_of(due.begin(), due.end(), [&](LibraryTimer timer) {
    const auto at_latest = latest(process, setup, timer);
    return !at_latest || at_latest->due();
  });
}

std::string lock_of_timer(const Process& process, const Setup& setup, LibraryTimer timer) {
  return library_of(setup, timer.client).lock_of_timer(process.clients[timer.client], timer.number);
}

std::string_view timer_says(const Process& process, const Setup& setup, LibraryTimer timer) {
  const auto says = library_of(setup, timer.client).timer_says;
  return says == nullptr ? std::string_view{} : says(process.clients[timer.client], timer.number);
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
  if (!thread.call) return std::holds_alternative<InCall>(thread.cursor.activity);
  const auto notices = machine_of(setup, *thread.call).interruptible;
  return notices != nullptr && notices(*thread.call);
}

void interrupt(Process& process, ThreadId id, Context& context) {
  const Caller caller{process, id, context};
  context.out.seen.push_back(Interrupted{id});
  for (Client& client : process.clients)
    for_each_unanswered(client, [&](auto& one) {
      const Purpose& its = one.request.purpose;
      one.caller_gone |= its.thread == id && its.task == 0 && has_caller(its, context.setup);
    });
  if (!caller.thread().call) return interrupt_get(caller);
  if (!caller.call().outer.empty()) caller.call().outer.write<Outer>().interrupted = true;
  machine_of(context.setup, caller.call()).interrupt(caller);
}

void call_member(Caller caller, const Step& step) {
  Call call = call_of(caller, step);
  call.outer = Outer{std::move(caller.call())};
  caller.call() = std::move(call);
  machine_of(caller).invoke(caller, step);
}

namespace {

/// What the program knows nothing of: a member of its lock is taken, or not.
void return_to_outer(Caller caller, Answer answer, std::optional<std::int64_t> token) {
  if (answer == Answer::yes)
    caller.context.out.seen.push_back(
        Gained{caller.id, resource_of(caller.call(), caller.setup()), token, caller.kind().mode});
  Outer outer = caller.call().outer.get<Outer>();
  caller.call() = std::move(outer.call);
  machine_of(caller).member_returned(caller, answer, outer.interrupted);
}

}  // namespace

void return_from_call(Caller caller, Answer answer, std::optional<std::int64_t> token) {
  if (!caller.call().outer.empty()) return return_to_outer(caller, answer, token);
  Thread& thread = caller.thread();
  if (caller.task != 0) {
    Future& future = thread.futures.at(caller.task);
    if (future.fate != Future::Fate::open) {
      thread.futures.erase(caller.task);
      return;
    }
    future.call.state = {};
    future.call.time_left.reset();
    future.answer = answer;
    future.token = token;
    return;
  }
  const Call call = *std::exchange(thread.call, std::nullopt);
  tell_return(caller, caller.id, call, answer, token);
  call_returned(thread.cursor, caller.setup().threads[caller.id.index()].program, answer);
}

void crash(Process& process) {
  Process dead;
  dead.life = Process::Life::dead;
  dead.incarnation = process.incarnation;
  for (const Client& client : process.clients) dead.clients.push_back({.master = client.master});
  const Thread ended{.cursor = {.activity = Ended{}}};
  dead.threads.rows.assign(process.threads.size(), ended);
  process = std::move(dead);
}

bool all_ended(const Process& process) {
  return std::all_of(process.threads.begin(), process.threads.end(), [](const Thread& thread) {
    return std::holds_alternative<Ended>(thread.cursor.activity);
  });
}

bool has_work(const Process& process, const Setup& setup) {
  if (!all_ended(process)) return true;
  for (const Thread& thread : process.threads)
    if (!thread.futures.empty()) return true;
  for (std::uint16_t c = 0; c < process.clients.size(); ++c) {
    const Client& client = process.clients[c];
    if (!client.pending.empty() || !client.queue.empty() || library_of(setup, c).busy(client)) return true;
  }
  return false;
}

bool flexible(const Process& process, const Setup& setup) {
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.at_latest.left > pending.left.left) return true;
  for (const LibraryTimer timer : due_timers(process, setup))
    if (latest(process, setup, timer)) return true;
  return std::any_of(process.threads.begin(), process.threads.end(), [&](const Thread& thread) {
    if (!thread.call) return flexible(thread.cursor);
    return latest_of(thread, setup).has_value();
  });
}

const Future* open_future(const Process& process, const Thread& thread) {
  const Thread& owner = thread.open_of ? process.threads[*thread.open_of] : thread;
  const auto open = owner.futures.find(thread.open);
  return open == owner.futures.end() ? nullptr : &open->second;
}

bool waits(const Thread& thread) {
  bool any = false;
  for_each_waiting_call(thread, [&](const Call&, bool) { any = true; });
  return any;
}

}  // namespace lockstep::model
