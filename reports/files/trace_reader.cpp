#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/files/trace_file.h"
#include "reports/text/text.h"
#include "sim/base/byte_order_mark.h"
#include "sim/base/digest.h"

namespace lockstep::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t line_bytes_max =
    64U << 20;  // longer ones are no trace of ours, and would be held several times over

/// What is wrong with a line; becomes a Problem with the place in read_trace, the only catcher.
struct Wrong {
  std::string what;
};

/// Besides the kinds of events; what `need` may name.
const std::set<std::string_view> known_keys = {"i",    "t",     "k",  "who", "from", "to",   "msg",  "act",
                                               "lock", "cause", "of", "sc",  "keys", "argv", "type", "name",
                                               "why",  "steps", "c",  "d",   "h",    "truth", "line"};

bool known(std::string_view needed) {
  return sim::trace_kind(needed) != sim::TraceKind::other || known_keys.contains(needed);
}

const Json* find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string text(const Json& value, const char* what) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object() && value.size() == 1 && value.contains("b64") && value["b64"].is_string()) {
    if (auto bytes = from_base64(value["b64"].get<std::string>())) return *std::move(bytes);
    throw Wrong{fmt::format("`{}` is not base64", what)};
  }
  throw Wrong{fmt::format("`{}` must be a text", what)};
}

std::string text_or_empty(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value ? text(*value, key) : std::string{};
}

std::int64_t number(const Json& value, const char* what) {
  if (value.is_number_unsigned()) {
    if (value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max())
      return value.get<std::int64_t>();
  } else if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  } else if (value.is_string()) {
    const auto digits = value.get<std::string>();
    const Json again = Json::parse(digits, nullptr, false);
    if (again.is_number_integer() && again.dump() == digits) return number(again, what);
  }
  throw Wrong{fmt::format("`{}` must be a whole number of at most 64 bits", what)};
}

std::optional<std::int64_t> number_if_there(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (!value) return std::nullopt;
  return number(*value, key);
}

const Json& list(const Json& value, const char* what) {
  if (!value.is_array()) throw Wrong{fmt::format("`{}` must be a list", what)};
  return value;
}

const Json& object(const Json& value, const char* what) {
  if (!value.is_object()) throw Wrong{fmt::format("`{}` must be an object", what)};
  return value;
}

std::vector<std::string> texts(const Json& line, const char* key) {
  std::vector<std::string> out;
  const Json* values = find(line, key);
  if (!values) return out;
  for (const auto& value : list(*values, key)) out.push_back(text(value, key));
  return out;
}

int small(const Json& value, const char* what) {
  const auto wide = number(value, what);
  if (wide < 0 || wide > std::numeric_limits<int>::max())
    throw Wrong{fmt::format("`{}` is out of range", what)};
  return static_cast<int>(wide);
}

void read_contents(const Json& value, sim::KeyChange& change) {
  if (change.type == "string" && !value.is_array()) {
    change.fields.emplace_back("", text(value, "f"));
  } else if (value.is_object()) {
    for (const auto& [name, field] : value.items()) change.fields.emplace_back(name, text(field, "f"));
  } else {
    for (const auto& item : list(value, "f")) {
      if (!item.is_array()) change.fields.emplace_back("", text(item, "f"));
      else if (item.size() == 2) change.fields.emplace_back(text(item[0], "f"), text(item[1], "f"));
      else throw Wrong{"`f` has an entry that is no pair"};
    }
  }
}

sim::KeyChange read_change(const Json& pair) {
  list(pair, "d");
  if (pair.empty() || pair.size() > 2) throw Wrong{"an entry of `d` is [path] or [path,value]"};
  sim::KeyChange change;
  const auto path = text(pair[0], "d");
  const auto db = path.find("/db/");
  if (db == std::string::npos) throw Wrong{"a path in `d` is node/db/key"};
  change.node = path.substr(0, db);
  change.key = path.substr(db + 4);
  change.present = pair.size() == 2;
  if (!change.present) return change;
  const Json& value = object(pair[1], "d");
  change.type = text_or_empty(value, "t");
  if (const Json* fields = find(value, "f")) read_contents(*fields, change);
  change.pttl_ms = number_if_there(value, "pttl");
  return change;
}

sim::LockTruth read_truth(const Json& value) {
  sim::LockTruth truth{.lock = text_or_empty(object(value, "truth"), "lock"), .holds = {}};
  const Json* holds = find(value, "holds");
  if (holds == nullptr) throw Wrong{"an entry of `truth` needs `holds`"};
  for (const auto& each : list(*holds, "holds")) {
    object(each, "holds");
    const Json* count = find(each, "n");
    truth.holds.push_back({text_or_empty(each, "who"), count == nullptr ? 1 : number(*count, "n"),
                           number_if_there(each, "left")});
  }
  return truth;
}

sim::TraceEvent read_event(const Json& line) {
  sim::TraceEvent event;
  const auto needed = [&](const char* key) {
    if (const auto value = number_if_there(line, key)) return *value;
    throw Wrong{fmt::format("an event needs `{}`", key)};
  };
  event.index = needed("i");
  event.time_us = needed("t");
  auto word = text_or_empty(line, "k");
  event.kind = sim::trace_kind(word);
  if (event.kind == sim::TraceKind::other) event.other_kind = std::move(word);
  event.who = text_or_empty(line, "who");
  event.from = text_or_empty(line, "from");
  event.to = text_or_empty(line, "to");
  event.msg = number_if_there(line, "msg");
  event.act = text_or_empty(line, "act");
  event.lock = text_or_empty(line, "lock");
  event.cause = number_if_there(line, "cause");
  event.of = number_if_there(line, "of");
  event.script = text_or_empty(line, "sc");
  event.line = number_if_there(line, "line");
  event.keys = texts(line, "keys");
  event.argv = texts(line, "argv");
  if (const Json* ret = find(line, "ret")) event.ret = text(*ret, "ret");
  event.meaning = text_or_empty(line, "means");
  event.wait_ms = number_if_there(line, "wait");
  event.outcome = text_or_empty(line, "type");
  event.name = text_or_empty(line, "name");
  event.why = text_or_empty(line, "why");
  if (const Json* steps = find(line, "steps")) {
    for (const auto& step : list(*steps, "steps")) event.steps.push_back(number(step, "steps"));
  }
  if (const Json* c = find(line, "c")) {
    if (list(*c, "c").size() != 2) throw Wrong{"`c` is [chosen,enabled]"};
    event.choice.emplace(small((*c)[0], "c"), small((*c)[1], "c"));
  }
  if (const Json* d = find(line, "d")) {
    for (const auto& pair : list(*d, "d")) event.changes.push_back(read_change(pair));
  }
  if (const Json* truth = find(line, "truth")) {
    for (const auto& each : list(*truth, "truth")) event.truths.push_back(read_truth(each));
  }
  event.state = text_or_empty(line, "h");
  return event;
}

void read_header(const Json& line, sim::Trace& trace) {
  if (text_or_empty(line, "lockstep") != "trace") throw Wrong{"not a lockstep trace"};
  const auto version = number_if_there(line, "v");
  if (version != 1) throw Wrong{"this version of the trace format is not known (`v` must be 1)"};
  for (const auto& need : texts(line, "need")) {
    if (!known(need)) throw Wrong{fmt::format("it needs `{}`, which is not known here", printable(need))};
  }
  if (const Json* scenario = find(line, "scenario")) {
    trace.scenario = text_or_empty(object(*scenario, "scenario"), "name");
    trace.scenario_digest = text_or_empty(*scenario, "xxh3");
    trace.about = text_or_empty(*scenario, "about");
  }
  if (const Json* scripts = find(line, "scripts")) {
    trace.scripts = text_or_empty(object(*scripts, "scripts"), "set");
    trace.scripts_digest = text_or_empty(*scripts, "xxh3");
  }
  const Json* init = find(line, "init");
  if (const Json* actors = find(line, "actors")) {
    for (const auto& entry : list(*actors, "actors")) {
      object(entry, "actors");
      sim::TraceActor actor;
      actor.id = text_or_empty(entry, "id");
      actor.kind = text_or_empty(entry, "kind");
      actor.of = text_or_empty(entry, "of");
      actor.label = text_or_empty(entry, "label");
      actor.lock_id = text_or_empty(entry, "lockid");
      if (init && object(*init, "init").contains(actor.id)) {
        actor.role = text_or_empty(object((*init)[actor.id], "init"), "role");
      }
      trace.actors.push_back(std::move(actor));
    }
  }
  trace.trail = text_or_empty(line, "trail");
}

void read_end(const Json& line, std::string_view before, sim::Trace& trace) {
  trace.result = text_or_empty(line, "result");
  const auto count = number_if_there(line, "n");
  if (count != static_cast<std::int64_t>(trace.events.size())) {
    throw Wrong{fmt::format("`end` tells of {} events, but {} stand before it", count.value_or(-1),
                            trace.events.size())};
  }
  const auto said = text_or_empty(line, "xxh3_128");
  const auto found = sim::hex(sim::digest_bytes(before));
  if (said != found) {
    throw Wrong{fmt::format("the file was changed: its digest is {}, `end` says {}", found,
                            printable(cut(said, 40)))};
  }
}

Json parse(std::string_view line) {
  if (line.size() > line_bytes_max) throw Wrong{fmt::format("a line of {} bytes is too long", line.size())};
  try {
    Json value = Json::parse(line);
    if (!value.is_object()) throw Wrong{"a line of a trace is a JSON object"};
    return value;
  } catch (const Json::parse_error& error) {
    throw Wrong{fmt::format("not JSON at byte {} of the line", error.byte)};
  }
}

/// One line after the header; true when it was the last.
bool read_line(std::string_view line, std::string_view before, sim::Trace& trace) {
  const Json value = parse(line);
  const auto kind = text_or_empty(value, "k");
  if (kind == "end") {
    read_end(value, before, trace);
    return true;
  }
  trace.events.push_back(read_event(value));
  return false;
}

}  // namespace

bool looks_like_trace(std::string_view bytes) {
  return sim::without_mark(bytes).starts_with(R"({"lockstep":"trace")");
}

sim::Result<sim::Trace> read_trace(std::string_view bytes, std::string_view file, Incomplete incomplete) {
  bytes = sim::without_mark(bytes);
  sim::Trace trace;
  std::size_t at = 0;
  std::size_t number = 1;
  bool ended = false;
  try {
    if (bytes.empty()) throw Wrong{"the file is empty"};
    if (bytes.starts_with("lockstep-trail"))
      throw Wrong{
          "this is a trail, and no trace; `lockstep replay TRAIL --trace FILE` writes that of its run"};
    for (; at < bytes.size() && !ended; ++number) {
      const auto end = std::min(bytes.find('\n', at), bytes.size());
      const auto line = bytes.substr(at, end - at);
      if (end == bytes.size() && incomplete == Incomplete::accepted) break;  // torn in the middle of a line
      if (end == bytes.size() && looks_like_trace(bytes) && !Json::accept(line))
        throw Wrong{"the trace is incomplete: the file is cut off in this line"};
      if (number == 1) read_header(parse(line), trace);
      else ended = read_line(line, bytes.substr(0, at), trace);
      at = end + 1;
    }
    if (ended && at < bytes.size()) throw Wrong{"nothing may follow the `end` line"};
    if (!ended && incomplete == Incomplete::refused) {
      throw Wrong{"the trace is incomplete: its `end` line is missing"};
    }
  } catch (const Wrong& wrong) {
    return sim::Problem{fmt::format("{}:{}: {}", file, number, wrong.what)};
  }
  return trace;
}

}  // namespace lockstep::reports
