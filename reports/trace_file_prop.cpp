#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/text.h"
#include "reports/trace_file.h"

namespace lockstep::reports {
namespace {

std::string any_text() {
  const auto nasty = rc::gen::element('\xFF', '\xE2', '\x80', '\xAE', '"', '\\', '\n', '\0', '/');
  return *rc::gen::container<std::string>(rc::gen::oneOf(rc::gen::arbitrary<char>(), nasty));
}

sim::KeyChange any_change() {
  sim::KeyChange change;
  change.node = *rc::gen::element<std::string>("R0", "R1");
  change.key = any_text();
  change.present = *rc::gen::arbitrary<bool>();
  if (!change.present) return change;
  change.type = *rc::gen::element<std::string>("hash", "string", "list", "set", "zset", "");
  change.fields = *rc::gen::arbitrary<std::vector<std::pair<std::string, std::string>>>();
  if (*rc::gen::arbitrary<bool>()) change.pttl_ms = *rc::gen::arbitrary<std::int64_t>();
  return change;
}

sim::TraceEvent any_event() {
  sim::TraceEvent e;
  e.index = *rc::gen::arbitrary<std::int64_t>();
  e.time_us = *rc::gen::arbitrary<std::int64_t>();
  e.kind = *rc::gen::element<std::string>("eval", "recv", "prop", "something else");
  for (auto* member : {&e.who, &e.from, &e.to, &e.act, &e.lock, &e.script, &e.outcome, &e.name, &e.why, &e.state}) {
    *member = any_text();
  }
  for (auto* member : {&e.msg, &e.cause, &e.of}) {
    if (*rc::gen::arbitrary<bool>()) *member = *rc::gen::arbitrary<std::int64_t>();
  }
  e.keys = *rc::gen::arbitrary<std::vector<std::string>>();
  e.argv = *rc::gen::arbitrary<std::vector<std::string>>();
  if (*rc::gen::arbitrary<bool>()) e.ret = any_text();
  e.steps = *rc::gen::arbitrary<std::vector<std::int64_t>>();
  if (*rc::gen::arbitrary<bool>()) e.choice.emplace(*rc::gen::inRange(0, 1000), *rc::gen::inRange(0, 1000));
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) e.changes.push_back(any_change());
  return e;
}

sim::Trace any_trace() {
  sim::Trace trace;
  for (auto* member : {&trace.scenario, &trace.scenario_digest, &trace.scripts, &trace.scripts_digest, &trace.trail,
                       &trace.result}) {
    *member = any_text();
  }
  for (int i = 0; i < *rc::gen::inRange(0, 3); ++i) {
    trace.actors.push_back({fmt::format("T{}", i), any_text(), any_text(), any_text(), any_text(), any_text()});
  }
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) trace.events.push_back(any_event());
  return trace;
}

RC_GTEST_PROP(TraceFile, EveryTraceIsReadBackAsItWasWritten, ()) {
  const auto trace = any_trace();
  const auto bytes = write_trace(trace);
  RC_ASSERT(valid_utf8(bytes));
  const auto read = read_trace(bytes, "x");
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == trace);
  RC_ASSERT(write_trace(*read) == bytes);
}

RC_GTEST_PROP(TraceFile, NoChangeOfAByteIsReadAsAnotherTrace, ()) {
  const auto trace = any_trace();
  auto bytes = write_trace(trace);
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << *rc::gen::inRange(0, 7)));
  const auto read = read_trace(bytes, "x");
  if (read.ok()) RC_ASSERT(read->events == trace.events && read->actors == trace.actors && read->trail == trace.trail);
  else RC_ASSERT(read.problem().text.substr(0, 2) == "x:");
}

RC_GTEST_PROP(Text, PrintableTextIsValidAndTellsDifferentTextsApart, ()) {
  const auto a = any_text();
  const auto b = any_text();
  RC_ASSERT(valid_utf8(printable(a)));
  RC_ASSERT((printable(a) == printable(b)) == (a == b));
  RC_ASSERT(from_base64(base64(a)) == a);
}

}  // namespace
}  // namespace lockstep::reports
