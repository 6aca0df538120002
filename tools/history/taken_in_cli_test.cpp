// `lockstep import --from jepsen-edn|ndjson`: what is written is read as the same history; what is wrong is
// one sentence with its place, and leaves no file.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

constexpr const char* jepsen = R"({:process 0 :type :invoke :f :acquire :value "orders" :time 0}
{:process 0 :type :ok :f :acquire :value "orders" :time 1500000}
{:process :nemesis :type :info :f :start}
{:process 1 :type :invoke :f :acquire :value {:lock "orders" :lease 10000} :time 2000000}
{:process 0 :type :invoke :f :release :value "orders" :time 3000000}
{:process 0 :type :ok :f :release :value "orders" :time 4000000}
{:process 1 :type :ok :f :acquire :value "orders" :time 5000000}
)";

constexpr const char* theirs =
    R"({"ev":"begin","client":{"id":7},"op":"acquire_lock","key":"orders","ts":1000}
{"ev":"end","client":{"id":7},"ts":2500}
{"ev":"note","text":"nothing to do with it"}
{"other":1}
{"ev":"begin","client":{"id":8},"op":"acquire_lock","key":"orders","ts":3000}
{"ev":"end","client":{"id":8},"ts":3500}
)";
constexpr const char* map = R"(time-unit = "us"
[members]
type = "ev"
process = "client.id"
call = "op"
lock = "key"
time = "ts"
[words.type]
begin = "invoke"
end = "ok"
note = ""
[words.call]
acquire_lock = "lock"
)";

class ImportHistory : public CliTest {
 protected:
  Finished import(const std::string& from, const std::string& text,
                  std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"import", "--from", from, file("in", text)};
    words.insert(words.end(), more.begin(), more.end());
    return here(words);
  }
};

TEST_F(ImportHistory, OfJepsenIsJudgedAsBefore) {
  const Finished it = import("jepsen-edn", jepsen, {"-o", "calls.jsonl"});
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("3 calls by 2 threads of 1 lock"));
  EXPECT_THAT(it.out, HasSubstr("lockstep check-history calls.jsonl --lock KIND"));
  EXPECT_THAT(content(at("calls.jsonl")), HasSubstr("\"lease\":10000,\"time\":2}\n"));
  EXPECT_THAT(content(at("calls.jsonl")), HasSubstr("\"time\":1.5}\n"));
  for (const char* kind : {"mutex", "reentrant"}) {
    const Finished before = here({"check-history", "in", "--lock", kind, "--format", "json"});
    const Finished after = here({"check-history", "calls.jsonl", "--lock", kind, "--format", "json"});
    EXPECT_EQ(after.status, before.status);
    EXPECT_EQ(after.status, 0) << after.out;
  }
  const Finished again = import("ndjson", content(at("calls.jsonl")));
  EXPECT_EQ(again.out, content(at("calls.jsonl"))) << "it is one of ours already";
  EXPECT_THAT(again.err, HasSubstr("3 calls"));
}

TEST_F(ImportHistory, OfLinesWithOtherNamesIsToldByAMap) {
  file("map.toml", map);
  const Finished it = import("ndjson", theirs, {"--map", "map.toml", "-o", "calls.jsonl"});
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("2 calls by 2 threads of 1 lock\n  left out        2 lines"));
  EXPECT_EQ(content(at("calls.jsonl")),
            "{\"lockstep\":\"history\",\"v\":1}\n"
            R"({"type":"invoke","process":"7","call":"lock","lock":"orders","time":1})" "\n"
            R"({"type":"ok","process":"7","time":2.5})" "\n"
            R"({"type":"invoke","process":"8","call":"lock","lock":"orders","time":3})" "\n"
            R"({"type":"ok","process":"8","time":3.5})" "\n");
  EXPECT_EQ(here({"check-history", "calls.jsonl", "--lock", "mutex"}).status, 1) << "two at once";
}

TEST_F(ImportHistory, AByteOrderMarkInFrontIsNoPartOfIt) {
  const std::string mark = "\xEF\xBB\xBF";
  file("map.toml", mark + map);
  EXPECT_EQ(import("jepsen-edn", mark + jepsen).out, import("jepsen-edn", jepsen).out);
  const Finished marked = import("ndjson", mark + theirs, {"--map", "map.toml"});
  EXPECT_EQ(marked.status, 0) << marked.err;
  EXPECT_EQ(marked.out, import("ndjson", theirs, {"--map", "map.toml"}).out);
}

TEST_F(ImportHistory, WhatIsWrongIsOneSentenceAndLeavesNoFile) {
  file("map.toml", map);
  const std::vector<std::pair<std::string, std::string>> maps{
      {"[members\n", ": a map is TOML, and from here on this is none; `lockstep help import` shows one"},
      {"[members]\ncall = \"opp\"\n", "m.toml:2:8: no line of "},
      {"[words.call]\nacquire_lock = \"lokc\"\n",
       "m.toml:2:16: [words.call]: `lokc` is no call of a lock; did you mean `lock`?"},
      {"[words.type]\nbegin = \"start\"\n", "m.toml:2:9: [words.type]: a `type` is invoke, ok, fail"},
      {"[members]\nprocces = \"x\"\n",
       "m.toml:2:1: `procces` is no member of a history; did you mean `process`?"},
      {"[members]\ntype = 3\n", "m.toml:2:1: `type` wants a text"},
      {"[words]\ntype = \"x\"\n", "m.toml:2:1: `type` wants a table of words"},
      {"time-unit = \"min\"\n", "wants s, ms, us or ns"},
      {"membres = 1\n", "`membres` is none of time-unit"}};
  for (const auto& [text, sentence] : maps) {
    file("m.toml", text);
    const Finished it = import("ndjson", theirs, {"--map", "m.toml", "-o", "calls.jsonl"});
    expect_one_sentence(it, text);
    EXPECT_THAT(it.err, HasSubstr(sentence));
  }
  expect_one_sentence(import("ndjson", "{\"type\":\"invoke\"\n", {"-o", "calls.jsonl"}), "cut off");
  expect_one_sentence(import("ndjson", R"({"type":"ok","process":"A"})", {"-o", "calls.jsonl"}), "no call");
  for (const char* twice : {R"({"type":"ok","type":"fail","process":"A"})",
                            R"({"type":"ok","process":"A","client":{"id":1,"id":2}})"}) {
    const Finished it = import("ndjson", twice, {"-o", "calls.jsonl"});
    expect_one_sentence(it, twice);
    EXPECT_THAT(it.err, HasSubstr("in:1: the member `")) << twice;
  }
  expect_one_sentence(import("jepsen-edn", "{:type :invoke", {"-o", "calls.jsonl"}), "cut off");
  expect_one_sentence(import("ndjson", R"({"lockstep":"history","v":2})", {"-o", "calls.jsonl"}), "newer");
  for (const std::string& bad : bad_files()) {
    const Finished it = here({"import", "--from", "jepsen-edn", bad, "-o", "calls.jsonl"});
    EXPECT_TRUE(it.status == 2 || it.status == 4) << bad << it.err;
  }
  EXPECT_EQ(import("jepsen-edn", jepsen, {"--map", "map.toml"}).status, 2);
  EXPECT_EQ(import("ndjson", "").status, 4);
  EXPECT_FALSE(std::filesystem::exists(at("calls.jsonl")));
}

}  // namespace
}  // namespace lockstep::tools
