// driven_process.h: one process whose threads, answers and messages a test drives by hand.
#pragma once

#include "model/client/requests.h"
#include "model/client/synced.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/waiting.h"
#include "model/world/test_setup.h"
#include "sim/base/passing.h"

namespace lockstep::redisson {

using namespace std::chrono_literals;
using model::call;
using model::ConnectionId;
using model::Context;
using model::lock;
using model::NodeId;
using model::Observation;
using model::Outgoing;
using model::Pending;
using model::Process;
using model::ProcessId;
using model::Purpose;
using model::Reply;
using model::setup_for;
using model::Step;
using model::StepKind;
using model::try_lock;
using model::unlock;
using Sent = std::vector<std::string>;  // requests, each in one line

class Driven {
 public:
  explicit Driven(Setup setup)
      : setup_(std::move(setup)), process_(model::initial_process(setup_, ProcessId{0})) {}

  bool can_run(std::size_t thread) const {
    return runnable(process_, setup_, sim::make_id<ThreadId>(thread), signals_);
  }
  Driven& run(std::size_t thread = 0) {
    EXPECT_TRUE(can_run(thread));
    return step(
        [&](Context& context) { model::run(process_, sim::make_id<ThreadId>(thread), signals_, context); });
  }
  /// The answer to the request that has waited longest.
  Driven& answer(const Reply& reply, std::int64_t acks = 0) {
    EXPECT_FALSE(pending().empty());
    return answer_on(pending().at(0).connection, reply, acks);
  }
  Driven& answer_on(ConnectionId connection, const Reply& reply, std::int64_t acks = 0) {
    return step(
        [&](Context& context) { receive_reply(process_, NodeId{0}, connection, reply, context, acks); });
  }
  /// "subscribe", "unsubscribe" or "message" on the channel of a lock.
  Driven& push(const std::string& kind, const std::string& lock = "orders") {
    const Reply third = kind == "message" ? Reply{std::string("0")} : Reply{std::int64_t{1}};
    const Reply message{Reply::Array{Reply{kind}, Reply{channel_of(lock)}, third}};
    return step([&](Context& context) { receive_push(process_, 0, message, context); });
  }
  Driven& pass(Duration time) {
    sim::pass(process_, sim::Passed::alike(time));
    return *this;
  }
  Driven& fire_timer(std::size_t timer = 0) {
    EXPECT_TRUE(own().watchdog.timers.at(timer).left.due());
    return step([&](Context& context) { model::fire(process_, {0, timer}, context); });
  }
  /// The time of the oldest request is over.
  Driven& time_out() {
    const Pending oldest = pending().at(0);
    EXPECT_TRUE(oldest.left.due());
    return step(
        [&](Context& context) { model::time_out(process_, oldest.node, oldest.connection, context); });
  }
  Driven& interrupt(std::size_t thread = 0) {
    EXPECT_TRUE(interruptible(process_, setup_, sim::make_id<ThreadId>(thread)));
    return step(
        [&](Context& context) { model::interrupt(process_, sim::make_id<ThreadId>(thread), context); });
  }
  Driven& learn() {
    return step([&](Context& context) { learn_master(process_, 0, NodeId{0}, context); });
  }

  const Process& process() const { return process_; }
  const Setup& setup() const { return setup_; }
  Process& process() { return process_; }
  const std::vector<Pending>& pending() const { return process_.clients.at(0).pending; }
  const Redisson& own() const { return of(process_.clients.at(0)); }
  Redisson& own() { return of(process_.clients.at(0)); }
  /// Where a thread is in its program, or in the call that it makes; nullptr if elsewhere.
  template <class State>
  const State* in(std::size_t t = 0) const {
    const model::Thread& thread = process_.threads.rows.at(t);
    constexpr bool outside = std::is_same_v<State, model::Ready> || std::is_same_v<State, model::Ended>;
    if constexpr (outside) return std::get_if<State>(&thread.cursor.activity);
    else return thread.call ? std::get_if<State>(&thread.call->state.get<Waiting>().at) : nullptr;
  }

  /// What was sent since the last call of this: "lock 30000", "SUBSCRIBE redisson_lock__channel:{orders}".
  Sent sent() { return std::exchange(sent_, {}); }
  /// The answer of the last call that returned.
  std::optional<Answer> returned() { return std::exchange(returned_, std::nullopt); }
  const Request& last_request() const { return last_request_; }

  /// What the only future of a thread has come to; nothing if it is not complete, or there is none.
  std::optional<Answer> future(std::size_t t = 0) const {
    const auto& futures = process_.threads.rows.at(t).futures;
    return futures.empty() ? std::nullopt : futures.begin()->second.answer;
  }
  /// The first timer of the client that is due, whatever it is for.
  Driven& fire_first() {
    const auto due = model::due_timers(process_, setup_);
    EXPECT_FALSE(due.empty());
    return step([&](Context& context) { model::fire(process_, due.at(0), context); });
  }
  bool anything_due() const { return !model::due_timers(process_, setup_).empty(); }

 private:
  void under_way(Outgoing outgoing) {
    const NodeId to = outgoing.node.value_or(NodeId{0});
    model::await_answer(process_, to, ConnectionId{next_connection_++}, std::move(outgoing), setup_);
  }

  template <class Do>
  Driven& step(Do act) {
    Out out;
    Context context{setup_, ProcessId{0}, out};
    act(context);
    if (process_.shut_down) model::fail_all(process_, context);
    for (Outgoing& outgoing : out.requests) {
      model::dress(process_, outgoing, setup_);
      const Purpose& purpose = outgoing.request.purpose;
      const model::Intent intent = model::role_of(purpose, setup_).intent;
      const bool leased = intent == model::Intent::acquire || intent == model::Intent::renew;
      sent_.push_back(std::string(role_name(purpose, setup_)) +
                      (leased ? " " + std::to_string(purpose.lease.count()) : ""));
      last_request_ = outgoing.request;
      if (model::must_queue(process_, outgoing, setup_)) model::queue(process_, std::move(outgoing), setup_);
      else under_way(std::move(outgoing));
    }
    while (auto next = model::next_in_line(process_, 0, setup_)) under_way(*std::move(next));
    for (const auto& [client, request] : out.channels)
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
  Sent sent_;
  std::optional<Answer> returned_;
  Request last_request_;
};

}  // namespace lockstep::redisson
