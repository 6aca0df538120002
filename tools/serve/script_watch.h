// script_watch.h: how long a script runs, and what happens meanwhile (Redis script.c, scriptInterrupt).
//
// Once it has run for busy-reply-threshold milliseconds, the server looks at its sockets every few
// milliseconds, and answers others that it is busy. SCRIPT KILL and the end of the server end the script.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "lua/engine/overseer.h"
#include "model/redis/long_script.h"

namespace lockstep::tools::serve {

class ScriptWatch final : public lua::Overseer {
 public:
  using Clock = std::chrono::steady_clock;
  /// What the server does while a long script runs; false: it ends.
  using Meanwhile = std::function<bool()>;

  explicit ScriptWatch(Meanwhile meanwhile) : meanwhile_(std::move(meanwhile)) {}

  void begin(std::string_view name, Kind kind) override {
    script_ = {.is_function = kind == Kind::function, .name = std::string(name)};
    killed_ = false;
    begun_ = Clock::now();
    next_look_ = begun_ + threshold_;
  }

  bool goes_on() override {
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return true;
    script_.running_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - begun_).count();
    looks_ = true;
    if (!meanwhile_()) killed_ = true;
    looks_ = false;
    next_look_ = Clock::now() + between_looks;
    return !killed_;
  }

  void set_threshold(std::chrono::milliseconds threshold) { threshold_ = std::min(threshold, a_year); }
  void kill() { killed_ = true; }
  /// Set by the model once the script has called a command that writes.
  bool& has_written() { return script_.has_written; }

  /// The script that runs while the server does something else; nullptr: there is none.
  redis::LongScript* running() { return looks_ ? &script_ : nullptr; }

 private:
  static constexpr std::chrono::milliseconds between_looks{5};
  static constexpr std::chrono::milliseconds a_year = std::chrono::hours(24 * 365);

  Meanwhile meanwhile_;
  std::chrono::milliseconds threshold_{5000};
  redis::LongScript script_;
  Clock::time_point begun_, next_look_;
  bool looks_ = false;
  bool killed_ = false;
};

}  // namespace lockstep::tools::serve
