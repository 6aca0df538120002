#include "model/redis/pubsub/monitors.h"

#include "model/redis/handling.h"

namespace lockstep::redis {

namespace {

std::string origin(const Call& call) {
  if (call.source() == Call::Source::script) return "lua";
  const Session* const session = call.session();
  if (!session || !session->peer) return "?:0";
  const Peer& peer = *session->peer;
  return peer.is_local() ? "unix:" + std::string(peer.path()) : peer.address;
}

/// Seconds with six digits behind the point.
std::string time_of(Call& call) {
  const std::int64_t ms = call.now();
  const std::string millionths = std::to_string(ms % 1000 * 1000 + call.environment().wall_us);
  return std::to_string(ms / 1000) + "." + std::string(6 - millionths.size(), '0') + millionths;
}

/// What was hidden while the command ran is not shown.
std::string line_of(Call& call, Words words) {
  std::string line = time_of(call) + " [" + std::to_string(call.database()) + " " + origin(call) + "]";
  for (std::size_t i = 0; i < words.size(); ++i)
    line += " " + (call.is_hidden(i) ? "\"(redacted)\"" : quoted(words[i]));
  return line;
}

void show(Call& call, Words words) {
  const Reply line = lua::Status{line_of(call, words)};
  Outcome& outcome = call.outcome();
  for (const ConnectionId to : *call.node().monitors) {
    if (to == call.from()) outcome.more_replies.push_back(line);
    else outcome.pushes.push_back({to, line});
  }
}

}  // namespace

Reply run_shown(Call& call, const Spec& spec, Words words) {
  call.set_name(spec.name);
  if (call.node().monitors->empty() || spec.has(admin)) return handle(call, spec, words);
  call.hide_nothing();
  if (spec.has(runs_script)) {
    show(call, words);
    return handle(call, spec, words);
  }
  Reply reply = handle(call, spec, words);
  show(call, words);
  return reply;
}

std::string quoted(std::string_view word) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (c == '\a') out += "\\a";
    else if (c == '\b') out += "\\b";
    else if (byte < 0x20 || byte >= 0x7f) out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    else out += c;
  }
  return out + "\"";
}

}  // namespace lockstep::redis
