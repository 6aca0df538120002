// What Redis does with one command of a client before it runs it, in this order (server.c, processCommand):
// the command must exist and have a fitting number of words; it must be allowed here and now; inside MULTI it
// is queued. A refused command spoils the transaction that it should have become part of.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/call.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/scripts/script_host.h"
#include "model/redis/errors.h"
#include "model/redis/handling.h"
#include "model/redis/pubsub/monitors.h"
#include "model/redis/resp/resp3.h"
#include "model/redis/routing.h"
#include "model/redis/watch.h"

namespace lockstep::redis {

namespace {

/// A name or an argument in an error text is cut here.
constexpr std::size_t shown_bytes_max = 128;

Reply unknown_command(Words words) {
  if (is_container(words[0])) {
    return lua::Error{"ERR unknown subcommand '" + shown(words[1].substr(0, shown_bytes_max)) + "'. Try " +
                      to_upper(words[0]) + " HELP."};
  }
  std::string arguments;
  for (std::size_t i = 1; i < words.size() && arguments.size() < shown_bytes_max; ++i)
    arguments += "'" + shown(words[i].substr(0, shown_bytes_max - arguments.size())) + "' ";
  return lua::Error{"ERR unknown command '" + shown(words[0].substr(0, shown_bytes_max)) +
                    "', with args beginning with: " + arguments};
}

Reply not_in_subscriber_mode(std::string_view name) {
  return lua::Error{
      "ERR Can't execute '" + std::string(name) +
      "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"};
}

/// The flags that count: those of EXEC are the flags of all it would run, and a script has some of its own.
unsigned flags_of(const Call& call, const Spec& spec, Words words, const Transaction* transaction) {
  const bool asks_script =
      spec.has(runs_script) &&
      (transaction || call.node().role == Role::replica || call.node().settings->min_replicas_to_write > 0 ||
       call.node().settings->maxmemory != 0 || call.environment().paused != Paused::nothing);
  const unsigned flags = asks_script ? commands::flags_with_script(call, spec, words) : spec.flags;
  return transaction && spec.name == "exec" ? flags | transaction->flags : flags;
}

/// DEBUG and MODULE are for servers that were started to allow them (Redis allowProtectedAction).
Reply guarded(const Call& call, const Spec& spec) {
  if (!spec.has(admin)) return lua::Nil{};
  const bool is_debug = spec.name == "debug" && !call.node().settings->debug_allowed;
  if (!is_debug && spec.handler != commands::module_refused) return lua::Nil{};
  const std::string name = is_debug ? "DEBUG" : "MODULE";
  return lua::Error{
      "ERR " + name + " command not allowed. If the enable-" + to_lower(name) +
      "-command option is set to \"local\", you can run it from a local connection, otherwise you need "
      "to set this option in the configuration file, and then restart the server."};
}

/// Why the command may not run for this client, wherever its keys are; or Nil.
Reply forbidden(const Call& call, const Spec& spec, const Session* session) {
  if (Reply why = guarded(call, spec); !why.is_nil()) return why;
  if (session && !spec.has(no_auth) && is_stranger(call.node(), *session)) return errors::not_authenticated();
  if (session && session->transaction && spec.has(no_multi))
    return lua::Error{"ERR Command not allowed inside a transaction"};
  return lua::Nil{};
}

/// Whether something that EXEC would run is not for a replica without its master.
bool queued_need_a_master(const Transaction& transaction) {
  return std::any_of(transaction.queued.begin(), transaction.queued.end(), [](const Command& command) {
    const std::vector<std::string_view> words(command.begin(), command.end());
    return !find_command(words)->has(stale);
  });
}

/// Without memory a transaction grows no more; a client in one may still end it.
bool wants_memory(const Spec& spec, unsigned flags, const Transaction* transaction) {
  if ((flags & deny_oom) != 0) return true;
  return transaction && spec.name != "exec" && spec.name != "discard" && spec.name != "quit" &&
         spec.name != "reset";
}

/// Why a command with these flags may not run here and now, or Nil.
Reply refusal(const Call& call, const Spec& spec, unsigned flags, const Transaction* transaction) {
  if (is_short_of_memory(call.node()) && wants_memory(spec, flags, transaction))
    return errors::out_of_memory();
  if ((flags & write) != 0) {
    if (!enough_good_replicas(call.node())) return errors::too_few_replicas();
    if (call.node().role == Role::replica) return errors::read_only_replica();
  }
  if (!spec.has(subscriber) && is_subscriber(call.node().pubsub, call.from()) &&
      !speaks_resp3(call.node(), call.from()))
    return not_in_subscriber_mode(spec.name);
  if (refuses_stale_reads(call.node())) {
    const bool queued = transaction && spec.name == "exec" && queued_need_a_master(*transaction);
    if ((flags & stale) == 0 || queued) return errors::master_down();
  }
  if (call.node().disk->loading_left > Duration::zero() && !spec.has(loading)) return errors::loading();
  const LongScript* const script = call.environment().busy;
  if (script && !spec.has(allow_busy)) return errors::busy(script->is_function);
  if ((flags & (write | read_only | may_replicate)) != 0 && call.node().monitors->contains(call.from()))
    return lua::Error{"ERR Replica can't interact with the keyspace"};
  return lua::Nil{};
}

/// A command was refused: so is the transaction that it belongs to. EXEC ends it, and says so even where
/// there was none (server.c, rejectCommand; multi.c, execCommandAbort).
Reply refuse(Call& call, const Spec* spec, Reply why) {
  const Session* const session = call.session();
  if (!spec || spec->name != "exec") {
    if (session && session->transaction) call.session_to_change().transaction->refused = true;
    count_refusal(call.node(), spec, why);
    return why;
  }
  if (session) end_transaction(call.session_to_change());
  std::string_view reason = why.error()->text;
  if (reason.starts_with("ERR ")) reason.remove_prefix(4);
  why = lua::Error{"EXECABORT Transaction discarded because of: " + std::string(reason)};
  count_refusal(call.node(), spec, why);
  return why;
}

/// A request that belongs elsewhere: a transaction is over when EXEC would have to run there.
Reply send_away(Call& call, const Spec& spec, Reply where) {
  count_refusal(call.node(), &spec, where);
  if (!call.session() || !call.session()->transaction) return where;
  if (spec.name == "exec") end_transaction(call.session_to_change());
  else call.session_to_change().transaction->refused = true;
  return where;
}

/// CLIENT PAUSE, of which commands that are refused in any case hear nothing.
bool is_held_back(const Call& call, unsigned flags) {
  const Paused paused = call.environment().paused;
  return paused == Paused::all || (paused == Paused::writes && (flags & (write | may_replicate)) != 0);
}

/// What will not run anyway is not kept (multi.c, queueMultiCommand).
Reply queue(Call& call, Words words, unsigned flags) {
  Session& session = call.session_to_change();
  Transaction& transaction = *session.transaction;
  if (transaction.refused || session.disturbed) return lua::Status{"QUEUED"};
  transaction.queued.emplace_back(words.begin(), words.end());
  transaction.flags |= flags;
  return lua::Status{"QUEUED"};
}

/// What CLIENT LIST tells of a connection that was announced.
void remember(Call& call, const Spec* spec) {
  Peer& peer = *call.session_to_change().peer;
  peer.active_ms = call.environment().wall_ms;
  peer.last_command = spec ? spec->name : "NULL";
}

/// The usual case, in which none of the questions below has another answer than yes: nobody has a session,
/// nobody subscribes, and the node is a master by itself.
bool nothing_to_ask(const Call& call, const Spec& spec) {
  const Node& node = call.node();
  return node.sessions->empty() && node.role == Role::master && node.pubsub.empty() &&
         node.monitors->empty() && !*node.cluster && !node.statistics->counts && !spec.has(admin) &&
         node.settings->min_replicas_to_write <= 0 && node.settings->maxmemory == 0 &&
         node.disk->loading_left == Duration::zero() && call.environment().paused == Paused::nothing;
}

Reply step(Call& call, const Spec* spec, Words words) {
  if (!spec) return refuse(call, spec, unknown_command(words));
  if (!spec->takes(words.size())) return refuse(call, spec, errors::wrong_arity(spec->name));
  if (call.source() == Call::Source::client) {
    const Session* const session = call.session();
    const Transaction* const transaction = session && session->transaction ? &*session->transaction : nullptr;
    if (Reply why = forbidden(call, *spec, session); !why.is_nil()) return refuse(call, spec, std::move(why));
    if (Reply away = misrouted(call, *spec, words, transaction); !away.is_nil())
      return send_away(call, *spec, std::move(away));
    const unsigned flags = flags_of(call, *spec, words, transaction);
    if (Reply why = refusal(call, *spec, flags, transaction); !why.is_nil())
      return refuse(call, spec, std::move(why));
    if (is_held_back(call, flags)) {
      call.outcome().held_back = true;
      return lua::Nil{};
    }
    if (transaction && !spec->has(no_queue)) return queue(call, words, flags);
  }
  return run_shown(call, *spec, words);
}

/// CLIENT CACHING is about the next command only.
void end_caching(Call& call, const Spec* spec) {
  const Session* const session = call.session();
  if (!session || !session->tracking || !session->tracking->next_is_cached || session->transaction) return;
  if (spec && spec->name.starts_with("client|")) return;
  call.session_to_change().tracking->next_is_cached.reset();
}

}  // namespace

Reply run(Call& call, Words words) {
  const Spec* const spec = find_command(words);
  if (spec && spec->takes(words.size()) && nothing_to_ask(call, *spec)) {
    call.set_name(spec->name);
    return handle(call, *spec, words);
  }
  if (const Session* const session = call.session(); session && session->peer) remember(call, spec);
  Reply reply = step(call, spec, words);
  end_caching(call, spec);
  return reply;
}

}  // namespace lockstep::redis
