// A kind of server that only this test knows: what a world asks of a server is its table, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

/// Grants whatever it is asked, counts the requests, and forgets how many there were if it is made to.
struct Counter {
  static constexpr std::string_view kind = "counter";
  std::int64_t requests = 0;
  bool operator==(const Counter&) const = default;
  static auto fields(auto& c) { return std::tie(c.requests); }
};

constexpr std::array<ServerFault, 1> counter_faults{{
    {.key = "forget-requests",
     .about = "a counter begins anew",
     .word = "forget",
     .event = sim::TraceKind::note,
     .fixed = "forget",
     .choices = [](const Server& server) { return std::size_t{server.get<Counter>().requests > 0}; },
     .apply = [](Server& server, std::size_t) -> std::optional<Gone> {
       server.write<Counter>() = {};
       return std::nullopt;
     }},
}};

const ServerKind counter_kind{
    .name = Counter::kind,
    .make = [](const ServerSettings&) -> Server { return Counter{}; },
    .serve =
        [](Server& server, ConnectionId, const Command&, const Serving&) {
          ++server.write<Counter>().requests;
          return Served{};
        },
    .disconnect = [](Server&, ProcessId) {},
    .disconnect_all = [](Server&) {},
    .restart = [](Server& server, Persistence) { server.write<Counter>() = {}; },
    .pass = [](Server&, Duration) { return Unasked{}; },
    .jump = [](Server&, Duration) { return Unasked{}; },
    .counts_down = [](const Server&) { return false; },
    .next_change = [](const Server&) { return sim::never; },
    .leads = [](const Server&) { return true; },
    .look = [](const Server& server) -> Look {
      return {&server, [](const void*, const std::string&) { return std::optional<Stored>{}; },
              [](const void*) { return std::vector<std::string>{}; }};
    },
    .left_behind = [](const Server& server, const Excused&) -> std::optional<std::string> {
      if (server.get<Counter>().requests == 0) return std::nullopt;
      return "counts " + std::to_string(server.get<Counter>().requests);
    },
    .changes = [](const std::string&, const Server&, const Server&) { return std::vector<sim::KeyChange>{}; },
    .quoted = [](const std::string& word) { return word; },
    .faults = counter_faults};

Setup on_a_counter() {
  Setup setup = setup_for({{{lock(), unlock()}}});
  setup.nodes[0].kind = &counter_kind;
  return setup;
}

std::int64_t requests(const Led& world) { return world.world().nodes[0]->get<Counter>().requests; }

TEST(ServerKinds, OfATestServeAsRedisDoes) {
  Led world(on_a_counter());
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1");
  EXPECT_EQ(world.answers(0), std::vector<Answer>{Answer::yes});
  EXPECT_EQ(requests(world), 1);
  EXPECT_EQ(world.facts().left_behind({}), "R0 still counts 1");
}

TEST(ServerKinds, BringTheirFaultsAlongAndLeaveOutThoseOfOthers) {
  Led world(with(on_a_counter(), {"forget-requests", "crash-node"}));
  EXPECT_FALSE(find_fault("evict-key", world.setup()).has_value());
  EXPECT_THAT(faults_help(world.setup()),
              testing::HasSubstr("| `forget-requests` | a counter begins anew |"));
  EXPECT_FALSE(world.can("forget R0"));
  world("run A1")("request A/0 -> R0")("forget R0");
  EXPECT_EQ(world.tracer().events().back().kind, sim::TraceKind::note);
  EXPECT_EQ(requests(world), 0);
  EXPECT_FALSE(world.can("forget R0")) << "its price is paid";
}

TEST(ServerKinds, OfOneWorldKeepTheirFaultsApart) {
  auto setup = on_a_counter();
  setup.nodes.push_back({.name = "R1", .group = GroupId{1}});
  setup = *complete(std::move(setup));
  EXPECT_EQ(fault_row(*find_fault("flush-scripts", setup), setup).begin.verb.word, "flush-scripts");
  EXPECT_EQ(fault_row(*find_fault("forget-requests", setup), setup).begin.fixed, "forget");
  Led world(with(std::move(setup), {"forget-requests", "flush-scripts"}));
  world("run A1")("request A/0 -> R0");
  EXPECT_TRUE(world.can("forget R0"));
  EXPECT_FALSE(world.can("forget R1") || world.can("flush-scripts R0"));
}

}  // namespace
}  // namespace lockstep::model
