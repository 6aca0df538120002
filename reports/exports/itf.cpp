#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <map>
#include <set>

#include "reports/exports/exports.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using Json = nlohmann::ordered_json;
using sim::TraceEvent;
using sim::TraceKind;

Json bigint(std::int64_t value) { return {{"#bigint", std::to_string(value)}}; }

Json set_of(const std::set<std::string>& words) {
  Json members = Json::array();
  for (const std::string& word : words) members.push_back(printable(word));
  return {{"#set", std::move(members)}};
}

/// What a key holds: a list of pairs, since a stored list may repeat what it holds. pttl -1: for good.
Json value_of(const sim::KeyChange& key) {
  Json pairs = Json::array();
  for (const auto& [field, value] : key.fields)
    pairs.push_back({{"#tup", {printable(field), printable(value)}}});
  return {
      {"type", printable(key.type)}, {"value", std::move(pairs)}, {"pttl", bigint(key.pttl_ms.value_or(-1))}};
}

struct State {
  std::string action = "start";
  std::int64_t time_us = 0;
  std::map<std::pair<std::string, std::string>, sim::KeyChange> keys;
  std::map<std::string, std::set<std::string>> believed;
  std::set<std::string> broken;

  void add(const TraceEvent& event, const std::vector<sim::TraceActor>& actors) {
    time_us = event.time_us;
    for (const sim::KeyChange& change : event.changes) {
      if (change.present) keys[{change.node, change.key}] = change;
      else keys.erase({change.node, change.key});
    }
    if (event.kind == TraceKind::enter) believed[event.who].insert(event.lock);
    if (event.kind == TraceKind::leave) believed[event.who].erase(event.lock);
    if (event.kind == TraceKind::prop) broken.insert(event.name);
    if (event.kind == TraceKind::crash)
      for (const sim::TraceActor& actor : actors)
        if (actor.of == event.who) believed.erase(actor.id);
  }

  Json json(std::size_t index) const {
    Json stored = Json::array(), held = Json::array();
    for (const auto& [place, key] : keys)
      stored.push_back({{{"#tup", {printable(place.first), printable(place.second)}}}, value_of(key)});
    for (const auto& [who, locks] : believed) held.push_back({printable(who), set_of(locks)});
    return {{"#meta", {{"index", index}}},
            {"action", printable(action)},
            {"time_us", bigint(time_us)},
            {"keys", {{"#map", std::move(stored)}}},
            {"believes", {{"#map", std::move(held)}}},
            {"broken", set_of(broken)}};
  }
};

std::string action_of(const TraceEvent& event) {
  std::string text = event.who + " " + std::string(sim::word_of(event));
  for (const std::string* more : {&event.script, &event.act, &event.lock})
    if (!more->empty()) text += " " + *more;
  return text;
}

}  // namespace

std::string itf(const sim::Trace& trace) {
  Json states = Json::array();
  State state;
  for (const TraceEvent& event : trace.events) {
    if (event.choice) {
      states.push_back(state.json(states.size()));
      state.action = action_of(event);
    }
    state.add(event, trace.actors);
  }
  states.push_back(state.json(states.size()));
  Json document;
  document["#meta"] = {{"format", "ITF"},
                       {"format-description", "https://apalache.informal.systems/docs/adr/015adr-trace.html"},
                       {"source", printable(trace.scenario)},
                       {"status", printable(trace.result)}};
  document["params"] = Json::array();
  document["vars"] = {"action", "time_us", "keys", "believes", "broken"};
  document["states"] = std::move(states);
  return document.dump(1) + "\n";
}

}  // namespace lockstep::reports
