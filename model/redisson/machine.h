// machine.h: the grammar of the client's state machines.
//
// A machine is a value; a step takes the value, an input and the setup, and leaves its intentions in Out. It
// sends nothing itself: the world carries out what Out holds, so a step is a pure function of what it is
// given.
#pragma once

#include <string>
#include <vector>

#include "model/observation.h"
#include "model/request.h"
#include "model/setup/setup.h"

namespace lockstep::redisson {

using model::Answer;
using model::channel_of;
using model::Observation;
using model::ProcessId;
using model::Purpose;
using model::Request;
using model::Setup;
using model::StepKind;
using model::ThreadId;
using sim::Duration;

/// SUBSCRIBE or UNSUBSCRIBE of one channel on the process's pub/sub connection.
struct ChannelRequest {
  bool subscribe = true;
  std::string channel;
  bool operator==(const ChannelRequest&) const = default;
  static auto fields(auto& r) { return std::tie(r.subscribe, r.channel); }
};

/// A request to send; `attempts` says how many times it was sent before.
struct Outgoing {
  Request request;
  std::uint16_t attempts = 0;
  bool caller_gone = false;  // see Pending
};

struct Out {
  std::vector<Outgoing> requests;        // to the master that the process knows
  std::vector<ChannelRequest> channels;  // to the same node
  std::vector<std::uint16_t> signals;    // raised
  std::vector<Observation> seen;
  bool crash = false;  // the program says that the process dies here
};

/// What every step may read besides its own component.
struct Context {
  const Setup& setup;
  ProcessId self;
  Out& out;
};

}  // namespace lockstep::redisson
