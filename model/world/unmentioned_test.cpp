#include "model/world/unmentioned.h"

#include <gtest/gtest.h>

#include "model/client/new_words.h"
#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

/// A and B, and a replica.
class Unmentioned : public testing::Test {
 protected:
  /// Which block A draws.
  std::uint32_t drawn() const {
    return unmentioned_number(world_, setup_, ThreadId{0}, out_).value / numbers_of_a_draw;
  }
  Link& link(std::uint16_t process, std::uint16_t node = 0) {
    return world_.link(ProcessId{process}, NodeId{node}).write();
  }
  Request request(std::string key, sim::WordNumber number = 0) {
    Request request;
    request.purpose.number = number;
    request.keys = {std::move(key)};
    return request;
  }

  model::Setup setup_ = replicated(setup_for({{{lock(), unlock()}}, {{lock(), unlock()}}}));
  World world_ = initial_world(setup_);
  Out out_;
  lua::Engine engine_;
};

TEST_F(Unmentioned, IsTheLeastThatNoTextHasWhereverItStands) {
  EXPECT_EQ(drawn(), 1U);
  setup_.kind_of(NodeId{0}).serve(world_.nodes[0].write(), connection_of(ProcessId{1}),
                                  {"SET", "latch:{orders}:id-of-A:1:100500", "1"}, {.engine = engine_});
  EXPECT_EQ(drawn(), 2U) << "a key";
  setup_.kind_of(NodeId{0}).serve(world_.nodes[0].write(), connection_of(ProcessId{1}),
                                  {"HSET", "orders", "id-of-A:1:200000", "1"}, {.engine = engine_});
  EXPECT_EQ(drawn(), 3U) << "a field";
  link(1).flights.push_back({.connection = {}, .request = request("not id-of-A:1:300000.")});
  EXPECT_EQ(drawn(), 4U) << "a request of another process";
  link(1).down.push_back({.message = Reply::Array{Reply{std::string("id-of-A:1:400000")}}});
  EXPECT_EQ(drawn(), 5U) << "a message to another process";
  world_.streams[1].write().batches.push_back(
      {.effects = {Effect{.words = {"SET", "x", "id-of-A:1:500000"}}}});
  EXPECT_EQ(drawn(), 6U) << "a write that the replica has not applied";
  world_.processes[0].write().clients[0].pending.push_back({.request = request("id-of-A:1:600000")});
  EXPECT_EQ(drawn(), 7U) << "a request that waits for its answer";
  out_.requests.push_back({request("id-of-A:1:700000")});
  EXPECT_EQ(drawn(), 8U) << "one that is about to be sent";
  link(1).flights.clear();
  EXPECT_EQ(drawn(), 3U);
}

TEST_F(Unmentioned, IsNoNumberThatItsProcessKeepsWithoutAText) {
  const auto wait_for = [](Process& process, const Request& request) {
    process.clients[0].queue.push_back({.request = request});
  };
  wait_for(world_.processes[1].write(), request("", 100'000));
  EXPECT_EQ(drawn(), 1U) << "of another process";
  wait_for(world_.processes[0].write(), request("", 100'700));
  EXPECT_EQ(drawn(), 2U);
  world_.processes[0].write().threads[sim::PlaceId{0}].futures[1].number = 200'000;
  EXPECT_EQ(drawn(), 3U);
}

TEST_F(Unmentioned, IsNothingThatATextBeginsWithNorOneThatWasCutOff) {
  link(1).flights.push_back({.connection = {}, .request = request("id-of-A:1:1000007")});
  EXPECT_EQ(drawn(), 2U) << "100000 and a 7 behind it, or 10 times as much";
  link(1).flights.push_back({.connection = {}, .request = request("id-of-A:1:2")});
  EXPECT_EQ(drawn(), 3U);
  link(1).flights.push_back({.connection = {}, .request = request("id-of-A:13:300000 id-of-B:1:300000")});
  EXPECT_EQ(drawn(), 3U) << "others are called so";
  world_.processes[0].write().incarnation = 1;
  EXPECT_EQ(drawn(), 1U) << "it has a new name";
}

}  // namespace
}  // namespace lockstep::model
