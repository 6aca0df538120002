// The protocol of each lock kind, drawn from its machine.
#include "tools/graph/machine_graph.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/plantuml.h"
#include "scenarios/embedded.h"
#include "scenarios/format/section_schemes.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

bool has_edge(const MachineGraph& drawn, const std::string& from, const std::string& to,
              const std::string& by) {
  const auto& nodes = drawn.graph.nodes;
  return std::any_of(drawn.graph.edges.begin(), drawn.graph.edges.end(), [&](const auto& edge) {
    return nodes[edge.from].label == from && nodes[edge.to].label == to &&
           ("\n" + edge.label + "\n").find("\n" + by + "\n") != std::string::npos;
  });
}

class EachKind : public ::testing::TestWithParam<std::string> {};

TEST_P(EachKind, HasAMachineThatItsCallsGoThrough) {
  const auto drawn = machine_graph(GetParam(), "", false, 400);
  ASSERT_TRUE(drawn.ok()) << drawn.problem().text;
  EXPECT_EQ(drawn->graph.nodes.front().label, "no call");
  EXPECT_GE(drawn->graph.nodes.size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(Machines, EachKind, ::testing::ValuesIn(kinds_with_machines()),
                         [](const auto& shown) {
  std::string name = shown.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(MachineGraph, EveryKindOfRedissonHasOne) {
  EXPECT_THAT(kinds_with_machines(),
              ::testing::IsSupersetOf({"plain", "fair", "spin", "read", "write", "fenced", "non-reentrant",
                                       "multi", "red"}));
}

TEST(MachineGraph, EveryStateOfEveryMachineIsComeTo) {
  for (const char* kind : {"fair", "spin", "multi"}) {
    const auto drawn = machine_graph(kind, "", false, 3'000);
    ASSERT_TRUE(drawn.ok()) << drawn.problem().text;
    EXPECT_THAT(drawn->unmet, ::testing::IsEmpty()) << kind;
  }
}

TEST(MachineGraph, APlainLockIsAskedForAnsweredSubscribedParkedAndWoken) {
  const auto drawn = machine_graph("plain", "redisson@3.10.5", false, 3'000);
  ASSERT_TRUE(drawn.ok());
  EXPECT_TRUE(has_edge(*drawn, "asking", "answered", "reply: granted"));
  EXPECT_TRUE(has_edge(*drawn, "asking", "answered", "reply: refused"));
  EXPECT_TRUE(has_edge(*drawn, "answered", "no call, holds the lock", "run"));
  EXPECT_TRUE(has_edge(*drawn, "answered", "subscribing", "run"));
  EXPECT_TRUE(has_edge(*drawn, "releasing", "released", "reply: released"));
  EXPECT_FALSE(has_edge(*drawn, "asking", "parked", "run"));
  EXPECT_THAT(drawn->unmet, ::testing::ElementsAre("giving up", "gave up")) << "only a queue is told of that";
}

TEST(MachineGraph, AFutureIsLivedThroughByTheEventLoop) {
  const auto drawn = machine_graph("plain", "", true, 2'000);
  ASSERT_TRUE(drawn.ok());
  EXPECT_TRUE(has_edge(*drawn, "asking", "subscribing", "reply: refused"));
  const auto spin = machine_graph("spin", "", true, 2'000);
  ASSERT_TRUE(spin.ok());
  EXPECT_FALSE(has_edge(*spin, "asking", "subscribing", "reply: refused")) << "it asks again later";
}

TEST(MachineGraph, ThePicturesAreTheGoldens) {
  for (const std::string kind : {"plain", "fair"}) {
    const auto drawn = machine_graph(kind, "redisson@3.19.0", false, 1'500);
    ASSERT_TRUE(drawn.ok());
    const reports::StateGraphOptions how{.title = drawn->title};
    const std::pair<const char*, std::string> forms[] = {{"dot", reports::state_graph_dot(drawn->graph, how)},
                                                         {"mermaid", reports::mermaid(drawn->graph, how)},
                                                         {"plantuml", reports::plantuml(drawn->graph, how)}};
    for (const auto& [type, text] : forms) {
      const std::string golden = "tools/goldens/machine-" + kind + "." + type;
      if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
        EXPECT_EQ(write_file(golden, text), std::nullopt);
      }
      EXPECT_EQ(text, *read_input(golden)) << golden;
    }
  }
}

TEST(MachineGraph, ADescribedKindHasItsMachineToo) {
  const auto drawn = machine_graph("set-nx-px", "", false, 2'000);
  ASSERT_TRUE(drawn.ok()) << drawn.problem().text;
  EXPECT_TRUE(has_edge(*drawn, "asking", "answered", "reply: granted"));
  EXPECT_TRUE(has_edge(*drawn, "answered", "no call, holds the lock", "run"));
  EXPECT_TRUE(has_edge(*drawn, "answered", "asleep", "run"));
  EXPECT_TRUE(has_edge(*drawn, "releasing", "released", "reply: released"));
  EXPECT_FALSE(has_edge(*drawn, "asking", "asleep", "run"));
  EXPECT_THAT(drawn->unmet, ::testing::IsSupersetOf({"parked", "giving back"})) << "it polls, on one master";
  EXPECT_THAT(machine_graph("set-nx-px", "", true).problem().text,
              HasSubstr("no calls that return a future"));
  EXPECT_THAT(machine_graph("set-nx-px", "redisson@3.10.5", false).problem().text,
              HasSubstr("is described"));
}

TEST(MachineGraph, EverySchemeOfTheProgramHasOne) {
  const auto library = script_library();
  ASSERT_TRUE(library.ok());
  std::size_t schemes = 0;
  for (const sim::EmbeddedFile& file : scenarios::embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const auto kinds = scenarios::schemes_in(file.text, std::string(file.name), *library);
    ASSERT_TRUE(kinds.ok());
    for (const model::LockKind* kind : *kinds) {
      const auto drawn = machine_graph(std::string(kind->name), "", false, 300);
      ASSERT_TRUE(drawn.ok()) << kind->name << ": " << drawn.problem().text;
      EXPECT_GE(drawn->graph.nodes.size(), 4u) << kind->name;
      ++schemes;
    }
  }
  EXPECT_GE(schemes, 11u);
}

class MachineCli : public CliTest {};

TEST_F(MachineCli, IsDrawnInEveryForm) {
  const Finished it = lockstep({"graph", "--kind", "machine", "--lock", "plain", "-T", "mermaid"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("state \"parked\" as "));
}

TEST_F(MachineCli, WhatItDoesNotTakeIsSaid) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"graph", "--kind", "machine"},
        {"graph", "--kind", "machine", "--lock", "fiar"},
        {"graph", "--kind", "machine", "--lock", "fair", "plain/two-clients"},
        {"graph", "--kind", "machine", "--lock", "fair", "--scripts", "lock=x.lua"},
        {"graph", "--kind", "states", "--lock", "fair", "plain/two-clients"},
        {"graph", "--kind", "machine", "--lock", "fair", "-T", "txt"},
        {"graph"}}) {
    const Finished it = lockstep(words);
    EXPECT_EQ(it.status, 2) << words.back();
    EXPECT_EQ(it.out, "") << words.back();
    EXPECT_LT(it.err.size(), 600u) << it.err;
  }
}

}  // namespace
}  // namespace lockstep::tools
