#include "model/mysql/database.h"

#include <algorithm>
#include <charconv>

#include "model/mysql/kind.h"
#include "sim/base/passing.h"

namespace lockstep::mysql {

namespace {

using model::Command;
using model::Effect;
using model::Effects;
using model::Reply;
using model::Served;

std::int64_t number_in(const std::string& word) {
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// A row as replicas get it: its time, if it has one, as what is left of it.
Effect effect_of(const std::string& lock, const Row& row) {
  if (!row.counts) return {.words = {"ROW", lock, row.holder}, .time_word = {}};
  return {.words = {"ROW", lock, row.holder, ""}, .time_word = 3, .remaining = row.counts->left};
}
Effect removal(const std::string& lock) { return {.words = {"NO-ROW", lock}, .time_word = {}}; }

Served insert(Database& database, const Command& words) {
  if (database.rows.contains(words[1])) return {.reply = duplicate_key};
  Row row{words[2], {}, {}};
  if (words.size() > 3) row.counts = {Duration{number_in(words[3])}};
  if (database.clean_after > Duration::zero()) row.cleaned = {database.clean_after};
  database.rows[words[1]] = row;
  return {.reply = std::int64_t{1}, .effects = {effect_of(words[1], row)}};
}

/// A row whose time is over is still its holder's until somebody deletes it.
Served update(Database& database, const Command& words) {
  const auto row = database.rows.find(words[1]);
  if (row == database.rows.end() || row->second.holder != words[2]) return {.reply = std::int64_t{0}};
  row->second.counts = {Duration{number_in(words[3])}};
  return {.reply = std::int64_t{1}, .effects = {effect_of(words[1], row->second)}};
}

template <class Wanted>
Served remove(Database& database, const std::string& lock, Wanted wanted) {
  const auto row = database.rows.find(lock);
  if (row == database.rows.end() || !wanted(row->second)) return {.reply = std::int64_t{0}};
  database.rows.erase(row);
  return {.reply = std::int64_t{1}, .effects = {removal(lock)}};
}

model::Push told(const Owed& owed) {
  return {model::connection_of(owed.process),
          Reply::Array{std::string("message"), owed.lock, "answer " + std::to_string(owed.answer),
                       owed.holder, owed.answer}};
}

/// The next in line has it.
std::optional<Owed> hand_over(Database& database, const std::string& lock) {
  OfConnection& its = database.held.at(lock);
  if (its.queue.empty()) {
    database.held.erase(lock);
    return std::nullopt;
  }
  const Waiter next = its.queue.front();
  its.queue.erase(its.queue.begin());
  its.process = next.process;
  its.holder = next.holder;
  its.count = 1;
  return Owed{next.process, lock, next.holder, 1};
}

Served take(Database& database, ProcessId from, const Command& words, bool of_row) {
  const auto [found, is_free] = database.held.try_emplace(words[1], OfConnection{from, words[2], 1, {}});
  OfConnection& its = found->second;
  if (is_free) return {.reply = std::int64_t{1}};
  if (its.process == from && its.holder == words[2]) {
    ++its.count;
    return {.reply = std::int64_t{1}};
  }
  const std::int64_t ms = number_in(words[3]);
  const Duration patience = ms >= 0 ? Duration{ms} : of_row ? database.lock_wait : sim::never;
  if (patience == Duration::zero()) return {.reply = of_row ? lock_wait_timeout : 0};
  its.queue.push_back({from, words[2], of_row, {patience}});
  return {.reply = waits};
}

Served give_back(Database& database, ProcessId from, const Command& words) {
  const auto found = database.held.find(words[1]);
  if (found == database.held.end() || found->second.process != from || found->second.holder != words[2])
    return {.reply = std::int64_t{0}};
  Served served{.reply = std::int64_t{1}};
  if (--found->second.count > 0) return served;
  if (const auto owed = hand_over(database, words[1])) served.pushes.push_back(told(*owed));
  return served;
}

void give_up_waiting(Database& database, std::vector<model::Push>& pushes) {
  for (auto& [lock, its] : database.held) {
    for (const Waiter& one : its.queue)
      if (one.left.due())
        pushes.push_back(told({one.process, lock, one.holder, one.of_row ? lock_wait_timeout : 0}));
    std::erase_if(its.queue, [](const Waiter& one) { return one.left.due(); });
  }
}

}  // namespace

Served serve(Database& database, ProcessId from, const Command& words) {
  const std::string& what = words[0];
  if (what == "INSERT") return insert(database, words);
  if (what == "UPDATE") return update(database, words);
  if (what == "DELETE")
    return remove(database, words[1],
                  [&](const Row& row) { return words.size() < 3 || row.holder == words[2]; });
  if (what == "DELETE-OLD")
    return remove(database, words[1], [](const Row& row) { return row.counts && row.counts->due(); });
  if (what == "GET-LOCK" || what == "SELECT-FOR-UPDATE")
    return take(database, from, words, what == "SELECT-FOR-UPDATE");
  if (what == "RELEASE-LOCK" || what == "COMMIT") return give_back(database, from, words);
  return {.reply = lua::Error{"1064 You have an error in your SQL syntax near '" + what + "'"}};
}

model::Unasked pass(Database& database, Duration steady, Duration wall) {
  model::Unasked unasked;
  sim::pass(database, sim::Passed{steady, wall});
  for (const Owed& owed : std::exchange(database.owed, {})) unasked.pushes.push_back(told(owed));
  give_up_waiting(database, unasked.pushes);
  for (auto row = database.rows.begin(); row != database.rows.end();) {
    const bool goes = row->second.cleaned && row->second.cleaned->due() && database.leads;
    if (goes) unasked.gone.push_back({row->first, {removal(row->first)}});
    row = goes ? database.rows.erase(row) : std::next(row);
  }
  return unasked;
}

void apply(Database& database, const Effects& effects, Duration skew) {
  for (const Effect& effect : effects) {
    const std::string& lock = effect.words[1];
    if (effect.words[0] == "NO-ROW") {
      database.rows.erase(lock);
      continue;
    }
    Row row{effect.words[2], {}, {}};
    if (effect.time_word) row.counts = {std::max(effect.remaining - skew, Duration::zero())};
    if (database.clean_after > Duration::zero()) row.cleaned = {database.clean_after};
    database.rows[lock] = std::move(row);
  }
}

void disconnect(Database& database, ProcessId process) {
  std::vector<std::string> free;
  for (auto& [lock, its] : database.held) {
    std::erase_if(its.queue, [&](const Waiter& one) { return one.process == process; });
    if (its.process == process) free.push_back(lock);
  }
  for (const std::string& lock : free)
    if (const auto owed = hand_over(database, lock)) database.owed.push_back(*owed);
  std::erase_if(database.owed, [&](const Owed& one) { return one.process == process; });
}

void disconnect_all(Database& database) {
  database.held.clear();
  database.owed.clear();
}

Duration next_change(const Database& database) {
  Duration next = database.owed.empty() ? sim::never : Duration{1};
  const auto consider = [&](Duration left) {
    if (left > Duration::zero()) next = std::min(next, left);
  };
  for (const auto& [lock, row] : database.rows) {
    if (row.counts) consider(row.counts->left);
    if (row.cleaned && database.leads) consider(row.cleaned->left);
  }
  for (const auto& [lock, its] : database.held)
    for (const Waiter& one : its.queue) consider(one.left.left);
  return next;
}

}  // namespace lockstep::mysql
