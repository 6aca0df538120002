// written_history.h: a history of one lock in a few words, for tests.
//
//   written("A lock | B lock | A ok | A unlock | A ok | B ok")
//
// Each event is a thread and a word: a call (lock, trylock, unlock, force-unlock, is-locked, is-held; with a
// lease behind it, in seconds), or how its last call ended: `ok`, `no` (refused, not held, false), `nothing`,
// a token as a number, or `info`, after which it is pending, as one is without an end; or `waits`. `@5` sets
// the time, in seconds.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "properties/histories/history.h"

namespace lockstep::histories {

inline constexpr Time second = 1'000'000'000;

class HistoryWriter {
 public:
  History write(const std::string& text) {
    std::istringstream events(text);
    for (std::string event; std::getline(events, event, '|');) {
      std::istringstream words(event);
      std::string who, word;
      words >> who;
      if (who.front() == '@') {
        now_ = std::stoll(who.substr(1)) * second;
        words >> who;
      }
      words >> word;
      std::int64_t lease = 0;
      const bool leased = static_cast<bool>(words >> lease);
      add(who, word, leased ? std::optional<Time>(lease * second) : std::nullopt);
    }
    return std::move(history_);
  }

 private:
  void add(const std::string& who, const std::string& word, std::optional<Time> lease) {
    const Place place{events_, events_ + 1, now_};
    ++events_;
    history_.lines.push_back(place.line);
    Thread thread = 0;
    while (thread < history_.threads.size() && history_.threads[thread] != who) ++thread;
    if (thread == history_.threads.size()) history_.threads.push_back(who);
    if (const auto verb = verb_of(word)) {
      Operation operation{.thread = thread, .lock = "orders", .verb = *verb, .lease = lease};
      if (word.starts_with("read")) operation.mode = Mode::shared;
      operation.begin = place;
      history_.operations.push_back(operation);
      return;
    }
    for (auto at = history_.operations.rbegin(); at != history_.operations.rend(); ++at) {
      if (at->thread != thread) continue;
      if (word == "waits") at->queued = place;
      else if (word != "info") end(*at, word, place);
      return;
    }
  }

  static void end(Operation& operation, const std::string& word, const Place& place) {
    operation.end = place;
    Answer& answer = operation.answer;
    const bool acquires = is_acquire(operation.verb), asks = is_question(operation.verb);
    if (word == "nothing") answer.said = Said::nothing;
    else if (word == "no")
      answer.said = acquires ? Said::refused : operation.verb == Verb::unlock ? Said::not_held : Said::no;
    else answer.said = acquires ? Said::granted : asks ? Said::yes : Said::done;
    if (word.front() == '-' || (word.front() >= '0' && word.front() <= '9')) answer.token = std::stoll(word);
  }

  static std::optional<Verb> verb_of(std::string_view word) {
    if (word == "lock" || word == "read") return Verb::lock;
    if (word == "trylock" || word == "readtry") return Verb::try_lock;
    if (word == "unlock" || word == "readunlock") return Verb::unlock;
    if (word == "force-unlock") return Verb::force_unlock;
    if (word == "is-locked") return Verb::is_locked;
    if (word == "is-held") return Verb::is_held;
    return std::nullopt;
  }

  History history_;
  std::uint32_t events_ = 0;
  Time now_ = 0;
};

inline History written(const std::string& text) { return HistoryWriter().write(text); }

}  // namespace lockstep::histories
