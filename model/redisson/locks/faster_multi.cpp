// faster_multi.cpp: Redisson's RedissonFasterMultiLock (getMultiLock(group, values), since 3.38.0): several
// values of a group, taken in one request.
//
//   1. A group is a hash under its own name. For each value that is held the field `value` is the holder,
//      `value:holder:expire_time` until when by the holder's clock, and `value:holder:lock_count` how often.
//      The time to live of the key is the longest that was asked for; none is ever shortened.
//   2. lock: a value is another's whose time, as it is stored, is later than the sender's clock: the longest
//      such time that is left, and nothing is taken. Else each value is the sender's, once more, for the
//      lease from its clock on if that is later than what is stored; nil. tryLock() without a wait: the same,
//      0 and 1.
//   3. unlock: each value for which the sender has a time that its clock has not passed: one less; the last
//      one takes away its three fields, whoever is the holder by then; else the lease anew. If the sender has
//      no such time for some value: nil, what was taken away stays so, and nobody is told. Else "0" is
//      published on the channel of the group, whether holds are left or not; 1 if none is, else 0.
//   4. Who takes over a value whose time is over leaves the fields of the one before; when that thread locks
//      again, its count goes on from there.
//   5. force-unlock: the fields of each value and of its holder; "0" is published; how many values there
//      were: more than one reads as false. Of a value that nobody holds: an error, behind what it has taken
//      away.
//   6. renew: each value is the holder's: the lease from the sender's clock on, 1. At the first that is not:
//      0.
//   7. isHeldByThread looks at the values behind the first: of one value it says whether the group is there.
//      isLocked: a value whose time is not over. getHoldCount and remainTimeToLive throw.
//   8. Renewals and subscriptions go by the group. An entry of the watchdog is renewed with the values of the
//      registration that made it (renewal.h), and one message wakes one thread of a process, whichever values
//      it waits for. An unlock leaves the lease field of its object as it is.
//   9. lockInterruptibly() without a lease bears interrupts like lock().
//  10. lockAsync() without a lease throws. lockAsync(lease), and tryLockAsync(wait) when it asks again, take
//      no notice of the watchdog and the lease field; the latter asks for a lease of -1, in its unit,
//      if it was given none.
//
// Who is refused waits for the message (waiting.h); the latch is as in plain.cpp. Departures: values are
// called as the scenario calls them, in that order, not by their hashes in the order of those; 10. throws
// when its future is read. Not modelled: that renewals up to 3.43 may ask for the lease field of the object.
// Sources: RedissonFasterMultiLock, FastMultilockTask, 3.38.0 to 4.7.
#include <algorithm>
#include <array>
#include <vector>

#include "model/client/one_request.h"
#include "model/program/interpreter.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

extern const model::LockKind faster_multi;

namespace {

using model::Intent;
using model::Role;
using model::StepKind;
using model::Word;
using model::Wording;

Items read_try(const model::Reply& reply) {
  const std::int64_t* granted = reply.integer();
  if (granted == nullptr) return {model::Item{}};
  return {{.what = *granted == 1 ? Meaning::granted : Meaning::refused, .wait = {}, .number = {}}};
}

/// 5.
Items read_forced(const model::Reply& reply) {
  const std::int64_t* removed = reply.integer();
  if (removed == nullptr) return {model::Item{}};
  Items items{{.what = *removed == 0 ? Meaning::nothing : Meaning::released, .wait = {}, .number = {}}};
  if (*removed > 1) items.push_back({.what = Meaning::nothing, .wait = {}, .number = {}});
  return items;
}

const std::array faster_roles{
    Role{.name = "faster-lock", .intent = Intent::acquire, .read = read_acquire},
    Role{.name = "faster-try-lock", .intent = Intent::acquire, .read = read_try, .at_once = true},
    Role{.name = "faster-unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "faster-renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "faster-force-unlock", .intent = Intent::force_release, .read = read_forced},
    Role{.name = "faster-is-held", .intent = Intent::ask_held, .read = model::read_yes_or_no},
    Role{.name = "faster-is-locked", .intent = Intent::ask_locked, .read = model::read_yes_or_no},
    deletes_latch,
    asks_count,  // 7.: these are never sent
    asks_time,
};

std::vector<Word> plain_args_and_values() {
  std::vector<Word> words(plain_args().begin(), plain_args().end());
  words.push_back(
      {.name = "values", .fill_all = [](Wording& w) { return w.setup.objects[w.purpose.object].values; }});
  return words;
}
const std::vector<Word> faster_args = plain_args_and_values();

constexpr std::string_view ends_field = ":expire_time", count_field = ":lock_count";

std::optional<std::string_view> value_of(const model::Stored& stored, std::string_view field) {
  for (const auto& [name, value] : stored.items)
    if (name == field) return value;
  return std::nullopt;
}

/// A hold is over when others may take it, by the time that it really is.
std::optional<model::Truth> truth_of_values(std::span<const std::optional<model::Look>> groups,
                                            const Setup& setup, std::uint16_t object, const std::string&) {
  const model::LockObject& its = setup.objects[object];
  const std::optional<model::Look>& look = groups[its.group.index()];
  if (!look) return std::nullopt;
  model::Truth truth;
  const std::optional<model::Stored> stored = (*look)(its.key);
  truth.unreadable = stored && stored->form != model::Stored::Form::hash;
  if (!stored || truth.unreadable) return truth;
  for (const std::string& value : its.values) {
    const auto holder = value_of(*stored, value);
    if (!holder) continue;
    const std::string fields = value + ":" + std::string(*holder);
    const auto ends = value_of(*stored, fields + std::string(ends_field));
    const auto count = value_of(*stored, fields + std::string(count_field));
    const Duration left{ends ? number_in(*ends) - look->now_ms : 0};
    if (left <= Duration::zero()) continue;
    model::Hold hold{.holder = std::string(*holder), .count = count ? number_in(*count) : 0, .left = {}};
    if (stored->left) hold.left = std::min(*stored->left, left);
    truth.holds.push_back(std::move(hold));
  }
  return truth;
}

const model::Shape values_in_hash{.name = "values of a hash, with the clocks of holders",
                                  .truth = truth_of_values};

/// 7.
struct Throwing {
  static constexpr std::string_view kind = "throwing";
  bool operator==(const Throwing&) const = default;
  static auto fields(auto&) { return std::tie(); }
};

bool throws(const model::Call& call) {
  return call.verb == StepKind::hold_count || call.verb == StepKind::remain_time;
}

const model::Machine asking_values{
    .name = "asking values",
    .invoke =
        [](Caller caller, const model::Step& step) {
          if (throws(caller.call())) caller.call().state = Throwing{};
          else model::one_request.invoke(caller, step);
        },
    .may_resume =
        [](const model::Process& process, const Setup& setup, sim::ThreadId thread) {
          const model::Call& call = *process.threads[setup.threads[thread.index()].place].call;
          return throws(call) || model::one_request.may_resume(process, setup, thread);
        },
    .resume =
        [](Caller caller) {
          if (throws(caller.call())) model::return_from_call(caller, Answer::exception);
          else model::one_request.resume(caller);
        },
    .answered = [](Caller caller, const Request& request, const Items& items,
                   bool gone) { model::one_request.answered(caller, request, items, gone); }};

/// 9.
model::Machine waiting_for_values() {
  model::Machine machine = waiting;
  machine.invoke = [](Caller caller, const model::Step& step) {
    if (step.kind == StepKind::lock_interruptibly && !step.lease) caller.call().verb = StepKind::lock;
    waiting.invoke(caller, step);
  };
  return machine;
}
const model::Machine waiting_values = waiting_for_values();

/// 10. What it gets leaves the lease field alone.
bool takes_no_notice(Caller caller) {
  return caller.call().verb != StepKind::try_lock || caller.in<Listening>().asked_before;
}

model::Machine listening_for_values() {
  model::Machine machine = listening;
  machine.invoke = [](Caller caller, const model::Step& step) {
    if (model::is_acquire(step.kind) && step.kind != StepKind::try_lock && !step.lease)
      return model::return_from_call(caller, Answer::exception);
    listening.invoke(caller, step);
  };
  machine.answered = [](Caller caller, const Request& request, const Items& items, bool gone) {
    if (!model::is_acquire(caller.call().verb) || !takes_no_notice(caller))
      return listening.answered(caller, request, items, gone);
    const std::uint16_t object = caller.call().object;
    model::Client& client = caller.client();
    const Duration field = lease_of(of(client), caller.context, object, caller.id);
    listening.answered(caller, request, items, gone);
    set_lease(of(client), caller.context, object, caller.id, field);
  };
  return machine;
}
const model::Machine listening_values = listening_for_values();

bool ends_are_instants(std::string_view field) { return field.ends_with(ends_field); }

}  // namespace

const model::LockKind faster_multi{
    .name = "faster-multi",
    .says =
        "several values of a group, `faster-multi:orders/a+b`, in one request; they lapse by clients' "
        "clocks",
    .since = "3.38.0",
    .roles = faster_roles,
    .keys = plain_keys(),
    .args = faster_args,
    .shape = &values_in_hash,
    .machine = &waiting_values,
    .listening = &listening_values,
    .asking = &asking_values,
    .library = &library,
    .promises = {.nested = model::Nested::each_since_sent},
    .field_instants = ends_are_instants,
    .shares_key = true,
    .keeps_lease_field = true};

}  // namespace lockstep::redisson
