#include "model/schemes/in_turn.h"

#include <algorithm>
#include <array>
#include <variant>

#include "model/client/requests.h"
#include "model/program/interpreter.h"
#include "model/schemes/library.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::schemes {

namespace {

using model::Answer;
using model::Call;
using model::Intent;
using model::Items;
using model::Meaning;
using model::Retry;
using model::Scheme;
using model::Setup;

struct Asking {  // 1.
  bool operator==(const Asking&) const = default;
};

/// What an answer makes of the turn of a master.
enum class Turn : std::uint8_t { next, again, won, lost, strange, failed };

struct Heard {  // 2.
  Turn turn = Turn::failed;
  bool took = false;  // something that a release would have to give back
  bool operator==(const Heard&) const = default;
  static auto fields(auto& h) { return std::tie(h.turn, h.took); }
};
struct Asleep {  // 4.
  sim::Timer lo, hi;
  bool operator==(const Asleep&) const = default;
  static auto fields(auto& a) { return std::tie(a.lo, a.hi); }
};
struct Subscribing {
  sim::Timer left;
  bool operator==(const Subscribing&) const = default;
  static auto fields(auto& s) { return std::tie(s.left); }
};
struct Parked {
  sim::Timer left;
  bool operator==(const Parked&) const = default;
  static auto fields(auto& p) { return std::tie(p.left); }
};

enum class Doing : std::uint8_t { acquire, undo, release };

struct InTurn {
  static constexpr std::string_view kind = "in turn";

  std::variant<Asking, Heard, Asleep, Subscribing, Parked> at;
  Doing doing = Doing::acquire;
  std::uint16_t master = 0, step = 0;
  std::uint16_t won = 0;
  bool took = false, strange = false, failed = false;
  sim::WordNumber number;    // of the token
  std::uint32_t tries = 0;   // if their number makes a difference
  bool subscribed = false;
  std::optional<model::Held> held;  // 7.
  sim::Countdown valid;             // 3.

  bool operator==(const InTurn&) const = default;
  static auto fields(auto& t) {
    return std::tie(t.at, t.doing, t.master, t.step, t.won, t.took, t.strange, t.failed, t.number, t.tries,
                    t.subscribed, t.held, t.valid);
  }
};
static_assert(sim::State<InTurn>);

InTurn& state(Caller caller) { return caller.in<InTurn>(); }
const InTurn& state(const Call& call) { return call.state.get<InTurn>(); }
const Scheme& scheme_of(Caller caller) { return *caller.kind().scheme; }

std::uint16_t masters_of(Caller caller) {
  return scheme_of(caller).on == Scheme::On::one ? std::uint16_t{1}
                                                 : static_cast<std::uint16_t>(caller.setup().group_count());
}

std::uint16_t client_of_turn(Caller caller, std::uint16_t master) {
  return scheme_of(caller).on == Scheme::On::one ? model::client_of(caller.setup(), caller.call().object)
                                                 : master;
}

const std::vector<model::Described>& requests_of(const Scheme& scheme, Doing doing) {
  return doing == Doing::acquire ? scheme.acquire : doing == Doing::undo ? scheme.undo : scheme.release;
}

const model::Role& role_of_turn(Caller caller) {
  const InTurn& now = state(caller.call());
  const model::Described& wanted = requests_of(scheme_of(caller), now.doing)[now.step];
  for (const model::Role& role : caller.kind().roles)
    if (role.described == &wanted) return role;
  UNREACHABLE("every request of a scheme has a role");
  return caller.kind().roles.front();
}

/// 1.: what is left of the lease counts from the first request to the first master.
void ask(Caller caller) {
  InTurn& now = state(caller);
  const Duration lease = caller.call().lease.value_or(scheme_of(caller).lease);
  const bool several = masters_of(caller) > 1;
  if (several && now.doing == Doing::acquire && now.master == 0 && now.step == 0)
    now.valid = {lease > scheme_of(caller).drift ? lease - scheme_of(caller).drift : Duration::zero()};
  model::Purpose purpose =
      model::purpose_of(caller, role_of_turn(caller), client_of_turn(caller, now.master), lease);
  if (several && now.doing == Doing::acquire) {
    purpose.lease = now.valid.left;
    purpose.wait = lease - now.valid.left;
  }
  purpose.number = now.number;
  purpose.watched = purpose.watched && scheme_of(caller).renew.has_value();
  now.at = Asking{};
  model::Request request{
      .purpose = std::move(purpose), .form = model::Request::Form::eval, .keys = {}, .args = {}};
  model::make_words(request, caller.context);
  if (role_of_turn(caller).described->connection == model::Described::Connection::keeps)
    request.held = now.held;
  caller.context.out.requests.push_back({std::move(request)});
}

void begin(Caller caller, Doing doing) {
  InTurn& now = state(caller);
  now.doing = doing;
  now.master = now.step = now.won = 0;
  now.strange = now.failed = false;
  if (doing == Doing::acquire) now.took = false;
  ask(caller);
}

std::string channel_of(Caller caller) {
  const Call& call = caller.call();
  const model::Purpose purpose{.kind = caller.setup().objects[call.object].kind,
                               .thread = caller.id,
                               .incarnation = caller.process.incarnation,
                               .client = model::client_of(caller.setup(), call.object),
                               .lock = call.lock,
                               .object = call.object,
                               .owner = std::nullopt};
  return model::fill(scheme_of(caller).retry.channel, {caller.setup(), purpose});
}

void finish(Caller caller, Answer answer) {
  if (state(caller).subscribed) unsubscribe(caller, channel_of(caller));
  model::return_from_call(caller, answer);
}

/// 4.
Asleep next_sleep(const Retry& retry, std::uint32_t tries) {
  Duration least = retry.first;
  for (std::uint32_t n = 1; retry.how == Retry::How::back_off && n < tries && least < retry.most; ++n)
    least = std::min(retry.most, least * 2);
  return {{least}, {least + retry.jitter}};
}

/// Whether it makes a difference how often it was asked.
void count_try(const Retry& retry, InTurn& now) {
  const bool counts = retry.times > 0 || (retry.how == Retry::How::back_off &&
                                          next_sleep(retry, now.tries).lo.left < retry.most);
  if (counts) ++now.tries;
}

void wait_for_message(Caller caller, Duration longest) {
  InTurn& now = state(caller);
  const std::string channel = channel_of(caller);
  if (!now.subscribed) {
    subscribe(caller, channel);
    now.subscribed = true;
    now.at = Subscribing{{longest}};
    return;
  }
  now.at = Parked{{longest}};
  caller.context.out.seen.push_back(
      model::ParkedThread{caller.id, resource_of(caller.call(), caller.setup())});
}

void wait_or_return(Caller caller) {
  const Call& call = caller.call();
  const Retry& retry = scheme_of(caller).retry;
  InTurn& now = state(caller);
  if (!call.waits) return finish(caller, Answer::no);
  count_try(retry, now);
  if (retry.times > 0 && now.tries >= retry.times)
    return finish(caller, call.time_left ? Answer::no : Answer::exception);
  const Asleep sleep = next_sleep(retry, now.tries);
  if (!retry.is_told()) {
    if (call.time_left && call.time_left->left <= sleep.lo.left) return finish(caller, Answer::no);
    now.at = sleep;
    return;
  }
  if (call.time_left && call.time_left->over()) return finish(caller, Answer::no);
  wait_for_message(caller, call.time_left ? std::min(retry.first, call.time_left->left) : retry.first);
}

/// 3.
void acquired_or_not(Caller caller) {
  InTurn& now = state(caller);
  const Scheme& scheme = scheme_of(caller);
  const std::uint16_t masters = masters_of(caller);
  if (now.won >= scheme.needed(masters) && (masters == 1 || !now.valid.over())) {
    for (std::uint16_t m = 0; m < masters; ++m) keep_grant(caller, client_of_turn(caller, m), now.number);
    return finish(caller, Answer::yes);
  }
  if (!scheme.undo.empty() && (now.took || masters > 1)) return begin(caller, Doing::undo);
  if (now.failed && masters == 1) return finish(caller, Answer::exception);
  wait_or_return(caller);
}

/// 5.
void released(Caller caller) {
  const InTurn& now = state(caller.call());
  const bool enough = now.won >= scheme_of(caller).needed(masters_of(caller));
  finish(caller, enough ? Answer::yes : Answer::exception);
}

void next_master(Caller caller) {
  InTurn& now = state(caller);
  now.step = 0;
  if (++now.master < masters_of(caller)) return ask(caller);
  if (now.doing == Doing::acquire) return acquired_or_not(caller);
  if (now.doing == Doing::release) return released(caller);
  wait_or_return(caller);
}

void go_on(Caller caller, const Heard& heard) {
  InTurn& now = state(caller);
  if (now.doing == Doing::acquire) now.took = now.took || heard.took;
  if (heard.turn == Turn::again) {
    now.step = 0;
    return ask(caller);
  }
  if (heard.turn == Turn::next) {
    ++now.step;
    return ask(caller);
  }
  if (heard.turn == Turn::won) ++now.won;
  now.strange = now.strange || heard.turn == Turn::strange;
  now.failed = now.failed || heard.turn == Turn::failed;
  next_master(caller);
}

void wake(Caller caller, bool by_message) {
  caller.context.out.seen.push_back(
      model::Woken{caller.id, resource_of(caller.call(), caller.setup()), by_message});
}

void begin_anew(Caller caller) {
  InTurn& now = state(caller);
  if (now.subscribed) of(caller.client()).channels.at(channel_of(caller)).told.erase(caller.id);
  begin(caller, Doing::acquire);
}

bool is_told(const model::Process& process, const Setup& setup, ThreadId thread, const Call& call) {
  const auto& channels = of(process.clients[model::client_of(setup, call.object)]).channels;
  return std::any_of(channels.begin(), channels.end(), [&](const auto& one) {
    return one.second.lock == call.lock && one.second.told.contains(thread);
  });
}

bool is_confirmed(const model::Process& process, const Setup& setup, ThreadId thread, const Call& call) {
  const auto& channels = of(process.clients[model::client_of(setup, call.object)]).channels;
  return std::any_of(channels.begin(), channels.end(), [&](const auto& one) {
    return one.second.lock == call.lock && one.second.confirmed && one.second.users.contains(thread);
  });
}

void go_on_parked(Caller caller) {
  wake(caller, is_told(caller.process, caller.setup(), caller.id, caller.call()));
  const auto& time_left = caller.call().time_left;
  if (time_left && time_left->over()) return finish(caller, Answer::no);
  begin_anew(caller);
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = InTurn{};
  if (model::is_acquire(step.kind)) {
    if (scheme_of(caller).uses_token()) state(caller).number = model::number_of_call(caller);
    return begin(caller, Doing::acquire);
  }
  for (std::uint16_t m = 0; m < masters_of(caller); ++m)
    state(caller).number = take_grant(caller, client_of_turn(caller, m));
  begin(caller, Doing::release);
}

bool may_resume(const model::Process& process, const Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  return std::visit(sim::overloaded{[](const Asking&) { return false; }, [](const Heard&) { return true; },
                                    [](const Asleep& asleep) { return asleep.lo.due(); },
                                    [&](const Subscribing& waits) {
                                      return waits.left.due() || is_confirmed(process, setup, thread, call);
                                    },
                                    [&](const Parked& parked) {
                                      return parked.left.due() || is_told(process, setup, thread, call);
                                    }},
                    state(call).at);
}

std::optional<sim::Timer> at_latest(const Call& call) {
  const auto* asleep = std::get_if<Asleep>(&state(call).at);
  if (asleep == nullptr || asleep->hi.left == asleep->lo.left) return std::nullopt;
  return asleep->hi;
}

void resume(Caller caller) {
  const auto before = state(caller).at;
  std::visit(sim::overloaded{[&](const Heard& heard) { go_on(caller, heard); },
                             [&](const Parked&) { go_on_parked(caller); },
                             [](const Asking&) { UNREACHABLE("a thread that can go on"); },
                             [&](const auto&) { begin_anew(caller); }},
             before);
}

Turn turn_of(const Items& items) {
  if (says(items, Meaning::failed) || says(items, Meaning::unknown)) return Turn::failed;
  if (says(items, Meaning::granted) || says(items, Meaning::released) || says(items, Meaning::still_held))
    return Turn::won;
  if (says(items, Meaning::refused)) return Turn::lost;
  if (says(items, Meaning::not_holder)) return Turn::strange;
  if (says(items, Meaning::no)) return Turn::again;
  // `partial` and `yes` together: granted by one of several masters (read_described).
  const bool granted_here = says(items, Meaning::partial) && says(items, Meaning::yes);
  return granted_here ? Turn::won : Turn::next;
}

void answered(Caller caller, const model::Request& request, const Items& items, bool gone) {
  const Setup& setup = caller.setup();
  if (says(items, Meaning::refused))
    caller.context.out.seen.push_back(model::Refused{
        caller.id, model::resource_name(setup.objects[request.purpose.object].group, request.purpose.lock)});
  if (gone) return;
  const bool took = says(items, Meaning::partial) || says(items, Meaning::granted);
  const Turn turn = turn_of(items);
  state(caller).held = turn == Turn::next ? request.held : std::nullopt;
  state(caller).at = Heard{turn, took};
}

/// Of several masters, a later one may refuse, and what an earlier one has granted still counts.
bool granted(const Call& call) {
  const InTurn& now = state(call);
  if (now.doing != Doing::acquire) return false;
  const auto* heard = std::get_if<Heard>(&now.at);
  return !now.valid.over() || (heard != nullptr && heard->turn == Turn::won);
}

/// For pictures: those of acquire by themselves, of the others only whether something is under way.
constexpr std::array<std::string_view, std::variant_size_v<decltype(InTurn::at)> + 4> in_turn_states{
    "asking",      "answered",  "asleep",    "subscribing", "parked",
    "giving back", "gave back", "releasing", "released"};

std::size_t number_of(const Call& call) {
  constexpr std::size_t undoing = std::variant_size_v<decltype(InTurn::at)>, releasing = undoing + 2;
  const InTurn& now = state(call);
  if (now.doing == Doing::acquire) return now.at.index();
  const std::size_t answered = std::holds_alternative<Asking>(now.at) ? 0 : 1;
  return (now.doing == Doing::undo ? undoing : releasing) + answered;
}

}  // namespace

const model::Machine in_turn{
    .name = "in turn",
    .invoke = invoke,
    .may_resume = may_resume,
    .at_latest = at_latest,
    .resume = resume,
    .answered = answered,
    .granted = granted,
    .interruptible = [](const Call& call) { return !std::holds_alternative<Heard>(state(call).at); },
    .interrupt = [](Caller caller) { finish(caller, Answer::exception); },
    .states = in_turn_states,
    .state = number_of};

}  // namespace lockstep::schemes
