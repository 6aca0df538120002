// Partial-order reduction over small systems with random footprints: whatever they are, it finds what the
// whole search finds, and its trails lead there.
#include "sim/search/reduction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/footprint.h"
#include "sim/run/replay.h"
#include "sim/search/search.h"

namespace lockstep::sim {
namespace {

constexpr std::uint16_t cells = 4;

/// What one step of a program does: it waits until a cell is even, if it waits for one; then adds up what it
/// reads, and puts it into another cell.
struct RacingStep {
  std::optional<std::uint16_t> awaits;
  std::uint16_t from = 0, to = 0;
  int add = 0;
  unsigned breaks = 0;  // the property that is broken if what it writes is 0; 0: none
  bool is_fault = false;
};

struct RacingState {
  std::vector<int> cells;
  std::vector<std::size_t> at;  // by program: its next step
  PropertyMask broken = 0;
  auto operator<=>(const RacingState&) const = default;
  static auto fields(auto& s) { return std::tie(s.cells, s.at, s.broken); }
};

struct RacingMove {
  std::uint16_t who = 0;
  bool fault = false;
  Actor actor() const { return {0, who}; }
  bool is_fault() const { return fault; }
  bool passes_time() const { return false; }
  auto operator<=>(const RacingMove&) const = default;
};

/// Programs run beside each other; with `endless` each begins again when it is over.
struct Racing {
  using State = RacingState;
  using Move = RacingMove;

  std::vector<std::vector<RacingStep>> programs;
  bool endless = false;
  bool careless = false;  // takes any step for independent of all others

  State initial() const { return {std::vector<int>(cells), std::vector<std::size_t>(programs.size()), 0}; }

  const RacingStep* next(const State& s, std::size_t who) const {
    return s.at[who] == programs[who].size() ? nullptr : &programs[who][s.at[who]];
  }
  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::uint16_t who = 0; who < programs.size(); ++who)
      if (const RacingStep* step = next(s, who); step && (!step->awaits || s.cells[*step->awaits] % 2 == 0))
        moves.push_back({who, step->is_fault});
  }
  WitnessMask apply(State& s, const Move& m) const {
    const RacingStep step = *next(s, m.who);
    s.cells[step.to] = (s.cells[step.from] + step.add) % 3;
    if (s.cells[step.to] == 0 && step.breaks != 0) s.broken |= PropertyMask{1} << step.breaks;
    if (++s.at[m.who] == programs[m.who].size() && endless) s.at[m.who] = 0;
    return WitnessMask{1} << s.cells[step.to];
  }
  Digest digest(const State& s) const { return digest_of(s); }
  void encode_state(const State& s, Encoder& out) const { encode(out, s); }
  PropertyMask violated(const State& s) const { return s.broken; }
  bool finished(const State& s) const {
    for (std::size_t who = 0; who < programs.size(); ++who)
      if (next(s, who) != nullptr) return false;
    return true;
  }
  std::string show(const Move& m) const { return std::to_string(m.who); }
  Result<Move> parse(std::string_view) const { return Problem{"it is not read"}; }

  static Footprint footprint(const RacingStep& step) {
    Footprint print({make_id<ComponentId>(step.from)}, {make_id<ComponentId>(step.to)});
    if (step.awaits) print.reads(make_id<ComponentId>(*step.awaits));
    return print;
  }
  /// What a program may touch from here on.
  Footprint rest(const State& s, std::size_t who) const {
    Footprint all;
    for (std::size_t i = endless ? 0 : s.at[who]; i < programs[who].size(); ++i)
      all.add(footprint(programs[who][i]));
    return all;
  }
  void enough_of(const State& s, const std::vector<Move>& moves, std::vector<std::size_t>& places) const {
    places.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i].fault) continue;
      const Footprint mine = footprint(*next(s, moves[i].who));
      bool alone = true;
      for (std::size_t who = 0; who < programs.size(); ++who)
        alone = alone && (who == moves[i].who || careless || independent(mine, rest(s, who)));
      if (!alone) continue;
      places.assign(1, i);
      return;
    }
  }
};
static_assert(ReducibleSystem<Racing> && EndingSystem<Racing>);

Racing drawn_race() {
  Racing race;
  const auto cell = rc::gen::inRange<std::uint16_t>(0, cells);
  race.endless = *rc::gen::arbitrary<bool>();
  for (int left = *rc::gen::inRange(2, 4); left > 0; --left) {
    auto& program = race.programs.emplace_back();
    for (int steps = *rc::gen::inRange(1, 4); steps > 0; --steps) {
      program.push_back({.from = *cell,
                         .to = *cell,
                         .add = *rc::gen::inRange(0, 3),
                         .breaks = static_cast<unsigned>(*rc::gen::inRange(0, 4)),
                         .is_fault = *rc::gen::inRange(0, 8) == 0});
      if (*rc::gen::inRange(0, 3) == 0) program.back().awaits = *cell;
    }
  }
  return race;
}

bool finds_the_same(Racing race) {
  const auto whole = explore(race);
  Reduced<Racing> reduced(race);
  const auto found = explore(reduced);
  return found.violated == whole.violated && found.witnesses == whole.witnesses &&
         found.at_rest == whole.at_rest && found.zeno.has_value() == whole.zeno.has_value() &&
         found.dead_end.has_value() == whole.dead_end.has_value();
}

RC_GTEST_PROP(Reduction, FindsWhatTheWholeSearchFinds, ()) {
  Racing race = drawn_race();
  RC_ASSERT(finds_the_same(race));
  Reduced<Racing> reduced(race);
  const auto found = explore(reduced);
  RC_ASSERT(found.states <= explore(race).states);
  for (const auto& broken : found.violations) {
    RacingState at = race.initial();
    const auto trail = unfused(race, at, broken.trail);
    const auto again = replay(race, plan_of<RacingMove>(trail));
    RC_ASSERT(!again.divergence);
    RC_ASSERT(((again.run.violated >> broken.property) & 1) == 1U);
    RC_ASSERT(again.run.last == at);
  }
}

/// A list of paths that only says where they end goes by the same order as one that has their moves.
RC_GTEST_PROP(Reduction, ListsThePathsThatItTakes, ()) {
  Racing race = drawn_race();
  Reduced<Racing> reduced(race);
  std::vector<RacingState> met{race.initial()};
  std::size_t edges = 0;
  SearchOptions<Reduced<Racing>> options;
  options.on_edge = [&](const Edge<Reduced<Racing>>& edge) {
    RacingState at = met[edge.from];
    WitnessMask shown = 0;
    for (const RacingMove& move : edge.move.moves) shown |= race.apply(at, move);
    RC_ASSERT(shown != 0U);
    RC_ASSERT(at == edge.state);
    if (edge.fresh) met.push_back(edge.state);
    ++edges;
  };
  const auto found = explore(reduced, std::move(options));
  RC_ASSERT(found.states == met.size());
  RC_ASSERT(found.transitions == edges);
}

/// Three programs that share nothing take their steps in one order instead of all.
TEST(Reduction, LeavesOutOrdersThatComeToTheSame) {
  Racing race;
  for (std::uint16_t who = 0; who < 3; ++who)
    race.programs.push_back({{.from = who, .to = who, .add = 1}, {.from = who, .to = who, .add = 1}});
  EXPECT_EQ(explore(race).states, 27U);
  Reduced<Racing> reduced(race);
  EXPECT_EQ(explore(reduced).states, 2U) << "the first, and the last";
}

/// What would be fused for too long is stored here and there.
TEST(Reduction, StoresSomeStatesOfALongPath) {
  constexpr std::uint64_t steps = 100;
  Racing race;
  for (std::uint16_t who = 0; who < 2; ++who)
    race.programs.emplace_back(steps, RacingStep{.from = who, .to = who, .add = 1});
  Reduced<Racing> reduced(race);
  const auto found = explore(reduced);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.at_rest, 1U);
  EXPECT_GT(found.states, 2 * steps / 33);
  EXPECT_LT(found.states, 2 * steps);
}

/// What becomes of a state on a path follows from that state, however long the way to it is, and whatever was
/// looked at before.
TEST(Reduction, StoresTheSameStatesOfALongPathWhereverItIsBegun) {
  Racing race;
  race.programs = {std::vector<RacingStep>(400, RacingStep{.add = 1})};
  const auto paths_from = [&](Reduced<Racing>& reduced, std::size_t steps) {
    RacingState state = race.initial();
    for (std::size_t i = 0; i < steps; ++i) race.apply(state, {});
    std::vector<Path<RacingMove>> paths;
    reduced.enabled(state, paths);
    return paths;
  };
  for (const std::size_t behind : {150, 200, 250}) {
    Reduced<Racing> one(race), other(race);
    const auto ends_behind = paths_from(other, behind);
    EXPECT_EQ(paths_from(one, 0), paths_from(other, 0)) << behind;
    EXPECT_EQ(paths_from(one, behind), ends_behind) << behind;
  }
}

/// To spell a path out is no reason to forget what the states on it show.
TEST(Reduction, PathsShowTheSameAfterTheyWereSpeltOut) {
  Racing race;
  race.programs = {{{.add = 1}, {.add = 1}, {.add = 1}}};
  Reduced<Racing> reduced(race);
  const auto shown = [&] {
    WitnessMask all = 0;
    for (const auto& path : reduced.listed(race.initial())) all |= path.shown;
    return all;
  };
  EXPECT_EQ(shown(), 0b111U);
  std::vector<Path<RacingMove>> paths;
  reduced.enabled(race.initial(), paths);
  EXPECT_EQ(shown(), 0b111U);
}

/// A program that goes round for ever beside one that is about to break something: it is not put off.
TEST(Reduction, PutsNothingOffForEver) {
  Racing race;
  race.endless = true;
  race.programs = {{{.from = 0, .to = 0, .add = 0}}, {{.from = 1, .to = 1, .add = 0, .breaks = 2}}};
  Reduced<Racing> reduced(race);
  EXPECT_EQ(explore(reduced).violated, PropertyMask{1} << 2);
  EXPECT_TRUE(explore(reduced).zeno.has_value());
}

/// The judge can say no: one who reads what the other writes is not independent of it.
TEST(Reduction, ThatTakesAnyStepForIndependentIsNoticed) {
  Racing race;
  race.programs = {{{.from = 0, .to = 1, .add = 1, .breaks = 1}},
                   {{.from = 1, .to = 2, .add = 2}, {.from = 1, .to = 2, .add = 0, .breaks = 3}}};
  race.careless = true;
  const bool same = finds_the_same(race);
  race.careless = false;
  EXPECT_TRUE(finds_the_same(race));
  EXPECT_FALSE(same);
}

}  // namespace
}  // namespace lockstep::sim
