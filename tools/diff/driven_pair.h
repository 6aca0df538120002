// driven_pair.h: two servers with their replicas, given the same calls of two sets of scripts.
//
//   1. A call is a role of a lock kind, one of two holders, and a lease; each side fills KEYS and ARGV of its
//      own script, as a client would.
//   2. Both run it at the same instant; their replicas apply what is replicated.
//   3. Compared are replies, messages to a subscriber of everything, what is stored, and what the replicas
//      then store. Error texts are compared without the SHA1 of the script that they name.
//   4. Replies may also be compared by what clients read in them: what they mean (model/meaning.h), as far as
//      one of the clients looks (model/redisson/unlock_answers.h). An answer that is kept for a call that
//      comes again then counts only where that call is told it.
//   5. Time passes for both alike. Instants of clients' clocks that servers store are told from now on
//      (model/world/rebasing.h); if a script does not treat all instants alike, or reads the server's clock,
//      `needs_now` says so, and the pair is to be driven again with `with_now`.
//
// Times are a few milliseconds, so that every instant is visited. What scripts do with longer leases shows in
// calls beside these, after which time does not pass.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lua/engine/engine.h"
#include "model/client/lock_kind.h"
#include "model/redis/node.h"
#include "model/server/server.h"
#include "reports/compare/script_diff.h"
#include "sim/base/digest.h"
#include "tools/diff/clients_of.h"

namespace lockstep::tools {

/// Kinds whose locks are compared together: they may be used on one key.
struct KindFamily {
  std::vector<const model::LockKind*> kinds;
  std::string name;  // "read, write"
};

/// What one side sends for a call.
struct DrivenRequest {
  model::Request request;
  model::Command words;
  sim::Duration at{};  // since the start
};

struct DrivenCall {
  model::Purpose purpose;
  std::string told;                    // "A: unlock"
  DrivenRequest a{}, b{};              // at the start
  DrivenRequest later_a{}, later_b{};  // as much later as all instants may be moved
  std::vector<redisson::Settings> clients{};  // that send either side's script, if it counts what they read
  bool changed() const { return a.words != b.words; }
};

/// States share the servers that a step leaves as they are.
struct DrivenSide {
  std::shared_ptr<const redis::Node> master, replica;
};

struct DrivenState {
  DrivenSide a, b;
  sim::Duration now{};  // since the start; counts only with_now
  bool alike = true;    // both sides store the same
};

/// Whether a step is told in words as well: those are of no use to a search, and cost more than the step.
enum class Told : std::uint8_t { no, yes };

/// What both sides made of a step.
struct DrivenStep {
  reports::StepShown shown;                                                              // if it is told
  bool reply = false, stored = false, messages = false, order = false, effects = false;  // what differs
  bool written_otherwise = false;  // replicas are sent other commands that come to the same
  bool major() const { return reply || stored || messages; }
  bool minor() const { return order || effects; }
};

/// What tells replies apart: their bytes, or what clients read in them.
enum class Replies : std::uint8_t { as_sent, as_read };

/// How replies are read, and which clients do, beside the releases that send one of the two scripts; where
/// there is neither, all releases.
struct ReplyReading {
  Replies replies = Replies::as_sent;
  std::vector<redisson::Settings> clients{};
};

/// Who hears on which lines the scripts of each side go, in runs of their own that leave nothing behind.
struct PairWatch {
  lua::Overseer *a = nullptr, *b = nullptr;
};

class DrivenPair {
 public:
  DrivenPair(const lua::ScriptSet& a, const lua::ScriptSet& b, const KindFamily& family, bool with_now,
             const std::vector<sim::Duration>& long_leases, const ReplyReading& reading = {},
             const PairWatch& watch = {});

  const std::vector<DrivenCall>& calls() const { return calls_; }
  const std::vector<DrivenCall>& long_calls() const { return long_calls_; }
  DrivenState initial() const;
  DrivenStep call(DrivenState& state, const DrivenCall& call, Told told);
  /// How long until the next instant at which something may be otherwise; nothing if none is to come.
  std::optional<sim::Duration> next(const DrivenState& state) const;
  DrivenStep pass(DrivenState& state, sim::Duration passed, Told told);
  /// More is stored than is compared: a larger count, an instant farther away, more answers to calls.
  bool beyond(const DrivenState& state) const;
  sim::Digest digest(const DrivenState& state) const;
  bool needs_now() const { return needs_now_; }
  /// Calls from now on are not told to those who watch lines.
  void unwatch();

  static std::string bounds(Replies replies);
  /// Leases, waits and counts come to all numbers up to this one.
  static constexpr std::int64_t reach = 2;

 private:
  struct Seen;

  void add_calls(const model::LockKind& kind, const std::vector<Release>& releases,
                 std::span<const sim::Duration> with_leases, std::vector<DrivenCall>& into);
  void add_remembered(model::Purpose purpose);
  Seen run(DrivenSide& side, const model::Setup& setup, const DrivenRequest& sent, Told told);
  void watch(const DrivenSide& before, const DrivenSide& after, const model::Setup& setup,
             const DrivenRequest& sent, const DrivenRequest& later);
  bool answer_alike(const Seen& a, const Seen& b, const DrivenCall* call) const;
  bool store_alike(const redis::Node& one, const redis::Node& other) const;
  DrivenStep compared(const Seen& a, const Seen& b, const DrivenCall* call, DrivenState& state) const;
  void tell(DrivenStep& step, std::string call, const Seen& a, const Seen& b, const DrivenState& state) const;

  lua::Engine engine_;
  std::optional<lua::Engine> watched_a_, watched_b_;
  model::Setup a_, b_;
  model::InstantKeys instants_;
  std::vector<DrivenCall> calls_, long_calls_;
  std::set<std::string> remembered_;  // keys that keep the answer to a call
  bool with_now_ = false, needs_now_ = false;
  ReplyReading reading_;
};

}  // namespace lockstep::tools
