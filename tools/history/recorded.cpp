#include "tools/history/recorded.h"

#include <array>
#include <map>

#include <fmt/format.h>

#include "scenarios/format/suggest.h"
#include "sim/base/byte_order_mark.h"

namespace lockstep::tools {

namespace {

struct CallWord {
  std::string_view word;
  histories::Verb verb;
  std::optional<histories::Mode> mode = std::nullopt;
};
constexpr std::array call_words{
    CallWord{"lock", histories::Verb::lock},
    CallWord{"trylock", histories::Verb::try_lock},
    CallWord{"unlock", histories::Verb::unlock},
    CallWord{"lock-interruptibly", histories::Verb::lock},
    CallWord{"force-unlock", histories::Verb::force_unlock},
    CallWord{"is-locked", histories::Verb::is_locked},
    CallWord{"is-held", histories::Verb::is_held},
    CallWord{"acquire", histories::Verb::lock},
    CallWord{"try-acquire", histories::Verb::try_lock},
    CallWord{"release", histories::Verb::unlock},
    CallWord{"read-lock", histories::Verb::lock, histories::Mode::shared},
    CallWord{"read-trylock", histories::Verb::try_lock, histories::Mode::shared},
    CallWord{"read-unlock", histories::Verb::unlock, histories::Mode::shared},
    CallWord{"write-lock", histories::Verb::lock, histories::Mode::exclusive},
    CallWord{"write-trylock", histories::Verb::try_lock, histories::Mode::exclusive},
    CallWord{"write-unlock", histories::Verb::unlock, histories::Mode::exclusive},
};
/// Of no lock, or with answers that no specification speaks of.
constexpr std::array left_out_words{"hold-count", "remain-time", "get-token", "write"};
constexpr std::string_view stranger_word = "redis";  // a command of an operator's

const CallWord* find_call(std::string_view word) {
  for (const CallWord& one : call_words)
    if (one.word == word) return &one;
  return nullptr;
}

std::string unknown_call(const std::string& word) {
  std::vector<std::string> known;
  for (const CallWord& one : call_words) known.emplace_back(one.word);
  return fmt::format("`{}` is no call of a lock; {}", word,
                     scenarios::did_you_mean(word, known, "lockstep help histories lists them"));
}

/// Nothing if the word is none of the answers of the call.
std::optional<histories::Said> said_of(histories::Verb verb, const std::string& word) {
  const bool takes = histories::is_acquire(verb), unlocks = verb == histories::Verb::unlock;
  const bool forces = verb == histories::Verb::force_unlock;
  const bool yes = word == "true" || word == "done" || word == "ok" || (takes && word == "granted");
  const bool no = word == "false" || word == "IllegalMonitorStateException" || (takes && word == "refused") ||
                  ((unlocks || forces) && word == "not-held");
  if (!yes && !no) return std::nullopt;
  if (takes) return yes ? histories::Said::granted : histories::Said::refused;
  if (unlocks) return yes ? histories::Said::done : histories::Said::not_held;
  if (forces && word == "done") return histories::Said::done;
  return yes ? histories::Said::yes : histories::Said::no;
}

/// What failed had no effect.
bool says_it_was_done(histories::Verb verb, histories::Said said) {
  const bool freed = verb == histories::Verb::force_unlock && said == histories::Said::yes;
  return freed || said == histories::Said::granted || said == histories::Said::done;
}

/// Puts the calls together. Each function says what is wrong, or nothing.
class Pairing {
 public:
  std::string add(const RecordedEvent& event) {
    history_.lines.push_back(event.line);
    const std::string who = event.thread.empty() ? event.process : event.thread;
    if (who.empty()) return "it says no `process`";
    if (event.type == "waits") return wait(event, who);
    if (event.type == "invoke") return begin(event, who);
    if (event.type != "ok" && event.type != "fail" && event.type != "info")
      return fmt::format("`type` is `{}`, not invoke, ok, fail, info or waits", event.type);
    return end(event, who);
  }
  histories::History history() && { return std::move(history_); }

 private:
  static constexpr std::size_t of_no_lock = ~std::size_t{0};
  struct Open {
    std::string call;
    std::size_t operation = of_no_lock;
  };

  /// Of the event that is being added.
  histories::Place place(const RecordedEvent& event) const {
    return {static_cast<std::uint32_t>(history_.lines.size() - 1), event.line, event.time};
  }

  histories::Thread thread(const std::string& who) {
    const auto [found, fresh] = threads_.try_emplace(who, static_cast<histories::Thread>(threads_.size()));
    if (fresh) history_.threads.push_back(who);
    return found->second;
  }

  std::string begin(const RecordedEvent& event, const std::string& who) {
    const std::string process = event.process.empty() ? who : event.process;
    if (open_.contains(process))
      return fmt::format("{} calls again before its `{}` has ended", process, open_.at(process).call);
    for (const std::string_view word : left_out_words)
      if (word == event.call) {
        ++history_.left_out;
        open_.emplace(process, Open{event.call});
        return "";
      }
    if (event.call == stranger_word) {
      history_.strangers.push_back(
          {event.line, event.lock.empty() ? event.call : event.call + " " + event.lock});
      open_.emplace(process, Open{event.call});
      return "";
    }
    const CallWord* word = find_call(event.call);
    if (word == nullptr) return event.call.empty() ? "it says no `call`" : unknown_call(event.call);
    histories::Operation operation{
        .thread = thread(who), .lock = event.lock, .verb = word->verb, .lease = event.lease};
    const bool shared = event.mode == "read" || event.mode == "shared";
    if (!shared && !event.mode.empty() && event.mode != "write" && event.mode != "exclusive")
      return fmt::format("`mode` is `{}`, not read or write", event.mode);
    operation.mode = word->mode.value_or(shared ? histories::Mode::shared : histories::Mode::exclusive);
    operation.begin = place(event);
    open_.emplace(process, Open{event.call, history_.operations.size()});
    history_.operations.push_back(std::move(operation));
    return "";
  }

  std::string end(const RecordedEvent& event, const std::string& who) {
    const std::string process = event.process.empty() ? who : event.process;
    const auto found = open_.find(process);
    if (found == open_.end()) return fmt::format("{} has called nothing that could end", process);
    const Open open = found->second;
    if (!event.call.empty() && event.call != open.call)
      return fmt::format("{} called `{}`, and `{}` ends", process, open.call, event.call);
    open_.erase(found);
    if (open.operation == of_no_lock || event.type == "info") return "";
    histories::Operation& operation = history_.operations[open.operation];
    if (operation.lock.empty()) operation.lock = event.lock;
    if (!event.lock.empty() && event.lock != operation.lock)
      return fmt::format("{} called for `{}`, and this ends a call for `{}`", process, operation.lock,
                         event.lock);
    operation.end = place(event);
    if (operation.begin.time && event.time && *event.time < *operation.begin.time)
      return fmt::format("it ends before it begins, in line {}", operation.begin.line);
    return answer(event, operation);
  }

  static std::string answer(const RecordedEvent& event, histories::Operation& operation) {
    const bool failed = event.type == "fail";
    operation.answer = {histories::Said::nothing, event.token};
    const auto said = event.answer ? said_of(operation.verb, *event.answer) : std::nullopt;
    if (event.answer && !said && !failed) return fmt::format("`{}` is no answer of this call", *event.answer);
    if (said && failed && says_it_was_done(operation.verb, *said))
      return fmt::format("it failed, and its answer is `{}`", *event.answer);
    if (said) operation.answer.said = *said;
    else if (!failed && histories::is_acquire(operation.verb))
      operation.answer.said = histories::Said::granted;
    else if (!failed && !histories::is_question(operation.verb))
      operation.answer.said = histories::Said::done;
    return "";
  }

  /// The latest call of the thread that has not ended waits for its lock.
  std::string wait(const RecordedEvent& event, const std::string& who) {
    const auto known = threads_.find(who);
    auto at = history_.operations.rbegin();
    while (at != history_.operations.rend() &&
           (known == threads_.end() || at->thread != known->second || !histories::is_acquire(at->verb)))
      ++at;
    if (at == history_.operations.rend() || at->end)
      return fmt::format("{} waits, and has called nothing to wait in", who);
    if (!at->queued) at->queued = place(event);
    return "";
  }

  histories::History history_;
  std::map<std::string, histories::Thread> threads_;
  std::map<std::string, Open> open_;  // by process
};

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '{') return first == text.npos;
  const std::size_t second = text.find_first_not_of(" \t\r\n", first + 1);
  return second != text.npos && (text[second] == '"' || text[second] == '}');
}

}  // namespace

sim::Result<histories::History> history_of(const std::vector<RecordedEvent>& events,
                                           const std::string& file) {
  Pairing pairing;
  for (const RecordedEvent& event : events)
    if (const std::string wrong = pairing.add(event); !wrong.empty())
      return sim::Problem{fmt::format("{}:{}: {}", file, event.line, wrong)};
  return std::move(pairing).history();
}

sim::Result<histories::History> parse_history(std::string_view text, const std::string& file) {
  text = sim::without_mark(text);
  const auto events = looks_like_json(text) ? parse_json_lines(text, file) : parse_jepsen(text, file);
  if (!events) return events.problem();
  return history_of(*events, file);
}

std::optional<std::string> wrong_word(const std::string& member, const std::string& word) {
  if (word.empty()) return std::nullopt;  // what stands there is left out
  if (member == "type") {
    const std::vector<std::string> types{"invoke", "ok", "fail", "info", "waits"};
    if (std::find(types.begin(), types.end(), word) != types.end()) return std::nullopt;
    return fmt::format("a `type` is invoke, ok, fail, info or waits, not `{}`", word);
  }
  if (member != "call" || find_call(word) != nullptr || word == stranger_word) return std::nullopt;
  const bool left_out = std::find(left_out_words.begin(), left_out_words.end(), word) != left_out_words.end();
  return left_out ? std::nullopt : std::optional(unknown_call(word));
}

}  // namespace lockstep::tools
