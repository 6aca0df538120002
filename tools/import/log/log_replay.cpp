#include "tools/import/log/log_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/redis/look.h"
#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

using sim::Duration;

constexpr Duration slack_max{2};
const model::ConnectionId nobody = sim::make_id<model::ConnectionId>(60'000);

bool same_call(const model::Command& one, const model::Command& other) {
  const auto same_letter = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return !one.empty() && one.size() == other.size() &&
         std::equal(one[0].begin(), one[0].end(), other[0].begin(), other[0].end(), same_letter) &&
         std::equal(one.begin() + 1, one.end(), other.begin() + 1);
}

bool explains(const LoggedRun& run, const LoggedScript& script) {
  if (!script.compare) return true;
  if (run.calls.size() < script.calls.size()) return false;
  if (run.calls.size() > script.calls.size() && !script.may_be_cut) return false;
  for (std::size_t i = 0; i < script.calls.size(); ++i)
    if (!same_call(run.calls[i].words, script.calls[i])) return false;
  return true;
}

std::string called(const model::Command& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + reports::cut(reports::printable(word), 40);
  return text;
}

std::string called(const std::vector<model::ScriptCall>& calls) {
  std::string text;
  for (const model::ScriptCall& call : calls) text += (text.empty() ? "" : "; ") + called(call.words);
  return text.empty() ? "nothing" : text;
}

std::string called(const std::vector<model::Command>& calls) {
  std::string text;
  for (const model::Command& call : calls) text += (text.empty() ? "" : "; ") + called(call);
  return text.empty() ? "nothing" : text;
}

}  // namespace

void LogReplay::pass_to(std::int64_t wall_ms) {
  before_passing_ = node_;
  passed_ = Duration{wall_ms_ ? wall_ms - *wall_ms_ : 0};
  wall_ms_ = wall_ms;
  redis::advance(node_, passed_);
}

bool LogReplay::has(const redis::Node& node, const std::string& key) const {
  return redis::look_at(node)(key).has_value();
}

void LogReplay::hold(redis::Node& node, const std::string& key, const std::string& holder, int count) {
  remove(node, key);
  redis::execute(node, nobody, {"HSET", key, holder, std::to_string(count)},
                 {.engine = engine_, .wall_ms = wall_ms_.value_or(0)});
}

void LogReplay::remove(redis::Node& node, const std::string& key) {
  redis::execute(node, nobody, {"DEL", key}, {.engine = engine_, .wall_ms = wall_ms_.value_or(0)});
}

LoggedRun LogReplay::attempt(redis::Node& node, model::ConnectionId from, const model::Command& words) {
  LoggedRun run{.before = node};
  redis::Outcome outcome = redis::execute(
      node, from, words,
      {.engine = engine_, .wall_ms = wall_ms_.value_or(0), .calls = &run.calls, .want_effects = false});
  run.reply = std::move(outcome.reply);
  run.pushes = std::move(outcome.pushes);
  return run;
}

LoggedRun LogReplay::run_command(model::ConnectionId from, const model::Command& words) {
  LoggedRun run = attempt(node_, from, words);
  forget_assumed();
  return run;
}

/// A key that is gone, or was given a time to live since, is as the model says.
void LogReplay::forget_assumed() {
  std::erase_if(assumed_, [&](const std::string& key) {
    const auto stored = redis::look_at(node_)(key);
    return !stored || stored->left;
  });
}

/// In the order of how little they assume.
std::vector<LogReplay::Guess> LogReplay::guesses(const LoggedScript& script) {
  using How = LoggedRun::How;
  std::vector<Guess> all;
  for (Duration slack{1}; slack <= slack_max; slack += Duration{1})
    for (const Duration by : {-slack, slack}) all.push_back({"", nullptr, How::as_logged, by});
  const std::string& key = script.key;
  if (key.empty()) return all;
  const std::string name = reports::printable(key);
  const bool there = has(node_, key), fresh = !seen_.contains(key);
  const auto held_by = [&](std::string who, int count, How how, std::string note) {
    all.push_back({std::move(note),
                   [this, key, who = std::move(who), count](redis::Node& n) { hold(n, key, who, count); },
                   how,
                   {}});
  };
  const auto by_asker = [&](How how, const std::string& prefix) {
    if (script.holder.empty()) return;
    held_by(script.holder, 1, how, prefix + "by who asks");
    held_by(script.holder, 2, how, prefix + "twice by who asks");
  };
  const auto by = [&](How how, const std::string& prefix) {
    held_by(earlier_holder, 1, how, prefix + "by somebody else");
    by_asker(how, prefix);
  };
  const std::string before = fmt::format("{} was held before the log begins, ", name);
  if (fresh && !there) by(How::assumed, before);
  if (there && assumed_.contains(key)) by_asker(How::assumed, before);
  const auto ends = [this, key](redis::Node& node) { remove(node, key); };
  if (there && assumed_.contains(key))
    all.push_back(
        {fmt::format("the hold of {} from before the log begins has ended", name), ends, How::assumed, {}});
  if (there)
    all.push_back({fmt::format("it is as if {} had been deleted", name), ends, How::unexplained, {}});
  by(How::unexplained, fmt::format("it is as if {} were held ", name));
  return all;
}

LoggedRun LogReplay::run_script(model::ConnectionId from, const LoggedScript& script) {
  LoggedRun run = explained(from, script);
  forget_assumed();
  return run;
}

LoggedRun LogReplay::explained(model::ConnectionId from, const LoggedScript& script) {
  std::optional<LoggedRun> as_it_is;
  if (!script.words.empty()) {
    redis::Node node = node_;
    as_it_is = attempt(node, from, script.words);
    const bool explained = explains(*as_it_is, script);
    if (explained) node_ = std::move(node);
    std::vector<Guess> all;
    if (!explained) all = guesses(script);
    seen_.insert(script.key);
    if (explained) return *std::move(as_it_is);
    for (const Guess& guess : all) {
      node = guess.slack ? before_passing_ : node_;
      if (guess.slack) redis::advance(node, std::max(passed_ + *guess.slack, Duration{}));
      if (guess.change) guess.change(node);
      LoggedRun run = attempt(node, from, script.words);
      if (!explains(run, script)) continue;
      node_ = std::move(node);
      run.how = guess.how;
      run.note = guess.note;
      if (guess.change && has(node_, script.key)) assumed_.insert(script.key);
      if (run.how == LoggedRun::How::unexplained)
        run.note = fmt::format("the log shows `{}`, the model calls `{}`; {}", called(script.calls),
                               called(as_it_is->calls), guess.note);
      return run;
    }
  }
  LoggedRun run{.how = LoggedRun::How::unexplained, .before = node_};
  for (const model::Command& call : script.calls) {
    LoggedRun one = run_command(from, call);
    run.calls.push_back({.words = call});
    run.pushes.insert(run.pushes.end(), one.pushes.begin(), one.pushes.end());
  }
  run.note = script.words.empty()
                 ? "the text of the script is not known; what it calls is taken from the log"
                 : fmt::format("the log shows `{}`, and the model, whatever the key holds, `{}`",
                               called(script.calls), called(as_it_is->calls));
  return run;
}

}  // namespace lockstep::tools
