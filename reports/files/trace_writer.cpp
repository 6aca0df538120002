#include <nlohmann/json.hpp>
#include <set>

#include "reports/files/trace_file.h"
#include "reports/text/text.h"
#include "sim/base/digest.h"

namespace lockstep::reports {

namespace {

using Json = nlohmann::ordered_json;

Json text(const std::string& value) {
  if (valid_utf8(value)) return value;
  return Json{{"b64", base64(value)}};
}

Json texts(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const auto& value : values) out.push_back(text(value));
  return out;
}

Json number(std::int64_t value) {
  constexpr std::int64_t exact_max = std::int64_t{1} << 53;  // what a reader with only doubles keeps
  if (value > exact_max || value < -exact_max) return std::to_string(value);
  return value;
}

void put(Json& out, const char* key, const std::string& value) {
  if (!value.empty()) out[key] = text(value);
}

void put(Json& out, const char* key, const std::optional<std::int64_t>& value) {
  if (value) out[key] = number(*value);
}

using Fields = std::vector<std::pair<std::string, std::string>>;

bool fits_an_object(const Fields& fields) {
  std::set<std::string_view> names;
  for (const auto& field : fields) {
    if (!valid_utf8(field.first) || !names.insert(field.first).second) return false;
  }
  return true;
}

bool nameless(const Fields& fields) {
  for (const auto& field : fields) {
    if (!field.first.empty()) return false;
  }
  return true;
}

Json contents(const sim::KeyChange& change) {
  if (change.type == "string" && change.fields.size() == 1 && nameless(change.fields)) {
    return text(change.fields.front().second);
  }
  const bool named = change.type == "hash" || change.type == "zset";
  if (!named && nameless(change.fields)) {
    Json items = Json::array();
    for (const auto& field : change.fields) items.push_back(text(field.second));
    return items;
  }
  if (named && fits_an_object(change.fields)) {
    Json object = Json::object();
    for (const auto& [name, value] : change.fields) object[name] = text(value);
    return object;
  }
  Json pairs = Json::array();
  for (const auto& [name, value] : change.fields) pairs.push_back(Json::array({text(name), text(value)}));
  return pairs;
}

Json changes(const std::vector<sim::KeyChange>& all) {
  Json out = Json::array();
  for (const auto& change : all) {
    Json pair = Json::array({text(change.node + "/db/" + change.key)});
    if (change.present) {
      Json value = Json::object();
      put(value, "t", change.type);
      value["f"] = contents(change);
      put(value, "pttl", change.pttl_ms);
      pair.push_back(std::move(value));
    }
    out.push_back(std::move(pair));
  }
  return out;
}

Json truths(const std::vector<sim::LockTruth>& all) {
  Json out = Json::array();
  for (const auto& truth : all) {
    Json holds = Json::array();
    for (const auto& hold : truth.holds) {
      Json one = {{"who", text(hold.who)}, {"n", number(hold.count)}};
      put(one, "left", hold.left_ms);
      holds.push_back(std::move(one));
    }
    out.push_back({{"lock", text(truth.lock)}, {"holds", std::move(holds)}});
  }
  return out;
}

Json header(const sim::Trace& trace) {
  Json out = {{"lockstep", "trace"}, {"v", 1}, {"sem", 1}, {"need", Json::array()}};
  out["scenario"] = {{"name", text(trace.scenario)}, {"xxh3", text(trace.scenario_digest)}};
  put(out["scenario"], "about", trace.about);
  out["scripts"] = {{"set", text(trace.scripts)}, {"xxh3", text(trace.scripts_digest)}};
  out["unit"] = "us";
  Json actors = Json::array();
  Json init = Json::object();
  for (const auto& actor : trace.actors) {
    Json entry = {{"id", text(actor.id)}};
    put(entry, "kind", actor.kind);
    put(entry, "of", actor.of);
    put(entry, "label", actor.label);
    put(entry, "lockid", actor.lock_id);
    actors.push_back(std::move(entry));
    if (!actor.role.empty()) init[actor.id] = {{"role", text(actor.role)}};
  }
  out["actors"] = std::move(actors);
  out["init"] = std::move(init);
  put(out, "trail", trace.trail);
  return out;
}

Json line(const sim::TraceEvent& event) {
  Json out = {
      {"i", number(event.index)}, {"t", number(event.time_us)}, {"k", text(std::string(word_of(event)))}};
  put(out, "who", event.who);
  put(out, "from", event.from);
  put(out, "to", event.to);
  put(out, "msg", event.msg);
  put(out, "act", event.act);
  put(out, "lock", event.lock);
  put(out, "cause", event.cause);
  put(out, "of", event.of);
  put(out, "sc", event.script);
  put(out, "line", event.line);
  if (!event.keys.empty()) out["keys"] = texts(event.keys);
  if (!event.argv.empty()) out["argv"] = texts(event.argv);
  if (event.ret) out["ret"] = text(*event.ret);
  put(out, "means", event.meaning);
  put(out, "wait", event.wait_ms);
  put(out, "type", event.outcome);
  put(out, "name", event.name);
  put(out, "why", event.why);
  if (!event.steps.empty()) {
    out["steps"] = Json::array();
    for (const auto step : event.steps) out["steps"].push_back(number(step));
  }
  if (event.choice) out["c"] = Json::array({event.choice->first, event.choice->second});
  if (!event.changes.empty()) out["d"] = changes(event.changes);
  if (!event.truths.empty()) out["truth"] = truths(event.truths);
  put(out, "h", event.state);
  return out;
}

}  // namespace

std::string write_trace(const sim::Trace& trace) {
  std::string out = header(trace).dump() + "\n";
  for (const auto& event : trace.events) out += line(event).dump() + "\n";
  Json end = {{"k", "end"}, {"n", number(static_cast<std::int64_t>(trace.events.size()))}};
  put(end, "result", trace.result);
  end["xxh3_128"] = sim::hex(sim::digest_bytes(out));
  return out + end.dump() + "\n";
}

}  // namespace lockstep::reports
