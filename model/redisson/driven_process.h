// driven_process.h: one process whose threads, answers and messages a test drives by hand.
#pragma once

#include "model/redisson/process.h"
#include "model/world/test_setup.h"

namespace lockstep::redisson {

class Driven {
 public:
  explicit Driven(Setup setup) : setup_(std::move(setup)), process_(initial_process(setup_, ProcessId{0})) {}

  bool can_run(std::size_t thread) const {
    return runnable(process_, setup_, sim::make_id<ThreadId>(thread), signals_);
  }
  Driven& run(std::size_t thread = 0) {
    EXPECT_TRUE(can_run(thread));
    return step([&](Context& context) {
      redisson::run(process_, sim::make_id<ThreadId>(thread), signals_, context);
    });
  }
  /// The answer to the request that has waited longest.
  Driven& answer(const Reply& reply) {
    EXPECT_FALSE(process_.pending.empty());
    return answer_on(process_.pending.at(0).connection, reply);
  }
  Driven& answer_on(ConnectionId connection, const Reply& reply) {
    return step([&](Context& context) { receive_reply(process_, NodeId{0}, connection, reply, context); });
  }
  /// "subscribe", "unsubscribe" or "message" on the channel of a lock.
  Driven& push(const std::string& kind, const std::string& lock = "orders") {
    const Reply third = kind == "message" ? Reply{std::string("0")} : Reply{std::int64_t{1}};
    const Reply message{Reply::Array{Reply{kind}, Reply{channel_of(lock)}, third}};
    return step([&](Context& context) { receive_push(process_, message, context); });
  }
  Driven& pass(Duration time) {
    advance(process_, time);
    return *this;
  }
  Driven& fire_timer(std::size_t timer = 0) {
    EXPECT_EQ(process_.watchdog.timers.at(timer).left, Duration::zero());
    return step([&](Context& context) { redisson::fire(process_, timer, context); });
  }
  Driven& give_up() {
    const Pending oldest = process_.pending.at(0);
    EXPECT_EQ(oldest.left, Duration::zero());
    return step(
        [&](Context& context) { redisson::give_up(process_, oldest.node, oldest.connection, context); });
  }
  Driven& no_script() {
    const ConnectionId connection = process_.pending.at(0).connection;
    return step([&](Context& context) { send_full_text(process_, NodeId{0}, connection, context); });
  }
  Driven& interrupt(std::size_t thread = 0) {
    EXPECT_TRUE(interruptible(process_, setup_, sim::make_id<ThreadId>(thread)));
    return step(
        [&](Context& context) { redisson::interrupt(process_, sim::make_id<ThreadId>(thread), context); });
  }
  Driven& learn() {
    return step([&](Context& context) { learn_master(process_, NodeId{0}, context); });
  }

  const Process& process() const { return process_; }
  Process& process() { return process_; }
  const Thread& thread(std::size_t t = 0) const { return process_.threads[t]; }
  template <class State>
  const State* in(std::size_t t = 0) const {
    return std::get_if<State>(&thread(t).activity);
  }

  /// What was sent since the last call of this: "lock 30000", "SUBSCRIBE redisson_lock__channel:{orders}".
  std::vector<std::string> sent() { return std::exchange(sent_, {}); }
  /// The answer of the last call that returned.
  std::optional<Answer> returned() { return std::exchange(returned_, std::nullopt); }
  const Request& last_request() const { return last_request_; }

 private:
  template <class Do>
  Driven& step(Do act) {
    Out out;
    Context context{setup_, ProcessId{0}, out};
    act(context);
    for (Outgoing& outgoing : out.requests) {
      const Purpose& purpose = outgoing.request.purpose;
      sent_.push_back(std::string(role_name(purpose.role)) +
                      (purpose.lease > Duration::zero() ? " " + std::to_string(purpose.lease.count()) : ""));
      last_request_ = outgoing.request;
      process_.pending.push_back({ConnectionId{next_connection_++}, NodeId{0}, std::move(outgoing.request),
                                  setup_.client.response_timeout, outgoing.attempts, outgoing.caller_gone});
    }
    for (const ChannelRequest& request : out.channels)
      sent_.push_back(request.subscribe ? "SUBSCRIBE" : "UNSUBSCRIBE");
    for (const Observation& seen : out.seen)
      if (const auto* one = std::get_if<model::Returned>(&seen)) returned_ = one->answer;
    for (const std::uint16_t signal : out.signals) signals_.at(signal) = true;
    return *this;
  }

  Setup setup_;
  Process process_;
  std::vector<bool> signals_ = std::vector<bool>(8);
  std::uint16_t next_connection_ = 0;
  std::vector<std::string> sent_;
  std::optional<Answer> returned_;
  Request last_request_;
};

}  // namespace lockstep::redisson
