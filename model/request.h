// request.h: what a client asks a server on a command connection, and why.
//
// A request under way keeps its meaning instead of its bytes: a script call names the role of the script and
// its KEYS and ARGV, and the words (EVAL with the full text, or EVALSHA) are made when the server reads it.
// `purpose` says whose business it is, for the reply handler and for observers.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"
#include "sim/base/time.h"

namespace lockstep::model {

struct Setup;
using sim::Duration;
using sim::ThreadId;

enum class Role : std::uint8_t { lock, unlock, renew, force_unlock };

/// The name a script set uses for the role: "lock", "unlock", "renew", "force-unlock".
const char* role_name(Role role);

struct Purpose {
  Role role = Role::lock;
  ThreadId thread;                // on whose behalf: the caller, or the thread whose hold is renewed
  std::uint16_t incarnation = 0;  // of its process
  std::string lock;               // the lock's key
  std::uint16_t object = 0;       // which RLock object sends it
  Duration lease{};               // lock and renew only: the lease it asks for
  Duration lease_left{};          // what is left of it since the request was sent
  bool watched = false;           // lock only: without a lease of the caller's own, so the watchdog is armed
  ThreadId owner;                 // renew only: the thread whose registration set the timer

  bool operator==(const Purpose&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.role, p.thread, p.incarnation, p.lock, p.object, p.lease, p.lease_left, p.watched,
                    p.owner);
  }
};

struct Request {
  Purpose purpose;
  std::vector<std::string> keys, args;
  bool full_text = true;  // EVAL with the script's text; false: EVALSHA

  bool operator==(const Request&) const = default;
  static auto fields(auto& r) { return std::tie(r.purpose, r.keys, r.args, r.full_text); }
};
static_assert(sim::State<Request>);

/// Makes KEYS and ARGV as the script of this role wants them. The names that a set.toml may use are "lock"
/// and "channel" for keys, "lease" (ms), "holder" and "message" for arguments; complete() has checked them.
void fill_words(Request& request, const Setup& setup, Duration lease);

/// The words on the wire: EVAL with the text or EVALSHA with its SHA1, the number of keys, keys, arguments.
std::vector<std::string> words_of(const Request& request, const Setup& setup);

/// "redisson_lock__channel:{orders}"; a name that has a brace already is not braced again
/// (RedissonObject.prefixName).
std::string channel_of(const std::string& lock);

}  // namespace lockstep::model
