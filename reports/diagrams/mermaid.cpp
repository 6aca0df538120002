#include "reports/diagrams/mermaid.h"

#include <fmt/format.h>

#include <map>

#include "reports/diagrams/messages.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

std::string escaped(const std::string& printable_text) {
  std::string out;
  for (const char c : printable_text) {
    if (c == '#' || c == ';' || c == '%' || c == '"' || c == '<' || c == '>' || c == '&') {
      out += fmt::format("#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string short_text(const std::string& printable_text) { return escaped(cut(printable_text, 100)); }

class MermaidWriter {
 public:
  MermaidWriter(const sim::Trace& trace, const MermaidOptions& options)
      : trace_(trace), options_(options), messages_(trace), shown_(shown_events(trace, options.window)) {}

  std::string write() {
    out_ = "sequenceDiagram\n";
    participants();
    if (aliases_.empty()) return out_;
    if (shown_.begin > 0) note_over_all(fmt::format("… {} earlier events", shown_.begin));
    std::optional<std::int64_t> time;
    for (auto at = shown_.begin; at < shown_.end; ++at) {
      const auto text = line(at);
      if (text.empty()) continue;
      if (written_ >= options_.messages_max || out_.size() + text.size() > options_.bytes_max) {
        note_over_all(fmt::format("… {} later events", shown_.end - at));
        break;
      }
      if (time != trace_.events[at].time_us) note_over_all(time_text(trace_.events[at].time_us));
      time = trace_.events[at].time_us;
      out_ += text;
    }
    return out_;
  }

 private:
  /// Only actors that the window shows.
  void participants() {
    for (const auto& actor : trace_.actors) {
      bool acts = false;
      for (auto at = shown_.begin; at < shown_.end && !acts; ++at) {
        const auto& event = trace_.events[at];
        const bool process_fault = actor.kind == "process" && is_fault(event.kind);
        acts = !process_fault && (event.who == actor.id || event.from == actor.id || event.to == actor.id);
      }
      if (!acts) continue;
      const auto alias = fmt::format("P{}", aliases_.size());
      aliases_[actor.id] = alias;
      if (first_.empty()) first_ = alias;
      last_ = alias;
      out_ += fmt::format("  participant {} as {}\n", alias, short_text(actor_text(trace_, actor.id)));
    }
  }

  void note_over_all(const std::string& text) {
    out_ += first_ == last_ ? fmt::format("  Note over {}: {}\n", first_, text)
                            : fmt::format("  Note over {},{}: {}\n", first_, last_, text);
  }

  std::string alias(const std::string& id) const {
    const auto found = aliases_.find(id);
    return found == aliases_.end() ? std::string{} : found->second;
  }

  std::string message(const std::string& from, const char* arrow, const std::string& to,
                      const std::string& text) {
    const auto a = alias(from);
    const auto b = alias(to);
    if (a.empty() || b.empty()) return {};
    ++written_;
    return fmt::format("  {}{}{}: {}\n", a, arrow, b, short_text(text));
  }

  std::string note(const std::string& who, const std::string& text) {
    const auto a = alias(who);
    const auto place = !a.empty() ? a : first_ == last_ ? first_ : first_ + "," + last_;
    ++written_;
    return fmt::format("  Note over {}: {}\n", place, short_text(text));
  }

  std::string line(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto& kind = event.kind;
    if (event.of) return {};
    if (kind == TraceKind::eval || kind == TraceKind::cmd) {
      const auto send = messages_.request_of(at);
      auto text = send ? message_text(trace_.events[*send]) : message_text(event);
      if (!event.changes.empty()) text += " · " + changes_text(trace_, event);
      return message(event.from, "->>", event.who, text);
    }
    if (kind == TraceKind::recv) {
      const auto ran = messages_.answer_of(at);
      const bool said = ran && (trace_.events[*ran].ret || trace_.events[*ran].kind == TraceKind::eval);
      return message(event.from, ran ? "-->>" : "-)", event.who,
                     said ? reply_text(trace_.events[*ran]) : message_text(event));
    }
    if (kind == TraceKind::repl)
      return message(event.from, "--)", event.who, "applies " + changes_text(trace_, event));
    if (kind == TraceKind::drop) return message(event.who, "-x", event.to, "lost: " + message_text(event));
    if (kind == TraceKind::prop) {
      const auto text = short_text("VIOLATION " + event_text(trace_, event));
      ++written_;
      return fmt::format("  rect rgb(246, 201, 196)\n    Note over {}: {}\n  end\n",
                         first_ == last_ ? first_ : first_ + "," + last_, text);
    }
    const bool said = kind == TraceKind::enter || kind == TraceKind::leave || kind == TraceKind::park ||
                      kind == TraceKind::expire || (kind == TraceKind::ret && event.outcome != "ok") ||
                      is_fault(kind);
    return said ? note(event.who, event_text(trace_, event)) : std::string{};
  }

  const sim::Trace& trace_;
  const MermaidOptions& options_;
  Messages messages_;
  Shown shown_;
  std::map<std::string, std::string> aliases_;
  std::string first_, last_, out_;
  std::size_t written_ = 0;
};

}  // namespace

std::string mermaid_text(const std::string& text) { return escaped(printable(text)); }

std::string mermaid(const sim::Trace& trace, const MermaidOptions& options) {
  return MermaidWriter(trace, options).write();
}

}  // namespace lockstep::reports
