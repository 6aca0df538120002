#include "tools/differential/both_sides.h"

#include "model/redis/arguments.h"
#include "model/redis/replication/effects.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;
using redis::testing::render;

namespace {

/// A message, because replicas get it too.
const Command end_mark{"PUBLISH", "the end", "of a sequence"};

/// SORT of Redis 7.0.15 takes for its own fault an ERANGE that any earlier command left in errno, until some
/// command reads a number that is in range: this one does, and changes nothing.
const Command forgets_range_error{"ZADD", "nosuch", "XX", "1", "m"};

bool is_sort(const Command& command) { return redis::to_lower(command[0]).starts_with("sort"); }

/// The command that shows all of a value.
Command content_of(const std::string& key, const redis::Value& value) {
  const std::string_view type = redis::type_name(value);
  if (type == "list") return {"LRANGE", key, "0", "-1"};
  if (type == "hash") return {"HGETALL", key};
  if (type == "set") return {"SMEMBERS", key};
  if (type == "zset") return {"ZRANGE", key, "0", "-1", "WITHSCORES"};
  return {"GET", key};
}

std::string joined(const Command& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "'" : " '") + word + "'";
  return line;
}

bool is_publication(const redis::Effect& effect) {
  const std::string name = redis::to_lower(effect.words[0]);
  return name == "publish" || name == "spublish";
}

std::string at(const std::vector<Reply>& replies, std::size_t index) {
  return index < replies.size() ? render(replies[index]) : nothing;
}

}  // namespace

BothSides::BothSides(RealServer& server, const Watch& watch)
    : server_(server), watch_(watch), observer_(watch.clients), exchange_(server, watch.clients + 1) {
  if (watch_.calls) monitor_ = std::make_unique<Monitor>(server_.another_connection());
  if (watch_.effects == Watch::Effects::replica)
    replica_ = std::make_unique<ReplicaStream>(server_.another_connection());
}

void BothSides::begin() {
  const std::vector<Command> prelude{
      {"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"VCLOCK", std::to_string(begin_ms)}, end_mark};
  server_.connection().ask(prelude);
  if (watch_.effects != Watch::Effects::none) propagated();
  if (monitor_) monitor_->script_calls_until(end_mark);
  model_ = std::make_unique<redis::testing::TestClient>(redis::Role::master, redis::Expiry::lazy);
  model_->wall_ms = begin_ms;
  model_->node.cluster = watch_.cluster;
  steps_.clear();
  expected_.assign(watch_.clients + 1, {});
  calls_at_.clear();
  effects_.clear();
  if (watch_.resp3)
    for (std::size_t connection = 0; connection <= observer_; ++connection) choose_resp3(connection);
}

/// What HELLO tells of the server is none of its business here.
void BothSides::choose_resp3(std::size_t connection) {
  const Command hello{"HELLO", "3"};
  model_->execute(hello, sim::make_id<model::ConnectionId>(connection));
  expect(connection, {hello, {}, Promise::nothing, 0});
  exchange_.add(connection, hello, expected_[connection].size());
}

void BothSides::add(const Step& step) {
  steps_.push_back(step);
  if (step.passes != sim::Duration::zero()) pass(step.passes);
  if (step.command.empty()) return;
  if (is_sort(step.command)) execute(observer_, forgets_range_error);
  execute(step.from.index(), step.command);
}

/// Back in time: whatever is dead is looked up first, and so removed.
void BothSides::pass(sim::Duration time) {
  if (time < sim::Duration::zero()) {
    bury(model_->node.db, 0);
    const auto others = *model_->node.other_dbs;
    for (const auto& [number, keys] : others) bury(keys, number);
  }
  model_->pass(time.count());
  set_clock();
}

void BothSides::set_clock() {
  const std::size_t connection = watch_.clock_in_pipeline ? 0 : observer_;
  expect(connection, {{"VCLOCK"}, {}, Promise::nothing, steps_.size()});
  exchange_.add(connection, {"VCLOCK", std::to_string(model_->wall_ms)}, expected_[connection].size());
}

void BothSides::bury(const redis::Keyspace& keys, std::uint8_t database) {
  Command dead{"EXISTS"};
  for (const auto& [key, entry] : keys.entries()) {
    if (entry.dead()) dead.push_back(key);
  }
  if (dead.size() == 1) return;
  execute(observer_, {"SELECT", std::to_string(database)});
  execute(observer_, dead);
}

void BothSides::expect(std::size_t connection, Expected expected) {
  expected_[connection].push_back(std::move(expected));
}

void BothSides::execute(std::size_t from, const Command& command) {
  const auto connection = sim::make_id<model::ConnectionId>(from);
  const Promise promise = promise_of(model_->node, connection, command);
  redis::Outcome outcome = model_->execute(command, connection);
  for (redis::Push& push : outcome.pushes)
    expect(push.to.index(), {command, std::move(push.message), Promise::everything, steps_.size()});
  expect(from, {command, std::move(outcome.reply), promise, steps_.size()});
  for (Reply& more : outcome.more_replies)
    expect(from, {command, std::move(more), Promise::everything, steps_.size()});
  exchange_.add(from, command, expected_[from].size());
  calls_at_.resize(model_->calls.size(), steps_.size());
  if (watch_.effects != Watch::Effects::none) expect_effects(outcome.effects);
}

/// What is published goes to replicas only, and counts only where there are some.
bool BothSides::is_propagated(const redis::Effect& effect) const {
  if (watch_.effects == Watch::Effects::replica) return effect.target != redis::Target::file;
  return !is_publication(effect) && effect.target != redis::Target::replicas;
}

/// As Redis propagates what one command caused (server.c, propagatePendingCommands): bare if it is one, else
/// between MULTI and EXEC.
void BothSides::expect_effects(const redis::Effects& effects) {
  std::vector<ExpectedEffect> written;
  for (const redis::Effect& effect : effects) {
    if (!is_propagated(effect)) continue;
    Command words{"SELECT", std::to_string(effect.database)};
    const Command effect_words = redis::words_at(effect, model_->wall_ms);
    words.insert(words.end(), effect_words.begin(), effect_words.end());
    const bool past = effect.time_word && effect.remaining == redis::long_dead;
    const auto past_word = past ? std::optional(*effect.time_word + 2) : std::nullopt;
    written.push_back({std::move(words), past_word, steps_.size()});
  }
  const bool several = written.size() > 1;
  if (several) effects_.push_back({{"MULTI"}, std::nullopt, steps_.size()});
  for (ExpectedEffect& effect : written) effects_.push_back(std::move(effect));
  if (several) effects_.push_back({{"EXEC"}, std::nullopt, steps_.size()});
}

void BothSides::look_at_state() {
  for (std::uint8_t number = 0; number < redis::databases_max; ++number) look_at_database(number);
}

void BothSides::look_at_database(std::uint8_t number) {
  execute(observer_, {"SELECT", std::to_string(number)});
  execute(observer_, {"DBSIZE"});
  const redis::Keyspace* const keys = redis::find_database(model_->node, number);
  if (!keys) return;
  std::vector<Command> commands{{"KEYS", "*"}};
  for (const auto& [key, entry] : keys->entries()) {
    if (entry.dead()) continue;
    commands.push_back({"TYPE", key});
    commands.push_back({"PEXPIRETIME", key});
    commands.push_back(content_of(key, entry.value));
  }
  for (const Command& command : commands) execute(observer_, command);
}

std::optional<Difference> BothSides::finish() {
  look_at_state();
  const std::size_t effects_before_end = effects_.size();
  execute(observer_, end_mark);
  effects_.resize(effects_before_end);
  // Read everything in any case: the next sequence begins with nothing left over.
  std::optional<Difference> first = compare_received();
  const auto calls = monitor_ ? compare_calls() : std::nullopt;
  const auto effects = watch_.effects != Watch::Effects::none ? compare_effects() : std::nullopt;
  for (const auto& other : {calls, effects}) {
    if (other && (!first || other->step < first->step)) first = other;
  }
  return first;
}

std::optional<Difference> BothSides::run(const Steps& steps) {
  begin();
  for (const Step& step : steps) add(step);
  return finish();
}

Difference BothSides::difference(std::string in, std::size_t step, std::string model,
                                 std::string real) const {
  const Command command = step == 0 ? Command{} : steps_[step - 1].command;
  return {std::move(in), step, command, std::move(model), std::move(real)};
}

std::optional<Difference> BothSides::compare_received() {
  const std::vector<std::vector<Reply>> received = exchange_.carry_out();
  std::optional<Difference> first;
  for (std::size_t connection = 0; connection < expected_.size(); ++connection) {
    const std::vector<Expected>& all = expected_[connection];
    const std::vector<Reply>& real = received[connection];
    for (std::size_t i = 0; i < std::max(all.size(), real.size()); ++i) {
      if (i < all.size() && i < real.size()) {
        const Expected& expected = all[i];
        if (agree(expected.promise, expected.command, expected.reply, real[i])) continue;
      }
      const std::size_t step = i < all.size() ? all[i].step : steps_.size();
      if (first && first->step <= step) break;
      first = difference("reply", step, i < all.size() ? render(all[i].reply) : nothing, at(real, i));
      if (i < all.size()) first->command = all[i].command;
      break;
    }
  }
  return first;
}

std::optional<Difference> BothSides::compare_calls() {
  const std::vector<Command> real = monitor_->script_calls_until(end_mark);
  const std::vector<Command>& modelled = model_->calls;
  for (std::size_t i = 0; i < std::max(real.size(), modelled.size()); ++i) {
    if (i < real.size() && i < modelled.size() && real[i] == modelled[i]) continue;
    const std::size_t step = i < calls_at_.size() ? calls_at_[i] : steps_.size();
    return difference("call of a script", step, i < modelled.size() ? joined(modelled[i]) : nothing,
                      i < real.size() ? joined(real[i]) : nothing);
  }
  return std::nullopt;
}

std::vector<Command> BothSides::propagated() {
  return replica_ ? replica_->until(end_mark) : server_.appended();
}

std::optional<Difference> BothSides::compare_effects() {
  const std::vector<Command> real = propagated();
  for (std::size_t i = 0; i < std::max(real.size(), effects_.size()); ++i) {
    Command expected = i < effects_.size() ? effects_[i].words : Command{};
    if (i < real.size() && i < effects_.size() && real[i].size() == expected.size()) {
      const auto past_word = effects_[i].past_word;
      const auto deadline = past_word ? redis::parse_integer(real[i][*past_word]) : std::nullopt;
      if (deadline && *deadline < model_->wall_ms) expected[*past_word] = real[i][*past_word];
    }
    if (i < real.size() && i < effects_.size() && real[i] == expected) continue;
    const std::size_t step = i < effects_.size() ? effects_[i].step : steps_.size();
    return difference("effect", step, i < effects_.size() ? joined(expected) : nothing,
                      i < real.size() ? joined(real[i]) : nothing);
  }
  return std::nullopt;
}

}  // namespace lockstep::differential
