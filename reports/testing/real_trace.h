// real_trace.h: for tests, traces of real runs, and the same with names that try to break out.
//
// The runs lie in reports/goldens/NAME.jsonl, where tools/graph/real_runs_test.cpp holds them against the
// model: `failover`, in which the write is lost with the master; `pause`, which outlives the lease;
// `permit`, in which one takes the wake-up that another needs; and `two-clients`, in which all goes well.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "reports/files/trace_file.h"
#include "sim/trace.h"

namespace lockstep::reports {

inline sim::Trace real_trace(const std::string& name) {
  std::ifstream file("reports/goldens/" + name + ".jsonl", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto trace = read_trace(bytes, name);
  EXPECT_TRUE(trace.ok()) << trace.problem().text;
  return trace.ok() ? *trace : sim::Trace{};
}

/// Where the first event of a kind stands; the number of events if there is none.
inline std::size_t first(const sim::Trace& trace, sim::TraceKind kind, const std::string& who) {
  for (std::size_t at = 0; at < trace.events.size(); ++at)
    if (trace.events[at].kind == kind && trace.events[at].who == who) return at;
  return trace.events.size();
}

/// The failover, of a lock with another name.
inline sim::Trace hostile(const std::string& name) {
  const std::string old = "orders";
  sim::Trace trace = real_trace("failover");
  const auto rename = [&](std::string& text) {
    for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + name.size()))
      text.replace(at, old.size(), name);
  };
  for (sim::TraceEvent& event : trace.events) {
    for (std::string* text : {&event.act, &event.lock, &event.why}) rename(*text);
    for (std::string& key : event.keys) rename(key);
    for (sim::KeyChange& change : event.changes) rename(change.key);
    for (sim::LockTruth& truth : event.truths) rename(truth.lock);
  }
  return trace;
}

/// Names that mean something to DOT, SVG, Mermaid, JSON or a terminal, and names that are no text at all.
inline std::vector<std::string> hostile_names() {
  return {"</script><b>",
          "say \"hi\"",
          "back\\slash",
          "two\nlines",
          "semi;colon",
          "hash#tag",
          "end",
          "a:b",
          "%%{init}%%",
          "\xE2\x80\xAE"
          "drowssap",  // U+202E turns the direction of writing
          "\x01\x1B[31m",
          "\xFF\xFE not utf-8",
          "&lt;&#60;",
          "<b>",
          "\\N\\G\\l",
          "--> x",
          "钥匙 🔒",
          std::string("nul\0byte", 8),
          std::string(10'000, 'k')};
}

}  // namespace lockstep::reports
