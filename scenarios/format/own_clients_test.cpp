// Processes with scripts, versions and settings of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/client/process.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using sim::Duration;
using sim::ProcessId;

model::Setup read_it(const std::string& text) {
  const auto setup = read_scenario("format = 1\n" + text, "x.toml", test_library(), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? *setup : model::Setup{};
}

constexpr const char* old_beside_new = R"(
[time]
watchdog = "9s"
[redisson]
retry-attempts = 1
[process.A]
threads = [["lock a", "unlock a"]]
[process.B]
scripts = "redisson@3.12.3"
threads = [["lock a", "unlock a"]]
[process.C]
watchdog = "5s"
threads = [["lock a", "unlock a"]]
[process.C.redisson]
version = "3.10.7"
response-timeout = "1s"
)";

TEST(OwnClients, OfAProcessAreThoseOfTheScenarioUnlessItSaysOtherwise) {
  const model::Setup setup = read_it(old_beside_new);
  EXPECT_FALSE(setup.processes[0].own.has_value());
  EXPECT_EQ(setup.scripts_of(ProcessId{0}).name, "redisson@3.10.5");
  EXPECT_EQ(setup.scripts_of(ProcessId{1}).name, "redisson@3.12.3");
  EXPECT_EQ(setup.client_of(ProcessId{1}).version, "3.12.3") << "the client that the scripts belong to";
  EXPECT_EQ(setup.client_of(ProcessId{1}).watchdog, Duration(9'000));
  EXPECT_EQ(setup.client_of(ProcessId{1}).retry_attempts, 1);
  EXPECT_EQ(setup.scripts_of(ProcessId{2}).name, "redisson@3.10.5");
  EXPECT_EQ(setup.client_of(ProcessId{2}).watchdog, Duration(5'000));
  EXPECT_EQ(setup.client_of(ProcessId{2}).response_timeout, Duration(1'000));
  EXPECT_FALSE(setup.client_of(ProcessId{2}).renew_again_after_zero);
  EXPECT_EQ(setup.client_of(ProcessId{2}).retry_attempts, 1);
  EXPECT_EQ(setup.scripts_told(), "redisson@3.10.5, B redisson@3.12.3");
}

TEST(OwnClients, ThatDifferMakeProcessesThatCannotBeExchanged) {
  const model::Setup setup = read_it(old_beside_new);
  EXPECT_NE(setup.processes[0].alike, setup.processes[1].alike);
  EXPECT_NE(setup.processes[0].alike, setup.processes[2].alike);
  const model::Setup same = read_it(R"([process.A]
threads = [["lock a", "unlock a"]]
[process.B]
watchdog = "30s"
scripts = "redisson@3.10.5"
threads = [["lock a", "unlock a"]])");
  EXPECT_FALSE(same.processes[1].own.has_value()) << "it says what is so in any case";
  EXPECT_EQ(same.processes[0].alike, same.processes[1].alike);
}

TEST(OwnClients, OfAProcessWithACountAreThoseOfEachCopyAndOfNobodyElse) {
  const model::Setup setup = read_it(R"([process.W]
count = 2
scripts = "redisson@3.15.0"
threads = [["lock a", "unlock a"]]
[process.W-x]
threads = [["lock a", "unlock a"]])");
  ASSERT_EQ(setup.processes.size(), 3U);
  for (const model::ProcessSetup& process : setup.processes)
    EXPECT_EQ(process.own.has_value(), process.name != "W-x") << process.name;
  EXPECT_EQ(setup.processes[0].alike, setup.processes[1].alike);
}

TEST(OwnClients, AreInTheNormalisedTextAndItsDigest) {
  const model::Setup setup = read_it(old_beside_new);
  const std::string text = normalised(setup);
  EXPECT_THAT(text, testing::HasSubstr("[process.\"B\"]\nscripts = \"redisson@3.12.3\"\n"));
  EXPECT_THAT(text, testing::HasSubstr("[process.\"C\".redisson]\n"));
  const auto again = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_TRUE(*again == setup) << text;
  std::string other = old_beside_new;
  other.replace(other.find("\"5s\""), 4, "\"6s\"");
  EXPECT_NE(read_it(other).digest, setup.digest);
  model::Setup changed = setup;
  changed.processes[1].own->scripts.roles["lock"].sha1 = "33";
  EXPECT_NE(scenario_digest(changed), setup.digest);
}

TEST(OwnClients, KeepTheMutantsOfTheScenarioAndAddTheirOwn) {
  const model::Setup setup = read_it(R"([redisson]
mutant = "permit-ignored"
[process.A]
threads = [["lock a", "unlock a"]]
[process.B]
threads = [["lock a", "unlock a"]]
redisson = { mutant = "unlock-keeps-renewing" })");
  EXPECT_TRUE(setup.client_of(ProcessId{1}).permit_ignored);
  EXPECT_TRUE(setup.client_of(ProcessId{1}).unlock_keeps_renewing);
  EXPECT_FALSE(setup.client_of(ProcessId{0}).unlock_keeps_renewing);
  const auto again = read_scenario(normalised(setup), "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(*again == setup);
}

TEST(OwnClients, MayReplaceOneScript) {
  const model::Setup setup = read_it(R"([process.A]
threads = [["lock a", "unlock a"]]
[process.B]
scripts = { lock = "my/lock.lua" }
threads = [["lock a", "unlock a"]])");
  EXPECT_EQ(setup.scripts_of(ProcessId{0}).find("lock")->text, "return 1");
  EXPECT_EQ(setup.scripts_of(ProcessId{1}).find("lock")->text, "return 3");
  EXPECT_EQ(setup.scripts_of(ProcessId{1}).name, "redisson@3.10.5+lock");
  const auto again = read_scenario(normalised(setup), "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(*again == setup);
}

TEST(OwnClients, OfAReleaseBetweenTwoSetsHaveTheOlderScriptsAndItsOwnClient) {
  const model::Setup setup = read_it(R"(scripts = "redisson@3.40.1"
[redisson]
deletes-latch = false
[process.A]
threads = [["lock a", "unlock a"]]
[process.B]
threads = [["lock a", "unlock a"]]
[process.B.redisson]
version = "4.1.0"
deletes-latch = true)");
  EXPECT_EQ(setup.scripts.name, "redisson@3.40.1");
  EXPECT_NE(setup.scripts.find("spin-unlock"), nullptr) << "those of 3.15.0, the newest of this library";
  EXPECT_EQ(setup.client.version, "3.38.0");
  EXPECT_TRUE(setup.client.no_retry);
  EXPECT_EQ(setup.client_of(ProcessId{1}).version, "4.0.0");
  const std::string text = normalised(setup);
  EXPECT_THAT(text, testing::HasSubstr("[redisson]\ndeletes-latch = false\nlock-returns-on-interrupt"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("no-retry"))) << "the version says it";
  const auto again = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_TRUE(*again == setup) << text;
}

TEST(TheReaderShows, AnUnknownVersionOrSettingOfAProcess) {
  const auto said = [](const std::string& more) {
    return shown("format = 1\n[process.A]\nthreads = [[\"lock a\"]]\n" + more);
  };
  EXPECT_THAT(said("[process.A.redisson]\nversion = \"9\""),
              testing::HasSubstr("there is no Redisson 9\n  --> x.toml:5:11"));
  EXPECT_THAT(said("[process.A.redisson]\nretry = 9"),
              testing::HasSubstr("unknown key `retry` in [process.A.redisson]"));
  EXPECT_THAT(said("scripts = \"redisson@9\""), testing::HasSubstr("unknown script set `redisson@9`"));
  EXPECT_THAT(said("scripts = \"redisson@9.1.0\""),
              testing::HasSubstr("releases of Redisson from 3.0.0 to 4.7.0 are known"));
  EXPECT_THAT(said("watchdog = \"0s\""), testing::HasSubstr("`watchdog` wants at least 1ms"));
}

}  // namespace
}  // namespace lockstep::scenarios
