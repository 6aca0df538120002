#include "model/redis/sentinel/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::redis::sentinel {
namespace {

using ::testing::ElementsAre;

TEST(SentinelMessages, AMastersInfoNamesItsReplicas) {
  const Facts facts = facts_of(
      "# Server\r\nrun_id:0123\r\n\r\n# Replication\r\nrole:master\r\nconnected_slaves:2\r\n"
      "slave0:ip=127.0.0.1,port=6381,state=online,offset=14,lag=0\r\n"
      "slave1:ip=::1,port=6382,state=wait_bgsave,offset=0,lag=0\r\nmaster_replid:abc\r\n");
  EXPECT_EQ(facts.run_id, "0123");
  EXPECT_EQ(facts.role, Role::master);
  EXPECT_THAT(facts.replicas, ElementsAre(Address{"127.0.0.1", 6381}, Address{"::1", 6382}));
  EXPECT_FALSE(facts.follows.has_value());
}

TEST(SentinelMessages, AReplicasInfoSaysWhomItFollowsAndHowWell) {
  const Facts facts = facts_of(
      "role:slave\r\nmaster_host:10.0.0.1\r\nmaster_port:6380\r\nmaster_link_status:down\r\n"
      "master_last_io_seconds_ago:-1\r\nslave_read_repl_offset:77\r\nslave_repl_offset:77\r\n"
      "master_link_down_since_seconds:3\r\nslave_priority:25\r\nslave_read_only:1\r\n"
      "replica_announced:1\r\nconnected_slaves:0\r\n");
  EXPECT_EQ(facts.role, Role::replica);
  EXPECT_EQ(facts.follows, (Address{"10.0.0.1", 6380}));
  EXPECT_FALSE(facts.link_up);
  EXPECT_EQ(facts.link_down_for, Duration(3'000));
  EXPECT_EQ(facts.priority, 25U);
  EXPECT_EQ(facts.offset, 77U);
  EXPECT_TRUE(facts.replicas.empty());
}

TEST(SentinelMessages, AHelloIsEightWordsWithCommasAndComesBackAsItWent) {
  Hello hello;
  hello.sender = Address{"127.0.0.1", 26380};
  hello.id = "abc";
  hello.current_epoch = 7;
  hello.master = "mymaster";
  hello.master_address = Address{"127.0.0.1", 6380};
  hello.config_epoch = 5;
  EXPECT_EQ(text_of(hello), "127.0.0.1,26380,abc,7,mymaster,127.0.0.1,6380,5");
  EXPECT_EQ(hello_of(text_of(hello)), hello);
  EXPECT_EQ(hello_of("127.0.0.1,26380,abc"), std::nullopt);
}

TEST(SentinelMessages, AChangeOfRoleIsOneTransactionThatAlsoDropsTheClients) {
  using model::Command;
  const SendReplicaOf promote;
  EXPECT_THAT(transaction(promote),
              ElementsAre(Command{"MULTI"}, Command{"SLAVEOF", "NO", "ONE"}, Command{"CONFIG", "REWRITE"},
                          Command{"CLIENT", "KILL", "TYPE", "normal"},
                          Command{"CLIENT", "KILL", "TYPE", "pubsub"}, Command{"EXEC"}));
  SendReplicaOf demote;
  demote.master = Address{"127.0.0.1", 6381};
  EXPECT_EQ(transaction(demote).at(1), (Command{"SLAVEOF", "127.0.0.1", "6381"}));
}

}  // namespace
}  // namespace lockstep::redis::sentinel
