// sample_trace.h: traces made by hand, as the model makes them, for tests of the reports.
//
// failover(): A holds the lock on a master that dies before the write reaches the replica; B gets it from the
// promoted replica. Everything happens at 0 s but B's second attempt. pause(): A's watchdog renews once, then
// A pauses for longer than its lease; the key expires and B, who waited on the channel, enters while A still
// believes. hostile(): names that try to break out of whatever they are written into.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports::sample {

inline constexpr const char* id_a = "7f3c2a1e:1";
inline constexpr const char* id_b = "91aa04d7:1";

class Builder {
 public:
  explicit Builder(std::string scenario, std::string key = "orders") : key_(std::move(key)) {
    trace_.scenario = std::move(scenario);
    trace_.scenario_digest = "8f0c41d22ab3e975";
    trace_.scripts = "redisson@3.10.5";
    trace_.scripts_digest = "9ae1b7702c5548d0";
    trace_.trail = "lockstep-trail 1\n0.2.1.0\n";
    trace_.actors = {{"A", "process", "", "process A", "", ""},
                     {"A1", "thread", "A", "process A, thread 1", id_a, ""},
                     {"B", "process", "", "process B", "", ""},
                     {"B1", "thread", "B", "process B, thread 1", id_b, ""},
                     {"R0", "redis", "", "redis-0", "", "master"},
                     {"R1", "redis", "", "redis-1", "", "replica"}};
  }

  Builder& at(std::int64_t milliseconds) {
    now_us_ = milliseconds * 1000;
    return *this;
  }

  sim::TraceEvent& event(sim::TraceKind kind, const std::string& who, const std::string& act = {}) {
    sim::TraceEvent e;
    e.index = static_cast<std::int64_t>(trace_.events.size());
    e.time_us = now_us_;
    e.kind = kind;
    e.who = who;
    e.act = act;
    trace_.events.push_back(e);
    return trace_.events.back();
  }

  sim::TraceEvent& on_lock(sim::TraceKind kind, const std::string& who, const std::string& act = {}) {
    auto& e = event(kind, who, act);
    e.lock = key_;
    return e;
  }

  std::int64_t send(const std::string& who, const std::string& node, const std::string& act) {
    auto& e = event(sim::TraceKind::send, who, act);
    e.to = node;
    e.msg = message_++;
    e.cause = e.index - 1;
    return *e.msg;
  }

  sim::TraceEvent& eval(std::int64_t msg, const std::string& who, const std::string& node,
                        const std::string& script, const std::string& ret) {
    auto& e = event(sim::TraceKind::eval, node);
    e.from = who;
    e.msg = msg;
    e.script = script;
    e.keys = {key_};
    e.argv = {"30000", who.starts_with("A") ? id_a : id_b};
    e.ret = ret;
    return e;
  }

  sim::TraceEvent& cmd(std::int64_t msg, const std::string& who, const std::string& node,
                       const std::string& act) {
    auto& e = event(sim::TraceKind::cmd, node, act);
    e.from = who;
    e.msg = msg;
    return e;
  }

  sim::TraceEvent& recv(std::int64_t msg, const std::string& who, const std::string& node,
                        const std::string& act) {
    auto& e = event(sim::TraceKind::recv, who, act);
    e.from = node;
    e.msg = msg;
    return e;
  }

  /// Request, script and reply one after the other; returns the index of the eval.
  std::int64_t call(const std::string& who, const std::string& node, const std::string& script,
                    const std::string& ret, std::vector<sim::KeyChange> changes = {}) {
    const auto msg = send(who, node, script + " " + key_);
    auto& ran = eval(msg, who, node, script, ret);
    ran.changes = std::move(changes);
    const auto index = ran.index;
    recv(msg, who, node, ret);
    return index;
  }

  sim::KeyChange held(const std::string& node, const std::string& holder,
                      std::int64_t pttl_ms = 30'000) const {
    return {node, key_, true, "hash", {{holder, "1"}}, pttl_ms};
  }
  sim::KeyChange gone(const std::string& node) const { return {node, key_, false, "", {}, {}}; }

  void returned(const std::string& who, const std::string& value) {
    auto& e = event(sim::TraceKind::ret, who);
    e.ret = value;
    e.outcome = "ok";
  }

  void violated(const std::string& why, std::vector<std::int64_t> steps) {
    auto& e = event(sim::TraceKind::prop, "");
    e.name = "mutual-exclusion";
    e.why = why;
    e.steps = std::move(steps);
    trace_.result = "violated";
  }

  std::int64_t last() const { return static_cast<std::int64_t>(trace_.events.size()) - 1; }

  sim::Trace done() {
    for (auto& e : trace_.events) {
      const bool decision = e.kind == sim::TraceKind::eval || e.kind == sim::TraceKind::recv ||
                            e.kind == sim::TraceKind::crash || e.kind == sim::TraceKind::promote;
      if (decision) e.choice.emplace(e.kind == sim::TraceKind::crash ? 3 : 0, 4);
      if (e.state.empty()) e.state = "a1b2c3d4e5f6071" + std::to_string(e.index % 10);
    }
    return trace_;
  }

  sim::Trace trace_;

 private:
  std::string key_;
  std::int64_t now_us_ = 0;
  std::int64_t message_ = 0;
};

inline sim::Trace failover(const std::string& key = "orders") {
  Builder b("failover/master-dies-before-replication", key);
  b.on_lock(sim::TraceKind::inv, "A1", "lock " + key);
  const auto granted = b.call("A1", "R0", "lock", "nil", {b.held("R0", id_a)});
  b.returned("A1", "done");
  const auto a_inside = b.on_lock(sim::TraceKind::enter, "A1").index;
  b.at(2).on_lock(sim::TraceKind::inv, "B1", "lock " + key);
  b.call("B1", "R0", "lock", "(integer) 29998");
  const auto subscribe = b.send("B1", "R0", "SUBSCRIBE redisson_lock__channel:{" + key + "}");
  b.cmd(subscribe, "B1", "R0", "SUBSCRIBE redisson_lock__channel:{" + key + "}");
  b.recv(subscribe, "B1", "R0", "subscribed");
  b.on_lock(sim::TraceKind::park, "B1", "latch");
  b.event(sim::TraceKind::crash, "R0");
  auto& lost = b.event(sim::TraceKind::drop, "R0", "effects of " + key);
  lost.to = "R1";
  lost.cause = granted;
  lost.why = "R0 crashed before the write was sent";
  b.event(sim::TraceKind::promote, "R1");
  b.event(sim::TraceKind::learn, "B");
  b.at(30'001).event(sim::TraceKind::timer, "B1", "its wait for the TTL ends");
  b.call("B1", "R1", "lock", "nil", {b.held("R1", id_b)});
  b.returned("B1", "done");
  const auto b_inside = b.on_lock(sim::TraceKind::enter, "B1").index;
  b.violated("A1 and B1 are both inside " + key, {a_inside, b_inside});
  return b.done();
}

/// The same without any time passing: B starts after the failover.
inline sim::Trace failover_at_once() {
  Builder b("failover/at-once");
  b.on_lock(sim::TraceKind::inv, "A1", "lock orders");
  const auto granted = b.call("A1", "R0", "lock", "nil", {b.held("R0", id_a)});
  b.returned("A1", "done");
  const auto a_inside = b.on_lock(sim::TraceKind::enter, "A1").index;
  b.event(sim::TraceKind::crash, "R0");
  auto& lost = b.event(sim::TraceKind::drop, "R0", "effects of orders");
  lost.to = "R1";
  lost.cause = granted;
  b.event(sim::TraceKind::promote, "R1");
  b.on_lock(sim::TraceKind::inv, "B1", "lock orders");
  b.call("B1", "R1", "lock", "nil", {b.held("R1", id_b)});
  b.returned("B1", "done");
  const auto b_inside = b.on_lock(sim::TraceKind::enter, "B1").index;
  b.violated("A1 and B1 are both inside orders", {a_inside, b_inside});
  return b.done();
}

inline sim::Trace pause() {
  Builder b("time/pause-outlives-lease");
  b.on_lock(sim::TraceKind::inv, "A1", "lock orders");
  const auto granted = b.call("A1", "R0", "lock", "nil", {b.held("R0", id_a)});
  auto& applied = b.event(sim::TraceKind::repl, "R1");
  applied.from = "R0";
  applied.cause = granted;
  applied.changes = {b.held("R1", id_a)};
  b.returned("A1", "done");
  const auto a_inside = b.on_lock(sim::TraceKind::enter, "A1").index;
  b.at(1000).on_lock(sim::TraceKind::inv, "B1", "lock orders");
  b.call("B1", "R0", "lock", "(integer) 29000");
  const auto subscribe = b.send("B1", "R0", "SUBSCRIBE redisson_lock__channel:{orders}");
  b.cmd(subscribe, "B1", "R0", "SUBSCRIBE redisson_lock__channel:{orders}");
  b.recv(subscribe, "B1", "R0", "subscribed");
  b.on_lock(sim::TraceKind::park, "B1", "latch");
  b.at(10'000).on_lock(sim::TraceKind::renew, "A");
  b.call("A", "R0", "renew", "(integer) 1", {b.held("R0", id_a)});
  b.at(20'000).on_lock(sim::TraceKind::renew, "A");
  const auto renewal = b.send("A", "R0", "renew orders");
  auto& lost = b.event(sim::TraceKind::drop, "A", "renew orders");
  lost.to = "R0";
  lost.msg = renewal;
  lost.why = "the link dropped it";
  b.at(22'000).event(sim::TraceKind::pause, "A");
  b.at(40'001).event(sim::TraceKind::expire, "R0").changes = {b.gone("R0")};
  b.event(sim::TraceKind::timer, "B1", "its wait for the TTL ends");
  b.call("B1", "R0", "lock", "nil", {b.held("R0", id_b)});
  b.returned("B1", "done");
  const auto b_inside = b.on_lock(sim::TraceKind::enter, "B1").index;
  b.violated("A1 and B1 are both inside orders", {a_inside, b_inside});
  b.at(44'000).event(sim::TraceKind::resume, "A");
  b.on_lock(sim::TraceKind::leave, "A1");
  b.on_lock(sim::TraceKind::inv, "A1", "unlock orders");
  b.call("A1", "R0", "unlock", "nil");
  auto& failed = b.event(sim::TraceKind::ret, "A1");
  failed.ret = "IllegalMonitorStateException";
  failed.outcome = "info";
  b.at(50'000).on_lock(sim::TraceKind::leave, "B1");
  b.on_lock(sim::TraceKind::inv, "B1", "unlock orders");
  b.call("B1", "R0", "unlock", "(integer) 1", {b.gone("R0")});
  b.returned("B1", "done");
  return b.done();
}

/// Names that mean something to DOT, SVG, Mermaid, JSON or a terminal, and names that are no text at all.
inline std::vector<std::string> hostile_names() {
  return {"</script><b>",
          "say \"hi\"",
          "back\\slash",
          "two\nlines",
          "semi;colon",
          "hash#tag",
          "end",
          "a:b",
          "%%{init}%%",
          "\xE2\x80\xAE"
          "drowssap",  // U+202E turns the direction of writing
          "\x01\x1B[31m",
          "\xFF\xFE not utf-8",
          "&lt;&#60;",
          "<b>",
          "\\N\\G\\l",
          "--> x",
          "钥匙 🔒",
          std::string("nul\0byte", 8),
          std::string(10'000, 'k')};
}

inline sim::Trace hostile(const std::string& name) { return failover(name); }

}  // namespace lockstep::reports::sample
