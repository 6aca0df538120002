// tracer.h: writes down what a run does, as trace events (sim/trace.h).
//
// A Tracer listens while a trail is run again; the world tells it each thing once, in order. It keeps what
// only people need: numbers of messages, which event caused which, who believes it holds what. Nothing flows
// back into the world.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/beliefs.h"
#include "model/world/world.h"
#include "sim/trace.h"

namespace lockstep::model {

/// "nil", "(integer) 29998", "\"text\"", "(error) …", "[1, 2]".
std::string show_reply(const Reply& reply);

class Tracer {
 public:
  explicit Tracer(const Setup& setup) : setup_(setup) {}

  /// The next events belong to this decision.
  void begin_decision(sim::Instant now, std::size_t chosen, std::size_t enabled);
  /// The decision is done; `state` is the digest after it.
  void end_decision(const std::string& state);
  /// From the decision that began with this event on a lock is held otherwise; false if it has no event.
  bool holds(std::size_t first_event, const std::string& key, const sim::LockTruth& truth);
  /// A property was broken by the decision that was ended last.
  void violated(const std::string& property, const std::string& why);

  void time_is(sim::Instant now) { time_us_ = now.since_start.count() * 1000; }
  void observe(const Observation& observation);
  /// `lost`: why it never leaves; empty if it does.
  void request_sent(ProcessId from, NodeId to, ConnectionId connection, const Request& request,
                    std::string_view lost);
  void evaluated(ProcessId from, NodeId at, ConnectionId connection, const Request& request,
                 const Command& words, const std::vector<ScriptCall>& calls, const Reply& reply,
                 const Server& before, const Server& after);
  void reply_received(ProcessId to, NodeId from, ConnectionId connection, const Reply& reply,
                      const Pending* pending);
  void channel_sent(ProcessId from, NodeId to, const ChannelRequest& request);
  void channel_served(ProcessId from, NodeId at, const ChannelRequest& request);
  void push_sent(NodeId from, ProcessId to, const Reply& message);
  void push_received(ProcessId to, NodeId from, const Reply& message);
  void effects_sent(NodeId master, NodeId replica);
  /// All effects that are under way to the replica are lost.
  void effects_lost(NodeId master, NodeId replica);
  void applied(NodeId master, NodeId replica, const Server& before, const Server& after);
  /// WAIT behind a script: it begins, a replica acknowledges, it is answered.
  void waiting(ProcessId from, NodeId at, ConnectionId connection, const Synced& wait);
  void acknowledged(NodeId master, NodeId replica);
  void waited(NodeId at, std::int64_t count);
  void expired(NodeId node, const std::string& key, const Server& before, const Server& after) {
    gone(sim::TraceKind::expire, node, key, before, after);
  }
  void evicted(NodeId node, const std::string& key, const Server& before, const Server& after) {
    gone(sim::TraceKind::evict, node, key, before, after);
  }
  /// Of the event of a move that changes a node: what it stores from then on.
  void add_changes(NodeId node, const Server& before, const Server& after) {
    for (sim::KeyChange& change : changes(node, before, after))
      events_.back().changes.push_back(std::move(change));
  }
  /// A timer of a library: the renewal of a lock, or what it says.
  void fires(ProcessId process, const std::string& lock, std::string_view says);
  void lost(const Carried& carried, std::string_view why);
  /// All that is under way on this link.
  void lost(LinkId id, const Link& link, std::string_view why);
  /// A move whose verb names an event of its own.
  void moved(const Move& move);

  const std::vector<sim::TraceEvent>& events() const { return events_; }
  /// Each command that reached a node, as MONITOR prints it (times and addresses are the model's).
  const std::vector<std::string>& monitor_lines() const { return monitor_; }

 private:
  sim::TraceEvent& add(sim::TraceKind kind, std::string who);
  std::int64_t send_message(const std::string& wire, const std::string& who, const std::string& to,
                            std::string act);
  /// The event and number of the oldest message on this wire, which arrives or is lost now.
  struct Message {
    std::int64_t number = 0;
    std::int64_t sent_by = 0;
  };
  std::optional<Message> take_message(const std::string& wire);
  /// The wire of a message that is lost, held back or released.
  std::string wire_of(const Carried& carried) const;
  sim::TraceEvent& befalls_message(sim::TraceKind kind, const Message& message, const Carried& carried);
  std::string lock_of(const Purpose& purpose) const;
  std::string script_of(const Purpose& purpose) const;
  bool by_itself(const Purpose& purpose) const;
  void monitor(NodeId at, const std::string& source, const Command& words);
  std::vector<sim::KeyChange> changes(NodeId node, const Server& before, const Server& after) const {
    return setup_.kind_of(node).changes(name(node), before, after);
  }
  void gone(sim::TraceKind how, NodeId node, const std::string& key, const Server& before,
            const Server& after);
  std::string name(ProcessId p) const { return setup_.processes[p.index()].name; }
  std::string name(NodeId n) const { return setup_.nodes[n.index()].name; }
  std::string name(ThreadId t) const { return setup_.threads[t.index()].name; }
  void see_invoked(const Invoked& seen);
  void see_returned(const Returned& seen);
  void follow_beliefs(const Observation& observation);

  const Setup& setup_;
  std::int64_t time_us_ = 0;
  std::optional<std::pair<int, int>> choice_;
  std::vector<sim::TraceEvent> events_;
  std::vector<std::string> monitor_;
  std::map<std::string, std::deque<Message>> wires_;
  std::int64_t messages_ = 0;
  std::optional<std::int64_t> arrived_;  // the receipt that the next sends answer
  Beliefs beliefs_;
  std::map<Claim, std::int64_t> entered_;  // when each belief began
};

/// Who takes part, for the header of a trace.
std::vector<sim::TraceActor> trace_actors(const Setup& setup);

}  // namespace lockstep::model
