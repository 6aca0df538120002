// A kind of lock whose reply is a list with a token, in this file; all else is taken from the plain lock.
//
//   1. lock: as the plain lock, with a counter beside it. Granted: the list of 0 and the next number, which
//      is the token. Refused: the list of the remaining time and 0.
//   2. unlock, renew, waiting: those of the plain lock. The counter stays.
//
// The token of a later holder is the greater one, so a resource may tell that an earlier one is late.
#include <array>

#include <gmock/gmock.h>

#include "lua/sha1.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/waiting.h"
#include "scenarios/kinds/test_kinds.h"

namespace lockstep::scenarios {
namespace with_token {

using model::Intent;
using model::Item;
using model::Items;
using model::Meaning;
using model::Reply;
using model::Role;
using model::Word;
using model::Wording;

constexpr std::string_view script =
    "if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[2]) == 0 then "
    "return {redis.call('pttl', KEYS[1]), 0}; end; "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); "
    "return {0, redis.call('incr', KEYS[2])};";

Items read(const Reply& reply) {
  const Reply::Array* list = reply.array();
  if (list == nullptr || list->size() != 2) return {Item{}};
  const std::int64_t left = *(*list)[0].integer(), token = *(*list)[1].integer();
  if (token > 0) return {Item{.what = Meaning::granted, .wait = {}, .number = token}};
  return {Item{.what = Meaning::refused, .wait = sim::Duration{left}, .number = {}}};
}

std::string token_key(const std::string& lock) { return "token:" + lock; }

constexpr std::array roles{
    Role{.name = "lock-with-token", .intent = Intent::acquire, .read = read},
    Role{.name = "unlock", .intent = Intent::release, .read = redisson::read_release},
    Role{.name = "renew", .intent = Intent::renew, .read = redisson::read_renewal},
};
const std::array keys{redisson::plain_keys()[0], redisson::plain_keys()[1],
                      Word{"token", [](Wording& w) { return token_key(w.purpose.lock); }}};

const model::LockKind kind{.name = "with-token",
                           .says = "the plain lock with a token for each grant",
                           .roles = roles,
                           .keys = keys,
                           .args = redisson::plain_args(),
                           .shape = &redisson::hash_of_holders,
                           .machine = &redisson::waiting,
                           .library = &redisson::library,
                           .promises = {},
                           .stays = [](std::string_view key) { return key.starts_with("token:"); }};

model::Setup two_clients(const std::string& program) {
  model::Setup setup = setup_of("[process.P]\ncount = 2\nthreads = [[" + program + "]]\n");
  lua::Script& lock = setup.scripts.roles["lock-with-token"] = setup.scripts.roles.at("lock");
  lock.text = script;
  lock.sha1 = lua::sha1_hex(lock.text);
  lock.keys = {"lock", "token"};
  return with_kind(std::move(setup), kind);
}

/// "P-1.1: was given the token 1"
std::vector<std::string> tokens_in(const sim::Trace& trace) {
  std::vector<std::string> told;
  for (const sim::TraceEvent& event : trace.events)
    if (event.kind == sim::TraceKind::note) told.push_back(event.who + ": " + event.act);
  return told;
}

}  // namespace with_token

TEST(WithToken, ExcludeEachOtherAndLeaveNothingButTheirCounter) {
  const model::Setup setup = with_token::two_clients(R"("lock orders", "work 1s", "unlock orders")");
  const CheckedKind found(setup);
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_TRUE(found.proves(Property::nothing_left_behind));
  EXPECT_TRUE(found.saw(Witness::woken_by_message));
  EXPECT_EQ(found.report.states, 99U);
  expect_the_same_without_reductions(setup);
}

TEST(WithToken, AreToldApartByTheirTokensWhereALeaseIsTooShort) {
  const model::Setup setup =
      with_token::two_clients(R"("lock orders lease=1s", "work 2s", "unlock orders", "expect exception")");
  const CheckedKind found(setup);
  EXPECT_EQ(found.violated(), "mutual-exclusion expectations");
  EXPECT_EQ(found.report.states, 70U);
  const auto& trail = found.result(Property::mutual_exclusion).trail;
  ASSERT_TRUE(trail.has_value());
  EXPECT_THAT(with_token::tokens_in(properties::tell(setup, *trail).trace),
              testing::ElementsAre("P-1.1: was given the token 1", "P-2.1: was given the token 2"));
}

}  // namespace lockstep::scenarios
