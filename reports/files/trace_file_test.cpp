#include "reports/files/trace_file.h"

#include <gtest/gtest.h>

#include <clocale>

#include "reports/testing/real_trace.h"

namespace lockstep::reports {
namespace {

std::string problem_of(const std::string& bytes) {
  const auto read = read_trace(bytes, "x.jsonl");
  return read.ok() ? "it was accepted" : read.problem().text;
}

std::string changed(std::string bytes, const std::string& from, const std::string& to) {
  const auto at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
}

TEST(TraceFile, WhatWasWrittenIsReadBackTheSame) {
  for (const auto& trace : {real_trace("failover"), real_trace("pause"), real_trace("two-clients")}) {
    const auto read = read_trace(write_trace(trace), "x.jsonl");
    ASSERT_TRUE(read.ok()) << read.problem().text;
    EXPECT_EQ(*read, trace);
  }
}

TEST(TraceFile, HostileNamesSurviveTheWayThere) {
  for (const auto& name : hostile_names()) {
    const auto trace = hostile(name);
    const auto bytes = write_trace(trace);
    const auto read = read_trace(bytes, "x.jsonl");
    ASSERT_TRUE(read.ok()) << read.problem().text;
    EXPECT_EQ(*read, trace);
  }
}

TEST(TraceFile, AnUnknownKindIsKept) {
  const auto bytes = changed(write_trace(real_trace("failover")), "\"k\":\"inv\"", "\"k\":\"novel\"");
  const auto read = read_trace(bytes.substr(0, bytes.find("{\"k\":\"end\"")), "x", Incomplete::accepted);
  ASSERT_TRUE(read.ok()) << read.problem().text;
  EXPECT_EQ(read->events[0].kind, sim::TraceKind::other);
  EXPECT_EQ(word_of(read->events[0]), "novel");
  EXPECT_NE(write_trace(*read).find("\"k\":\"novel\""), std::string::npos);
}

TEST(TraceFile, BinaryTextsAreWrittenAsBase64) {
  const auto bytes = write_trace(hostile("\xFF\xFE"));
  EXPECT_NE(bytes.find(R"("keys":[{"b64":"//4="}])"), std::string::npos);
}

TEST(TraceFile, AKeyThatIsGoneIsAPathAlone) {
  EXPECT_NE(write_trace(real_trace("pause")).find(R"("d":[["R0/db/orders"]])"), std::string::npos);
}

TEST(TraceFile, NumbersThatADoubleCannotHoldAreWrittenAsTexts) {
  auto trace = real_trace("two-clients");
  trace.events[0].time_us = (std::int64_t{1} << 53) + 1;
  const auto bytes = write_trace(trace);
  EXPECT_NE(bytes.find(R"("t":"9007199254740993")"), std::string::npos);
  const auto read = read_trace(bytes, "x.jsonl");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->events[0].time_us, trace.events[0].time_us);
}

TEST(TraceFile, TheHeaderCarriesTheTrail) {
  const auto bytes = write_trace(real_trace("failover"));
  EXPECT_TRUE(looks_like_trace(bytes));
  EXPECT_EQ(read_trace(bytes, "x.jsonl")->trail, real_trace("failover").trail);
  EXPECT_FALSE(looks_like_trace("lockstep-trail 1\n"));
}

TEST(TraceFile, AMarkThatAnEditorPutInFrontIsNoPartOfIt) {
  const auto bytes = "\xEF\xBB\xBF" + write_trace(real_trace("failover"));
  EXPECT_TRUE(looks_like_trace(bytes));
  const auto read = read_trace(bytes, "x.jsonl");
  ASSERT_TRUE(read.ok()) << read.problem().text;
  EXPECT_EQ(read->trail, real_trace("failover").trail);
}

TEST(TraceFile, AnEmptyFileIsAProblemWithItsPlace) {
  EXPECT_EQ(problem_of(""), "x.jsonl:1: the file is empty");
}

TEST(TraceFile, AMalformedLineIsNamedByItsNumber) {
  auto bytes = write_trace(real_trace("failover"));
  EXPECT_EQ(problem_of(changed(bytes, "{\"i\":1,", "{\"i\":1;")).substr(0, 24), "x.jsonl:3: not JSON at b");
  EXPECT_EQ(problem_of(std::string("\x7F" "ELF\x00\xFF", 6)).substr(0, 24), "x.jsonl:1: not JSON at b");
  EXPECT_EQ(problem_of("[1]\n"), "x.jsonl:1: a line of a trace is a JSON object");
  EXPECT_EQ(problem_of("{}\n"), "x.jsonl:1: not a lockstep trace");
  EXPECT_EQ(problem_of(changed(bytes, "\"t\":0", "\"t\":0.5")),
            "x.jsonl:2: `t` must be a whole number of at most 64 bits");
}

TEST(TraceFile, AMissingEndIsRefusedUnlessTheCallerAcceptsIt) {
  const auto bytes = write_trace(real_trace("failover"));
  const auto torn = bytes.substr(0, bytes.find("{\"k\":\"end\"") - 10);
  EXPECT_NE(problem_of(torn.substr(0, torn.rfind('\n') + 1)).find("its `end` line is missing"),
            std::string::npos);
  EXPECT_NE(problem_of(torn).find("the file is cut off in this line"), std::string::npos);
  const auto read = read_trace(torn, "x.jsonl", Incomplete::accepted);
  ASSERT_TRUE(read.ok()) << read.problem().text;
  EXPECT_EQ(read->events.size(), real_trace("failover").events.size() - 1);
}

TEST(TraceFile, AChangedByteIsFoundByTheDigest) {
  const auto bytes = changed(write_trace(real_trace("failover")), "\"ret\":\"nil\"", "\"ret\":\"nix\"");
  EXPECT_NE(problem_of(bytes).find(": the file was changed"), std::string::npos) << problem_of(bytes);
}

TEST(TraceFile, NothingMayFollowTheEnd) {
  EXPECT_NE(problem_of(write_trace(real_trace("failover")) + "{}\n").find("nothing may follow"),
            std::string::npos);
}

TEST(TraceFile, ALineLongerThanTheLimitIsRefusedWithoutReadingIt) {
  const std::string huge = "{\"lockstep\":\"trace\",\"v\":1,\"x\":\"" + std::string(65U << 20, 'x') + "\"}\n";
  EXPECT_NE(problem_of(huge).find("is too long"), std::string::npos);
}

TEST(TraceFile, UnknownKeysAreIgnoredUnlessTheyAreNeeded) {
  auto bytes = write_trace(real_trace("failover"));
  bytes = bytes.substr(0, bytes.find("{\"k\":\"end\""));
  const auto with = [&](const char* need) {
    return read_trace(changed(changed(bytes, "\"need\":[]", need), "{\"i\":0,", "{\"i\":0,\"novel\":1,"),
                      "x.jsonl", Incomplete::accepted);
  };
  EXPECT_TRUE(with("\"need\":[]").ok());
  EXPECT_TRUE(with("\"need\":[\"repl\"]").ok());
  ASSERT_FALSE(with("\"need\":[\"novel\"]").ok());
  EXPECT_EQ(with("\"need\":[\"novel\"]").problem().text,
            "x.jsonl:1: it needs `novel`, which is not known here");
}

TEST(TraceFile, TheBytesDoNotDependOnTheLocale) {
  const auto before = write_trace(real_trace("pause"));
  const char* set = std::setlocale(LC_ALL, "C.UTF-8");
  EXPECT_EQ(write_trace(real_trace("pause")), before) << (set ? set : "no such locale");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace lockstep::reports
