#include "model/client/synced.h"

#include <charconv>

#include "model/client/requests.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

const Library& library_for(const Purpose& purpose, const Setup& setup) {
  return *setup.libraries[purpose.client];
}

Syncing syncing_of(const Purpose& purpose, const Setup& setup) {
  const auto rule = library_for(purpose, setup).syncing;
  return rule == nullptr ? Syncing{} : rule(setup, purpose);
}

std::uint16_t repeats_of(const Request& request) { return request.synced ? request.synced->repeats : 0; }

/// What INFO says behind `connected_slaves:`.
std::optional<std::uint16_t> count_in(const Reply& reply) {
  constexpr std::string_view name = "connected_slaves:";
  const std::string* text = reply.bulk();
  const std::size_t at = text == nullptr ? std::string::npos : text->find(name);
  if (at == std::string::npos) return std::nullopt;
  std::uint16_t count = 0;
  const char* digits = text->data() + at + name.size();
  const auto [end, error] = std::from_chars(digits, text->data() + text->size(), count);
  if (error != std::errc{}) return std::nullopt;
  return count;
}

/// A number that no call and no other repetition of this one has.
constexpr std::uint32_t numbers_of_repetition = 1'000;
constexpr std::uint32_t number_of_undo = 500;

}  // namespace

void dress(const Process& process, Outgoing& outgoing, const Setup& setup) {
  Request& request = outgoing.request;
  const bool is_plain = request.form == Request::Form::command &&
                        role_of(request.purpose, setup).described == nullptr;
  if (outgoing.dressed || is_plain) return;
  const Syncing rule = syncing_of(request.purpose, setup);
  if (rule.count == Syncing::Count::none) return;
  Synced synced = request.synced.value_or(Synced{});
  const auto& known = process.clients[request.purpose.client].replicas;
  synced.wait = rule.wait;
  if (rule.count == Syncing::Count::fixed) synced.replicas = rule.replicas;
  else if (rule.count == Syncing::Count::cached && known) synced.replicas = *known;
  else synced.sends = Synced::Sends::count;
  const bool plain = synced.sends == Synced::Sends::script && synced.replicas == 0 && synced.repeats == 0 &&
                     !synced.undoes;
  if (plain) request.synced.reset();
  else request.synced = std::move(synced);
}

Duration longer_wait(const Request& request) {
  return request.waits() ? request.synced->wait : Duration::zero();
}

bool take_count(Process& process, Request& request, const Reply& reply, const Setup& setup) {
  const auto count = count_in(reply);
  if (!count) return false;
  if (syncing_of(request.purpose, setup).count == Syncing::Count::cached)
    process.clients[request.purpose.client].replicas = count;
  request.synced->sends = Synced::Sends::script;
  request.synced->replicas = *count;
  return true;
}

Sync sync_of(Process& process, const Request& request, std::int64_t acks, const Setup& setup) {
  if (acks < 0) return Sync::broken;
  const Syncing rule = syncing_of(request.purpose, setup);
  const std::uint16_t asked_for = request.synced->replicas;
  auto& known = process.clients[request.purpose.client].replicas;
  if (known && acks != *known) known.reset();
  const bool enough = rule.needs == Syncing::Needs::all   ? acks >= asked_for
                      : rule.needs == Syncing::Needs::one ? acks > 0
                                                          : true;
  return enough ? Sync::enough : Sync::too_few;
}

bool is_undone(const Request& failed, const Setup& setup) {
  return syncing_of(failed.purpose, setup).undone && role_of(failed.purpose, setup).intent == Intent::acquire;
}

void undo(Process& process, const Pending& failed, Context& context) {
  const Purpose& acquire = failed.request.purpose;
  const LockKind& kind = *context.setup.kinds[acquire.kind];
  const Role* role = role_for(kind, Intent::release);
  VERIFY(role != nullptr);
  const Thread& thread = process.threads[context.setup.threads[acquire.thread.index()].place];
  const std::uint16_t task = thread.futures.contains(acquire.task) ? acquire.task : std::uint16_t{0};
  const std::uint16_t repeats = repeats_of(failed.request);
  Purpose purpose = acquire;
  purpose.role = static_cast<std::uint16_t>(role - kind.roles.data());
  purpose.watched = false;
  purpose.wait = {};
  purpose.lease =
      library_for(acquire, context.setup).lease_of_undo({process, acquire.client, context}, acquire);
  if (is_told_of_calls(kind, *role, context.setup.scripts_of(context.self)))
    purpose.number = number_of_call(Caller{process, acquire.thread, context, task}).value + number_of_undo +
                     numbers_of_repetition * repeats;
  Request request{.purpose = std::move(purpose), .form = Request::Form::eval, .keys = {}, .args = {}};
  request.synced = Synced{.repeats = repeats, .undoes = acquire};
  make_words(request, context);
  context.out.requests.push_back({std::move(request), 0, failed.caller_gone});
}

void undo_answered(Process& process, const Pending& undo, const Items& items, Context& context) {
  const Purpose& purpose = undo.request.purpose;
  library_for(purpose, context.setup).undone({process, purpose.client, context}, purpose, items);
}

Pending undone(const Pending& undo) {
  Pending failed = undo;
  failed.request = {.purpose = *undo.request.synced->undoes, .form = {}, .keys = {}, .args = {}};
  failed.request.synced = Synced{.repeats = undo.request.synced->repeats, .undoes = {}};
  return failed;
}

bool is_repeated(const Request& failed, const Setup& setup) {
  const std::uint16_t repeats = repeats_of(failed);
  return syncing_of(failed.purpose, setup).repeated &&
         repeats < library_for(failed.purpose, setup).limits(setup, failed.purpose, repeats).retry_attempts;
}

void begin_anew_later(Process& process, Pending failed, const Setup& setup) {
  const Purpose& purpose = failed.request.purpose;
  const std::uint16_t repeats = repeats_of(failed.request);
  const Interval delay = library_for(purpose, setup).limits(setup, purpose, repeats).retry_interval;
  const auto repetition = static_cast<std::uint16_t>(repeats + 1);
  failed.request.synced = Synced{.repeats = repetition, .anew = true, .undoes = {}};
  failed.request.keys.clear();
  failed.request.args.clear();
  failed.attempts = 0;
  failed.between = true;
  failed.stuck = false;
  failed.left = {delay.lo};
  failed.at_latest = {delay.hi};
  process.clients[purpose.client].pending.push_back(std::move(failed));
}

void make_anew(Request& request, Context& context) {
  Purpose& purpose = request.purpose;
  const Syncing rule = syncing_of(purpose, context.setup);
  const LockKind& kind = *context.setup.kinds[purpose.kind];
  request.synced->anew = false;
  if (!rule.repeats_request &&
      is_told_of_calls(kind, role_of(purpose, context.setup), context.setup.scripts_of(context.self)))
    purpose.number += numbers_of_repetition;
  make_words(request, context);
}

bool is_of_call(const Purpose& sent, const Request& now) {
  for (std::uint32_t repeats = 0; repeats <= repeats_of(now); ++repeats)
    if (sent.number.value + numbers_of_repetition * repeats == now.purpose.number.value) return true;
  return false;
}

}  // namespace lockstep::model
