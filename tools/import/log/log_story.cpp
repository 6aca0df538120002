#include "tools/import/log/log_story.h"

#include <algorithm>

#include "model/world/tracer.h"

namespace lockstep::tools {

namespace {

using model::Intent;
using model::Meaning;
using sim::TraceEvent;
using sim::TraceKind;

std::string one_line(const model::Command& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TraceEvent& LogStory::add(TraceKind kind, std::string who) {
  TraceEvent event;
  event.index = static_cast<std::int64_t>(events_.size());
  event.time_us = time_us_;
  event.kind = kind;
  event.who = std::move(who);
  return events_.emplace_back(std::move(event));
}

std::string LogStory::sender_of(const AskedScript& asked, const std::string& address) {
  if (asked.holder.empty()) return cast_.client(address);
  const std::string& thread = cast_.thread(asked.holder);
  return asked.is_to(Intent::renew) ? cast_.client_of(asked.holder) : thread;
}

void LogStory::before(const AskedScript& asked, const std::string& who) {
  if (asked.is_to(Intent::renew)) add(TraceKind::renew, who).lock = asked.lock;
  const bool begins = asked.is_to(Intent::acquire) && asking_.emplace(who, asked.lock).second;
  if (!begins && !asked.is_to(Intent::release)) return;
  TraceEvent& call = add(TraceKind::inv, who);
  call.act = (begins ? "lock " : "unlock ") + asked.lock;
  call.lock = asked.lock;
}

void LogStory::after(const AskedScript& asked, const std::string& who, const model::Items& meaning) {
  const bool granted = model::says(meaning, Meaning::granted), gives_back = asked.is_to(Intent::release);
  if (!granted && !gives_back) return;
  const bool fails = model::says(meaning, Meaning::not_holder);
  TraceEvent& returned = add(TraceKind::ret, who);
  returned.act = (gives_back ? "unlock " : "lock ") + asked.lock;
  returned.lock = asked.lock;
  returned.ret = fails ? "exception" : "done";
  returned.outcome = fails ? "info" : "ok";
  const Claim claim{who, asked.lock};
  if (granted) asking_.erase(claim);
  if (granted && believing_.insert(claim).second) add(TraceKind::enter, who).lock = asked.lock;
  if (gives_back && !model::says(meaning, Meaning::still_held) && believing_.erase(claim) > 0)
    add(TraceKind::leave, who).lock = asked.lock;
}

void LogStory::calls(const LoggedRun& run, std::int64_t of, const std::string& who) {
  for (const model::ScriptCall& call : run.calls) {
    TraceEvent& event = add(TraceKind::cmd, who);
    event.act = one_line(call.words);
    event.of = of;
    if (call.line > 0) event.line = call.line;
  }
}

void LogStory::pushes(const LoggedRun& run, const std::string& server) {
  for (const model::Push& push : run.pushes) {
    const model::Reply::Array* parts = push.message.array();
    const std::string to = cast_.owner(push.to);
    if (parts == nullptr || parts->size() < 3 || to.empty()) continue;
    const std::string* text = parts->back().bulk();
    TraceEvent& event = add(TraceKind::send, server);
    event.to = to;
    event.msg = messages_++;
    event.act = "message " + (text == nullptr ? std::string() : *text);
  }
}

TraceEvent& LogStory::runs(const AskedScript& asked, const std::string& who, const std::string& server,
                           const LoggedRun& run, const model::Items& meaning, bool time_is_guessed) {
  before(asked, who);
  TraceEvent& sent = add(TraceKind::send, who);
  sent.to = server;
  sent.msg = messages_;
  sent.act = asked.known == nullptr ? "a script" : asked.role() + " " + asked.lock;
  sent.lock = asked.lock;
  const std::int64_t cause = sent.index;
  TraceEvent& ran = add(TraceKind::eval, server);
  ran.from = who;
  ran.msg = messages_++;
  ran.cause = cause;
  ran.lock = asked.lock;
  ran.script = asked.role();
  ran.act = asked.known == nullptr ? "a script" : "";
  ran.keys = asked.sent.keys;
  ran.argv = asked.sent.args;
  ran.ret = run.reply && !time_is_guessed ? model::show_reply(*run.reply) : "unknown";
  if (meaning.empty()) return ran;
  ran.meaning = model::name_of(meaning.front().what);
  std::replace(ran.meaning.begin(), ran.meaning.end(), '-', ' ');
  if (meaning.front().wait && !time_is_guessed) ran.wait_ms = meaning.front().wait->count();
  return ran;
}

void LogStory::ran(const AskedScript& asked, const std::string& who, const LoggedRun& run,
                   const model::Items& meaning) {
  const TraceEvent answer = events_.back();
  calls(run, answer.index, answer.who);
  pushes(run, answer.who);
  TraceEvent& heard = add(TraceKind::recv, who);
  heard.from = answer.who;
  heard.msg = answer.msg;
  heard.cause = answer.index;
  heard.lock = asked.lock;
  heard.script = answer.script;
  heard.act = answer.ret.value_or("");
  heard.ret = answer.ret;
  heard.meaning = answer.meaning;
  heard.wait_ms = answer.wait_ms;
  after(asked, who, meaning);
}

TraceEvent& LogStory::runs_command(const std::string& who, const std::string& server,
                                   const model::Command& words, const LoggedRun& run) {
  TraceEvent& ran = add(TraceKind::cmd, server);
  ran.from = who;
  ran.act = one_line(words);
  if (run.reply) ran.ret = model::show_reply(*run.reply);
  return ran;
}

void LogStory::broke(const std::vector<LogBreach>& breaches) {
  for (const LogBreach& breach : breaches) {
    TraceEvent& event = add(TraceKind::prop, "");
    event.name = properties::info(breach.property).name;
    event.why = breach.why;
  }
}

}  // namespace lockstep::tools
