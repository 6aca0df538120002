#include "tools/serve/served_node.h"

#include <random>
#include <thread>

#include "model/redis/arguments.h"
#include "tools/serve/debug.h"

namespace lockstep::tools::serve {

namespace {

using std::chrono::steady_clock;

std::int64_t machine_us() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

/// Words with which an HTTP request begins: Redis takes it for an attack from a browser (server.c,
/// securityWarningCommand).
bool is_http(const std::string& word) {
  return redis::is_option(word, "post") || redis::is_option(word, "host:");
}

}  // namespace

ServedNode::ServedNode(Time time, std::int64_t epoch_ms)
    : time_(time),
      wall_ms_(time == Time::real ? machine_us() / 1000 : epoch_ms),
      chance_(time == Time::real ? std::random_device()() : 1) {
  node_.expiry = redis::Expiry::lazy;
}

Answer ServedNode::execute(model::ConnectionId from, const model::Command& command) {
  Answer answer;
  if (is_http(command[0])) {
    answer.dropped = true;
    return answer;
  }
  if (redis::is_option(command[0], "quit")) {
    answer.outcome.reply = lua::ok();
    answer.outcome.closed.push_back(from);
    return answer;
  }
  catch_up();
  if (is_debug(command)) {
    answer.outcome.reply = is_subscriber(from) ? debug_refused() : run_debug(command);
    return answer;
  }
  answer.outcome = redis::execute(node_, from, command,
                                  {.engine = engine_,
                                   .wall_ms = wall_ms_,
                                   .calls = nullptr,
                                   .want_effects = false,
                                   .chance = &chance_,
                                   .wall_us = wall_us_,
                                   .running = nullptr});
  if (answer.outcome.clock_step) set_clock(wall_ms_ + answer.outcome.clock_step->count());
  return answer;
}

void ServedNode::tick() {
  catch_up();
  bury_dead_keys();
}

void ServedNode::catch_up() {
  if (time_ == Time::by_debug) return;
  const std::int64_t now_us = machine_us();
  if (now_us / 1000 == wall_ms_) {
    wall_us_ = now_us % 1000;
    return;
  }
  const auto begin = steady_clock::now();
  if (begin < next_catch_up_) return;
  set_clock(now_us / 1000);
  wall_us_ = now_us % 1000;
  const auto end = steady_clock::now();
  next_catch_up_ = end + 9 * (end - begin);
}

void ServedNode::set_clock(std::int64_t wall_ms) {
  redis::advance(node_, sim::Duration(wall_ms - wall_ms_));
  wall_ms_ = wall_ms;
}

void ServedNode::bury_dead_keys() {
  if (!active_expire_) return;
  node_.expiry = redis::Expiry::eager;
  redis::advance(node_, sim::Duration::zero());
  node_.expiry = redis::Expiry::lazy;
}

model::Reply ServedNode::run_debug(const model::Command& command) {
  const bool is_virtual = time_ == Time::by_debug;
  Debugged done = debug(command, is_virtual ? std::optional(wall_ms_) : std::nullopt);
  if (done.active_expire) active_expire_ = *done.active_expire;
  if (done.sleep && is_virtual) done.clock_ms = std::min(wall_ms_ + done.sleep->count(), clock_max_ms);
  if (done.sleep && !is_virtual) std::this_thread::sleep_for(*done.sleep);
  if (done.clock_ms) set_clock(*done.clock_ms);
  if (is_virtual) bury_dead_keys();
  return std::move(done.reply);
}

}  // namespace lockstep::tools::serve
