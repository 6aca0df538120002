// [zookeeper] and its like: servers that are not Redis. Which they are follows from the schemes that a
// scenario names: all of its locks lie on servers of one kind.
#include <fmt/format.h>

#include <algorithm>

#include "model/client/lock_kind.h"
#include "model/mongodb/kind.h"
#include "model/mysql/kind.h"
#include "model/schemes/written.h"
#include "model/zookeeper/kind.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/section_servers.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::ServerKind;
using model::Setup;

namespace {

constexpr std::int64_t members_max = 7;

/// So many nodes of one group, the first of which is its master.
void add_nodes(Setup& setup, const ServerKind& kind, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    model::NodeSetup node{.name = fmt::format("R{}", i), .clock_offset = {}, .group = {}};
    node.role = i == 0 ? model::ServerRole::master : model::ServerRole::replica;
    node.kind = &kind;
    setup.nodes.push_back(std::move(node));
  }
}

/// Members that vote; an even number would be of no more use than one less.
std::int64_t read_members(TomlReading& reading, const toml::table& table, std::string_view key) {
  const std::int64_t count = reading.integer(table, key, 1, members_max).value_or(3);
  if (count % 2 == 0)
    reading.fail(
        reading.place_of(*table.get(key)),
        fmt::format("`{}` wants an odd number: of {} as many may fail as of {}", key, count, count - 1));
  return count;
}

using sim::Duration;

void read_zookeeper(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[zookeeper]", {"servers", "session-timeout", "down-after"});
  setup.topology = model::Topology::ensemble;
  setup.watching.down_after = Duration{2'000};
  setup.watching.failover_timeout = Duration{500};
  setup.watching.election = {Duration{200}, Duration{1'000}};
  setup.limits.learn = {Duration{0}, Duration{1'000}};
  positive(reading, table, "session-timeout", setup.others.session_timeout);
  positive(reading, table, "down-after", setup.watching.down_after);
  add_nodes(setup, zookeeper::server_kind, read_members(reading, table, "servers"));
}

std::int64_t members_of(const Setup& setup) {
  return std::count_if(setup.nodes.begin(), setup.nodes.end(),
                       [](const auto& node) { return !node.kind->outside; });
}

std::string print_zookeeper(const Setup& setup) {
  return fmt::format("down-after = \"{}\"\nservers = {}\nsession-timeout = \"{}\"\n",
                     print(setup.watching.down_after), members_of(setup),
                     print(setup.others.session_timeout));
}

void read_mysql(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[mysql]", {"replicas", "lock-wait", "clean-after"});
  const std::int64_t replicas = reading.integer(table, "replicas", 0, members_max).value_or(0);
  setup.topology = replicas > 0 ? model::Topology::replicated : model::Topology::single;
  positive(reading, table, "lock-wait", setup.others.lock_wait);
  positive(reading, table, "clean-after", setup.others.clean_after);
  add_nodes(setup, mysql::server_kind, replicas + 1);
}

std::string print_mysql(const Setup& setup) {
  std::string out;
  if (setup.others.clean_after > Duration::zero())
    out = fmt::format("clean-after = \"{}\"\n", print(setup.others.clean_after));
  return out + fmt::format("lock-wait = \"{}\"\nreplicas = {}\n", print(setup.others.lock_wait),
                           members_of(setup) - 1);
}

/// How many members besides the primary must have a write before it is answered: `"majority"`, or a number,
/// the primary among them.
std::uint16_t read_concern(TomlReading& reading, const toml::table& table, std::int64_t members) {
  constexpr std::string_view key = "write-concern";
  const toml::node* its = table.get(key);
  if (its == nullptr || its->value<std::string>() == "majority")
    return static_cast<std::uint16_t>(members / 2);
  if (its->is_integer()) {
    const auto number = reading.integer(table, key, 1, members);
    return static_cast<std::uint16_t>(number.value_or(1) - 1);
  }
  reading.fail(reading.place_of(*its),
               "`write-concern` is \"majority\", or how many members must have a write");
  return 0;
}

void read_mongodb(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[mongodb]", {"members", "election-timeout", "write-concern"});
  setup.topology = model::Topology::ensemble;
  setup.watching.down_after = Duration{10'000};
  positive(reading, table, "election-timeout", setup.watching.down_after);
  setup.watching.failover_timeout = Duration{500};
  setup.watching.election = {Duration{0}, Duration{2'000}};
  setup.watching.closing = {setup.watching.down_after, setup.watching.down_after};
  setup.limits.learn = {Duration{0}, Duration{1'000}};
  const std::int64_t members = read_members(reading, table, "members");
  if (const std::uint16_t others = read_concern(reading, table, members); others > 0) setup.wait = others;
  add_nodes(setup, mongodb::server_kind, members);
}

std::string print_mongodb(const Setup& setup) {
  const std::int64_t members = members_of(setup), wait = setup.wait.value_or(0);
  return fmt::format("election-timeout = \"{}\"\nmembers = {}\nwrite-concern = {}\n",
                     print(setup.watching.down_after), members,
                     wait == members / 2 ? "\"majority\"" : std::to_string(wait + 1));
}

struct ServerSection {
  std::string_view key, says;
  const ServerKind* kind;
  void (*read)(TomlReading& reading, const toml::table& table, Setup& setup);
  std::string (*print)(const Setup& setup);
  bool has_described = true;  // schemes of a user's own, which send statements
};
const std::vector<ServerSection> sections{
    {"zookeeper", "ZooKeeper", &zookeeper::server_kind, read_zookeeper, print_zookeeper, false},
    {"mysql", "MySQL", &mysql::server_kind, read_mysql, print_mysql},
    {"mongodb", "MongoDB", &mongodb::server_kind, read_mongodb, print_mongodb},
};

std::string_view called(const ServerKind* kind) {
  for (const ServerSection& section : sections)
    if (section.kind == kind) return section.says;
  return "Redis";
}

}  // namespace

bool read_other_servers(TomlReading& reading, const toml::table& document, Setup& setup) {
  const ServerSection* wanted = nullptr;
  for (const ServerSection& section : sections)
    for (const model::LockKind* kind : setup.kinds)
      if (kind->on == section.kind) {
        const toml::node* named = document.get("schemes");
        if (wanted != nullptr && wanted != &section)
          reading.fail(named != nullptr ? reading.place_of(*named) : Place{1, 1, 1},
                       fmt::format("these schemes lie on {} and on {}: a scenario has servers of one kind",
                                   wanted->says, section.says));
        wanted = &section;
      }
  for (const ServerSection& section : sections)
    if (const toml::node* its = document.get(section.key); its != nullptr && &section != wanted)
      reading.fail(reading.place_of(document.find(section.key)->first),
                   fmt::format("`[{}]` is for locks that lie on {}", section.key, section.says),
                   fmt::format("name one in `schemes`; `lockstep list schemes` has them"));
  if (wanted == nullptr) return false;
  if (document.get("redis") != nullptr)
    reading.fail(reading.place_of(document.find("redis")->first),
                 fmt::format("the locks of these schemes lie on {}, so there is no `[redis]`", wanted->says),
                 fmt::format("the servers are described in `[{}]`", wanted->key));
  const toml::table nothing;
  const toml::table* its = reading.table(document, wanted->key);
  wanted->read(reading, its != nullptr ? *its : nothing, setup);
  return true;
}

void check_servers(TomlReading& reading, const toml::table& processes, const Setup& setup) {
  if (setup.nodes.empty()) return;
  const ServerKind* there = setup.nodes.front().kind;
  const bool redis = called(there) == "Redis";
  for (const model::LockObject& object : setup.objects) {
    const model::LockKind& kind = *setup.kinds[object.kind];
    if (!kind.is_taken() || kind.on == (redis ? nullptr : there)) continue;
    reading.fail(reading.place_of(processes),
                 fmt::format("`{}` is a {} lock, which lies on {}, and the servers are {}", object.name,
                             kind.name, called(kind.on), called(there)));
  }
}

const ServerKind* read_server(TomlReading& reading, const toml::table& scheme) {
  const auto* word = reading.text(scheme, "server");
  if (word == nullptr) return nullptr;
  std::vector<std::string> known;
  for (const ServerSection& section : sections) {
    if (!section.has_described) continue;
    if (section.key == word->get()) return section.kind;
    known.emplace_back(section.key);
  }
  reading.fail(
      reading.place_of(*word),
      fmt::format("`server` wants the kind of the servers that the lock lies on, not `{}`", word->get()),
      did_you_mean(word->get(), known, "it is " + either(known)));
  return nullptr;
}

const model::LockKind* written_kind(std::string_view name) {
  for (const model::LockKind* kind : schemes::kinds_of_servers())
    if (kind->name == name) return kind;
  return nullptr;
}

std::vector<const model::LockKind*> all_written_kinds() {
  std::vector<const model::LockKind*> kinds(model::shipped_kinds().begin(), model::shipped_kinds().end());
  for (const model::LockKind* kind : schemes::kinds_of_servers()) kinds.push_back(kind);
  return kinds;
}

std::string print_other_servers(const Setup& setup) {
  for (const ServerSection& section : sections)
    if (!setup.nodes.empty() && setup.nodes.front().kind == section.kind)
      return fmt::format("\n[{}]\n{}", section.key, section.print(setup));
  return {};
}

}  // namespace lockstep::scenarios
