#include "tools/differential/both_sides.h"

#include "model/redis/arguments.h"
#include "model/redis/effects.h"
#include "tools/differential/free_order.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;
using redis::testing::render;

namespace {

constexpr model::ConnectionId listener_id{1};
const Command end_mark{"ECHO", "the end of a sequence"};
constexpr auto nothing = "(nothing)";

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

}  // namespace

BothSides::BothSides(RealServer& server, const Watch& watch) : server_(server), watch_(watch) {
  if (watch_.calls) monitor_ = std::make_unique<Monitor>(server_.another_connection());
  if (!watch_.channel.empty()) {
    listener_ = server_.another_connection();
    listener_->ask({"SUBSCRIBE", watch_.channel});
  }
}

void BothSides::begin() {
  const std::vector<Command> prelude{
      {"SELECT", "0"}, {"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"VCLOCK", std::to_string(begin_ms)}, end_mark};
  server_.connection().ask(prelude);
  if (watch_.effects) server_.appended();
  if (monitor_) monitor_->script_calls_until(end_mark);
  model_ = std::make_unique<redis::testing::TestClient>(redis::Role::master, redis::Expiry::lazy);
  model_->wall_ms = begin_ms;
  if (listener_) model_->execute({"SUBSCRIBE", watch_.channel}, listener_id);
  steps_.clear();
  requests_.clear();
  expected_.clear();
  calls_at_.clear();
  effects_.clear();
  messages_.clear();
}

void BothSides::add(const Step& step) {
  steps_.push_back(step);
  if (step.passes != sim::Duration::zero()) pass(step.passes);
  if (!step.command.empty()) execute(step.command);
}

void BothSides::pass(sim::Duration time) {
  if (time < sim::Duration::zero()) {
    Command dead{"EXISTS"};
    for (const auto& [key, entry] : model_->node.db.entries()) {
      if (entry.dead()) dead.push_back(key);
    }
    if (dead.size() > 1) execute(dead);
  }
  model_->pass(time.count());
  requests_.push_back({"VCLOCK", std::to_string(model_->wall_ms)});
}

void BothSides::execute(const Command& command) {
  const bool free_order = order_is_free(model_->node, command);
  redis::Outcome outcome = model_->execute(command);
  requests_.push_back(command);
  expected_.push_back({command, std::move(outcome.reply), free_order, steps_.size()});
  calls_at_.resize(model_->calls.size(), steps_.size());
  if (watch_.effects) expect_effects(std::move(outcome.effects));
  for (redis::Push& push : outcome.pushes) messages_.push_back(std::move(push.message));
}

/// As Redis propagates what one command caused (server.c, propagatePendingCommands): bare if it is one, else
/// between MULTI and EXEC. A message goes to replicas only, and this server has none.
void BothSides::expect_effects(redis::Effects effects) {
  std::erase_if(effects, is_publication);
  const bool several = effects.size() > 1;
  if (several) effects_.push_back({{"MULTI"}, std::nullopt, steps_.size()});
  for (const redis::Effect& effect : effects) {
    const bool past = effect.time_word && effect.remaining == redis::long_dead;
    effects_.push_back(
        {words_at(effect, model_->wall_ms), past ? effect.time_word : std::nullopt, steps_.size()});
  }
  if (several) effects_.push_back({{"EXEC"}, std::nullopt, steps_.size()});
}

void BothSides::look_at_state() {
  execute({"DBSIZE"});
  execute({"KEYS", "*"});
  std::vector<Command> commands;
  for (const auto& [key, entry] : model_->node.db.entries()) {
    if (entry.dead()) continue;
    commands.push_back({"TYPE", key});
    commands.push_back({"PEXPIRETIME", key});
    commands.push_back(content_of(key, entry.value));
  }
  for (const Command& command : commands) execute(command);
}

void BothSides::mark_the_end() {
  if (listener_) execute({"PUBLISH", watch_.channel, end_mark.back()});
  execute(end_mark);
}

std::optional<Difference> BothSides::finish() {
  look_at_state();
  mark_the_end();
  std::optional<Difference> found = compare_replies();
  // Read everything in any case: the next sequence begins with nothing left over.
  const auto calls = monitor_ ? compare_calls() : std::nullopt;
  const auto effects = watch_.effects ? compare_effects() : std::nullopt;
  const auto messages = listener_ ? compare_messages() : std::nullopt;
  for (const auto& other : {calls, effects, messages}) {
    if (!found || (other && other->step < found->step)) found = other ? other : found;
  }
  return found;
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

std::optional<Difference> BothSides::compare_replies() {
  const std::vector<Reply> replies = server_.connection().ask(requests_);
  std::optional<Difference> first;
  std::size_t next = 0;
  for (std::size_t i = 0; i < requests_.size() && !first; ++i) {
    if (requests_[i][0] == "VCLOCK") continue;
    const Expected& expected = expected_[next++];
    const bool equal =
        replies[i] == expected.reply ||
        (expected.free_order && equal_in_some_order(expected.command, replies[i], expected.reply));
    if (equal) continue;
    first = Difference{"reply", expected.step, expected.command, render(expected.reply), render(replies[i])};
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

std::optional<Difference> BothSides::compare_effects() {
  const std::vector<Command> real = server_.appended();
  for (std::size_t i = 0; i < std::max(real.size(), effects_.size()); ++i) {
    Command expected = i < effects_.size() ? effects_[i].words : Command{};
    if (i < real.size() && i < effects_.size() && real[i].size() == expected.size()) {
      const auto past_word = effects_[i].past_word;
      const auto at = past_word ? redis::parse_integer(real[i][*past_word]) : std::nullopt;
      if (at && *at < model_->wall_ms) expected[*past_word] = real[i][*past_word];
    }
    if (i < real.size() && real[i] == expected) continue;
    const std::size_t step = i < effects_.size() ? effects_[i].step : steps_.size();
    return difference("effect", step, i < effects_.size() ? joined(expected) : nothing,
                      i < real.size() ? joined(real[i]) : nothing);
  }
  return std::nullopt;
}

std::optional<Difference> BothSides::compare_messages() {
  for (std::size_t i = 0;; ++i) {
    const auto real = listener_->receive();
    if (!real) return difference("message", steps_.size(), "", "(the subscriber's connection broke)");
    const bool end = real->array() && real->array()->back() == Reply(end_mark.back());
    const bool same = i < messages_.size() && messages_[i] == *real;
    if (same && end) return std::nullopt;
    if (same) continue;
    const Difference found = difference("message", steps_.size(),
                                        i < messages_.size() ? render(messages_[i]) : nothing, render(*real));
    while (!end) {  // nothing may be left over for the next sequence
      const auto rest = listener_->receive();
      if (!rest || (rest->array() && rest->array()->back() == Reply(end_mark.back()))) break;
    }
    return found;
  }
}

}  // namespace lockstep::differential
