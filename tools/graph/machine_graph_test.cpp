// The protocol of each lock kind, drawn from its machine.
#include "tools/graph/machine_graph.h"

#include <map>
#include <set>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "tools/cli/cli_fixture.h"

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

TEST(MachineGraph, EveryLockKindHasOneAndAllStatesOfEveryMachineAreReached) {
  std::map<std::string_view, std::set<std::string_view>> left;  // by machine: states that no kind came to
  for (const std::string& name : kinds_with_machines()) {
    const model::Machine& machine = *model::find_kind(name)->machine;
    if (!left.contains(machine.name)) left[machine.name] = {machine.states.begin(), machine.states.end()};
    const auto drawn = machine_graph(name, "", false);
    ASSERT_TRUE(drawn.ok()) << drawn.problem().text;
    for (const auto& node : drawn->graph.nodes) left[machine.name].erase(node.label);
  }
  for (const auto& [machine, states] : left)
    EXPECT_THAT(states, ::testing::IsEmpty()) << machine;
  std::size_t taken = 0;
  for (const model::LockKind* kind : model::shipped_kinds()) taken += kind->is_taken() ? 1 : 0;
  EXPECT_EQ(kinds_with_machines().size(), taken);
}

TEST(MachineGraph, APlainLockIsAskedForAnsweredSubscribedParkedAndWoken) {
  const auto drawn = machine_graph("plain", "redisson@3.10.5", false);
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
  const auto drawn = machine_graph("plain", "", true);
  ASSERT_TRUE(drawn.ok());
  EXPECT_TRUE(has_edge(*drawn, "asking", "subscribing", "reply: refused"));
  EXPECT_THAT(machine_graph("spin", "", true).problem().text, HasSubstr("no calls that return a future"));
}

class MachineCli : public CliTest {};

TEST_F(MachineCli, ThePicturesAreTheGoldens) {
  for (const char* kind : {"plain", "fair", "spin", "multi"})
    for (const char* type : {"dot", "mermaid", "plantuml"}) {
      const Finished it = lockstep({"graph", "--kind", "machine", "--lock", kind, "-T", type, "--scripts",
                                    "redisson@3.19.0"});
      ASSERT_EQ(it.status, 0) << it.err;
      const std::string golden = std::string("tools/goldens/machine-") + kind + "." + type;
      if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
        EXPECT_EQ(write_file(golden, it.out), std::nullopt);
      }
      EXPECT_EQ(it.out, content(golden)) << golden;
    }
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
