#include "tools/manual/first_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/client/lock_kind.h"

namespace lockstep::tools {

namespace {

/// TOML's basic strings take what JSON writes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool wants(const ScenarioWishes& wishes, std::string_view fault) {
  return std::find(wishes.faults.begin(), wishes.faults.end(), fault) != wishes.faults.end();
}

std::string lock_of(const std::string& kind) {
  if (kind == "plain") return "orders";
  if (kind == "multi") return "multi:orders+stock";
  if (kind == "red") return "red:orders";
  return kind + ":orders";
}

std::string program(const ScenarioWishes& wishes, const std::string& kind) {
  const std::string lock = lock_of(kind);
  std::string take =
      wishes.wait.empty() ? "lock " + lock : fmt::format("trylock {} wait={}", lock, wishes.wait);
  if (!wishes.lease.empty()) take += " lease=" + wishes.lease;
  return fmt::format("threads = [[\"{}\", \"work {}\", \"unlock {}\"]]\n", take, wishes.work, lock);
}

std::string processes(const ScenarioWishes& wishes) {
  const bool shared = wishes.kind == "read" || wishes.kind == "write";
  if (!shared)
    return fmt::format("[process.Client]\ncount   = {}\n{}\n", wishes.clients, program(wishes, wishes.kind));
  return fmt::format("[process.Reader]\ncount   = {}\n{}\n[process.Writer]\n{}\n", wishes.clients,
                     program(wishes, "read"), program(wishes, "write"));
}

/// The usual set serves most kinds; what came later needs a later one.
std::string set_for(const ScenarioWishes& wishes) {
  const model::LockKind* const kind = model::find_kind(wishes.kind);
  if (!wishes.scripts.empty() || kind == nullptr || kind->since.empty()) return wishes.scripts;
  return "redisson@4.7.0";
}

/// A lock of one command and a script, to be changed.
std::string scheme(const ScenarioWishes& wishes) {
  if (!wishes.scheme) return "";
  return fmt::format(R"([scheme.{}]
says    = "SET NX PX, and a script that compares the value before it deletes"
lease   = "10s"
acquire = {{ send = "SET {{lock}} {{token}} NX PX {{lease}}", reply = {{ OK = "granted", nil = "refused" }} }}
retry   = {{ poll = "500ms" }}
holder  = {{ string = "{{token}}" }}
[scheme.{}.release]
script  = "compare-and-delete.lua"
keys    = ["{{lock}}"]
args    = ["{{token}}"]
reply   = {{ 1 = "released", 0 = "not the holder" }}

)",
                     wishes.kind, wishes.kind);
}

std::string topology(const ScenarioWishes& wishes) {
  if (wishes.kind == "red") return "[redis]\nmode  = \"independent\"\nnodes = 3\n\n";
  if (wants(wishes, "isolate-node") || wants(wishes, "split-votes"))
    return "[redis]\nmode  = \"sentinel\"\nnodes = 2\n\n";
  if (wants(wishes, "move-slots"))
    return "[redis]\nmode     = \"cluster\"\nnodes    = 3\nreplicas = 0\nspares   = 1\n\n";
  const bool replicated =
      wants(wishes, "failover") || wants(wishes, "replica-lag") || wants(wishes, "cut-replica");
  if (replicated) return "[redis]\nmode  = \"replicated\"\nnodes = 2\n\n";
  return wants(wishes, "save") ? "[redis]\npersistence = \"snapshot\"\n\n" : "";
}

std::string faults(const ScenarioWishes& wishes) {
  if (wishes.faults.empty()) return "";
  std::string text = "[faults]\n";
  if (wants(wishes, "failover") && !wants(wishes, "crash-node"))
    text += "crash-node = 1\nfailover-needs-dead-master = true\n";
  if (wants(wishes, "clock-jump")) text += "clock-jumps = [\"-5s\", \"5s\"]\n";
  for (const std::string& fault : wishes.faults) text += fmt::format("{} = 1\n", fault);
  return text + "\n";
}

}  // namespace

std::string first_scenario(const ScenarioWishes& wishes) {
  std::string text = fmt::format("format = 1\nname   = {}\n", quoted(wishes.name));
  if (const std::string set = set_for(wishes); !set.empty())
    text += fmt::format("scripts = {}\n", quoted(set));
  text += "\n" + scheme(wishes) + processes(wishes) + topology(wishes) + faults(wishes);
  return text +
         "# What is not named here is expected to hold; a weakness that you accept is \"violated\".\n"
         "[expect]\nmutual-exclusion = \"holds\"\n";
}

}  // namespace lockstep::tools
