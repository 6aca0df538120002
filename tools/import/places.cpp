#include "tools/import/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lua/engine/engine.h"
#include "lua/scripts/words_read.h"

namespace lockstep::tools {

namespace {

/// Where a role's script is sent from, in any version.
struct Place {
  std::string_view type, method, role;
  std::string_view under = {};  // part of a condition that tells it from others of the same method
};
constexpr std::array places{
    Place{"RedissonLock", "tryLockInnerAsync", "lock"},
    Place{"RedissonLock", "tryLockInner", "lock"},
    Place{"RedissonLock", "unlock", "unlock"},
    Place{"RedissonLock", "unlockAsync", "unlock"},
    Place{"RedissonLock", "unlockInnerAsync", "unlock"},
    Place{"RedissonLock", "renewExpirationAsync", "renew"},
    Place{"RedissonLock", "scheduleExpirationRenewal", "renew"},
    Place{"RedissonLock", "renewExpiration", "renew"},
    Place{"RedissonBaseLock", "renewExpirationAsync", "renew"},
    Place{"RedissonLock", "forceUnlock", "force-unlock"},
    Place{"RedissonLock", "forceUnlockAsync", "force-unlock"},
    Place{"RedissonSpinLock", "tryLockInnerAsync", "spin-lock"},
    Place{"RedissonSpinLock", "unlockInnerAsync", "spin-unlock"},
    Place{"RedissonSpinLock", "forceUnlockAsync", "spin-force-unlock"},
    Place{"RedissonReadLock", "tryLockInnerAsync", "read-lock"},
    Place{"RedissonReadLock", "unlock", "read-unlock"},
    Place{"RedissonReadLock", "unlockAsync", "read-unlock"},
    Place{"RedissonReadLock", "unlockInnerAsync", "read-unlock"},
    Place{"RedissonReadLock", "renewExpirationAsync", "read-renew"},
    Place{"RedissonReadLock", "forceUnlock", "read-force-unlock"},
    Place{"RedissonReadLock", "forceUnlockAsync", "read-force-unlock"},
    Place{"RedissonReadLock", "isLocked", "read-is-locked"},
    Place{"RedissonWriteLock", "tryLockInnerAsync", "write-lock"},
    Place{"RedissonWriteLock", "unlock", "write-unlock"},
    Place{"RedissonWriteLock", "unlockAsync", "write-unlock"},
    Place{"RedissonWriteLock", "unlockInnerAsync", "write-unlock"},
    Place{"RedissonWriteLock", "forceUnlock", "write-force-unlock"},
    Place{"RedissonWriteLock", "forceUnlockAsync", "write-force-unlock"},
    Place{"RedissonFairLock", "tryLockInnerAsync", "fair-try-lock", "EVAL_NULL_BOOLEAN"},
    Place{"RedissonFairLock", "tryLockInnerAsync", "fair-lock", "EVAL_LONG"},
    Place{"RedissonFairLock", "acquireFailedAsync", "fair-acquire-failed"},
    Place{"RedissonFairLock", "unlock", "fair-unlock"},
    Place{"RedissonFairLock", "unlockAsync", "fair-unlock"},
    Place{"RedissonFairLock", "unlockInnerAsync", "fair-unlock"},
    Place{"RedissonFairLock", "forceUnlockAsync", "fair-force-unlock"},
    Place{"RedissonFencedLock", "tryLockInnerAsync", "fenced-lock-token", "4 parameters"},
    Place{"RedissonFencedLock", "tryLockInnerAsync", "fenced-lock"},
    Place{"RedissonFencedLock", "expireAsync", "fenced-expire"},
    Place{"LockTask", "renew", "renew"},
    Place{"LockTask", "buildChunk", "renew"},
    Place{"ReadLockTask", "renew", "read-renew"},
    Place{"ReadLockTask", "buildChunk", "read-renew"},
    Place{"RedissonFasterMultiLock", "tryLockInnerAsync", "faster-lock"},
    Place{"RedissonFasterMultiLock", "tryLockOnceInnerAsync", "faster-try-lock"},
    Place{"RedissonFasterMultiLock", "unlockInnerAsync", "faster-unlock"},
    Place{"RedissonFasterMultiLock", "renewExpirationAsync", "faster-renew"},
    Place{"RedissonFasterMultiLock", "forceUnlockAsync", "faster-force-unlock"},
    Place{"RedissonFasterMultiLock", "isHeldByThreadAsync", "faster-is-held"},
    Place{"RedissonFasterMultiLock", "isLockedAsync", "faster-is-locked"},
    Place{"FastMultilockTask", "renew", "faster-renew"},
    Place{"FastMultilockTask", "buildChunk", "faster-renew"},
    Place{"RedissonFairLock", "expireAsync", "fair-expire"},
    Place{"RedissonNonReentrantFairLock", "tryLockInnerAsync", "non-reentrant-fair-try-lock",
          "EVAL_NULL_BOOLEAN"},
    Place{"RedissonNonReentrantFairLock", "tryLockInnerAsync", "non-reentrant-fair-lock", "EVAL_LONG"},
    Place{"RedissonNonReentrantLock", "tryLockInnerAsync", "non-reentrant-lock"},
};

/// A word, and the Java expressions that stand for it.
struct Said {
  std::string_view word, java;
  bool begins = false;  // `java` is how the expression begins
  bool each = false;    // of words that a loop puts in, one for each lock
};
constexpr std::array keys_said{
    Said{"lock", "getName()"},
    Said{"lock", "getRawName()"},
    Said{"lock", "firstName"},
    Said{"lock", "iter.next()"},
    Said{"channel", "getChannelName()"},
    Said{"latch", "getUnlockLatchName(", true},
    Said{"time-outs", "getReadWriteTimeoutNamePrefix(", true},
    Said{"time-outs", "timeoutPrefix"},
    Said{"prefix", "getKeyPrefix(", true},
    Said{"prefix", "keyPrefix"},
    Said{"prefix", "timeoutPrefix.split(", true},
    Said{"queue", "threadsQueueName"},
    Said{"queue", "getThreadsQueueName()"},
    Said{"queue", "prefixName(\"redisson_lock_queue\",", true},
    Said{"deadlines", "timeoutSetName"},
    Said{"deadlines", "getTimeoutSetName()"},
    Said{"deadlines", "prefixName(\"redisson_lock_timeout\",", true},
    Said{"locks", "iter.next()", false, true},
    Said{"prefixes", "entry.getKeyPrefix(threadId)", false, true},
    Said{"token", "tokenName"},
    Said{"token", "prefixName(\"redisson_lock_token\",", true},
};
constexpr std::array args_said{
    Said{"lease", "internalLockLeaseTime"},
    Said{"lease", "unit.toMillis(leaseTime)"},
    Said{"lease", "timeUnit.toMillis(timeToLive)"},
    Said{"holder", "getLockName(", true},
    Said{"holder", "entry.getLockName(", true},
    Said{"writer", "getWriteLockName(", true},
    Said{"message", "LockPubSub.unlockMessage"},
    Said{"message", "LockPubSub.UNLOCK_MESSAGE"},
    Said{"message", "LockPubSub.readUnlockMessage"},
    Said{"message", "LockPubSub.READ_UNLOCK_MESSAGE"},
    Said{"now", "System.currentTimeMillis()"},
    Said{"now", "String.valueOf(System.currentTimeMillis())"},
    Said{"lease", "String.valueOf(unit.toMillis(leaseTime))"},
    Said{"now", "currentTime"},
    Said{"waits-until", "currentTime+threadWaitTime"},
    Said{"condition", "param"},  // of the time to live that is there: NX, XX, GT, LT
    Said{"wait", "wait"},
    Said{"wait", "threadWaitTime"},
    Said{"publish", "getSubscribeService().getPublishCommand()"},
    Said{"publish", "commandExecutor.getConnectionManager().getSubscribeService().getPublishCommand()"},
    Said{"latch-time", "timeout"},
    Said{"holders", "entry.getLockName(threadId)", false, true},
    Said{"counts", "lockNames.size()", false, true},
    Said{"holders", "newArrayList<>(snapshot.values())", false, true},
    Said{"holders", "newArrayList<>(entry.threadId2lockName.values())", false, true},
    Said{"holders", "entry.threadId2lockName.values()", false, true},
    Said{"values", "fields", false, true},
    Said{"values", "entry.getFields()", false, true},
};

/// Without blanks, `this.` and types in < >.
std::string plain(const std::string& shown) {
  std::string text;
  int types = 0;
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const bool opens = shown[at] == '<' && at > 0 && shown[at - 1] == '.';
    if (opens) ++types;
    else if (types > 0) types -= shown[at] == '>' ? 1 : 0;
    else if (shown[at] != ' ') text += shown[at];
  }
  return text.starts_with("this.") ? text.substr(5) : text;
}

template <std::size_t n>
std::string_view word_for(const std::array<Said, n>& table, const JavaWord& word) {
  const std::string java = plain(word.shown);
  for (const Said& said : table)
    if (said.each != word.each) continue;
    else if (said.begins ? java.starts_with(said.java) : java == said.java) return said.word;
  return {};
}

bool knows(std::span<const model::Word> words, std::string_view name) {
  return std::any_of(words.begin(), words.end(), [&](const model::Word& word) { return word.name == name; });
}

const Place* place_of(const FoundScript& found) {
  for (const Place& place : places) {
    if (place.type != found.type || place.method != found.method) continue;
    const auto decides = [&](const std::string& condition) {
      return condition.find(place.under) != std::string::npos && !condition.starts_with("not ");
    };
    const bool list = place.under == "4 parameters";  // the overload that answers lock and token
    if (list ? found.answer.find("EVAL_LONG_LIST") != std::string::npos
             : place.under.empty() || std::any_of(found.under.begin(), found.under.end(), decides))
      return &place;
  }
  return nullptr;
}

/// Fills the words, or says why not.
class Wording {
 public:
  Wording(const FoundScript& found, PlacedScript& into) : found_(found), into_(into) {}

  std::string fill(std::span<const model::LockKind* const> kinds) {
    if (!found_.keys) return "its KEYS are a list that is made while the program runs";
    if (!found_.args) return "its ARGV are a list that is made while the program runs";
    std::vector<const model::LockKind*> senders;
    for (const model::LockKind* kind : kinds)
      for (const model::Role& role : kind->roles)
        if (role.name == into_.role && (role.command == nullptr || role.may_be_script))
          senders.push_back(kind);
    if (senders.empty()) return fmt::format("no lock kind here sends a script in the role `{}`", into_.role);
    for (std::size_t i = 0; i < found_.keys->size(); ++i)
      add("KEYS", i, (*found_.keys)[i], word_for(keys_said, (*found_.keys)[i]), into_.keys);
    for (std::size_t i = 0; i < found_.args->size(); ++i)
      add("ARGV", i, (*found_.args)[i], word_for(args_said, (*found_.args)[i]), into_.args);
    std::string unfilled;
    for (const model::LockKind* kind : senders) {
      unfilled = lacking(*kind);
      if (unfilled.empty()) break;
    }
    return why_.empty() ? unfilled : why_;
  }

 private:
  void add(std::string_view table, std::size_t at, const JavaWord& word, std::string_view name,
           std::vector<std::string>& words) {
    words.emplace_back(name);
    const std::string_view message = into_.role.starts_with("write-") ? "1" : "0";
    if (!why_.empty()) return;
    const std::string place = fmt::format("{}[{}], `{}`,", table, at + 1, word.told());
    if (name.empty()) why_ = place + " is nothing that a client here has a word for";
    else if (name == "message" && word.value && *word.value != message)
      why_ = fmt::format("{} is {}, and a client here publishes {}", place, *word.value, message);
  }

  std::string lacking(const model::LockKind& kind) const {
    for (const std::string& word : into_.keys)
      if (!word.empty() && !knows(kind.keys, word))
        return fmt::format("a {} lock here has no key by the word `{}`", kind.name, word);
    for (const std::string& word : into_.args)
      if (!word.empty() && !knows(kind.args, word))
        return fmt::format("a {} lock here has no argument by the word `{}`", kind.name, word);
    return {};
  }

  const FoundScript& found_;
  PlacedScript& into_;
  std::string why_;
};

/// Why a text cannot be run; empty if it can.
std::string unfit(const PlacedScript& script) {
  const std::string& text = *script.found->text;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "its text is empty";
  if (text.find('\0') != std::string::npos || text.front() == '\x1b') return "its text is binary";
  lua::Engine engine;
  const lua::Reply compiled = engine.load(text);
  if (const lua::Error* error = compiled.error()) return "it does not compile: " + error->text;
  const lua::WordsRead read = lua::words_read(text);
  const auto too_few = [](std::string_view table, std::size_t reads, std::size_t sent) {
    return fmt::format("it reads {}[{}], and {} are sent", table, reads, sent);
  };
  const auto any_number = [](const std::vector<JavaWord>& words) {
    return std::any_of(words.begin(), words.end(), [](const JavaWord& word) { return word.each; });
  };
  if (any_number(*script.found->keys) || any_number(*script.found->args)) return {};
  if (read.keys > script.keys.size()) return too_few("KEYS", read.keys, script.keys.size());
  if (read.args > script.args.size()) return too_few("ARGV", read.args, script.args.size());
  return {};
}

bool same(const PlacedScript& one, const PlacedScript& other) {
  return one.found->text == other.found->text && one.keys == other.keys && one.args == other.args;
}

std::string at_line(const FoundScript& found) { return fmt::format("{}:{}", found.path, found.line); }

class Placer {
 public:
  Placer(const std::vector<FoundScript>& found, std::span<const model::LockKind* const> kinds)
      : found_(found), kinds_(kinds) {}

  Placement run() {
    for (const FoundScript& one : found_)
      if (one.of_lock) try_place(one);
    settle();
    std::stable_sort(left_.begin(), left_.end(),
                     [](const LeftOut& a, const LeftOut& b) { return a.found < b.found; });
    return {std::move(placed_), std::move(left_)};
  }

 private:
  void try_place(const FoundScript& one) {
    const auto leave = [&](std::string why) { left_.push_back({&one, std::move(why)}); };
    if (!one.text) return leave("its text is not certain: " + one.why);
    const Place* place = place_of(one);
    if (place == nullptr) return leave("no role is known for this method");
    PlacedScript script{&one, std::string(place->role), {}, {}, {}};
    std::string why = Wording(one, script).fill(kinds_);
    if (why.empty()) why = unfit(script);
    if (!why.empty()) return leave(std::move(why));
    candidates_.push_back(std::move(script));
  }

  /// A role has one script: calls that send the same are one, and of calls that differ none is chosen.
  void settle() {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const PlacedScript& a, const PlacedScript& b) { return a.role < b.role; });
    for (auto first = candidates_.begin(); first != candidates_.end();) {
      const auto last = std::find_if(first, candidates_.end(),
                                     [&](const PlacedScript& one) { return one.role != first->role; });
      const auto other =
          std::find_if(first, last, [&](const PlacedScript& one) { return !same(one, *first); });
      for (auto one = first; one != last; ++one) {
        const PlacedScript& rival = same(*one, *first) ? *other : *first;
        if (other != last)
          left_.push_back({one->found, fmt::format("another script claims the role `{}`, too: {} at {}",
                                                   one->role, rival.found->name(), at_line(*rival.found))});
        else if (one != first) first->also.push_back(one->found);
      }
      if (other == last) placed_.push_back(*first);
      first = last;
    }
  }

  const std::vector<FoundScript>& found_;
  std::span<const model::LockKind* const> kinds_;
  std::vector<PlacedScript> candidates_, placed_;
  std::vector<LeftOut> left_;
};

}  // namespace

Placement place_scripts(const std::vector<FoundScript>& found,
                        std::span<const model::LockKind* const> kinds) {
  return Placer(found, kinds).run();
}

bool has_place(std::string_view role) {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) { return place.role == role; });
}

}  // namespace lockstep::tools
