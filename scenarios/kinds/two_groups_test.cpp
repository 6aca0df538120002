// A kind of lock over two independent masters, in this file: held only by who holds it on both.
//
//   1. lock: SET NX PX on the first master through client 0: OK is half of it, nil a refusal.
//   2. The same on the second through client 1: OK grants it. Refused there, the first is given back.
//   3. unlock: the second and the first are deleted where the value is the holder's.
//
// A master that loses its data lets nobody in by itself, for the other still refuses; two that do let in a
// second holder.
#include <array>

#include "model/redisson/locks/plain.h"
#include "scenarios/kinds/test_in_sequence.h"
#include "scenarios/kinds/test_kinds.h"

namespace lockstep::scenarios {
namespace two_groups {

using model::Command;
using model::Intent;
using model::Item;
using model::Items;
using model::Meaning;
using model::Reply;
using model::Role;
using model::Word;
using model::Wording;

Command set(Wording& w) {
  return {"SET", w.purpose.lock, model::holder_of(w.purpose, w.setup),
          "NX",  "PX",           std::to_string(w.purpose.lease.count())};
}

Items read_set(const Reply& reply, Meaning taken) {
  return {Item{.what = reply.is_nil() ? Meaning::refused : taken, .wait = {}, .number = {}}};
}

Items read_release(const Reply& reply) {
  const bool deleted = reply.integer() != nullptr && *reply.integer() == 1;
  return {Item{.what = deleted ? Meaning::released : Meaning::not_holder, .wait = {}, .number = {}}};
}

constexpr std::array roles{
    Role{.name = "take-first",
         .intent = Intent::acquire,
         .read = [](const Reply& reply) { return read_set(reply, Meaning::partial); },
         .command = set},
    Role{.name = "take-second",
         .intent = Intent::acquire,
         .read = [](const Reply& reply) { return read_set(reply, Meaning::granted); },
         .command = set},
    Role{.name = "give-first",
         .intent = Intent::release,
         .read = read_release,
         .otherwise = "compare-and-delete"},
    Role{.name = "give-second",
         .intent = Intent::release,
         .read = read_release,
         .otherwise = "compare-and-delete"},
};
constexpr std::array keys{Word{"lock", [](Wording& w) { return w.purpose.lock; }}};
constexpr std::array args{Word{"token", [](Wording& w) { return model::holder_of(w.purpose, w.setup); }}};

std::optional<model::Truth> truth(std::span<const std::optional<model::Look>> groups, const model::Setup&,
                                  std::uint16_t, const std::string& lock) {
  std::optional<model::Hold> hold;
  bool everywhere = true;
  for (const auto& look : groups) {
    if (!look) return std::nullopt;
    const auto stored = (*look)(lock);
    const bool held = stored && stored->form == model::Stored::Form::string;
    const std::string holder = held ? std::string(stored->items.front().second) : "";
    everywhere = everywhere && held && (!hold || hold->holder == holder);
    if (!everywhere) return model::Truth{};
    if (!hold) hold = {holder, 1, stored->left};
    else if (stored->left && (!hold->left || *stored->left < *hold->left)) hold->left = stored->left;
  }
  return model::Truth{.holds = {*hold}, .queue = {}, .deadlines = {}};
}

const model::Shape string_on_each{.name = "the holder in a string on every master", .truth = truth};

const model::LockKind kind{.name = "two-groups",
                           .says = "SET NX PX on two masters",
                           .roles = roles,
                           .keys = keys,
                           .args = args,
                           .shape = &string_on_each,
                           .machine = &in_sequence::machine,
                           .library = &model::bare_library,
                           .promises = {.reentrant = false, .expires = true, .notices = in_sequence::pause},
                           .spread = model::Spread::all_groups};

constexpr const char* two_clients = R"([process.P]
count = 2
threads = [["lock orders lease=5s", "work 1s", "unlock orders"]]
)";

constexpr const char* one_tries = R"([process.A]
threads = [["lock orders lease=5s", "work 1s"]]
[process.B]
threads = [["start 500ms", "trylock orders"]]
)";

model::Setup on_two_masters(const std::string& text) {
  model::Setup setup = setup_of("[redis]\nmode = \"independent\"\nnodes = 2\n" + text);
  for (const lua::Script& script : shipped_scripts().scripts)
    if (script.role == "compare-and-delete") setup.scripts.roles[script.role] = script;
  return with_kind(std::move(setup), kind);
}

}  // namespace two_groups

TEST(TwoGroups, ExcludeEachOtherWhereNobodyLosesData) {
  const model::Setup setup = two_groups::on_two_masters(two_groups::two_clients);
  const CheckedKind found(setup);
  EXPECT_EQ(setup.libraries, (std::vector<const model::Library*>(2, &model::bare_library)));
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_TRUE(found.saw(Witness::contention));
  EXPECT_EQ(found.report.states, 170U);
  expect_the_same_without_reductions(setup);
}

TEST(TwoGroups, LetNobodyInIfOneOfThemLosesItsData) {
  const CheckedKind found(two_groups::on_two_masters(std::string(two_groups::two_clients) +
                                                     "[faults]\ncrash-node = 1\nrestart-node = 1\n"));
  EXPECT_EQ(found.violated(), "no-uncaught-exception");
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_TRUE(found.saw(Witness::node_crashed));
  EXPECT_EQ(found.report.states, 16'873U);
}

TEST(TwoGroups, LetASecondHolderInIfBothLoseTheirData) {
  const CheckedKind found(two_groups::on_two_masters(std::string(two_groups::one_tries) +
                                                     "[faults]\ncrash-node = 2\nrestart-node = 2\n"));
  EXPECT_EQ(found.violated(), "mutual-exclusion mutual-exclusion-within-lease no-uncaught-exception");
  EXPECT_EQ(found.report.states, 69'506U);
}

/// What is said of a program with a lock of this kind and a plain one on the second master.
std::string said_of(const std::string& name_of_the_plain_one) {
  model::Setup setup = setup_of(R"([redis]
mode = "independent"
nodes = 2
[process.A]
threads = [["lock orders", "lock )" + name_of_the_plain_one + " on=R1\"]]\n");
  setup.kinds = {&two_groups::kind, &redisson::plain};
  setup.objects.at(1).kind = 1;
  return model::complete(std::move(setup)).problem().text;
}

TEST(TwoGroups, AreNotSharedWithLocksThatAreStoredOrServedOtherwise) {
  EXPECT_EQ(said_of("orders"),
            "`orders` is used as a two-groups lock and as a plain lock, which are stored differently");
  EXPECT_EQ(said_of("stock"), "locks of bare and of redisson on the same servers");
}

}  // namespace lockstep::scenarios
