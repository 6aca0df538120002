#include "model/schemes/of_connection.h"

#include <array>
#include <map>

#include "model/mysql/kind.h"
#include "model/program/interpreter.h"
#include "model/schemes/first_holds.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::schemes {

namespace of_connection {

namespace {

using model::Answer;
using model::Call;
using model::Caller;
using model::Client;
using model::ClientStep;
using model::Intent;
using model::Items;
using model::Meaning;
using model::Reply;
using model::Role;
using sim::Duration;
using sim::ThreadId;

/// A thread whose answer comes later.
struct Later {
  std::string lock;
  std::optional<std::int64_t> answer;  // below zero: the connection broke
  bool operator==(const Later&) const = default;
  static auto fields(auto& l) { return std::tie(l.lock, l.answer); }
};

struct Connections {
  static constexpr std::string_view kind = "connections";
  std::map<ThreadId, Later> later;
  bool operator==(const Connections&) const = default;
  static auto fields(auto& c) { return std::tie(c.later); }
};

struct OneStatement {
  static constexpr std::string_view kind = "one statement";
  enum class At : std::uint8_t { asking, answered, waiting };
  At at = At::asking;
  std::int64_t answer = 0;  // below zero: none
  bool operator==(const OneStatement&) const = default;
  static auto fields(auto& o) { return std::tie(o.at, o.answer); }
};
static_assert(sim::State<Connections> && sim::State<OneStatement>);

using At = OneStatement::At;
constexpr std::int64_t broken = -1;

Connections& of(Client& client) { return client.library.write<Connections>(); }
const OneStatement& now_in(const Call& call) { return call.state.get<OneStatement>(); }

/// 1.: for how long the server is to wait.
std::string patience(const Call& call) {
  if (!call.waits) return "0";
  return call.time_left ? std::to_string(call.time_left->left.count()) : "-1";
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = OneStatement{};
  const Call& call = caller.call();
  const bool takes = model::is_acquire(step.kind);
  const Role& role = *model::role_for(caller.kind(), takes ? Intent::acquire : Intent::release);
  constexpr Duration usual_lease{30'000};
  model::Purpose purpose = model::purpose_of(caller, role, model::client_of(caller.setup(), call.object),
                                             takes ? call.lease.value_or(usual_lease) : Duration::zero());
  purpose.watched = false;
  model::Wording wording{caller.setup(), purpose};
  model::Command words = role.command(wording);
  if (takes) words.push_back(patience(call));
  caller.context.out.requests.push_back({model::Request{
      .purpose = std::move(purpose), .form = model::Request::Form::command, .keys = {}, .args = words}});
}

bool may_resume(const model::Process& process, const model::Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  const OneStatement& now = now_in(call);
  if (now.at != At::waiting) return now.at == At::answered;
  const Client& client = process.clients[model::client_of(setup, call.object)];
  return client.library.get<Connections>().later.at(thread).answer.has_value();
}

Answer answer_to(const Call& call, std::int64_t said) {
  if (said == 1) return Answer::yes;
  const bool may_be_refused = call.verb == model::StepKind::try_lock && said >= 0;
  return may_be_refused ? Answer::no : Answer::exception;
}

void resume(Caller caller) {
  const OneStatement now = now_in(caller.call());
  std::int64_t said = now.answer;
  if (now.at == At::waiting) {
    auto& later = of(caller.client()).later;
    said = *later.at(caller.id).answer;
    later.erase(caller.id);
    caller.context.out.seen.push_back(
        model::Woken{caller.id, resource_of(caller.call(), caller.setup()), said >= 0});
  }
  model::return_from_call(caller, answer_to(caller.call(), said));
}

void answered(Caller caller, const model::Request&, const Items& items, bool gone) {
  if (gone) return;
  OneStatement& now = caller.in<OneStatement>();
  now.at = At::answered;
  now.answer = says(items, Meaning::failed) ? broken : items.front().number.value_or(broken);
  if (!says(items, Meaning::refused)) return;
  const std::string lock = resource_of(caller.call(), caller.setup());
  caller.context.out.seen.push_back(model::Refused{caller.id, lock});
  if (now.answer != mysql::waits) return;
  now.at = At::waiting;
  of(caller.client()).later[caller.id] = {caller.call().lock, std::nullopt};
  caller.context.out.seen.push_back(model::ParkedThread{caller.id, lock});
}

/// ["message", lock, "answer 1", holder, 1]
void pushed(ClientStep step, const Reply& message) {
  const Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 5);
  const model::Setup& setup = step.context.setup;
  for (auto& [thread, later] : of(step.own()).later)
    if (later.lock == *(*parts)[1].bulk() &&
        model::holder_name(setup, thread, step.process.incarnation, step.client) == *(*parts)[3].bulk())
      later.answer = *(*parts)[4].integer();
}

/// 3.
void connected(ClientStep step) {
  for (auto& [thread, later] : of(step.own()).later)
    if (!later.answer) later.answer = broken;
}

model::RequestLimits limits(const model::Setup&, const model::Purpose&, std::uint16_t) {
  return {.retry_attempts = 0, .resend = false};
}

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty() || client.library.get<Connections>().later.empty()) return std::nullopt;
  return client.library.get<Connections>().later.begin()->second.lock;
}

Items say(Meaning what, std::int64_t number) { return {{.what = what, .wait = {}, .number = number}}; }

Items read_taken(const Reply& reply) {
  return say(*reply.integer() == 1 ? Meaning::granted : Meaning::refused, *reply.integer());
}
Items read_given_back(const Reply& reply) {
  return say(*reply.integer() == 1 ? Meaning::released : Meaning::not_holder, *reply.integer());
}

model::Command words_of(const char* statement, const model::Wording& wording) {
  return {statement, wording.purpose.lock, model::holder_of(wording.purpose, wording.setup)};
}

constexpr std::array name_rows{
    Role{.name = "get-lock",
         .intent = Intent::acquire,
         .read = read_taken,
         .command = [](model::Wording& wording) { return words_of("GET-LOCK", wording); }},
    Role{.name = "release-lock",
         .intent = Intent::release,
         .read = read_given_back,
         .command = [](model::Wording& wording) { return words_of("RELEASE-LOCK", wording); }},
};
constexpr std::array row_rows{
    Role{.name = "select-for-update",
         .intent = Intent::acquire,
         .read = read_taken,
         .command = [](model::Wording& wording) { return words_of("SELECT-FOR-UPDATE", wording); }},
    Role{.name = "commit",
         .intent = Intent::release,
         .read = read_given_back,
         .command = [](model::Wording& wording) { return words_of("COMMIT", wording); }},
};

const model::Shape shape{.name = "of a connection", .truth = first_holds};

constexpr std::array<std::string_view, 3> states{"asking", "answered", "waiting"};

model::LockKind kind_with(std::string_view name, std::string_view says, std::span<const Role> roles) {
  return {.name = name,
          .says = says,
          .roles = roles,
          .keys = {},
          .args = {},
          .shape = &shape,
          .machine = &one_statement,
          .library = &connection_library,
          .promises = {.reentrant = false, .expires = false},
          .on = &mysql::server_kind};
}

}  // namespace

}  // namespace of_connection

const model::Machine one_statement{.name = "one statement",
                                   .invoke = of_connection::invoke,
                                   .may_resume = of_connection::may_resume,
                                   .resume = of_connection::resume,
                                   .answered = of_connection::answered,
                                   .granted =
                                       [](const model::Call& call) {
                                         const of_connection::OneStatement& now = of_connection::now_in(call);
                                         return now.at == of_connection::At::answered && now.answer == 1;
                                       },
                                   .states = of_connection::states,
                                   .state = model::number_of_state<of_connection::OneStatement>};

const model::Library connection_library{
    .name = "mysql",
    .initial = []() -> sim::Boxed<model::LibraryTag> { return of_connection::Connections{}; },
    .limits = of_connection::limits,
    .due = [](const model::Client&) { return std::vector<std::size_t>{}; },
    .fire = [](model::ClientStep, std::size_t) { UNREACHABLE("a client without timers"); },
    .lock_of_timer = [](const model::Client&, std::size_t) { return std::string{}; },
    .answered = [](model::ClientStep, const model::Request&,
                   const model::Items&) { UNREACHABLE("a client that asks nothing"); },
    .pushed = of_connection::pushed,
    .connected = of_connection::connected,
    .closed = of_connection::connected,
    .busy = [](const model::Client&) { return false; },
    .subscribed = of_connection::subscribed,
    .settling = [](const model::Client&) { return false; },
    .forget = [](model::Client&, const model::Setup&, bool) {},
    .put_in_order = [](model::Client&) {},
    .renewing = [](const model::Client&) { return std::vector<std::pair<sim::ThreadId, std::string>>{}; }};

const model::LockKind get_lock = of_connection::kind_with(
    "mysql-get-lock", "MySQL: GET_LOCK and RELEASE_LOCK, of a connection", of_connection::name_rows);
const model::LockKind for_update = of_connection::kind_with(
    "mysql-for-update", "MySQL: SELECT … FOR UPDATE in a transaction, of a connection",
    of_connection::row_rows);

}  // namespace lockstep::schemes
