#include "scenarios/format/normalise.h"

#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

model::Setup read_setup(std::string_view text) {
  const auto setup = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? *setup : model::Setup{};
}

constexpr const char* one_way = R"(format = 1
name = "x"
[process.A]
threads = [["repeat 2 { trylock a wait=1m lease=2s; work 1000ms; unlock a }", "work 1s"]]
[process.B]
threads = [{ count = 3, steps = ["lock a", "unlock a"] }, { id = 26, steps = ["lock b"] }]
[faults]
pause-process = 1
[expect]
owner-only = "holds"
mutual-exclusion = "holds"
[expect.answers]
"trylock a" = { true = 2 }
)";

constexpr const char* another_way = R"(# the same, written by somebody else
name = 'x'
format = 1
[expect]
mutual-exclusion = 'holds'
owner-only = "holds"
[expect.answers]
"trylock plain:a".true = 2   # counts
[faults]
pause-process = 1
crash-node = 0
[process.B]
threads = [ ["lock   a", "unlock a"], ["lock a", "unlock plain:a"], { steps = ["lock a","unlock a"] },
            { steps = ["lock b"], id = 26 } ]
[process.A]
threads = [["repeat 2 {trylock a lease=2000ms wait=60s;work 1s;unlock a}; work 1s"]]
)";

TEST(Normalise, OrderSpellingAndCommentsDoNotChangeTheTextOrTheDigest) {
  const model::Setup first = read_setup(one_way), second = read_setup(another_way);
  EXPECT_EQ(normalised(first), normalised(second));
  EXPECT_TRUE(first == second);
  EXPECT_EQ(first.digest, second.digest);
}

TEST(Normalise, TheCanonicalTextIsThis) {
  EXPECT_EQ(normalised(read_setup(one_way)), R"(format = 1
name = "x"
scripts = "redisson@3.10.5"

[time]
epoch = 2023-11-14T22:13:20.000Z
grain = "1s"
network = "no delay"
watchdog = "30s"

[redis]
expiry = "eager"
mode = "single"
nodes = 1
persistence = "none"
script-cache = false

[redisson]
lock-returns-on-interrupt = true
renew-again-after-zero = true
response-timeout = "3s"
retry-attempts = 3
retry-interval = "0s"
subscription-timeout = "7500ms"
version = "3.10.5"

[process."A"]
threads = [
  ["repeat 2 { trylock a wait=60s lease=2s; work 1s; unlock a }", "work 1s"],
]

[process."B"]
threads = [
  { count = 3, steps = ["lock a", "unlock a"] },
  { id = 26, steps = ["lock b"] },
]

[faults]
pause-process = 1
pause-max = "60s"
learn = "0..10s"

[expect]
mutual-exclusion = "holds"
owner-only = "holds"

[expect.answers]
"trylock a" = { true = 2 }
)");
}

TEST(Normalise, ProseDoesNotChangeTheDigestButStepsAndScriptsDo) {
  const std::string base = one_way;
  const std::string digest = read_setup(base).digest;
  EXPECT_EQ(read_setup("about = \"prose\"\n" + base).digest, digest);
  std::string longer = base;
  longer.replace(longer.find("work 1s\"]]"), 7, "work 2s");
  EXPECT_NE(read_setup(longer).digest, digest);
  EXPECT_NE(read_setup(base + "[scripts]\nlock = \"my/lock.lua\"\n").digest, digest);
  model::Setup changed = read_setup(base);
  changed.scripts.roles["lock"].sha1 = "33";
  EXPECT_NE(scenario_digest(changed), digest);
}

TEST(Normalise, OddCharactersInProseSurvive) {
  const model::Setup setup =
      read_setup("about = \"a \\\"b\\\" \\\\ \\u0007 \\n größe\"\n" + std::string(one_way));
  EXPECT_EQ(setup.about, "a \"b\" \\ \a \n größe");
  EXPECT_EQ(read_setup(normalised(setup)).about, setup.about);
}

}  // namespace
}  // namespace lockstep::scenarios
