#include "properties/histories/held.h"

#include <fmt/format.h>

namespace lockstep::histories {

namespace {

/// The ways in which one call may change what is held.
class Change {
 public:
  Change(const Held& held, const Call& call) : held_(held), call_(call) {}

  bool free() const { return held_.hold.thread == nobody; }
  bool mine() const { return held_.hold.thread == call_.thread; }
  Time ends() const { return held_.hold.ends; }

  void keep() { become(held_.hold, 0); }
  /// Nobody has it any more, be it that it ended by itself before.
  void leave_free(Time least = 0) { become({}, least); }
  void take(std::uint32_t depth, Time least = 0) {
    if (const auto when = moment(held_.now, call_, least))
      next_.push_back({taken(call_, depth, *when), *when});
  }
  void give_back() {
    Hold rest = held_.hold;
    if (--rest.depth == 0) rest = {};
    become(rest, 0);
  }
  /// It is said that nobody, or not the caller, holds it.
  void be_gone(bool is_gone) {
    if (is_gone) keep();
    else leave_free(ends());
  }

  std::vector<Held> next() && { return std::move(next_); }

 private:
  void become(const Hold& then, Time least) {
    if (const auto when = moment(held_.now, call_, least)) next_.push_back({then, *when});
  }

  const Held& held_;
  const Call& call_;
  std::vector<Held> next_;
};

void acquire(Change& change, Said said, std::uint32_t depth, Reentry reentry) {
  const bool again = change.mine() && reentry == Reentry::counted;
  if (said == Said::nothing || (said == Said::refused && !change.free() && !again)) return change.keep();
  if (said != Said::granted && said != Said::unknown) return;
  if (change.free()) return change.take(1);
  if (again) change.take(depth + 1);
  change.take(1, change.ends());
}

void release(Change& change, Said said) {
  if (said == Said::nothing) change.keep();
  else if (said == Said::not_held) change.be_gone(!change.mine());
  else if (change.mine()) change.give_back();
}

void force(Change& change, Said said) {
  if (said == Said::nothing) change.keep();
  else if (said == Said::no) change.be_gone(change.free());
  else if (said != Said::yes || !change.free()) change.leave_free();
}

void ask(Change& change, Said said, bool is_so) {
  if (said == Said::no) change.be_gone(!is_so);
  else if (said != Said::yes || is_so) change.keep();
}

}  // namespace

std::vector<Held> next_of(const Held& held, const Call& call, const Answer& answer, Reentry reentry) {
  Change change(held, call);
  switch (call.verb) {
    case Verb::lock:
    case Verb::try_lock:
      acquire(change, answer.said, held.hold.depth, reentry);
      break;
    case Verb::unlock:
      release(change, answer.said);
      break;
    case Verb::force_unlock:
      force(change, answer.said);
      break;
    case Verb::is_locked:
      ask(change, answer.said, !change.free());
      break;
    case Verb::is_held:
      ask(change, answer.said, change.mine());
      break;
  }
  return std::move(change).next();
}

std::string told(const Hold& hold, const Names& names) {
  std::string text = names[hold.thread];
  if (hold.depth > 1) text += fmt::format(" ({} times)", hold.depth);
  if (hold.ends == never) return text;
  constexpr Time in_ms = 1'000'000;
  const Time fraction = hold.ends % in_ms / 1'000;
  return text + fmt::format(", whose lease may end from {}{} ms on", hold.ends / in_ms,
                            fraction == 0 ? "" : fmt::format(".{:03}", fraction));
}

std::string told(const Held& held, const Names& names) {
  return held.hold.thread == nobody ? "free" : "held by " + told(held.hold, names);
}

}  // namespace lockstep::histories
