// The watchdog beside a read/write lock, driven by hand: which half is renewed, for whom, by which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

const Reply read_on, list_of_one{Reply::Array{Reply{std::int64_t{1}}}},
    list_of_none{Reply::Array{Reply{std::int64_t{0}}}}, zero{std::int64_t{0}}, one_left{std::int64_t{1}};

lua::Script script_with(const std::string& role, Words keys, Words args) {
  lua::Script script;
  script.role = role;
  script.text = "return nil";
  script.keys = std::move(keys);
  script.args = std::move(args);
  return script;
}

/// Threads of one process; object 0 is the read half of `orders`, 1 the write half, 2 the read half of
/// `stock`.
Driven reading(std::string_view version, std::vector<std::vector<model::Step>> threads, Words renewal_keys,
               Words renewal_args) {
  model::Setup setup = setup_for({std::move(threads)});
  setup.client = *settings_of(version);
  setup.objects = {{.name = "orders"}, {.name = "orders"}, {.name = "stock"}};
  setup.objects[0].kind = setup.objects[2].kind = model::number_of(*model::find_kind("read"));
  setup.objects[1].kind = model::number_of(*model::find_kind("write"));
  auto& roles = setup.scripts.roles;
  roles["read-renew"] = script_with("read-renew", std::move(renewal_keys), std::move(renewal_args));
  for (const std::string half : {"read", "write"}) {
    roles[half + "-lock"] = script_with(half + "-lock", {"lock"}, {"lease", "holder"});
    roles[half + "-unlock"] = script_with(half + "-unlock", {"lock"}, {"holder"});
  }
  return Driven(setup);
}

Driven& taken(Driven& process, std::size_t thread = 0) {
  return process.run(thread).answer(read_on).run(thread);
}

TEST(RenewalOfReaders, NamesEachLockWithThePrefixOfItsKeys) {
  Driven process =
      reading("4.0.0", {{lock(), lock({.object = 2})}}, {"locks", "prefixes"}, {"lease", "holders"});
  taken(taken(process)).pass(10s).sent();
  process.fire_timer();
  EXPECT_EQ(process.sent(), (Words{"read-renew 30000"}));
  EXPECT_THAT(process.last_request().keys, ElementsAre("orders", "{orders}", "stock", "{stock}"));
  EXPECT_THAT(process.last_request().args, ElementsAre("30000", "id-of-A:1", "id-of-A:1"));
}

TEST(RenewalOfReaders, IsOfAllThreadsOfTheClientSince440AndOfTheFirstBefore) {
  const auto sent = [](Words args) {
    Driven process =
        reading("4.4.0", {{lock(), lock({.object = 2})}, {lock()}}, {"locks", "prefixes"}, std::move(args));
    taken(taken(taken(process)), 1).pass(10s).fire_timer();
    EXPECT_THAT(process.last_request().keys, ElementsAre("orders", "{orders}", "stock", "{stock}"));
    return process.last_request().args;
  };
  EXPECT_THAT(sent({"lease", "counts", "holders"}),
              ElementsAre("30000", "2", "id-of-A:1", "id-of-A:2", "1", "id-of-A:1"));
  EXPECT_THAT(sent({"lease", "holders"}), ElementsAre("30000", "id-of-A:1", "id-of-A:1"));
}

TEST(RenewalOfReaders, AZeroTakesOneHoldOffEachThreadThatItWasFor) {
  Driven process =
      reading("4.7.0", {{lock(), lock()}, {lock()}}, {"locks", "prefixes"}, {"lease", "counts", "holders"});
  taken(taken(taken(process)), 1).pass(10s).fire_timer().answer(list_of_none);
  ASSERT_EQ(process.own().watchdog.readers.size(), 1U);
  const auto& holds = process.own().watchdog.readers.at("orders").holds;
  ASSERT_EQ(holds.size(), 1U) << "the other thread had one hold only";
  EXPECT_EQ(holds.at(0), std::pair(ThreadId{0}, 1U));
}

TEST(RenewalOfReaders, HasATaskBesideThatOfTheWriter) {
  Driven process = reading("3.46.0", {{lock({.object = 1}), lock(), unlock({.object = 1})}},
                           {"locks", "prefixes"}, {"lease", "holders"});
  taken(taken(process));
  EXPECT_EQ(process.own().watchdog.timers.size(), 2U);
  process.run().answer(one_left).run();
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_EQ(process.own().watchdog.readers.size(), 1U) << "who stops writing reads on, and is renewed";
  process.pass(10s).sent();
  process.fire_timer(1);
  EXPECT_EQ(process.sent(), (Words{"read-renew 30000"}));
  process.answer(list_of_one);
  EXPECT_EQ(process.own().watchdog.running.count("read-renew"), 1U);
}

TEST(RenewalOfReaders, KeepsAThreadThatReadTwiceUpTo46) {
  for (const std::string_view version : {"4.4.0", "4.7.0"}) {
    Driven process =
        reading(version, {{lock(), lock(), unlock(), unlock()}}, {"locks", "prefixes"}, {"lease", "holders"});
    taken(taken(process)).run().answer(one_left).run().run().answer(one_left).run();
    EXPECT_EQ(process.own().watchdog.readers.size(), version == "4.4.0" ? 1U : 0U) << version;
  }
}

TEST(RenewalOfReaders, FollowsTheZeroOfAWriterFrom3171To343) {
  for (const std::string_view version : {"3.17.0", "3.17.1"}) {
    Driven process = reading(version, {{lock({.object = 1}), lock(), unlock({.object = 1})}},
                             {"lock", "prefix"}, {"lease", "holder"});
    taken(taken(process)).run().answer(one_left).run().pass(10s).sent();
    process.fire_timer().answer(zero);
    const bool follows = version == "3.17.1";
    EXPECT_EQ(process.sent(), (follows ? Words{"renew 30000", "read-renew 30000"} : Words{"renew 30000"}));
    if (!follows) continue;
    process.answer(one_left);
    ASSERT_EQ(process.own().watchdog.timers.size(), 1U);
    EXPECT_EQ(process.own().watchdog.timers.at(0).object, 1U) << "the writer is asked first again";
  }
}

}  // namespace
}  // namespace lockstep::redisson
