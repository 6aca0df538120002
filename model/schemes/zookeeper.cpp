#include "model/schemes/zookeeper.h"

#include <algorithm>
#include <array>

#include "model/client/token.h"
#include "model/program/interpreter.h"
#include "model/schemes/first_holds.h"
#include "model/schemes/zookeeper_client.h"
#include "model/zookeeper/kind.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::schemes {

namespace in_sequence {

namespace {

using model::Answer;
using model::Call;
using model::Intent;
using model::Item;
using model::Items;
using model::Meaning;
using model::Reply;
using model::Role;

enum class Doing : std::uint8_t { create, list, watch, remove, release };

struct AskingNode {
  bool operator==(const AskingNode&) const = default;
};
/// The answer has come; the thread has not gone on yet.
struct HeardNode {
  enum class What : std::uint8_t { lost, over, done, first, behind, gone };
  What what = What::lost;
  std::uint32_t number = 0;  // behind: which to watch
  bool operator==(const HeardNode&) const = default;
  static auto fields(auto& h) { return std::tie(h.what, h.number); }
};
struct WatchingNode {  // 4.
  sim::Timer left;
  bool operator==(const WatchingNode&) const = default;
  static auto fields(auto& w) { return std::tie(w.left); }
};
struct LostTouch {  // 5.
  bool operator==(const LostTouch&) const = default;
};

struct FirstChild {
  static constexpr std::string_view kind = "first child";

  std::variant<AskingNode, HeardNode, WatchingNode, LostTouch> at;
  Doing doing = Doing::create;
  bool gives_up = false;     // 7.
  bool deleted = false;      // it has asked for that before, and does not know
  std::uint32_t number = 0;  // of its child; 0: it does not know one
  std::uint16_t session = 0;

  bool operator==(const FirstChild&) const = default;
  static auto fields(auto& f) { return std::tie(f.at, f.doing, f.gives_up, f.deleted, f.number, f.session); }
};
static_assert(sim::State<FirstChild>);

using What = HeardNode::What;

FirstChild& now_of(Caller caller) { return caller.in<FirstChild>(); }
const FirstChild& now_in(const Call& call) { return call.state.get<FirstChild>(); }
ZookeeperClient& client_of_call(Caller caller) { return zookeeper_of(caller.client()); }

constexpr std::array<std::string_view, 5> role_names{"create", "list", "watch", "give-up", "delete"};

const Role& role_of_step(Caller caller, Doing doing) {
  for (const Role& role : caller.kind().roles)
    if (role.name == role_names[static_cast<std::size_t>(doing)]) return role;
  UNREACHABLE("a request of the recipe");
  return caller.kind().roles.front();
}

void ask(Caller caller, Doing doing, std::uint32_t about = 0) {
  FirstChild& now = now_of(caller);
  now.doing = doing;
  now.at = AskingNode{};
  const Role& role = role_of_step(caller, doing);
  model::Purpose purpose =
      model::purpose_of(caller, role, model::client_of(caller.setup(), caller.call().object),
                        caller.setup().others.session_timeout);
  purpose.watched = false;
  purpose.number = now.session = client_of_call(caller).session;
  model::Wording wording{caller.setup(), purpose};
  model::Command words = role.command(wording);
  words.insert(words.begin() + 1, std::to_string(session_word(caller.process, client_of_call(caller))));
  const bool names_child = doing == Doing::watch || doing == Doing::remove || doing == Doing::release;
  words.push_back(names_child ? std::to_string(about) : model::holder_of(purpose, caller.setup()));
  caller.context.out.requests.push_back({model::Request{
      .purpose = std::move(purpose), .form = model::Request::Form::command, .keys = {}, .args = words}});
  note_sent(caller);
}

void finish(Caller caller, Answer answer, std::optional<std::int64_t> token = std::nullopt) {
  ZookeeperClient& own = client_of_call(caller);
  own.inside.erase(caller.id);
  note_idle(own);
  model::return_from_call(caller, answer, token);
}

/// 7.
void give_up(Caller caller) {
  FirstChild& now = now_of(caller);
  now.gives_up = true;
  if (now.number == 0) return ask(caller, Doing::list);
  ask(caller, Doing::remove, now.number);
}

/// A thread that may still wait does.
bool may_wait(const Call& call) { return call.waits && (!call.time_left || !call.time_left->over()); }

void hold(Caller caller) {
  const FirstChild now = now_of(caller);
  const Call& call = caller.call();
  client_of_call(caller).holds[{call.lock, caller.id}] = {now.number, call.object};
  const bool tells = model::wants_token(caller.step());
  finish(caller, Answer::yes, tells ? std::optional<std::int64_t>{now.number} : std::nullopt);
}

void watch_on(Caller caller, std::uint32_t number) {
  InsideCall& its = client_of_call(caller).inside.at(caller.id);
  its.watched = number;
  its.told = false;
  ask(caller, Doing::watch, number);
}

void wait(Caller caller) {
  const Call& call = caller.call();
  now_of(caller).at = WatchingNode{{call.time_left ? call.time_left->left : sim::never}};
  caller.context.out.seen.push_back(model::ParkedThread{caller.id, resource_of(call, caller.setup())});
}

void list_again(Caller caller) {
  InsideCall& its = client_of_call(caller).inside.at(caller.id);
  its.watched = 0;
  its.told = false;
  if (!may_wait(caller.call())) return give_up(caller);
  ask(caller, Doing::list);
}

/// 6.
void begin_in_new_session(Caller caller) {
  FirstChild& now = now_of(caller);
  now.number = 0;
  client_of_call(caller).inside.at(caller.id).watched = 0;
  if (now.doing == Doing::release) return finish(caller, Answer::exception);
  if (now.gives_up || (!may_wait(caller.call()) && caller.call().time_left))
    return finish(caller, Answer::no);
  ask(caller, Doing::create);
}

/// 2.
void go_on_listed(Caller caller, const HeardNode& heard) {
  FirstChild& now = now_of(caller);
  if (heard.what == What::gone) {
    now.number = 0;
    return now.gives_up ? finish(caller, Answer::no) : ask(caller, Doing::create);
  }
  if (now.gives_up) return ask(caller, Doing::remove, now.number);
  if (heard.what == What::first) return hold(caller);
  if (!may_wait(caller.call())) return give_up(caller);
  watch_on(caller, heard.number);
}

void go_on(Caller caller, const HeardNode& heard) {
  FirstChild& now = now_of(caller);
  ZookeeperClient& own = client_of_call(caller);
  if (heard.what == What::over && own.session == now.session) session_over(caller.library());
  if (own.session != now.session) return begin_in_new_session(caller);
  if (heard.what == What::lost) {
    connection_lost(caller);
    now.at = LostTouch{};
    return;
  }
  switch (now.doing) {
    case Doing::create:
      return ask(caller, Doing::list);
    case Doing::list:
      return go_on_listed(caller, heard);
    case Doing::watch:
      return heard.what == What::gone ? list_again(caller) : wait(caller);
    case Doing::remove:
      return finish(caller, Answer::no);
    case Doing::release: {
      const bool done = heard.what == What::done || now.deleted;
      return finish(caller, done ? Answer::yes : Answer::exception);
    }
  }
}

/// 5.
void find_touch(Caller caller) {
  FirstChild& now = now_of(caller);
  if (client_of_call(caller).session != now.session) return begin_in_new_session(caller);
  if (now.doing == Doing::release) {
    now.deleted = true;
    return ask(caller, Doing::release, now.number);
  }
  if (now.doing == Doing::remove) return ask(caller, Doing::remove, now.number);
  list_again(caller);
}

void stop_watching(Caller caller) {
  const bool told = client_of_call(caller).inside.at(caller.id).told;
  caller.context.out.seen.push_back(
      model::Woken{caller.id, resource_of(caller.call(), caller.setup()), told});
  if (client_of_call(caller).session != now_of(caller).session) return begin_in_new_session(caller);
  list_again(caller);
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = FirstChild{};
  ZookeeperClient& own = client_of_call(caller);
  const Call& call = caller.call();
  own.inside[caller.id] = {call.lock, call.object};
  if (model::is_acquire(step.kind)) return ask(caller, Doing::create);
  FirstChild& now = now_of(caller);
  now.doing = Doing::release;
  now.session = own.session;
  const auto held = own.holds.find({call.lock, caller.id});
  if (held == own.holds.end()) {
    now.at = HeardNode{What::gone};
    return;
  }
  now.number = held->second.number;
  own.holds.erase(held);
  ask(caller, Doing::release, now.number);
}

bool may_resume(const model::Process& process, const model::Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  const ZookeeperClient& own = zookeeper_of(process.clients[model::client_of(setup, call.object)]);
  return std::visit(
      sim::overloaded{
          [](const AskingNode&) { return false; }, [](const HeardNode&) { return true; },
          [&](const WatchingNode& watching) { return watching.left.due() || own.inside.at(thread).told; },
          [&](const LostTouch&) { return !own.suspended; }},
      now_in(call).at);
}

void resume(Caller caller) {
  const auto before = now_of(caller).at;
  std::visit(sim::overloaded{[&](const HeardNode& heard) { go_on(caller, heard); },
                             [&](const WatchingNode&) { stop_watching(caller); },
                             [&](const LostTouch&) { find_touch(caller); },
                             [](const AskingNode&) { UNREACHABLE("a thread that can go on"); }},
             before);
}

const Item* item_of(const Items& items, Meaning what) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.what == what; });
  return found == items.end() ? nullptr : &*found;
}

HeardNode heard_in(const Items& items) {
  const auto number = [](const Item& item) { return static_cast<std::uint32_t>(item.number.value_or(0)); };
  if (says(items, Meaning::failed) || says(items, Meaning::unknown)) return {What::lost};
  if (says(items, Meaning::not_renewed)) return {What::over};
  if (says(items, Meaning::granted)) return {What::first};
  if (const Item* refused = item_of(items, Meaning::refused)) return {What::behind, number(*refused)};
  return {says(items, Meaning::no) || says(items, Meaning::not_holder) ? What::gone : What::done};
}

void answered(Caller caller, const model::Request&, const Items& items, bool gone) {
  if (says(items, Meaning::refused))
    caller.context.out.seen.push_back(model::Refused{caller.id, resource_of(caller.call(), caller.setup())});
  if (gone) return;
  FirstChild& now = now_of(caller);
  now.at = heard_in(items);
  for (const Meaning told : {Meaning::yes, Meaning::granted})
    if (const Item* own = item_of(items, told); own != nullptr && own->number && *own->number > 0)
      now.number = static_cast<std::uint32_t>(*own->number);
}

Items say(Meaning what, std::optional<std::int64_t> number = std::nullopt) {
  return {{.what = what, .wait = {}, .number = number}};
}

/// What every request may be answered: its session is over, or nobody leads.
template <class Read>
Items unless_over(const Reply& reply, Read read) {
  const lua::Status* status = reply.status();
  if (status != nullptr && status->text == lockstep::zookeeper::connection_loss) return say(Meaning::failed);
  return status != nullptr && status->text == lockstep::zookeeper::expired ? say(Meaning::not_renewed)
                                                                           : read();
}

Items read_created(const Reply& reply) {
  return unless_over(reply, [&] { return say(Meaning::yes, *reply.integer()); });
}

/// 2., 3.: the first item of the answer is the asker's own child. Whom it has to watch is the one before it,
/// or the first of all.
template <bool herd>
Items read_list(const Reply& reply) {
  return unless_over(reply, [&]() -> Items {
    std::vector<std::int64_t> numbers;
    for (const Reply& one : *reply.array()) numbers.push_back(*one.integer());
    const std::int64_t own = numbers.front();
    const auto found = std::find(numbers.begin() + 1, numbers.end(), own);
    if (own == 0 || found == numbers.end()) return say(Meaning::no);
    if (found == numbers.begin() + 1) return say(Meaning::granted, own);
    Items items = say(Meaning::refused, herd ? numbers[1] : *(found - 1));
    items.push_back({.what = Meaning::yes, .wait = {}, .number = own});
    return items;
  });
}

Items read_watch(const Reply& reply) {
  return unless_over(reply, [&] { return say(*reply.integer() == 1 ? Meaning::yes : Meaning::no); });
}
Items read_deleted(const Reply& reply) {
  return unless_over(reply,
                     [&] { return say(*reply.integer() == 1 ? Meaning::released : Meaning::not_holder); });
}
Items read_given_up(const Reply& reply) {
  return unless_over(reply, [&] { return say(Meaning::yes); });
}
Items read_ping(const Reply& reply) {
  return unless_over(reply, [&] { return say(Meaning::renewed); });
}

template <char... letters>
model::Command about_lock(model::Wording& wording) {
  return {std::string{letters...}, wording.purpose.lock};
}
constexpr auto creates = about_lock<'C', 'R', 'E', 'A', 'T', 'E'>;
constexpr auto lists = about_lock<'C', 'H', 'I', 'L', 'D', 'R', 'E', 'N'>;
constexpr auto watches = about_lock<'E', 'X', 'I', 'S', 'T', 'S'>;
constexpr auto deletes = about_lock<'D', 'E', 'L', 'E', 'T', 'E'>;
constexpr auto pings = about_lock<'P', 'I', 'N', 'G'>;

/// The second row of an acquire is the one that tells a token (model/client/token.h): it does here, too.
template <bool herd>
constexpr std::array<Role, 6> rows{{
    {.name = "create", .intent = Intent::acquire, .read = read_created, .command = creates},
    {.name = "list", .intent = Intent::acquire, .read = read_list<herd>, .command = lists},
    {.name = "watch", .intent = Intent::acquire, .read = read_watch, .command = watches},
    {.name = "give-up", .intent = Intent::give_up, .read = read_given_up, .command = deletes},
    {.name = "delete", .intent = Intent::release, .read = read_deleted, .command = deletes},
    {.name = "ping", .intent = Intent::renew, .read = read_ping, .command = pings},
}};

constexpr std::array<std::string_view, 4> states{"asking", "answered", "watching", "connection lost"};

model::LockKind kind_with(std::string_view name, std::string_view says, std::span<const Role> roles) {
  return {.name = name,
          .says = says,
          .roles = roles,
          .keys = {},
          .args = {},
          .shape = &children_of_a_node,
          .machine = &first_child,
          .library = &zookeeper_library,
          .promises = {.reentrant = false, .expires = true, .tokens = true},
          .on = &lockstep::zookeeper::server_kind};
}

}  // namespace

}  // namespace in_sequence

const model::Machine first_child{.name = "first child",
                                 .invoke = in_sequence::invoke,
                                 .may_resume = in_sequence::may_resume,
                                 .resume = in_sequence::resume,
                                 .answered = in_sequence::answered,
                                 .granted =
                                     [](const model::Call& call) {
                                       const auto* heard =
                                           std::get_if<in_sequence::HeardNode>(&in_sequence::now_in(call).at);
                                       return heard != nullptr && heard->what == in_sequence::What::first;
                                     },
                                 .states = in_sequence::states,
                                 .state = model::number_of_state<in_sequence::FirstChild>};

const model::Shape children_of_a_node{.name = "children of a node", .truth = first_holds};

std::span<const model::Role> zookeeper_roles(bool herd) {
  return herd ? std::span<const model::Role>(in_sequence::rows<true>)
              : std::span<const model::Role>(in_sequence::rows<false>);
}

const model::LockKind zookeeper = in_sequence::kind_with(
    "zookeeper", "ZooKeeper: ephemeral children in sequence, each watches the one before it",
    zookeeper_roles(false));
const model::LockKind zookeeper_herd = in_sequence::kind_with(
    "zookeeper-herd", "ZooKeeper: the same, and all who wait watch the first child", zookeeper_roles(true));

}  // namespace lockstep::schemes
