// A kind of lock that needs two requests for one grant, in this file: SETNX, then EXPIRE.
//
//   1. lock: SETNX of the key, whose value is the holder: 1 is half of it, 0 a refusal.
//   2. EXPIRE of the key: 1 grants it; 0, it is gone, fails.
//   3. unlock: DEL of the key, whoever holds it.
//
// Between 1. and 2. the key has no time to live: a crash there leaves it for ever.
#include <array>

#include "scenarios/kinds/test_in_sequence.h"
#include "scenarios/kinds/test_kinds.h"

namespace lockstep::scenarios {
namespace two_requests {

using model::Command;
using model::Intent;
using model::Item;
using model::Items;
using model::Meaning;
using model::Reply;
using model::Role;
using model::Wording;

Items by_integer(const Reply& reply, Meaning one, Meaning other) {
  if (reply.integer() == nullptr) return {Item{}};
  return {Item{.what = *reply.integer() == 1 ? one : other, .wait = {}, .number = {}}};
}

constexpr std::array roles{
    Role{.name = "set",
         .intent = Intent::acquire,
         .read = [](const Reply& reply) { return by_integer(reply, Meaning::partial, Meaning::refused); },
         .command =
             [](Wording& w) {
               return Command{"SETNX", w.purpose.lock, model::holder_of(w.purpose, w.setup)};
             }},
    Role{.name = "expire",
         .intent = Intent::acquire,
         .read = [](const Reply& reply) { return by_integer(reply, Meaning::granted, Meaning::failed); },
         .command =
             [](Wording& w) {
               return Command{"PEXPIRE", w.purpose.lock, std::to_string(w.purpose.lease.count())};
             }},
    Role{.name = "delete",
         .intent = Intent::release,
         .read = [](const Reply& reply) { return by_integer(reply, Meaning::released, Meaning::not_holder); },
         .command = [](Wording& w) { return Command{"DEL", w.purpose.lock}; }},
};

std::optional<model::Truth> truth(std::span<const std::optional<model::Look>> groups,
                                  const model::Setup& setup, std::uint16_t object, const std::string& lock) {
  const auto& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  const auto stored = (*look)(lock);
  model::Truth truth;
  if (stored && stored->form == model::Stored::Form::string)
    truth.holds.push_back({std::string(stored->items.front().second), 1, stored->left});
  return truth;
}

const model::Shape holder_in_a_string{.name = "the holder in a string", .truth = truth};

const model::LockKind kind{.name = "two-requests",
                           .says = "SETNX, then EXPIRE",
                           .roles = roles,
                           .keys = {},
                           .args = {},
                           .shape = &holder_in_a_string,
                           .machine = &in_sequence::machine,
                           .library = &model::bare_library,
                           .promises = {.reentrant = false, .expires = true, .notices = in_sequence::pause}};

constexpr const char* two_clients = R"([process.P]
count = 2
threads = [["lock orders lease=5s", "work 1s", "unlock orders"]])";

}  // namespace two_requests

TEST(TwoRequests, ExcludeEachOtherAndAreStoredWithoutATimeToLiveInBetween) {
  const model::Setup setup = with_kind(setup_of(two_requests::two_clients), two_requests::kind);
  const CheckedKind found(setup);
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_TRUE(found.proves(Property::granted_in_time));
  EXPECT_TRUE(found.saw(Witness::contention));
  EXPECT_EQ(found.violated(), "lock-has-ttl");
  EXPECT_EQ(found.report.states, 149U);
  expect_the_same_without_reductions(setup);
}

TEST(TwoRequests, LeaveTheLockForEverIfTheirSenderDiesInBetween) {
  const CheckedKind found(
      with_kind(setup_of(std::string(two_requests::two_clients) + "\n[faults]\ncrash-process = 1\n"),
                two_requests::kind));
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_EQ(found.violated(), "lock-has-ttl free-after-crash nothing-left-behind calls-return");
  EXPECT_EQ(found.report.states, 951U);
}

TEST(TwoRequests, OfAHolderWhoseLeaseIsOverTakeTheLockFromAnother) {
  const CheckedKind found(with_kind(setup_of(R"([process.P]
count = 2
threads = [["lock orders lease=500ms", "work 700ms", "unlock orders"]])"),
                                    two_requests::kind));
  EXPECT_EQ(found.violated(), "mutual-exclusion owner-only lock-has-ttl no-uncaught-exception");
}

}  // namespace lockstep::scenarios
