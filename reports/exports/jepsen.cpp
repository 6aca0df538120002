#include <fmt/format.h>

#include <map>

#include "reports/exports/exports.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using sim::TraceEvent;
using sim::TraceKind;

/// printable() leaves no control character, so two are left to escape.
std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// "trylock orders wait=5s": what is called, and with what.
struct Called {
  std::string function, value;
  bool shared = false;  // the lock is asked for, or given back, by a reader

  explicit Called(const std::string& act) {
    const std::size_t blank = act.find(' ');
    for (const char c : act.substr(0, blank)) {
      const bool plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
      function += plain ? c : '_';
    }
    if (function.empty() || !(function[0] >= 'a' && function[0] <= 'z')) function = "call-" + function;
    value = blank == act.npos ? "nil" : in_quotes(act.substr(blank + 1));
  }
};

class History {
 public:
  explicit History(const sim::Trace& trace) : trace_(trace) {
    const auto number = [&](const std::string& who) {
      processes_.emplace(who, static_cast<std::int64_t>(processes_.size()));
    };
    for (const sim::TraceActor& actor : trace.actors)
      if (actor.kind == "thread") number(actor.id);
    for (const TraceEvent& event : trace.events)
      if (event.kind == TraceKind::inv) number(event.who);
    threads_ = static_cast<std::int64_t>(processes_.size());
  }

  std::string text() {
    for (std::size_t i = 0; i < trace_.events.size(); ++i) add(i);
    for (const auto& [who, call] : std::map(open_))
      end(who, "info", "no answer", trace_.events.back().time_us);
    return text_;
  }

 private:
  void line(const std::string& type, const std::string& function, const std::string& value,
            const std::string& process, std::int64_t time_us, const std::string& more = {}) {
    const std::string time_ns = time_us == 0 ? "0" : std::to_string(time_us) + "000";
    text_ += fmt::format("{{:index {}, :type :{}, :f :{}, :value {}, :process {}, :time {}{}}}\n", lines_++,
                         type, function, value, process, time_ns, more);
  }

  void begin(std::size_t at) {
    const TraceEvent& event = trace_.events[at];
    if (open_.contains(event.who)) end(event.who, "info", "no answer", event.time_us);
    Called call(event.act);
    call.shared = is_shared(at);
    line("invoke", call.function, call.value, std::to_string(processes_.at(event.who)), event.time_us,
         about(event.who, call));
    open_.emplace(event.who, call);
  }

  /// Holds are of threads, which outlive the processes that Jepsen takes for dead.
  static std::string about(const std::string& who, const Called& call) {
    return fmt::format("{}, :thread {}", call.shared ? ", :mode :read" : "", in_quotes(who));
  }

  /// What a reader sends says so by its name, as its beliefs do.
  bool is_shared(std::size_t at) const {
    const std::string& who = trace_.events[at].who;
    for (std::size_t i = at + 1; i < trace_.events.size(); ++i) {
      const TraceEvent& event = trace_.events[i];
      if (event.who != who) continue;
      if (event.lock.starts_with("read:")) return true;
      if (event.kind == TraceKind::inv) return false;
      if (event.kind == TraceKind::send) return event.act.starts_with("read-");
    }
    return false;
  }

  /// Of a grant; it is told behind its return.
  std::string token(std::size_t at) const {
    constexpr std::string_view given = "was given the token ";
    const std::string& who = trace_.events[at].who;
    for (std::size_t i = at + 1; i < trace_.events.size() && trace_.events[i].who == who; ++i)
      if (trace_.events[i].kind == TraceKind::note && trace_.events[i].act.starts_with(given))
        return fmt::format(", :token {}", trace_.events[i].act.substr(given.size()));
    return "";
  }

  /// What Jepsen does not know the end of keeps its process busy for ever: the thread goes on as another one.
  void end(const std::string& who, const std::string& type, const std::string& answer, std::int64_t time_us,
           const std::string& more = {}) {
    const auto found = open_.find(who);
    if (found == open_.end()) return;
    const Called call = found->second;
    open_.erase(found);
    std::int64_t& process = processes_.at(who);
    line(type, call.function, call.value, std::to_string(process), time_us,
         fmt::format("{}, :{} {}{}", about(who, call), type == "info" ? "error" : "answer",
                     in_quotes(answer), more));
    if (type == "info") process += threads_;
  }

  bool waits(const std::string& who) const {
    const auto found = open_.find(who);
    if (found == open_.end()) return false;
    const std::string& function = found->second.function;
    return function.starts_with("lock") || function.starts_with("trylock");
  }

  void add(std::size_t at) {
    const TraceEvent& event = trace_.events[at];
    if (event.kind == TraceKind::inv) return begin(at);
    if (event.kind == TraceKind::park && waits(event.who))
      return line("info", "waits", in_quotes(event.who + " " + event.lock), ":nemesis", event.time_us);
    if (event.kind == TraceKind::ret) {
      const bool known = event.outcome == "ok" || event.outcome == "fail";
      return end(event.who, known ? event.outcome : "info", event.ret.value_or(""), event.time_us,
                 known ? token(at) : "");
    }
    const bool fault = event.kind >= TraceKind::crash && event.kind < TraceKind::other;
    if (!fault) return;
    if (event.kind == TraceKind::crash)
      for (const sim::TraceActor& actor : trace_.actors)
        if (actor.of == event.who) end(actor.id, "info", "its process is gone", event.time_us);
    line("info", std::string(sim::word_of(event)),
         in_quotes(event.to.empty() ? event.who : event.who + " " + event.to), ":nemesis", event.time_us);
  }

  const sim::Trace& trace_;
  std::map<std::string, std::int64_t> processes_;
  std::map<std::string, Called> open_;
  std::int64_t threads_ = 0;
  std::int64_t lines_ = 0;
  std::string text_;
};

}  // namespace

std::string jepsen_history(const sim::Trace& trace) { return History(trace).text(); }

}  // namespace lockstep::reports
