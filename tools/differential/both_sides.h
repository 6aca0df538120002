// both_sides.h: the model and a real server, given the same steps.
//
// Each sequence begins with an empty server and the clock at `begin_ms`. A step runs on the model at once, so
// that whoever chooses the next step can look at the model; `finish` then sends everything to the real server
// in one pipeline, clock steps included, and compares: the replies to the byte, at the end the whole state
// (as commands show it: DBSIZE, KEYS, then type, deadline and content of each key), and what `Watch` names.
//
// The model does not remember how long a key has been dead (keyspace.h), so before the clock is set back a
// command looks up the dead keys on both sides.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/redis/test_client.h"
#include "tools/differential/monitor.h"
#include "tools/differential/real_server.h"
#include "tools/differential/step.h"

namespace lockstep::differential {

/// What is compared besides replies and state.
struct Watch {
  bool calls = false;     // what scripts call, as MONITOR prints it
  bool effects = false;   // what goes into the append-only file; the server must write one
  std::string channel{};  // what a subscriber to this channel hears; empty: nobody listens
};

struct Difference {
  std::string in;          // "reply", "call of a script", "effect" or "message"
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

  const redis::testing::TestClient& model() const { return *model_; }
  /// What was added since `begin`.
  const Steps& steps() const { return steps_; }

 private:
  struct Expected {
    model::Command command;
    model::Reply reply;
    bool free_order = false;
    std::size_t step = 0;
  };
  struct ExpectedEffect {
    model::Command words;
    std::optional<std::size_t> past_word;  // an absolute time of which the model knows only that it is over
    std::size_t step = 0;
  };

  void pass(sim::Duration time);
  void execute(const model::Command& command);
  void expect_effects(redis::Effects effects);
  void look_at_state();
  void mark_the_end();
  Difference difference(std::string in, std::size_t step, std::string model, std::string real) const;
  std::optional<Difference> compare_replies();
  std::optional<Difference> compare_calls();
  std::optional<Difference> compare_effects();
  std::optional<Difference> compare_messages();

  RealServer& server_;
  Watch watch_;
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<Connection> listener_;

  std::unique_ptr<redis::testing::TestClient> model_;
  Steps steps_;
  std::vector<model::Command> requests_;  // for the real server, VCLOCK included
  std::vector<Expected> expected_;        // for the requests that are not VCLOCK
  std::vector<std::size_t> calls_at_;     // the step of each of the model's calls
  std::vector<ExpectedEffect> effects_;
  std::vector<model::Reply> messages_;
};

}  // namespace lockstep::differential
