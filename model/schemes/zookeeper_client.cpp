#include "model/schemes/zookeeper_client.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "sim/base/verify.h"

namespace lockstep::schemes {

namespace of_session {

namespace {

using model::Client;
using model::Intent;
using model::Meaning;
using model::Purpose;
using sim::Duration;

constexpr Duration again{1'000};

Duration third_of_session(const model::Setup& setup) { return setup.others.session_timeout / 3; }

/// On whose behalf a ping is sent: who holds something, else who is inside a call.
Purpose purpose_of_ping(ClientStep step, const ZookeeperClient& own) {
  const model::Setup& setup = step.context.setup;
  const bool holds = !own.holds.empty();
  const ThreadId thread = holds ? own.holds.begin()->first.second : own.inside.begin()->first;
  const std::string& lock = holds ? own.holds.begin()->first.first : own.inside.begin()->second.lock;
  const std::uint16_t object = holds ? own.holds.begin()->second.object : own.inside.begin()->second.object;
  const model::LockKind& kind = model::kind_of(setup, object);
  return {.kind = setup.objects[object].kind,
          .role = static_cast<std::uint16_t>(model::role_for(kind, Intent::renew) - kind.roles.data()),
          .thread = thread,
          .incarnation = step.process.incarnation,
          .client = step.client,
          .lock = lock,
          .object = object,
          .lease = setup.others.session_timeout,
          .owner = thread,
          .number = own.session};
}

void send_ping(ClientStep step) {
  ZookeeperClient& own = zookeeper_of(step.own());
  own.ping = {sim::never};
  ++own.pings;
  step.context.out.requests.push_back(
      {model::Request{.purpose = purpose_of_ping(step, own),
                      .form = model::Request::Form::command,
                      .keys = {},
                      .args = {"PING", std::to_string(session_word(step.process, own))}}});
}

model::RequestLimits limits(const model::Setup& setup, const Purpose& purpose, std::uint16_t) {
  const bool in_session = setup.kinds[purpose.kind]->on != nullptr;  // else to a resource
  return {.response_timeout = in_session ? third_of_session(setup) : model::RequestLimits{}.response_timeout,
          .retry_attempts = 0,
          .resend = false};
}

std::vector<std::size_t> due(const Client& client) {
  if (client.library.empty()) return {};
  const ZookeeperClient& own = zookeeper_of(client);
  return own.pings == 0 && own.ping.due() ? std::vector<std::size_t>{0} : std::vector<std::size_t>{};
}

std::string lock_of_timer(const Client& client, std::size_t) {
  const ZookeeperClient& own = zookeeper_of(client);
  return own.holds.empty() ? own.inside.begin()->second.lock : own.holds.begin()->first.first;
}

void answered(ClientStep step, const model::Request& request, const model::Items& items) {
  ZookeeperClient& own = zookeeper_of(step.own());
  --own.pings;
  if (says(items, Meaning::failed)) {
    own.suspended = own.suspended || own.in_use();
    own.ping = {again};
  } else if (says(items, Meaning::not_renewed)) {
    if (request.purpose.number == own.session) session_over(step);
  } else {
    own.suspended = false;
    own.ping = {third_of_session(step.context.setup)};
  }
  note_idle(own);
}

/// ["message", lock, "deleted 3", 3]
void pushed(ClientStep step, const model::Reply& message) {
  const model::Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 4);
  for (auto& [thread, its] : zookeeper_of(step.own()).inside)
    if (its.lock == *(*parts)[1].bulk() && std::int64_t{its.watched} == *(*parts)[3].integer())
      its.told = true;
}

/// 3.
void look_again(ZookeeperClient& own) {
  for (auto& [thread, its] : own.inside)
    if (its.watched != 0) its.told = true;
}

void ask_anew(ClientStep step) {
  zookeeper_of(step.own()).suspended = true;
  send_ping(step);
}

void connected(ClientStep step) {
  ZookeeperClient& own = zookeeper_of(step.own());
  look_again(own);
  if (own.in_use()) ask_anew(step);
}

void closed(ClientStep step) {
  ZookeeperClient& own = zookeeper_of(step.own());
  if (own.in_use()) return ask_anew(step);
  ++own.session;  // 5.
}

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty()) return std::nullopt;
  for (const auto& [thread, its] : zookeeper_of(client).inside)
    if (its.watched != 0) return its.lock;
  return std::nullopt;
}

std::vector<std::pair<ThreadId, std::string>> renewing(const Client& client) {
  std::vector<std::pair<ThreadId, std::string>> held;
  if (client.library.empty()) return held;
  for (const auto& [whose, child] : zookeeper_of(client).holds) held.emplace_back(whose.second, whose.first);
  return held;
}

}  // namespace

}  // namespace of_session

const model::Library zookeeper_library{
    .name = "zookeeper",
    .initial = []() -> sim::Boxed<model::LibraryTag> { return ZookeeperClient{}; },
    .limits = of_session::limits,
    .due = of_session::due,
    .fire = [](ClientStep step, std::size_t) { of_session::send_ping(step); },
    .lock_of_timer = of_session::lock_of_timer,
    .timer_says = [](const model::Client&, std::size_t) { return std::string_view{"ping for"}; },
    .answered = of_session::answered,
    .pushed = of_session::pushed,
    .connected = of_session::connected,
    .closed = of_session::closed,
    .shut_down = [](ClientStep step) { zookeeper_of(step.own()).ping = {sim::never}; },
    .busy =
        [](const model::Client& client) {
          return !client.library.empty() && zookeeper_of(client).ping.left != sim::never;
        },
    .subscribed = of_session::subscribed,
    .settling =
        [](const model::Client& client) { return !client.library.empty() && zookeeper_of(client).suspended; },
    .forget = [](model::Client&, const model::Setup&, bool) {},
    .put_in_order = [](model::Client&) {},
    .renewing = of_session::renewing};

ZookeeperClient& zookeeper_of(model::Client& client) { return client.library.write<ZookeeperClient>(); }
const ZookeeperClient& zookeeper_of(const model::Client& client) {
  return client.library.get<ZookeeperClient>();
}

std::uint16_t session_word(const model::Process& process, const ZookeeperClient& client) {
  constexpr std::uint16_t sessions_max = 1'000;
  return static_cast<std::uint16_t>(process.incarnation * sessions_max + client.session);
}

void note_sent(Caller caller) {
  ZookeeperClient& own = zookeeper_of(caller.client());
  if (!own.suspended) own.ping = {of_session::third_of_session(caller.setup())};
}

void note_idle(ZookeeperClient& own) {
  if (own.in_use()) return;
  own.ping = {sim::never};
  own.suspended = false;
}

void connection_lost(Caller caller) {
  ZookeeperClient& own = zookeeper_of(caller.client());
  if (own.suspended) return;
  own.suspended = true;
  own.ping = {of_session::again};
}

void session_over(ClientStep step) {
  const model::Setup& setup = step.context.setup;
  ZookeeperClient& own = zookeeper_of(step.own());
  for (const auto& [whose, child] : own.holds)
    step.context.out.seen.push_back(model::Yielded{
        whose.second, model::resource_name(setup.objects[child.object].group, whose.first), true});
  own.holds.clear();
  ++own.session;
  own.suspended = false;
  of_session::look_again(own);
}

}  // namespace lockstep::schemes
