// A search by several ranks has the outcome of one. Here a rank is a thread with a system of its own, and
// they share no more than messages.
#include "sim/search/ranked.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/search/search.h"
#include "sim/toys/graph.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"
#include "sim/search/testing/same_outcome.h"

namespace lockstep::sim {
namespace {

using namespace toys;

/// Where threads meet.
class Meeting {
 public:
  explicit Meeting(std::size_t count) : out_(count) {}

  std::vector<std::string> exchange(std::size_t mine, const std::vector<std::string>& out) {
    std::unique_lock lock(mutex_);
    out_[mine] = out;
    arrive(lock);
    std::vector<std::string> in;
    for (const auto& words : out_) in.push_back(words[mine]);
    arrive(lock);
    return in;
  }

 private:
  void arrive(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t round = round_;
    if (++arrived_ < out_.size()) return all_are_here_.wait(lock, [&] { return round_ != round; });
    arrived_ = 0;
    ++round_;
    all_are_here_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable all_are_here_;
  std::vector<std::vector<std::string>> out_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(Meeting& meeting, std::size_t count, std::size_t mine)
      : meeting_(meeting), count_(count), mine_(mine) {}
  std::size_t count() const override { return count_; }
  std::size_t mine() const override { return mine_; }
  std::vector<std::string> exchange(const std::vector<std::string>& out) override {
    return meeting_.exchange(mine_, out);
  }

 private:
  Meeting& meeting_;
  std::size_t count_, mine_;
};

/// What the first rank says.
template <System S>
Outcome<S> explored_by_ranks(const S& system, const SearchOptions<S>& options, std::size_t count) {
  Meeting meeting(count);
  std::vector<Outcome<S>> outcomes(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRank ranks(meeting, count, rank);
        S its = system;
        outcomes[rank] = explore_by(ranks, its, options);
      });
  }
  return outcomes.front();
}

template <System S>
void expect_same_by_ranks(const S& system, const SearchOptions<S>& options) {
  S alone = system;
  const auto expected = explore(alone, options);
  for (const std::size_t count : {1u, 2u, 4u}) {
    const auto found = explored_by_ranks(system, options, count);
    testing::expect_same_outcome(found, expected);
  }
}

/// A large graph that is drawn once for all: places that lead to a few others each.
struct WideGraph : Graph {
  explicit WideGraph(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t below) {
      seed = seed * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
      return static_cast<std::uint16_t>((seed >> 33) % below);
    };
    for (std::uint16_t from = 0; from < places; ++from)
      for (int i = 0; i < 4; ++i) {
        const std::uint16_t to = from < 100 ? static_cast<std::uint16_t>(4 * from + i + 1) : draw(places);
        arcs_of[from].push_back({from, to, draw(9) == 0 ? Nature::fault : Nature::takes_time});
      }
    for (int i = 0; i < 3; ++i) breaks[draw(places)] |= PropertyMask{1} << i;
    stuck = draw(places);
  }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    if (s.place == stuck) return;
    for (std::size_t i = 0; i < 4; ++i) moves.push_back(move(i, arcs_of[s.place][i].nature));
  }
  WitnessMask apply(State& s, const Move& m) const {
    s.place = arcs_of[s.place][m.who].to;
    if (const auto found = breaks.find(s.place); found != breaks.end()) s.broken |= found->second;
    return WitnessMask{1} << (s.place % 64);
  }
  bool finished(const State& s) const { return s.place == 7; }

  static constexpr std::uint16_t places = 3'000;
  std::vector<std::vector<Arc>> arcs_of{places};
  std::uint16_t stuck = 0;
};
static_assert(EndingSystem<WideGraph>);

TEST(Ranks, FindWhatOneFinds) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) expect_same_by_ranks(WideGraph{seed}, {});
  for (const bool symmetry : {false, true}) {
    SearchOptions<LostUpdate> options;
    options.symmetry = symmetry;
    expect_same_by_ranks(LostUpdate{6}, options);
    SearchOptions<Philosophers> dining;
    dining.symmetry = symmetry;
    expect_same_by_ranks(Philosophers{7}, dining);
  }
  expect_same_by_ranks(Token{Stamina::endless}, {});
}

TEST(Ranks, MeetLimitsWhereOneMeetsThem) {
  SearchOptions<WideGraph> options;
  options.limits.states_max = 2'000;
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {.depth_max = 5};
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {.depth_max = 0};
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {};
  options.enough = [](PropertyMask violated, WitnessMask) { return violated != 0; };
  expect_same_by_ranks(WideGraph{1}, options);
}

TEST(Ranks, EndTogetherWhenOneOfThemMustStop) {
  SearchOptions<LostUpdate> options;
  options.symmetry = false;
  Meeting meeting(3);
  std::vector<Outcome<LostUpdate>> outcomes(3);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < 3; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRank ranks(meeting, 3, rank);
        LostUpdate its{7};
        auto mine = options;
        if (rank == 2) mine.limits.stop = [] { return true; };
        outcomes[rank] = explore_by(ranks, its, mine);
      });
  }
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.ended, SearchEnd::stopped);
  EXPECT_LT(outcomes.front().states, 96'679u);
}

}  // namespace
}  // namespace lockstep::sim
