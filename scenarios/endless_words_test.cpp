// Programs that go round for ever and send words that are new in each call: request ids and tokens.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Verdict;
using ::testing::HasSubstr;

constexpr const char* round_of_two =
    "[process.P]\ncount = 2\nthreads = [[\"repeat forever { lock a; work 1s; unlock a }\"]]\n";

std::string of_release(const std::string& release, const std::string& text) {
  return "scripts = \"redisson@" + release + "\"\n" + text;
}

constexpr const char* token_scheme = R"([scheme.drawn]
lease = "3s"
timeout = "1s"
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
retry = { poll = "1s" }
holder = { string = "{token}" }
[scheme.drawn.release]
script = "schemes/compare-and-delete.lua"
keys = ["{lock}"]
args = ["{token}"]
reply = { 1 = "released", 0 = "not the holder" }
)";

Verdict verdict_on(const CheckReport& report, Property property) {
  for (const properties::PropertyResult& one : report.results)
    if (one.property == property) return one.verdict;
  return Verdict::unknown;
}

void expect_for_any_number_of_rounds(const std::string& text) {
  const CheckReport report = properties::check(setup_of(text), {.runs = 0});
  EXPECT_TRUE(report.complete) << text;
  EXPECT_THAT(report.bounds, HasSubstr("for any number of rounds"));
  EXPECT_EQ(verdict_on(report, Property::mutual_exclusion), Verdict::proved) << text;
  EXPECT_EQ(verdict_on(report, Property::calls_return), Verdict::proved) << text;
}

TEST(EndlessWords, ThatAreDrawnComeToAnEndInEachReleaseThatSendsThem) {
  for (const char* release : {"3.24.0", "3.27.2", "3.30.0", "3.52.0", "4.7.0"})
    expect_for_any_number_of_rounds(of_release(release, round_of_two));
}

TEST(EndlessWords, ComeToAnEndWithFaultsAsWell) {
  for (const char* release : {"3.24.0", "3.27.2", "4.7.0"})
    for (const char* fault : {"crash-process", "lose-message", "pause-process"})
      expect_for_any_number_of_rounds(
          of_release(release, fmt::format("{}[redisson]\nresponse-timeout = \"1s\"\nretry-attempts = 1\n"
                                          "[time]\nwatchdog = \"6s\"\n[faults]\n{} = 1\npause-max = \"2s\"\n",
                                          round_of_two, fault)));
}

TEST(EndlessWords, OfASchemeThatSendsTokensComeToAnEnd) {
  expect_for_any_number_of_rounds(
      std::string("[process.P]\ncount = 2\n"
                  "threads = [[\"repeat forever { lock drawn:a; work 1s; unlock drawn:a }\"]]\n") +
      token_scheme);
}

}  // namespace
}  // namespace lockstep::scenarios
