#include "tools/diff/driven_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/redis/instants.h"
#include "model/redis/kind.h"
#include "model/world/rebasing.h"
#include "reports/text/text.h"
#include "tools/cli/command_file.h"
#include "tools/diff/driven_alike.h"
#include "tools/diff/driven_texts.h"

namespace lockstep::tools {

namespace {

using model::Command;
using model::Intent;
using model::Purpose;
using model::Reply;
using sim::Duration;

constexpr std::array leases{Duration{2}, Duration{3}};
constexpr Duration wait{2}, latch_part{1};
constexpr std::int64_t count_max = 3, count_like_max = 1'000;
constexpr std::ptrdiff_t remembered_max = 1;
constexpr Duration overdue_max{4}, ahead_max{12};  // of instants; some scripts put them off at each call
constexpr Duration near_max{8};            // every instant is visited that is so near to one of interest
constexpr Duration law_shift{86'400'001};  // for the look at whether all instants are alike
constexpr std::array holders{"A", "B"};
const model::ConnectionId caller = sim::make_id<model::ConnectionId>(0),
                          listener = sim::make_id<model::ConnectionId>(1);

/// A scenario without programs: two holders, one lock of each kind under one name.
model::Setup setup_of(const lua::ScriptSet& scripts) {
  model::Setup setup;
  setup.scripts = scripts;
  setup.client.response_timeout = setup.client.retry_interval = latch_part;
  setup.client.retry_attempts = 1;
  setup.client.fair_wait = wait;
  setup.nodes.push_back({.name = "R0"});
  for (const char* name : holders) {
    const auto process = sim::make_id<sim::ProcessId>(setup.processes.size());
    const auto thread = sim::make_id<sim::ThreadId>(setup.threads.size());
    setup.processes.push_back({.name = name, .client_id = name, .own = {}, .threads = {thread}});
    setup.threads.push_back(
        {.name = name + std::string("1"), .process = process, .program = {}, .place = {}});
  }
  const auto kinds = model::shipped_kinds();
  setup.kinds.assign(kinds.begin(), kinds.end());
  for (std::uint16_t kind = 0; kind < setup.kinds.size(); ++kind) {
    setup.objects.push_back({.kind = kind, .name = "lock", .via = {}, .group = {}});
    if (!kinds[kind]->shares_key) continue;
    setup.objects.back().key = "lock";
    setup.objects.back().values = {"a", "b"};
  }
  for (std::uint16_t kind = 0; kind < kinds.size(); ++kind)
    if (kinds[kind]->shares_key)  // and one that meets it in a value
      setup.objects.push_back(
          {.kind = kind, .name = "lock", .via = {}, .group = {}, .key = "lock", .values = {"b"}});
  return setup;
}

std::shared_ptr<const redis::Node> listened_to(model::ServerRole role) {
  lua::Engine engine;
  auto node = std::make_shared<redis::Node>();
  redis::execute(*node, listener, {"PSUBSCRIBE", "*"}, {.engine = engine});
  node->role = role;
  return node;
}

bool words_of_lease(Intent intent) {
  return intent == Intent::acquire || intent == Intent::renew || intent == Intent::release;
}

std::int64_t number_of_text(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  return wrong == std::errc() && end == text.data() + text.size() ? number : 0;
}

bool counts_beyond(const redis::Node& node) {
  const auto too_many = [](std::string_view text) {
    const std::int64_t number = number_of_text(text);
    return number > count_max && number <= count_like_max;
  };
  return std::any_of(node.db.entries().begin(), node.db.entries().end(), [&](const auto& stored) {
    if (const auto* text = std::get_if<redis::String>(&stored.second.value)) return too_many(text->bytes);
    const auto* hash = std::get_if<redis::Hash>(&stored.second.value);
    return hash != nullptr && std::any_of(hash->pairs.begin(), hash->pairs.end(),
                                          [&](const auto& pair) { return too_many(pair.second); });
  });
}

}  // namespace

struct DrivenPair::Seen {
  Reply reply;
  model::Items read;  // in the reply, where that is asked for
  std::vector<redis::Push> messages, replica_messages;
  std::vector<model::ScriptCall> calls;
  redis::Effects effects;
};

DrivenPair::DrivenPair(const lua::ScriptSet& a, const lua::ScriptSet& b, const KindFamily& family,
                       bool with_now, const std::vector<Duration>& long_leases, const ReplyReading& reading,
                       const PairWatch& watch)
    : a_(setup_of(a)),
      b_(setup_of(b)),
      instants_(model::instant_keys(a_)),
      with_now_(with_now),
      reading_(reading) {
  const auto releases = reading_.replies == Replies::as_read ? all_releases() : std::vector<Release>();
  for (const model::LockKind* kind : family.kinds) {
    add_calls(*kind, releases, leases, calls_);
    add_calls(*kind, releases, long_leases, long_calls_);
  }
  if (watch.a != nullptr) watched_a_.emplace(lua::Engine::Options{.overseer = watch.a});
  if (watch.b != nullptr) watched_b_.emplace(lua::Engine::Options{.overseer = watch.b});
}

void DrivenPair::unwatch() {
  watched_a_.reset();
  watched_b_.reset();
}

namespace {

/// The objects by which the lock is called.
std::vector<std::uint16_t> objects_of(const model::LockKind& kind, const model::Setup& setup) {
  std::vector<std::uint16_t> found;
  for (std::uint16_t object = 0; object < setup.objects.size(); ++object)
    if (setup.objects[object].kind == model::number_of(kind)) found.push_back(object);
  return found;
}

DrivenRequest request_at(const Purpose& purpose, const model::Setup& setup, Duration at) {
  DrivenRequest now{.request = {.purpose = purpose, .keys = {}, .args = {}}, .words = {}, .at = at};
  fill_words(now.request, setup, setup.epoch_ms + at.count());
  now.words = words_of(now.request, setup);
  return now;
}

bool is_among(const std::vector<DrivenCall>& calls, const std::pair<Command, Command>& words) {
  return std::any_of(calls.begin(), calls.end(), [&](const DrivenCall& call) {
    return call.a.words == words.first && call.b.words == words.second;
  });
}

}  // namespace

/// Each role with each holder and lease, but no two calls that send the same words.
void DrivenPair::add_calls(const model::LockKind& kind, const std::vector<Release>& releases,
                           std::span<const Duration> with_leases, std::vector<DrivenCall>& into) {
  const auto told_of_calls = [&](const model::Role& role) {
    return model::is_told_of_calls(kind, role, a_.scripts) || model::is_told_of_calls(kind, role, b_.scripts);
  };
  const std::vector<std::uint16_t> objects = objects_of(kind, a_);
  const bool latches = std::any_of(kind.roles.begin(), kind.roles.end(), told_of_calls);
  std::vector<std::pair<Command, Command>> known;
  for (std::size_t r = 0; r < kind.roles.size(); ++r) {
    const model::Role& role = kind.roles[r];
    const bool tidies = role.command != nullptr && role.intent == Intent::tidy && latches;
    const bool sent = script_for(role, a_.scripts) != nullptr && script_for(role, b_.scripts) != nullptr;
    if (!sent && !tidies) continue;
    const std::array scripts{script_for(role, a_.scripts), script_for(role, b_.scripts)};
    const std::vector<redisson::Settings> clients = clients_of(scripts, role, releases, reading_.clients);
    for (std::size_t n = 0; n < holders.size() * objects.size(); ++n)
      for (const Duration lease : with_leases)
        for (std::uint32_t number = 1; number <= (tidies || told_of_calls(role) ? 2u : 1u); ++number) {
          const std::size_t h = n % holders.size();
          const std::uint16_t object = objects[n / holders.size()];
          DrivenCall call{.purpose = {.kind = model::number_of(kind),
                                      .role = static_cast<std::uint16_t>(r),
                                      .thread = sim::make_id<sim::ThreadId>(h),
                                      .client = 0,
                                      .lock = "lock",
                                      .object = object,
                                      .lease = lease,
                                      .wait = wait,
                                      .owner = {},
                                      .number = number},
                          .told = fmt::format("{}: {}", holders[h], role.name)};
          if (kind.shares_key) call.told += fmt::format(" {}", fmt::join(a_.objects[object].values, "+"));
          call.a = request_at(call.purpose, a_, {});
          call.b = request_at(call.purpose, b_, {});
          std::pair words{call.a.words, call.b.words};
          if (std::find(known.begin(), known.end(), words) != known.end()) continue;
          if (&into != &calls_ && is_among(calls_, words)) continue;  // it asks for no lease
          known.push_back(std::move(words));
          call.later_a = request_at(call.purpose, a_, law_shift);
          call.later_b = request_at(call.purpose, b_, law_shift);
          if (told_of_calls(role)) add_remembered(call.purpose);
          call.clients = clients;
          if (words_of_lease(role.intent)) call.told += fmt::format(", lease {} ms", lease.count());
          if (tidies || told_of_calls(role)) call.told += fmt::format(", call {}", number);
          into.push_back(std::move(call));
        }
  }
}

/// The keys that another call of this one's would not name.
void DrivenPair::add_remembered(Purpose purpose) {
  for (const model::Setup* setup : {&a_, &b_}) {
    const std::vector<std::string> keys = request_at(purpose, *setup, {}).request.keys;
    Purpose next = purpose;
    next.number += 1;
    const std::vector<std::string> others = request_at(next, *setup, {}).request.keys;
    for (const std::string& key : keys)
      if (std::find(others.begin(), others.end(), key) == others.end()) remembered_.insert(key);
  }
}

DrivenState DrivenPair::initial() const {
  const DrivenSide side{listened_to(model::ServerRole::master), listened_to(model::ServerRole::replica)};
  return {side, side, {}};
}

DrivenPair::Seen DrivenPair::run(DrivenSide& side, const model::Setup& setup, const DrivenRequest& sent,
                                 Told told) {
  Seen seen;
  const std::int64_t wall = setup.epoch_ms + sent.at.count();
  const redis::Environment there{
      .engine = engine_, .wall_ms = wall, .calls = told == Told::yes ? &seen.calls : nullptr};
  auto master = std::make_shared<redis::Node>(*side.master);
  redis::Outcome outcome = redis::execute(*master, caller, sent.words, there);
  master->scripts.clear();  // each call brings its own
  side.master = std::move(master);
  needs_now_ |= outcome.read_now && !with_now_;
  seen.messages = std::move(outcome.pushes);
  if (!outcome.effects.empty()) {
    auto replica = std::make_shared<redis::Node>(*side.replica);
    const redis::Environment at_replica{.engine = engine_, .wall_ms = wall};
    seen.replica_messages = redis::apply_effects(*replica, outcome.effects, {}, at_replica);
    side.replica = std::move(replica);
  }
  if (told == Told::yes || reading_.replies == Replies::as_read)
    seen.read = model::read_reply(sent.request, outcome.reply, setup);
  seen.reply = std::move(outcome.reply);
  seen.effects = std::move(outcome.effects);
  return seen;
}

namespace {

void move_instants(DrivenSide& side, const model::InstantKeys& instants, Duration by) {
  for (auto* place : {&side.master, &side.replica}) {
    if (!redis::holds_instants(**place, instants)) continue;
    auto node = std::make_shared<redis::Node>(**place);
    redis::move_instants(*node, instants, by);
    *place = std::move(node);
  }
}

}  // namespace

/// With f the call and g a move of all instants, f(g x) = g f(x), or instants may not be told from now on.
void DrivenPair::watch(const DrivenSide& before, const DrivenSide& after, const model::Setup& setup,
                       const DrivenRequest& sent, const DrivenRequest& later) {
  if (with_now_ || needs_now_) return;
  if (instants_of(sent.request, setup).empty() && !redis::holds_instants(*before.master, instants_)) return;
  DrivenSide moved = before;
  move_instants(moved, instants_, law_shift);
  run(moved, setup, later, Told::no);
  move_instants(moved, instants_, -law_shift);
  needs_now_ |= moved.master->db != after.master->db || moved.replica->db != after.replica->db;
}

bool DrivenPair::answer_alike(const Seen& a, const Seen& b, const DrivenCall* call) const {
  if (same_reply(a.reply, b.reply)) return true;
  return call != nullptr && reading_.replies == Replies::as_read &&
         read_alike(a.read, b.read, *a_.kinds[call->purpose.kind], model::role_of(call->purpose, a_).intent,
                    call->clients);
}

bool DrivenPair::store_alike(const redis::Node& one, const redis::Node& other) const {
  return same_stored(one, other) ||
         (reading_.replies == Replies::as_read && same_but_for_answers(one, other, remembered_));
}

DrivenStep DrivenPair::compared(const Seen& a, const Seen& b, const DrivenCall* call,
                                DrivenState& state) const {
  DrivenStep step;
  step.reply = !answer_alike(a, b, call);
  const auto alike = [&](const auto& one, const auto& other) {
    return one == other || store_alike(*one, *other);
  };
  step.stored = !alike(state.a.master, state.b.master);
  const bool same_messages = a.messages == b.messages;
  step.messages = !same_messages && sorted_texts(a.messages) != sorted_texts(b.messages);
  step.order = !step.messages && !same_messages;
  const bool copied_otherwise = !alike(state.a.replica, state.b.replica);
  step.effects = !step.stored &&
                 (copied_otherwise || (a.replica_messages != b.replica_messages &&
                                       sorted_texts(a.replica_messages) != sorted_texts(b.replica_messages)));
  step.written_otherwise = !step.effects && a.effects != b.effects;
  const auto same = [](const auto& one, const auto& other) {
    return one == other || same_stored(*one, *other);
  };
  state.alike = same(state.a.master, state.b.master) && same(state.a.replica, state.b.replica);
  return step;
}

void DrivenPair::tell(DrivenStep& step, std::string call, const Seen& a, const Seen& b,
                      const DrivenState& state) const {
  step.shown.call = std::move(call);
  const auto show = [](const Seen& seen, const DrivenSide& side, reports::SideShown& into) {
    if (!seen.read.empty()) {
      into.reply = printed(seen.reply);
      into.reply.erase(into.reply.find_last_not_of('\n') + 1);
      into.reply = fmt::format("{} ({})", reports::printable(into.reply),
                               model::name_of(seen.read.front().what));
    }
    for (const model::ScriptCall& one : seen.calls) into.commands.push_back(text_of_words(one.words));
    for (const redis::Push& push : seen.messages) into.messages.push_back(text_of_message(push.message));
    for (const model::Effect& effect : seen.effects) into.replicated.push_back(text_of_effect(effect));
    into.stored = stored_in(*side.master);
  };
  show(a, state.a, step.shown.a);
  show(b, state.b, step.shown.b);
}

DrivenStep DrivenPair::call(DrivenState& state, const DrivenCall& call, Told told) {
  const DrivenState before = state;
  const bool at_start = !with_now_ || state.now == Duration::zero();
  std::array<DrivenRequest, 2> later;
  if (!at_start) later = {request_at(call.purpose, a_, state.now), request_at(call.purpose, b_, state.now)};
  const DrivenRequest &of_a = at_start ? call.a : later[0], &of_b = at_start ? call.b : later[1];
  // Scripts are watched in a layout of their own, which errors may name: what they answer there is dropped.
  const auto watched = [](std::optional<lua::Engine>& engine, const DrivenSide& side,
                          const model::Setup& setup, const DrivenRequest& request) {
    if (!engine) return;
    redis::Node master = *side.master;
    redis::execute(master, caller, request.words,
                   {.engine = *engine, .wall_ms = setup.epoch_ms + request.at.count()});
  };
  watched(watched_a_, before.a, a_, of_a);
  watched(watched_b_, before.b, b_, of_b);
  const Seen a = run(state.a, a_, of_a, told);
  watch(before.a, state.a, a_, of_a, call.later_a);
  if (before.alike && !call.changed() && told == Told::no) {
    state.b = state.a;
    return {};
  }
  const Seen b = run(state.b, b_, of_b, told);
  watch(before.b, state.b, b_, of_b, call.later_b);
  DrivenStep step = compared(a, b, &call, state);
  if (told == Told::yes) tell(step, call.told, a, b, state);
  return step;
}

std::optional<Duration> DrivenPair::next(const DrivenState& state) const {
  Duration soonest = sim::never;
  const std::int64_t wall = a_.epoch_ms + (with_now_ ? state.now : Duration{}).count();
  const auto look = [&](const redis::Node& node) {
    for (const auto& [key, entry] : node.db.entries()) {
      if (entry.remaining && *entry.remaining >= Duration::zero())
        soonest = std::min(soonest, *entry.remaining + Duration{1});
      for (const std::int64_t instant : redis::instants_in(key, entry.value, instants_)) {
        const std::int64_t left = instant - wall;
        if (left >= 0 && left < 1'000'000'000'000) soonest = std::min(soonest, Duration{left + 1});
      }
    }
  };
  for (const DrivenSide* side : {&state.a, &state.b}) {
    look(*side->master);
    look(*side->replica);
  }
  if (soonest == sim::never) return std::nullopt;
  return soonest > near_max ? soonest - near_max : Duration{1};
}

DrivenStep DrivenPair::pass(DrivenState& state, Duration passed, Told told) {
  const auto pass_side = [&](DrivenSide& side, redis::Effects& effects) {
    auto master = std::make_shared<redis::Node>(*side.master),
         replica = std::make_shared<redis::Node>(*side.replica);
    redis::advance(*replica, passed);
    for (const redis::Effects& gone : redis::advance(*master, passed)) {
      redis::apply_effects(*replica, gone, {}, {.engine = engine_});
      effects.insert(effects.end(), gone.begin(), gone.end());
    }
    side = {std::move(master), std::move(replica)};
    if (!with_now_) move_instants(side, instants_, -passed);
  };
  std::array<Seen, 2> seen;
  pass_side(state.a, seen[0].effects);
  if (state.alike) {
    state.b = state.a;
    seen[1] = seen[0];
  } else {
    pass_side(state.b, seen[1].effects);
  }
  state.now += passed;
  DrivenStep step = compared(seen[0], seen[1], nullptr, state);
  if (told == Told::yes) tell(step, fmt::format("{} ms pass", passed.count()), seen[0], seen[1], state);
  return step;
}

bool DrivenPair::beyond(const DrivenState& state) const {
  const std::int64_t wall = a_.epoch_ms + (with_now_ ? state.now : Duration{}).count();
  const auto too_far = [&](const redis::Node& node) {
    for (const auto& [key, entry] : node.db.entries()) {
      const std::vector<std::int64_t> instants = redis::instants_in(key, entry.value, instants_);
      if (std::any_of(instants.begin(), instants.end(), [&](std::int64_t instant) {
            return instant < wall - overdue_max.count() || instant > wall + ahead_max.count();
          }))
        return true;
    }
    return false;
  };
  const redis::Node &a = *state.a.master, &b = *state.b.master;
  const auto remembers_more = [&](const redis::Node& node) {
    return std::count_if(remembered_.begin(), remembered_.end(), [&](const std::string& key) {
             return node.db.find(key) != nullptr;
           }) > remembered_max;
  };
  return remembers_more(a) || remembers_more(b) || counts_beyond(a) || counts_beyond(b) || too_far(a) ||
         too_far(b);
}

sim::Digest DrivenPair::digest(const DrivenState& state) const {
  sim::Encoder out;
  const auto encode_side = [&](const DrivenSide& side) {
    for (const redis::Node* node : {side.master.get(), side.replica.get()}) {
      sim::encode(out, node->db);
      sim::encode(out, *node->other_dbs);
    }
  };
  encode_side(state.a);
  if (!state.alike) encode_side(state.b);
  if (with_now_) sim::encode(out, state.now);
  return sim::digest_bytes(out.bytes());
}

std::string DrivenPair::bounds(Replies replies) {
  return fmt::format(
      "2 holders of one lock, each call with leases of {} and {} ms and a wait of {} ms, at "
      "every millisecond; stored counts up to {}, deadlines over by up to {} ms, or ahead by up "
      "to {}; one answer to a call remembered; a replica without delay{}",
      leases[0].count(), leases[1].count(), wait.count(), count_max, overdue_max.count(), ahead_max.count(),
      replies == Replies::as_read ? "; replies as clients read them" : "");
}

}  // namespace lockstep::tools
