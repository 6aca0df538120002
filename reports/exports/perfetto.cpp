#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <map>
#include <set>

#include "reports/exports/exports.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using Json = nlohmann::ordered_json;
using sim::TraceEvent;
using sim::TraceKind;

struct Track {
  int pid = 0, tid = 0;
};

class Perfetto {
 public:
  explicit Perfetto(const sim::Trace& trace) : trace_(trace) {}

  std::string text() {
    name_tracks();
    for (const TraceEvent& event : trace_.events) add(event);
    close_all();
    Json document;
    document["displayTimeUnit"] = "ms";
    document["otherData"] = {{"scenario", printable(trace_.scenario)}, {"result", printable(trace_.result)}};
    document["traceEvents"] = std::move(events_);
    return document.dump() + "\n";
  }

 private:
  void name_tracks() {
    std::map<std::string, int> pids;
    const auto pid_of = [&](const std::string& id) {
      return pids.emplace(id, static_cast<int>(pids.size()) + 1).first->second;
    };
    for (const sim::TraceActor& actor : trace_.actors) {
      const int pid = pid_of(actor.of.empty() ? actor.id : actor.of);
      tracks_[actor.id] = {pid, static_cast<int>(tracks_.size()) + 1};
      meta("thread_name", tracks_[actor.id], actor.label.empty() ? actor.id : actor.label);
    }
    for (const auto& [id, pid] : pids) meta("process_name", {pid, 0}, id);
  }

  void meta(const char* what, Track track, const std::string& name) {
    events_.push_back({{"name", what},
                       {"ph", "M"},
                       {"pid", track.pid},
                       {"tid", track.tid},
                       {"args", {{"name", printable(name)}}}});
  }

  Track track_of(const std::string& who) const {
    const auto found = tracks_.find(who);
    return found == tracks_.end() ? Track{} : found->second;
  }

  Json base(const char* phase, const TraceEvent& event, const std::string& name) const {
    const Track track = track_of(event.who);
    return {{"name", printable(name)},
            {"ph", phase},
            {"ts", event.time_us},
            {"pid", track.pid},
            {"tid", track.tid}};
  }

  /// What has a beginning and an end on no track of its own.
  void begin(const char* category, const std::string& id, const TraceEvent& event, const std::string& name) {
    Json json = base("b", event, name);
    json["cat"] = category;
    json["id"] = printable(id);
    if (open_.emplace(std::string(category) + '\0' + id, json).second) events_.push_back(std::move(json));
  }
  void end(const char* category, const std::string& id, std::int64_t time_us) {
    const auto found = open_.find(std::string(category) + '\0' + id);
    if (found == open_.end()) return;
    Json json = std::move(found->second);
    open_.erase(found);
    json["ph"] = "e";
    json["ts"] = time_us;
    events_.push_back(std::move(json));
  }

  void end_call(const std::string& who, const TraceEvent& event) {
    if (calls_.erase(who) == 0) return;
    const Track track = track_of(who);
    Json json{{"ph", "E"}, {"ts", event.time_us}, {"pid", track.pid}, {"tid", track.tid}};
    if (event.ret) json["args"] = {{"answer", printable(*event.ret)}};
    events_.push_back(std::move(json));
  }

  /// Who is gone is in no call and holds nothing by its own lights.
  void end_all_of(const std::string& process, const TraceEvent& event) {
    for (const sim::TraceActor& actor : trace_.actors) {
      if (actor.of != process && actor.id != process) continue;
      end_call(actor.id, event);
      const std::string before = std::string("holds") + '\0' + actor.id + '\0';
      while (true) {
        const auto held = open_.lower_bound(before);
        if (held == open_.end() || !held->first.starts_with(before)) break;
        end("holds", held->first.substr(6), event.time_us);
      }
    }
  }

  void add(const TraceEvent& event) {
    switch (event.kind) {
      case TraceKind::inv:
        end_call(event.who, event);
        events_.push_back(base("B", event, event.act));
        calls_.insert(event.who);
        return;
      case TraceKind::ret:
        return end_call(event.who, event);
      case TraceKind::enter:
        return begin("holds", event.who + '\0' + event.lock, event, "believes " + event.lock);
      case TraceKind::leave:
        return end("holds", event.who + '\0' + event.lock, event.time_us);
      case TraceKind::send:
        if (event.msg) begin("message", std::to_string(*event.msg), event, event.act);
        return;
      case TraceKind::crash:
        end_all_of(event.who, event);
        break;
      default:
        break;
    }
    if (event.msg) end("message", std::to_string(*event.msg), event.time_us);
    Json mark = base("i", event, mark_of(event));
    mark["s"] = event.who.empty() ? "g" : "t";
    events_.push_back(std::move(mark));
  }

  static std::string mark_of(const TraceEvent& event) {
    std::string text(sim::word_of(event));
    for (const std::string* more : {&event.script, &event.act, &event.name, &event.lock})
      if (!more->empty()) text += " " + *more;
    return event.ret ? text + " → " + *event.ret : text;
  }

  /// The trace ends while things are still under way.
  void close_all() {
    const std::int64_t last = trace_.events.empty() ? 0 : trace_.events.back().time_us;
    TraceEvent now;
    now.time_us = last;
    for (const std::string& who : std::set<std::string>(calls_)) end_call(who, now);
    while (!open_.empty()) {
      const std::string key = open_.begin()->first;
      const std::size_t split = key.find('\0');
      end(key.substr(0, split).c_str(), key.substr(split + 1), last);
    }
  }

  const sim::Trace& trace_;
  std::map<std::string, Track> tracks_;
  std::map<std::string, Json> open_;
  std::set<std::string> calls_;
  Json events_ = Json::array();
};

}  // namespace

std::string perfetto(const sim::Trace& trace) { return Perfetto(trace).text(); }

}  // namespace lockstep::reports
