// What Redis does with one command of a client before it runs it, in this order (server.c, processCommand):
// the command must exist and have a fitting number of words; it must be allowed here and now; inside MULTI it
// is queued. A refused command spoils the transaction that it should have become part of.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/call.h"
#include "model/redis/errors.h"
#include "model/redis/routing.h"
#include "model/redis/watch.h"

namespace lockstep::redis {

namespace {

/// A name or an argument in an error text is cut here.
constexpr std::size_t shown_bytes_max = 128;

Reply unknown_command(Words words) {
  if (is_container(words[0])) {
    return lua::Error{on_one_line("ERR unknown subcommand '" +
                                  std::string(words[1].substr(0, shown_bytes_max)) + "'. Try " +
                                  to_upper(words[0]) + " HELP.")};
  }
  std::string shown;
  for (std::size_t i = 1; i < words.size() && shown.size() < shown_bytes_max; ++i) {
    const std::string_view argument = words[i].substr(0, shown_bytes_max - shown.size());
    shown.append("'").append(argument).append("' ");
  }
  return lua::Error{on_one_line("ERR unknown command '" + std::string(words[0].substr(0, shown_bytes_max)) +
                                "', with args beginning with: " + shown)};
}

Reply not_in_subscriber_mode(std::string_view name) {
  return lua::Error{
      "ERR Can't execute '" + std::string(name) +
      "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"};
}

/// The flags that count: those of EXEC are the flags of all it would run.
unsigned flags_of(const Spec& spec, const Transaction* transaction) {
  return transaction && spec.name == "exec" ? spec.flags | transaction->flags : spec.flags;
}

/// Whether the command, or one that EXEC would run, is not for a replica without its master.
bool needs_a_master(const Spec& spec, const Transaction* transaction) {
  if (!spec.has(stale)) return true;
  if (!transaction || spec.name != "exec") return false;
  return std::any_of(transaction->queued.begin(), transaction->queued.end(), [](const Command& command) {
    const std::vector<std::string_view> words(command.begin(), command.end());
    return !find_command(words)->has(stale);
  });
}

/// Why the command may not run here and now, or Nil.
Reply refusal(Call& call, const Spec& spec, const Transaction* transaction) {
  const unsigned flags = flags_of(spec, transaction);
  if (transaction && spec.has(no_multi)) return lua::Error{"ERR Command not allowed inside a transaction"};
  if ((flags & write) != 0) {
    if (!enough_good_replicas(call.node())) return errors::no_replicas();
    if (call.node().role == Role::replica) return errors::read_only_replica();
  }
  if (!spec.has(subscriber) && is_subscriber(call.pubsub(), call.from()))
    return not_in_subscriber_mode(spec.name);
  if (refuses_stale_reads(call.node()) && needs_a_master(spec, transaction)) return errors::master_down();
  return lua::Nil{};
}

/// A command was refused: so is the transaction that it belongs to. EXEC ends it, and says so even where there
/// was none (server.c, rejectCommand; multi.c, execCommandAbort).
Reply refuse(Call& call, const Spec* spec, Reply why) {
  const Session* const session = call.session();
  if (!spec || spec->name != "exec") {
    if (session && session->transaction) call.session_to_change().transaction->refused = true;
    return why;
  }
  if (session) end_transaction(call.session_to_change());
  std::string_view reason = why.error()->text;
  if (reason.starts_with("ERR ")) reason.remove_prefix(4);
  return lua::Error{"EXECABORT Transaction discarded because of: " + std::string(reason)};
}

/// A request that belongs elsewhere: a transaction is over when EXEC would have to run there.
Reply send_away(Call& call, const Spec& spec, Reply where) {
  if (!call.session() || !call.session()->transaction) return where;
  if (spec.name == "exec") end_transaction(call.session_to_change());
  else call.session_to_change().transaction->refused = true;
  return where;
}

Reply queue(Call& call, const Spec& spec, Words words) {
  Transaction& transaction = *call.session_to_change().transaction;
  transaction.queued.emplace_back(words.begin(), words.end());
  transaction.flags |= spec.flags;
  return lua::Status{"QUEUED"};
}

}  // namespace

Reply run(Call& call, Words words) {
  const Spec* const spec = find_command(words);
  if (!spec) return refuse(call, spec, unknown_command(words));
  if (!spec->takes(words.size())) return refuse(call, spec, errors::wrong_arity(spec->name));
  if (call.source() == Call::Source::client) {
    const Session* const session = call.session();
    const Transaction* const transaction = session && session->transaction ? &*session->transaction : nullptr;
    if (Reply away = misrouted(call, *spec, words, transaction); !away.is_nil())
      return send_away(call, *spec, std::move(away));
    if (Reply why = refusal(call, *spec, transaction); !why.is_nil())
      return refuse(call, spec, std::move(why));
    if (transaction && !spec->has(no_queue)) return queue(call, *spec, words);
  }
  call.set_name(spec->name);
  return spec->handler(call, words);
}

}  // namespace lockstep::redis
