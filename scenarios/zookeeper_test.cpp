// Locks on ZooKeeper: small scenarios whose answers are known, wrong recipes, and what a herd costs.
#include <gmock/gmock.h>

#include <array>

#include "model/client/complete.h"
#include "model/schemes/zookeeper.h"
#include "model/schemes/zookeeper_client.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::Verdict;

struct CheckedNodes {
  explicit CheckedNodes(const model::Setup& setup)
      : report(properties::check(setup, {.strategy = properties::Strategy::search})) {}
  explicit CheckedNodes(const std::string& text, const std::string& kind = "zookeeper")
      : CheckedNodes(setup_of("schemes = \"" + kind + "\"\n" + text)) {}

  /// "mutual-exclusion owner-only"
  std::string violated() const {
    std::string names;
    for (const properties::PropertyResult& one : report.results)
      if (one.verdict == Verdict::violated)
        names += (names.empty() ? "" : " ") + std::string(properties::info(one.property).name);
    return names;
  }

  properties::CheckReport report;
};

const std::string two_clients = R"([process.P]
count = 2
threads = [["lock zookeeper:orders", "work 1s", "unlock zookeeper:orders"]]
)";

struct Known {
  const char *text, *violated;
};

const std::array known_answers{
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "unlock zookeeper:orders", "expect true"]])",
            ""},
      Known{R"([process.A]
threads = [["trylock zookeeper:orders", "expect true", "trylock zookeeper:orders", "expect false"]])",
            ""},
      Known{R"([process.A]
threads = [["unlock zookeeper:orders", "expect exception"]])",
            ""},
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 2s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "trylock zookeeper:orders", "expect false"]])",
            ""},
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 3s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "trylock zookeeper:orders wait=1s", "expect false"]])",
            ""},
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 3s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "trylock zookeeper:orders wait=3s", "expect true", "unlock zookeeper:orders"]])",
            ""},
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 3s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "trylock zookeeper:orders wait=9s", "expect true", "work 1s",
            "unlock zookeeper:orders"]]
[process.C]
threads = [["start 2s", "trylock zookeeper:orders wait=1500ms", "expect false"]])",
            ""},
      // Who gives up lets the one behind it see who is before them both.
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 5s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "trylock zookeeper:orders wait=1s", "expect false"]]
[process.C]
threads = [["start 2s", "lock zookeeper:orders", "expect true", "unlock zookeeper:orders"]])",
            ""},
      // A pause that a session outlasts is felt by nobody; the longer one lets the next in.
      Known{R"([zookeeper]
session-timeout = "6s"
[process.A]
threads = [["lock zookeeper:orders", "work 1s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 500ms", "lock zookeeper:orders", "unlock zookeeper:orders"]]
[faults]
fixed = ["pause A at 500ms", "resume A at 5s"])",
            ""},
      Known{R"([zookeeper]
session-timeout = "6s"
[process.A]
threads = [["lock zookeeper:orders", "work 1s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 500ms", "lock zookeeper:orders", "work 2s", "unlock zookeeper:orders"]]
[faults]
fixed = ["pause A at 500ms", "resume A at 7s"])",
            "mutual-exclusion no-uncaught-exception"},
      // Two of three servers: most are not there, and nothing is granted any more.
      Known{R"([process.A]
threads = [["start 1s", "trylock zookeeper:orders"]]
[faults]
fixed = ["crash R1 at 500ms", "crash R2 at 500ms"])",
            "calls-return"},
      Known{R"([zookeeper]
servers = 5
[process.A]
threads = [["start 1s", "trylock zookeeper:orders", "expect true", "unlock zookeeper:orders"]]
[faults]
fixed = ["crash R1 at 500ms", "crash R2 at 500ms"])",
            ""},
      // The wall clock of the leader has no say.
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 2s", "unlock zookeeper:orders"]]
[process.B]
threads = [["start 1s", "lock zookeeper:orders", "unlock zookeeper:orders"]]
[faults]
fixed = ["jump R0 +70s at 1500ms"])",
            ""},
      // Two threads of one session are two holders.
      Known{R"([process.A]
threads = [["lock zookeeper:orders", "work 1s", "unlock zookeeper:orders"],
           ["lock zookeeper:orders", "work 1s", "unlock zookeeper:orders"]])",
            ""},
};

TEST(Zookeeper, SmallScenariosHaveTheAnswersThatThinkingGives) {
  for (const Known& one : known_answers)
    EXPECT_EQ(CheckedNodes(one.text).violated(), one.violated) << one.text;
}

/// The recipe with another row in place of the one of the same name.
CheckedNodes with_row(const model::Role& wrong, const std::string& text) {
  model::Setup setup = setup_of("schemes = \"zookeeper\"\n" + text);
  std::vector<model::Role> roles(schemes::zookeeper_roles(false).begin(),
                                 schemes::zookeeper_roles(false).end());
  for (model::Role& role : roles)
    if (role.name == wrong.name) role = wrong;
  model::LockKind mutant = schemes::zookeeper;
  mutant.roles = roles;
  for (const model::LockKind*& kind : setup.kinds)
    if (kind == &schemes::zookeeper) kind = &mutant;
  setup.libraries.clear();
  return CheckedNodes(*model::complete(std::move(setup)));
}

model::Role row(std::string_view name) {
  for (const model::Role& role : schemes::zookeeper_roles(false))
    if (role.name == name) return role;
  return {};
}

TEST(Zookeeper, WhoWaitsWithoutLookingWhetherTheNodeIsStillThereSleepsForEver) {
  model::Role wrong = row("watch");
  wrong.read = [](const model::Reply&) -> model::Items { return {{.what = model::Meaning::yes}}; };
  const std::string at_once =
      "[process.P]\ncount = 2\nthreads = [[\"lock zookeeper:orders\", \"unlock zookeeper:orders\"]]\n";
  EXPECT_EQ(with_row(row("watch"), at_once).violated(), "");
  EXPECT_EQ(with_row(wrong, at_once).violated(), "calls-return");
}

TEST(Zookeeper, ANodeThatIsNotEphemeralOutlivesItsOwner) {
  model::Role wrong = row("create");
  wrong.command = [](model::Wording& wording) -> model::Command {
    return {"CREATE-FOR-GOOD", wording.purpose.lock};
  };
  const std::string crash = two_clients + "[faults]\ncrash-process = 1\n";
  EXPECT_EQ(with_row(row("create"), crash).violated(), "");
  EXPECT_EQ(with_row(wrong, crash).violated(),
            "lock-has-ttl free-after-crash nothing-left-behind calls-return");
}

/// How often somebody who waited was woken, in the default schedule of three who want the lock.
std::size_t wake_ups(const std::string& kind) {
  const std::string work = "\"lock " + kind + ":orders\", \"work 3s\", \"unlock " + kind + ":orders\"]]\n";
  const model::Setup setup = setup_of("schemes = \"" + kind + "\"\n[process.A]\nthreads = [[" + work +
                                      "[process.B]\nthreads = [[\"start 1s\", " + work +
                                      "[process.C]\nthreads = [[\"start 2s\", " + work);
  sim::Trail trail = properties::trail_header(setup, "", "");
  trail.then.by_default = true;
  std::size_t count = 0;
  for (const sim::TraceEvent& event : properties::tell(setup, trail).trace.events)
    if (event.kind == sim::TraceKind::recv && event.act.find("deleted") != std::string::npos) ++count;
  return count;
}

TEST(Zookeeper, AHerdIsWokenInVain) {
  EXPECT_EQ(wake_ups("zookeeper"), 2U) << "each by the one before it";
  EXPECT_EQ(wake_ups("zookeeper-herd"), 3U) << "C also when B gets the lock";
}

}  // namespace
}  // namespace lockstep::scenarios
