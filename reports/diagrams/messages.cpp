#include "reports/diagrams/messages.h"

namespace lockstep::reports {

namespace {
bool runs(const sim::TraceEvent& event) {
  return (event.kind == sim::TraceKind::eval || event.kind == sim::TraceKind::cmd) && !event.of;
}
}  // namespace

Messages::Messages(const sim::Trace& trace) {
  std::map<Key, std::size_t> sent;
  std::map<Key, std::size_t> ran;
  for (std::size_t at = 0; at < trace.events.size(); ++at) {
    const auto& event = trace.events[at];
    by_index_[event.index] = at;
    if (event.kind == sim::TraceKind::send && event.msg) sent[{event.who, event.to, *event.msg}] = at;
    if (runs(event) || event.kind == sim::TraceKind::drop) match_request(trace, at, sent);
    if (runs(event) && event.msg) ran[{event.from, event.who, *event.msg}] = at;
    if (event.kind == sim::TraceKind::recv) match_answer(trace, at, ran);
  }
}

std::optional<std::size_t> Messages::position_of(std::int64_t index) const {
  const auto found = by_index_.find(index);
  if (found == by_index_.end()) return std::nullopt;
  return found->second;
}

void Messages::match_request(const sim::Trace& trace, std::size_t at,
                             const std::map<Key, std::size_t>& sent) {
  const auto& event = trace.events[at];
  const bool drop = event.kind == sim::TraceKind::drop;
  const auto& client = drop ? event.who : event.from;
  const auto& node = drop ? event.to : event.who;
  std::optional<std::size_t> send;
  if (event.cause) {
    const auto cause = position_of(*event.cause);
    if (cause && trace.events[*cause].kind == sim::TraceKind::send && trace.events[*cause].who == client)
      send = cause;
  }
  if (!send && event.msg) {
    const auto found = sent.find({client, node, *event.msg});
    if (found != sent.end()) send = found->second;
  }
  if (!send) return;
  request_[at] = *send;
  (drop ? lost_ : ran_)[*send] = at;
}

void Messages::match_answer(const sim::Trace& trace, std::size_t at, const std::map<Key, std::size_t>& ran) {
  const auto& event = trace.events[at];
  auto cause = event.cause;
  // A reply may have a send of its own at the node between the script and the receipt.
  for (int hops = 0; cause && hops < 3; ++hops) {
    const auto position = position_of(*cause);
    if (!position || *position >= at || trace.events[*position].who != event.from) break;
    const auto& candidate = trace.events[*position];
    if (runs(candidate)) {
      // A push is caused by somebody else's script: the reply goes to whom the node ran it for.
      if (candidate.from == event.who) answer_[at] = *position;
      return;
    }
    cause = candidate.cause;
  }
  if (!event.msg) return;
  const auto found = ran.find({event.who, event.from, *event.msg});
  if (found != ran.end()) answer_[at] = found->second;
}

}  // namespace lockstep::reports
