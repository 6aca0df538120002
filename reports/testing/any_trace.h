// any_trace.h: for tests, random traces: of known and unknown kinds, with any text, any number and no sense.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports {

inline std::string any_text() {
  const auto nasty = rc::gen::element('\xFF', '\xE2', '\x80', '\xAE', '"', '\\', '\n', '\0', '/');
  return *rc::gen::container<std::string>(rc::gen::oneOf(rc::gen::arbitrary<char>(), nasty));
}

inline sim::KeyChange any_change() {
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

inline sim::LockTruth any_truth() {
  sim::LockTruth truth{.lock = any_text(), .holds = {}};
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    sim::LockTruth::Hold hold{any_text(), *rc::gen::arbitrary<std::int64_t>(), {}};
    if (*rc::gen::arbitrary<bool>()) hold.left_ms = *rc::gen::arbitrary<std::int64_t>();
    truth.holds.push_back(std::move(hold));
  }
  return truth;
}

inline sim::TraceEvent any_event() {
  sim::TraceEvent e;
  e.index = *rc::gen::arbitrary<std::int64_t>();
  e.time_us = *rc::gen::arbitrary<std::int64_t>();
  e.kind = static_cast<sim::TraceKind>(*rc::gen::inRange(0, static_cast<int>(sim::TraceKind::other) + 1));
  if (e.kind == sim::TraceKind::other) e.other_kind = "something else";
  for (auto* member :
       {&e.who, &e.from, &e.to, &e.act, &e.lock, &e.script, &e.outcome, &e.name, &e.why, &e.meaning,
                       &e.state}) {
    *member = any_text();
  }
  for (auto* member : {&e.msg, &e.cause, &e.of, &e.line, &e.wait_ms}) {
    if (*rc::gen::arbitrary<bool>()) *member = *rc::gen::arbitrary<std::int64_t>();
  }
  e.keys = *rc::gen::arbitrary<std::vector<std::string>>();
  e.argv = *rc::gen::arbitrary<std::vector<std::string>>();
  if (*rc::gen::arbitrary<bool>()) e.ret = any_text();
  e.steps = *rc::gen::arbitrary<std::vector<std::int64_t>>();
  if (*rc::gen::arbitrary<bool>()) e.choice.emplace(*rc::gen::inRange(0, 1000), *rc::gen::inRange(0, 1000));
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) e.changes.push_back(any_change());
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) e.truths.push_back(any_truth());
  return e;
}

inline sim::Trace any_trace() {
  sim::Trace trace;
  for (auto* member : {&trace.scenario, &trace.scenario_digest, &trace.about, &trace.scripts,
                       &trace.scripts_digest, &trace.trail, &trace.result}) {
    *member = any_text();
  }
  for (int i = 0; i < *rc::gen::inRange(0, 3); ++i) {
    trace.actors.push_back(
        {fmt::format("T{}", i), any_text(), any_text(), any_text(), any_text(), any_text()});
  }
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) trace.events.push_back(any_event());
  return trace;
}

}  // namespace lockstep::reports
