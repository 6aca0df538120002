#include <memory>

#include "model/redis/arguments.h"
#include "model/redis/node.h"
#include "model/redis/resp/resp.h"
#include "model/redis/testing/contents.h"
#include "sim/base/random.h"
#include "sim/base/verify.h"
#include "tools/fuzz/fuzz.h"

namespace lockstep::tools::fuzz {

namespace {

using redis::Duration;

/// One interpreter for all inputs, with limits that a fuzzer reaches soon.
lua::Engine& engine() {
  static const auto one = std::make_unique<lua::Engine>(
      lua::Engine::Options{.steps_max = 20'000, .memory_max = std::size_t{8} << 20});
  return *one;
}

void verify_stored(const redis::Keyspace& db) {
  for (const auto& [key, entry] : db.entries()) VERIFY(!redis::is_empty(entry.value));
}

/// Commands after which a replica need not be what its master is: a script chooses what is replicated, roles
/// change, and BITFIELD … OVERFLOW FAIL makes a key of which Redis tells nobody.
bool tells_everything(const model::Command& command) {
  for (const std::string_view other : {"bitfield", "eval", "evalsha", "fcall", "replicaof", "slaveof"})
    if (redis::is_option(command.front(), other)) return false;
  return true;
}

/// A master and a replica that is told everything at once. Two connections take turns.
class Pair {
 public:
  Pair() {
    replica_.role = redis::Role::replica;
    master_.expiry = redis::Expiry::lazy;
  }

  void run(const model::Command& command) {
    const auto step = static_cast<std::int64_t>(command.front().size() % 8);
    pass(Duration(step * step));
    const redis::Environment environment{.engine = engine(), .wall_ms = wall_ms_, .chance = &chance_};
    turn_ = 1 - turn_;
    comparable_ = comparable_ && tells_everything(command);
    const redis::Outcome outcome =
        redis::execute(master_, sim::make_id<model::ConnectionId>(turn_), command, environment);
    std::string bytes;
    redis::encode(outcome.reply, bytes);
    redis::apply_effects(replica_, outcome.effects, Duration::zero(), environment);
  }

  void verify() const {
    verify_stored(master_.db);
    if (comparable_) VERIFY(redis::testing::visible(master_.db) == redis::testing::visible(replica_.db));
  }

 private:
  void pass(Duration passed) {
    wall_ms_ += passed.count();
    redis::advance(master_, passed);
    redis::advance(replica_, passed);
  }

  redis::Node master_, replica_;
  sim::Random chance_{1};
  std::int64_t wall_ms_ = 1'700'000'000'000;
  std::size_t turn_ = 0;
  bool comparable_ = true;
};

}  // namespace

void commands(std::string_view input) {
  redis::RequestParser parser;
  parser.feed(input);
  Pair pair;
  model::Command command;
  for (int count = 0; count < 200 && parser.next(command) == redis::RequestParser::Found::command; ++count)
    pair.run(command);
  pair.verify();
  engine().forget_scripts();  // or its memory fills up, and each input is slower than the one before
}

}  // namespace lockstep::tools::fuzz
