// `lockstep graph`, run as a user runs it. Pictures need Graphviz; what needs none asks for DOT or Mermaid.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class GraphCli : public CliTest {
 protected:
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(GraphCli, ATraceIsDrawnAsASequenceOrATimeline) {
  const std::string trace = "reports/goldens/pause.jsonl";
  EXPECT_THAT(lockstep({"graph", trace, "-T", "dot"}).out, StartsWith("digraph \"sequence\""));
  EXPECT_THAT(lockstep({"graph", trace, "-T", "dot", "--kind", "timeline"}).out,
              StartsWith("digraph \"timeline\""));
  EXPECT_THAT(lockstep({"graph", trace, "-T", "mermaid"}).out, StartsWith("sequenceDiagram\n"));
}

TEST_F(GraphCli, TheDefaultScheduleOfAScenarioIsTheOneThatAnEmptyTrailMakes) {
  const std::string of_scenario = lockstep({"graph", "plain/two-clients", "-T", "dot"}).out;
  const std::string trail = file("empty.trail",
                                 "lockstep-trail 1\nscenario = plain/two-clients\n"
                                 "scripts  = redisson@3.10.5\nthen     = default\n");
  EXPECT_THAT(of_scenario, HasSubstr("inside orders"));
  EXPECT_EQ(lockstep({"graph", trail, "-T", "dot"}).out, of_scenario);
}

TEST_F(GraphCli, PicturesAreWrittenToTheFile) {
  const std::vector<std::pair<std::string, std::string>> magic{
      {"svg", "<?xml"}, {"png", "\x89PNG"}, {"pdf", "%PDF"}};
  for (const auto& [type, begin] : magic) {
    for (const char* kind : {"sequence", "timeline", "failover", "states", "script"}) {
      const std::string out = at(std::string(kind) + "." + type);
      const Finished it = lockstep({"graph", "plain/two-clients", "--kind", kind, "-T", type, "-o", out});
      EXPECT_EQ(it.status, 0) << it.err;
      EXPECT_EQ(it.out, "");
      EXPECT_THAT(content(out), StartsWith(begin)) << out;
    }
  }
}

TEST_F(GraphCli, TheNameOfTheFileSaysWhatItIs) {
  const std::vector<std::pair<std::string, std::string>> kinds{{"h.png", "\x89PNG"},
                                                               {"h.pdf", "%PDF"},
                                                               {"h.dot", "digraph"},
                                                               {"h.mmd", "sequenceDiagram"},
                                                               {"h.puml", "@startuml"},
                                                               {"h", "<?xml"}};
  for (const auto& [name, begin] : kinds) {
    const Finished it = lockstep({"graph", "plain/two-clients", "-o", at(name)});
    EXPECT_EQ(it.status, 0) << it.err;
    EXPECT_THAT(content(at(name)), StartsWith(begin)) << name;
  }
  EXPECT_EQ(lockstep({"graph", "plain/two-clients", "--kind", "failover", "-o", at("h.mmd")}).status, 2);
}

TEST_F(GraphCli, ATrailIsOfTheScenarioThatIsNamed) {
  const std::string mine = file("mine.toml",
                                "format = 1\nname = \"none/such\"\n[process.A]\n"
                                "threads = [[\"lock orders\", \"unlock orders\"]]\n");
  const std::string trail = file("m.trail", "lockstep-trail 1\nscenario = none/such\nthen = default\n");
  expect_one_sentence(lockstep({"graph", trail, "-T", "dot"}), "nobody knows it");
  for (const char* kind : {"sequence", "timeline", "states"})
    EXPECT_EQ(lockstep({"graph", trail, "--scenario", mine, "--kind", kind, "-T", "dot"}).status, 0) << kind;
  expect_one_sentence(lockstep({"graph", mine, "--scenario", mine, "-T", "dot"}), "no trail");
}

TEST_F(GraphCli, TheStatesAreFoldedByWhoHoldsBelievesAndWaits) {
  const Finished it = lockstep({"graph", "plain/two-clients", "--kind", "states", "-T", "dot"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.err, "");
  EXPECT_THAT(it.out, HasSubstr("orders: A1\\nbelieves: A1"));
  EXPECT_EQ(count(it.out, "peripheries=2"), 1u);
  EXPECT_EQ(count(it.out, "violating"), 0u);
}

TEST_F(GraphCli, ByFullEveryStateIsANode) {
  const std::string tiny = file("tiny.toml",
                                "format = 1\nname = \"tiny\"\n[process.A]\n"
                                "threads = [[\"lock orders\", \"unlock orders\"]]\n");
  const Finished it = lockstep(
      {"graph", tiny, "--kind", "states", "--by", "full", "-T", "dot", "--max-nodes", "1000000"});
  EXPECT_EQ(it.status, 0) << it.err;
  const std::size_t states = count(it.out, "id=\"st-");
  EXPECT_GT(states, 5u);
  EXPECT_THAT(it.out, HasSubstr("tiny: " + std::to_string(states) + " states, "));
  EXPECT_LT(count(lockstep({"graph", tiny, "--kind", "states", "-T", "dot"}).out, "id=\"st-"), states);
}

TEST_F(GraphCli, TheShortestWayToAViolationIsMarked) {
  const std::string unsafe = file("unsafe.toml",
                                  "format = 1\nname = \"unsafe\"\n[process.A]\nthreads = [[\"lock orders "
                                  "lease=1s\", \"work 3s\"]]\n[process.B]\nthreads = [[\"start 2s\", \"lock "
                                  "orders lease=1s\", \"work 1s\"]]\n");
  const Finished it = lockstep({"graph", unsafe, "--kind", "states", "-T", "dot"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("bold: the shortest way to break mutual-exclusion"));
  EXPECT_THAT(it.out, HasSubstr("broken: mutual-exclusion"));
  EXPECT_GT(count(it.out, "class=\"path\""), 2u);
}

TEST_F(GraphCli, OfATraceTheWayOfItsRunIsMarkedAmongTheStates) {
  const Finished it = lockstep(
      {"graph", "reports/goldens/failover.jsonl", "--kind", "states", "-T", "dot", "--max-states", "6000"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("bold: the way of this run"));
  EXPECT_GT(count(it.out, "class=\"path\""), 2u);
}

TEST_F(GraphCli, ByHolderStatesAreFoldedFurther) {
  const auto nodes = [](const char* view) {
    return count(lockstep({"graph", "plain/two-clients", "--kind", "states", "--by", view, "-T", "dot"}).out,
                 "id=\"st-");
  };
  EXPECT_LT(nodes("holder"), nodes("lock"));
}

TEST_F(GraphCli, ByNumberNobodyIsNamedAndManyStatesAreFewNodes) {
  const auto drawn = [](const std::string& scenario, const char* view) {
    return lockstep({"graph", scenario, "--kind", "states", "--by", view, "-T", "dot"}).out;
  };
  const std::string three = drawn("plain/three-clients", "number");
  EXPECT_THAT(three, HasSubstr("orders: held by 1\\n1 believes to hold it\\n2 wait"));
  EXPECT_THAT(three, ::testing::Not(HasSubstr("A1")));
  EXPECT_THAT(three, HasSubstr("label=\"run ×")) << "moves are called by their verbs";
  EXPECT_LT(count(three, "id=\"st-"), count(drawn("plain/three-clients", "holder"), "id=\"st-"));
  EXPECT_LT(count(three, "id=\"st-"), 20u);
}

TEST_F(GraphCli, ASearchEndsAtItsMemoryAndSaysSo) {
  const Finished it = lockstep({"graph", "failover/master-dies-before-replication", "--kind", "states", "-T",
                                "dot", "--memory-limit", "1M"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.err, HasSubstr(" states (--memory-limit)"));
}

TEST_F(GraphCli, TheEdgesThatOnlyOneScriptSetHasAreShown) {
  file("loud.lua", content("lua/scripts/unlock.lua"));
  const std::string silent = std::string(content("lua/scripts/unlock.lua"));
  const std::string publish = "redis.call('publish', KEYS[2], ARGV[1]);";
  file("silent.lua", std::string(silent).replace(silent.find(publish), publish.size(), ""));
  const std::vector<std::string> words{"graph", "plain/two-clients", "--kind", "states", "-T", "dot",
                                       "--scripts", "unlock=loud.lua", "--against"};
  const auto against = [&](const std::string& script) {
    std::vector<std::string> all = words;
    all.push_back("unlock=" + script);
    return here(all);
  };
  const Finished same = against("loud.lua");
  ASSERT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("0 edges only with"));
  EXPECT_THAT(same.out, Not(HasSubstr("class=\"removed\"")));
  const Finished other = against("silent.lua");
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.out, Not(HasSubstr("red: 0 edges"))) << "nobody is woken by a message any more";
  EXPECT_THAT(other.out, HasSubstr("class=\"removed\""));
  EXPECT_EQ(here({"graph", "plain/two-clients", "--against", "redisson@3.12.3"}).status, 2);
}

TEST_F(GraphCli, TheScriptsOfTwoSetsStandBesideEachOther) {
  const std::string silent = content("lua/scripts/unlock.lua");
  const std::string publish = "redis.call('publish', KEYS[2], ARGV[1]);";
  file("silent.lua", std::string(silent).replace(silent.find(publish), publish.size(), ""));
  std::vector<std::string> words{"graph", "plain/two-clients", "--kind", "script", "-T", "txt",
                                 "--scripts", "redisson@3.12.3", "--against", "unlock=silent.lua"};
  const Finished searched = here(words);
  ASSERT_EQ(searched.status, 0) << searched.err;
  EXPECT_THAT(searched.out, HasSubstr("a  redisson@3.12.3\n"));
  EXPECT_THAT(searched.out, HasSubstr("publish', KEYS[2], ARGV[1]);         <\n")) << "one line is gone";
  EXPECT_THAT(searched.out, Not(HasSubstr("|"))) << "and nothing else is another";
  EXPECT_THAT(searched.out, HasSubstr("= lock · ran "));
  words[1] = std::filesystem::absolute("reports/goldens/two-clients.jsonl").string();
  const Finished run = here(words);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("one run of "));
  words[1] = "plain/two-clients";
  words[5] = "svg";
  const Finished picture = here(words);
  EXPECT_EQ(picture.status, 0) << picture.err;
  EXPECT_THAT(picture.out, HasSubstr("class=\"node line removed\""));
  words.insert(words.end(), {"--max-states", "9"});
  const Finished cut = here(words);
  EXPECT_THAT(cut.err, HasSubstr("note: a search was cut (--max-states)"));
  EXPECT_THAT(cut.out, HasSubstr("differ, and ran on neither side: unlock"));
}

TEST_F(GraphCli, ARunThatIsAnotherWithOtherScriptsIsCountedAsFarAsItGoes) {
  file("none.lua", "return 0");
  const auto against = [&](const std::string& run) {
    return here({"graph", run, "-T", "txt", "--kind", "script", "--against", "lock=none.lua"});
  };
  const Finished endless = against(std::filesystem::absolute("reports/goldens/two-clients.jsonl").string());
  ASSERT_EQ(endless.status, 0) << endless.err;
  EXPECT_THAT(endless.out, HasSubstr("the first 1350 decisions of a run\n")) << "nobody ever gets the lock";
  ASSERT_EQ(here({"run", "plain/two-clients", "--seed", "3", "--trace", "whole.jsonl"}).status, 0);
  const Finished leaves = against("whole.jsonl");
  ASSERT_EQ(leaves.status, 0) << leaves.err;
  EXPECT_THAT(leaves.out, HasSubstr("   leaves the trail: "));
}

TEST_F(GraphCli, TheTimeForALayoutIsAnOption) {
  const Finished it = here({"graph", "plain/three-clients", "--kind", "states", "--by", "holder", "-o",
                            "x.svg", "--layout-timeout", "0s"});
  EXPECT_EQ(it.status, 2);
  EXPECT_FALSE(std::filesystem::exists(at("x.svg")));
  EXPECT_EQ(here({"graph", "plain/two-clients", "-T", "dot", "--layout-timeout", "0s"}).status, 0)
      << "nothing is laid out";
}

TEST_F(GraphCli, TheFailoverGridShowsBothEpochs) {
  const Finished it =
      lockstep({"graph", "failover/old-master-returns", "--kind", "failover", "-T", "dot"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, StartsWith("digraph \"failover\""));
  EXPECT_THAT(it.out, HasSubstr("epoch 2"));
  EXPECT_THAT(it.out, HasSubstr("replica → master"));
}

TEST_F(GraphCli, EveryKindThatHasATextFormIsWrittenInBoth) {
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"sequence", "sequenceDiagram\n"}, {"timeline", "gantt\n"}, {"states", "stateDiagram-v2\n"}};
  for (const auto& [kind, begin] : kinds) {
    const Finished mermaid = lockstep({"graph", "plain/two-clients", "--kind", kind, "-T", "mermaid"});
    EXPECT_EQ(mermaid.status, 0) << mermaid.err;
    EXPECT_THAT(mermaid.out, StartsWith(begin));
    const Finished plantuml = lockstep({"graph", "plain/two-clients", "--kind", kind, "-T", "plantuml"});
    EXPECT_EQ(plantuml.status, 0) << plantuml.err;
    EXPECT_THAT(plantuml.out, StartsWith("@startuml\n"));
    EXPECT_THAT(plantuml.out, HasSubstr("@enduml\n"));
  }
}

TEST_F(GraphCli, ScriptsAreCountedInASearchAndInARun) {
  const Finished searched = lockstep({"graph", "plain/two-clients", "--kind", "script", "-T", "txt"});
  EXPECT_EQ(searched.status, 0) << searched.err;
  EXPECT_THAT(searched.out, HasSubstr(" transitions between "));
  EXPECT_THAT(searched.out, HasSubstr("if (redis.call('exists', KEYS[1]) == 0) then   -- yes "));
  const Finished run =
      lockstep({"graph", "reports/goldens/two-clients.jsonl", "--kind", "script", "-T", "txt"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("one run of "));
  const Finished cut =
      lockstep({"graph", "plain/two-clients", "--kind", "script", "-T", "txt", "--max-states", "9"});
  EXPECT_EQ(cut.status, 0);
  EXPECT_THAT(cut.err, HasSubstr("note: the search was cut after 10 states"));
}

TEST_F(GraphCli, ASearchThatIsCutSaysSo) {
  const Finished it = lockstep({"graph", "plain/two-clients", "--kind", "states", "-T", "dot", "--max-states",
                                "50", "--max-nodes", "2"});
  EXPECT_EQ(it.status, 0);
  EXPECT_THAT(it.err, HasSubstr("note: the search was cut after 56 states (--max-states)"));
  EXPECT_THAT(it.err, HasSubstr("note: 2 of "));
  EXPECT_THAT(it.out, HasSubstr("search cut at the limit"));
}

TEST_F(GraphCli, WhatCannotBeDrawnIsOneSentenceAndLeavesNoFile) {
  for (const std::string& bad : bad_files()) {
    for (const char* kind : {"sequence", "timeline", "failover", "states", "script"})
      expect_one_sentence(lockstep({"graph", bad, "--kind", kind, "-o", at("out.svg")}), bad);
  }
  const std::string stranger = file("s.trail", "lockstep-trail 1\nscenario = no/such\nthen = stop\n");
  expect_one_sentence(lockstep({"graph", stranger, "-o", at("out.svg")}), "trail of no scenario");
  expect_one_sentence(lockstep({"graph", "plain/two-clients", "--from", "9999", "-o", at("out.svg")}),
                      "window");
  EXPECT_FALSE(std::filesystem::exists(at("out.svg")));
}

TEST_F(GraphCli, WithoutGraphvizThereIsOneSentenceAndNoFile) {
  const Finished it =
      lockstep({"graph", "plain/two-clients", "-o", at("out.svg")}, {.environment = {"PATH=/nowhere"}});
  expect_one_sentence(it, "no Graphviz");
  EXPECT_FALSE(std::filesystem::exists(at("out.svg")));
}

TEST_F(GraphCli, APictureIsNotPouredIntoATerminal) {
  const Finished it = lockstep({"graph", "plain/two-clients", "-T", "png"}, {.out_to = "/dev/ptmx"});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err, "error: a png is not for a terminal; name a file with -o FILE\n");
}

TEST_F(GraphCli, OptionsThatDoNotGoTogetherAreMistakes) {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--kind", "failover", "-T", "mermaid"}, {"--kind", "script", "-T", "plantuml"},
           {"--kind", "states", "--from", "1"}, {"--kind", "script", "--to", "1"},
           {"--kind", "failover", "-T", "txt"}, {"--kind", "failover", "--by", "full"},
           {"--scale", "time"}, {"--by", "full"}, {"--kind", "states", "--max-nodes", "0"}}) {
    std::vector<std::string> words{"graph", "plain/two-clients"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(lockstep(words).status, 2) << wrong[0] << wrong[1];
  }
}

}  // namespace
}  // namespace lockstep::tools
