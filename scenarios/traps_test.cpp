// Traps that other checkers fell into, as far as no other test is about them; HACKING.md lists them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Strategy;
using properties::Verdict;

std::string eventually(const std::string& name, const std::string& lua) {
  return "[[property]]\nname = \"" + name + "\"\nkind = \"eventually\"\nlua = \"" + lua + "\"\n";
}

/// Runs in which one had the lock, the other, and both end in the same world; whichever of them was met first
/// says nothing of those that join it. (Stateright: what is to be true eventually is missed where runs join.)
TEST(Traps, WhatIsEventuallyTrueIsAskedOfEachRunThatJoinsOthers) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"trylock x\", \"unlock x\"]]\n"
      "[process.B]\nthreads = [[\"trylock x\", \"unlock x\"]]\n" +
      eventually("a-had-it", "contains(believers('x'), 'A1')") +
      eventually("b-had-it", "contains(believers('x'), 'B1')") +
      eventually("one-had-it", "count(believers('x')) > 0"));
  for (const auto strategy : {Strategy::search, Strategy::search_deep}) {
    const CheckReport report = properties::check(setup, {.strategy = strategy, .shrink = false});
    ASSERT_TRUE(report.complete);
    std::string verdicts;
    for (const auto& result : report.results)
      if (const auto name = properties::name_of(result.property, setup); name.ends_with("-had-it"))
        verdicts += std::string(name) + " " + std::string(properties::name_of(result.verdict)) + "\n";
    EXPECT_EQ(verdicts, "a-had-it violated\nb-had-it violated\none-had-it proved\n");
  }
}

/// What a sample is does not depend on whether searches would exchange names. (TLC's simulation permutes.)
TEST(Traps, SamplesAreTheSameWithAndWithoutSymmetry) {
  const model::Setup setup = shipped_setup("plain/three-clients");
  const auto found = [&](bool symmetry) {
    return properties::check(setup, {.strategy = Strategy::random, .runs = 50, .symmetry = symmetry});
  };
  const CheckReport with = found(true), without = found(false);
  EXPECT_EQ(with.steps, without.steps);
  EXPECT_EQ(with.witnesses, without.witnesses);
  EXPECT_TRUE(with.sampled_by == without.sampled_by);
  EXPECT_FALSE(with.symmetry);
}

/// Each move that leads from a state to another is possible in the one and leads to the other, by names.
/// (TLC: a graph that was searched with symmetry shows transitions that there are not.)
TEST(Traps, AGraphWithoutSymmetryHasOnlyTransitionsThatThereAre) {
  const model::Setup setup = setup_of("[process.P]\ncount = 2\nthreads = [[\"lock x\", \"unlock x\"]]\n");
  const auto impossible = [&](bool symmetry) {
    Checked system(setup), beside(setup);
    std::vector<Checked::State> met{system.initial()};
    std::size_t wrong = 0;
    sim::SearchOptions<Checked> options;
    options.symmetry = symmetry;
    options.on_edge = [&](const sim::Edge<Checked>& edge) {
      if (edge.fresh) met.push_back(edge.state);
      std::vector<model::Move> moves;
      Checked::State state = met[edge.from];
      beside.enabled(state, moves);
      if (std::find(moves.begin(), moves.end(), edge.move) == moves.end()) return void(++wrong);
      beside.apply(state, edge.move);
      if (beside.digest(beside.normal(state)) != beside.digest(beside.normal(met[edge.to]))) ++wrong;
    };
    EXPECT_TRUE(sim::explore(system, std::move(options)).complete());
    return wrong;
  };
  EXPECT_EQ(impossible(false), 0U);
  EXPECT_GT(impossible(true), 0U) << "this is why graphs are drawn without";
}

}  // namespace
}  // namespace lockstep::scenarios
