// lock_kind.h: what a kind of lock is, as rows.
//
// A kind is one file. It begins with the protocol in numbered prose and says here: the roles its requests
// play, with the words that fill them and what each reply means; the shape in which the lock is stored; which
// machine lives through its calls, and which client library it belongs to; what it promises. Rows hold no
// state. The kinds of the program stand in kinds.cpp; a Setup may know others (Setup::kinds).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/client/request.h"
#include "model/client/scheme.h"
#include "model/meaning.h"
#include "model/server/look.h"
#include "model/setup/setup.h"
#include "model/truth.h"
#include "model/wire.h"

namespace lockstep::model {

struct Machine;
struct Library;

/// What a request is for, whatever its words.
enum class Intent : std::uint8_t {
  acquire,
  release,
  force_release,
  renew,
  give_up,     // to leave the queue of those that wait
  extend,      // by a lock that it is a member of: its time runs anew, whoever holds it
  ask_held,    // by the calling thread?
  ask_locked,  // by anybody?
  ask_count,   // how often, by the calling thread?
  ask_time,    // for how long?
  ask_token,   // the last one that was given
  command,     // of an operator
  write,       // to a resource
  tidy         // nobody awaits the answer
};
constexpr bool is_question(Intent intent) {
  return intent >= Intent::ask_held && intent <= Intent::ask_token;
}
/// The intent of a call; absent for steps that are none.
std::optional<Intent> intent_of(StepKind call);

/// What a word of a request may be made of.
struct Wording {
  const Setup& setup;
  const Purpose& purpose;
  std::int64_t now_ms = 0;  // the sender's wall clock
};

/// A name that KEYS and ARGV of a script may go by, and what the client puts there.
struct Word {
  std::string_view name;
  std::string (*fill)(Wording& wording);
  bool of_call = false;  // it is another for each call: Purpose::number says which call it is
  bool each = false;     // one word for each lock that the request is about
  bool instant = false;  // ms since 1970 by the sender's clock (model/world/rebasing.h)
  /// In place of `fill`: as many words as there are.
  std::vector<std::string> (*fill_all)(Wording& wording) = nullptr;
};

struct Role {
  std::string_view name;        // as script sets know it: "lock", "unlock" …
  Intent intent = Intent::acquire;
  Items (*read)(const Reply& reply) = nullptr;  // what the reply means; errors are never asked about
  /// A plain command: all its words. Absent: a script of the set, in the role of this name.
  std::vector<std::string> (*command)(Wording& wording) = nullptr;
  bool may_be_script = false;  // of a plain command: a set that has a script in this role sends that instead
  std::string_view otherwise{};  // the role whose script serves where a set has none for this one
  bool sent_once = false;        // it is not sent again when no answer comes
  bool at_once = false;  // of acquires: sent by calls that do not wait, in place of the first
  std::string_view throws{};     // the error by which its script refuses what the caller must not ask
  const Described* described = nullptr;  // of a scheme: then words, script and replies are as this says
};

/// How a lock lies on its servers. `truth` is absent where nobody is in charge now; that is not free. Of an
/// object that takes several locks: the holds of all of them.
struct Shape {
  std::string_view name;
  std::optional<Truth> (*truth)(std::span<const std::optional<Look>> groups, const Setup& setup,
                                std::uint16_t object, const std::string& lock);
};

/// What a nested acquire of a thread makes of the time that its hold has left: it begins anew, or is added to
/// what was left; or each acquire has a time of its own, which may begin when it is sent, and the hold lasts
/// as long as the longest.
enum class Nested : std::uint8_t { anew, added, each, each_since_sent };

struct Promises {
  bool reentrant = true;  // n acquires of a thread need n releases
  bool expires = true;    // it is never stored without a time to live
  Duration notices{};     // a free lock is noticed by who waits for it within this, without any delay
  Nested nested = Nested::anew;
  bool tokens = false;  // each grant comes with a token, greater than every earlier one of the lock
};

/// Of how many of the locks that it is made of somebody must be granted at once to hold it.
enum class Needs : std::uint8_t { nothing_else, all, majority };

/// Where a lock of the kind is stored. On all groups its roles are sent through a client of each, under the
/// name that the client of its object has (holder_of), and its shape reads all of them.
enum class Spread : std::uint8_t { one_group, all_groups };

struct LockKind {
  std::string_view name;  // as programs write it: "spin" in `lock spin:orders`
  std::string_view says;  // in one line
  std::string_view since{};  // the release of its library that has it first; absent: each has it
  std::span<const Role> roles;
  std::span<const Word> keys, args;
  const Shape* shape = nullptr;
  std::span<const Shape* const> other_shapes{};  // that a set of scripts may say instead, by name
  const Machine* machine = nullptr;
  const Machine* listening = nullptr;  // of calls that return a future; absent: it has none
  const Machine* asking = nullptr;     // of questions; absent: each is one request (one_request.h)
  const Library* library = nullptr;
  Promises promises{};
  Spread spread = Spread::one_group;  // one: that of its object
  /// Keys of its own that stay when nobody holds it. Absent: there are none.
  bool (*stays)(std::string_view key) = nullptr;
  Mode mode = Mode::exclusive;  // of what its acquires are granted
  /// Who waits has a place in a queue, and listens on a channel of its own: the channel of the lock, and the
  /// holder's name behind a colon. A tryLock whose time is up says that it gives up (Intent::give_up).
  bool queues = false;
  /// Sorted sets whose scores are instants of the clients' clocks, in ms since 1970. Absent: there are none.
  bool (*scores_instants)(std::string_view key) = nullptr;
  /// The same of fields of the hashes under the keys of its locks.
  bool (*field_instants)(std::string_view field) = nullptr;
  /// Several of its locks lie under one key, and an object takes some of them at once, in one request:
  /// `KIND:KEY/a+b`. Requests, subscriptions and renewals are about the key, all that is judged is each lock.
  bool shares_key = false;
  /// What its calls leave in the lease field of an object stays there: no unlock sets it back.
  bool keeps_lease_field = false;
  /// The kind of the server that stands for each object of this kind. Absent: it lies on those of the
  /// scenario.
  const ServerKind* server = nullptr;
  /// The kind of the servers that it lies on. Absent: Redis.
  const ServerKind* on = nullptr;

  Needs needs = Needs::nothing_else;
  const Scheme* scheme = nullptr;  // that the kind was made of

  /// What has no shape is not stored as a lock: nothing is (outside.h), or other locks are.
  bool is_lock() const { return shape != nullptr; }
  bool is_made_of_others() const { return needs != Needs::nothing_else; }
  /// Programs take and release it.
  bool is_taken() const { return is_lock() || is_made_of_others(); }
};

/// The kinds that come with the program; the first is the default.
std::span<const LockKind* const> shipped_kinds();
const LockKind* find_kind(std::string_view name);
/// Its number among those.
std::uint16_t number_of(const LockKind& kind);

const LockKind& kind_of(const Setup& setup, std::uint16_t object);
/// As the scripts of the scenario say that it is stored, else as its kind is.
const Shape& shape_of(const Setup& setup, std::uint16_t object);
/// Those that a set of scripts may name.
std::vector<std::string> names_of_shapes();
const Role& role_of(const Purpose& purpose, const Setup& setup);
/// In which mode the lock of this object is held; that of the lock that a request is about.
Mode mode_of(const Setup& setup, std::uint16_t object);
Mode mode_of(const Purpose& purpose, const Setup& setup);
/// The row of this intent that a kind sends first, or the one that it sends after so many others; a kind
/// without a first does not have that call.
const Role* role_for(const LockKind& kind, Intent intent, std::size_t after = 0);
/// Of a lock that is made of others: how many of them it needs.
std::size_t members_needed(const Setup& setup, std::uint16_t object);
/// The key under which an object's locks lie; the locks that it takes: itself, but where it takes several.
const std::string& key_of(const LockObject& object);
std::vector<std::uint16_t> locks_of(const Setup& setup, std::uint16_t object);
/// Of several under one key: the lock that observations call so. Absent: it has a key of its own.
std::optional<std::uint16_t> lock_called(const Setup& setup, const std::string& resource);
/// For each lock that a request is about, and each hold of it: what is judged (parts_of is what is asked).
std::vector<Purpose> judged_parts(const Purpose& purpose, const Setup& setup);
/// Whether a lock object is stored on the servers of a group.
bool lies_on(const Setup& setup, std::uint16_t object, GroupId group);

/// What a reply to this request means: an error means that it failed, all else is the role's to say.
Items read_reply(const Request& request, const Reply& reply, const Setup& setup);

/// The script of a set that serves in a role; nothing for plain commands, or if the set has none.
const lua::Script* script_for(const Role& role, const lua::ScriptSet& scripts);
/// Whether the script of a role is sent a word that is another for each call.
bool is_told_of_calls(const LockKind& kind, const Role& role, const lua::ScriptSet& scripts);

}  // namespace lockstep::model
