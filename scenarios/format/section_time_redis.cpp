// [time] and [redis].
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <sstream>

#include "model/redis/cluster/slots.h"
#include "model/redis/cluster/spans.h"
#include "model/redis/pubsub/notifications.h"
#include "model/redis/sentinel/kind.h"
#include "model/redis/sentinel/spans.h"
#include "model/world/faults/table.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"
#include "sim/base/amount.h"

namespace lockstep::scenarios {

using model::Setup;

const std::vector<std::string> mode_words = {"single", "replicated", "independent", "sentinel", "cluster"};
const std::vector<std::string> persistence_words = {"none", "snapshot", "append-only"};
const std::vector<std::string> fsync_words = {"always", "everysec", "no"};
const std::vector<std::string> expiry_words = {"eager", "lazy"};

namespace {

constexpr std::int64_t nodes_max = 16;
constexpr std::int64_t save_seconds_max = 86'400;
constexpr std::int64_t sentinels_max = 7;

/// Wall-clock milliseconds of a TOML date-time; one without an offset is taken as UTC.
std::int64_t epoch_of(const toml::date_time& at) {
  using namespace std::chrono;
  const sys_days day =
      year{at.date.year} / static_cast<unsigned>(at.date.month) / static_cast<unsigned>(at.date.day);
  const std::int64_t minutes = at.time.hour * 60 + at.time.minute - (at.offset ? at.offset->minutes : 0);
  return std::int64_t{day.time_since_epoch().count()} * 86'400'000 + minutes * 60'000 +
         at.time.second * 1'000 + at.time.nanosecond / 1'000'000;
}

void read_network(TomlReading& reading, const toml::table& table, Setup& setup) {
  const auto* text = reading.text(table, "network");
  if (text != nullptr) {
    if (text->get() == "any") {
      setup.network.kind = model::NetworkKind::any;
    } else if (text->get() == "no delay" || text->get() == "prompt") {  // the older word
      setup.network.kind = model::NetworkKind::no_delay;
    } else if (const auto delay = parse_interval(text->get()); delay.ok()) {
      setup.network = {.kind = model::NetworkKind::interval, .delay = *delay, .held_max = 0};
    } else {
      const std::vector<std::string> words = {"no delay", "any"};
      const bool number = !text->get().empty() && text->get().front() >= '0' && text->get().front() <= '9';
      reading.fail(
          reading.place_of(*text),
          number ? delay.problem().text
                 : fmt::format("`network` wants `no delay`, `any` or an interval such as `0..50ms`, not `{}`",
                               text->get()),
          did_you_mean(text->get(), words));
    }
  }
  const auto held = reading.integer(table, "held_max", 1, 1000);
  if (held && setup.network.kind != model::NetworkKind::any) {
    reading.fail(reading.place_of(table.find("held_max")->first),
                 "`held_max` is only for `network = \"any\"`");
  }
  setup.network.held_max = static_cast<std::uint16_t>(held.value_or(0));
}

void read_clocks(TomlReading& reading, const toml::table& table, Setup& setup) {
  std::vector<std::string> names;
  for (const model::NodeSetup& node : setup.nodes)
    if (node.role != model::ServerRole::sentinel) names.push_back(node.name);
  reading.only(table, "[redis.clock]", names);
  for (model::NodeSetup& node : setup.nodes) {
    if (node.role == model::ServerRole::sentinel) continue;
    node.clock_offset = reading.offset(table, node.name).value_or(sim::Duration::zero());
  }
}

void read_drifts(TomlReading& reading, const toml::table& table, Setup& setup) {
  std::vector<std::string> names;
  for (const model::NodeSetup& node : setup.nodes)
    if (node.role != model::ServerRole::sentinel) names.push_back(node.name);
  reading.only(table, "[redis.drift]", names);
  for (model::NodeSetup& node : setup.nodes)
    if (node.role != model::ServerRole::sentinel)
      node.clock_drift_ppm = reading.drift(table, node.name).value_or(0);
}

}  // namespace

void positive(TomlReading& reading, const toml::table& table, std::string_view key, sim::Duration& member) {
  const auto read = reading.duration(table, key);
  if (!read) return;
  if (*read == sim::Duration::zero()) {
    reading.fail(reading.place_of(*table.get(key)), fmt::format("`{}` wants at least 1ms", key));
  }
  member = *read;
}

namespace {

/// A duration, or the word `exact`.
void read_grain(TomlReading& reading, const toml::table& table, Setup& setup) {
  const toml::node* node = table.get("grain");
  const auto* text = node == nullptr ? nullptr : node->as_string();
  setup.exact = text != nullptr && text->get() == "exact";
  if (!setup.exact) positive(reading, table, "grain", setup.grain);
}

}  // namespace

void read_time(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[time]", {"watchdog", "network", "held_max", "grain", "horizon", "epoch"});
  positive(reading, table, "watchdog", setup.client.watchdog);
  read_grain(reading, table, setup);
  if (table.get("horizon") != nullptr) {
    setup.horizon = sim::Duration::zero();
    positive(reading, table, "horizon", *setup.horizon);
  }
  read_network(reading, table, setup);
  if (const toml::node* epoch = table.get("epoch")) {
    if (const auto* at = epoch->as_date_time()) setup.epoch_ms = epoch_of(at->get());
    else reading.wants(*epoch, "epoch", "a date and time, such as 2023-11-14T22:13:20Z");
    if (setup.epoch_ms < 0) reading.fail(reading.place_of(*epoch), "`epoch` lies before 1970");
  }
}

namespace {

/// A master and so many replicas, as a group of their own.
void add_group(Setup& setup, const std::string& master, const std::vector<std::string>& replicas) {
  const auto group = sim::make_id<model::GroupId>(setup.group_count());
  setup.nodes.push_back({.name = master, .clock_offset = {}, .group = group});
  for (const std::string& replica : replicas)
    setup.nodes.push_back(
        {.name = replica, .clock_offset = {}, .role = model::ServerRole::replica, .group = group});
}

/// Sentinels come behind the nodes that they watch.
void read_sentinels(TomlReading& reading, const toml::table& table, Setup& setup) {
  if (setup.topology != model::Topology::sentinel) {
    for (const char* key : {"sentinels", "quorum", "down-after", "failover-timeout"})
      if (table.get(key) != nullptr)
        reading.fail(reading.place_of(table.find(key)->first),
                     fmt::format("`{}` is only for `mode = \"sentinel\"`", key));
    return;
  }
  const std::int64_t count = reading.integer(table, "sentinels", 1, sentinels_max).value_or(3);
  const std::int64_t majority = count / 2 + 1;
  const std::int64_t quorum = reading.integer(table, "quorum", 1, sentinels_max).value_or(majority);
  if (quorum > count)
    reading.fail(reading.place_of(*table.get("quorum")),
                 fmt::format("a quorum of {} is never met: there {} {}", quorum, count == 1 ? "is" : "are",
                             sim::amount(static_cast<std::size_t>(count), "Sentinel")));
  setup.watching.quorum = static_cast<std::size_t>(quorum);
  positive(reading, table, "down-after", setup.watching.down_after);
  positive(reading, table, "failover-timeout", setup.watching.failover_timeout);
  const auto interval = [](const redis::sentinel::Span& span) { return model::Interval{span.lo, span.hi}; };
  setup.watching.election = interval(redis::sentinel::election);
  setup.watching.conversion = interval(redis::sentinel::conversion);
  setup.limits.learn = interval(redis::sentinel::news);
  setup.limits.learn.hi += sim::Duration{1'000};  // clients ask each second
  for (std::int64_t i = 0; i < count; ++i) {
    model::NodeSetup sentinel{.name = fmt::format("S{}", i), .role = model::ServerRole::sentinel};
    sentinel.kind = &redis::sentinel::server_kind;
    setup.nodes.push_back(std::move(sentinel));
  }
}

using SlotRange = std::pair<std::uint16_t, std::uint16_t>;

/// "0-5460 9000": slots and ranges of them.
std::optional<std::vector<SlotRange>> slots_in(const std::string& text) {
  std::istringstream words(text);
  std::vector<SlotRange> ranges;
  const auto number = [](std::string_view word) -> std::optional<std::uint16_t> {
    std::uint16_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc{} && end == word.data() + word.size();
    return whole && value < redis::cluster::slots_total ? std::optional(value) : std::nullopt;
  };
  for (std::string word; words >> word;) {
    const std::size_t dash = word.find('-');
    const auto first = number(std::string_view(word).substr(0, dash));
    const auto last = dash == word.npos ? first : number(std::string_view(word).substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    ranges.emplace_back(*first, *last);
  }
  return ranges;
}

/// Each slot is one master's. Equal shares are those that redis-cli makes.
void read_slots(TomlReading& reading, const toml::table& table, Setup& setup) {
  std::vector<model::NodeSetup*> masters;
  std::vector<std::string> names;
  for (model::NodeSetup& node : setup.nodes)
    if (node.role == model::ServerRole::master) masters.push_back(&node), names.push_back(node.name);
  const toml::table* slots = reading.table(table, "slots");
  const std::size_t total = redis::cluster::slots_total, count = masters.size();
  if (slots == nullptr) {
    const auto bound = [&](std::size_t i) {
      return static_cast<std::uint16_t>((2 * total * i + count) / (2 * count));
    };
    for (std::size_t i = 0; i < count; ++i)
      masters[i]->slots = {{bound(i), static_cast<std::uint16_t>(bound(i + 1) - 1)}};
    return;
  }
  reading.only(*slots, "[redis.slots]", names);
  std::vector<const model::NodeSetup*> owner(total, nullptr);
  for (model::NodeSetup* master : masters) {
    const auto* text = reading.text(*slots, master->name);
    if (text == nullptr) continue;
    const auto ranges = slots_in(text->get());
    if (!ranges) {
      reading.fail(reading.place_of(*text), fmt::format("`{}` wants slots of 0-16383, such as `0-5460 9000`",
                                                        master->name));
      return;
    }
    master->slots = *ranges;
    for (const auto& [first, last] : *ranges)
      for (std::size_t slot = first; slot <= last; ++slot) {
        if (owner[slot] != nullptr)
          return reading.fail(reading.place_of(*text), fmt::format("slot {} is of `{}` and of `{}`", slot,
                                                                   owner[slot]->name, master->name));
        owner[slot] = master;
      }
  }
  const auto free = std::find(owner.begin(), owner.end(), nullptr);
  if (free != owner.end() && !reading.failed())
    reading.fail(reading.place_of(*slots), fmt::format("no master has slot {}: a cluster serves nothing then",
                                                       free - owner.begin()));
}

void read_cluster(TomlReading& reading, const toml::table& table, Setup& setup) {
  if (setup.topology != model::Topology::cluster) {
    for (const char* key : {"node-timeout", "slots", "spares"})
      if (table.get(key) != nullptr)
        reading.fail(reading.place_of(table.find(key)->first),
                     fmt::format("`{}` is only for `mode = \"cluster\"`", key));
    return;
  }
  setup.watching.down_after = sim::Duration{15'000};
  positive(reading, table, "node-timeout", setup.watching.down_after);
  const redis::cluster::Spans spans = redis::cluster::spans_of(setup.watching.down_after);
  const auto interval = [](const redis::cluster::Span& span) { return model::Interval{span.lo, span.hi}; };
  setup.watching.failover_timeout = spans.again / 2;
  setup.watching.election = interval(spans.election);
  setup.watching.conversion = interval(spans.conversion);
  setup.watching.closing = interval(spans.closing);
  setup.limits.learn = {sim::Duration{0}, sim::Duration{6'000}};
  read_slots(reading, table, setup);
  const std::int64_t masters = static_cast<std::int64_t>(setup.group_count());
  const std::int64_t spares = reading.integer(table, "spares", 0, masters).value_or(0);
  for (std::int64_t i = 0; i < spares; ++i)
    setup.nodes.push_back({.name = fmt::format("X{}", i),
                           .clock_offset = {},
                           .role = model::ServerRole::spare,
                           .group = sim::make_id<model::GroupId>(static_cast<std::size_t>(i))});
}

void read_topology(TomlReading& reading, const toml::table& table, Setup& setup) {
  const std::size_t word = reading.word(table, "mode", mode_words).value_or(0);
  const auto mode = static_cast<model::Topology>(word);
  setup.topology = mode;
  const bool has_one_master = mode == model::Topology::replicated || mode == model::Topology::sentinel;
  const std::int64_t usual = mode == model::Topology::single ? 1 : has_one_master ? 2 : 3;
  const std::int64_t nodes = reading.integer(table, "nodes", 1, nodes_max).value_or(usual);
  const bool has_groups = mode == model::Topology::independent || mode == model::Topology::cluster;
  const std::int64_t replicas =
      reading.integer(table, "replicas", 0, nodes_max).value_or(mode == model::Topology::cluster ? 1 : 0);
  const auto blame = [&](const char* key, std::string what) {
    if (table.get(key) != nullptr) reading.fail(reading.place_of(*table.get(key)), std::move(what));
  };
  if (!has_groups)
    blame("replicas",
          "`replicas` is only for `mode = \"independent\"` and `\"cluster\"`: how many each master has");
  if (mode == model::Topology::single && nodes > 1)
    blame("nodes", fmt::format("`nodes = {}` needs `mode = \"replicated\"`", nodes));
  if (has_one_master && nodes < 2)
    blame("nodes", fmt::format("mode `{}` wants at least 2 nodes: a master and a replica", mode_words[word]));
  if (nodes * (replicas + 1) > nodes_max)
    blame(table.get("replicas") != nullptr ? "replicas" : "nodes",
          fmt::format("these are {} nodes, and there may be {}", nodes * (replicas + 1), nodes_max));
  if (!has_groups) {
    std::vector<std::string> others;
    for (std::int64_t i = 1; i < nodes; ++i) others.push_back(fmt::format("R{}", i));
    add_group(setup, "R0", others);
    read_sentinels(reading, table, setup);
    return read_cluster(reading, table, setup);
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    std::vector<std::string> others;
    for (std::int64_t k = 1; k <= replicas; ++k) others.push_back(fmt::format("R{}.{}", i, k));
    add_group(setup, fmt::format("R{}", i), others);
  }
  read_sentinels(reading, table, setup);
  read_cluster(reading, table, setup);
}

}  // namespace

namespace {

/// As redis.conf has it: pairs of seconds and changes.
void read_save_points(TomlReading& reading, const toml::table& table, Setup& setup) {
  const auto* text = reading.text(table, "save");
  if (text == nullptr) return;
  std::istringstream words(text->get());
  bool are_pairs = true;
  for (std::int64_t seconds = 0, changes = 0; are_pairs && words >> seconds;) {
    are_pairs = words >> changes && seconds >= 1 && changes >= 1 && seconds <= save_seconds_max;
    setup.save.push_back({sim::Duration{seconds * 1'000}, changes});
  }
  if (!are_pairs || !words.eof() || setup.save.empty())
    reading.fail(reading.place_of(*text), "`save` wants pairs of seconds and changes: `900 1 300 10`");
}

void read_persistence(TomlReading& reading, const toml::table& table, Setup& setup) {
  using model::Persistence;
  setup.persistence =
      static_cast<Persistence>(reading.word(table, "persistence", persistence_words).value_or(0));
  if (const auto fsync = reading.word(table, "fsync", fsync_words))
    setup.fsync = static_cast<model::Fsync>(*fsync);
  read_save_points(reading, table, setup);
  const auto is_for = [&](const char* key, Persistence wanted) {
    if (table.get(key) == nullptr || setup.persistence == wanted) return;
    reading.fail(reading.place_of(*table.get(key)),
                 fmt::format("`{}` is only for `persistence = \"{}\"`", key,
                             persistence_words[static_cast<std::size_t>(wanted)]));
  };
  is_for("save", Persistence::snapshot);
  is_for("fsync", Persistence::append_only);
}

/// Whether a fault can come, by a budget or because it is fixed.
bool may_come(const Setup& setup, std::string_view key) {
  const auto fault = model::find_fault(key, setup);
  return fault && (setup.faults[*fault] > 0 ||
                   std::any_of(setup.fixed.begin(), setup.fixed.end(),
                               [&](const auto& fixed) { return fixed.fault == *fault; }));
}

}  // namespace

void check_outages(TomlReading& reading, const toml::table& faults, const Setup& setup) {
  using model::Persistence;
  const auto refuse = [&](std::string what) { reading.fail(reading.place_of(faults), std::move(what)); };
  if (may_come(setup, "save") && setup.persistence != Persistence::snapshot)
    refuse("`save` writes a snapshot, which nothing reads without `persistence = \"snapshot\"`");
  if (!may_come(setup, "power-loss")) return;
  if (setup.persistence != Persistence::append_only)
    refuse("`power-loss` takes the end of an append-only file, so it wants `persistence = \"append-only\"`");
  else if (setup.fsync == model::Fsync::always)
    refuse("with `fsync = \"always\"` a `power-loss` takes nothing that was answered");
  else if (!may_come(setup, "crash-node"))
    refuse("a `power-loss` comes with the crash of a node, so it wants `crash-node`, too");
}

namespace {

/// Replicas that clients wait for, and without which masters do not write.
void read_waits(TomlReading& reading, const toml::table& table, Setup& setup) {
  const auto wait = reading.integer(table, "wait", 0, nodes_max - 1);
  if (wait) setup.wait = static_cast<std::uint16_t>(*wait);
  setup.min_replicas =
      static_cast<std::uint16_t>(reading.integer(table, "min-replicas", 0, nodes_max - 1).value_or(0));
  if (const auto lag = reading.duration(table, "min-replicas-max-lag")) {
    setup.min_replicas_max_lag = *lag;
    if (*lag < sim::Duration{1'000} || *lag % sim::Duration{1'000} != sim::Duration::zero())
      reading.fail(reading.place_of(*table.get("min-replicas-max-lag")),
                   "`min-replicas-max-lag` wants whole seconds, at least one");
    if (setup.min_replicas == 0)
      reading.fail(reading.place_of(*table.get("min-replicas-max-lag")),
                   "`min-replicas-max-lag` is only for `min-replicas`");
  }
  const auto is_replica = [](const model::NodeSetup& node) {
    return node.role == model::ServerRole::replica;
  };
  if (std::any_of(setup.nodes.begin(), setup.nodes.end(), is_replica)) return;
  for (const std::string_view key : {"wait", "min-replicas"})
    if (const toml::node* said = table.get(key))
      reading.fail(reading.place_of(*said), fmt::format("`{}` counts replicas, and there are none", key));
}

void read_loading(TomlReading& reading, const toml::table& table, Setup& setup) {
  positive(reading, table, "loading", setup.loading);
  if (setup.loading == sim::Duration::zero()) return;
  const sim::Duration day{86'400'000};
  if (setup.persistence == model::Persistence::none)
    reading.fail(reading.place_of(*table.get("loading")),
                 "`loading` is the time that a node reads its data, and without `persistence` it has none");
  else if (setup.is_watched())
    reading.fail(reading.place_of(*table.get("loading")),
                 "`loading` is not for nodes that judge each other (`sentinel`, `cluster`)");
  else if (setup.loading > day)
    reading.fail(reading.place_of(*table.get("loading")), "`loading` is at most a day");
}

/// Which events of keys are published, as redis.conf has it.
void read_notify(TomlReading& reading, const toml::table& table, Setup& setup) {
  const auto* letters = reading.text(table, "notify-keyspace-events");
  if (letters == nullptr) return;
  setup.notify = letters->get();
  const std::size_t wrong = setup.notify.find_first_not_of(redis::event_letters);
  if (wrong != std::string::npos)
    reading.fail(reading.place_in(*letters, wrong, 1),
                 fmt::format("`notify-keyspace-events` is of the letters {}, such as `Kgx`",
                             redis::event_letters));
  else if (!setup.notify.empty() && setup.notify.find_first_of("KE") == std::string::npos)
    reading.fail(reading.place_of(*letters),
                 "without K or E nothing is published, whatever the other letters");
}

}  // namespace

void read_redis(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[redis]",
               {"mode", "nodes", "replicas", "sentinels", "quorum", "down-after", "failover-timeout",
                "node-timeout", "slots", "spares", "wait", "min-replicas", "min-replicas-max-lag", "expiry",
                "persistence", "fsync", "save", "loading", "script-cache", "notify-keyspace-events", "clock",
                "drift"});
  read_topology(reading, table, setup);
  read_waits(reading, table, setup);
  setup.expiry = static_cast<model::Expiry>(reading.word(table, "expiry", expiry_words).value_or(0));
  read_persistence(reading, table, setup);
  read_loading(reading, table, setup);
  read_notify(reading, table, setup);
  setup.use_script_cache = reading.boolean(table, "script-cache").value_or(false);
  if (const toml::table* clocks = reading.table(table, "clock")) read_clocks(reading, *clocks, setup);
  if (const toml::table* drifts = reading.table(table, "drift")) read_drifts(reading, *drifts, setup);
}

}  // namespace lockstep::scenarios
