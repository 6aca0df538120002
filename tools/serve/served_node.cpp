#include "tools/serve/served_node.h"

#include <random>
#include <thread>

#include "model/redis/arguments.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/errors.h"
#include "model/redis/pubsub/notifications.h"

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

/// Whether the command is one of the six that SUBSCRIBE and UNSUBSCRIBE are.
bool subscribes(std::string_view word) {
  constexpr std::string_view ending = "subscribe";
  return word.size() >= ending.size() && redis::is_option(word.substr(word.size() - ending.size()), ending);
}

}  // namespace

bool ServedNode::moves_clock(const model::Command& command) {
  return command.size() > 1 && redis::is_option(command[0], "debug") && redis::is_option(command[1], "clock");
}

std::int64_t ServedNode::MachineClock::wall_ms() { return std::max(begun_ms, machine_us() / 1000); }

ServedNode::ServedNode(Time time, std::int64_t epoch_ms, bool runs_within_commands,
                       ScriptWatch::Meanwhile meanwhile)
    : time_(time),
      runs_within_commands_(runs_within_commands && time == Time::real),
      wall_ms_(time == Time::real ? machine_us() / 1000 : epoch_ms),
      scripts_(std::move(meanwhile)),
      engine_(lua::Engine::Options{.overseer = time == Time::real ? &scripts_ : nullptr}),
      chance_(time == Time::real ? std::random_device()() : 1) {
  node_.expiry = redis::Expiry::lazy;
  node_.settings.write().remembers_deaths = true;  // DEBUG may set the clock back
  redis::start(node_, wall_ms_);
  redis::count_offsets(node_, time == Time::real ? std::to_string(chance_.next()) : "lockstep");
  read_settings();
}

std::int64_t ServedNode::setting(std::string_view name) const {
  return redis::parse_integer(redis::commands::config_value(*node_.settings, name)).value_or(0);
}

/// After SCRIPT FLUSH; while a script runs there is none.
void ServedNode::forget_scripts() {
  if (node_.scripts.empty() && !is_busy()) engine_.forget_scripts();
}

/// What CONFIG SET may have changed and this server obeys.
void ServedNode::read_settings() {
  output_limits_ =
      read_output_limits(redis::commands::config_value(*node_.settings, "client-output-buffer-limit"));
  least_output_limit_ = output_limits_.least();
  const std::string threshold = redis::commands::config_value(*node_.settings, "busy-reply-threshold");
  scripts_.set_threshold(std::chrono::milliseconds(redis::parse_integer(threshold).value_or(0)));
}

Answer ServedNode::execute(model::ConnectionId from, const model::Command& command, redis::Paused paused) {
  if (is_http(command[0])) return {.outcome = {}, .dropped = true};
  catch_up();
  if (time_ == Time::real && moves_clock(command)) {
    Answer refused;
    refused.outcome.reply = redis::errors::unknown_subcommand("DEBUG", command[1]);
    return refused;
  }
  redis::LongScript* const busy = scripts_.running();
  const bool passes = moves_clock(command) || monitors(from) || busy;
  paused_ = paused;
  if (busy) busy->command = *outer_;
  else outer_ = &command;
  machine_clock_.begun_ms = wall_ms_;
  Answer answer{.outcome = redis::execute(node_, from, command,
                                          {.engine = engine_,
                                           .wall_ms = wall_ms_,
                                           .calls = nullptr,
                                           .want_effects = false,
                                           .chance = &chance_,
                                           .wall_us = wall_us_,
                                           .running = runs_within_commands_ ? &machine_clock_ : nullptr,
                                           .script_wrote = &scripts_.has_written(),
                                           .busy = busy,
                                           .paused = passes ? redis::Paused::nothing : paused,
                                           .clients_max = clients_max_}),
                .subscribes = subscribes(command[0])};
  const bool is_exec = redis::is_option(command[0], "exec");
  if (is_exec || redis::is_option(command[0], "config")) read_settings();
  if (is_exec || redis::is_option(command[0], "script")) forget_scripts();
  carry_out(answer.outcome);
  return answer;
}

void ServedNode::connect(model::ConnectionId connection, std::string address, std::string local_address,
                         int file) {
  catch_up();
  redis::connect(node_, connection,
                 {.id = ++last_client_,
                  .address = std::move(address),
                  .local_address = std::move(local_address),
                  .file = file,
                  .since_ms = wall_ms_,
                  .active_ms = wall_ms_});
}

/// What a command wants of the clock and of expiry.
void ServedNode::carry_out(redis::Outcome& outcome) {
  const bool is_virtual = time_ == Time::by_debug;
  if (outcome.clock_step) set_clock(wall_ms_ + outcome.clock_step->count());
  if (outcome.orders && outcome.orders->kills_script) scripts_.kill();
  if (outcome.orders && outcome.orders->active_expire) active_expire_ = *outcome.orders->active_expire;
  if (outcome.orders && outcome.orders->sleep) {
    if (is_virtual) set_clock(wall_ms_ + outcome.orders->sleep->count());
    else std::this_thread::sleep_for(*outcome.orders->sleep);
  }
  if (!is_virtual || !(outcome.clock_step || outcome.orders)) return;
  for (redis::Push& push : bury_dead_keys()) outcome.pushes.push_back(std::move(push));
}

std::vector<redis::Push> ServedNode::tick(redis::Paused paused) {
  paused_ = paused;
  if (is_busy()) return {};  // time stands for the script
  catch_up();
  return bury_dead_keys();
}

void ServedNode::catch_up() {
  if (time_ == Time::by_debug || is_busy()) return;
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

std::vector<redis::Push> ServedNode::bury_dead_keys() {
  if (!active_expire_ || paused_ != redis::Paused::nothing) return {};
  node_.expiry = redis::Expiry::eager;
  const std::vector<redis::Effects> removals = redis::advance(node_, sim::Duration::zero());
  node_.expiry = redis::Expiry::lazy;
  return redis::publish_deaths(node_, removals);
}

}  // namespace lockstep::tools::serve
