// test_in_sequence.h: a machine that asks one thing after another, for kinds of locks that live in tests.
//
//   1. lock: the requests of the kind's acquire rows go out in the order of the rows; the second once the
//      first was partly granted, and so on. A row that is granted ends the call.
//   2. Refused: what the rows before had got is given back by the release rows of the same numbers, the last
//      first. Then the thread sleeps for 100 ms and begins anew, or returns if it does not wait that long.
//   3. unlock: all release rows, the last first.
//   4. Anything else that a row may be answered ends the call with an exception, and nothing is given back.
//
// Row n goes through client n of its process if the kind lies on all groups.
#pragma once

#include "model/client/bare_library.h"
#include "model/client/machine.h"
#include "model/client/process.h"
#include "model/program/interpreter.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::scenarios::in_sequence {

using model::Answer;
using model::Call;
using model::Caller;
using model::Intent;
using model::Meaning;
using sim::Duration;

inline constexpr Duration pause{100}, lease_by_default{10'000};

struct Asked {  // 1., 2., 3.: a request is under way
  bool operator==(const Asked&) const = default;
};
struct Heard {  // and was answered
  Meaning what = Meaning::unknown;
  bool operator==(const Heard&) const = default;
  static auto fields(auto& h) { return std::tie(h.what); }
};
struct Asleep {  // 2.
  sim::Timer left;
  bool operator==(const Asleep&) const = default;
  static auto fields(auto& a) { return std::tie(a.left); }
};

struct Sequence {
  static constexpr std::string_view kind = "in-sequence";

  std::variant<Asked, Heard, Asleep> at;
  bool takes = true;      // acquire rows, else release rows
  bool refused = false;   // a release row found nothing of the caller's
  std::uint16_t row = 0;  // among those of its intent

  bool operator==(const Sequence&) const = default;
  static auto fields(auto& s) { return std::tie(s.at, s.takes, s.refused, s.row); }
};
static_assert(sim::State<Sequence>);

inline const Sequence& state_of(const Call& call) { return call.state.get<Sequence>(); }

inline void ask(Caller caller, bool takes, std::size_t row) {
  const model::LockKind& kind = caller.kind();
  const model::Role* role = model::role_for(kind, takes ? Intent::acquire : Intent::release, row);
  VERIFY(role != nullptr);
  const bool everywhere = kind.spread == model::Spread::all_groups;
  const auto client = everywhere ? static_cast<std::uint16_t>(row)
                                 : model::client_of(caller.setup(), caller.call().object);
  model::send(caller, *role, client, caller.call().lease.value_or(lease_by_default));
  Sequence& state = caller.in<Sequence>();
  state.at = Asked{};
  state.takes = takes;
  state.row = static_cast<std::uint16_t>(row);
}

inline void invoke(Caller caller, const model::Step& step) {
  caller.call().state = Sequence{};
  if (model::is_acquire(step.kind)) return ask(caller, true, 0);
  std::size_t last = 0;
  while (model::role_for(caller.kind(), Intent::release, last + 1) != nullptr) ++last;
  ask(caller, false, last);
}

/// 2.
inline void sleep_or_return(Caller caller) {
  const Call& call = caller.call();
  if (!call.waits || (call.time_left && call.time_left->left <= pause))
    return model::return_from_call(caller, Answer::no);
  caller.in<Sequence>().at = Asleep{{pause}};
}

inline void go_on_taking(Caller caller, Meaning heard) {
  const std::uint16_t row = state_of(caller.call()).row;
  if (heard == Meaning::granted) return model::return_from_call(caller, Answer::yes);
  if (heard == Meaning::partial) return ask(caller, true, row + std::size_t{1});
  if (heard != Meaning::refused) return model::return_from_call(caller, Answer::exception);
  if (row == 0) return sleep_or_return(caller);
  ask(caller, false, row - std::size_t{1});
}

inline void go_on_giving(Caller caller, Meaning heard) {
  Sequence& state = caller.in<Sequence>();
  state.refused = state.refused || heard != Meaning::released;
  if (state.row > 0) return ask(caller, false, state.row - std::size_t{1});
  if (model::is_acquire(caller.call().verb)) return sleep_or_return(caller);
  model::return_from_call(caller, state.refused ? Answer::exception : Answer::yes);
}

inline void resume(Caller caller) {
  const Sequence before = state_of(caller.call());
  if (std::holds_alternative<Asleep>(before.at)) return ask(caller, true, 0);
  const Meaning heard = std::get<Heard>(before.at).what;
  if (before.takes) go_on_taking(caller, heard);
  else go_on_giving(caller, heard);
}

inline bool may_resume(const model::Process& process, const model::Setup& setup, sim::ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  return std::visit(sim::overloaded{[](const Asked&) { return false; }, [](const Heard&) { return true; },
                                    [](const Asleep& asleep) { return asleep.left.due(); }},
                    state_of(call).at);
}

inline void answered(Caller caller, const model::Request& request, const model::Items& items, bool gone) {
  const Meaning what = items.front().what;
  const model::GroupId group = caller.setup().objects[request.purpose.object].group;
  if (what == Meaning::refused)
    caller.context.out.seen.push_back(
        model::Refused{caller.id, model::resource_name(group, request.purpose.lock)});
  if (!gone) caller.in<Sequence>().at = Heard{what};
}

inline bool granted(const Call& call) {
  const auto* heard = std::get_if<Heard>(&state_of(call).at);
  return heard != nullptr && heard->what == Meaning::granted;
}

inline constexpr model::Machine machine{
    .name = "in-sequence",
    .invoke = invoke,
    .may_resume = may_resume,
    .resume = resume,
    .answered = answered,
    .granted = granted,
    .interruptible = [](const Call& call) { return !std::holds_alternative<Heard>(state_of(call).at); },
    .interrupt = [](Caller caller) { model::return_from_call(caller, Answer::exception); }};

}  // namespace lockstep::scenarios::in_sequence
