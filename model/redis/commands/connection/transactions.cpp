// MULTI, EXEC, DISCARD, WATCH, UNWATCH (Redis multi.c). What is queued was checked when it came
// (dispatch.cpp) and runs without further questions; one failure does not stop the rest. What the whole
// transaction wrote goes to the replicas in one piece.
#include <algorithm>

#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/pubsub/monitors.h"
#include "model/redis/watch.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

Reply multi(Call& call, Words) {
  Session& session = call.session_to_change();
  if (session.transaction) return Error{"ERR MULTI calls can not be nested"};
  session.transaction.emplace();
  return lua::ok();
}

Reply discard(Call& call, Words) {
  if (!call.session() || !call.session()->transaction) return Error{"ERR DISCARD without MULTI"};
  end_transaction(call.session_to_change());
  return lua::ok();
}

Reply watch(Call& call, Words words) {
  if (call.session() && call.session()->transaction) return Error{"ERR WATCH inside MULTI is not allowed"};
  Session& session = call.session_to_change();
  if (session.disturbed) return lua::ok();  // EXEC will fail in any case
  for (const std::string_view key : words.subspan(1)) {
    Watch wanted{call.database(), std::string(key), false};
    const Entry* const entry = call.db().find(key);
    wanted.expired = entry && entry->dead();
    const bool known = std::any_of(session.watched.begin(), session.watched.end(), [&](const Watch& other) {
      return other.database == wanted.database && other.key == wanted.key;
    });
    if (!known) session.watched.push_back(std::move(wanted));
  }
  return lua::ok();
}

Reply unwatch(Call& call, Words) {
  if (!call.session()) return lua::ok();
  Session& session = call.session_to_change();
  session.watched.clear();
  session.disturbed = false;
  return lua::ok();
}

namespace {

/// What a transaction writes to its client, one reply after the other: also those of a SUBSCRIBE to several
/// channels, and messages that the client publishes to itself.
class Written {
 public:
  /// Short requests can ask for one long value again and again; beyond what memory is for, an error takes the
  /// place of each reply.
  void add(Reply reply) {
    bytes_ += bytes_of(reply);
    replies_.push_back(bytes_ > reply_bytes_max ? errors::reply_too_long() : std::move(reply));
  }
  std::vector<Reply> take() { return std::move(replies_); }

 private:
  static std::size_t bytes_of(const Reply& reply) {
    std::size_t bytes = sizeof reply;
    if (const std::string* const text = reply.bulk()) bytes += text->size();
    if (const Reply::Array* const items = reply.array())
      for (const Reply& item : *items) bytes += bytes_of(item);
    return bytes;
  }

  std::vector<Reply> replies_;
  std::size_t bytes_ = 0;
};

void run_queued(Call& call, const Command& command, Written& written) {
  const std::vector<std::string_view> words(command.begin(), command.end());
  const Spec* const spec = find_command(words);
  VERIFY(spec != nullptr);  // it was found when it was queued
  Outcome& outcome = call.outcome();
  const auto pushes_before = static_cast<std::ptrdiff_t>(outcome.pushes.size());
  Reply reply = run_shown(call, *spec, words);
  const auto own = std::stable_partition(outcome.pushes.begin() + pushes_before, outcome.pushes.end(),
                                         [&](const Push& push) { return push.to != call.from(); });
  for (auto push = own; push != outcome.pushes.end(); ++push) written.add(std::move(push->message));
  outcome.pushes.erase(own, outcome.pushes.end());
  written.add(std::move(reply));
  for (Reply& more : outcome.more_replies) written.add(std::move(more));
  outcome.more_replies.clear();
}

/// Redis announces as many replies as commands were queued. What is written beyond that is for the client no
/// part of EXEC's array any more.
Reply announced(Call& call, std::vector<Reply> written, std::size_t queued) {
  const auto end = written.begin() + static_cast<std::ptrdiff_t>(std::min(queued, written.size()));
  call.outcome().more_replies.assign(end, written.end());
  written.erase(end, written.end());
  return written;
}

}  // namespace

Reply exec(Call& call, Words) {
  if (!call.session() || !call.session()->transaction) return Error{"ERR EXEC without MULTI"};
  Session& session = call.session_to_change();
  const bool disturbed = session.disturbed || watched_key_expired(call.node(), session);
  const Transaction transaction = *session.transaction;
  if (transaction.refused || disturbed) end_transaction(session);
  if (transaction.refused) return Error{"EXECABORT Transaction discarded because of previous errors."};
  if (disturbed) return lua::NilArray{};
  session.watched.clear();
  call.set_in_exec(true);
  Written written;
  for (const Command& command : transaction.queued) run_queued(call, command, written);
  call.set_in_exec(false);
  end_transaction(call.session_to_change());
  return announced(call, written.take(), transaction.queued.size());
}

}  // namespace lockstep::redis::commands
