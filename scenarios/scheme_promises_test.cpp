// Each scheme that comes with the program says what it promises, and where it is weak. For each promise there
// is a scenario that holds, and a scheme with one thing broken that the property catches there; for each
// weakness one that breaks. A scheme without them fails here. Schemes that are written are broken row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "model/client/complete.h"
#include "model/mysql/database.h"
#include "model/mysql/kind.h"
#include "model/schemes/of_connection.h"
#include "model/schemes/written.h"
#include "model/schemes/zookeeper.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"
#include "scenarios/format/section_schemes.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {
namespace {

struct ShippedScheme {
  std::string name, text;
  const model::Scheme* scheme = nullptr;
};

std::vector<ShippedScheme> shipped_schemes() {
  std::vector<ShippedScheme> all;
  for (const EmbeddedFile& file : embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const auto kinds = schemes_in(file.text, std::string(file.name), shipped_scripts());
    EXPECT_TRUE(kinds.ok()) << (kinds.ok() ? "" : kinds.problem().text);
    if (!kinds.ok()) continue;
    for (const model::LockKind* kind : *kinds)
      all.push_back({std::string(kind->name), std::string(file.text), kind->scheme});
  }
  return all;
}

std::span<const schemes::WrittenPromises> written() { return schemes::promises_of_servers(); }

bool is_of_schemes(std::string_view scenario) {
  for (const std::string_view folder : {"schemes/", "mysql/", "mongodb/", "zookeeper/"})
    if (scenario.starts_with(folder)) return true;
  return false;
}

/// The scenarios that ship and ask about a scheme, by whether they expect that a property holds.
struct Asked {
  std::vector<std::string> hold, break_;
};
using Expectations = std::map<std::pair<std::string, std::string>, Asked>;  // by scheme and property

const Expectations& expectations_of_schemes() {
  static const Expectations found = [] {
    Expectations all;
    for (const EmbeddedFile& file : embedded_scenarios()) {
      if (!is_of_schemes(file.name)) continue;
      const model::Setup setup = setup_of(std::string(file.text));
      std::set<std::string> schemes;
      for (const model::LockObject& object : setup.objects) schemes.emplace(setup.kinds[object.kind]->name);
      for (const std::string& scheme : schemes)
        for (const auto& [property, expected] : setup.expect) {
          Asked& asked = all[{scheme, property}];
          (expected == model::Expected::violated ? asked.break_ : asked.hold).emplace_back(file.name);
        }
    }
    return all;
  }();
  return found;
}

TEST(SchemePromises, AreSaidByEachScheme) {
  ASSERT_GE(shipped_schemes().size(), 13U);
  for (const ShippedScheme& one : shipped_schemes()) {
    EXPECT_FALSE(one.scheme->promises.empty()) << one.name;
    EXPECT_FALSE(one.scheme->weaknesses.empty()) << one.name;
  }
  for (const model::LockKind* kind : schemes::kinds_of_servers()) {
    const auto said =
        std::find_if(written().begin(), written().end(), [&](const auto& one) { return one.kind == kind; });
    ASSERT_NE(said, written().end()) << kind->name;
    EXPECT_FALSE(said->promises.empty() || said->weaknesses.empty()) << kind->name;
  }
}

TEST(SchemePromises, EachHasAScenarioThatHoldsAndEachWeaknessOneThatBreaks) {
  const Expectations& asked = expectations_of_schemes();
  const auto are_asked = [&](std::string_view name, const auto& promises, const auto& weaknesses) {
    for (const auto& promise : promises) {
      const auto found = asked.find({std::string(name), std::string(promise)});
      EXPECT_TRUE(found != asked.end() && !found->second.hold.empty()) << name << " promises " << promise;
    }
    for (const auto& weakness : weaknesses) {
      const auto found = asked.find({std::string(name), std::string(weakness)});
      EXPECT_TRUE(found != asked.end() && !found->second.break_.empty()) << name << ", " << weakness;
    }
  };
  for (const ShippedScheme& one : shipped_schemes())
    are_asked(one.name, one.scheme->promises, one.scheme->weaknesses);
  for (const schemes::WrittenPromises& one : written())
    are_asked(one.kind->name, one.promises, one.weaknesses);
}

/// One thing of a scheme that is written otherwise, by the promise that this breaks; of several that fit, all
/// are tried.
struct Broken {
  std::string promise, from, to;
};

const std::vector<Broken> broken_things{
    {"mutual-exclusion", "\"refused\"", "\"granted\""},
    // A release that does not look whose lock it is; one that looks and lets others come between.
    {"owner-only", "script = \"compare-and-delete.lua\"\nkeys = [\"{lock}\"]\nargs = [\"{token}\"]",
     "send = \"DEL {lock}\""},
    {"owner-only", "script = \"compare-and-delete.lua\"\nkeys = [\"{lock}\"]\nargs = [\"{owner}\"]",
     "send = \"DEL {lock}\""},
    {"owner-only", "  { send = \"WATCH {lock}\", reply = { OK = \"next\" } },\n", ""},
    {"owner-only", "\"*\" = \"not the holder\"", "\"*\" = \"next\""},
    {"owner-only", "\"DELETE {lock} {owner}\"", "\"DELETE {lock}\""},
    // No time to live, and one that is too long.
    {"lock-has-ttl", " PX {lease}", ""},
    {"lock-has-ttl",
     "\nscript = \"obtain-or-extend.lua\"\nkeys = [\"{lock}\"]\nargs = [\"{owner}\", \"{lease}\"]\n"
     "reply = { 1 =",
     "\nsend = \"SETNX {lock} {owner}\"\nreply = { 1 ="},
    {"lock-has-ttl", "INSERT {lock} {owner} {lease}", "INSERT {lock} {owner}"},
    {"free-after-crash", "INSERT {lock} {owner} {lease}", "INSERT {lock} {owner}"},
    {"free-after-crash", "FIND-AND-MODIFY {lock} {owner} {lease}",
     "FIND-AND-MODIFY {lock} {owner} 99{lease}"},
    {"free-after-crash", "PX {lease}", "PX 99{lease}"},
    {"free-after-crash", "args = [\"{owner}\", \"{lease}\"]", "args = [\"{owner}\", \"99{lease}\"]"},
    // It is not renewed in time; who waits is not told of a release.
    {"lease-kept", "every = \"10s\"", "every = \"40s\""},
    {"lease-kept", "every = \"4s\"", "every = \"10s\""},
    {"granted-in-time", "[\"del\", \"expired\"]", "[\"expired\"]"},
};

/// The scenario with this text for what it takes from the file of the scheme.
model::Setup with_scheme(const std::string& scenario, const ShippedScheme& one, const std::string& text) {
  std::string all(find_embedded_scenario(scenario)->text);
  const std::string line = "schemes = \"" + one.name + "\"\n";
  const std::size_t at = all.find(line);
  EXPECT_NE(at, std::string::npos) << scenario;
  all.erase(at, line.size());
  return setup_of(all + text);
}

bool is_caught(const ShippedScheme& one, Property property, const std::string& scenario,
               const std::string& text) {
  const sim::PropertyMask mask = properties::bit(property);
  const model::Setup setup = with_scheme(scenario, one, text);
  // Some schemes compare what they read with their clocks.
  Checked system(setup, {.watched = mask, .with_now = true});
  sim::SearchOptions<Checked> options;
  options.limits.states_max = 50'000;
  options.enough = [mask](sim::PropertyMask broken, sim::WitnessMask) { return (broken & mask) != 0; };
  return (properties::search(system, std::move(options), properties::Memories::usual).violated & mask) != 0;
}

/// In one of the scenarios in which the property holds.
bool is_caught(const ShippedScheme& one, const std::string& promise, const std::string& text) {
  const std::optional<Property> property = properties::find_property(promise);
  EXPECT_TRUE(property.has_value()) << promise;
  const auto& scenarios = expectations_of_schemes().at({one.name, promise}).hold;
  return property && std::any_of(scenarios.begin(), scenarios.end(), [&](const std::string& scenario) {
           return is_caught(one, *property, scenario, text);
         });
}

std::string with_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(SchemePromises, EachIsMissedByASchemeWithOneThingBroken) {
  for (const ShippedScheme& one : shipped_schemes())
    for (const std::string& promise : one.scheme->promises) {
      std::size_t tried = 0;
      for (const Broken& broken : broken_things) {
        if (broken.promise != promise || one.text.find(broken.from) == std::string::npos) continue;
        ++tried;
        EXPECT_TRUE(is_caught(one, promise, with_all(one.text, broken.from, broken.to)))
            << one.name << ", " << promise << ": " << broken.from;
      }
      EXPECT_GT(tried, 0U) << one.name << " has no mutant for " << promise;
    }
}

/// What is broken in one scheme, and which property catches it in which scenario.
struct BrokenElsewhere {
  const char *scheme, *from, *to, *scenario;
  Property property;
};

const std::vector<BrokenElsewhere> broken_elsewhere{
    // What one master has granted is not given back.
    {"redlock", "[scheme.redlock.release]",
     "undo = { send = \"GET {lock}\", reply = { nil = \"released\", \"*\" = \"released\" } }\n"
     "[scheme.redlock.release]",
     "schemes/redlock-undone.toml", Property::expectations},
    // One master is enough.
    {"redlock", "on = \"majority\"\nlease = \"10s\"\ndrift = \"102ms\"\n", "on = \"one\"\nlease = \"10s\"\n",
     "schemes/redlock-one-crash.toml", Property::mutual_exclusion},
    {"node-redlock", "on = \"majority\"\nlease = \"10s\"\ndrift = \"102ms\"\n",
     "on = \"one\"\nlease = \"10s\"\n", "schemes/node-redlock-one-crash.toml", Property::mutual_exclusion},
    // EXPIRE does not follow; who finds the time past leaves it there.
    {"setnx-expire", "EXPIRE {lock} {seconds}", "EXISTS {lock}", "schemes/setnx-expire-late-crash.toml",
     Property::free_after_crash},
    {"setnx-getset",
     "\"*\" = \"next\" } },\n  { send = \"GETSET {lock} {until}|{owner}\", reply = { \"> {now}\" = "
     "\"refused\", "
     "\"*\" = \"granted\" } },\n",
     "\"*\" = \"refused\" } },\n", "schemes/setnx-getset-crash.toml", Property::expectations},
};

TEST(SchemePromises, WhatIsBrokenInOneSchemeIsCaughtWhereItsScenarioSays) {
  for (const BrokenElsewhere& broken : broken_elsewhere)
    for (const ShippedScheme& one : shipped_schemes()) {
      if (one.name != broken.scheme) continue;
      ASSERT_NE(one.text.find(broken.from), std::string::npos) << broken.scheme << ": " << broken.from;
      const std::string text = with_all(one.text, broken.from, broken.to);
      EXPECT_FALSE(is_caught(one, broken.property, broken.scenario, one.text)) << broken.from;
      EXPECT_TRUE(is_caught(one, broken.property, broken.scenario, text)) << broken.scheme << broken.from;
    }
}

/// A scheme that is written with one thing broken: a row of it, or its servers.
struct BrokenRow {
  const model::LockKind* kind;
  const char *promise, *scenario;
  void (*breaks)(std::vector<model::Role>& rows, model::ServerKind& servers);
};

using Rows = std::vector<model::Role>;
enum ChildRow : std::uint8_t { create_row, list_row, watch_row };
constexpr std::size_t take_row = 0;

/// Who sees that another is before it takes the lock all the same, in the row of this place.
model::Items grant_whatever(model::Items items) {
  for (model::Item& item : items)
    if (item.what == model::Meaning::refused)
      item = {.what = model::Meaning::granted, .wait = {}, .number = 1};
  return items;
}
void grants_whoever_is_first(Rows& rows, model::ServerKind&) {
  rows[list_row].read = [](const model::Reply& reply) {
    return grant_whatever(schemes::zookeeper_roles(false)[list_row].read(reply));
  };
}
void creates_for_good(Rows& rows, model::ServerKind&) {
  rows[create_row].command = [](model::Wording& wording) -> model::Command {
    return {"CREATE-FOR-GOOD", wording.purpose.lock};
  };
}
void waits_without_a_look(Rows& rows, model::ServerKind&) {
  rows[watch_row].read = [](const model::Reply&) -> model::Items { return {{.what = model::Meaning::yes}}; };
}
void gives_one_token(Rows& rows, model::ServerKind&) {
  rows[list_row].read = [](const model::Reply& reply) {
    model::Items items = schemes::zookeeper_roles(false)[list_row].read(reply);
    if (items.front().what == model::Meaning::granted) items.front().number = 1;
    return items;
  };
}
void grants_who_must_wait(Rows& rows, model::ServerKind&) {
  rows[take_row].read = [](const model::Reply&) -> model::Items {
    return {{.what = model::Meaning::granted, .wait = {}, .number = 1}};
  };
}
void keeps_what_is_of_the_dead(Rows&, model::ServerKind& servers) {
  servers.disconnect = [](model::Server&, sim::ProcessId) {};
}
void forgets_who_waits(Rows&, model::ServerKind& servers) {
  servers.serve = [](model::Server& server, model::ConnectionId from, const model::Command& words,
                     const model::Serving& serving) {
    for (auto& [lock, its] : server.write<mysql::Database>().held) its.queue.clear();
    return mysql::server_kind.serve(server, from, words, serving);
  };
}

const std::vector<BrokenRow> broken_rows{
    {&schemes::zookeeper, "mutual-exclusion", "zookeeper/excludes.toml", grants_whoever_is_first},
    {&schemes::zookeeper, "free-after-crash", "zookeeper/holder-crash.toml", creates_for_good},
    {&schemes::zookeeper, "lock-has-ttl", "zookeeper/holder-crash.toml", creates_for_good},
    {&schemes::zookeeper, "nothing-left-behind", "zookeeper/holder-crash.toml", creates_for_good},
    {&schemes::zookeeper, "calls-return", "zookeeper/at-once.toml", waits_without_a_look},
    {&schemes::zookeeper, "writes-in-turn", "zookeeper/pause-fenced.toml", gives_one_token},
    {&schemes::zookeeper_herd, "mutual-exclusion", "zookeeper/herd-crash.toml", grants_whoever_is_first},
    {&schemes::zookeeper_herd, "free-after-crash", "zookeeper/herd-crash.toml", creates_for_good},
    {&schemes::zookeeper_herd, "calls-return", "zookeeper/herd-at-once.toml", waits_without_a_look},
    {&schemes::get_lock, "mutual-exclusion", "mysql/get-lock.toml", grants_who_must_wait},
    {&schemes::get_lock, "free-after-crash", "mysql/get-lock-crash.toml", keeps_what_is_of_the_dead},
    {&schemes::get_lock, "granted-in-time", "mysql/get-lock.toml", forgets_who_waits},
    {&schemes::get_lock, "calls-return", "mysql/get-lock.toml", forgets_who_waits},
    {&schemes::for_update, "mutual-exclusion", "mysql/for-update.toml", grants_who_must_wait},
    {&schemes::for_update, "free-after-crash", "mysql/for-update-crash.toml", keeps_what_is_of_the_dead},
    {&schemes::for_update, "granted-in-time", "mysql/for-update.toml", forgets_who_waits},
    {&schemes::for_update, "calls-return", "mysql/for-update.toml", forgets_who_waits},
};

std::string violated_with(const BrokenRow& broken) {
  model::Setup setup = shipped_setup(broken.scenario);
  model::LockKind kind = *broken.kind;
  model::ServerKind servers = *kind.on;
  Rows rows(kind.roles.begin(), kind.roles.end());
  broken.breaks(rows, servers);
  kind.roles = rows;
  kind.on = &servers;
  std::replace(setup.kinds.begin(), setup.kinds.end(), broken.kind,
               static_cast<const model::LockKind*>(&kind));
  for (model::NodeSetup& node : setup.nodes)
    if (node.kind == broken.kind->on) node.kind = &servers;
  setup.libraries.clear();
  const sim::PropertyMask asked = properties::bit(*properties::find_property(broken.promise));
  const auto report = properties::check(*model::complete(std::move(setup)),
                                        {.strategy = properties::Strategy::search, .watched = asked});
  for (const properties::PropertyResult& one : report.results)
    if (one.verdict == properties::Verdict::violated) return broken.promise;
  return report.refusal.value_or("nothing");
}

TEST(SchemePromises, EachOfAWrittenSchemeIsMissedWithOneThingBroken) {
  for (const schemes::WrittenPromises& one : written())
    for (const std::string_view promise : one.promises) {
      const auto broken = std::find_if(broken_rows.begin(), broken_rows.end(), [&](const BrokenRow& row) {
        return row.kind == one.kind && row.promise == promise;
      });
      ASSERT_NE(broken, broken_rows.end()) << one.kind->name << " has no mutant for " << promise;
      const auto& hold =
          expectations_of_schemes().at({std::string(one.kind->name), std::string(promise)}).hold;
      EXPECT_NE(std::find(hold.begin(), hold.end(), broken->scenario), hold.end()) << broken->scenario;
      EXPECT_EQ(violated_with(*broken), promise) << one.kind->name << " in " << broken->scenario;
    }
}

}  // namespace
}  // namespace lockstep::scenarios
