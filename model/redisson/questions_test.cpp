// is-held, is-locked and plain commands: calls that are one request and its answer; and settings that each
// process has for itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/client/complete.h"
#include "model/client/outside.h"
#include "model/redisson/driven_process.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;

Reply integer(std::int64_t value) { return Reply{value}; }

Driven asking(StepKind question) { return Driven(setup_for({{{call(question), lock()}}})); }

/// A process that sends `GET orders` as an operator would.
Setup commanding() {
  auto setup = setup_for({{{lock()}}});
  setup.objects.push_back({.kind = model::number_of(model::operator_commands), .name = {}});
  setup.threads[0].program = {{.kind = StepKind::command, .object = 3, .words = {"GET", "orders"}}, lock()};
  return *model::complete(std::move(setup));
}

TEST(Questions, AreOnePlainCommandAndItsAnswer) {
  Driven held = asking(StepKind::is_held);
  held.run();
  EXPECT_THAT(held.last_request().args, ElementsAre("HEXISTS", "orders", "id-of-A:1"));
  EXPECT_FALSE(held.can_run(0));
  held.answer(integer(1)).run();
  EXPECT_EQ(held.returned(), Answer::yes);
  Driven locked = asking(StepKind::is_locked);
  locked.run();
  EXPECT_THAT(locked.last_request().args, ElementsAre("EXISTS", "orders"));
  locked.answer(integer(0)).run();
  EXPECT_EQ(locked.returned(), Answer::no);
}

/// A thread that makes this call on a half of a read/write lock.
Driven asking_half(const char* half, StepKind question) {
  auto setup = setup_for({{{call(question)}}});
  setup.threads[0].program[0].object = static_cast<std::uint16_t>(setup.objects.size());
  setup.objects.push_back({.kind = model::number_of(*model::find_kind(half)), .name = "orders"});
  return Driven(std::move(setup));
}

TEST(Questions, AboutAHalfAskForItsHolderAndForItsMode) {
  const std::vector<std::pair<const char*, std::string>> halves{{"read", "id-of-A:1"},
                                                                {"write", "id-of-A:1:write"}};
  for (const auto& [half, holder] : halves) {
    Driven held = asking_half(half, StepKind::is_held);
    held.run();
    EXPECT_THAT(held.last_request().args, ElementsAre("HEXISTS", "orders", holder));
    for (const std::string mode : {"read", "write"}) {
      Driven locked = asking_half(half, StepKind::is_locked);
      locked.run();
      EXPECT_THAT(locked.last_request().args, ElementsAre("HGET", "orders", "mode"));
      locked.answer(Reply{mode}).run();
      EXPECT_EQ(locked.returned(), mode == half ? Answer::yes : Answer::no) << half << " " << mode;
    }
  }
}

TEST(Halves, FillTheWordsOfLaterUnlocksAsThePlainLockDoes) {
  for (const char* half : {"read", "write"}) {
    auto setup = setup_for({{{call(StepKind::unlock)}}});
    setup.threads[0].program[0].object = static_cast<std::uint16_t>(setup.objects.size());
    setup.objects.push_back({.kind = model::number_of(*model::find_kind(half)), .name = "orders"});
    lua::Script& unlock = setup.scripts.roles[std::string(half) + "-unlock"] = setup.scripts.roles["unlock"];
    unlock.keys = {"latch"};
    unlock.args = {"publish", "latch-time", "request"};
    setup.scripts.roles["unlock"] = unlock;
    Driven process(setup);
    process.run();
    setup.objects[3].kind = 0;
    Driven plain(setup);
    plain.run();
    EXPECT_EQ(process.last_request().keys, plain.last_request().keys) << half;
    EXPECT_EQ(process.last_request().args, plain.last_request().args) << half;
  }
}

TEST(Questions, AreAskedAgainWithoutAnAnswerAndThrowInTheEnd) {
  Driven process = asking(StepKind::is_held);
  process.run();
  for (int send = 0; send < 4; ++send) process.pass(3s).time_out();
  EXPECT_TRUE(process.pending().empty());
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Questions, AreNotNoticedByAnInterrupt) {
  Driven process = asking(StepKind::is_held);
  process.run();
  EXPECT_FALSE(interruptible(process.process(), setup_for({{{call(StepKind::is_held)}}}), ThreadId{0}));
}

TEST(Questions, AboutALockThatIsStoredAsAStringAreRefused) {
  auto setup = setup_for({{{lock()}}});
  setup.scripts.stored = "value of a string";
  setup.threads[0].program = {call(StepKind::is_held)};
  EXPECT_FALSE(model::complete(setup).ok());
  setup.threads[0].program = {call(StepKind::is_locked)};
  EXPECT_TRUE(model::complete(setup).ok());
}

TEST(Commands, OfAnOperatorAreSentOnceAsTheyStand) {
  Driven process(commanding());
  process.run();
  EXPECT_THAT(process.last_request().args, ElementsAre("GET", "orders"));
  process.pass(3s).time_out();
  EXPECT_TRUE(process.pending().empty()) << "it is not sent again";
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Commands, AreAnsweredNoByNothingAndByZero) {
  const std::vector<std::pair<Reply, Answer>> answers{{Reply{}, Answer::no},
                                                      {integer(0), Answer::no},
                                                      {integer(2), Answer::yes},
                                                      {Reply{std::string("0")}, Answer::yes},
                                                      {Reply{Reply::Array{}}, Answer::yes},
                                                      {Reply{lua::Error{"ERR no"}}, Answer::exception}};
  for (const auto& [reply, answer] : answers) {
    Driven process(commanding());
    process.run().answer(reply).run();
    EXPECT_EQ(process.returned(), answer) << model::show_reply(reply);
  }
}

TEST(OwnSettings, OfAProcessAreNotThoseOfTheScenario) {
  auto setup = setup_for({{{lock()}}});
  setup.processes[0].own = model::ClientSetup{setup.scripts, setup.client};
  setup.processes[0].own->redisson.watchdog = 9s;
  setup.processes[0].own->redisson.response_timeout = 1s;
  setup.processes[0].own->redisson.retry_attempts = 0;
  setup.processes[0].own->scripts.roles.at("lock").sha1 = "mine";
  setup.use_script_cache = true;
  Driven process(setup);
  process.run();
  EXPECT_THAT(process.sent(), ElementsAre("lock 9000"));
  EXPECT_EQ(words_of(process.last_request(), setup).at(1), "mine");
  process.pass(1s).time_out();
  EXPECT_TRUE(process.pending().empty());
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(OwnScripts, ThatStoreLocksDifferentlyAreRefused) {
  auto setup = setup_for({{{lock()}}, {{lock()}}});
  setup.processes[1].own = model::ClientSetup{setup.scripts, setup.client};
  setup.processes[1].own->scripts.name = "mine";
  setup.processes[1].own->scripts.stored = "value of a string";
  const auto completed = model::complete(setup);
  ASSERT_FALSE(completed.ok());
  EXPECT_THAT(completed.problem().text, testing::HasSubstr("mine store locks differently"));
}

TEST(OwnScripts, NeedEveryRoleThatTheirProcessUses) {
  auto setup = setup_for({{{lock()}}, {{unlock()}}});
  setup.processes[1].own = model::ClientSetup{setup.scripts, setup.client};
  setup.processes[1].own->scripts.roles.erase("lock");
  EXPECT_TRUE(model::complete(setup).ok()) << "it takes no lock";
  setup.processes[1].own->scripts.roles.erase("unlock");
  EXPECT_FALSE(model::complete(setup).ok());
}

}  // namespace
}  // namespace lockstep::redisson
