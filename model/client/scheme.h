// scheme.h: a kind of lock as a user describes it: what its requests say, how replies are read, who holds it.
//
// It is data, read from [scheme.NAME] (scenarios/format/section_schemes.cpp); model/schemes makes a LockKind
// of it and lives through its calls. Times are milliseconds. A text may have names in braces, which are
// filled when a request is made:
//
//   {lock}   the key of the lock                 {lease}    the lease asked for, in ms
//   {owner}  the calling thread, "uuid:1"        {seconds}  the same in seconds, rounded up
//   {token}  the same and a number that is       {now}      the sender's wall clock, ms since 1970
//            another for each acquire            {until}    {now} and the lease
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lua/scripts/script_set.h"
#include "model/meaning.h"
#include "model/server/look.h"
#include "model/setup/program.h"
#include "model/wire.h"

namespace lockstep::model {

struct Request;
struct ServerKind;
struct Setup;
struct Wording;

/// A text with names in it.
struct Template {
  enum class Name : std::uint8_t { none, lock, owner, token, lease, seconds, now, until };
  struct Piece {
    Name name = Name::none;
    std::string text;  // of none: itself
    bool operator==(const Piece&) const = default;
  };
  std::vector<Piece> pieces;

  bool has(Name name) const;
  bool operator==(const Template&) const = default;
};

constexpr std::array<std::pair<std::string_view, Template::Name>, 7> template_names{{
    {"lock", Template::Name::lock},
    {"owner", Template::Name::owner},
    {"token", Template::Name::token},
    {"lease", Template::Name::lease},
    {"seconds", Template::Name::seconds},
    {"now", Template::Name::now},
    {"until", Template::Name::until},
}};

std::string fill(const Template& text, const Wording& wording);
/// As it was written.
std::string print(const Template& text);

/// What a reply of some form means. Of several rules that fit, the one of the smaller form counts.
struct ReplyRule {
  enum class Form : std::uint8_t { nil, text, less, more, any };
  Form form = Form::any;
  Template value;  // of text: a number, too; less, more: than this number, which need not be all of the reply
  std::vector<Meaning> meanings;  // the first is what people want to know
  bool takes_wait = false;        // the reply is for how much longer, in ms
  std::string word;               // as it was written

  bool operator==(const ReplyRule&) const = default;
};

/// One request of a scheme. From WATCH or MULTI to EXEC the requests of a list share a connection, which
/// nobody else uses.
struct Described {
  enum class Connection : std::uint8_t { any, opens, keeps };

  std::string role;             // "lock", "lock-2", "unlock" …
  std::vector<Template> words;  // of a command; empty: a script
  std::optional<lua::Script> script;
  std::vector<Template> keys, args;
  std::vector<ReplyRule> rules;
  Connection connection = Connection::any;
  std::string place;  // where it is described: "x.toml:3:1"

  bool uses(Template::Name name) const;
  /// Replies are compared with the clock.
  bool compares_clock() const;
};

/// When a thread that was refused asks again.
struct Retry {
  enum class How : std::uint8_t { poll, back_off, channel, keyspace_event };
  How how = How::poll;
  Duration first{100};  // poll: each; back_off: doubled each time; those that are told: at the latest after
  Duration most{};      // of back_off
  Duration jitter{};    // and up to so much more
  Template channel;     // it subscribes to; of keyspace_event that of the key that says who holds the lock
  std::vector<std::string> events;  // of keyspace_event: which of them wake it
  std::uint32_t times = 0;  // how often it is asked in all; 0: no limit

  bool is_told() const { return how == How::channel || how == How::keyspace_event; }
  /// Whether a message on the channel is one that wakes it.
  bool is_woken_by(std::string_view message) const;
  bool operator==(const Retry&) const = default;
};

/// Who holds a lock is read off what is stored under a key.
struct HolderRule {
  Template key;
  Stored::Form form = Stored::Form::string;
  Template field;  // of a hash: which; with `value`, it names no one itself
  Template value;  // of a string, or of an item; of a hash without one the value is the count
  bool operator==(const HolderRule&) const = default;
};

/// The name of the holder in a text that was made of this one: "uuid:1"; nothing if it was not.
std::optional<std::string> holder_in(const Template& text, std::string_view stored, const std::string& lock);

struct Scheme {
  enum class On : std::uint8_t { one, majority, all };

  std::string name, says;
  std::vector<std::string> promises, weaknesses;  // properties: what it keeps, and what something breaks
  On on = On::one;
  const ServerKind* server = nullptr;  // the kind of the servers that it lies on; absent: Redis
  Duration lease{30'000};   // of a call that names none
  Duration drift{};         // taken off the lease where several masters grant it
  Duration timeout{3'000};  // for an answer
  bool reentrant = false;
  std::vector<Described> acquire, release, undo;
  std::optional<Described> renew;
  Duration renew_every{};
  Retry retry;
  HolderRule holder;

  bool uses_token() const;
  /// It has a transaction (Described::Connection).
  bool holds_connections() const;
  std::size_t needed(std::size_t masters) const {
    return on == On::one ? 1 : on == On::all ? masters : masters / 2 + 1;
  }
};

/// What the reply means by the rules; an unknown meaning where none of them reads it.
Items read_described(const Described& described, const Request& request, const Reply& reply,
                     const Setup& setup);

}  // namespace lockstep::model
