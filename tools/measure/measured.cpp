#include "tools/measure/measured.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace lockstep::tools {

namespace {

using sim::TraceEvent;
using sim::TraceKind;

/// One run, event by event.
class RunReading {
 public:
  explicit RunReading(Measured& into) : into_(into) {}

  void read(const TraceEvent& event) {
    switch (event.kind) {
      case TraceKind::inv: began(event); break;
      case TraceKind::ret: ended(event); break;
      case TraceKind::enter: gained(event); break;
      case TraceKind::leave: lost(event); break;
      case TraceKind::send: ++messages_; break;
      case TraceKind::eval: ++commands_; break;
      case TraceKind::cmd: commands_ += event.of ? 0 : 1; break;
      case TraceKind::timer: woken(event); break;
      case TraceKind::recv: answered(event); break;
      case TraceKind::prop: broken_.insert(event.name); break;
      default: break;
    }
  }

  void finish() {
    const double grants = static_cast<double>(std::max<std::uint64_t>(acquires_, 1));
    into_.acquires += acquires_;
    into_.commands.add(static_cast<double>(commands_) / grants);
    into_.messages.add(static_cast<double>(messages_) / grants);
    std::vector<double> granted, waited;
    for (const std::string& who : asked_) {
      granted.push_back(granted_[who]);
      waited.push_back(waited_[who]);
    }
    into_.fair_grants.add(jain(granted));
    into_.fair_waits.add(jain(waited));
    for (const std::string& property : broken_) ++into_.violated[property];
    ++into_.runs;
  }

 private:
  using Place = std::pair<std::string, std::string>;  // thread, lock

  static bool wants(const TraceEvent& event) {
    return event.act.starts_with("lock") || event.act.starts_with("trylock");
  }

  void began(const TraceEvent& event) {
    if (!wants(event)) return;
    begun_[{event.who, event.lock}] = event.time_us;
    asked_.insert(event.who);
  }

  void ended(const TraceEvent& event) {
    woken_.erase(event.who);
    if (!wants(event)) return;
    if (event.ret != "false") return;
    ++into_.refusals;
    const auto call = begun_.find({event.who, event.lock});
    if (call != begun_.end()) {
      waited_[event.who] += static_cast<double>(event.time_us - call->second) / 1'000;
      begun_.erase(call);
    }
  }

  void gained(const TraceEvent& event) {
    held_[{event.who, event.lock}] = event.time_us;
    const auto call = begun_.find({event.who, event.lock});
    if (call == begun_.end()) return;
    const double wait = static_cast<double>(event.time_us - call->second) / 1'000;
    begun_.erase(call);
    into_.wait_ms.add(wait);
    waited_[event.who] += wait;
    granted_[event.who] += 1;
    ++acquires_;
  }

  void lost(const TraceEvent& event) {
    const auto hold = held_.find({event.who, event.lock});
    if (hold == held_.end()) return;
    into_.hold_ms.add(static_cast<double>(event.time_us - hold->second) / 1'000);
    held_.erase(hold);
  }

  void woken(const TraceEvent& event) {
    if (event.meaning != "wake-up") return;
    ++into_.wake_ups;
    woken_.insert(event.who);
  }

  void answered(const TraceEvent& event) {
    if (event.meaning != "refused" && event.meaning != "granted") return;
    if (woken_.erase(event.who) != 0 && event.meaning == "refused") ++into_.wake_ups_in_vain;
  }

  Measured& into_;
  std::map<Place, std::int64_t> begun_, held_;
  std::map<std::string, double> granted_, waited_;
  std::set<std::string> asked_, woken_, broken_;
  std::uint64_t acquires_ = 0, commands_ = 0, messages_ = 0;
};

}  // namespace

double Distribution::mean() const {
  if (samples.empty()) return 0;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double Distribution::quantile(double share) const {
  if (samples.empty()) return 0;
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[rank < 1 ? 0 : std::min(static_cast<std::size_t>(rank), sorted.size()) - 1];
}

double jain(const std::vector<double>& shares) {
  double sum = 0, squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(shares.size()) * squares);
}

void Measured::add(const sim::Trace& trace) {
  RunReading reading(*this);
  for (const TraceEvent& event : trace.events) reading.read(event);
  reading.finish();
}

}  // namespace lockstep::tools
