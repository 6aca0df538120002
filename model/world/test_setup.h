// test_setup.h: setups made by hand, and a world that is led step by step, for the tests of this layer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lua/scripts/embedded_scripts.h"
#include "lua/sha1.h"
#include "model/client/complete.h"
#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
#include "model/redis/kind.h"
#include "model/redis/node.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/waiting.h"
#include "model/world/facts.h"
#include "model/world/faults/table.h"
#include "model/world/tracer.h"
#include "model/world/world.h"

namespace lockstep::model {

/// The scripts of Redisson 3.10.5.
inline lua::ScriptSet scripts_of_3_10_5() {
  lua::ScriptSet set{.name = "redisson@3.10.5", .roles = {}};
  const auto add = [&](const std::string& role, const std::string& file, std::vector<std::string> keys,
                       std::vector<std::string> args) {
    for (const lua::EmbeddedFile& one : lua::embedded_scripts()) {
      if (one.name != file) continue;
      const std::string text(one.text);
      set.roles[role] = {.role = role,
                         .file = file,
                         .text = text,
                         .sha1 = lua::sha1_hex(text),
                         .keys = std::move(keys),
                         .args = std::move(args)};
    }
  };
  add("lock", "lock-hset.lua", {"lock"}, {"lease", "holder"});
  add("unlock", "unlock-publish-if-absent.lua", {"lock", "channel"}, {"message", "lease", "holder"});
  add("renew", "renew.lua", {"lock"}, {"lease", "holder"});
  add("force-unlock", "force-unlock.lua", {"lock", "channel"}, {"message"});
  return set;
}

// Steps of programs, on the object of number 0 unless they say otherwise.
struct Lasting {
  std::optional<Duration> wait, lease;
  std::uint16_t object = 0;
};
inline Step call(StepKind kind, Lasting how = {}) {
  return {.kind = kind, .object = how.object, .wait = how.wait, .lease = how.lease};
}
inline Step lock(Lasting how = {}) { return call(StepKind::lock, how); }
inline Step try_lock(Lasting how = {}) { return call(StepKind::try_lock, how); }
inline Step unlock(Lasting how = {}) { return call(StepKind::unlock, how); }
inline Step work(Duration span) { return {.kind = StepKind::work, .span = {span, span}}; }
inline Step work(Duration lo, Duration hi) { return {.kind = StepKind::work, .span = {lo, hi}}; }

using Programs = std::vector<std::vector<Step>>;  // of the threads of one process

/// Processes A, B …, one node R0, and the objects "orders", "orders" via "other", and "stock". What may
/// happen is offered everywhere, also where it makes no difference.
inline Setup setup_for(const std::vector<Programs>& processes) {
  Setup setup;
  setup.name = "test";
  setup.reductions = Reductions::none();
  setup.scripts = scripts_of_3_10_5();
  setup.nodes = {{.name = "R0"}};
  setup.objects = {{.name = "orders"}, {.name = "orders", .via = "other"}, {.name = "stock"}};
  for (const Programs& programs : processes) {
    const auto process = sim::make_id<ProcessId>(setup.processes.size());
    const std::string name(1, static_cast<char>('A' + process.index()));
    setup.processes.push_back({.name = name, .client_id = "id-of-" + name, .alike = process.value});
    for (std::size_t t = 0; t < programs.size(); ++t) {
      ThreadSetup thread{.name = name + std::to_string(t + 1),
                         .process = process,
                         .java_id = static_cast<std::int64_t>(t + 1),
                         .program = programs[t]};
      for (std::size_t i = 0; i < thread.program.size(); ++i)
        if (thread.program[i].kind == StepKind::try_lock && thread.program[i].jump == 0)
          thread.program[i].jump = static_cast<std::uint32_t>(i + 1);
      setup.threads.push_back(std::move(thread));
    }
  }
  return *complete(std::move(setup));
}

/// The same with a replica R1.
inline Setup replicated(Setup setup) {
  setup.topology = Topology::replicated;
  setup.nodes.push_back(
      {.name = "R" + std::to_string(setup.nodes.size()), .role = ServerRole::replica});
  return setup;
}

/// The same with faults that the adversary may cause once.
inline Setup with(Setup setup, std::initializer_list<std::string_view> faults) {
  for (const std::string_view fault : faults) allow(setup, fault);
  return setup;
}

/// A world that is led by the texts of its moves.
class Led {
 public:
  explicit Led(Setup setup) : setup_(std::move(setup)), world_(initial_world(setup_)), tracer_(setup_) {}

  std::vector<std::string> enabled() const {
    std::vector<Move> moves;
    model::enabled(world_, setup_, moves);
    std::vector<std::string> texts;
    for (const Move& move : moves) texts.push_back(show(move, setup_));
    return texts;
  }
  bool can(const std::string& text) const {
    const auto texts = enabled();
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  }
  /// Whether some enabled move begins like this: "pass", "failover".
  bool can_any(const std::string& verb) const {
    const auto texts = enabled();
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.starts_with(verb + " "); });
  }

  /// Makes the move happen; it must be enabled.
  Led& operator()(const std::string& text) {
    EXPECT_TRUE(can(text)) << text << " is not among" << testing::PrintToString(enabled());
    if (!can(text)) return *this;
    apply(*parse_move(text, setup_));
    return *this;
  }
  /// Lets time pass as far as it may.
  Led& pass() {
    for (const std::string& text : enabled())
      if (text.starts_with("pass ")) return (*this)(text);
    ADD_FAILURE() << "time cannot pass";
    return *this;
  }
  /// The default schedule until a move that begins so is the first one (or nothing but faults is left).
  Led& by_default_until(const std::string& verb) {
    for (int step = 0; step < 10'000; ++step) {
      std::vector<Move> moves;
      model::enabled(world_, setup_, moves);
      if (moves.empty() || moves.front().is_fault() || show(moves.front(), setup_).starts_with(verb))
        return *this;
      apply(moves.front());
    }
    ADD_FAILURE() << "the default schedule never comes to " << verb;
    return *this;
  }
  /// The default schedule for as long as no time need pass.
  Led& settle() { return by_default_until("pass "); }
  /// Dull runs and time until this much has passed since the start; stops exactly there if time does.
  Led& until(Duration since_start) {
    for (int step = 0; step < 10'000 && world_.now.since_start < since_start; ++step) {
      std::vector<Move> moves;
      model::enabled(world_, setup_, moves);
      if (moves.empty() || moves.front().is_fault()) break;
      apply(moves.front());
    }
    return *this;
  }

  const World& world() const { return world_; }
  World& world() { return world_; }
  const Setup& setup() const { return setup_; }
  Facts facts() const { return {world_, setup_}; }
  Duration now() const { return world_.now.since_start; }
  const std::vector<Observation>& seen() const { return seen_; }
  const Tracer& tracer() const { return tracer_; }
  const Process& process(std::size_t p) const { return *world_.processes[p]; }
  const redis::Node& node(std::size_t n) const { return redis::node_in(*world_.nodes[n]); }
  const Link& link(std::size_t p, std::size_t n) const { return *world_.links[p * world_.nodes.size() + n]; }
  const redisson::Redisson& client(std::size_t p, std::size_t group = 0) const {
    return redisson::of(process(p).clients.at(group));
  }
  /// Where a thread of the process is in the call that it makes; nullptr if elsewhere.
  template <class State>
  const State* in(std::size_t p, std::size_t place = 0) const {
    const Thread& thread = process(p).threads.rows.at(place);
    return thread.call ? std::get_if<State>(&thread.call->state.get<redisson::Waiting>().at) : nullptr;
  }
  /// What a node stores of a lock, whether it is the master or not.
  Truth stored_on(std::size_t n, const std::string& lock, std::uint16_t object = 0) const {
    std::vector<std::optional<Look>> looks(setup_.group_count());
    looks.at(setup_.nodes.at(n).group.index()) = setup_.nodes.at(n).kind->look(*world_.nodes[n]);
    return shape_of(setup_, object).truth(looks, setup_, object, lock).value();
  }

  template <class Seen>
  std::vector<Seen> all() const {
    std::vector<Seen> found;
    for (const Observation& one : seen_)
      if (const Seen* it = std::get_if<Seen>(&one)) found.push_back(*it);
    return found;
  }
  /// The answers of calls that returned, oldest first.
  std::vector<Answer> answers(std::size_t thread) const {
    std::vector<Answer> found;
    for (const Returned& one : all<Returned>())
      if (one.thread.index() == thread) found.push_back(one.answer);
    return found;
  }

 private:
  void apply(const Move& move) {
    StepReport report{.setup = setup_, .engine = *engine_, .tracer = &tracer_};
    tracer_.begin_decision(world_.now, 0, 1);
    model::apply(world_, move, report);
    tracer_.end_decision("");
    seen_.insert(seen_.end(), report.seen.begin(), report.seen.end());
  }

  Setup setup_;
  World world_;
  Tracer tracer_;
  std::unique_ptr<lua::Engine> engine_ = std::make_unique<lua::Engine>();
  std::vector<Observation> seen_;
};

}  // namespace lockstep::model
