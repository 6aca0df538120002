#include "model/redis/handling.h"

#include <new>
#include <stdexcept>

#include "model/redis/errors.h"
#include "model/redis/resp/resp3.h"
#include "model/redis/watch.h"

namespace lockstep::redis {

namespace {

/// What a command left half done: aggregates that it had just made, and its transaction.
Reply without_memory(Call& call, const Spec& spec) {
  call.db().erase_empty();
  if (spec.name == "exec" && call.session()) end_transaction(call.session_to_change());
  return errors::no_memory();
}

Reply handle_within_memory(Call& call, const Spec& spec, Words words) {
  try {
    return spec.handler(call, words);
  } catch (const std::bad_alloc&) { return without_memory(call, spec); } catch (const std::length_error&) {
    return without_memory(call, spec);
  }
}

void count_call(Call& call, const Spec& spec, const Reply& reply) {
  const std::optional<std::int64_t> known = call.take_failures();
  if (!call.node().statistics->counts) return;
  const lua::Error* const error = known ? nullptr : reply.error();
  if (error) count_error(call.node(), error->text);
  Statistics& statistics = call.node().statistics.write();
  ++statistics.commands;
  CommandCount& counted = statistics.of(spec.name);
  ++counted.calls;
  counted.failed += known.value_or(error ? 1 : 0);
}

}  // namespace

void count_refusal(Node& node, const Spec* spec, const Reply& why) {
  if (!node.statistics->counts) return;
  count_error(node, why.error()->text);
  if (spec) ++node.statistics.write().of(spec->name).rejected;
}

void count_error(Node& node, std::string_view text) {
  if (!node.statistics->counts) return;
  constexpr std::size_t code_bytes_max = 32;
  const std::size_t blank = text.substr(0, code_bytes_max).find(' ');
  ++node.statistics.write()
        .errors[std::string(blank == std::string_view::npos ? "ERR" : text.substr(0, blank))];
}

Reply handle(Call& call, const Spec& spec, Words words) {
  const std::size_t messages_before = call.outcome().pushes.size();
  Reply reply = handle_within_memory(call, spec, words);
  count_call(call, spec, reply);
  translate(call.node(), call.outcome().pushes, messages_before);
  const bool from_client = call.source() == Call::Source::client;
  if (!from_client || !speaks_resp3(call.node(), call.from())) return reply;
  if (spec.has(subscriber))
    for (Reply& more : call.outcome().more_replies) more = in_resp3(spec.name, words, std::move(more));
  return in_resp3(spec.name, words, std::move(reply));
}

}  // namespace lockstep::redis
