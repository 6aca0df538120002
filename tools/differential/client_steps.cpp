#include "tools/differential/client_steps.h"

#include <array>

#include "model/redis/arguments.h"
#include "tools/differential/promise.h"

namespace lockstep::differential {

namespace {

constexpr std::string_view transaction_lines[] = {
    "MULTI",     "MULTI",           "MULTI",         "EXEC",    "EXEC",      "EXEC",     "DISCARD",
    "WATCH $k",  "WATCH $k $k",     "WATCH $k",      "UNWATCH", "SELECT $i", "SELECT 0", "INCR $k",
    "SET $k $v", "SET $k $v PX $t", "PEXPIRE $k $t", "GET $k",  "DEL $k",    "FLUSHDB",  "MULTI $v",
    "EXEC $v",   "NOSUCH"};
constexpr std::string_view channel_lines[] = {"SUBSCRIBE $k",
                                              "SUBSCRIBE $k $k",
                                              "PSUBSCRIBE $g",
                                              "SSUBSCRIBE $k",
                                              "UNSUBSCRIBE $k",
                                              "UNSUBSCRIBE $k $k",
                                              "UNSUBSCRIBE",
                                              "UNSUBSCRIBE",
                                              "PUNSUBSCRIBE",
                                              "PUNSUBSCRIBE",
                                              "SUNSUBSCRIBE $k",
                                              "SUNSUBSCRIBE",
                                              "PUBLISH $k $v",
                                              "PUBLISH $k $v",
                                              "PUBLISH $k $v",
                                              "PUBLISH $k $v",
                                              "SPUBLISH $k $v",
                                              "SPUBLISH $k $v",
                                              "PUBSUB NUMSUB $k $k",
                                              "PUBSUB NUMPAT",
                                              "PUBSUB CHANNELS $g",
                                              "PUBSUB SHARDNUMSUB $k $k",
                                              "PUBSUB SHARDCHANNELS",
                                              "PING",
                                              "PING $v"};
constexpr std::array script_texts{
    "redis.call('PUBLISH', KEYS[1], 'from a script'); return redis.call('INCR', KEYS[1])",
    "redis.call('SELECT', 3); redis.call('SET', KEYS[1], 'x'); return redis.call('DBSIZE')",
    "return redis.pcall('GET', KEYS[1])"};

model::Command some_script(Dice& dice) {
  return {"EVAL", script_texts[dice.below(script_texts.size())], "1",
          "k" + std::to_string(1 + dice.below(6))};
}

bool is_in_transaction(const redis::Node& node, model::ConnectionId client) {
  const auto session = node.sessions->find(client);
  return session != node.sessions->end() && session->second.transaction.has_value();
}

}  // namespace

bool is_promised(const redis::Node& node, model::ConnectionId client, const model::Command& command) {
  if (!is_settled(node, client, command)) return false;
  const std::string name = redis::to_lower(command[0]);
  const bool leaves_all = command.size() == 1 && (name == "unsubscribe" || name == "sunsubscribe");
  if (is_in_transaction(node, client)) return keeps_order(name) && name != "psubscribe" && !leaves_all;
  if (name == "psubscribe")
    return command.size() < 3 && redis::subscriptions(node.pubsub.patterns, client).empty();
  const auto& listeners = name == "unsubscribe" ? node.pubsub.channels : node.pubsub.shard_channels;
  return !leaves_all || redis::subscriptions(listeners, client).size() < 2;
}

namespace {

model::Command some_command(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
    case 1:
    case 2:
      return redis::testing::random_command(dice, transaction_lines);
    case 3:
    case 4:
      return redis::testing::random_command(dice, channel_lines);
    case 5:
      return dice.below(3) == 0 ? some_script(dice) : redis::testing::random_command(dice, channel_lines);
    default:
      return redis::testing::random_command(dice);
  }
}

}  // namespace

Step random_client_step(Dice& dice, const redis::testing::TestClient& model) {
  Step step;
  step.from = sim::make_id<model::ConnectionId>(dice.below(clients_count));
  if (dice.below(5) == 0) step.passes = random_time(dice, model);
  do step.command = some_command(dice);
  while (!is_promised(model.node, step.from, step.command));
  return step;
}

}  // namespace lockstep::differential
