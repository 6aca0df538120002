// For each kind of lock and each property that concerns it there is a scenario that ships, promises/KIND or
// one whose name begins so, in which the property is asked for, and a mutant of the scripts, or of the
// client, that the property catches there. That it holds without the mutant, and that its premise occurs, is
// what the scenario expects: a property that is named and vacuous fails its check.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "model/client/lock_kind.h"
#include "scenarios/exploring.h"
#include "scenarios/format/script_reader.h"

namespace lockstep::scenarios {
namespace {

/// What scripts of a kind are called, and how they tell that a lock is free.
struct Roles {
  std::string lock, unlock, renew;
  std::string other{};  // by which who is kept out asks, if that is another kind
  std::string publishes = "redis.call('publish',";
  std::string time_left = "redis.call('pttl', KEYS[1])";  // that is told to who is refused
};

const std::map<std::string, Roles, std::less<>> roles_of_kinds = {
    {"plain", {"lock", "unlock", "renew"}},
    {"fair", {"fair-lock", "fair-unlock", "renew", "", "redis.call(ARGV[5],"}},
    {"read", {"read-lock", "read-unlock", "read-renew", "write-lock"}},
    {"write", {"write-lock", "write-unlock", "renew", "read-lock"}},
    {"fenced", {"fenced-lock-token", "unlock", "renew"}},
    {"spin", {"lock", "spin-unlock", "renew"}},
    {"non-reentrant", {"non-reentrant-lock", "unlock", "renew", "", "redis.call(ARGV[4],"}},
    {"non-reentrant-fair", {"non-reentrant-fair-lock", "fair-unlock", "renew", "", "redis.call(ARGV[5],"}},
    {"multi", {"lock", "unlock", "renew"}},
    {"red", {"lock", "unlock", "renew"}},
    {"faster-multi",
     {"faster-lock", "faster-unlock", "faster-renew", "", "redis.call(ARGV[4],", "last - now"}},
};

/// A wrong script: in this role each `from` is `to`; where `from` is empty, `to` stands in front.
struct Wrong {
  std::string role, from, to;
};

using Change = std::function<void(model::Setup&, const Roles&)>;

void put(model::Setup& setup, const Wrong& wrong) {
  const lua::Script* script = setup.scripts.find(wrong.role);
  ASSERT_NE(script, nullptr) << wrong.role;
  std::string text = script->text;
  if (wrong.from.empty()) text = wrong.to + text;
  else ASSERT_NE(text.find(wrong.from), std::string::npos) << wrong.from << " in " << script->file;
  if (!wrong.from.empty())
    for (std::size_t at = 0; (at = text.find(wrong.from, at)) != std::string::npos; at += wrong.to.size())
      text.replace(at, wrong.from.size(), wrong.to);
  const auto mutated = [&](const std::string&) -> sim::Result<std::string> { return text; };
  const auto set = replace_script(setup.scripts, wrong.role, "mutant.lua", mutated);
  ASSERT_TRUE(set.ok()) << set.problem().text;
  setup.scripts = *set;
}

void grants_what_is_held(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.other.empty() ? roles.lock : roles.other, "", "redis.call('del', KEYS[1]); "});
}
void unlocks_for_anybody(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.unlock, "", "redis.call('del', KEYS[1]); "});
}
void counts_no_second_hold(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "'hincrby'", "'hset'"});
}
void gives_no_time_to_live(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "'pexpire'", "'exists'"});
}
/// One that lapses by itself lasts twice as long, too.
void never_lets_go_of_the_dead(model::Setup& setup, const Roles& roles) {
  gives_no_time_to_live(setup, roles);
  if (roles.lock == "faster-lock") put(setup, {roles.lock, "now + lease", "now + 2 * lease"});
}
void tells_nobody(model::Setup& setup, const Roles& roles) {
  const bool nobody_is_told = roles.unlock == "spin-unlock";
  if (nobody_is_told) setup.client.back_off_endless = true;
  else put(setup, {roles.unlock, roles.publishes, "redis.call('exists',"});
}
void tells_twice(model::Setup& setup, const Roles& roles) {
  const std::string words = roles.publishes.substr(roles.publishes.find('(') + 1);
  put(setup, {roles.unlock, roles.publishes, "twice(" + words});
  put(setup, {roles.unlock, "", "local function twice(...) redis.call(...) return redis.call(...) end "});
}
void keeps_renewing(model::Setup& setup, const Roles&) { setup.client.unlock_keeps_renewing = true; }
void renews_nothing(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.renew, "'pexpire'", "'exists'"});
}
void lets_ask_every_millisecond(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.other.empty() ? roles.lock : roles.other, roles.time_left, "1"});
}
void grants_nothing(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "", "do return nil end "});
}
void ignores_the_queue(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "redis.call('lindex', KEYS[2], 0) == ARGV[2]", "true"});
}
void gives_a_deadline_without_a_place(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "'rpush'", "'exists'"});
}
void refuses_readers(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.lock, "mode == 'read' or", "mode == 'none' or"});
}
void stays_a_writer(model::Setup& setup, const Roles& roles) {
  put(setup, {roles.unlock, "redis.call('hset', KEYS[1], 'mode', 'read')", "redis.call('exists', KEYS[1])"});
}
void checks_no_token(model::Setup& setup, const Roles&) {
  for (model::NodeSetup& node : setup.nodes) node.fenced = false;
}
void counts_down(model::Setup& setup, const Roles& roles) { put(setup, {roles.lock, "'incr'", "'decr'"}); }

struct Promise {
  Property property;
  bool (*concerns)(const model::LockKind& kind);
  Change broken_by;
};

bool all_kinds(const model::LockKind&) { return true; }
bool stored(const model::LockKind& kind) { return kind.is_lock(); }
bool counted(const model::LockKind& kind) { return kind.is_lock() && kind.promises.reentrant; }
bool told(const model::LockKind& kind) { return kind.is_lock() && kind.name != "spin"; }
bool in_line(const model::LockKind& kind) { return kind.queues; }
bool numbered(const model::LockKind& kind) { return kind.promises.tokens; }
bool shared(const model::LockKind& kind) { return kind.mode == model::Mode::shared; }
bool becomes_shared(const model::LockKind& kind) { return kind.name == "write"; }
bool made(const model::LockKind& kind) { return kind.is_made_of_others(); }
bool by_majority(const model::LockKind& kind) { return kind.needs == model::Needs::majority; }

const std::vector<Promise> promises = {
    {Property::mutual_exclusion, all_kinds, grants_what_is_held},
    {Property::mutual_exclusion_within_lease, all_kinds, grants_what_is_held},
    {Property::owner_only, stored, unlocks_for_anybody},
    {Property::reentrancy, counted, counts_no_second_hold},
    {Property::lock_has_ttl, stored, gives_no_time_to_live},
    {Property::free_after_crash, stored, never_lets_go_of_the_dead},
    {Property::granted_in_time, stored, tells_nobody},
    {Property::nothing_left_behind, all_kinds, keeps_renewing},
    {Property::all_or_nothing, made, grants_nothing},
    {Property::first_come_first_served, in_line, ignores_the_queue},
    {Property::bounded_overtaking, in_line, ignores_the_queue},
    {Property::queue_in_step, in_line, gives_a_deadline_without_a_place},
    {Property::tokens_grow, numbered, counts_down},
    {Property::writes_in_turn, numbered, checks_no_token},
    {Property::expectations, shared, refuses_readers},
    {Property::expectations, becomes_shared, stays_a_writer},
    {Property::lease_kept, all_kinds, renews_nothing},
    {Property::told_once, told, tells_twice},
    {Property::no_lost_wake_up, told, tells_nobody},
    {Property::busy_poll, told, lets_ask_every_millisecond},
    {Property::red_majority, by_majority, grants_nothing},
    {Property::red_validity, by_majority, grants_nothing},
};

class Promises : public testing::TestWithParam<std::string> {};

/// Those of a kind: promises/KIND itself, and what it says of the dead, of those who stand in line, of those
/// who hold it with others, and of a resource that knows of it.
std::vector<model::Setup> scenarios_of(const std::string& kind) {
  std::vector<model::Setup> all;
  for (const char* of : {"", "-of-the-dead", "-in-line", "-in-company", "-at-a-resource"})
    if (find_embedded_scenario("promises/" + kind + of) != nullptr)
      all.push_back(shipped_setup("promises/" + kind + of));
  return all;
}

bool has_locks_of(const model::Setup& setup, const std::string& kind) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const model::LockObject& object) {
    return setup.kinds[object.kind]->name == kind;
  });
}

TEST_P(Promises, OfAKindAreAskedForInItsScenariosAndEachHasAMutantThatIsCaughtThere) {
  const model::LockKind& kind = *model::find_kind(GetParam());
  ASSERT_TRUE(roles_of_kinds.contains(GetParam())) << "no roles are known of this kind";
  const std::vector<model::Setup> all = scenarios_of(GetParam());
  for (const model::Setup& setup : all) EXPECT_TRUE(has_locks_of(setup, GetParam())) << setup.name;
  for (const Promise& promise : promises) {
    if (!promise.concerns(kind)) continue;
    const std::string name(properties::info(promise.property).name);
    const auto asked = std::find_if(all.begin(), all.end(), [&](const model::Setup& setup) {
      return setup.expect.contains(name);
    });
    ASSERT_NE(asked, all.end()) << name << " is not asked for";
    model::Setup wrong = *asked;
    promise.broken_by(wrong, roles_of_kinds.at(GetParam()));
    const sim::PropertyMask mask = properties::bit(promise.property);
    EXPECT_NE(search(wrong, {.enough = mask}).violated & mask, 0U) << name << " catches nothing";
  }
}

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const model::LockKind* kind : model::shipped_kinds())
    if (kind->is_taken()) names.emplace_back(kind->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Promises, testing::ValuesIn(names_of_kinds()), [](const auto& kind) {
  std::string name = kind.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Promises, AreOfEveryPropertyThatIsOnRequest) {
  for (const properties::PropertyInfo& one : properties::catalog) {
    const bool judged = std::any_of(promises.begin(), promises.end(), [&](const Promise& promise) {
      return promise.property == one.property;
    });
    // What only whole graphs show has a mutant of its own (test_request_mutants.h).
    EXPECT_TRUE(judged || !one.on_request || one.property == Property::no_starvation) << one.name;
  }
}

}  // namespace
}  // namespace lockstep::scenarios
