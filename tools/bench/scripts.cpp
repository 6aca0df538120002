// scripts.cpp: how long one EVAL of a lock script takes, from bare Lua to a whole Redis node.
//
// Each iteration acquires and releases one lock: two EVALs that call Redis seven times.
#include <array>
#include <memory>

#include "lua/testing/bare_loop.h"
#include "lua/scripts/embedded_scripts.h"
#include "lua/engine/engine.h"
#include "model/redis/node.h"
#include "sim/base/verify.h"
#include "tools/bench/suite.h"

namespace lockstep::tools::bench {

namespace {

std::string_view script(std::string_view name) {
  for (const lua::EmbeddedFile& file : lua::embedded_scripts())
    if (file.name == name) return file.text;
  VERIFY(false);
  return {};
}

std::string_view acquire_text() { return script("lock-hset.lua"); }
std::string_view release_text() { return script("unlock.lua"); }

constexpr const char* key = "orders";
constexpr const char* channel = "redisson_lock__channel:{orders}";
constexpr const char* holder = "00000000-0000-4000-8000-00000000000a:1";
constexpr const char* lease = "30000";

const std::array<std::string_view, 1> lock_keys{key};
const std::array<std::string_view, 2> lock_args{lease, holder};
const std::array<std::string_view, 2> unlock_keys{key, channel};
const std::array<std::string_view, 3> unlock_args{"0", lease, holder};

void bare_lua(benchmark::State& state) {
  using Loop = lua::BareLoop;
  Loop loop(acquire_text(), release_text());
  for (auto _ : state) {
    VERIFY(loop.eval(Loop::Which::acquire, lock_keys, lock_args) == Loop::Outcome::nil);
    VERIFY(loop.eval(Loop::Which::release, unlock_keys, unlock_args) == Loop::Outcome::number);
  }
  state.SetItemsProcessed(2 * state.iterations());
}

/// Answers as a free lock would, without storing anything.
class Canned final : public lua::Host {
 public:
  lua::Reply call(std::span<const std::string_view>) override {
    const std::int64_t answer = answers_[next_];
    next_ = next_ + 1 == answers_.size() ? 0 : next_ + 1;
    return answer;
  }

 private:
  std::array<std::int64_t, 7> answers_{0, 1, 1, 1, 0, 1, 0};
  std::size_t next_ = 0;
};

void engine(benchmark::State& state) {
  lua::Engine engine;
  Canned host;
  const std::string acquire = engine.load(acquire_text()).status()->text;
  const std::string release = engine.load(release_text()).status()->text;
  for (auto _ : state) {
    VERIFY(engine.eval(acquire, lock_keys, lock_args, host).is_nil());
    VERIFY(*engine.eval(release, unlock_keys, unlock_args, host).integer() == 1);
  }
  state.SetItemsProcessed(2 * state.iterations());
}

struct Wire {
  const char* command;
  bool full_text;
  bool want_effects;
};

void node(benchmark::State& state, const Wire& wire) {
  lua::Engine engine;
  redis::Node node;
  redis::Environment environment{.engine = engine, .want_effects = wire.want_effects};
  const model::ConnectionId connection{};
  const auto word = [&](std::string_view text) {
    const auto loaded = redis::execute(node, connection, {"SCRIPT", "LOAD", std::string(text)}, environment);
    return wire.full_text ? std::string(text) : *loaded.reply.bulk();
  };
  const model::Command acquire{wire.command, word(acquire_text()), "1", key, lease, holder};
  const model::Command release{wire.command, word(release_text()), "2", key, channel, "0", lease, holder};
  for (auto _ : state) {
    VERIFY(redis::execute(node, connection, acquire, environment).reply.is_nil());
    VERIFY(*redis::execute(node, connection, release, environment).reply.integer() == 1);
  }
  VERIFY(node.db.size() == 0);
  state.SetItemsProcessed(2 * state.iterations());
}

}  // namespace

std::vector<Benchmark> script_family() {
  const auto on_node = [](Wire wire) { return [wire](benchmark::State& state) { node(state, wire); }; };
  const Target thrice{Target::Of::ratio, 3};
  return {
      {yardstick, "EVAL", "the scripts in a plain interpreter, redis.call empty", bare_lua, {}},
      {"script/engine",
       "EVAL",
       "the script engine, redis.call answered by a host that does nothing",
       engine,
       {}},
      {"script/evalsha", "EVAL", "EVALSHA on a node with a real keyspace", on_node({"EVALSHA", false, false}),
       thrice},
      {"script/eval", "EVAL", "EVAL with the whole text", on_node({"EVAL", true, false}), thrice},
      {"script/eval-replicated",
       "EVAL",
       "the same on a master whose effects are collected for a replica",
       on_node({"EVAL", true, true}),
       {}},
  };
}

}  // namespace lockstep::tools::bench
