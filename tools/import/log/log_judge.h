// log_judge.h: which promises of locks a log shows to be kept or broken, three-valued.
//
//   mutual-exclusion  a thread has been granted a lock, and another one is while the first has not given it
//                     back. That is broken if the first shows later that it still thought so: it gives the
//                     lock back, or renews it. If it is never heard of again, it may have ended: unknown.
//   owner-only        a request takes away what another thread holds, other than by a forced unlock.
//   lock-has-ttl      a lock is stored without a time to live.
//
// What was seen is `passed`, never proved; without an occasion to break it, it is vacuous. Where replies are
// not known, what was not seen to break is unknown.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/client/lock_kind.h"
#include "properties/monitors/catalog.h"

namespace lockstep::tools {

enum class LogAnswer : std::uint8_t { passed, violated, unknown };

struct LogVerdict {
  properties::Property property;
  LogAnswer answer = LogAnswer::passed;
  bool occasion = false;  // else it is vacuous
  std::string why;        // of violated, and of unknown
  std::optional<std::size_t> line;
};

/// A request about a lock, and what came of it.
struct JudgedRequest {
  std::size_t line = 0;
  std::string lock;
  std::string who;     // as the trace calls the thread, or the client that sent a plain command
  std::string holder;  // the name it stores; empty: a plain command
  std::optional<model::Intent> intent;
  model::Mode mode = model::Mode::exclusive;
  model::Items meaning;  // empty: unknown, or of a plain command
  bool expires = true;
  bool ttl_known = true;
  model::Truth before, after;
};

/// What broke just now.
struct LogBreach {
  properties::Property property;
  std::string why;
};

class LogJudge {
 public:
  std::vector<LogBreach> see(const JudgedRequest& request);
  /// Some replies, or what came before, are not known.
  void gap() { gaps_ = true; }
  std::vector<LogVerdict> verdicts() const;

 private:
  struct Belief {
    std::string who;
    model::Mode mode = model::Mode::exclusive;
    std::int64_t depth = 0;
    std::size_t line = 0;
  };
  struct Overlap {
    std::string lock, first, second;  // the holder that was there, and the one that came
    std::string why;
    std::size_t line = 0;
  };
  using Claim = std::pair<std::string, std::string>;  // lock, holder

  LogVerdict& of(properties::Property property);
  void breach(std::vector<LogBreach>& found, properties::Property property, std::string why,
              std::size_t line);
  void speaks(const JudgedRequest& request, std::vector<LogBreach>& found);
  void granted(const JudgedRequest& request);
  void taken_from_others(const JudgedRequest& request, std::vector<LogBreach>& found);

  std::array<LogVerdict, 3> verdicts_{{{properties::Property::mutual_exclusion, {}, false, {}, {}},
                                       {properties::Property::owner_only, {}, false, {}, {}},
                                       {properties::Property::lock_has_ttl, {}, false, {}, {}}}};
  std::map<Claim, Belief> beliefs_;
  std::vector<Overlap> overlaps_;  // that nobody has confirmed
  bool gaps_ = false;
};

}  // namespace lockstep::tools
