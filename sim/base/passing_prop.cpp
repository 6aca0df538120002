// Laws of passing time, on values that hold every kind of part.
#include "sim/base/passing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/bag.h"
#include "sim/base/boxed.h"
#include "sim/base/cow.h"
#include "sim/base/table.h"

namespace lockstep::sim {
namespace {

struct Wait {
  static constexpr std::string_view kind = "wait";
  Timer timer;
  Countdown lease;
  std::string name;
  bool operator==(const Wait&) const = default;
  static auto fields(auto& w) { return std::tie(w.timer, w.lease, w.name); }
};
static_assert(State<Wait>);

struct Timed {
  std::optional<Timer> maybe;
  std::variant<std::monostate, Wait, int> either;
  std::pair<Timer, WallTimer> both;
  std::vector<Wait> waits;
  std::deque<Countdown> queue;
  std::map<std::string, WallTimer> by_name;
  std::set<int> numbers;
  std::array<Timer, 2> two;
  std::vector<bool> flags;
  Table<ProcessId, Timer> rows;
  Bag<Wait> bag;
  Cow<Wait> shared;
  Boxed<struct TimedTag> box;
  bool operator==(const Timed&) const = default;
  static auto fields(auto& e) {
    return std::tie(e.maybe, e.either, e.both, e.waits, e.queue, e.by_name, e.numbers, e.two, e.flags, e.rows,
                    e.bag, e.shared, e.box);
  }
};
static_assert(State<Timed>);

Duration any_time() {
  return *rc::gen::arbitrary<bool>() ? Duration{*rc::gen::inRange(0, 6)} : *rc::gen::element(never, 0ms, 9ms);
}
Wait any_wait() { return {{any_time()}, {any_time()}, *rc::gen::element<std::string>("", "a", "b")}; }

Timed any_timed() {
  Timed value;
  if (*rc::gen::arbitrary<bool>()) value.maybe = Timer{any_time()};
  if (*rc::gen::arbitrary<bool>()) value.either = any_wait();
  value.both = {{any_time()}, {any_time()}};
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
    value.waits.push_back(any_wait());
    value.queue.push_back({any_time()});
    value.by_name[any_wait().name] = {any_time()};
    value.numbers.insert(left);
    value.rows.rows.push_back({any_time()});
    value.bag.insert(any_wait());
  }
  value.two = {Timer{any_time()}, Timer{any_time()}};
  if (*rc::gen::arbitrary<bool>()) value.shared = any_wait();
  if (*rc::gen::arbitrary<bool>()) value.box = any_wait();
  return value;
}

Timed after(Timed value, Passed passed) {
  pass(value, passed);
  return value;
}

RC_GTEST_PROP(Passing, InTwoStepsIsPassingInOne, ()) {
  const Timed value = any_timed();
  const Passed a{Duration{*rc::gen::inRange(0, 5)}, Duration{*rc::gen::inRange(0, 5)}};
  const Passed b{Duration{*rc::gen::inRange(0, 5)}, Duration{*rc::gen::inRange(0, 5)}};
  RC_ASSERT(after(after(value, a), b) == after(value, {a.steady + b.steady, a.wall + b.wall}));
  RC_ASSERT(after(value, {}) == value);
}

RC_GTEST_PROP(Passing, ChangesExactlyWhatCountsDown, ()) {
  const Timed value = any_timed();
  RC_ASSERT(counts_down(value) == (after(value, Passed::alike(1ms)) != value));
}

RC_GTEST_PROP(Passing, NothingBecomesDueBeforeTheNextDeadline, ()) {
  const Timed value = any_timed();
  const Duration next = next_deadline(value);
  RC_PRE(next != never);
  RC_ASSERT(next > 0ms);
  const Timed before = after(value, Passed::alike(next - 1ms));
  RC_ASSERT(next_deadline(before) == 1ms);
}

TEST(Passing, ACountdownIsNobodysDeadline) {
  EXPECT_EQ(next_deadline(Countdown{5ms}), never);
  EXPECT_EQ(next_deadline(Wait{{7ms}, {5ms}, ""}), 7ms);
}

TEST(Passing, ATimerThatIsDueOrNeverIsNoDeadlineToWaitFor) {
  EXPECT_EQ(next_deadline(Timer{0ms}), never);
  EXPECT_EQ(next_deadline(Timer{never}), never);
  EXPECT_TRUE(Timer{}.due());
  EXPECT_FALSE(Timer{1ms}.due());
}

TEST(Passing, AClockThatJumpsMovesWallTimersOnly) {
  std::pair<Timer, WallTimer> timers{{10ms}, {10ms}};
  pass(timers, {0ms, 4ms});
  EXPECT_EQ(timers.first.left, 10ms);
  EXPECT_EQ(timers.second.left, 6ms);
  pass(timers, {0ms, -10ms});
  EXPECT_EQ(timers.second.left, 16ms);
  pass(timers, {0ms, 16ms});
  pass(timers, {0ms, -1ms});
  EXPECT_TRUE(timers.second.due());
}

/// Its times are absolute: it says itself what passing time means.
struct Calendar {
  Duration at{}, now{};
  void pass(const Passed& passed) { now += passed.steady; }
  Duration next_deadline() const { return at > now ? at - now : never; }
  bool operator==(const Calendar&) const = default;
  static auto fields(auto& c) { return std::tie(c.at, c.now); }
};

TEST(Passing, ATypeMayReplaceWhatIsDerived) {
  std::vector<Calendar> calendars{{9ms, 2ms}, {5ms, 5ms}};
  EXPECT_EQ(next_deadline(calendars), 7ms);
  EXPECT_TRUE(counts_down(calendars));
  pass(calendars, Passed::alike(3ms));
  EXPECT_EQ(calendars[0], (Calendar{9ms, 5ms}));
}

}  // namespace
}  // namespace lockstep::sim
