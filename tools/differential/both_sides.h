// both_sides.h: the model and a real server, given the same steps.
//
// Each sequence begins with an empty server and the clock at `begin_ms`. A step runs on the model at once, so
// that the one who chooses the next step can look at the model; `finish` then sends everything to the real
// server, clock steps included, and compares: what each client received, replies and messages, to the byte;
// at the end the whole state as commands show it (for each database DBSIZE, KEYS, then type, deadline and
// content of each key); and what `Watch` names.
//
// The model does not remember how long a key has been dead (keyspace.h), so before the clock is set back a
// command looks up the dead keys on both sides.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/redis/testing/test_client.h"
#include "tools/differential/exchange.h"
#include "tools/differential/monitor.h"
#include "tools/differential/promise.h"
#include "tools/differential/replica_stream.h"
#include "tools/differential/step.h"

namespace lockstep::differential {

/// What stands for a reply that never came.
inline constexpr auto nothing = "(nothing)";

/// Who speaks, and what is compared besides what clients receive and the state.
struct Watch {
  bool calls = false;  // what scripts call, as MONITOR prints it
  /// What the server writes to its append-only file, which it must have, or sends to a replica.
  enum class Effects : std::uint8_t { none, file, replica } effects = Effects::none;
  std::size_t clients = 1;
  /// Whether clock steps travel in the first client's pipeline, which is quick, or on a connection of their
  /// own, because that client may be in a transaction or a subscriber.
  bool clock_in_pipeline = true;
  bool resp3 = false;  // every client, and who looks at the state, speaks it
  /// What the server believes of its cluster, if it is in one.
  std::optional<redis::cluster::Map> cluster;
};

struct Difference {
  std::string in;          // "reply", "call of a script" or "effect"
  std::size_t step = 0;    // how many steps had begun; the state is looked at after all of them
  model::Command command;  // the step's command, or the one that looked at the state
  std::string model, real;
};

class BothSides {
 public:
  BothSides(RealServer& server, const Watch& watch);

  void begin();
  void add(const Step& step);
  std::optional<Difference> finish();

  /// A whole sequence.
  std::optional<Difference> run(const Steps& steps);

  RealServer& server() { return server_; }
  const redis::testing::TestClient& model() const { return *model_; }
  /// What was added since `begin`.
  const Steps& steps() const { return steps_; }

 private:
  struct Expected {
    model::Command command;  // that caused it
    model::Reply reply;
    Promise promise;
    std::size_t step = 0;
  };
  struct ExpectedEffect {
    model::Command words;                  // the database first, as SELECT n
    std::optional<std::size_t> past_word;  // an absolute time of which the model knows only that it is over
    std::size_t step = 0;
  };

  void choose_resp3(std::size_t connection);
  void set_clock();
  void pass(sim::Duration time);
  void bury(const redis::Keyspace& keys, std::uint8_t database);
  void execute(std::size_t from, const model::Command& command);
  void expect(std::size_t connection, Expected expected);
  bool is_propagated(const redis::Effect& effect) const;
  void expect_effects(const redis::Effects& effects);
  void look_at_state();
  void look_at_database(std::uint8_t number);
  Difference difference(std::string in, std::size_t step, std::string model, std::string real) const;
  std::optional<Difference> compare_received();
  std::optional<Difference> compare_calls();
  std::vector<model::Command> propagated();
  std::optional<Difference> compare_effects();

  RealServer& server_;
  Watch watch_;
  std::size_t observer_;  // the connection behind the clients': it sees the state and may set the clock
  Exchange exchange_;
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<ReplicaStream> replica_;

  std::unique_ptr<redis::testing::TestClient> model_;
  Steps steps_;
  std::vector<std::vector<Expected>> expected_;  // for each connection
  std::vector<std::size_t> calls_at_;            // the step of each of the model's calls
  std::vector<ExpectedEffect> effects_;
};

}  // namespace lockstep::differential
