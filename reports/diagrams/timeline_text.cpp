#include "reports/diagrams/timeline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/ownership.h"
#include "reports/diagrams/plantuml.h"
#include "reports/diagrams/timeline_lanes.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr std::size_t spans_max = 300;  // in one text

/// A stretch of a lane, in milliseconds since the first event that is shown.
struct Span {
  std::int64_t from_ms = 0, to_ms = 0;
  std::string words;
  bool bad = false;
};

struct SpannedLane {
  std::string title;
  std::vector<Span> spans;
};

class SpanReader {
 public:
  SpanReader(const sim::Trace& trace, const Window& window)
      : trace_(trace), shown_(shown_events(trace, window)), ownership_(ownership(trace)) {}

  std::vector<SpannedLane> read() {
    std::vector<SpannedLane> lanes;
    if (shown_.begin >= shown_.end) return lanes;
    for (const Lane& lane : timeline_lanes(trace_, ownership_)) {
      SpannedLane read{lane.title, {}};
      if (lane.kind == LaneKind::owner) owners(lane.id, read);
      else if (lane.kind == LaneKind::thread) beliefs(lane.id, read);
      if (!read.spans.empty()) lanes.push_back(std::move(read));
    }
    return lanes;
  }

 private:
  std::int64_t ms_of(std::size_t at) const {
    const std::size_t inside = std::clamp(at, shown_.begin, shown_.end - 1);
    const std::int64_t ms = trace_.events[inside].time_us / 1000;
    return std::clamp<std::int64_t>(ms, 0, std::int64_t{1} << 40);
  }

  void add(SpannedLane& lane, std::size_t begin, std::size_t end, std::string words, bool bad) {
    if (begin >= shown_.end || end <= shown_.begin || count_ == spans_max) return;
    ++count_;
    const std::int64_t from = ms_of(begin);
    lane.spans.push_back({from, std::max(from, ms_of(end)), std::move(words), bad});
  }

  void owners(const std::string& lock, SpannedLane& lane) {
    for (const Tenure& tenure : ownership_.tenures)
      if (tenure.lock == lock)
        add(lane, tenure.begin, tenure.end, cut(printable(tenure.thread), 24) + " holds", false);
  }

  void beliefs(const std::string& thread, SpannedLane& lane) {
    for (const Band& band : whole_bands(ownership_)) {
      if (band.thread != thread) continue;
      const char* words = band.standing == Standing::waiting ? "waits for "
                          : band.standing == Standing::holds ? "believes it holds "
                                                             : "believes, and does not hold ";
      add(lane, band.begin, band.end, words + cut(printable(band.lock), 30),
          band.standing == Standing::mistaken);
    }
  }

  const sim::Trace& trace_;
  Shown shown_;
  Ownership ownership_;
  std::size_t count_ = 0;
};

/// A colon ends the name of a task.
std::string task_text(const std::string& text) {
  std::string out;
  for (const char c : mermaid_text(text)) {
    if (c == ':') out += "#58;";
    else out += c;
  }
  return out;
}

}  // namespace

std::string mermaid_timeline(const sim::Trace& trace, const Window& window) {
  std::string out = "gantt\n  dateFormat x\n  axisFormat %M:%S\n";
  for (const SpannedLane& lane : SpanReader(trace, window).read()) {
    out += fmt::format("  section {}\n", task_text(lane.title));
    for (const Span& span : lane.spans)
      out += fmt::format("  {} :{}{}{}, {}\n", task_text(span.words), span.bad ? "crit, " : "",
                         span.from_ms == span.to_ms ? "milestone, " : "", span.from_ms, span.to_ms);
  }
  return out;
}

std::string plantuml_timeline(const sim::Trace& trace, const Window& window) {
  const std::vector<SpannedLane> lanes = SpanReader(trace, window).read();
  std::string out = "@startuml\n";
  std::map<std::int64_t, std::map<std::size_t, std::string>> changes;  // by time and lane
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    out += fmt::format("concise \"{}\" as L{}\n", plantuml_text(lanes[i].title), i);
    changes[0][i] = "{-}";
    for (const Span& span : lanes[i].spans) {
      if (span.from_ms == span.to_ms) continue;
      changes[span.from_ms][i] = fmt::format("\"{}\"", plantuml_text(span.words));
      changes[span.to_ms].emplace(i, "{-}");
    }
  }
  for (const auto& [time, lines] : changes) {
    out += fmt::format("@{}\n", time);
    for (const auto& [lane, words] : lines) out += fmt::format("L{} is {}\n", lane, words);
  }
  return out + "@enduml\n";
}

}  // namespace lockstep::reports
