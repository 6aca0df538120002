#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "reports/exports/exports.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using sim::TraceEvent;
using Clock = std::map<std::string, std::int64_t>;

/// A host's name has no blanks; names that differ stay different.
class Hosts {
 public:
  const std::string& named(const std::string& who) {
    const auto found = names_.find(who);
    if (found != names_.end()) return found->second;
    std::string name = who.empty() ? "judge" : printable(who);
    for (char& c : name)
      if (c == ' ') c = '_';
    while (!taken_.insert(name).second) name += '\'';
    return names_.emplace(who, name).first->second;
  }

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

std::string line_of(const TraceEvent& event) {
  std::string text(sim::word_of(event));
  for (const std::string* more : {&event.name, &event.script, &event.act, &event.lock, &event.why})
    if (!more->empty()) text += " " + *more;
  if (event.ret) text += " → " + *event.ret;
  return printable(text);
}

void merge(Clock& into, const Clock& from) {
  for (const auto& [host, count] : from) into[host] = std::max(into[host], count);
}

}  // namespace

std::string shiviz(const sim::Trace& trace) {
  Hosts hosts;
  std::map<std::string, Clock> now;        // of each host
  std::map<std::int64_t, Clock> at_event;  // by index
  std::string text;
  for (const TraceEvent& event : trace.events) {
    const std::string& host = hosts.named(event.who);
    Clock& clock = now[host];
    const auto follow = [&](std::int64_t index) {
      const auto before = at_event.find(index);
      if (before != at_event.end()) merge(clock, before->second);
    };
    if (event.cause) follow(*event.cause);
    for (const std::int64_t step : event.steps) follow(step);
    ++clock[host];
    at_event[event.index] = clock;
    text += fmt::format("{} {}\n{}\n", host, nlohmann::json(clock).dump(), line_of(event));
  }
  return text;
}

}  // namespace lockstep::reports
