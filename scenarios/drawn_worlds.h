// drawn_worlds.h: small scenarios with any faults, drawn from a seed, to judge reductions by.
//
// Nothing is calm here, unlike in generated_prop.cpp: leases run out, watchdogs are short, two kinds of
// faults meet, messages take their time. What the verdicts are does not matter, only that two ways of
// searching agree. Small ones can be searched in every way that there is, and run scripts that break things.
#pragma once

#include <string>

#include <fmt/format.h>

#include "sim/base/random.h"

namespace lockstep::scenarios {

class DrawnWorld {
 public:
  /// A thousand seeds from here on draw the halves of a read/write lock, the next thousand fenced locks; then
  /// it begins anew.
  static constexpr std::uint64_t halves = 1'000, fenced = 2'000;

  explicit DrawnWorld(std::uint64_t seed)
      : random_(seed),
        halves_(seed / halves % 3 == 1),
        fenced_(seed / halves % 3 == 2),
        nodes_(2 + seed / 2 % 2) {}

  std::string text() {
    const std::uint64_t shape = random_.below(6);  // threads of each process
    std::string text;
    if (shape < 2) text = process("A", 1, 1);
    else if (shape == 2) text = process("A", 1, 2);
    else if (shape == 3) text = process("A", 2, 1);
    else if (shape == 4) text = process("A", 1, 1) + process("B", 1, 1);
    else text = process("A", 1, 1) + "[process.B]\nthreads = [[\"think 0s\"]]\n";
    replicated_ = chance(2);
    text += servers();
    if (chance(6)) text += "script-cache = true\n";
    text += disk();
    if (chance(5)) text += "expiry = \"lazy\"\n";
    text += time();
    text += fmt::format("[redisson]\nresponse-timeout = \"{}\"\nretry-attempts = {}\n",
                        chance(2) ? "3s" : "1s", random_.below(2));
    text += faults(1 + random_.below(2)) + more_faults();
    if (text.find("lock a") != std::string::npos && chance(4)) text += fixed();
    if (!fenced_) return text;
    if (text.find("write r") != std::string::npos) text += "[resource.r]\nfenced = true\n";
    return "scripts = \"redisson@3.19.0\"\n" + text;
  }

  /// Two or three alike, or two that differ; scripts of properties/verdicts in place of Redisson's.
  std::string small_text() {
    const std::uint64_t shape = random_.below(7);
    std::string text = scripts();
    if (shape < 2) text += process("A", 2, 1);
    else if (shape == 2) text += process("A", 3, 1);
    else if (shape == 3) text += process("A", 1, 2, true);
    else if (shape == 4) text += process("A", 2, 2, true);
    else text += process("A", 1, 1) + process("B", 1, 1);
    replicated_ = chance(6);
    text += servers();
    if (chance(4)) text += "expiry = \"lazy\"\n";
    text += time();
    text += "[redisson]\nresponse-timeout = \"3s\"\nretry-attempts = 0\n";
    text += faults(chance(3) ? 1 : 0);
    if (chance(4)) text += more_faults();
    const bool writes = text.find("write r") != std::string::npos;
    return fenced_ && writes ? text + "[resource.r]\nfenced = true\n" : text;
  }

  /// Short programs on a master and two or three equal replicas, which are what faults befall.
  std::string replicas_text() {
    const bool waits = chance(3), asks = waits && chance(2);
    std::string text = waits ? "scripts = \"redisson@3.22.0\"\n" : "";
    const std::string lease = one_of({"", " lease=2s", " lease=10s"});
    const std::string tries = lease.empty() ? "trylock a" : "trylock a wait=0s";
    const std::string call = (chance(2) ? "lock a" : tries) + lease;
    std::string steps = "\"" + call + "\"";
    if (asks) steps += ", \"is-locked a\"";
    if (chance(3)) steps += ", \"work 3s\"";
    steps += ", \"unlock a\"";
    text += fmt::format("[process.A]\ncount = {}\nthreads = [[{}]]\n", chance(3) ? 2 : 1, steps);
    text += fmt::format("[redis]\nmode = \"replicated\"\nnodes = {}\n", chance(3) ? 4 : 3);
    if (asks) text += "wait = 2\n";
    if (chance(4)) text += "min-replicas = 1\n";
    if (chance(4)) text += "expiry = \"lazy\"\n";
    if (chance(3)) text += "persistence = \"append-only\"\n";
    text += "[time]\nwatchdog = \"6s\"\n";
    if (chance(5)) text += "network = \"0..1s\"\n";
    text += "[redisson]\nresponse-timeout = \"3s\"\nretry-attempts = 0\n";
    text += "[faults]\nnode-pause-max = \"2s\"\nreplica-cut-max = \"2s\"\nlag-max = \"2s\"\n";
    text += "cut-max = \"4s\"\n";
    text += fmt::format("learn = \"{}\"\n", one_of({"0s", "0s", "0s..1s", "1s"}));
    if (!chance(4)) text += fmt::format("failover = {}\n", chance(3) ? 2 : 1);
    if (chance(2)) text += chance(2) ? "crash-node = 1\n" : "crash-node = 1\nrestart-node = 1\n";
    const std::string fault =
        one_of({"", "pause-node", "cut-replica", "replica-lag", "cut-link", "lose-message", "evict-key",
                "clock-jump", "crash-process", "break-connection"});
    if (!fault.empty()) text += fault + " = 1\n";
    if (fault == "clock-jump") text += "clock-jumps = [\"2s\"]\n";
    if (chance(5))
      text += fmt::format("fixed = [\"{}\"]\n", one_of({"lag R1 before effects", "failover R2 at 1s",
                                                       "crash R0 at 1s", "lose reply to unlock a"}));
    return text;
  }

  /// Programs that go round for ever and send words that are drawn anew in each round.
  std::string endless_text() {
    const bool scheme = chance(3);
    const std::string lock = scheme ? one_of({"python-token-lock:a", "go-lock:a"})
                                    : one_of({"a", "a", "fair:a", "write:a", "read:a"});
    std::string text =
        scheme ? fmt::format("schemes = \"{}\"\n", lock.substr(0, lock.find(':')))
               : fmt::format("scripts = \"redisson@{}\"\n", one_of({"3.24.0", "3.30.0", "3.43.0", "4.7.0"}));
    const auto rounds = [&](const char* name, int count) {
      const std::string lease = scheme || chance(3) ? " lease=3s" : one_of({" lease=2s", " lease=5s", ""});
      const bool tries = chance(3);
      std::string steps = (tries ? "trylock " : "lock ") + lock;
      if (tries && !lease.empty()) steps += " wait=1s";
      steps += lease + "; work " + one_of({"1s", "1s", "4s"});
      if (!chance(6)) steps += "; unlock " + lock;
      if (chance(2)) steps += "; think 1s";
      const bool ends = chance(5);
      return fmt::format("[process.{}]\ncount = {}\nthreads = [[\"repeat {} {{ {} }}\"]]\n", name, count,
                         ends ? "2" : "forever", steps);
    };
    text += chance(2) ? rounds("A", 2) : rounds("A", 1) + rounds("B", 1);
    text += "[redis]\n[time]\nwatchdog = \"3s\"\n";
    text += "[redisson]\nresponse-timeout = \"1s\"\nretry-attempts = 1\nfair-wait = \"2s\"\n";
    text += "[faults]\npause-max = \"2s\"\n";
    const std::string fault =
        one_of({"", "", "pause-process", "crash-process", "lose-message", "evict-key", "flush-scripts"});
    return fault.empty() ? text : text + fault + " = 1\n";
  }

  /// Small ones with a fair lock, in each of its versions: places are kept shortly, so that deadlines matter.
  std::string small_fair_text() {
    std::string text = fmt::format(
        "[scripts]\nset = \"{}\"\n",
        one_of({"redisson@3.10.5", "redisson@3.12.2", "redisson@3.15.0", "redisson@3.31.0",
                "redisson@3.32.0"}));
    const std::uint64_t shape = random_.below(5);
    if (shape < 2) text += fair_process("A", 2);
    else if (shape == 2) text += fair_process("A", 3);
    else text += fair_process("A", 1) + fair_process("B", 1);
    replicated_ = chance(6);
    text += servers();
    if (chance(4)) text += "expiry = \"lazy\"\n";
    text += "[time]\nwatchdog = \"3s\"\n";
    text += fmt::format("[redisson]\nresponse-timeout = \"3s\"\nretry-attempts = 0\nfair-wait = \"{}\"\n",
                        one_of({"5ms", "20ms", "1s"}));
    return text + faults(chance(3) ? 1 : 0);
  }

 private:
  std::string fair_process(const char* name, int count) {
    std::string steps;
    if (chance(3)) steps += one_of({"\"start 500ms\", ", "\"start 2s\", "});
    const std::string call = one_of({"lock ", "lock ", "trylock ", "lock-interruptibly "});
    const std::string lease = one_of({"", " lease=1s", " lease=2s"});
    const std::string wait = call != "trylock " || (lease.empty() && chance(3)) ? "" : " wait=2s";
    steps += "\"" + call + "fair:a" + wait + lease + "\", ";
    if (!chance(3)) steps += one_of({"\"work 1s\", ", "\"work 4s\", "});
    if (chance(6)) steps += "\"crash\", ";
    return fmt::format("[process.{}]\ncount = {}\nthreads = [[{}\"unlock fair:a\"]]\n", name, count, steps);
  }

  std::string servers() const {
    if (!replicated_) return "[redis]\n";
    return fmt::format("[redis]\nmode = \"replicated\"\nnodes = {}\n", nodes_);
  }

  std::string scripts() {
    if (chance(3)) return fenced_ ? "scripts = \"redisson@3.19.0\"\n" : "";
    std::string text = fmt::format("[scripts]\nset = \"redisson@{}\"\n", fenced_ ? "3.19.0" : "3.10.5");
    if (!chance(3))
      text += fmt::format("lock = \"lock-{}.lua\"\n",
                          one_of({"smaller-takes", "first-of-equal-scores", "smaller-number-takes",
                                  "last-kept", "sorted-holders", "steals", "no-ttl", "nested-no-count",
                                  "short-ttl"}));
    if (chance(2))
      text += fmt::format("unlock = \"unlock-{}.lua\"\n",
                          one_of({"no-check", "by-process", "no-publish", "publish-first", "says-held"}));
    return text;
  }

  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(random_.below(choices.size())));
  }

  std::string program() {
    const auto half = [&] { return one_of({"read:a", "read:a", "write:a"}); };
    const std::string lock = halves_ ? half() : fenced_ ? "fenced:a" : chance(5) ? "b" : "a";
    std::string steps;
    if (chance(4)) steps += one_of({"\"start 1s\", ", "\"start 0..1s\", "});
    const std::string call = one_of({"lock ", "lock ", "trylock ", "lock-interruptibly "});
    const std::string lease = one_of({"", "", " lease=2s", " lease=10s"});
    const bool tries = call == "trylock ";
    const std::string wait = tries && (!lease.empty() || chance(2)) ? " wait=2s" : "";
    const std::string token = fenced_ ? " token" : "";
    steps += "\"" + call + lock + wait + lease + token + "\"";
    if (!chance(3)) steps += one_of({", \"work 3s\"", ", \"work 1s\"", ", \"work 5s\""});
    if (chance(fenced_ ? 2 : 4)) steps += ", \"write r\"";
    if (chance(8)) steps += ", \"is-held " + lock + "\"";
    if (chance(12)) steps += ", \"try { work 1s; redis DEL b } finally { redis PEXPIRE b 500 }\"";
    const std::string inner = halves_ ? half() : lock;
    if (chance(6)) steps += ", \"lock " + inner + token + "\", \"unlock " + inner + "\"";
    if (!chance(8)) steps += ", \"unlock " + lock + "\"";
    if (chance(10)) steps += ", \"crash\"";
    return "[" + steps + "]";
  }

  std::string process(const char* name, int count, int threads, bool alike = false) {
    std::string programs = program();
    const std::string first = programs;
    for (int t = 1; t < threads; ++t) programs += ", " + (alike ? first : program());
    return fmt::format("[process.{}]\ncount = {}\nthreads = [{}]\n", name, count, programs);
  }

  /// What outlives a crash; some of it wants faults of its own.
  std::string disk() {
    switch (random_.below(24)) {
      case 0: case 1: case 2: case 6: case 7: return "persistence = \"append-only\"\n";
      case 3: outage_ = "crash-node|restart-node|power-loss|"; return "persistence = \"append-only\"\n";
      case 4: outage_ = "crash-node|restart-node|"; return "persistence = \"snapshot\"\nsave = \"1 1\"\n";
      case 5: outage_ = "crash-node|restart-node|save|"; return "persistence = \"snapshot\"\n";
      default: return "";
    }
  }

  std::string time() {
    std::string text = "[time]\nwatchdog = \"6s\"\n";
    if (chance(8)) text += "network = \"0..2s\"\n";
    else if (chance(10)) text += "network = \"any\"\nheld_max = 1\n";
    return text;
  }

  std::string faults(std::uint64_t count) {
    std::string text = "[faults]\npause-max = \"8s\"\ncut-max = \"8s\"\nlag-max = \"4s\"\n";
    std::string seen = "|" + outage_;
    const auto drawn = [&](const std::string& fault) {
      return seen.find("|" + fault + "|") != std::string::npos;
    };
    for (std::uint64_t left = count; left > 0; --left) {
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

  std::string more_faults() {
    std::string text = "stall-max = \"4s\"\nnode-pause-max = \"4s\"\nreplica-cut-max = \"3s\"\n";
    if (chance(2)) text += "connection-timeout = \"3s\"\n";
    const std::string fault =
        one_of({"", "", "pause-node", "stall-thread", "break-connection", "cut-replica"});
    if (!fault.empty() && (replicated_ || fault != "cut-replica")) text += fault + " = 1\n";
    return text;
  }

  std::string fixed() {
    const std::string alone =
        one_of({"lose reply to lock a", "delay reply to lock a", "lose message of a",
                "pause R0 before reply to lock a", "crash R0 after reply to lock a",
                "pause R0 after request lock a", "jump R0 +1s at 1s", "evict R0 a at 1s"});
    const std::string fault =
        replicated_ && chance(2)
            ? one_of({"lag R1 before effects", "cut R1 after effects", "failover R1 before request unlock a"})
            : alone;
    return "fixed = [\"" + fault + "\"]\n";
  }

  sim::Random random_;
  bool halves_, fenced_;
  std::uint64_t nodes_;  // of a group
  bool replicated_ = false;
  std::string outage_;
};

}  // namespace lockstep::scenarios
