#include "reports/diagrams/ownership.h"

#include <algorithm>
#include <limits>

#include "reports/diagrams/messages.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

bool lock_call(const std::string& act) {
  return act.starts_with("lock") || act.starts_with("trylock") || act.starts_with("tryLock");
}

/// Reads the events once, in order, and keeps what is true and what is believed after each.
class Reader {
 public:
  explicit Reader(const sim::Trace& trace) : trace_(trace), messages_(trace) {}

  Ownership read() {
    for (at_ = 0; at_ < trace_.events.size(); ++at_) {
      const auto& event = trace_.events[at_];
      for (const auto& truth : event.truths) follow_truth(event, truth);
      follow_waiting(event);
      follow_belief(event);
      compare_bands();
    }
    for (const auto& open : open_tenures_) out_.tenures[open.second].end = at_;
    for (const auto& open : open_bands_) out_.bands[open.second].end = at_;
    return std::move(out_);
  }

 private:
  using Pair = std::pair<std::string, std::string>;
  struct Belief {
    Standing standing = Standing::waiting;
    bool shared = false;
    bool operator==(const Belief&) const = default;
  };

  void follow_truth(const sim::TraceEvent& event, const sim::LockTruth& truth) {
    const auto holds = [&](const std::string& who) {
      return std::any_of(truth.holds.begin(), truth.holds.end(),
                         [&](const auto& hold) { return hold.who == who; });
    };
    for (auto open = open_tenures_.begin(); open != open_tenures_.end();) {
      if (open->first.first != truth.lock || holds(open->first.second)) {
        ++open;
        continue;
      }
      out_.tenures[open->second].end = at_;
      out_.tenures[open->second].by_failover = event.kind == sim::TraceKind::promote;
      open = open_tenures_.erase(open);
    }
    for (const auto& hold : truth.holds) {
      const auto [open, fresh] = open_tenures_.emplace(Pair{truth.lock, hold.who}, out_.tenures.size());
      if (fresh) out_.tenures.push_back({truth.lock, hold.who, at_, at_, {}, false});
      if (hold.left_ms)
        out_.tenures[open->second].deadlines_us.emplace_back(at_, deadline_us(event.time_us, *hold.left_ms));
    }
  }

  void follow_waiting(const sim::TraceEvent& event) {
    const auto now = beliefs_.find({event.who, event.lock});
    const bool believes = now != beliefs_.end() && now->second.standing != Standing::waiting;
    if (event.kind == sim::TraceKind::inv && lock_call(event.act)) calling_[event.who] = event.lock;
    const auto* next = at_ + 1 < trace_.events.size() ? &trace_.events[at_ + 1] : nullptr;
    const bool enters_next = next && next->kind == sim::TraceKind::enter && next->who == event.who;
    if ((event.kind == sim::TraceKind::ret && !enters_next) || event.kind == sim::TraceKind::enter)
      stop_waiting(event.who);
    const auto call = calling_.find(event.who);
    if (call == calling_.end() || believes) return;
    bool waits = event.kind == sim::TraceKind::park;
    if (event.kind == sim::TraceKind::recv) {
      const auto ran = messages_.answer_of(at_);
      waits = ran && answer(trace_.events[*ran]) == Answer::refused;
    }
    if (waits && !beliefs_.contains({event.who, call->second})) beliefs_[{event.who, call->second}] = {};
  }

  void stop_waiting(const std::string& thread) {
    calling_.erase(thread);
    std::erase_if(beliefs_, [&](const auto& belief) {
      return belief.first.first == thread && belief.second.standing == Standing::waiting;
    });
  }

  void follow_belief(const sim::TraceEvent& event) {
    if (event.kind == sim::TraceKind::enter) beliefs_[{event.who, event.lock}] = {Standing::holds, false};
    if (event.kind == sim::TraceKind::leave) beliefs_.erase({event.who, event.lock});
    if (event.kind == sim::TraceKind::crash) {
      std::erase_if(beliefs_, [&](const auto& belief) {
        const auto* actor = find_actor(trace_, belief.first.first);
        return belief.first.first == event.who || (actor && actor->of == event.who);
      });
    }
    for (auto& [pair, belief] : beliefs_) {
      if (belief.standing == Standing::waiting) continue;
      belief.standing = in_truth(pair) ? Standing::holds : Standing::mistaken;
      belief.shared = shared(pair);
    }
  }

  bool in_truth(const Pair& pair) const { return open_tenures_.contains({pair.second, pair.first}); }

  bool shared(const Pair& pair) const {
    return std::any_of(beliefs_.begin(), beliefs_.end(), [&](const auto& other) {
      return other.second.standing != Standing::waiting && other.first.first != pair.first &&
             other.first.second == pair.second;
    });
  }

  void compare_bands() {
    for (auto open = open_bands_.begin(); open != open_bands_.end();) {
      auto& band = out_.bands[open->second];
      const auto belief = beliefs_.find(open->first);
      if (belief != beliefs_.end() && belief->second == Belief{band.standing, band.shared}) {
        ++open;
        continue;
      }
      band.end = at_;
      open = open_bands_.erase(open);
    }
    for (const auto& [pair, belief] : beliefs_) {
      if (!open_bands_.emplace(pair, out_.bands.size()).second) continue;
      out_.bands.push_back({pair.first, pair.second, belief.standing, belief.shared, at_, at_});
    }
  }

  const sim::Trace& trace_;
  Messages messages_;
  std::map<std::string, std::string> calling_;  // thread: the lock it asks for
  std::map<Pair, Belief> beliefs_;              // thread and lock
  std::map<Pair, std::size_t> open_bands_;      // the same
  std::map<Pair, std::size_t> open_tenures_;    // lock and holder
  std::size_t at_ = 0;
  Ownership out_;
};

}  // namespace

const sim::TraceActor* find_actor(const sim::Trace& trace, const std::string& id) {
  const auto found = std::find_if(trace.actors.begin(), trace.actors.end(),
                                  [&](const sim::TraceActor& actor) { return actor.id == id; });
  return found == trace.actors.end() ? nullptr : &*found;
}

std::int64_t deadline_us(std::int64_t time_us, std::int64_t pttl_ms) {
  std::int64_t left = 0;
  std::int64_t deadline = 0;
  const bool fits = !__builtin_mul_overflow(pttl_ms, std::int64_t{1000}, &left) &&
                    !__builtin_add_overflow(time_us, left, &deadline);
  return fits ? deadline : std::numeric_limits<std::int64_t>::max();
}

bool is_second(const sim::Trace& trace, const std::string& thread) {
  std::size_t rank = 0;
  for (const sim::TraceActor& actor : trace.actors) {
    if (actor.id == thread) break;
    rank += actor.kind == "thread" ? 1 : 0;
  }
  return rank % 2 == 1;
}

namespace {

/// "uuid-client-2:1" is "uuid:1" through another client of its process.
std::string first_name_of(const std::string& holder) {
  const std::size_t client = holder.find("-client-");
  const std::size_t colon = client == std::string::npos ? client : holder.find(':', client);
  return colon == std::string::npos ? holder : holder.substr(0, client) + holder.substr(colon);
}

}  // namespace

std::string holder_name(const sim::Trace& trace, const std::string& holder) {
  const std::string name = first_name_of(holder);
  for (const auto& actor : trace.actors) {
    if (actor.lock_id.empty()) continue;
    if (name == actor.lock_id || name == actor.lock_id + ":write") return actor.id;
  }
  return holder;
}

Ownership ownership(const sim::Trace& trace) { return Reader(trace).read(); }

std::vector<Band> whole_bands(const Ownership& ownership) {
  std::vector<Band> out;
  for (auto band : ownership.bands) {
    band.shared = false;
    const auto before = std::find_if(out.begin(), out.end(), [&](const Band& other) {
      return other.thread == band.thread && other.lock == band.lock && other.standing == band.standing &&
             other.end == band.begin;
    });
    if (before == out.end()) out.push_back(std::move(band));
    else before->end = band.end;
  }
  return out;
}

}  // namespace lockstep::reports
