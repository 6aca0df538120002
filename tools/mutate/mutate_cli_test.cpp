// `lockstep mutate`, run as a user runs it: scripts whose mutants' fates are known from thinking.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"
#include "tools/mutate/mutate.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class MutateCli : public CliTest {
 protected:
  nlohmann::json json(const std::vector<std::string>& words) {
    std::vector<std::string> all{"mutate", "--format", "json"};
    all.insert(all.end(), words.begin(), words.end());
    last_ = here(all);
    return nlohmann::json::parse(last_.out.empty() ? "{}" : last_.out);
  }
  static nlohmann::json mutant(const nlohmann::json& score, const std::string& what,
                               const std::string& place = "") {
    for (const auto& script : score["scripts"])
      for (const auto& one : script["mutants"])
        if (one["what"] == what && (place.empty() || one["place"] == place)) return one;
    return {};
  }

  Finished last_;
};

constexpr const char* unlock_by_lines =
    "if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then\n  return nil\nend\n"
    "if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then\n"
    "  redis.call('pexpire', KEYS[1], ARGV[2])\n  return 0\nend\n"
    "redis.call('del', KEYS[1])\nredis.call('publish', KEYS[2], ARGV[1])\nreturn 1";

TEST_F(MutateCli, AMutantIsShownWithItsLineAndWhatCaughtIt) {
  file("unlock.lua", unlock_by_lines);
  const Finished it =
      here({"mutate", "plain/two-clients", "--of", "unlock", "--scripts", "unlock=unlock.lua", "-v"});
  EXPECT_EQ(it.status, 1) << it.out << it.err;  // two clients that take it once do not see a second hold
  EXPECT_THAT(it.out, HasSubstr("unlock.lua (unlock)\n"));
  EXPECT_THAT(it.out, HasSubstr("✓ unlock.lua:8: 'del' dropped · caught: "));
  EXPECT_THAT(it.out, HasSubstr("✗ unlock.lua:5: 'pexpire' dropped · lives: "));
  EXPECT_THAT(it.out, HasSubstr("told apart (what is stored) by: A: lock, lease "));
  EXPECT_THAT(it.out, HasSubstr(" living, 0 unknown: exit 1\n"));
}

TEST_F(MutateCli, ARunIsTheSameTwiceAndFromKeptAnswers) {
  const std::vector<std::string> words{"mutate", "plain/reentrant", "--of", "unlock",
                                       "-v",     "--cache",         "kept"};
  const Finished one = here(words), again = here(words);
  EXPECT_THAT(one.out, HasSubstr("caught"));
  EXPECT_EQ(one.out, again.out);
  EXPECT_EQ(one.status, again.status);
  EXPECT_THAT(content(at("kept/mutate.results.jsonl")), HasSubstr("\"lockstep\":\"results\""));
}

TEST_F(MutateCli, AnswersArePutAwayBehindEachMutant) {
  MutateRequest request;
  request.scenarios = {"plain/two-clients"};
  request.roles = {"unlock"};
  request.pairs_max = 1;
  request.program = "a build";
  KeptResults kept(request.program);
  std::vector<std::size_t> sizes;
  const auto score = mutate(request, kept, [](const std::string&) { return properties::Outside(); },
                            [&] { sizes.push_back(kept.text().size()); });
  ASSERT_TRUE(score.ok());
  ASSERT_EQ(sizes.size(), score->scripts.at(0).mutants.size());
  ASSERT_GT(sizes.size(), 2U);
  EXPECT_LT(sizes.front(), sizes[1]);
  EXPECT_LT(sizes[1], kept.text().size());
}

TEST_F(MutateCli, WhatAFairLockDoesWhenItsCallerGivesUpIsHeldByTwoScenarios) {
  const auto score =
      json({"fair/gives-up-first[scripts=redisson@3.45.0]", "fair/gives-up-last[scripts=redisson@3.45.0]",
            "--of", "fair-acquire-failed", "--max-pairs", "1", "--runs", "0"});
  ASSERT_EQ(score["scripts"].size(), 1U);
  std::vector<std::string> not_caught;
  for (const auto& one : score["scripts"][0]["mutants"])
    if (one["fate"] != "caught") not_caught.push_back(one["what"]);
  // Each of these is equivalent, which `diff` proves where it may look at more than one pair of states.
  EXPECT_THAT(not_caught, UnorderedElementsAre("'zrem' repeated", "'zrem' and 'lrem' swapped",
                                               "'lrem' repeated", "0 made 1", "0 made -1"));
  EXPECT_EQ(score["scripts"][0]["mutants"].size(), 29U);
}

TEST_F(MutateCli, AnAnswerThatClientsReadAsTheSameIsEquivalent) {
  const auto score = json({"plain/two-clients", "--of", "renew"});
  EXPECT_EQ(mutant(score, "0 made -1")["fate"], "equivalent");
  EXPECT_EQ(mutant(score, "0 made -1")["why"],
            "`diff` met every state and told only replies apart that clients read as the same");
  EXPECT_NE(mutant(score, "0 made 1")["fate"], "equivalent");
}

TEST_F(MutateCli, AMessageThatIsSentTwiceIsCaughtWhereSomebodyWaits) {
  const auto score = json({"plain/two-clients", "--of", "unlock", "--scripts", "redisson@3.12.3"});
  EXPECT_EQ(mutant(score, "'publish' repeated")["fate"], "caught");
  EXPECT_EQ(mutant(score, "'publish' repeated")["by"], "told-once");
}

TEST_F(MutateCli, WhatNoClientOfAScriptReadsApartIsEquivalentUnlessOneOfTheScenariosDoes) {
  const std::string scenario =
      "format = 1\nname = \"held twice\"\nscripts = \"redisson@3.10.6\"\n[process.A]\n"
      "threads = [[\"lock a lease=5s\", \"lock a lease=5s\", \"unlock a\", \"unlock a\"]]\n";
  file("usual.toml", scenario);
  file("believes.toml", scenario + "[redisson]\nwatchdog-generation = 1\n");
  const auto score = json({"usual.toml", "--of", "unlock"});
  EXPECT_EQ(mutant(score, "0 made 1", "unlock.lua:1:201")["fate"], "equivalent");
  EXPECT_EQ(mutant(score, "1 made 2", "unlock.lua:1:282")["fate"], "equivalent");
  const auto both = json({"usual.toml", "believes.toml", "--of", "unlock"});
  EXPECT_EQ(mutant(both, "0 made 1", "unlock.lua:1:201")["fate"], "lives");
}

TEST_F(MutateCli, ALimitMakesAMutantUnknownAndNeverGreen) {
  const Finished it = here({"mutate", "plain/two-clients", "--of", "renew", "--max-states", "3", "--runs",
                            "0", "--max-pairs", "1"});
  EXPECT_EQ(it.status, 3) << it.out << it.err;
  EXPECT_THAT(it.out, HasSubstr("plain/two-clients ends at a limit"));
}

TEST_F(MutateCli, ABehaviourThatNoClientHasIsAMutantOfTheClient) {
  const auto score = json({"plain/two-clients", "--of", "client"});
  EXPECT_EQ(mutant(score, "unlock-keeps-renewing")["fate"], "caught");
  EXPECT_TRUE(mutant(score, "minority-enough").is_null());
  EXPECT_THAT(score["notes"].dump(), HasSubstr("minority-enough"));
}

/// A scheme says its scripts itself, in the roles that Redisson's have: those are sent, and these are not.
TEST_F(MutateCli, TheScriptsOfASchemeAreMutatedAndNoOthers) {
  file("take.lua",
       "if redis.call('exists', KEYS[1]) == 1 then\n  return 0\nend\n"
       "redis.call('set', KEYS[1], ARGV[1])\nredis.call('pexpire', KEYS[1], ARGV[2])\nreturn 1");
  file("own.toml",
       "format = 1\n[scheme.mine]\nlease = \"5s\"\nholder = { string = \"{owner}\" }\n"
       "acquire = { script = \"take.lua\", keys = [\"{lock}\"], args = [\"{owner}\", \"{lease}\"], "
       "reply = { 1 = \"granted\", 0 = \"refused\" } }\n"
       "release = { send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = \"not the holder\" } }\n"
       "[process.P]\ncount = 2\nthreads = [[\"lock mine:x\", \"work 1s\", \"unlock mine:x\"]]\n");
  const auto score = json({"own.toml"});
  EXPECT_EQ(mutant(score, "'pexpire' dropped", "take.lua:5")["by"], "lock-has-ttl") << score;
  EXPECT_EQ(mutant(score, "`if` never true")["by"], "owner-only") << score;
  EXPECT_EQ(mutant(score, "'pexpire' repeated")["fate"], "lives") << score;
  ASSERT_EQ(score["scripts"].size(), 2U) << score;  // and the client
  EXPECT_EQ(score["scripts"][0]["role"], "mine:lock");
  EXPECT_EQ(json({"own.toml", "--of", "mine:lock"})["scripts"].size(), 1U);
  EXPECT_EQ(here({"mutate", "own.toml", "--of", "unlock"}).status, 4) << "a command is no script";
  EXPECT_EQ(json({"schemes/go-lock-long-work", "--of", "renew"})["scripts"][0]["role"], "go-lock:renew");
}

/// It listens with permits already, so that only the other value changes something: and that is noticed.
TEST_F(MutateCli, AKnobIsSetToWhatTheClientDoesNotHave) {
  const auto score = json({"async/message-not-missed", "--of", "client", "--knobs"});
  EXPECT_EQ(mutant(score, "listeners-take-permits = false")["by"], "granted-in-time") << score;
  EXPECT_TRUE(mutant(score, "listeners-take-permits = true").is_null());
  EXPECT_THAT(score["notes"].dump(), Not(HasSubstr("listeners-take-permits")));
}

TEST_F(MutateCli, AScenarioThatIsNotAsExpectedItselfIsLeftOutAndSaid) {
  file("wrong.toml",
       "format = 1\nname = \"wrong\"\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n[expect]\n"
       "mutual-exclusion = \"violated\"\n");
  const Finished it =
      here({"mutate", "wrong.toml", "plain/two-clients", "--of", "renew", "--max-pairs", "1"});
  EXPECT_THAT(it.out, HasSubstr("left out, since it is not as expected itself: wrong (mutual-exclusion"));
  EXPECT_NE(it.status, 0);
  const Finished alone = here({"mutate", "wrong.toml"});
  EXPECT_EQ(alone.status, 3);
  EXPECT_THAT(alone.out, Not(HasSubstr("change nothing"))) << "of none it is known what it changes";
}

TEST_F(MutateCli, TheMarkdownHasTheTables) {
  here({"mutate", "plain/two-clients", "--of", "renew", "--markdown", "m.md", "--max-pairs", "1"});
  EXPECT_THAT(content(at("m.md")), HasSubstr("| script | made | caught | equivalent | living | unknown |"));
  EXPECT_THAT(content(at("m.md")), HasSubstr("renew.lua \\(renew\\)"));
  EXPECT_THAT(content(at("m.md")), HasSubstr(" dropped"));
}

TEST_F(MutateCli, BadWordsAreOneSentence) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"mutate"}, {"mutate", "plain/two-clients", "--max-states", "x"}}) {
    const Finished it = here(words);
    EXPECT_EQ(it.status, 2);
    EXPECT_THAT(it.err, HasSubstr("lockstep mutate: "));
  }
  expect_one_sentence(here({"mutate", "plain/two-client"}), "plain/two-client");
  expect_one_sentence(here({"mutate", "plain/two-clients", "--of", "unlok"}), "unlok");
  expect_one_sentence(here({"mutate", "plain/two-clients", "--scripts", "lock=missing.lua"}), "missing.lua");
  expect_one_sentence(here({"mutate", "plain/two-clients", "--cache", file("f", "x")}), "f");
}

}  // namespace
}  // namespace lockstep::tools
