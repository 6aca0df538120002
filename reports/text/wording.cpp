#include "reports/text/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "reports/diagrams/ownership.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

std::optional<std::int64_t> integer_reply(const sim::TraceEvent& ran) {
  std::string_view text = ran.ret ? std::string_view(*ran.ret) : std::string_view{};
  constexpr std::string_view mark = "(integer) ";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

enum class Role { lock, unlock, renew, other };

Role role(const sim::TraceEvent& ran) {
  if (contains(ran.script, "unlock")) return Role::unlock;
  if (contains(ran.script, "renew")) return Role::renew;
  return contains(ran.script, "lock") ? Role::lock : Role::other;
}

bool is_error(const sim::TraceEvent& ran) { return ran.ret && ran.ret->starts_with("(error)"); }
bool is_nil(const sim::TraceEvent& ran) { return ran.ret && (*ran.ret == "nil" || *ran.ret == "(nil)"); }

std::string holder_text(const sim::Trace& trace, const std::string& holder) {
  return cut(printable(holder_name(trace, holder)), 40);
}

}  // namespace

Answer answer(const sim::TraceEvent& ran) {
  if (is_error(ran)) return Answer::error;
  const auto number = integer_reply(ran);
  switch (role(ran)) {
    case Role::lock: return is_nil(ran) ? Answer::granted : Answer::refused;
    case Role::unlock: return is_nil(ran) ? Answer::error : Answer::granted;
    case Role::renew: return number == 0 || is_nil(ran) ? Answer::error : Answer::granted;
    case Role::other: break;
  }
  return Answer::plain;
}

std::string reply_text(const sim::TraceEvent& ran) {
  const std::string said = ran.ret ? cut(printable(*ran.ret), 80) : "done";
  const auto number = integer_reply(ran);
  if (is_error(ran)) return said;
  switch (role(ran)) {
    case Role::lock:
      if (is_nil(ran)) return "nil → got it";
      return number ? fmt::format("{} ms left", *number) : said;
    case Role::unlock:
      if (is_nil(ran)) return "nil → not the holder";
      if (number == 1) return "1 → released";
      return number == 0 ? "0 → still held" : said;
    case Role::renew:
      if (number == 1) return "1 → renewed";
      return number == 0 || is_nil(ran) ? "0 → no longer the holder" : said;
    case Role::other: break;
  }
  return number ? fmt::format("{}", *number) : said;
}

std::string time_text(std::int64_t time_us) {
  const auto sign = time_us < 0 ? "-" : "";
  const auto us = time_us < 0 ? 0 - static_cast<std::uint64_t>(time_us) : static_cast<std::uint64_t>(time_us);
  const auto seconds = us / 1'000'000;
  const auto rest = us % 1'000'000;
  if (rest == 0) return fmt::format("{}{} s", sign, seconds);
  if (rest % 1000 == 0) return fmt::format("{}{}.{:03} s", sign, seconds, rest / 1000);
  return fmt::format("{}{}.{:06} s", sign, seconds, rest);
}

std::string length_text(std::int64_t ms) {
  constexpr std::int64_t limit = std::int64_t{1} << 50;  // of what microseconds can still hold
  ms = std::clamp(ms, -limit, limit);
  if (ms % 1000 == 0) return fmt::format("{} s", ms / 1000);
  return ms > -1000 && ms < 1000 ? fmt::format("{} ms", ms) : time_text(ms * 1000);
}

std::string change_text(const sim::Trace& trace, const sim::KeyChange& change, bool with_node) {
  const std::string key = (with_node ? printable(change.node) + ": " : "") + cut(printable(change.key), 60);
  if (!change.present) return key + " gone";
  std::string items;
  constexpr std::size_t shown_max = 4;
  for (std::size_t i = 0; i < change.fields.size() && i < shown_max; ++i) {
    const auto& [name, value] = change.fields[i];
    if (i > 0) items += ", ";
    if (!name.empty()) items += holder_text(trace, name) + ": ";
    items += holder_text(trace, value);
  }
  if (change.fields.size() > shown_max) items += fmt::format(", … {} more", change.fields.size() - shown_max);
  const bool list = change.type == "list";
  std::string text = list ? fmt::format("{} [{}]", key, items) : fmt::format("{} {{{}}}", key, items);
  if (change.pttl_ms) text += fmt::format(" {}", length_text(*change.pttl_ms));
  return text;
}

std::string changes_text(const sim::Trace& trace, const sim::TraceEvent& event, bool with_node) {
  std::string text;
  for (const auto& change : event.changes) {
    if (!text.empty()) text += "; ";
    text += change_text(trace, change, with_node);
  }
  return text;
}

namespace {
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> fault_words = {{
    {"crash", "{} crashes"}, {"restart", "{} restarts"}, {"promote", "{} becomes master"},
    {"demote", "{} becomes replica"}, {"pause", "{} pauses"}, {"resume", "{} goes on"},
    {"cut", "{}: link cut"}, {"heal", "{}: link healed"}, {"lag", "{} lags"}, {"clock", "{}: clock changed"},
    {"evict", "{}: key evicted"}, {"flush", "{}: scripts flushed"}, {"learn", "{} learns who is master"},
    {"interrupt", "{} is interrupted"}}};
}

bool is_fault(const std::string& kind) {
  return std::any_of(fault_words.begin(), fault_words.end(),
                     [&](const auto& word) { return word.first == kind; });
}

std::string fault_text(const sim::TraceEvent& event) {
  for (const auto& [kind, words] : fault_words) {
    if (kind != event.kind) continue;
    std::string text = fmt::format(fmt::runtime(words), cut(printable(event.who), 40));
    if (!event.act.empty() && (kind == "clock" || kind == "evict" || kind == "lag")) {
      text += fmt::format(" ({})", cut(printable(event.act), 60));
    }
    return text;
  }
  return printable(event.kind + " " + event.who);
}

std::string message_text(const sim::TraceEvent& event) {
  if (event.act == "message 0" || event.act == "0") return "message 0 (unlocked)";
  if (event.act == "message 1" || event.act == "1") return "message 1 (read lock freed)";
  if (!event.act.empty()) return cut(printable(event.act), 200);
  return event.script.empty() ? "message" : printable(event.script);
}

namespace {
/// "lock orders → nil (got it)": the role, the first key, the reply.
std::string script_text(const sim::TraceEvent& ran) {
  std::string text = printable(ran.script.empty() ? ran.act : ran.script);
  if (!ran.keys.empty()) text += fmt::format(" {}", cut(printable(ran.keys.front()), 60));
  auto reply = reply_text(ran);
  constexpr std::string_view arrow = " → ";
  if (const auto at = reply.find(arrow); at != std::string::npos && !is_error(ran)) {
    reply = fmt::format("{} ({})", reply.substr(0, at), reply.substr(at + arrow.size()));
  }
  return fmt::format("{} → {}", text, reply);
}
}  // namespace

std::string event_text(const sim::Trace& trace, const sim::TraceEvent& event) {
  const auto& kind = event.kind;
  const auto act = cut(printable(event.act), 200);
  const auto lock = cut(printable(event.lock), 60);
  if (is_fault(kind)) return fault_text(event);
  if (kind == "inv") return "calls " + act;
  if (kind == "ret") {
    const auto value = event.ret ? cut(printable(*event.ret), 80) : std::string("done");
    return (event.outcome == "info" || event.outcome == "fail" ? "fails: " : "returns ") + value;
  }
  if (kind == "send") return "sends " + act + " to " + printable(event.to);
  if (kind == "recv") return "hears " + message_text(event);
  if (kind == "drop")
    return "lost on the way to " + printable(event.to) + (event.act.empty() ? "" : ": " + act);
  if (kind == "eval") return script_text(event);
  if (kind == "cmd") return act + (event.ret ? " → " + reply_text(event) : "");
  if (kind == "timer") return act.empty() ? "its wait ends" : act;
  if (kind == "renew") return "watchdog renews " + lock;
  if (kind == "expire") return "expires: " + changes_text(trace, event);
  if (kind == "repl") return "applies " + changes_text(trace, event);
  if (kind == "enter") return "inside " + lock;
  if (kind == "leave") return "leaves " + lock;
  if (kind == "park") return "waits for " + (lock.empty() ? act : lock);
  if (kind == "prop") return printable(event.name) + (event.why.empty() ? "" : ": " + printable(event.why));
  return act.empty() ? printable(kind) : fmt::format("{} {}", printable(kind), act);
}

std::string actor_text(const sim::Trace& trace, const std::string& id) {
  const auto* actor = find_actor(trace, id);
  return printable(actor && !actor->label.empty() ? actor->label : id);
}

std::string tooltip_text(const sim::Trace& trace, const sim::TraceEvent& event) {
  std::string text = fmt::format("#{} at {}: {} {}", event.index, time_text(event.time_us),
                                 printable(event.who), event_text(trace, event));
  if (!event.keys.empty()) {
    text += " · keys";
    for (const auto& key : event.keys) text += fmt::format(" {}", cut(printable(key), 80));
  }
  if (!event.argv.empty()) {
    text += " · args";
    for (const auto& arg : event.argv) text += fmt::format(" {}", cut(printable(arg), 80));
  }
  if (!event.changes.empty()) text += " · " + changes_text(trace, event, true);
  if (!event.why.empty() && event.kind != "prop") text += " · " + cut(printable(event.why), 200);
  return cut(text, 1000);
}

}  // namespace lockstep::reports
