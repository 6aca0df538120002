// Reading the normal form of any scenario gives an equal Setup, and the normal form of that is the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

template <class T>
T pick(std::initializer_list<T> words) {
  return *rc::gen::elementOf(std::vector<T>(words));
}

std::string any_call() {
  const std::string lock = pick<std::string>({"a", "b", "plain:k:1", "n#fresh"});
  const std::string via = pick<std::string>({"", " via=h1", " via=h2"});
  switch (*rc::gen::inRange(0, 5)) {
    case 0: return "lock " + lock + pick<std::string>({"", " lease=3s"}) + via;
    case 1: return "trylock " + lock + pick<std::string>({"", " wait=1m", " wait=10ms lease=500ms"}) + via;
    case 2: return "unlock " + lock + via;
    case 3: return "force-unlock " + lock;
    default: return "lock-interruptibly " + lock;
  }
}

std::string any_step(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 6 : 5)) {
    case 0:
      return pick<std::string>({"work 1s", "think 0..50ms", "work 2000ms..3s", "signal go", "signal stop"});
    case 1: return any_call() + "; " + pick<std::string>({"expect true", "expect exception"});
    case 5: {
      std::string body;
      for (int i = *rc::gen::inRange(1, 4); i > 0; --i) body += any_step(depth - 1) + (i > 1 ? "; " : " ");
      return fmt::format("repeat {} {{ {}}}", *rc::gen::inRange(1, 100), body);
    }
    default: return any_call();
  }
}

std::string any_program() {
  std::string out = pick<std::string>({"", "\"start 0..5s\", "});
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) out += fmt::format("\"{}\", ", any_step(2));
  return fmt::format("[{}]", out);
}

std::string any_processes() {
  std::string out;
  for (const char* name : {"A", "B-1", "W", "Z9"}) {
    if (*rc::gen::inRange(0, 3) == 0 && !out.empty()) continue;
    std::string threads;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      const std::string program = any_program();
      const int count = *rc::gen::inRange(1, 4);
      threads += count == 1 ? program + ", " : fmt::format("{{ count = {}, steps = {} }}, ", count, program);
    }
    out += fmt::format("[process.{}]\nthreads = [{}]\n", name, threads);
    out += pick<std::string>({"", "count = 12\n", "clock = \"-400ms\"\n", "clock = \"+2s\"\n"});
  }
  return out;
}

std::string any_scenario() {
  std::string out = "format = 1\n";
  out += pick<std::string>({"", "name = \"plain/x\"\n", "about = \"some \\\"prose\\\"\"\n"});
  out += pick<std::string>({"", "scripts = \"redisson@3.12.3\"\n", "scripts = { lock = \"my/lock.lua\" }\n"});
  out +=
      pick<std::string>({"", "[time]\nnetwork = \"0..50ms\"\n", "[time]\nnetwork = \"any\"\nheld_max = 2\n",
                         "[time]\nhorizon = \"2m\"\nepoch = 1999-12-31T23:59:59.999Z\n"});
  out += pick<std::string>(
      {"", "[redisson]\nmutant = \"permit-ignored\"\n", "[redisson]\nversion = \"3.10.7\"\n"});
  out += any_processes();
  out += "[redis]\nmode = \"replicated\"\nnodes = 3\n";
  out += pick<std::string>({"", "expiry = \"lazy\"\n", "persistence = \"snapshot\"\n",
                            "persistence = \"snapshot\"\nsave = \"900 1 300 10\"\n",
                            "persistence = \"append-only\"\nfsync = \"no\"\n"});
  out += pick<std::string>({"", "[redis.clock]\nR1 = \"+400ms\"\n"});
  out += pick<std::string>({"", "[redis.drift]\nR1 = \"-200ppm\"\n"});
  out += "[faults]\n";
  out += pick<std::string>({"", "crash-node = 1\nfailover = 1\n",
                            "failover-needs-dead-master = true\nlearn = \"2s\"\n",
                            "clock-jump = 1\nclock-jumps = [\"-5s\"]\n"});
  out += pick<std::string>({"", "fixed = [\"crash R0 at 10s\", \"failover R1 at 12s\"]\n"});
  out += pick<std::string>({"", "[expect]\nmutual-exclusion = \"holds\"\nsometimes = [\"expired\"]\n"});
  out += pick<std::string>({"", "[bounds]\ngrant = \"250ms\"\n"});
  return out;
}

RC_GTEST_PROP(Normalise, ReadingTheNormalFormGivesAnEqualSetup, ()) {
  const std::string text = any_scenario();
  const auto setup = read_scenario(text, "x.toml", test_library(), test_vocabulary());
  if (!setup.ok()) RC_FAIL(text + "\n" + setup.problem().text);
  const std::string normal = normalised(*setup);
  const auto again = read_scenario(normal, "x.toml", test_library(), test_vocabulary());
  if (!again.ok()) RC_FAIL(normal + "\n" + again.problem().text);
  RC_ASSERT(*again == *setup);
  RC_ASSERT(normalised(*again) == normal);
}

}  // namespace
}  // namespace lockstep::scenarios
