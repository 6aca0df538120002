// Locks on MySQL and on MongoDB: small scenarios whose answers are known.
#include <gmock/gmock.h>

#include <array>

#include "properties/check/check.h"
#include "scenarios/exploring.h"
#include "sim/run/run.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

std::string violated_in(const std::string& text) {
  const auto report = properties::check(setup_of(text), {.strategy = properties::Strategy::search});
  EXPECT_EQ(report.refusal.value_or(""), "");
  std::string names;
  for (const properties::PropertyResult& one : report.results)
    if (one.verdict == properties::Verdict::violated)
      names += (names.empty() ? "" : " ") + std::string(properties::info(one.property).name);
  return names;
}

struct Answered {
  const char *scheme, *text, *violated;
};

const std::array answered{
    Answered{"mysql-row-expiring", R"([process.A]
threads = [["lock LOCK:orders", "trylock LOCK:orders", "expect false",
            "unlock LOCK:orders", "expect true"]])",
             ""},
    Answered{"mysql-row-expiring", R"([process.A]
threads = [["unlock LOCK:orders", "expect exception"]])",
             ""},
    // A row whose time is over is another's to delete; one millisecond before that it is not.
    Answered{"mysql-row-expiring", R"([process.A]
threads = [["lock LOCK:orders lease=2s"]]
[process.B]
threads = [["start 1999ms", "trylock LOCK:orders", "expect false"]])",
             ""},
    Answered{"mysql-row-expiring", R"([process.A]
threads = [["lock LOCK:orders lease=2s", "work 3s", "unlock LOCK:orders", "expect exception"]]
[process.B]
threads = [["start 2001ms", "trylock LOCK:orders", "expect true", "work 5s", "unlock LOCK:orders"]])",
             "mutual-exclusion"},
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders", "expect true"]]
[process.B]
threads = [["start 1s", "trylock LOCK:orders wait=1s", "expect false"]])",
             ""},
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders", "expect true"]]
[process.B]
threads = [["start 1s", "trylock LOCK:orders wait=4s", "expect true", "unlock LOCK:orders"]])",
             ""},
    // First come, first served.
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders"]]
[process.B]
threads = [["start 1s", "trylock LOCK:orders wait=3s", "expect true", "unlock LOCK:orders"]]
[process.C]
threads = [["start 2s", "trylock LOCK:orders wait=3s", "work 9s", "unlock LOCK:orders"]])",
             ""},
    Answered{"mysql-get-lock", R"([process.A]
threads = [["unlock LOCK:orders", "expect exception"]])",
             ""},
    // The connection of who waits breaks: it is told nothing, and throws.
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders", "expect true"]]
[process.B]
threads = [["start 1s", "lock LOCK:orders", "expect exception"]]
[faults]
fixed = ["break B R0 at 2s"])",
             ""},
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders", "expect exception"]]
[faults]
fixed = ["crash R0 at 1s", "restart R0 at 2s"])",
             ""},
    // One that waits when its server dies is told so; the replica knows of no names.
    Answered{"mysql-get-lock", R"([mysql]
replicas = 1
[process.A]
threads = [["lock LOCK:orders", "work 30s", "unlock LOCK:orders", "expect exception"]]
[process.B]
threads = [["start 1s", "lock LOCK:orders", "expect exception", "work 15s",
            "trylock LOCK:orders wait=1s", "expect true"]]
[faults]
fixed = ["crash R0 at 2s", "failover R1 at 3s"])",
             "mutual-exclusion mutual-exclusion-within-lease"},
    Answered{"mysql-get-lock", R"([process.A]
threads = [["lock LOCK:orders", "trylock LOCK:orders", "expect true", "unlock LOCK:orders", "expect true",
            "work 2s", "unlock LOCK:orders", "expect true"]]
[process.B]
threads = [["start 1s", "trylock LOCK:orders", "expect false"]])",
             ""},
    Answered{"mysql-for-update", R"([mysql]
lock-wait = "1s"
[process.A]
threads = [["lock LOCK:orders", "work 3s", "unlock LOCK:orders"]]
[process.B]
threads = [["start 1s", "lock LOCK:orders", "expect exception"]])",
             ""},
    Answered{"mysql-for-update", R"([process.A]
threads = [["lock LOCK:orders", "crash"]]
[process.B]
threads = [["start 1s", "trylock LOCK:orders", "expect true", "unlock LOCK:orders"]])",
             ""},
    Answered{"mongodb", R"([process.A]
threads = [["lock LOCK:orders", "unlock LOCK:orders", "expect true",
            "unlock LOCK:orders", "expect exception"]])",
             ""},
    Answered{"mongodb", R"([process.A]
threads = [["lock LOCK:orders lease=2s"]]
[process.B]
threads = [["start 2001ms", "trylock LOCK:orders", "expect true", "unlock LOCK:orders"]])",
             "mutual-exclusion"},
    // A primary that is cut off does not know it yet: with write concern 1 it grants what another grants.
    Answered{"mongodb", R"([mongodb]
write-concern = 1
[process.A]
threads = [["start 1s", "lock LOCK:orders lease=60s", "work 19s", "unlock LOCK:orders", "expect exception"]]
[process.B]
threads = [["start 14s", "trylock LOCK:orders wait=0s lease=60s", "expect true"]]
[faults]
fixed = ["isolate R0 at 0s", "rejoin R0 at 60s"])",
             "mutual-exclusion mutual-exclusion-within-lease"},
    Answered{"mongodb", R"([process.A]
threads = [["start 1s", "lock LOCK:orders lease=60s", "expect exception"]]
[process.B]
threads = [["start 14s", "trylock LOCK:orders wait=0s lease=60s", "expect true"]]
[faults]
fixed = ["isolate R0 at 0s", "rejoin R0 at 60s"])",
             ""},
    // Two of five have it: one that has is elected, whichever dies.
    Answered{"mongodb", R"([mongodb]
members = 5
write-concern = 2
[process.A]
threads = [["lock LOCK:orders lease=60s", "work 19s", "unlock LOCK:orders"]]
[process.B]
threads = [["start 14s", "trylock LOCK:orders wait=0s lease=60s", "expect false"]]
[faults]
fixed = ["crash R0 at 500ms"])",
             ""},
    // Most members are gone: nobody is answered that a write is theirs.
    Answered{"mongodb", R"([process.A]
threads = [["start 2s", "lock LOCK:orders", "expect exception"]]
[faults]
fixed = ["crash R1 at 1s", "crash R2 at 1s"])",
             ""},
};

TEST(OtherServers, AreAnsweredAsThinkingSays) {
  for (const Answered& one : answered) {
    std::string text = one.text;
    for (std::size_t at = 0; (at = text.find("LOCK", at)) != std::string::npos;)
      text.replace(at, 4, one.scheme);
    EXPECT_EQ(violated_in("schemes = \"" + std::string(one.scheme) + "\"\n" + text), one.violated)
        << one.scheme << "\n"
        << text;
  }
}

/// A scheme of a user's own, of two clients that work for longer than its lease.
std::string own_scheme(const std::string& server, const std::string& send, const std::string& refusals,
                       const std::string& more = "") {
  return "[scheme.mine]\nserver = \"" + server + "\"\nlease = \"2s\"\nholder = { string = \"{owner}\" }\n" +
         "retry = { poll = \"500ms\" }\n" + "acquire = [\n  { send = \"" + send +
         " {lock} {owner} {lease}\", reply = { 1 = \"granted\", " + refusals +
         " } },\n]\nrelease = { send = \"DELETE {lock} {owner}\", reply = { 1 = \"released\", \"*\" = \"not "
         "the "
         "holder\" } }\n" +
         more +
         "[process.P]\ncount = 2\nthreads = [[\"lock mine:orders\", \"work 5s\", \"unlock mine:orders\"]]\n";
}

TEST(OtherServers, AreSentRenewalsBySchemesOfOnesOwn) {
  const std::string renewed =
      "[scheme.mine.renew]\nevery = \"1s\"\nsend = \"UPDATE {lock} {owner} {lease}\"\n"
      "reply = { 1 = \"renewed\", \"*\" = \"not renewed\" }\n";
  const std::string unrenewed = "mutual-exclusion no-uncaught-exception";
  const std::string busy = "11000 = \"refused\", 10107 = \"refused\"";
  EXPECT_EQ(violated_in(own_scheme("mongodb", "FIND-AND-MODIFY", busy, renewed)), "");
  EXPECT_EQ(violated_in(own_scheme("mongodb", "FIND-AND-MODIFY", busy)), unrenewed);
  // Nobody deletes a row whose time is over here, so it excludes all the same; it only counts no more.
  EXPECT_EQ(violated_in(own_scheme("mysql", "INSERT", "1062 = \"refused\"", renewed)), "");
}

TEST(OtherServers, AreOfOneKindInAScenario) {
  const auto refusal = [](const std::string& text) {
    const auto setup = read_scenario("format = 1\n" + text, "x.toml", shipped_scripts(), test_vocabulary());
    return setup.ok() ? std::string() : setup.problem().text;
  };
  const std::string program = "[process.A]\nthreads = [[\"lock zookeeper:orders\"]]\n";
  EXPECT_EQ(refusal("schemes = \"zookeeper\"\n" + program), "");
  EXPECT_THAT(refusal("schemes = [\"zookeeper\", \"mongodb\"]\n" + program),
              ::testing::HasSubstr("a scenario has servers of one kind"));
  EXPECT_THAT(refusal("schemes = \"zookeeper\"\n[redis]\nnodes = 1\n" + program),
              ::testing::HasSubstr("there is no `[redis]`"));
  EXPECT_THAT(refusal("[mysql]\n[process.A]\nthreads = [[\"lock orders\"]]\n"),
              ::testing::HasSubstr("`[mysql]` is for locks that lie on MySQL"));
  EXPECT_THAT(refusal("schemes = \"zookeeper\"\n[process.A]\nthreads = [[\"lock orders\"]]\n"),
              ::testing::HasSubstr("which lies on Redis, and the servers are ZooKeeper"));
  EXPECT_THAT(refusal("schemes = \"zookeeper\"\n[zookeeper]\nservers = 4\n" + program),
              ::testing::HasSubstr("wants an odd number"));
}

// What a kind of server names as stored it can tell of: a row whose time is over is neither.
TEST(OtherServers, TellOfAllThatTheyName) {
  for (const char* scenario : {"mysql/row-expiring", "mysql/get-lock", "mongodb/failover-one",
                               "zookeeper/pause-unfenced", "plain/holder-crashes"})
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const model::Setup setup = shipped_setup(scenario);
      Checked system(setup, {});
      sim::Weighted<Checked> policy{sim::Random{seed}};
      const auto run = sim::run(system, system.initial(), policy, {.stop_at = 0});
      Checked::State state = system.initial();
      for (const auto& decision : run.trail) {
        system.apply(state, decision.move);
        for (std::size_t n = 0; n < state.world.nodes.size(); ++n) {
          const model::Look look = setup.nodes[n].kind->look(*state.world.nodes[n]);
          for (const std::string& name : look.all()) EXPECT_TRUE(look(name)) << scenario << ' ' << name;
        }
      }
    }
}

}  // namespace
}  // namespace lockstep::scenarios
