// Each scheme that comes with the program says what it promises, and where it is weak. For each promise there
// is a scenario that holds, and a scheme with one thing broken that the property catches there; for each
// weakness one that breaks. A scheme without them fails here, but for those on servers other than Redis.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

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

/// The scenarios that ship and ask about a scheme, by whether they expect that a property holds.
struct Asked {
  std::vector<std::string> hold, break_;
};
using Expectations = std::map<std::pair<std::string, std::string>, Asked>;  // by scheme and property

const Expectations& expectations_of_schemes() {
  static const Expectations found = [] {
    Expectations all;
    for (const EmbeddedFile& file : embedded_scenarios()) {
      if (!file.name.starts_with("schemes/")) continue;
      const model::Setup setup = setup_of(std::string(file.text));
      std::set<std::string> schemes;
      for (const model::LockObject& object : setup.objects)
        if (const model::Scheme* its = setup.kinds[object.kind]->scheme) schemes.insert(its->name);
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
    if (one.scheme->server != nullptr) continue;  // those on servers other than Redis do not say it yet
    EXPECT_FALSE(one.scheme->promises.empty()) << one.name;
    EXPECT_FALSE(one.scheme->weaknesses.empty()) << one.name;
  }
}

TEST(SchemePromises, EachHasAScenarioThatHoldsAndEachWeaknessOneThatBreaks) {
  const Expectations& asked = expectations_of_schemes();
  for (const ShippedScheme& one : shipped_schemes()) {
    for (const std::string& promise : one.scheme->promises) {
      const auto found = asked.find({one.name, promise});
      EXPECT_TRUE(found != asked.end() && !found->second.hold.empty()) << one.name << " promises " << promise;
    }
    for (const std::string& weakness : one.scheme->weaknesses) {
      const auto found = asked.find({one.name, weakness});
      EXPECT_TRUE(found != asked.end() && !found->second.break_.empty()) << one.name << ", " << weakness;
    }
  }
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
    // No time to live, and one that is too long.
    {"lock-has-ttl", " PX {lease}", ""},
    {"lock-has-ttl",
     "\nscript = \"obtain-or-extend.lua\"\nkeys = [\"{lock}\"]\nargs = [\"{owner}\", \"{lease}\"]\n"
     "reply = { 1 =",
     "\nsend = \"SETNX {lock} {owner}\"\nreply = { 1 ="},
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
  return (properties::search(system, std::move(options), properties::Memory::used).violated & mask) != 0;
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

}  // namespace
}  // namespace lockstep::scenarios
