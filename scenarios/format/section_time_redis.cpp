// [time], [redis] and [redisson].
#include <fmt/format.h>

#include <chrono>

#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::ClientBehaviour;
using model::Setup;

const std::vector<std::string> persistence_words = {"none", "snapshot", "append-only"};
const std::vector<std::string> expiry_words = {"eager", "lazy"};
const std::vector<std::string> client_versions = {"3.10.5", "3.10.6", "3.10.7"};
const std::vector<MutantWord> mutant_words = {
    {"permit-ignored", &ClientBehaviour::permit_ignored},
    {"unlock-keeps-renewing", &ClientBehaviour::unlock_keeps_renewing},
    {"unsubscribe-forgotten", &ClientBehaviour::unsubscribe_forgotten},
};

namespace {

constexpr std::int64_t nodes_max = 16;

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
      setup.network.kind = model::NetworkKind::prompt;
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
  for (const model::NodeSetup& node : setup.nodes) names.push_back(node.name);
  reading.only(table, "[redis.clock]", names);
  for (model::NodeSetup& node : setup.nodes) {
    node.clock_offset = reading.offset(table, node.name).value_or(sim::Duration::zero());
  }
}

void read_drifts(TomlReading& reading, const toml::table& table, Setup& setup) {
  std::vector<std::string> names;
  for (const model::NodeSetup& node : setup.nodes) names.push_back(node.name);
  reading.only(table, "[redis.drift]", names);
  for (model::NodeSetup& node : setup.nodes)
    node.clock_drift_ppm = reading.drift(table, node.name).value_or(0);
}

void positive(TomlReading& reading, const toml::table& table, std::string_view key, sim::Duration& member) {
  const auto read = reading.duration(table, key);
  if (!read) return;
  if (*read == sim::Duration::zero()) {
    reading.fail(reading.place_of(*table.get(key)), fmt::format("`{}` wants at least 1ms", key));
  }
  member = *read;
}

}  // namespace

void read_time(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[time]", {"watchdog", "network", "held_max", "grain", "horizon", "epoch"});
  positive(reading, table, "watchdog", setup.client.watchdog);
  positive(reading, table, "grain", setup.grain);
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

void read_redis(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[redis]",
               {"mode", "nodes", "expiry", "persistence", "script-cache", "clock", "drift"});
  const std::vector<std::string> modes = {"single", "replicated", "sentinel", "cluster", "independent"};
  const std::size_t mode = reading.word(table, "mode", modes).value_or(0);
  if (mode > 1) {
    reading.fail(reading.place_of(*table.get("mode")),
                 fmt::format("mode `{}` is not modelled yet", modes[mode]));
  }
  setup.topology = mode == 0 ? model::Topology::single : model::Topology::replicated;
  const std::int64_t nodes = reading.integer(table, "nodes", 1, nodes_max).value_or(mode == 0 ? 1 : 2);
  if (const toml::node* written = table.get("nodes"); written != nullptr && mode == 0 && nodes > 1) {
    reading.fail(reading.place_of(*written),
                 fmt::format("`nodes = {}` needs `mode = \"replicated\"`", nodes));
  } else if (written != nullptr && mode == 1 && nodes < 2) {
    reading.fail(reading.place_of(*written),
                 "mode `replicated` wants at least 2 nodes: a master and a replica");
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    setup.nodes.push_back({.name = fmt::format("R{}", i),
                           .clock_offset = {},
                           .role = i == 0 ? redis::Role::master : redis::Role::replica});
  }
  setup.expiry = static_cast<redis::Expiry>(reading.word(table, "expiry", expiry_words).value_or(0));
  setup.persistence =
      static_cast<redis::Persistence>(reading.word(table, "persistence", persistence_words).value_or(0));
  setup.use_script_cache = reading.boolean(table, "script-cache").value_or(false);
  if (const toml::table* clocks = reading.table(table, "clock")) read_clocks(reading, *clocks, setup);
  if (const toml::table* drifts = reading.table(table, "drift")) read_drifts(reading, *drifts, setup);
}

std::optional<ClientBehaviour> client_of(std::string_view version) {
  for (const std::string& known : client_versions) {
    if (known != version) continue;
    ClientBehaviour client;
    client.version = known;
    client.renew_again_after_zero = known != "3.10.7";  // 3.10.7: a renewal that answers 0 stops renewal
    client.lock_returns_on_interrupt =
        known == "3.10.5";  // since 3.10.6 an interrupted lock() goes on waiting
    return client;
  }
  return std::nullopt;
}

void read_redisson(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[redisson]",
               {"version", "response-timeout", "subscription-timeout", "retry-attempts", "retry-interval",
                "renew-again-after-zero", "lock-returns-on-interrupt", "mutant"});
  if (const auto* version = reading.text(table, "version")) {
    if (const auto client = client_of(version->get())) {
      setup.client = *client;
    } else {
      reading.fail(reading.place_of(*version),
                   fmt::format("the client of Redisson {} is not modelled yet", version->get()),
                   "modelled are " + either(client_versions));
    }
  }
  ClientBehaviour& client = setup.client;
  positive(reading, table, "response-timeout", client.response_timeout);
  positive(reading, table, "subscription-timeout", client.subscription_timeout);
  positive(reading, table, "retry-interval", client.retry_interval);
  client.retry_attempts = static_cast<std::uint16_t>(
      reading.integer(table, "retry-attempts", 0, 100).value_or(client.retry_attempts));
  client.renew_again_after_zero =
      reading.boolean(table, "renew-again-after-zero").value_or(client.renew_again_after_zero);
  client.lock_returns_on_interrupt =
      reading.boolean(table, "lock-returns-on-interrupt").value_or(client.lock_returns_on_interrupt);
  std::vector<std::string> words = {early_poll_mutant};
  for (const MutantWord& mutant : mutant_words) words.emplace_back(mutant.word);
  for (const auto* text : reading.texts(table, "mutant")) {
    bool known = text->get() == early_poll_mutant;
    if (known) client.ttl_wait_extra = sim::Duration::zero();
    for (const MutantWord& mutant : mutant_words) {
      if (text->get() != mutant.word) continue;
      client.*mutant.member = true;
      known = true;
    }
    if (!known) {
      reading.fail(reading.place_of(*text), fmt::format("unknown mutant `{}`", text->get()),
                   did_you_mean(text->get(), words, "mutants are " + either(words)));
    }
  }
}

}  // namespace lockstep::scenarios
