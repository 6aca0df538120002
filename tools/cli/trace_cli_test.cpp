// `lockstep trace`, run as a user runs it.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

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
