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

bool is_error(const sim::TraceEvent& ran) { return ran.ret && ran.ret->starts_with("(error)"); }

/// What people say of a reply with this meaning; the words are those of the trace format.
struct Said {
  std::string_view meaning, words;
  Answer answer;
};
constexpr std::array<Said, 9> said_of = {{
    {"granted", "got it", Answer::granted},
    {"partly granted", "one part of it", Answer::plain},
    {"refused", "refused", Answer::refused},
    {"released", "released", Answer::granted},
    {"still held", "still held", Answer::granted},
    {"not the holder", "not the holder", Answer::error},
    {"nothing to release", "there was none", Answer::plain},
    {"renewed", "renewed", Answer::granted},
    {"nothing to renew", "no longer the holder", Answer::error},
}};

const Said* said(const sim::TraceEvent& ran) {
  const auto found = std::find_if(said_of.begin(), said_of.end(),
                                  [&](const Said& one) { return one.meaning == ran.meaning; });
  return found == said_of.end() ? nullptr : &*found;
}

std::string holder_text(const sim::Trace& trace, const std::string& holder) {
  return cut(printable(holder_name(trace, holder)), 40);
}

}  // namespace

Answer answer(const sim::TraceEvent& ran) {
  if (is_error(ran)) return Answer::error;
  const Said* means = said(ran);
  return means == nullptr ? Answer::plain : means->answer;
}

std::string reply_text(const sim::TraceEvent& ran) {
  const auto number = integer_reply(ran);
  if (ran.wait_ms) return fmt::format("{} ms left", *ran.wait_ms);
  std::string reply = ran.ret ? cut(printable(*ran.ret), 80) : "done";
  if (number) reply = fmt::format("{}", *number);
  const Said* means = said(ran);
  return means == nullptr ? reply : fmt::format("{} → {}", reply, means->words);
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
constexpr std::array<std::pair<TraceKind, std::string_view>, 28> fault_words = {{
    {TraceKind::crash, "{} crashes"},
    {TraceKind::restart, "{} restarts"},
    {TraceKind::promote, "{} becomes master"},
    {TraceKind::demote, "{} becomes replica"},
    {TraceKind::resync, "{} copies the master"},
    {TraceKind::learn, "{} learns which node is master"},
    {TraceKind::reconnect, "{} listens again"},
    {TraceKind::pause, "{} pauses"},
    {TraceKind::resume, "{} goes on"},
    {TraceKind::cut, "{}: link cut"},
    {TraceKind::heal, "{}: link healed"},
    {TraceKind::broken, "{}: connections break"},
    {TraceKind::hold, "{}: message held back"},
    {TraceKind::release, "{}: message goes on"},
    {TraceKind::lag, "{} lags"},
    {TraceKind::unlag, "{} lags no longer"},
    {TraceKind::clock, "{}: clock jumps"},
    {TraceKind::interrupt, "{} is interrupted"},
    {TraceKind::evict, "{}: key evicted"},
    {TraceKind::flush_scripts, "{}: scripts flushed"},
    {TraceKind::save, "{} saves its data"},
    {TraceKind::power_loss, "{} loses its newest writes"},
    {TraceKind::isolate, "{} is cut off from other nodes"},
    {TraceKind::rejoin, "{} is among the nodes again"},
    {TraceKind::split_votes, "{}: no successor is elected"},
    {TraceKind::close, "{} hears no majority and serves no longer"},
    {TraceKind::move_slots, "{}: slots begin to move here"},
    {TraceKind::take, "{} takes a key, or the slots"},
}};
}

static_assert(fault_words.size() ==
              static_cast<std::size_t>(TraceKind::other) - static_cast<std::size_t>(TraceKind::crash));
bool is_fault(TraceKind kind) { return kind >= TraceKind::crash && kind < TraceKind::other; }

std::string fault_text(const sim::TraceEvent& event) {
  const auto words = std::find_if(fault_words.begin(), fault_words.end(),
                                  [&](const auto& word) { return word.first == event.kind; });
  std::string text = fmt::format(fmt::runtime(words->second), cut(printable(event.who), 40));
  const auto& what = event.kind == TraceKind::evict ? event.lock : event.act.empty() ? event.to : event.act;
  return what.empty() ? text : fmt::format("{} ({})", text, cut(printable(what), 60));
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
  const auto act = cut(printable(event.act), 200);
  const auto lock = cut(printable(event.lock), 60);
  if (is_fault(event.kind)) return fault_text(event);
  switch (event.kind) {
    case TraceKind::inv: return "calls " + act;
    case TraceKind::ret:
      return (event.outcome == "info" || event.outcome == "fail" ? "fails: " : "returns ") +
             (event.ret ? cut(printable(*event.ret), 80) : "done");
    case TraceKind::send: return "sends " + act + " to " + printable(event.to);
    case TraceKind::recv: return "hears " + message_text(event);
    case TraceKind::drop:
      return "lost on the way to " + printable(event.to) + (act.empty() ? "" : ": " + act);
    case TraceKind::eval: return script_text(event);
    case TraceKind::cmd: return act + (event.ret ? " → " + reply_text(event) : "");
    case TraceKind::timer: return act.empty() ? "its wait ends" : act;
    case TraceKind::renew: return "watchdog renews " + lock;
    case TraceKind::expire: return "expires: " + changes_text(trace, event);
    case TraceKind::repl: return "applies " + changes_text(trace, event);
    case TraceKind::enter: return "inside " + lock;
    case TraceKind::leave: return "leaves " + lock;
    case TraceKind::park: return "waits for " + (lock.empty() ? act : lock);
    case TraceKind::note: return act;
    case TraceKind::prop:
      return printable(event.name) + (event.why.empty() ? "" : ": " + printable(event.why));
    default: break;  // of a file whose writer knew more
  }
  const auto word = printable(word_of(event));
  return act.empty() ? word : fmt::format("{} {}", word, act);
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
  if (!event.why.empty() && event.kind != TraceKind::prop) text += " · " + cut(printable(event.why), 200);
  return cut(text, 1000);
}

}  // namespace lockstep::reports
