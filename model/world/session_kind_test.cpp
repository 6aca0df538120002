// A kind of server whose sessions end unasked, a kind of lock that is held by a session, and a bare library
// that hears of the end: all of them known to this test only.
//
//   1. A process has one connection, its session. It ends ten seconds after the last request on it, or with
//      the process.
//   2. TAKE key holder: the key is the session's if it is free: 1, else 0. GIVE key: it is free: 1; it was
//      not the session's: 0.
//   3. When a session ends, what it holds is free at once. Its client learns of it by the end of the
//      connection, which may be late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "model/client/bare_library.h"
#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

struct Sessions {
  static constexpr std::string_view kind = "sessions";

  struct Session {
    sim::WallTimer left;
    std::map<std::string, std::string> held;  // by key: as whom
    bool operator==(const Session&) const = default;
    static auto fields(auto& s) { return std::tie(s.left, s.held); }
  };
  std::map<ProcessId, Session> all;

  bool operator==(const Sessions&) const = default;
  static auto fields(auto& s) { return std::tie(s.all); }
};

/// Whose session holds the key.
std::optional<ProcessId> owner(const Sessions& sessions, const std::string& key) {
  for (const auto& [process, session] : sessions.all)
    if (session.held.contains(key)) return process;
  return std::nullopt;
}

Served serve_session(Server& server, ConnectionId from, const Command& words, const Serving&) {
  auto& sessions = server.write<Sessions>();
  Sessions::Session& session = sessions.all[process_of(from)];
  session.left = {10s};
  Served served;
  served.reply = Reply{std::int64_t{0}};
  if (words.front() == "TAKE" && !owner(sessions, words[1])) {
    session.held[words[1]] = words[2];
    served.reply = Reply{std::int64_t{1}};
  } else if (words.front() == "GIVE") {
    served.reply = Reply{static_cast<std::int64_t>(session.held.erase(words[1]))};
  }
  return served;
}

Unasked pass_for_sessions(Server& server, Duration passed) {
  auto& sessions = server.write<Sessions>();
  sim::pass(sessions, sim::Passed::alike(passed));
  Unasked unasked;
  for (const auto& [process, session] : sessions.all) {
    if (!session.left.due()) continue;
    unasked.closed.push_back(process);
    for (const auto& [key, holder] : session.held) unasked.gone.push_back({key, {}});
  }
  for (const ProcessId process : unasked.closed) sessions.all.erase(process);
  return unasked;
}

std::optional<Stored> find_held(const void* server, const std::string& key) {
  const auto& sessions = *static_cast<const Sessions*>(server);
  const auto by = owner(sessions, key);
  if (!by) return std::nullopt;
  const Sessions::Session& session = sessions.all.at(*by);
  return Stored{Stored::Form::string, {{"", session.held.at(key)}}, session.left.left};
}

const ServerKind sessions_kind{
    .name = Sessions::kind,
    .sessions = true,
    .make = [](const ServerSettings&) -> Server { return Sessions{}; },
    .serve = serve_session,
    .disconnect = [](Server& server, ProcessId process) { server.write<Sessions>().all.erase(process); },
    .disconnect_all = [](Server& server) { server.write<Sessions>() = {}; },
    .restart = [](Server&, Persistence) {},
    .pass = pass_for_sessions,
    .jump = [](Server&, Duration) { return Unasked{}; },
    .counts_down = [](const Server& server) { return server.counts_down(); },
    .next_change = [](const Server& server) { return server.next_deadline(); },
    .leads = [](const Server&) { return true; },
    .look = [](const Server& server) -> Look {
      return {&server.get<Sessions>(), find_held, [](const void*) { return std::vector<std::string>{}; }};
    },
    .left_behind = [](const Server&, const Excused&) { return std::optional<std::string>{}; },
    .changes = [](const std::string&, const Server&, const Server&) { return std::vector<sim::KeyChange>{}; },
    .quoted = [](const std::string& word) { return word; },
    .faults = {}};

/// Where a call is: it asks once.
struct AskedOnce {
  static constexpr std::string_view kind = "asked-once";
  std::optional<Answer> answer;
  bool operator==(const AskedOnce&) const = default;
  static auto fields(auto& a) { return std::tie(a.answer); }
};

const Machine asking_once{
    .name = "asking-once",
    .invoke =
        [](Caller caller, const Step& step) {
          caller.call().state = AskedOnce{};
          const bool takes = is_acquire(step.kind);
          if (!takes) caller.context.out.seen.push_back(Yielded{caller.id, caller.call().lock});
          send(caller, takes ? Intent::acquire : Intent::release, Duration::zero());
        },
    .may_resume =
        [](const Process& process, const Setup& setup, ThreadId thread) {
          const Call& call = *process.threads[setup.threads[thread.index()].place].call;
          return call.state.get<AskedOnce>().answer.has_value();
        },
    .resume = [](Caller caller) { return_from_call(caller, *caller.in<AskedOnce>().answer); },
    .answered =
        [](Caller caller, const Request&, const Items& items, bool) {
          const bool served = says(items, Meaning::granted) || says(items, Meaning::released);
          caller.in<AskedOnce>().answer = served ? Answer::yes : Answer::no;
        }};

/// A bare library, but for one thing: when its session has ended, what its threads hold is lost.
const Library hearing = [] {
  Library library = bare_library;
  library.name = "hearing";
  library.closed = [](ClientStep step) {
    const Setup& setup = step.context.setup;
    for (const ThreadId thread : setup.processes[step.context.self.index()].threads)
      step.context.out.seen.push_back(Yielded{thread, "orders", true});
  };
  return library;
}();

std::string me(const Purpose& purpose, const Setup& setup) {
  return holder_name(setup, purpose.thread, purpose.incarnation, purpose.client);
}

Items say(Meaning what) { return {{.what = what, .wait = {}, .number = {}}}; }

constexpr std::array session_roles{
    Role{.name = "take",
         .intent = Intent::acquire,
         .read = [](const Reply& r) { return say(*r.integer() == 1 ? Meaning::granted : Meaning::refused); },
         .command =
             [](Wording& wording) {
               return Command{"TAKE", wording.purpose.lock, me(wording.purpose, wording.setup)};
             }},
    Role{.name = "give",
         .intent = Intent::release,
         .read =
             [](const Reply& r) { return say(*r.integer() == 1 ? Meaning::released : Meaning::not_holder); },
         .command = [](Wording& wording) { return Command{"GIVE", wording.purpose.lock}; }},
};

const Shape kept_by_a_session{
    .name = "kept by a session",
    .truth = [](std::span<const std::optional<Look>> groups, const Setup& setup, std::uint16_t object,
                const std::string& lock) -> std::optional<Truth> {
      const auto& look = groups[setup.objects[object].group.index()];
      if (!look) return std::nullopt;
      const auto stored = (*look)(lock);
      if (!stored) return Truth{};
      return Truth{{{.holder = std::string(stored->items[0].second), .count = 1, .left = stored->left}}, {}};
    }};

const LockKind by_session{.name = "session",
                          .says = "held by a session",
                          .roles = session_roles,
                          .keys = {},
                          .args = {},
                          .shape = &kept_by_a_session,
                          .machine = &asking_once,
                          .library = &hearing};

Setup in_sessions(const std::vector<Programs>& processes, const LockKind* kind = &by_session) {
  Setup setup = setup_for(processes);
  setup.kinds = {kind};
  setup.nodes[0].kind = &sessions_kind;
  return *complete(std::move(setup));
}

bool holds(const Led& world, std::size_t thread) {
  return world.facts().held_by(0, "orders", sim::make_id<ThreadId>(thread));
}

TEST(Sessions, HoldLocksUntilTheyAreGivenBack) {
  Led world(in_sessions({{{try_lock(), work(3s), unlock()}}}));
  world("run A1")("request A/0 -> R0");
  EXPECT_TRUE(holds(world, 0));
  world.until(60s);
  EXPECT_EQ(world.answers(0), (std::vector{Answer::yes, Answer::yes}));
  EXPECT_FALSE(holds(world, 0));
}

TEST(Sessions, EndUnaskedAndTheirClientsHearOfIt) {
  Led world(in_sessions({{{try_lock(), work(30s), unlock()}}}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(10s);
  EXPECT_FALSE(holds(world, 0));
  EXPECT_TRUE(world.all<Yielded>().empty()) << "it has not arrived";
  EXPECT_TRUE(world.link(0, 0).listening);
  world("push R0 -> A");
  EXPECT_EQ(world.all<Yielded>().size(), 1U);
  EXPECT_EQ(world.tracer().events().at(world.tracer().events().size() - 2).act, "the connection is closed");
  EXPECT_FALSE(world.link(0, 0).listening || world.can("reconnect A to R0"));
  world.until(60s);
  EXPECT_EQ(world.answers(0), (std::vector{Answer::yes, Answer::no})) << "the new session does not hold it";
}

TEST(Sessions, MayHaveEndedBeforeTheirClientKnows) {
  auto setup = in_sessions({{{try_lock(), work(30s), unlock()}}, {{work(12s), try_lock(), unlock()}}});
  Led world(with(std::move(setup), {"delay-message"}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(10s);
  world("hold-push R0 -> A").until(12s);
  world("run B1")("request B/0 -> R0")("reply R0 -> B/0")("run B1");
  EXPECT_TRUE(holds(world, 1));
  EXPECT_EQ(world.all<Gained>().size(), 2U);
  EXPECT_TRUE(world.all<Yielded>().empty()) << "A still believes it holds the lock";
}

TEST(Sessions, EndWithTheirProcessAlsoIfNothingIsUnderWay) {
  Led world(with(in_sessions({{{try_lock(), work(3s), unlock()}}}), {"crash-process"}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0");
  EXPECT_TRUE(holds(world, 0));
  world("crash A");
  EXPECT_TRUE(world.world().nodes[0]->get<Sessions>().all.empty());
}

TEST(Sessions, OfALibraryThatHearsNothingAreBegunAnew) {
  LockKind deaf = by_session;
  deaf.library = &bare_library;
  Led world(in_sessions({{{try_lock(), work(30s), unlock()}}}, &deaf));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(10s);
  world("push R0 -> A")("reconnect A to R0");
  EXPECT_TRUE(world.all<Yielded>().empty());
}

TEST(Sessions, AreRenamedWithTheirProcesses) {
  Led world(in_sessions({{{try_lock(), unlock()}}, {{try_lock(), unlock()}}}));
  world("run A1")("request A/0 -> R0");
  sim::Names names{.processes = {ProcessId{1}, ProcessId{0}}};
  World renamed = world.world();
  renamed.rename(sim::Renaming(names));
  EXPECT_EQ(owner(renamed.nodes[0]->get<Sessions>(), "orders"), ProcessId{1});
}

}  // namespace
}  // namespace lockstep::model
