// `lockstep trace`, run as a user runs it.
#include <nlohmann/json.hpp>

#include "reports/testing/real_trace.h"
#include "reports/text/text.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/exporters.h"

namespace lockstep::tools {
namespace {

class TraceCli : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    bytes_ = content("reports/goldens/failover.jsonl");
    trace_ = file("run.jsonl", bytes_);
  }
  std::string bytes_, trace_;
};

TEST_F(TraceCli, ATrailIsToldFromATrace) {
  const Finished it = lockstep({"trace", "show", file("a.trail", "lockstep-trail 1\nscenario = x\n")});
  expect_one_sentence(it, "a trail");
  EXPECT_THAT(it.err, ::testing::HasSubstr(":1: this is a trail, and no trace; `lockstep replay TRAIL "));
}

TEST_F(TraceCli, ShowTellsTheStory) {
  const Finished it = lockstep({"trace", "show", trace_});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.err, "");
  EXPECT_THAT(it.out, ::testing::StartsWith("failover/master-dies-before-replication · redisson@3.10.5 · "));
  EXPECT_THAT(it.out, ::testing::HasSubstr("mutual-exclusion: A1 and B1 "));
}

TEST_F(TraceCli, AWindowShowsItsEventsOnly) {
  const std::string out = lockstep({"trace", "show", trace_, "--from", "2", "--to", "5"}).out;
  EXPECT_THAT(out, ::testing::HasSubstr("lock orders → nil (got it)"));
  EXPECT_THAT(out, ::testing::Not(::testing::HasSubstr("crashes")));
}

TEST_F(TraceCli, OnlyWhatIsOfOneActorAKeyOrAChangeIsShown) {
  const std::string of_one = lockstep({"trace", "show", trace_, "--actor", "B1"}).out;
  EXPECT_THAT(of_one, ::testing::HasSubstr("B1@R1  lock orders → nil (got it)"));
  EXPECT_THAT(of_one, ::testing::Not(::testing::HasSubstr("A1@R0")));
  const std::string changes = lockstep({"trace", "show", trace_, "--changes", "--key", "orders"}).out;
  EXPECT_THAT(changes, ::testing::HasSubstr("orders {A1: 1} 30 s"));
  EXPECT_THAT(changes, ::testing::Not(::testing::HasSubstr("crashes")));
  const Finished nobody = lockstep({"trace", "show", trace_, "--actor", "C1"});
  expect_one_sentence(nobody, "C1");
  EXPECT_THAT(nobody.err,
              ::testing::HasSubstr("nobody is called C1 in this trace; there are A, A1, B, B1, R0"));
  EXPECT_EQ(lockstep({"trace", "verify", trace_, "--changes"}).status, 2);
}

TEST_F(TraceCli, StatCountsKindsAndActors) {
  const Finished it = lockstep({"trace", "stat", trace_});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, ::testing::HasSubstr("  12 decisions, 3 s of virtual time\n"));
  EXPECT_THAT(it.out, ::testing::ContainsRegex("  kind  crash +1\n"));
  EXPECT_THAT(it.out, ::testing::ContainsRegex("  who   R0 +[0-9]+\n"));
}

TEST_F(TraceCli, VerifyComparesTheDigest) {
  const Finished good = lockstep({"trace", "verify", trace_});
  EXPECT_EQ(good.status, 0);
  EXPECT_THAT(good.out, ::testing::HasSubstr("run.jsonl: ok, the digest is right"));
  std::string changed = bytes_;
  changed[changed.find("\"t\":3000000") + 4] = '4';
  const Finished bad = lockstep({"trace", "verify", file("changed.jsonl", changed)});
  expect_one_sentence(bad, "changed");
  EXPECT_THAT(bad.err, ::testing::ContainsRegex("changed.jsonl:[0-9]+: "));
}

TEST_F(TraceCli, EveryExporterWritesSomethingTwiceTheSame) {
  for (const char* name : {"jsonl", "json", "story", "trail", "mermaid", "dot", "timeline-dot",
                           "perfetto", "shiviz", "itf", "edn"}) {
    const Finished it = lockstep({"trace", "export", trace_, "--as", name});
    EXPECT_EQ(it.status, 0) << name;
    EXPECT_NE(it.out, "") << name;
    EXPECT_EQ(it.out, lockstep({"trace", "export", trace_, "--as", name}).out);
  }
  EXPECT_EQ(lockstep({"trace", "export", trace_, "--as", "jsonl"}).out, bytes_);
}

TEST_F(TraceCli, EveryExporterAndPictureTakesHostileNames) {
  std::vector<std::string> names = reports::hostile_names();
  for (const std::string& more : {std::string("../../x"), std::string(10'000, 'k')}) names.push_back(more);
  for (const std::string& name : names) {
    const std::string trace = file("hostile.jsonl", reports::write_trace(reports::hostile(name)));
    std::vector<std::vector<std::string>> commands;
    for (const Exporter& one : exporters())
      commands.push_back({"trace", "export", trace, "--as", std::string(one.name)});
    for (const char* kind : {"sequence", "timeline", "failover"})
      commands.push_back({"graph", trace, "--kind", kind, "-T", "dot"});
    for (const char* kind : {"sequence", "timeline"})
      for (const char* form : {"mermaid", "plantuml"})
        commands.push_back({"graph", trace, "--kind", kind, "-T", form});
    for (const std::vector<std::string>& words : commands) {
      const Finished it = here(words);
      EXPECT_EQ(it.status, 0) << words.back() << it.err;
      EXPECT_TRUE(reports::valid_utf8(it.out)) << words.back();
      EXPECT_EQ(it.out.find('\x01'), std::string::npos) << words.back();
      if (words.front() == "graph") {
        EXPECT_EQ(it.out.find("\u202e"), std::string::npos) << words.back();
      }
    }
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) files += entry.exists();
  EXPECT_EQ(files, 2u) << "nothing is written that was not named";
}

TEST_F(TraceCli, AFileOfAnotherVersionIsOneSentenceEverywhere) {
  std::string newer = bytes_;
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":9");
  const std::string trace = file("newer.jsonl", newer);
  const std::string trail =
      file("newer.trail", "lockstep-trail 9\nscenario = plain/two-clients\nthen = stop\n");
  for (const std::string& from : {trace, trail})
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"replay", from},
          {"graph", from},
          {"report", from},
          {"shrink", from},
          {"step", from, "--choose", "u"},
          {"trace", "verify", from},
          {"trace", "export", from, "--as", "edn"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"-o", at("kept")});
      file("kept", "as it was");
      const Finished it = here(all);
      expect_one_sentence(it, words.front());
      EXPECT_EQ(content(at("kept")), "as it was") << words.front();
    }
}

TEST_F(TraceCli, TheJsonHoldsTheEventsOfTheWindow) {
  const auto json = nlohmann::json::parse(
      lockstep({"trace", "export", trace_, "--as", "json", "--from", "1", "--to", "3"}).out);
  ASSERT_EQ(json["events"].size(), 3u);
  EXPECT_EQ(json["events"][0]["i"], 1);
  EXPECT_EQ(json["end"]["result"], "violated");
}

TEST_F(TraceCli, WhatIsNoTraceIsOneSentence) {
  for (const std::string& bad : bad_files()) {
    expect_one_sentence(lockstep({"trace", "verify", bad}), bad);
    expect_one_sentence(lockstep({"trace", "export", bad, "--as", "dot", "-o", at("out")}), bad);
  }
  expect_one_sentence(lockstep({"trace", "show", file("half.jsonl", bytes_.substr(0, 900))}), "half");
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(TraceCli, AWindowThatShowsNothingIsAMistake) {
  EXPECT_THAT(lockstep({"trace", "show", trace_, "--from", "9999"}).err,
              ::testing::StartsWith("error: --from 9999 is behind"));
  EXPECT_EQ(lockstep({"trace", "show", trace_, "--from", "5", "--to", "2"}).err,
            "error: --from 5 is behind --to 2\n");
  expect_one_sentence(lockstep({"trace", "export", trace_, "--as", "trail", "--from", "1"}), "trail");
}

TEST_F(TraceCli, AnUnknownExporterIsAMistakeWithASuggestion) {
  EXPECT_EQ(lockstep({"trace", "export", trace_, "--as", "mermiad"}).err,
            "error: there is no exporter `mermiad`; did you mean `mermaid`?\n");
}

}  // namespace
}  // namespace lockstep::tools
