#include "reports/diagrams/sequence_text.h"

#include <fmt/format.h>

#include <map>

#include "reports/diagrams/messages.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

class SequenceWriter {
 public:
  SequenceWriter(const sim::Trace& trace, const SequenceTextOptions& options,
                 const SequenceLanguage& language)
      : trace_(trace),
        options_(options),
        language_(language),
        messages_(trace),
        shown_(shown_events(trace, options.window)) {}

  std::string write() {
    out_ = language_.opening();
    participants();
    if (aliases_.empty()) return out_ + language_.closing();
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
    return out_ + language_.closing();
  }

 private:
  std::string short_text(const std::string& printable_text) const {
    return language_.escaped(cut(printable_text, 100));
  }

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
      out_ += language_.participant(alias, short_text(actor_text(trace_, actor.id)));
    }
  }

  void note_over_all(const std::string& text) {
    out_ += language_.note(first_, last_, language_.escaped(text));
  }

  std::string alias(const std::string& id) const {
    const auto found = aliases_.find(id);
    return found == aliases_.end() ? std::string{} : found->second;
  }

  std::string message(const std::string& from, Arrow arrow, const std::string& to, const std::string& text) {
    const auto a = alias(from);
    const auto b = alias(to);
    if (a.empty() || b.empty()) return {};
    ++written_;
    return language_.message(a, arrow, b, short_text(text));
  }

  std::string note(const std::string& who, const std::string& text) {
    const auto a = alias(who);
    ++written_;
    return a.empty() ? language_.note(first_, last_, short_text(text))
                     : language_.note(a, a, short_text(text));
  }

  std::string line(std::size_t at) {
    const auto& event = trace_.events[at];
    const auto& kind = event.kind;
    if (event.of) return {};
    if (kind == TraceKind::eval || kind == TraceKind::cmd) {
      const auto send = messages_.request_of(at);
      auto text = send ? message_text(trace_.events[*send]) : message_text(event);
      if (!event.changes.empty()) text += " · " + changes_text(trace_, event);
      return message(event.from, Arrow::request, event.who, text);
    }
    if (kind == TraceKind::recv) {
      const auto ran = messages_.answer_of(at);
      const bool said = ran && (trace_.events[*ran].ret || trace_.events[*ran].kind == TraceKind::eval);
      return message(event.from, ran ? Arrow::answer : Arrow::push, event.who,
                     said ? reply_text(trace_.events[*ran]) : message_text(event));
    }
    if (kind == TraceKind::repl)
      return message(event.from, Arrow::copied, event.who, "applies " + changes_text(trace_, event));
    if (kind == TraceKind::drop)
      return message(event.who, Arrow::lost, event.to, "lost: " + message_text(event));
    if (kind == TraceKind::prop) {
      ++written_;
      return language_.violation(first_, last_, short_text("VIOLATION " + event_text(trace_, event)));
    }
    const bool said = kind == TraceKind::enter || kind == TraceKind::leave || kind == TraceKind::park ||
                      kind == TraceKind::expire || (kind == TraceKind::ret && event.outcome != "ok") ||
                      is_fault(kind);
    return said ? note(event.who, event_text(trace_, event)) : std::string{};
  }

  const sim::Trace& trace_;
  const SequenceTextOptions& options_;
  const SequenceLanguage& language_;
  Messages messages_;
  Shown shown_;
  std::map<std::string, std::string> aliases_;
  std::string first_, last_, out_;
  std::size_t written_ = 0;
};

}  // namespace

std::string sequence_text(const sim::Trace& trace, const SequenceTextOptions& options,
                          const SequenceLanguage& language) {
  return SequenceWriter(trace, options, language).write();
}

}  // namespace lockstep::reports
