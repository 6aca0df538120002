// Runs that follow others: they get where runs that begin anew each time do not.
#include "sim/run/mutated.h"

#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "sim/run/run.h"
#include "sim/run/uniform.h"
#include "sim/toys/toy.h"

namespace lockstep::sim {
namespace {

using namespace toys;

struct DoorsState {
  int opened = 0;
  bool lost = false;
  bool operator==(const DoorsState&) const = default;
  static auto fields(auto& s) { return std::tie(s.opened, s.lost); }
};
enum class DoorVerb { open };
inline constexpr Verb door_verbs[] = {{"open"}};

/// Three times one of twelve doors leads on, and all others to where nothing is. Property 0: nobody gets
/// through.
struct Doors : Toy<DoorsState, door_verbs> {
  static constexpr int doors = 12, rooms = 3;
  static constexpr int right_in[] = {5, 11, 2};

  State initial() const { return {}; }
  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (int door = 0; door < doors && !s.lost && s.opened < rooms; ++door)
      moves.push_back(move(door, DoorVerb::open));
  }
  WitnessMask apply(State& s, const Move& m) const {
    if (m.who == right_in[s.opened]) ++s.opened;
    else s.lost = true;
    return 0;
  }
  PropertyMask violated(const State& s) const { return s.opened == rooms ? 1 : 0; }
};
static_assert(System<Doors>);

using Moves = std::vector<Doors::Move>;

/// Whether one of the runs gets through. Those that follow have for parents the first that opened so many
/// doors, and one in eight begins anew.
bool gets_through(std::uint64_t seed, bool follows) {
  constexpr int runs = 400;
  Doors system;
  Random random{seed};
  std::vector<Moves> parents;
  std::set<int> met;
  for (int i = 0; i < runs; ++i) {
    Uniform<Doors> anew{random.split()};
    std::optional<Mutated<Doors>> mutated;
    if (follows && !parents.empty() && random.below(8) != 0)
      mutated.emplace(random.split(), parents[random.below(parents.size())], anew);
    const auto one = run(system, system.initial(), mutated ? static_cast<Policy<Doors>&>(*mutated) : anew);
    if (one.violated != 0) return true;
    if (!met.insert(one.last.opened).second) continue;
    for (Moves& kept = parents.emplace_back(); const auto& decision : one.trail)
      kept.push_back(decision.move);
  }
  return false;
}

TEST(Mutated, RunsFindWhatIsBehindThreeNewSituationsWhereUniformOnesDoNot) {
  int followed = 0, anew = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    followed += gets_through(seed, true) ? 1 : 0;
    anew += gets_through(seed, false) ? 1 : 0;
  }
  EXPECT_GE(followed, 32);
  EXPECT_LE(anew, 16);  // 1 - (1 - 12^-3)^400 is 0.21
}

TEST(Mutated, ARunIsItsParentUpToAnyPoint) {
  Doors system;
  Moves parent;
  for (const int door : Doors::right_in) parent.push_back(Doors::move(door, DoorVerb::open));
  std::set<int> opened;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    DefaultSchedule<Doors> wrong;
    Mutated<Doors> policy{Random{seed}, parent, wrong};
    opened.insert(run(system, system.initial(), policy).last.opened);
  }
  EXPECT_EQ(opened, (std::set<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace lockstep::sim
