#include "model/schemes/library.h"

#include <algorithm>

#include "model/client/requests.h"
#include "sim/base/verify.h"

namespace lockstep::schemes {

namespace {

using model::Client;
using model::Purpose;

const model::Scheme* scheme_of(const model::Setup& setup, const Purpose& purpose) {
  return setup.kinds[purpose.kind]->scheme;
}

model::RequestLimits limits(const model::Setup& setup, const Purpose& purpose, std::uint16_t) {
  const model::Scheme* scheme = scheme_of(setup, purpose);
  return {.response_timeout = scheme != nullptr ? scheme->timeout : model::Scheme{}.timeout,
          .retry_attempts = 0,
          .resend = false};
}

/// Of servers whose writes most of a group must have (MongoDB, write concern `majority`).
model::Syncing syncing(const model::Setup& setup, const Purpose& purpose) {
  if (!setup.wait || setup.kinds[purpose.kind]->on == nullptr) return {};
  return {.count = model::Syncing::Count::fixed,
          .replicas = *setup.wait,
          .wait = Duration{10'000},
          .needs = model::Syncing::Needs::all};
}

bool is_due(const Grant& grant) { return grant.renewed && !grant.asked && grant.left.due(); }

std::vector<std::size_t> due(const Client& client) {
  std::vector<std::size_t> numbers;
  if (client.library.empty()) return numbers;
  std::size_t number = 0;
  for (const auto& [whose, grant] : of(client).grants) {
    if (is_due(grant)) numbers.push_back(number);
    ++number;
  }
  return numbers;
}

void fire(ClientStep step, std::size_t timer) {
  auto& [whose, grant] = *std::next(of(step.own()).grants.begin(), static_cast<std::ptrdiff_t>(timer));
  grant.asked = true;
  grant.left = {sim::never};
  model::send_renewal(step, {.object = grant.object,
                             .lock = whose.first,
                             .thread = whose.second,
                             .owner = whose.second,
                             .lease = model::kind_of(step.context.setup, grant.object).scheme->lease,
                             .number = grant.number});
}

std::string lock_of_timer(const Client& client, std::size_t timer) {
  return std::next(of(client).grants.begin(), static_cast<std::ptrdiff_t>(timer))->first.first;
}

void answered(ClientStep step, const model::Request& request, const model::Items& items) {
  const Purpose& purpose = request.purpose;
  const model::Setup& setup = step.context.setup;
  const bool renewed = says(items, model::Meaning::renewed);
  if (!says(items, model::Meaning::failed))
    step.context.out.seen.push_back(model::RenewalAnswered{
        step.context.self, purpose.thread,
        model::resource_name(setup.objects[purpose.object].group, purpose.lock), renewed});
  const auto found = of(step.own()).grants.find({purpose.lock, purpose.thread});
  if (found == of(step.own()).grants.end() || found->second.number != purpose.number) return;
  found->second.asked = false;
  found->second.renewed = renewed || says(items, model::Meaning::failed);
  found->second.left = {found->second.renewed ? scheme_of(setup, purpose)->renew_every : sim::never};
}

void say(ClientStep step, const std::string& channel, bool listen) {
  step.context.out.channels.emplace_back(step.client, model::ChannelRequest{listen, channel});
}

bool is_woken(ClientStep step, ThreadId user, const std::string& message) {
  const model::Setup& setup = step.context.setup;
  const auto& call = step.process.threads[setup.threads[user.index()].place].call;
  return call && model::kind_of(setup, call->object).scheme->retry.is_woken_by(message);
}

void pushed(ClientStep step, const model::Reply& message) {
  const model::Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 3);
  if ((*parts)[1].bulk() == nullptr) return;  // UNSUBSCRIBE of nothing
  const std::string &kind = *(*parts)[0].bulk(), &channel = *(*parts)[1].bulk();
  auto& channels = of(step.own()).channels;
  const auto found = channels.find(channel);
  if (found == channels.end()) return;
  Subscription& its = found->second;
  if (kind == "message")
    for (const ThreadId user : its.users)
      if (is_woken(step, user, *(*parts)[2].bulk())) its.told.insert(user);
  if (kind != "subscribe") return;
  its.confirmed = true;
  if (!its.users.empty()) return;
  say(step, channel, false);
  channels.erase(found);
}

void connected(ClientStep step) {
  for (auto& [channel, its] : of(step.own()).channels) {
    its.confirmed = false;
    say(step, channel, true);
  }
}

void shut_down(ClientStep step) {
  for (auto& [whose, grant] : of(step.own()).grants) grant.renewed = false, grant.left = {sim::never};
}

bool busy(const Client& client) {
  if (client.library.empty()) return false;
  const auto& grants = of(client).grants;
  return std::any_of(grants.begin(), grants.end(), [](const auto& one) { return one.second.renewed; });
}

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty() || of(client).channels.empty()) return std::nullopt;
  return of(client).channels.begin()->second.lock;
}

bool settling(const Client& client) {
  if (client.library.empty()) return false;
  const auto& channels = of(client).channels;
  return std::any_of(channels.begin(), channels.end(), [](const auto& one) { return !one.second.confirmed; });
}

std::vector<std::pair<ThreadId, std::string>> renewing(const Client& client) {
  std::vector<std::pair<ThreadId, std::string>> holds;
  if (client.library.empty()) return holds;
  for (const auto& [whose, grant] : of(client).grants)
    if (grant.renewed) holds.emplace_back(whose.second, whose.first);
  return holds;
}

}  // namespace

const model::Library library{.name = "schemes",
                             .initial = []() -> sim::Boxed<model::LibraryTag> { return Schemes{}; },
                             .limits = limits,
                             .syncing = syncing,
                             .due = due,
                             .fire = fire,
                             .lock_of_timer = lock_of_timer,
                             .answered = answered,
                             .pushed = pushed,
                             .connected = connected,
                             .closed = nullptr,
                             .shut_down = shut_down,
                             .busy = busy,
                             .subscribed = subscribed,
                             .settling = settling,
                             .forget = [](Client&, const model::Setup&, bool) {},
                             .put_in_order = [](Client&) {},
                             .renewing = renewing};

Schemes& of(Client& client) { return client.library.write<Schemes>(); }
const Schemes& of(const Client& client) { return client.library.get<Schemes>(); }

void keep_grant(Caller caller, std::uint16_t client, sim::WordNumber number) {
  const model::Call& call = caller.call();
  const model::Scheme& scheme = *caller.kind().scheme;
  const bool renewed = scheme.renew && !call.lease;
  auto& grants = of(caller.process.clients[client]).grants;
  const auto [found, is_new] = grants.try_emplace({call.lock, caller.id});
  Grant& grant = found->second;
  if (!is_new && scheme.reentrant) ++grant.count;
  else grant.count = 1;
  grant.number = number;
  grant.object = call.object;
  if (grant.renewed && grant.count > 1) return;
  grant.renewed = renewed;
  grant.asked = false;
  grant.left = {renewed ? scheme.renew_every : sim::never};
}

sim::WordNumber take_grant(Caller caller, std::uint16_t client) {
  auto& grants = of(caller.process.clients[client]).grants;
  const auto found = grants.find({caller.call().lock, caller.id});
  if (found == grants.end()) return 0;
  const sim::WordNumber number = found->second.number;
  if (--found->second.count == 0) grants.erase(found);
  return number;
}

void subscribe(Caller caller, const std::string& channel) {
  const auto [found, is_new] = of(caller.client()).channels.try_emplace(channel);
  found->second.lock = caller.call().lock;
  found->second.users.insert(caller.id);
  if (is_new) say(caller.library(), channel, true);
}

void unsubscribe(Caller caller, const std::string& channel) {
  auto& channels = of(caller.client()).channels;
  const auto found = channels.find(channel);
  if (found == channels.end()) return;
  found->second.users.erase(caller.id);
  found->second.told.erase(caller.id);
  if (!found->second.users.empty() || !found->second.confirmed) return;
  channels.erase(found);
  say(caller.library(), channel, false);
}

}  // namespace lockstep::schemes
