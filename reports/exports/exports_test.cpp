// Each format is checked against its own rules by a reader that shares nothing with the writer, on real runs,
// on hostile names, and on traces without sense.
#include "reports/exports/exports.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "reports/testing/any_trace.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

using nlohmann::json;
using sim::TraceKind;
using ::testing::HasSubstr;

std::vector<sim::Trace> traces() {
  std::vector<sim::Trace> all;
  for (const char* name : {"failover", "pause", "permit", "two-clients"}) all.push_back(real_trace(name));
  for (const std::string& name : {std::string("</script>"), std::string("a \"b\" 'c' \\"),
                                  std::string("a\nb\r\t;#:{}[]()"), std::string("\xE2\x80\xAE\x01\x7F"),
                                  std::string("\xFF\xC0"), std::string(10'000, 'k'), std::string("../..")})
    all.push_back(hostile(name));
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// ---- Perfetto

/// Slices of a track nest and end; what is asynchronous ends under the name it began under.
void expect_perfetto(const std::string& text) {
  const json document = json::parse(text);
  std::map<std::pair<int, int>, int> depth;
  std::map<std::string, std::string> open;
  std::int64_t last = 0;
  for (const json& event : document.at("traceEvents")) {
    const std::string phase = event.at("ph");
    const std::pair<int, int> track{event.at("pid"), event.at("tid")};
    if (phase == "M") {
      EXPECT_TRUE(event.at("args").at("name").is_string());
      continue;
    }
    ASSERT_TRUE(event.at("ts").is_number_integer());
    EXPECT_GE(event["ts"].get<std::int64_t>(), last);
    last = event["ts"];
    const std::string key = event.value("cat", "") + "|" + event.value("id", "");
    if (phase == "B") EXPECT_EQ(depth[track]++, 0) << "a thread is in one call at a time";
    else if (phase == "E") EXPECT_EQ(depth[track]--, 1);
    else if (phase == "b") EXPECT_TRUE(open.emplace(key, event.at("name")).second) << key;
    else if (phase == "e") {
      ASSERT_TRUE(open.contains(key)) << key;
      EXPECT_EQ(open[key], event.at("name"));
      open.erase(key);
    } else {
      ASSERT_EQ(phase, "i");
      EXPECT_THAT(event.at("s"), ::testing::AnyOf("t", "g"));
    }
  }
  for (const auto& [track, levels] : depth) EXPECT_EQ(levels, 0);
  EXPECT_TRUE(open.empty());
}

TEST(Exports, PerfettosSlicesNestAndEnd) {
  for (const sim::Trace& trace : traces()) expect_perfetto(perfetto(trace));
}

TEST(Exports, PerfettoShowsCallsBeliefsAndMessages) {
  const std::string text = perfetto(real_trace("failover"));
  for (const char* part : {R"("name":"lock orders","ph":"B")", R"("name":"believes orders","ph":"b")",
                           R"("cat":"message")", R"("name":"process_name")"})
    EXPECT_THAT(text, HasSubstr(part));
}

// ---- ShiViz

struct Logged {
  std::string host;
  std::map<std::string, std::int64_t> clock;
};

std::vector<Logged> logged(const std::string& text) {
  static const std::regex first(R"((\S*) (\{.*\}))");
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_EQ(lines.size() % 2, 0u);
  std::vector<Logged> all;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    std::smatch match;
    EXPECT_TRUE(std::regex_match(lines[i], match, first)) << lines[i].substr(0, 200);
    if (match.size() < 3) return all;
    all.push_back({match[1], json::parse(match[2].str())});
  }
  return all;
}

/// ShiViz's own rules: a host's own entry counts its events, entries never fall, and none is from the future.
void expect_shiviz(const std::string& text) {
  std::map<std::string, std::int64_t> events;
  std::map<std::string, std::map<std::string, std::int64_t>> last;
  for (const Logged& one : logged(text)) {
    EXPECT_EQ(one.clock.at(one.host), ++events[one.host]);
    for (const auto& [host, count] : one.clock) {
      EXPECT_LE(count, events[host]) << "of an event that has not been";
      EXPECT_GE(count, last[one.host][host]);
    }
    for (const auto& [host, count] : last[one.host]) EXPECT_TRUE(one.clock.contains(host) || count == 0);
    last[one.host] = one.clock;
  }
}

TEST(Exports, ShivizsClocksCountAndNeverFall) {
  for (const sim::Trace& trace : traces()) {
    const std::string text = shiviz(trace);
    expect_shiviz(text);
    EXPECT_EQ(logged(text).size(), trace.events.size());
  }
}

TEST(Exports, ShivizPutsWhatWasMadePossibleBehindItsCause) {
  const sim::Trace trace = real_trace("failover");
  const std::vector<Logged> all = logged(shiviz(trace));
  std::map<std::int64_t, std::size_t> at;
  std::size_t across = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const auto& event = trace.events[i];
    at[event.index] = i;
    if (!event.cause || !at.contains(*event.cause)) continue;
    const Logged& cause = all[at[*event.cause]];
    EXPECT_GE(all[i].clock.at(cause.host), cause.clock.at(cause.host));
    across += cause.host != all[i].host;
  }
  EXPECT_GE(across, 3u);
}

TEST(Exports, HostsOfShivizHaveNoBlanksAndStayApart) {
  sim::Trace trace;
  for (const char* who : {"a b", "a_b", "a\tb", ""}) {
    sim::TraceEvent event;
    event.index = static_cast<std::int64_t>(trace.events.size());
    event.who = who;
    trace.events.push_back(event);
  }
  std::set<std::string> hosts;
  for (const Logged& one : logged(shiviz(trace))) hosts.insert(one.host);
  EXPECT_EQ(hosts.size(), 4u);
}

// ---- ITF

void expect_value(const json& value) {
  if (value.is_string() || value.is_boolean()) return;
  if (value.is_array()) {
    for (const json& each : value) expect_value(each);
    return;
  }
  ASSERT_TRUE(value.is_object()) << value.dump().substr(0, 100) << ": numbers are #bigint";
  if (value.contains("#bigint")) {
    EXPECT_TRUE(std::regex_match(value["#bigint"].get<std::string>(), std::regex("-?[0-9]+")));
  } else if (value.contains("#map")) {
    std::set<json> keys;
    for (const json& pair : value["#map"]) {
      ASSERT_EQ(pair.size(), 2u);
      EXPECT_TRUE(keys.insert(pair[0]).second) << "a key twice";
      expect_value(pair[1]);
    }
  } else if (value.contains("#set") || value.contains("#tup")) {
    for (const json& each : value.begin().value()) expect_value(each);
  } else {
    for (const auto& [field, each] : value.items()) {
      EXPECT_NE(field.substr(0, 1), "#") << field;
      expect_value(each);
    }
  }
}

void expect_itf(const std::string& text) {
  const json document = json::parse(text);
  EXPECT_EQ(document.at("#meta").at("format"), "ITF");
  std::set<std::string> vars(document.at("vars").begin(), document.at("vars").end());
  std::size_t index = 0;
  for (const json& state : document.at("states")) {
    EXPECT_EQ(state.at("#meta").at("index"), index++);
    EXPECT_EQ(state.size(), vars.size() + 1) << "each variable, and what the state is";
    for (const std::string& var : vars) expect_value(state.at(var));
  }
  EXPECT_GE(index, 1u);
}

TEST(Exports, ItfHasAStateForEachDecisionWithEveryVariable) {
  for (const sim::Trace& trace : traces()) {
    const std::string text = itf(trace);
    expect_itf(text);
    const auto decisions =
        std::count_if(trace.events.begin(), trace.events.end(),
                      [](const sim::TraceEvent& event) { return event.choice.has_value(); });
    EXPECT_EQ(json::parse(text)["states"].size(), static_cast<std::size_t>(decisions) + 1);
  }
}

TEST(Exports, TheLastStateOfItfHasWhoBelievesAndWhatBroke) {
  const json last = json::parse(itf(real_trace("failover")))["states"].back();
  EXPECT_THAT(last["broken"].dump(), HasSubstr("mutual-exclusion"));
  EXPECT_EQ(last["believes"]["#map"].size(), 2u);
  EXPECT_THAT(last["keys"].dump(), HasSubstr("orders"));
}

// ---- Jepsen

/// One map of plain keys and values a line; whoever has called is answered before calling again, and who is
/// not answered never calls again.
void expect_history(const std::string& text) {
  const std::string quoted = R"rx("(?:[^"\\]|\\["\\])*")rx";
  static const std::regex line(
      R"rx(\{:index (\d+), :type :(invoke|ok|fail|info), :f :([a-zA-Z][a-zA-Z0-9_-]*), )rx"
      R"rx(:value (nil|)rx" + quoted + R"rx(), :process (\d+|:nemesis), :time (-?\d+))rx"
      R"rx((?:, :mode :read)?(?:, :thread )rx" + quoted + R"rx()?(?:, :(?:error|answer) )rx" + quoted +
      R"rx()?(?:, :token -?\d+)?\})rx");
  std::map<std::string, std::string> open;
  std::set<std::string> gone;
  std::size_t number = 0;
  for (const std::string& each : lines_of(text)) {
    std::smatch match;
    if (each.size() > 1'000) {  // std::regex recurses for each character
      EXPECT_EQ(each.back(), '}');
      ++number;
      return;
    }
    ASSERT_TRUE(std::regex_match(each, match, line)) << each;
    EXPECT_EQ(match[1], std::to_string(number++));
    const std::string process = match[5], function = match[3];
    if (process == ":nemesis") {
      EXPECT_EQ(match[2], "info");
    } else if (match[2] == "invoke") {
      EXPECT_FALSE(gone.contains(process)) << each;
      EXPECT_TRUE(open.emplace(process, function).second) << each;
    } else {
      ASSERT_TRUE(open.contains(process)) << each;
      EXPECT_EQ(open[process], function);
      open.erase(process);
      if (match[2] == "info") gone.insert(process);
    }
  }
  EXPECT_TRUE(open.empty()) << "every call ends, if in :info";
}

TEST(Exports, OperationsOfAHistoryArePaired) {
  for (const sim::Trace& trace : traces()) expect_history(jepsen_history(trace));
}

TEST(Exports, AHistoryHasTheCallsAndTheFaults) {
  const std::string text = jepsen_history(real_trace("failover"));
  EXPECT_THAT(text, HasSubstr(":type :invoke, :f :lock, :value \"orders\", :process 0"));
  EXPECT_THAT(text, HasSubstr(":f :crash, :value \"R0\", :process :nemesis"));
  EXPECT_THAT(text, HasSubstr(":type :ok, :f :lock"));
}

// ---- whatever it is

RC_GTEST_PROP(Exports, AnyTraceIsValidTextInEveryFormat, ()) {
  const sim::Trace trace = any_trace();
  for (const auto write : {perfetto, shiviz, itf, jepsen_history}) {
    const std::string text = write(trace);
    RC_ASSERT(valid_utf8(text));
    RC_ASSERT(text == write(trace));
    for (const char c : text) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  }
  RC_ASSERT(json::accept(perfetto(trace)));
  RC_ASSERT(json::accept(itf(trace)));
}

}  // namespace
}  // namespace lockstep::reports
