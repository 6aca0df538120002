#include "reports/diagrams/ownership.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "reports/diagrams/messages.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

constexpr std::array<std::string_view, 7> kinds_of_lock = {"fair:",   "read:", "write:", "fenced:",
                                                           "spin:",   "multi:", "red:"};

bool is_reader(const std::string& lock) { return lock.starts_with("read:"); }

bool key_belongs(const std::string& key, const std::string& of_lock) {
  return key == of_lock ||
         (key.starts_with(of_lock) && key[of_lock.size()] == '#');  // orders#1, orders#2: name#fresh
}

/// Times of a trace file may be anything; a deadline that does not fit is the latest there is.
std::int64_t deadline_us(std::int64_t time_us, std::int64_t pttl_ms) {
  std::int64_t left = 0;
  std::int64_t deadline = 0;
  const bool fits = !__builtin_mul_overflow(pttl_ms, std::int64_t{1000}, &left) &&
                    !__builtin_add_overflow(time_us, left, &deadline);
  return fits ? deadline : std::numeric_limits<std::int64_t>::max();
}

bool lock_call(const std::string& act) {
  return act.starts_with("lock") || act.starts_with("trylock") || act.starts_with("tryLock");
}

/// Reads the events once, in order, and keeps what is true and what is believed after each.
class Reader {
 public:
  explicit Reader(const sim::Trace& trace) : trace_(trace), messages_(trace) {
    for (const auto& actor : trace.actors) {
      if (actor.role == "master") masters_.insert(actor.id);
    }
    for (const auto& event : trace.events) {
      for (const auto& key : keys_of_lock(event.lock)) lock_keys_.insert(key);
    }
  }

  Ownership read() {
    for (at_ = 0; at_ < trace_.events.size(); ++at_) {
      const auto& event = trace_.events[at_];
      store(event);
      follow_masters(event);
      compare_tenures(event.kind == sim::TraceKind::promote || event.kind == sim::TraceKind::demote);
      note_deadlines(event);
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
  struct Stored {
    std::set<std::string> holders;
    std::optional<std::int64_t> deadline_us;
  };
  struct Belief {
    Standing standing = Standing::waiting;
    bool shared = false;
    bool operator==(const Belief&) const = default;
  };

  void store(const sim::TraceEvent& event) {
    for (const auto& change : event.changes) {
      auto& keys = stored_[change.node];
      keys.erase(change.key);
      if (!change.present || (change.type != "hash" && change.type != "string")) continue;
      Stored now;
      const bool known_lock = lock_keys_.contains(change.key);
      for (const auto& [name, value] : change.fields) {
        const auto& holder = change.type == "hash" ? name : value;
        const auto said = holder_name(trace_, holder);
        if (said != holder || (known_lock && holder != "mode")) now.holders.insert(said);
      }
      if (change.pttl_ms) now.deadline_us = deadline_us(event.time_us, *change.pttl_ms);
      if (!now.holders.empty()) keys[change.key] = std::move(now);
    }
  }

  void follow_masters(const sim::TraceEvent& event) {
    if (event.kind == sim::TraceKind::crash) down_.insert(event.who);
    if (event.kind == sim::TraceKind::restart) down_.erase(event.who);
    if (event.kind == sim::TraceKind::demote) masters_.erase(event.who);
    if (event.kind != sim::TraceKind::promote) return;
    // With one master the new one takes its place; of several (a cluster) the one that is down is replaced.
    if (masters_.size() == 1) masters_.clear();
    for (const auto& node : down_) masters_.erase(node);
    masters_.insert(event.who);
  }

  void compare_tenures(bool failover) {
    std::map<Pair, std::optional<std::int64_t>> truth;
    for (const auto& node : masters_) {
      for (const auto& [key, now] : stored_[node]) {
        for (const auto& holder : now.holders) truth[{key, holder}] = now.deadline_us;
      }
    }
    for (auto open = open_tenures_.begin(); open != open_tenures_.end();) {
      if (truth.contains(open->first)) {
        ++open;
        continue;
      }
      out_.tenures[open->second].end = at_;
      out_.tenures[open->second].by_failover = failover;
      open = open_tenures_.erase(open);
    }
    for (const auto& [pair, deadline] : truth) {
      if (!open_tenures_.emplace(pair, out_.tenures.size()).second) continue;
      Tenure tenure{pair.first, pair.second, at_, at_, {}, false};
      if (failover && deadline) tenure.deadlines_us.emplace_back(at_, *deadline);
      out_.tenures.push_back(std::move(tenure));
    }
  }

  void note_deadlines(const sim::TraceEvent& event) {
    for (const auto& change : event.changes) {
      if (!masters_.contains(change.node) || !change.present || !change.pttl_ms) continue;
      for (const auto& [pair, index] : open_tenures_) {
        if (pair.first != change.key) continue;
        out_.tenures[index].deadlines_us.emplace_back(at_, deadline_us(event.time_us, *change.pttl_ms));
      }
    }
  }

  void follow_waiting(const sim::TraceEvent& event) {
    const auto now = beliefs_.find({event.who, event.lock});
    const bool believes = now != beliefs_.end() && now->second.standing != Standing::waiting;
    if (event.kind == sim::TraceKind::inv && lock_call(event.act)) {
      const auto space = event.act.find(' ');
      const auto word_end = space == std::string::npos ? space : event.act.find(' ', space + 1);
      calling_[event.who] = !event.lock.empty()           ? event.lock
                            : space == std::string::npos ? std::string{}
                                                         : event.act.substr(space + 1, word_end - space - 1);
    }
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

  bool in_truth(const Pair& pair) const {
    for (const auto& key : keys_of_lock(pair.second)) {
      const bool held = std::any_of(open_tenures_.begin(), open_tenures_.end(), [&](const auto& open) {
        return open.first.second == pair.first && key_belongs(open.first.first, key);
      });
      if (held) return true;  // of a multi-lock one part is enough to be drawn as held
    }
    return false;
  }

  bool shared(const Pair& pair) const {
    return std::any_of(beliefs_.begin(), beliefs_.end(), [&](const auto& other) {
      return other.second.standing != Standing::waiting && other.first.first != pair.first &&
             keys_of_lock(other.first.second) == keys_of_lock(pair.second) &&
             !(is_reader(pair.second) && is_reader(other.first.second));
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
  std::set<std::string> masters_, down_, lock_keys_;
  std::map<std::string, std::map<std::string, Stored>> stored_;  // by node and key
  std::map<std::string, std::string> calling_;                   // thread: the lock it asks for
  std::map<Pair, Belief> beliefs_;                               // thread and lock
  std::map<Pair, std::size_t> open_tenures_, open_bands_;
  std::size_t at_ = 0;
  Ownership out_;
};

}  // namespace

std::vector<std::string> keys_of_lock(const std::string& lock) {
  std::string names = lock.substr(0, lock.find('#'));
  bool several = false;
  for (const auto kind : kinds_of_lock) {
    if (!names.starts_with(kind)) continue;
    names.erase(0, kind.size());
    several = kind == "multi:" || kind == "red:";
    break;
  }
  std::vector<std::string> keys;
  for (std::size_t plus = several ? names.find('+') : std::string::npos; plus != std::string::npos;
       plus = names.find('+')) {
    keys.push_back(names.substr(0, plus));
    names.erase(0, plus + 1);
  }
  if (!names.empty()) keys.push_back(names);
  return keys;
}

const sim::TraceActor* find_actor(const sim::Trace& trace, const std::string& id) {
  const auto found = std::find_if(trace.actors.begin(), trace.actors.end(),
                                  [&](const sim::TraceActor& actor) { return actor.id == id; });
  return found == trace.actors.end() ? nullptr : &*found;
}

std::string holder_name(const sim::Trace& trace, const std::string& holder) {
  for (const auto& actor : trace.actors) {
    if (actor.lock_id.empty()) continue;
    if (holder == actor.lock_id || holder == actor.lock_id + ":write") return actor.id;
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
