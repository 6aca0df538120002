#include "tools/manual/scenario_schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/redisson/versions.h"
#include "model/world/faults/table.h"
#include "properties/monitors/catalog.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/scheme_words.h"
#include "tools/cli/glossary.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

using Schema = nlohmann::ordered_json;

Schema said(Schema schema, std::string_view about) {
  if (!about.empty()) schema["description"] = about;
  return schema;
}
Schema a_text(std::string_view about = "") { return said({{"type", "string"}}, about); }
Schema a_flag(std::string_view about) { return said({{"type", "boolean"}}, about); }
Schema a_number(std::int64_t least, std::int64_t most, std::string_view about) {
  return said({{"type", "integer"}, {"minimum", least}, {"maximum", most}}, about);
}
Schema a_time(std::string_view about) {
  return a_text(fmt::format("{}; a time with its unit, such as 30s or 250ms", about));
}
Schema an_interval(std::string_view about) {
  return a_text(fmt::format("{}; a time, or an interval such as 0..50ms", about));
}
Schema a_word(const std::vector<std::string>& of, std::string_view about) {
  return said({{"type", "string"}, {"enum", of}}, about);
}
Schema a_list(Schema of, std::string_view about) {
  return said({{"type", "array"}, {"items", std::move(of)}}, about);
}
/// A list of texts, or one of them alone.
Schema some_texts(Schema of, std::string_view about) {
  Schema several = a_list(of, "");
  return said({{"anyOf", Schema::array({std::move(of), std::move(several)})}}, about);
}
Schema a_table(Schema properties, std::string_view about) {
  Schema schema{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  return said(std::move(schema), about);
}
/// Any key, each with such a value.
Schema any_names(Schema of, std::string_view about) {
  return said({{"type", "object"}, {"additionalProperties", std::move(of)}}, about);
}

Schema scripts_schema(std::string_view about) {
  Schema set = a_text("a set of `lockstep list scripts`, or a folder with a set.toml");
  Schema replaced = any_names(a_text("a file"), "`set`, and for each role a file that replaces its script");
  return said({{"anyOf", Schema::array({std::move(set), std::move(replaced)})}}, about);
}

Schema knob_schema(const redisson::Knob& knob) {
  if (std::holds_alternative<bool redisson::Settings::*>(knob.member)) return a_flag(knob.says);
  if (std::holds_alternative<std::uint16_t redisson::Settings::*>(knob.member))
    return a_number(knob.least, knob.most, knob.says);
  return a_time(knob.says);
}

Schema redisson_schema(std::string_view about) {
  Schema keys{{"version", a_text("a release from 3.0.0 to 4.7.0, such as 3.15.0")}};
  std::vector<std::string> mutants;
  for (const redisson::Knob& knob : redisson::knobs()) {
    if (knob.mutant) mutants.emplace_back(knob.name);
    else if (knob.name != "watchdog") keys[std::string(knob.name)] = knob_schema(knob);
  }
  keys["mutant"] = some_texts(a_word(mutants, ""), "faults of a client, to see that a property finds them");
  return a_table(std::move(keys), about);
}

Schema time_schema() {
  return a_table({{"watchdog", a_time("lockWatchdogTimeout: the lease of locks that are renewed")},
                  {"network", a_text("`no delay`, `any`, or how long each message takes, such as 0..50ms")},
                  {"held_max", a_number(1, 1000, "with `any`: how many messages are on the way at most")},
                  {"grain", a_text("points at which a fault may act, besides the instants of interest, such "
                                   "as 250ms; or `exact`: every millisecond")},
                  {"horizon", a_time("virtual time at which every run is cut")},
                  {"epoch", a_text("date and time of the start, such as 2023-11-14T22:13:20Z")}},
                 "durations, the network, and how far to look");
}

Schema redis_schema() {
  return a_table(
      {{"mode", a_word(scenarios::mode_words, "how the servers belong together")},
       {"nodes", a_number(1, 16, "how many servers; with `independent`, masters")},
       {"replicas", a_number(0, 16, "with `independent` and `cluster`: how many each master has")},
       {"sentinels", a_number(1, 7, "with `sentinel`: how many judge the master")},
       {"quorum", a_number(1, 7, "with `sentinel`: how many must take it for down")},
       {"down-after", a_time("with `sentinel`: how long it must be silent for that")},
       {"failover-timeout", a_time("with `sentinel`: the next attempt comes after twice that")},
       {"node-timeout", a_time("with `cluster`: how long a node must be silent to be taken for down")},
       {"spares", a_number(0, 16, "with `cluster`: masters without slots, for slots to move to")},
       {"slots", any_names(a_text("such as 0-5460 9000"), "with `cluster`: the slots of each master")},
       {"wait", a_number(0, 15, "for how many replicas clients wait behind a script (WAIT)")},
       {"loading", a_time("for so long a node that was started again reads its data (LOADING)")},
       {"min-replicas", a_number(0, 15, "without so many a master does not write (NOREPLICAS)")},
       {"min-replicas-max-lag", a_time("for how long a silent replica counts")},
       {"expiry", a_word(scenarios::expiry_words, "when a dead key is removed")},
       {"persistence", a_word(scenarios::persistence_words, "what a restarted server still has")},
       {"fsync", a_word(scenarios::fsync_words, "of an append-only file")},
       {"save", a_text("of a snapshot: pairs of seconds and changes, such as 900 1 300 10")},
       {"script-cache", a_flag("EVALSHA instead of EVAL (useScriptCache)")},
       {"notify-keyspace-events", a_text("which events of keys are published, such as Kgx")},
       {"clock", any_names(a_text("such as 2s or -500ms"), "how far the clock of a node is ahead")},
       {"drift", any_names(a_text("such as 100ppm"), "how much faster the clock of a node goes")}},
      "the servers");
}

/// The sections of servers that are not Redis.
void add_other_servers(Schema& keys) {
  keys["zookeeper"] = a_table({{"servers", a_number(1, 7, "how many; an odd number")},
                               {"session-timeout", a_time("after which a session without a word is over")},
                               {"down-after", a_time("after which a silent leader is taken for down")}},
                              "an ensemble of ZooKeeper servers");
  keys["mysql"] = a_table({{"replicas", a_number(0, 7, "that follow the server")},
                           {"lock-wait", a_time("innodb_lock_wait_timeout")},
                           {"clean-after", a_time("how old a row may be before a job removes it")}},
                          "a MySQL server");
  keys["mongodb"] =
      a_table({{"members", a_number(1, 7, "how many; an odd number")},
               {"election-timeout", a_time("after which a silent primary is taken for down")},
               {"write-concern",
                said({{"anyOf", Schema::array({a_word({"majority"}, ""), a_number(1, 7, "so many")})}},
                     "which members have a write before it is answered")}},
              "a MongoDB replica set");
}

Schema threads_schema() {
  const Schema steps =
      a_list(a_text("a step, such as lock orders; `lockstep help scenario` has all"), "a program");
  const Schema copies = a_table({{"steps", steps},
                                 {"count", a_number(1, 65'000, "so many threads alike")},
                                 {"id", a_number(1, 1'000'000'000, "the thread's id in Java")}},
                                "threads with the same program");
  return a_list({{"anyOf", Schema::array({steps, copies})}}, "one list of steps for each thread");
}

Schema process_schema() {
  Schema schema = a_table({{"threads", threads_schema()},
                           {"count", a_number(1, 1'000, "so many processes alike, NAME-1, NAME-2 …")},
                           {"id", a_text("the client's UUID, in lower case")},
                           {"clock", a_text("how far its clock is ahead, such as 2s or -500ms")},
                           {"scripts", scripts_schema("scripts of its own")},
                           {"wait", a_number(0, 15, "for how many replicas its clients wait")},
                           {"watchdog", a_time("its own lockWatchdogTimeout")},
                           {"redisson", redisson_schema("a client of its own")}},
                          "a process: one JVM running Redisson");
  schema["required"] = {"threads"};
  return any_names(std::move(schema), "the processes by their names");
}

Schema request_keys() {
  return {{"send", a_text("a command, such as SET {lock} {token} NX PX {lease}")},
          {"script", a_text("a file, or a script of `lockstep list scripts`")},
          {"keys", some_texts(a_text(), "its KEYS")},
          {"args", some_texts(a_text(), "its ARGV")},
          {"reply", any_names(a_text("such as granted"), "what each answer means")}};
}

Schema scheme_schema() {
  const Schema request = a_table(request_keys(), "a request");
  const Schema requests{{"anyOf", Schema::array({request, a_list(request, "one after another")})}};
  Schema renewal = request_keys();
  renewal["every"] = a_time("how often");
  Schema holder{{"key", a_text("under which the holder is stored")}, {"field", a_text("of a hash")}};
  for (const scenarios::FormWord& form : scenarios::holder_forms())
    holder[std::string(form.word)] = a_text("where the holder stands, such as {token}");
  Schema schema = a_table({{"says", a_text("one line about it")},
                           {"promises", some_texts(a_text(), "properties that it keeps")},
                           {"weaknesses", some_texts(a_text(), "properties that something breaks")},
                           {"server", a_word({"mysql", "mongodb"}, "if it lies not on Redis")},
                           {"on", a_word(scenarios::on_words, "on which masters it is taken")},
                           {"lease", a_time("of a call that names none")},
                           {"drift", a_time("taken off the lease on several masters")},
                           {"timeout", a_time("for an answer")},
                           {"reentrant", a_flag("a thread may take it again")},
                           {"acquire", said(requests, "what takes it")},
                           {"release", said(requests, "what gives it back")},
                           {"undo", said(requests, "what takes back part of an acquire")},
                           {"renew", a_table(std::move(renewal), "what renews it")},
                           {"retry", a_table({{"poll", a_time("how long it sleeps")},
                                              {"back-off", a_time("the first sleep, doubled each time")},
                                              {"most", a_time("the longest sleep")},
                                              {"jitter", a_time("by how much a sleep may be longer")},
                                              {"channel", a_text("whose messages wake it")},
                                              {"keyspace-event", some_texts(a_text(), "of the lock's key")},
                                              {"at-latest", a_time("how long it waits for a message")},
                                              {"times", a_number(1, 1'000, "how often it asks in all")}},
                                             "when who was refused asks again")},
                           {"holder", a_table(std::move(holder), "who holds the lock")}},
                          "a kind of lock");
  schema["required"] = {"acquire", "release", "holder"};
  return any_names(std::move(schema), "kinds of locks by their names");
}

Schema faults_schema() {
  const model::Setup setup;
  Schema keys = Schema::object();
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const model::FaultRow& row = model::fault_row(fault, setup);
    keys[std::string(row.key)] = a_number(0, 1'000, fmt::format("how often, at most: {}", row.about));
  }
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const model::FaultRow& row = model::fault_row(fault, setup);
    if (row.end && row.end->at_latest != nullptr)
      keys[std::string(row.end->limit_key)] = a_time(fmt::format("how long {} lasts at most", row.key));
  }
  keys["connection-timeout"] = a_time("after how long of a cut connections break");
  keys["learn"] = an_interval("how long after a failover a process learns of it");
  keys["failover-needs-dead-master"] = a_flag("a failover only when the master is down");
  keys["clock-jumps"] = some_texts(a_text("such as 30s or -5s"), "the jumps that there may be");
  keys["fixed"] = some_texts(a_text("such as pause A 40s at 5s"), "faults that happen in every run");
  return a_table(std::move(keys), "what an adversary may do, and how often");
}

Schema expect_schema() {
  const Schema verdict = a_word(scenarios::expected_words, "");
  Schema keys = Schema::object();
  for (const properties::PropertyInfo& one : properties::catalog)
    keys[std::string(one.name)] = said(verdict, one.says);
  std::vector<std::string> witnesses = vocabulary().witnesses;
  keys["sometimes"] = some_texts(a_word(witnesses, ""), "witnesses that must be seen");
  const std::int64_t most = 1'000'000'000;
  Schema counts = a_table({{"true", a_number(0, most, "")},
                           {"false", a_number(0, most, "")},
                           {"exception", a_number(0, most, "")}},
                          "how often the call is answered so");
  Schema answers = any_names({{"anyOf", Schema::array({std::move(counts), verdict})}},
                             "by call, such as \"trylock orders\"; `verdict` for the property");
  keys["answers"] = {{"anyOf", Schema::array({verdict, std::move(answers)})}};
  Schema schema = a_table(std::move(keys), "the verdict that each property should have");
  schema["additionalProperties"] = verdict;  // of a [[property]]
  schema["patternProperties"] = {
      {"=", {{"type", "object"}, {"description", "for some scenarios of [matrix]"}}}};
  return schema;
}

Schema predicates_schema() {
  Schema one =
      a_table({{"name", a_text("a-z, 0-9 and -; [expect] may say its verdict")},
               {"kind", a_word(scenarios::predicate_words, "when it is to be true (always)")},
               {"lua", a_text("what is true or false of a state, such as count(holders('x')) <= 1")}},
              "a property of the scenario itself");
  one["required"] = {"name", "lua"};
  return a_list(std::move(one), "what it promises besides; `lockstep help properties`");
}

}  // namespace

std::string scenario_schema() {
  Schema matrix = any_names({{"type", Schema::array({"array", "object"})}},
                            "keys with a list of values each: one scenario for each choice");
  Schema bounds =
      a_table({{"grant", a_time("within which a lock is granted (granted-in-time)")},
               {"overtaking", a_number(0, 1'000, "by how many later arrivals (bounded-overtaking)")},
               {"busy-poll", a_number(1, 1'000, "how often a thread may ask in vain (busy-poll)")}},
              "what promises are measured by");
  Schema schedule = a_table({{"prefix", some_texts(a_text("such as crash-node R0, or @12 2/4 failover R1"),
                                                   "decisions that each run takes first, as in a trail")}},
                            "where the question begins");
  Schema resource = any_names(a_table({{"fenced", a_flag("it refuses writes with an older token")}}, ""),
                              "what programs write to, outside of Redis");
  Schema keys{{"format", said({{"const", 1}}, "of this file")},
              {"include", a_text("another file, of which this one says what differs")},
              {"name", a_text("what it is called; a folder for what is found")},
              {"about", a_text("its question in one sentence")},
              {"scripts", scripts_schema("the lock scripts, which bring their client along")},
              {"schemes", some_texts(a_text(), "schemes of `lockstep list schemes`, or files of them")},
              {"scheme", scheme_schema()},
              {"time", time_schema()},
              {"redis", redis_schema()},
              {"redisson", redisson_schema("the client of all processes")},
              {"process", process_schema()},
              {"resource", std::move(resource)},
              {"faults", faults_schema()},
              {"schedule", std::move(schedule)},
              {"property", predicates_schema()},
              {"expect", expect_schema()},
              {"bounds", std::move(bounds)},
              {"matrix", std::move(matrix)}};
  add_other_servers(keys);
  Schema schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"$id", "lockstep-scenario-1.schema.json"},
                {"title", "Lockstep scenario, format 1"}};
  schema.update(
      a_table(std::move(keys), "A scenario: what is asked, of which processes, servers and faults"));
  schema["required"] = {"format"};
  return schema.dump(2) + "\n";
}

}  // namespace lockstep::tools
