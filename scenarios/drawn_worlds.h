// drawn_worlds.h: small scenarios with any faults, drawn from a seed, to judge reductions by.
//
// Nothing is calm here, unlike in generated_prop.cpp: leases run out, watchdogs are short, two kinds of
// faults meet, messages take their time. What the verdicts are does not matter, only that two ways of
// searching agree.
#pragma once

#include <string>

#include <fmt/format.h>

#include "sim/base/random.h"

namespace lockstep::scenarios {

class DrawnWorld {
 public:
  /// Seeds from here on draw the halves of a read/write lock.
  static constexpr std::uint64_t halves = 1'000;

  explicit DrawnWorld(std::uint64_t seed) : random_(seed), halves_(seed >= halves) {}

  std::string text() {
    const std::uint64_t shape = random_.below(6);  // threads of each process
    std::string text;
    if (shape < 2) text = process("A", 1, 1);
    else if (shape == 2) text = process("A", 1, 2);
    else if (shape == 3) text = process("A", 2, 1);
    else if (shape == 4) text = process("A", 1, 1) + process("B", 1, 1);
    else text = process("A", 1, 1) + "[process.B]\nthreads = [[\"think 0s\"]]\n";
    replicated_ = chance(2);
    if (replicated_) text += "[redis]\nmode = \"replicated\"\nnodes = 2\n";
    else text += "[redis]\n";
    if (chance(6)) text += "script-cache = true\n";
    if (chance(4)) text += "persistence = \"append-only\"\n";
    if (chance(5)) text += "expiry = \"lazy\"\n";
    text += time();
    text += fmt::format("[redisson]\nresponse-timeout = \"{}\"\nretry-attempts = {}\n",
                        chance(2) ? "3s" : "1s", random_.below(2));
    return text + faults();
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(random_.below(choices.size())));
  }

  std::string program() {
    const auto half = [&] { return one_of({"read:a", "read:a", "write:a"}); };
    const std::string lock = halves_ ? half() : chance(5) ? "b" : "a";
    std::string steps;
    if (chance(4)) steps += one_of({"\"start 1s\", ", "\"start 0..1s\", "});
    const std::string call = one_of({"lock ", "lock ", "trylock ", "lock-interruptibly "});
    const std::string lease = one_of({"", "", " lease=2s", " lease=10s"});
    const bool tries = call == "trylock ";
    const std::string wait = tries && (!lease.empty() || chance(2)) ? " wait=2s" : "";
    steps += "\"" + call + lock + wait + lease + "\"";
    if (!chance(3)) steps += one_of({", \"work 3s\"", ", \"work 1s\"", ", \"work 5s\""});
    const std::string inner = halves_ ? half() : lock;
    if (chance(6)) steps += ", \"lock " + inner + "\", \"unlock " + inner + "\"";
    if (!chance(8)) steps += ", \"unlock " + lock + "\"";
    if (chance(10)) steps += ", \"crash\"";
    return "[" + steps + "]";
  }

  std::string process(const char* name, int count, int threads) {
    std::string programs = program();
    for (int t = 1; t < threads; ++t) programs += ", " + program();
    return fmt::format("[process.{}]\ncount = {}\nthreads = [{}]\n", name, count, programs);
  }

  std::string time() {
    std::string text = "[time]\nwatchdog = \"6s\"\n";
    if (chance(8)) text += "network = \"0..2s\"\n";
    else if (chance(10)) text += "network = \"any\"\nheld_max = 1\n";
    return text;
  }

  std::string faults() {
    std::string text = "[faults]\npause-max = \"8s\"\ncut-max = \"8s\"\nlag-max = \"4s\"\n";
    std::string seen = "|";
    const auto drawn = [&](const std::string& fault) {
      return seen.find("|" + fault + "|") != std::string::npos;
    };
    for (std::uint64_t left = 1 + random_.below(2); left > 0; --left) {
      const std::string fault =
          one_of({"pause-process", "crash-process", "cut-link", "lose-message", "delay-message", "crash-node",
                  "interrupt-thread", "evict-key", "flush-scripts", "restart-node", "restart-process"});
      if (!drawn(fault)) seen += fault + "|";
    }
    if (drawn("restart-node") && !drawn("crash-node")) seen += "crash-node|";
    if (drawn("restart-process") && !drawn("crash-process")) seen += "crash-process|";
    for (std::size_t at = 1; at < seen.size();) {
      const std::size_t end = seen.find('|', at);
      text += seen.substr(at, end - at) + " = 1\n";
      at = end + 1;
    }
    if (replicated_ && !chance(3)) {
      text += "failover = 1\n";
      if (chance(2)) text += "failover-needs-dead-master = true\n";
      if (!drawn("crash-node") && text.find("needs") != std::string::npos) text += "crash-node = 1\n";
      text += fmt::format("learn = \"{}\"\n", one_of({"0s..4s", "0s..4s", "0s", "1s..3s"}));
    }
    return text;
  }

  sim::Random random_;
  bool halves_;
  bool replicated_ = false;
};

}  // namespace lockstep::scenarios
