// fake_host.h: a Host for tests that answers what it is told to and remembers what it was asked.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "lua/engine/engine.h"
#include "lua/engine/host.h"

namespace lockstep::lua {

/// Answers by the whole command, words joined by spaces; a command that is not listed gets `otherwise`.
class FakeHost : public Host {
 public:
  FakeHost() = default;
  explicit FakeHost(std::map<std::string, Reply> known) : answers(std::move(known)) {}

  Reply call(std::span<const std::string_view> words) override {
    std::string command;
    for (const std::string_view word : words) command.append(command.empty() ? "" : " ").append(word);
    calls.push_back(command);
    const auto found = answers.find(command);
    if (found != answers.end()) return found->second;
    if (words[0] == "echo" && words.size() == 2) return std::string(words[1]);
    return otherwise;
  }

  std::map<std::string, Reply> answers;
  Reply otherwise = std::int64_t{1};
  std::vector<std::string> calls;
};

/// Loads and runs a script; the answer to a text that does not compile is the error of load.
inline Reply integer(std::int64_t value) { return value; }
inline Reply bulk(const char* text) { return std::string(text); }

inline Reply run_script(Engine& engine, std::string_view text, Host& host,
                        std::vector<std::string_view> keys = {}, std::vector<std::string_view> args = {}) {
  const Reply loaded = engine.load(text);
  if (loaded.status() == nullptr) return loaded;
  return engine.eval(loaded.status()->text, keys, args, host);
}

inline Reply run_script(Engine& engine, std::string_view text) {
  FakeHost host;
  return run_script(engine, text, host);
}

inline Reply run_script(std::string_view text) {
  Engine engine;
  return run_script(engine, text);
}

/// What Redis adds to an error that a script raised.
inline std::string suffix(std::string_view script, int line) {
  return " script: " + sha1_hex(script) + ", on @user_script:" + std::to_string(line) + ".";
}

inline bool runs_on_54() { return Engine::library() == "Lua 5.4"; }

/// A reply as text, for traces and messages: 7, "bulk", +status, -error, nil, [1, 2].
inline std::string printed(const Reply& reply) {
  if (const auto* integer = reply.integer()) return std::to_string(*integer);
  if (const auto* bulk = reply.bulk()) return '"' + *bulk + '"';
  if (const auto* status = reply.status()) return '+' + status->text;
  if (const auto* error = reply.error()) return '-' + error->text;
  const auto* array = reply.array();
  if (array == nullptr) return reply.is_nil() ? "nil" : "nil array";
  std::string text = "[";
  for (const Reply& item : *array) text.append(text == "[" ? "" : ", ").append(printed(item));
  return text + ']';
}

inline void PrintTo(const Reply& reply, std::ostream* out) { *out << printed(reply); }

}  // namespace lockstep::lua
