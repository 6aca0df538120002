// multi.cpp: Redisson's RedissonMultiLock and RedissonRedLock: locks that are made of others, their members.
//
// Nothing is stored for them; all is done by the calling thread, with calls of the members' own.
//
//   1. tryLock takes the members in order, each by its tryLock. Without a wait and a lease, that is
//      tryLock(). Else it is tryLock(wait, lease): multi waits for what is left of its wait, red for the n-th
//      part of its wait, at least 1 ms; the lease is twice the wait, or without a wait the lease itself, or
//      none.
//   2. A member is taken: the next one. An exception counts as a refusal. Where it is no interrupt, the
//      member is unlocked first: its request may have been served.
//   3. Refused: multi unlocks what it has taken. Without a wait it returns false then; else it begins anew.
//      Red lets members fail as long as a majority is left: it is done with what it has when it has asked for
//      the last member or the number that it has taken is a majority at a refusal.
//   4. After each member: the wait is over: what is taken is unlocked, false.
//   5. Enough is taken: if the caller gave a lease, each of them gets it now (PEXPIRE, whoever holds it), and
//      the answers are awaited and ignored. True.
//   6. lock is tryLock until it is true: without a lease it waits 1,500 ms for each member, else for the
//      lease, at least 2 s; a random part of a longer one, here the longest. Since 3.25.1 the lease is
//      multiplied by its unit in each turn: lock(5, SECONDS) asks for 5,000 s from the second turn on.
//   7. unlock unlocks all members at once and awaits their answers: multi throws if one of them fails, red
//      ignores that. So does what 2., 3. and 4. unlock. Later multi unlocks one after the other, and throws
//      at the first that fails; those behind it stay locked.
//   8. lockAsync, tryLockAsync, unlockAsync do the same without a thread, by calls of the members that return
//      futures (listening.h). Their unlock sends all at once in every version, and fails if one does, also
//      that of red. A future that is cancelled keeps what it gets.
//   9. forceUnlock throws (UnsupportedOperationException), and so does forceUnlockAsync: nothing is sent
//      (asking_members.h).
//
// Departures: forceUnlockAsync throws before there is a future; here the future fails, and its get throws. In
// 8. the unlock of 2. is awaited, too, and a lock that asks for ever ends when its client is
// shut down. An error reply of a member's acquire counts like a time-out in 2. (the original unlocks after
// a time-out only). The longest wait stands for all in 6. A
// lease grows once, not in each turn; `lease=5s` is one in seconds, and one that is not whole seconds is one
// in milliseconds, which does not grow.
// Sources: RedissonMultiLock.tryLock, lockInterruptibly, unlock, unlockInner;
// RedissonRedLock.failedLocksLimit, calcLockWaitTime, unlock; 3.8 to 4.7.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "model/program/interpreter.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/asking_members.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

extern const model::LockKind multi, red;

namespace {

using model::Call;
using model::Intent;
using model::Purpose;
using model::Step;
using model::StepKind;
using sim::ThreadId;

constexpr std::uint16_t unlocks_max = 64;

enum class At : std::uint8_t {
  taking,     // inside a call of the next member
  freeing,    // that one is unlocked after an exception
  undoing,    // what is taken is unlocked
  extending,  // what is taken gets the caller's lease
  releasing   // unlock
};
constexpr std::array<std::string_view, 5> gathering_states{"taking", "freeing", "undoing", "extending",
                                                           "releasing"};

struct Gathering {
  static constexpr std::string_view kind = "gathering";

  At at = At::taking;
  std::uint16_t next = 0;      // of the members: the one that is asked
  std::uint16_t may_fail = 0;  // so many more
  std::vector<std::uint16_t> taken;
  std::uint16_t unanswered = 0;        // requests, in all states but the first
  bool failed = false;                 // releasing: an answer was an exception
  std::uint16_t unlocks = 0;           // tells those of one member apart: latches outlive an attempt
  Duration wait{};                     // of an attempt; zero: it does not wait
  std::optional<sim::Countdown> left;  // of this one
  bool lease_grown = false;            // 6.

  bool operator==(const Gathering&) const = default;
  static auto fields(auto& g) {
    return std::tie(g.at, g.next, g.may_fail, g.taken, g.unanswered, g.failed, g.unlocks, g.wait, g.left,
                    g.lease_grown);
  }
};
static_assert(sim::State<Gathering>);

Gathering& state(Caller caller) { return caller.in<Gathering>(); }
const std::vector<std::uint16_t>& members(Caller caller) {
  return caller.setup().objects[caller.call().object].members;
}

std::uint16_t failures_allowed(Caller caller) {
  std::size_t needed = model::members_needed(caller.setup(), caller.call().object);
  if (caller.kind().needs == model::Needs::majority && settings_of(caller.context).minority_enough) --needed;
  return static_cast<std::uint16_t>(members(caller).size() - needed);
}

/// 6.
std::optional<Duration> lease_of_turn(Caller caller) {
  const std::optional<Duration> lease = caller.call().lease;
  return lease && state(caller).lease_grown ? *lease * 1'000 : lease;
}

Duration wait_of_turn(Caller caller) {
  const std::optional<Duration> lease = lease_of_turn(caller);
  if (!lease) return Duration{1'500} * static_cast<std::int64_t>(members(caller).size());
  return std::max(*lease, Duration{2'000});
}

/// Of one attempt; zero: it does not wait.
Duration wait_of(Caller caller, const Step& step) {
  return step.kind == StepKind::try_lock ? step.wait.value_or(Duration{}) : wait_of_turn(caller);
}

/// 1.
Step call_of_member(Caller caller) {
  const Gathering& now = state(caller);
  const Call& call = caller.call();
  Step step{.kind = StepKind::try_lock, .object = members(caller)[now.next]};
  step.lease = call.lease;
  if (now.wait == Duration::zero()) {
    if (call.lease) step.wait = Duration::zero();
    return step;
  }
  const auto count = static_cast<std::int64_t>(members(caller).size());
  const bool shares = caller.kind().needs == model::Needs::majority;
  const Duration most = shares ? std::max(Duration{now.wait.count() / count}, Duration{1}) : now.wait;
  step.wait = std::min(most, now.left->left);
  if (call.lease) step.lease = now.wait * 2;
  return step;
}

/// A request about a member, which this call awaits itself.
void ask_about(Caller caller, std::uint16_t object, Intent intent, Duration lease) {
  const Setup& setup = caller.setup();
  const model::Role* role = model::role_for(model::kind_of(setup, object), intent);
  VERIFY(role != nullptr);
  const std::uint16_t client = model::client_of(setup, object);
  Purpose purpose = model::purpose_about(caller, object, setup.objects[object].name, *role, client, lease);
  if (purpose.number != 0) {
    const bool is_drawn = setup.threads[caller.id.index()].draws_numbers;
    purpose.number = purpose.number.value * (is_drawn ? 1 : unlocks_max) + state(caller).unlocks;
  }
  ++state(caller).unanswered;
  model::send(caller.context, std::move(purpose));
}

void unlock_all(Caller caller, const std::vector<std::uint16_t>& places, At at) {
  Gathering& now = state(caller);
  now.at = at;
  for (const std::uint16_t place : places) {
    const std::uint16_t object = members(caller)[place];
    const model::LockObject& member = caller.setup().objects[object];
    const Redisson& redisson = of(caller.process.clients[model::client_of(caller.setup(), object)]);
    caller.context.out.seen.push_back(model::Yielded{caller.id,
                                                     model::resource_name(member.group, member.name), false,
                                                     model::kind_of(caller.setup(), object).mode});
    ask_about(caller, object, Intent::release, lease_of(redisson, caller.context, object, caller.id));
  }
  now.unlocks = static_cast<std::uint16_t>((now.unlocks + 1) % unlocks_max);
}

/// 7.
bool unlocks_in_turn(Caller caller) {
  return caller.task == 0 && caller.kind().needs == model::Needs::all &&
         settings_of(caller.context).members_unlocked_in_turn;
}

void go_on_released(Caller caller) {
  Gathering& now = state(caller);
  if (unlocks_in_turn(caller) && !now.failed && ++now.next < members(caller).size())
    return unlock_all(caller, {now.next}, At::releasing);
  const bool heeds_failures = caller.task != 0 || caller.kind().needs == model::Needs::all;
  model::return_from_call(caller, now.failed && heeds_failures ? Answer::exception : Answer::yes);
}

void begin(Caller caller) {
  Gathering& now = state(caller);
  now.next = 0;
  now.may_fail = failures_allowed(caller);
  now.taken.clear();
}

void ask_next(Caller caller) {
  state(caller).at = At::taking;
  model::call_member(caller, call_of_member(caller));
}

/// An attempt is over without the lock.
void refused(Caller caller) {
  const Call& call = caller.call();
  if (call.verb == StepKind::try_lock) return model::return_from_call(caller, Answer::no);
  Gathering& now = state(caller);
  const bool in_seconds = call.lease && call.lease->count() % 1'000 == 0;
  if (in_seconds && caller.task == 0 && settings_of(caller.context).members_lease_grows) {
    now.lease_grown = true;
    now.wait = wait_of_turn(caller);
  }
  begin(caller);
  now.left = sim::Countdown{now.wait};
  ask_next(caller);
}

/// 5.
void enough_taken(Caller caller) {
  Gathering& now = state(caller);
  const std::optional<Duration> lease = lease_of_turn(caller);
  if (!lease) return model::return_from_call(caller, Answer::yes);
  now.at = At::extending;
  for (const std::uint16_t place : now.taken)
    ask_about(caller, members(caller)[place], Intent::extend, *lease);
}

void undo(Caller caller) {
  const bool keeps = settings_of(caller.context).members_kept;
  unlock_all(caller, keeps ? std::vector<std::uint16_t>{} : state(caller).taken, At::undoing);
}

/// 4.
void next_one(Caller caller) {
  Gathering& now = state(caller);
  if (now.left && now.left->over()) return undo(caller);
  if (++now.next == members(caller).size()) return enough_taken(caller);
  ask_next(caller);
}

/// 3.
void not_taken(Caller caller) {
  Gathering& now = state(caller);
  if (members(caller).size() - now.taken.size() == failures_allowed(caller)) return enough_taken(caller);
  if (now.may_fail == 0) return undo(caller);
  --now.may_fail;
  next_one(caller);
}

/// 3., 4.: where everything is undone.
void undone(Caller caller) {
  Gathering& now = state(caller);
  if (caller.task != 0 && caller.process.shut_down)
    return model::return_from_call(caller, Answer::exception);
  if (!now.left || now.left->over()) return refused(caller);
  begin(caller);
  ask_next(caller);
}

void member_returned(Caller caller, Answer answer, bool interrupted) {
  Gathering& now = state(caller);
  VERIFY(now.at == At::taking);
  if (answer == Answer::yes) {
    now.taken.push_back(now.next);
    return next_one(caller);
  }
  if (answer == Answer::exception && !interrupted) return unlock_all(caller, {now.next}, At::freeing);
  not_taken(caller);
}

void invoke(Caller caller, const Step& step) {
  caller.call().state = Gathering{};
  if (!model::is_acquire(step.kind)) {
    if (unlocks_in_turn(caller)) return unlock_all(caller, {0}, At::releasing);
    std::vector<std::uint16_t> all(members(caller).size());
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    return unlock_all(caller, all, At::releasing);
  }
  Gathering& now = state(caller);
  now.wait = wait_of(caller, step);
  if (now.wait > Duration::zero()) now.left = sim::Countdown{now.wait};
  begin(caller);
  ask_next(caller);
}

bool may_resume(const model::Process& process, const Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  const Gathering& now = call.state.get<Gathering>();
  return now.at != At::taking && now.unanswered == 0;
}

void resume(Caller caller) {
  const Gathering& now = state(caller);
  switch (now.at) {
    case At::freeing:
      return not_taken(caller);
    case At::undoing:
      return undone(caller);
    case At::extending:
      return model::return_from_call(caller, Answer::yes);
    case At::releasing:
      return go_on_released(caller);
    case At::taking:
      break;
  }
  UNREACHABLE("a thread that can go on");
}

void answered(Caller caller, const Request& request, const Items& items, bool) {
  Gathering& now = state(caller);
  VERIFY(now.unanswered > 0);
  --now.unanswered;
  if (model::role_of(request.purpose, caller.setup()).intent != Intent::release) return;
  const Answer answer = release_answered(caller, request, items);
  now.failed = now.failed || answer == Answer::exception;
}

bool granted(const Call& call) { return call.state.get<Gathering>().at == At::extending; }

/// 8. What a thread would do once everything is answered.
void go_on_without_thread(Caller caller) {
  const auto may_go_on = [&] {
    const auto& futures = caller.thread().futures;
    const auto found = futures.find(caller.task);
    if (found == futures.end() || found->second.answer) return false;
    const Call& call = found->second.call;
    if (!model::kind_of(caller.setup(), call.object).is_made_of_others()) return false;
    const Gathering& now = call.state.get<Gathering>();
    return now.at != At::taking && now.unanswered == 0;
  };
  while (may_go_on()) resume(caller);
}

// The waits of 2. to 7. are not left by an interrupt; those inside a call of a member are that call's.
const model::Machine gathering_futures{
    .name = "gathering futures",
    .invoke =
        [](Caller caller, const Step& step) {
          if (step.kind == StepKind::force_unlock) return model::return_from_call(caller, Answer::exception);
          invoke(caller, step);
          go_on_without_thread(caller);
        },
    .answered =
        [](Caller caller, const Request& request, const Items& items, bool gone) {
          answered(caller, request, items, gone);
          go_on_without_thread(caller);
        },
    .member_returned =
        [](Caller caller, Answer answer, bool interrupted) {
          member_returned(caller, answer, interrupted);
          go_on_without_thread(caller);
        },
    .states = gathering_states,
    .state = model::number_of_state<Gathering>};

const model::Machine gathering{.name = "gathering",
                               .invoke = invoke,
                               .may_resume = may_resume,
                               .resume = resume,
                               .answered = answered,
                               .granted = granted,
                               .member_returned = member_returned,
                               .states = gathering_states,
                               .state = model::number_of_state<Gathering>};

}  // namespace

const model::LockKind multi{.name = "multi",
                            .says = "made of others, all of which it needs: `multi:a+b`",
                            .roles = {},
                            .keys = {},
                            .args = {},
                            .machine = &gathering,
                            .listening = &gathering_futures,
                            .asking = &asking_members,
                            .library = &library,
                            .needs = model::Needs::all};

const model::LockKind red{.name = "red",
                          .says = "made of others, most of which it needs: `red:a+b+c`",
                          .roles = {},
                          .keys = {},
                          .args = {},
                          .machine = &gathering,
                          .listening = &gathering_futures,
                          .asking = &asking_members,
                          .library = &library,
                          .needs = model::Needs::majority};

}  // namespace lockstep::redisson
