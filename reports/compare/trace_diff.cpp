#include "reports/compare/trace_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reports/compare/alignment.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

using sim::Trace;
using sim::TraceEvent;

void add_part(std::string& key, std::string_view part) {
  key += fmt::format("{}:", part.size());
  key += part;
}

/// Equal for events that are the same; without what one event more would shift.
std::string stored_key(const TraceEvent& event) {
  std::string key;
  for (const sim::KeyChange& change : event.changes) {
    for (const std::string* part : {&change.node, &change.key, &change.type}) add_part(key, *part);
    for (const auto& [name, value] : change.fields) {
      add_part(key, name);
      add_part(key, value);
    }
    key += fmt::format("{}{};", change.present ? '+' : '-',
                       change.pttl_ms ? std::to_string(*change.pttl_ms) : "");
  }
  return key;
}

std::string done_key(const TraceEvent& event) {
  std::string key = fmt::format("{}{}", word_of(event), event.of ? "/" : " ");
  for (const std::string* part : {&event.who, &event.from, &event.to, &event.act, &event.lock, &event.script,
                                  &event.meaning, &event.outcome, &event.name, &event.why})
    add_part(key, *part);
  for (const auto* list : {&event.keys, &event.argv}) {
    key += fmt::format("{}[", list->size());
    for (const std::string& one : *list) add_part(key, one);
  }
  if (event.ret) add_part(key, *event.ret);
  return key;
}

bool is_node(const Trace& trace, const std::string& id) {
  return std::any_of(trace.actors.begin(), trace.actors.end(), [&](const sim::TraceActor& actor) {
    return actor.id == id && actor.kind != "thread" && actor.kind != "process";
  });
}

/// What a server tells without having been asked.
bool is_push(const Trace& trace, const TraceEvent& event) {
  const bool of_message = event.kind == TraceKind::send || event.kind == TraceKind::recv ||
                          event.kind == TraceKind::drop || event.kind == TraceKind::hold ||
                          event.kind == TraceKind::release;
  return of_message && is_node(trace, event.kind == TraceKind::recv ? event.from : event.who) && !event.ret;
}

struct Aspect {
  std::string_view name;
  bool (*holds)(const Trace& trace, const TraceEvent& event);
  std::string (*key)(const TraceEvent& event) = done_key;
};

bool is_request(const Trace& trace, const TraceEvent& event) {
  const bool kind = event.kind == TraceKind::eval || event.kind == TraceKind::cmd ||
                    event.kind == TraceKind::send || event.kind == TraceKind::recv ||
                    event.kind == TraceKind::drop || event.kind == TraceKind::renew;
  return kind && !event.of && !is_push(trace, event);
}

/// Every event is of at least one of them, so what is the same in all of them is the same.
constexpr std::array<Aspect, 8> aspects = {{
    {"what callers do",
     [](const Trace&, const TraceEvent& e) {
       return e.kind == TraceKind::inv || e.kind == TraceKind::ret || e.kind == TraceKind::enter ||
              e.kind == TraceKind::leave || e.kind == TraceKind::park || e.kind == TraceKind::note ||
              e.kind == TraceKind::timer || e.kind == TraceKind::other;
     }},
    {"requests and replies", is_request},
    {"commands of scripts", [](const Trace&, const TraceEvent& e) { return e.of.has_value(); }},
    {"messages", is_push},
    {"what is stored",
     [](const Trace&, const TraceEvent& e) {
       return e.kind == TraceKind::expire || (e.kind != TraceKind::repl && !e.changes.empty());
     },
     stored_key},
    {"effects", [](const Trace&, const TraceEvent& e) { return e.kind == TraceKind::repl; },
     [](const TraceEvent& e) { return done_key(e) + stored_key(e); }},
    {"faults", [](const Trace& t, const TraceEvent& e) { return is_fault(e.kind) && !is_push(t, e); }},
    {"broken properties", [](const Trace&, const TraceEvent& e) { return e.kind == TraceKind::prop; }},
}};

std::vector<std::string> keys_of(const Trace& trace, const Aspect& aspect) {
  std::vector<std::string> keys;
  for (const TraceEvent& event : trace.events)
    if (aspect.holds(trace, event)) keys.push_back(aspect.key(event));
  return keys;
}

/// Nothing if both are alike in it.
std::string difference_in(const Trace& a, const Trace& b, const Aspect& aspect) {
  std::vector<std::string> one = keys_of(a, aspect), other = keys_of(b, aspect);
  if (one == other) return "";
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  return (one == other ? "the order of " : "") + std::string(aspect.name);
}

bool concerns(const TraceEvent& event, const std::string& actor) {
  return event.who == actor || event.from == actor || event.to == actor;
}

/// Only the events of one actor. An event of another one's that hands something over is of both.
Trace of_actor(const Trace& trace, const std::string& actor) {
  Trace part = trace;
  if (!actor.empty())
    std::erase_if(part.events, [&](const TraceEvent& event) { return !concerns(event, actor); });
  return part;
}

std::vector<std::string> done_by(const Trace& trace, const std::string& actor) {
  std::vector<std::string> keys;
  for (const TraceEvent& event : trace.events)
    if (event.who == actor) keys.push_back(done_key(event) + stored_key(event));
  return keys;
}

/// Nobody, whose events are violations, counts as well.
bool each_actor_does_the_same(const Trace& a, const Trace& b) {
  std::set<std::string> actors;
  for (const Trace* trace : {&a, &b})
    for (const TraceEvent& event : trace->events) actors.insert(event.who);
  return std::all_of(actors.begin(), actors.end(),
                     [&](const std::string& actor) { return done_by(a, actor) == done_by(b, actor); });
}

/// Numbers that are equal for events that are the same.
std::vector<std::size_t> numbered(const Trace& trace, std::map<std::string, std::size_t>& known) {
  std::vector<std::size_t> numbers;
  for (const TraceEvent& event : trace.events)
    numbers.push_back(known.emplace(done_key(event) + stored_key(event), known.size()).first->second);
  return numbers;
}

EventPair pair_of(const Trace& a, const Trace& b, const AlignedRow& row) {
  const Trace& trace = row.a ? a : b;
  const TraceEvent& event = trace.events[row.a ? *row.a : *row.b];
  const bool ran = (event.kind == TraceKind::eval || event.kind == TraceKind::cmd) && !event.from.empty();
  EventPair pair{.who = printable(ran ? event.from + "@" + event.who : event.who),
                 .what = event_text(trace, event),
                 .changes = changes_text(trace, event)};
  if (event.kind == TraceKind::expire) pair.what = "a key expires";
  if (event.kind == TraceKind::repl) pair.what = "applies effects of " + printable(event.from);
  if (row.a) pair.a = a.events[*row.a].index;
  if (row.b) pair.b = b.events[*row.b].index;
  pair.time_a_us = row.a ? a.events[*row.a].time_us : event.time_us;
  pair.time_b_us = row.b ? b.events[*row.b].time_us : event.time_us;
  return pair;
}

void compare_headers(TraceDiff& diff, const Trace& a, const Trace& b) {
  const auto compare = [&](std::string_view what, const std::string& one, const std::string& other) {
    if (one != other)
      diff.header.push_back(fmt::format("{}: {}, {}", what, one.empty() ? "–" : printable(one),
                                        other.empty() ? "–" : printable(other)));
  };
  compare("scenario", a.scenario, b.scenario);
  if (a.scenario == b.scenario) compare("digest of the scenario", a.scenario_digest, b.scenario_digest);
  compare("scripts", a.scripts, b.scripts);
  if (a.scripts == b.scripts) compare("digest of the scripts", a.scripts_digest, b.scripts_digest);
  compare("result", a.result, b.result);
}

}  // namespace

std::vector<std::string> actors_of(const Trace& a, const Trace& b) {
  std::vector<std::string> ids;
  for (const Trace* trace : {&a, &b})
    for (const sim::TraceActor& actor : trace->actors)
      if (std::find(ids.begin(), ids.end(), actor.id) == ids.end()) ids.push_back(actor.id);
  return ids;
}

TraceDiff compare_traces(const Trace& whole_a, const Trace& whole_b, const std::string& actor) {
  const Trace a = of_actor(whole_a, actor), b = of_actor(whole_b, actor);
  TraceDiff diff;
  compare_headers(diff, a, b);
  std::map<std::string, std::size_t> known;
  const std::vector<std::size_t> numbers_a = numbered(a, known), numbers_b = numbered(b, known);
  const Alignment alignment = align(numbers_a, numbers_b);
  diff.aligned = alignment.whole;
  bool times = false;
  for (const AlignedRow& row : alignment.rows) {
    diff.rows.push_back(pair_of(a, b, row));
    const EventPair& pair = diff.rows.back();
    if (!diff.first && pair.differs()) diff.first = diff.rows.size() - 1;
    times = times || (pair.a && pair.b && pair.differs());
    ++(row.a && row.b ? diff.both : row.a ? diff.only_a : diff.only_b);
  }
  for (const Aspect& aspect : aspects)
    if (std::string in = difference_in(a, b, aspect); !in.empty()) diff.in.push_back(std::move(in));
  const bool unequal = diff.only_a + diff.only_b > 0;
  if (unequal && each_actor_does_the_same(a, b)) diff.in = {"the order of what different actors do"};
  if (times) diff.in.emplace_back("times");
  return diff;
}

}  // namespace lockstep::reports
