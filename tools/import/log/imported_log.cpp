#include "tools/import/log/imported_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "lua/sha1.h"
#include "model/redis/kind.h"
#include "model/redis/look.h"
#include "reports/text/text.h"
#include "tools/import/log/known_scripts.h"
#include "tools/import/log/log_cast.h"
#include "tools/import/log/log_replay.h"
#include "tools/import/log/log_story.h"

namespace lockstep::tools {

namespace {

using sim::TraceEvent;
using sim::TraceKind;

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

bool is_flush(const model::Command& words) {
  const std::string verb = lower(words.front());
  return verb == "flushall" || verb == "flushdb";
}

std::optional<SentScript> sent_script(const model::Command& words) {
  const std::string verb = lower(words.front());
  const bool by_text = verb == "eval" || verb == "eval_ro",
             by_sha1 = verb == "evalsha" || verb == "evalsha_ro";
  if ((!by_text && !by_sha1) || words.size() < 3 || words[2].size() > 6) return std::nullopt;
  if (words[2].empty() || words[2].find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto count = static_cast<std::size_t>(std::stoul(words[2]));
  if (words.size() < 3 + count) return std::nullopt;
  SentScript sent;
  if (by_text) sent.text = words[1];
  sent.sha1 = by_text ? lua::sha1_hex(words[1]) : lower(words[1]);
  const auto keys = words.begin() + 3;
  sent.keys.assign(keys, keys + static_cast<std::ptrdiff_t>(count));
  sent.args.assign(keys + static_cast<std::ptrdiff_t>(count), words.end());
  return sent;
}

/// What a script calls so: the word of KEYS or ARGV with this name; empty if it has none.
std::string word_named(const std::string& name, const lua::Script& script, const SentScript& sent) {
  for (std::size_t i = 0; i < script.keys.size() && i < sent.keys.size(); ++i)
    if (script.keys[i] == name) return sent.keys[i];
  for (std::size_t i = 0; i < script.args.size() && i < sent.args.size(); ++i)
    if (script.args[i] == name) return sent.args[i];
  return "";
}

class LogImport {
 public:
  LogImport(const MonitorLog& log, const scenarios::ScriptLibrary& library, const lua::ScriptSet* of_user)
      : log_(log), known_(library, of_user) {}

  ImportedLog run() {
    look_through();
    make_setup();
    for (std::size_t at = 0; at < log_.commands.size(); ++at)
      if (!log_.commands[at].of_script()) take(at);
    sim::Trace& trace = done_.trace;
    done_.verdicts = judge_.verdicts();
    const bool violated =
        std::any_of(done_.verdicts.begin(), done_.verdicts.end(),
                    [](const LogVerdict& one) { return one.answer == LogAnswer::violated; });
    trace.scripts = setup_.scripts.name;
    trace.actors = cast_.actors();
    trace.events = story_.take_events();
    trace.result = violated ? "violated" : "passed";
    done_.threads = cast_.threads();
    done_.locks = locks_.size();
    return std::move(done_);
  }

 private:
  struct Lock {
    std::uint16_t object = 0;
    bool expires = true;
  };
  struct Database {
    std::string name;
    LogReplay replay;
    std::int64_t time_us = 0;  // of its last command, since the log begins
  };

  void look_through();
  void make_setup();
  void take(std::size_t at);
  void pass(const MonitorCommand& command, Database& database);
  void take_script(std::size_t at, const AskedScript& asked, Database& database);
  void take_command(const MonitorCommand& command, Database& database);
  AskedScript asked_in(SentScript sent) const;
  std::vector<model::Command> calls_after(std::size_t at) const;
  std::vector<std::string> locks_named_in(const model::Command& words) const;
  LoggedScript to_run(std::size_t at, const AskedScript& asked) const;
  static model::Items meaning_of(const LoggedRun& run, const AskedScript& asked);
  void count(const AskedScript& asked, const LoggedRun& run, std::size_t line);
  Database& database_of(const MonitorCommand& command);

  /// Who holds the lock, for the event; where that is otherwise than told last, it says so.
  void tell_truth(TraceEvent& event, const std::string& lock, const redis::Node& node);
  std::optional<model::Truth> truth_of(const std::string& lock, const redis::Node& node) const;

  const MonitorLog& log_;
  KnownScripts known_;
  std::map<std::string, std::string> texts_;  // of scripts, by SHA1
  std::map<std::string, Lock> locks_;
  std::set<std::string> keys_;  // of all scripts of locks
  bool has_calls_ = false;
  std::size_t last_script_ = 0;
  model::Setup setup_;
  lua::Engine engine_;
  std::map<std::uint8_t, Database> databases_;
  LogCast cast_;
  LogJudge judge_;
  LogStory story_{cast_};
  std::map<std::string, sim::LockTruth> told_truths_;
  ImportedLog done_;
};

AskedScript LogImport::asked_in(SentScript sent) const {
  AskedScript asked{.sent = std::move(sent)};
  asked.known = known_.find(asked.sent.sha1);
  if (asked.known != nullptr) {
    asked.lock = word_named("lock", *asked.known->script, asked.sent);
    if (asked.lock.empty()) asked.lock = word_named("locks", *asked.known->script, asked.sent);
    asked.holder = word_named("holder", *asked.known->script, asked.sent);
    if (asked.holder.empty()) asked.holder = word_named("holders", *asked.known->script, asked.sent);
  }
  return asked;
}

/// Which locks there are, and what the log knows of scripts.
void LogImport::look_through() {
  for (std::size_t at = 0; at < log_.commands.size(); ++at) {
    const MonitorCommand& command = log_.commands[at];
    if (command.of_script()) {
      has_calls_ = true;
      ++done_.calls;
      continue;
    }
    const bool loads =
        command.words.size() == 3 && lower(command.words[0]) == "script" && lower(command.words[1]) == "load";
    if (loads) texts_.emplace(lua::sha1_hex(command.words[2]), command.words[2]);
    auto sent = sent_script(command.words);
    if (!sent) continue;
    last_script_ = at;
    if (!sent->text.empty()) texts_.emplace(sent->sha1, sent->text);
    const AskedScript asked = asked_in(*std::move(sent));
    if (asked.known == nullptr || asked.lock.empty()) continue;
    const model::LockKind& kind = *asked.known->kind;
    locks_.emplace(asked.lock, Lock{model::number_of(kind), kind.promises.expires});
    keys_.insert(asked.sent.keys.begin(), asked.sent.keys.end());
  }
}

/// One object of each kind, on one server, so that shapes read what it stores.
void LogImport::make_setup() {
  std::set<std::string> sha1s;
  for (const MonitorCommand& command : log_.commands)
    if (!command.of_script())
      if (const auto sent = sent_script(command.words)) sha1s.insert(sent->sha1);
  setup_.scripts = known_.set_with(sha1s);
  setup_.nodes.push_back({.name = "R0"});
  const auto kinds = model::shipped_kinds();
  setup_.kinds.assign(kinds.begin(), kinds.end());
  for (std::uint16_t kind = 0; kind < setup_.kinds.size(); ++kind)
    setup_.objects.push_back({.kind = kind, .name = "lock", .via = {}, .group = {}});
}

LogImport::Database& LogImport::database_of(const MonitorCommand& command) {
  const auto found = databases_.find(command.database);
  if (found != databases_.end()) return found->second;
  return databases_.emplace(command.database, Database{cast_.server(command.database), LogReplay(engine_), 0})
      .first->second;
}

std::vector<model::Command> LogImport::calls_after(std::size_t at) const {
  std::vector<model::Command> calls;
  for (++at; at < log_.commands.size() && log_.commands[at].of_script(); ++at)
    calls.push_back(log_.commands[at].words);
  return calls;
}

std::optional<model::Truth> LogImport::truth_of(const std::string& lock, const redis::Node& node) const {
  const auto found = locks_.find(lock);
  if (found == locks_.end()) return std::nullopt;
  const model::LockKind& kind = *setup_.kinds[found->second.object];
  if (!kind.is_lock() || kind.spread != model::Spread::one_group || kind.shares_key) return std::nullopt;
  const std::array<std::optional<model::Look>, 1> groups{redis::look_at(node)};
  return model::shape_of(setup_, found->second.object).truth(groups, setup_, found->second.object, lock);
}

/// Keys whose time is over die on the way to the next command, each at its time.
void LogImport::pass(const MonitorCommand& command, Database& database) {
  const std::int64_t start_us = log_.commands.front().time_us, now_us = command.time_us - start_us;
  const std::int64_t then_us = std::exchange(database.time_us, now_us);
  database.replay.pass_to(command.time_us / 1000);
  const bool any = database.replay.before_passing().db.size() > database.replay.node().db.size();
  if (!any) return story_.time_is(now_us);
  const model::Look before = redis::look_at(database.replay.before_passing());
  std::vector<std::pair<std::int64_t, sim::KeyChange>> gone;
  for (sim::KeyChange& change :
       redis::key_changes(database.name, database.replay.before_passing(), database.replay.node())) {
    if (change.present) continue;
    const auto stored = before(change.key);
    const std::int64_t left_ms = stored && stored->left ? stored->left->count() + 1 : 0;
    gone.emplace_back(std::min(then_us + left_ms * 1000, now_us), std::move(change));
  }
  std::stable_sort(gone.begin(), gone.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  for (auto& [time_us, change] : gone) {
    story_.time_is(time_us);
    TraceEvent& event = story_.add(TraceKind::expire, database.name);
    const std::string key = change.key;
    event.changes = {std::move(change)};
    tell_truth(event, key, database.replay.node());
  }
  story_.time_is(now_us);
}

void LogImport::tell_truth(TraceEvent& event, const std::string& lock, const redis::Node& node) {
  const auto truth = truth_of(lock, node);
  if (!truth) return;
  sim::LockTruth now{.lock = lock, .holds = {}};
  for (const model::Hold& hold : truth->holds)
    if (!hold.lapsed)
      now.holds.push_back({cast_.thread(hold.holder), hold.count,
                           hold.left ? std::optional(hold.left->count()) : std::nullopt});
  sim::LockTruth& before =
      told_truths_.emplace(lock, sim::LockTruth{.lock = lock, .holds = {}}).first->second;
  if (before == now) return;
  before = now;
  event.truths.push_back(std::move(now));
}

LoggedScript LogImport::to_run(std::size_t at, const AskedScript& asked) const {
  LoggedScript script{.words = log_.commands[at].words,
                      .key = asked.lock.empty() ? asked.sent.keys.front() : asked.lock,
                      .holder = asked.holder,
                      .calls = calls_after(at),
                      .compare = has_calls_,
                      .may_be_cut = at == last_script_};
  const auto seen = texts_.find(asked.sent.sha1);
  if (asked.known == nullptr && seen == texts_.end()) {
    script.words.clear();
    return script;
  }
  script.words[0] = "EVAL";
  script.words[1] = asked.known != nullptr ? asked.known->script->text : seen->second;
  return script;
}

model::Items LogImport::meaning_of(const LoggedRun& run, const AskedScript& asked) {
  if (!run.reply || asked.known == nullptr || asked.known->role->read == nullptr) return {};
  if (run.reply->error() == nullptr) return asked.known->role->read(*run.reply);
  return {{.what = model::Meaning::failed, .wait = {}, .number = {}}};
}

void LogImport::count(const AskedScript& asked, const LoggedRun& run, std::size_t line) {
  if (asked.known == nullptr) ++done_.unrecognised;
  else ++done_.scripts;
  if (run.how == LoggedRun::How::unexplained) {
    done_.unexplained.push_back({line, run.note});
    judge_.gap();
    return;
  }
  if (asked.known != nullptr) ++done_.explained;
  if (!run.note.empty()) done_.assumed.push_back({line, run.note});
}

void LogImport::take_script(std::size_t at, const AskedScript& asked, Database& database) {
  const MonitorCommand& command = log_.commands[at];
  const LoggedScript script = to_run(at, asked);
  const std::string who = story_.sender_of(asked, command.client);
  const LoggedRun run = database.replay.run_script(cast_.connection(command.client), script);
  const model::Items meaning = meaning_of(run, asked);
  const redis::Node& after = database.replay.node();
  const bool assumed = database.replay.is_assumed(script.key);

  TraceEvent& ran = story_.runs(asked, who, database.name, run, meaning,
                                assumed && model::says(meaning, model::Meaning::refused));
  ran.changes = redis::key_changes(database.name, run.before, after);
  tell_truth(ran, asked.lock, after);
  story_.ran(asked, who, run, meaning);
  count(asked, run, command.line);
  if (asked.lock.empty() || asked.known->kind->shares_key) return;  // what is one key there are several locks
  JudgedRequest judged{.line = command.line,
                       .lock = asked.lock,
                       .who = asked.holder.empty() ? who : cast_.thread(asked.holder),
                       .holder = asked.holder,
                       .intent = asked.known->role->intent,
                       .mode = asked.known->kind->mode,
                       .meaning = meaning,
                       .expires = asked.known->kind->promises.expires,
                       .ttl_known = !assumed,
                       .before = truth_of(asked.lock, run.before).value_or(model::Truth{}),
                       .after = truth_of(asked.lock, after).value_or(model::Truth{})};
  story_.broke(judge_.see(judged));
}

/// A command that names no key, such as FLUSHALL, is about all of them.
std::vector<std::string> LogImport::locks_named_in(const model::Command& words) const {
  std::vector<std::string> named;
  if (is_flush(words))
    for (const auto& [key, lock] : locks_) named.push_back(key);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (locks_.contains(words[i])) named.push_back(words[i]);
  return named;
}

void LogImport::take_command(const MonitorCommand& command, Database& database) {
  const LoggedRun run = database.replay.run_command(cast_.connection(command.client), command.words);
  const redis::Node& after = database.replay.node();
  TraceEvent& ran = story_.runs_command(cast_.client(command.client), database.name, command.words, run);
  ran.changes = redis::key_changes(database.name, run.before, after);
  const std::vector<std::string> locks = locks_named_in(command.words);
  for (const std::string& key : locks) tell_truth(ran, key, after);
  story_.pushes(run, database.name);
  for (const std::string& key : locks) {
    const JudgedRequest judged{.line = command.line,
                               .lock = key,
                               .who = "a command of " + reports::printable(command.client),
                               .expires = locks_.at(key).expires,
                               .ttl_known = !database.replay.is_assumed(key),
                               .before = truth_of(key, run.before).value_or(model::Truth{}),
                               .after = truth_of(key, after).value_or(model::Truth{})};
    if (judged.before != judged.after) story_.broke(judge_.see(judged));
  }
}

void LogImport::take(std::size_t at) {
  const MonitorCommand& command = log_.commands[at];
  if (auto sent = sent_script(command.words)) {
    const AskedScript asked = asked_in(*std::move(sent));
    const bool touches = std::any_of(asked.sent.keys.begin(), asked.sent.keys.end(),
                                     [&](const std::string& key) { return keys_.contains(key); });
    if (touches) {
      Database& database = database_of(command);
      pass(command, database);
      take_script(at, asked, database);
      return;
    }
  } else if (is_flush(command.words) ||
             std::any_of(command.words.begin() + 1, command.words.end(),
                         [&](const std::string& word) { return keys_.contains(word); })) {
    Database& database = database_of(command);
    pass(command, database);
    take_command(command, database);
    return;
  }
  ++done_.others;
}

}  // namespace

ImportedLog import_log(const MonitorLog& log, const scenarios::ScriptLibrary& library,
                       const lua::ScriptSet* of_user) {
  return LogImport(log, library, of_user).run();
}

}  // namespace lockstep::tools
