// trace_parts.cpp: replies, actors and changed keys, as a trace shows them.
#include <fmt/format.h>

#include "model/client/process.h"
#include "model/redis/arguments.h"
#include "model/world/tracer.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

std::string show_reply(const Reply& reply) {
  return std::visit(sim::overloaded{
                        [](const lua::Nil&) -> std::string { return "nil"; },
                        [](const lua::NilArray&) -> std::string { return "nil"; },
                        [](std::int64_t integer) { return fmt::format("(integer) {}", integer); },
                        [](const std::string& bulk) { return fmt::format("\"{}\"", bulk); },
                        [](const lua::Status& status) { return status.text; },
                        [](const lua::Error& error) { return fmt::format("(error) {}", error.text); },
                        [](const Reply::Array& items) {
                          std::string out = "[";
                          for (const Reply& item : items)
                            out += (out.size() > 1 ? ", " : "") + show_reply(item);
                          return out + "]";
                        },
                        [](const lua::Typed& typed) { return show_reply(typed.items); },
                    },
                    reply.value);
}

std::vector<sim::TraceActor> trace_actors(const Setup& setup) {
  std::vector<sim::TraceActor> actors;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const ProcessSetup& process = setup.processes[p];
    actors.push_back(
        {process.name, "process", "", fmt::format("process {}", process.name), process.client_id, ""});
    for (const ThreadId t : process.threads)
      actors.push_back({setup.thread_name(t), "thread", process.name,
                        fmt::format("process {}, thread {}", process.name, setup.threads[t.index()].java_id),
                        holder_name(setup, t, 0, 0), ""});
  }
  for (const NodeSetup& node : setup.nodes)
    actors.push_back({node.name, "redis", "", fmt::format("redis {}", node.name), "",
                      node.role == redis::Role::master ? "master" : "replica"});
  return actors;
}

std::vector<sim::KeyChange> key_changes(const std::string& node, const redis::Node& before,
                                        const redis::Node& after) {
  std::vector<sim::KeyChange> changes;
  const auto describe = [&](const std::string& key, const redis::Entry& entry) {
    sim::KeyChange change{.node = node, .key = key, .type = std::string(redis::type_name(entry.value))};
    std::visit(
        sim::overloaded{
            [&](const redis::String& string) { change.fields.emplace_back("", string.bytes); },
            [&](const redis::List& list) {
              for (const auto& item : list.items) change.fields.emplace_back("", item);
            },
            [&](const redis::Set& set) {
              for (const auto& item : set.members) change.fields.emplace_back("", item);
            },
            [&](const redis::Hash& hash) { change.fields.assign(hash.pairs.begin(), hash.pairs.end()); },
            [&](const redis::SortedSet& set) {
              for (const auto& entry_ : set.entries)
                change.fields.emplace_back(entry_.member, redis::format_score(entry_.score));
            },
        },
        entry.value);
    if (entry.remaining) change.pttl_ms = entry.remaining->count();
    return change;
  };
  for (const auto& [key, entry] : before.db.entries())
    if (after.db.find(key) == nullptr) changes.push_back({.node = node, .key = key, .present = false});
  for (const auto& [key, entry] : after.db.entries()) {
    const redis::Entry* old = before.db.find(key);
    if (old == nullptr || !(*old == entry)) changes.push_back(describe(key, entry));
  }
  return changes;
}

}  // namespace lockstep::model
