// What is known of each scheme on one server from thinking, in one situation after the other: what breaks in
// it, and what must not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::Verdict;

struct OnOneServer {
  const char* name;
  bool deletes_blindly = false;  // what is another's as well
  bool may_lack_time = false;    // a key without a time to live
  bool by_clients_clock = false;
};

constexpr std::array<OnOneServer, 11> on_one_server{{
    {"set-nx-px"},
    {"set-nx-px-watch"},
    {"set-nx-px-event"},
    {"set-nx-px-renewed"},
    {"set-nx-px-del", true},
    {"setnx-expire", false, true},
    {"setnx-expire-del", true, true},
    {"setnx-getset", true, true, true},
    {"python-token-lock"},
    {"java-registry"},
    {"go-lock"},
}};

struct Situation {
  const char *name, *redis, *rest;
  Property property;
  bool (*breaks)(const OnOneServer& scheme);
};

bool everywhere(const OnOneServer&) { return true; }
bool nowhere(const OnOneServer&) { return false; }

#define LOCKSTEP_TWO "[process.P]\ncount = 2\nthreads = [[\"lock {}:o\", \"work 1s\", \"unlock {}:o\"]]\n"
constexpr const char* two_meet = LOCKSTEP_TWO;
constexpr Property exclusion = Property::mutual_exclusion;

const std::vector<Situation> situations{
    {"nothing goes wrong", "", two_meet, exclusion, nowhere},
    {"work takes longer than the lease", "",
     "[process.P]\ncount = 2\nthreads = [[\"lock {}:o lease=1s\", \"work 2500ms\", \"unlock {}:o\"]]\n",
     exclusion, everywhere},
    {"a stranger releases", "",
     "[process.A]\nthreads = [[\"lock {}:o\", \"work 2s\", \"unlock {}:o\"]]\n"
     "[process.C]\nthreads = [[\"start 1s\", \"unlock {}:o\", \"expect exception\"]]\n",
     Property::owner_only, [](const OnOneServer& scheme) { return scheme.deletes_blindly; }},
    {"a client crashes", "", LOCKSTEP_TWO "[faults]\ncrash-process = 1\n", Property::free_after_crash,
     [](const OnOneServer& scheme) { return scheme.may_lack_time; }},
    {"the server's clock jumps", "", LOCKSTEP_TWO "[faults]\nclock-jump = 1\nclock-jumps = [\"70s\"]\n",
     exclusion, [](const OnOneServer& scheme) { return !scheme.by_clients_clock; }},
    {"a client's clock is ahead", "",
     "[process.A]\nthreads = [[\"lock {}:o\", \"work 2s\", \"unlock {}:o\"]]\n"
     "[process.B]\nclock = \"90s\"\nthreads = [[\"start 1s\", \"trylock {}:o\"]]\n",
     exclusion, [](const OnOneServer& scheme) { return scheme.by_clients_clock; }},
    {"a replica that has not heard of it is promoted", "mode = \"replicated\"\nnodes = 2\n",
     LOCKSTEP_TWO "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n", exclusion,
     everywhere},
    {"the key is evicted", "", LOCKSTEP_TWO "[faults]\nevict-key = 1\n", exclusion, everywhere},
    {"the server restarts empty", "", LOCKSTEP_TWO "[faults]\ncrash-node = 1\nrestart-node = 1\n", exclusion,
     everywhere},
    {"the server restarts with what it knew", "persistence = \"append-only\"\nfsync = \"always\"\n",
     LOCKSTEP_TWO "[faults]\ncrash-node = 1\nrestart-node = 1\n", exclusion, nowhere},
    {"a message is lost", "", LOCKSTEP_TWO "[faults]\nlose-message = 1\n", exclusion, nowhere},
    {"a link is cut", "", LOCKSTEP_TWO "[faults]\ncut-link = 1\n", exclusion, nowhere},
    {"a connection breaks", "", LOCKSTEP_TWO "[faults]\nbreak-connection = 1\n", exclusion, nowhere},
    {"the server forgets its scripts", "script-cache = true\n", LOCKSTEP_TWO "[faults]\nflush-scripts = 1\n",
     Property::no_uncaught_exception, nowhere},
    {"an operator deletes the key", "",
     "[process.A]\nthreads = [[\"lock {}:o\", \"work 2s\", \"unlock {}:o\"]]\n"
     "[process.B]\nthreads = [[\"start 1s\", \"redis DEL o\", \"trylock {}:o\"]]\n",
     exclusion, everywhere},
};
#undef LOCKSTEP_TWO

std::string scenario_of(const OnOneServer& scheme, const Situation& situation) {
  std::string text = std::string("format = 1\nschemes = \"") + scheme.name +
                     "\"\n[redis]\nnotify-keyspace-events = \"Kgx\"\n" + situation.redis + situation.rest;
  for (std::size_t at = 0; (at = text.find("{}", at)) != std::string::npos;) text.replace(at, 2, scheme.name);
  return text;
}

TEST(SchemesOnOneServer, BreakAndHoldAsIsKnownOfThem) {
  for (const OnOneServer& scheme : on_one_server)
    for (const Situation& situation : situations) {
      const auto report = properties::check(
          setup_of(scenario_of(scheme, situation)),
          {.states_max = 60'000, .runs = 100, .watched = properties::bit(situation.property)});
      ASSERT_EQ(report.refusal, std::nullopt) << scheme.name << ": " << situation.name;
      const auto found = std::find_if(report.results.begin(), report.results.end(),
                                      [&](const auto& one) { return one.property == situation.property; });
      ASSERT_NE(found, report.results.end());
      EXPECT_NE(found->verdict, Verdict::unknown) << scheme.name << ": " << situation.name;
      EXPECT_EQ(found->verdict == Verdict::violated, situation.breaks(scheme))
          << scheme.name << ": " << situation.name;
    }
}

}  // namespace
}  // namespace lockstep::scenarios
