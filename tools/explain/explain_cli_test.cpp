// `lockstep explain`: what verdicts cover, and the weakest faults that break each property, in worlds of
// which the answer is known.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Explain : public CliTest {
 protected:
  /// A holds a lease of two seconds, works for one, and may pause, or crash, or both.
  std::string scenario(const std::string& faults) const {
    return file("small.toml",
                "format = 1\nname = \"small\"\n[process.A]\nthreads = [[\"lock orders lease=2s\", "
                "\"work 1s\", \"unlock orders\"]]\n[process.B]\nthreads = [[\"start 1s\", "
                "\"lock orders lease=2s\", \"work 1s\", \"unlock orders\"]]\n" +
                    faults);
  }
  std::string explained(const std::string& check, const std::string& more = "") const {
    typed("lockstep check " + check + " --format json > result.json");
    const Finished it = typed("lockstep explain result.json " + more);
    EXPECT_EQ(it.status, 0) << it.err;
    return it.out;
  }
};

TEST_F(Explain, APauseAloneBreaksWhatACrashDoesNot) {
  scenario("[faults]\npause-process = 1\npause-max = \"4s\"\ncrash-process = 1\n");
  const std::string text = explained("small.toml");
  EXPECT_THAT(text,
              HasSubstr("mutual-exclusion is broken by 1 pause-process; with less it holds (2 searches"));
  EXPECT_THAT(text, HasSubstr("mutual-exclusion is violated: a schedule of "));
  EXPECT_THAT(text, HasSubstr("owner-only is proved: in every schedule within the bounds, no request but"));
  EXPECT_THAT(text, Not(HasSubstr("owner-only is broken")));
  EXPECT_THAT(text, HasSubstr("2 processes, 1 lock, 1 node, no delay, "
                              "at most 1 pause-process, 1 crash-process"));
  EXPECT_THAT(text, HasSubstr("more of the faults that have one"));
  EXPECT_THAT(text, ::testing::ContainsRegex("faults without a budget: [^\n]*crash-node"));
  EXPECT_THAT(text, Not(::testing::ContainsRegex("faults without a budget: [^\n]*pause-process")));
}

TEST_F(Explain, WhatABadScriptBreaksNeedsNoFault) {
  file("bad.lua", "redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1;");
  const std::string text = explained("plain/not-the-owner --scripts unlock=bad.lua");
  EXPECT_THAT(text, HasSubstr("owner-only is broken by no fault\n"));
  EXPECT_THAT(text, HasSubstr("scripts other than redisson@3.10.5+unlock"));
}

TEST_F(Explain, OfWhatIsProvedNothingIsSearchedAgain) {
  const std::string text = explained("plain/two-clients");
  EXPECT_THAT(text, HasSubstr("no fault within the bounds breaks any of them"));
  EXPECT_THAT(text, HasSubstr("reentrancy is proved"));
  EXPECT_THAT(text, HasSubstr("this says nothing, since its premise never occurred"));
}

TEST_F(Explain, ASearchThatWasCutSaysNothing) {
  scenario("[faults]\npause-process = 1\npause-max = \"4s\"\n");
  const std::string text = explained("small.toml", "--max-states 10");
  EXPECT_THAT(text, HasSubstr("mutual-exclusion is broken by 1 pause-process; whether no fault is enough is "
                              "unknown: the search was cut"))
      << "the result itself shows that all faults are enough";
  EXPECT_THAT(text, Not(HasSubstr("with less it holds")));
  const std::string few = explained("small.toml", "--max-searches 1");
  EXPECT_THAT(few, HasSubstr("larger sets were not asked"));
}

TEST_F(Explain, AReducedSearchIsToldAsOne) {
  const std::string text = explained("plain/two-clients --reduce --strategy bfs");
  EXPECT_THAT(text,
              HasSubstr("moves, or several taken as one, from the start; all others differ from these"));
  EXPECT_THAT(text, HasSubstr("but one alone where nobody can tell them apart"));
  EXPECT_THAT(text, Not(HasSubstr("these are all that there are")));
}

TEST_F(Explain, AResultThatIsNoGoodIsASentence) {
  scenario("");
  typed("lockstep check small.toml --format json > result.json");
  const std::string good = content(at("result.json"));
  std::vector<std::string> bad = bad_files();
  bad.push_back(file("cut.json", good.substr(0, good.size() / 2)));
  bad.push_back(file("other.json", "[{\"scenario\": 7}]"));
  bad.push_back(file("none.json", "[]"));
  for (const std::string& path : bad) expect_one_sentence(here({"explain", path}), path);
  scenario("[faults]\ncrash-process = 1\n");
  const Finished it = here({"explain", "result.json"});
  expect_one_sentence(it, "another scenario by now");
  EXPECT_THAT(it.err, HasSubstr("not what they were"));
}

}  // namespace
}  // namespace lockstep::tools
