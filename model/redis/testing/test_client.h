// test_client.h: a node, an engine and a clock for tests, driven by lines as one types them into redis-cli.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/redis/node.h"

namespace lockstep::redis::testing {

/// Splits at blanks; '…' and "…" hold a word together, which may be empty.
Command words_of(std::string_view line);

/// A reply on one line: OK · (integer) 1 · "text" · (nil) · (nil array) · (error) ERR … · ["a", (integer) 2].
std::string render(const Reply& reply);

/// An effect's words on one line; its time word as "@remaining".
std::string render(const Effect& effect);
std::string render(const Effects& effects);

class TestClient {
 public:
  explicit TestClient(Role role = Role::master, Expiry expiry = Expiry::eager) {
    node.role = role;
    node.expiry = expiry;
  }

  Outcome execute(const Command& command, ConnectionId from = ConnectionId{});
  /// Runs the line and renders its reply.
  std::string operator()(std::string_view line, ConnectionId from = ConnectionId{});
  /// Runs the line and renders what it replicates.
  std::string effects_of(std::string_view line);
  /// Lets time pass on the node and its wall clock.
  std::vector<Effects> pass(std::int64_t milliseconds);
  /// Applies what a master sent.
  std::vector<Push> apply(const Effects& effects, std::int64_t skew_ms = 0);
  Reply eval(std::string_view script, std::vector<std::string> keys, std::vector<std::string> args);

  Node node;
  lua::Engine engine;
  std::int64_t wall_ms = 1'700'000'000'000;
  sim::Random* chance = nullptr;
  std::vector<Command> calls;  // inner commands of all scripts so far
};

}  // namespace lockstep::redis::testing
