#include "tools/compare/questions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/mongodb/kind.h"
#include "model/mysql/kind.h"
#include "model/schemes/written.h"
#include "model/zookeeper/kind.h"
#include "properties/monitors/catalog.h"
#include "scenarios/embedded.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/section_schemes.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

using properties::bit;
using properties::Property;

constexpr std::array<Question, 12> question_rows{{
    {"excludes", "at most one holder, where nothing goes wrong",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n",
     bit(Property::mutual_exclusion)},
    {"freed", "who waits gets the lock when its holder has crashed",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[faults]\ncrash-process = 1\n",
     bit(Property::calls_return)},
    {"own", "only the holder releases it",
     "[process.A]\nthreads = [[\"lock {lock}\", \"work 2s\", \"unlock {lock}\", \"expect true\"]]\n"
     "[process.B]\nthreads = [[\"start 1s\", \"unlock {lock}\", \"expect exception\"]]\n",
     bit(Property::owner_only)},
    {"reentrant", "its holder may take it again, and gives it back as often",
     "[process.A]\nthreads = [[\"lock {lock}\", \"trylock {lock}\", \"expect true\", \"unlock {lock}\", "
     "\"unlock {lock}\"]]\n",
     bit(Property::reentrancy) | bit(Property::expectations), false,
     [](const model::LockKind& kind) { return kind.promises.reentrant; }},
    {"waits", "who waits does not poll",
     "[process.A]\nthreads = [[\"lock {lock}\", \"work 4s\", \"unlock {lock}\"]]\n"
     "[process.B]\nthreads = [[\"start 1s\", \"lock {lock}\", \"unlock {lock}\"]]\n"
     "[bounds]\nbusy-poll = 2\n",
     bit(Property::busy_poll)},
    {"in-turn", "first come, first served",
     "[process.A]\nthreads = [[\"lock {lock}\", \"work 3s\", \"unlock {lock}\"]]\n"
     "[process.B]\nthreads = [[\"start 1s\", \"trylock {lock} wait=6s\", \"expect true\", \"unlock "
     "{lock}\"]]\n"
     "[process.C]\nthreads = [[\"start 2s\", \"trylock {lock} wait=6s\", \"work 5s\", \"unlock {lock}\"]]\n",
     bit(Property::expectations)},
    {"node-crash", "a server that crashes lets nobody down",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[faults]\ncrash-node = 1\n",
     bit(Property::mutual_exclusion) | bit(Property::no_uncaught_exception)},
    {"failover", "at most one holder across an asynchronous failover",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock} lease=60s\", \"work 15s\", \"unlock {lock}\"]]\n"
     "[process.Q]\nthreads = [[\"start 14s\", \"lock {lock} lease=60s\", \"unlock {lock}\"]]\n"
     "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n",
     bit(Property::mutual_exclusion), true},
    {"pause", "at most one holder where a client pauses for longer than its lease",
     "[process.A]\nthreads = [[\"lock {lock} lease=5s\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[process.B]\nthreads = [[\"start 6s\", \"lock {lock} lease=5s\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[faults]\npause-process = 1\npause-max = \"7s\"\n",
     bit(Property::mutual_exclusion)},
    {"clock", "at most one holder where the clock of a server jumps",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[faults]\nclock-jump = 1\nclock-jumps = [\"70s\"]\n",
     bit(Property::mutual_exclusion)},
    {"fenced", "what a stale holder writes is refused",
     "[resource.ledger]\nfenced = true\n"
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock} lease=5s token\", \"write ledger\", \"unlock "
     "{lock}\"]]\n"
     "[faults]\npause-process = 1\npause-max = \"7s\"\n",
     bit(Property::writes_in_turn), false, [](const model::LockKind& kind) { return kind.promises.tokens; }},
    {"lost", "at most one holder, and every call returns, where a message is lost",
     "[process.P]\ncount = 2\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n"
     "[faults]\nlose-message = 1\n",
     bit(Property::mutual_exclusion) | bit(Property::calls_return)},
}};

std::string with_lock(std::string_view text, const std::string& lock) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find("{lock}", at);
    out += text.substr(at, next - at);
    if (next == std::string_view::npos) return out;
    out += lock;
    at = next + 6;
  }
}

std::string head_of(const Contestant& its, std::string_view key, bool replicated) {
  std::string text = fmt::format("format = 1\nname = {}\n{}\n",
                                 scenarios::toml_text(fmt::format("compare/{}/{}", its.name, key)), its.head);
  const std::string events = its.listens ? "notify-keyspace-events = \"Kgx\"\n" : "";
  if (!its.servers.empty()) text += replicated ? its.replicated : its.servers;
  else if (its.several)
    text += fmt::format("[redis]\nmode = \"independent\"\nnodes = 3\nreplicas = {}\n", replicated ? 1 : 0);
  else if (replicated || its.waits)
    text += fmt::format("[redis]\nmode = \"replicated\"\nnodes = 2\nwait = {}\n", its.waits ? 1 : 0);
  else if (its.listens) text += "[redis]\n";
  text += events;
  return text;
}

/// The time of a session is the lease that questions ask for.
struct Deployment {
  const model::ServerKind* kind;
  const char *servers, *replicated;
  bool elects;
};
constexpr std::array deployments{
    Deployment{&zookeeper::server_kind, "[zookeeper]\nsession-timeout = \"5s\"\n",
               "[zookeeper]\nsession-timeout = \"5s\"\n", true},
    Deployment{&mysql::server_kind, "[mysql]\n", "[mysql]\nreplicas = 1\n", false},
    Deployment{&mongodb::server_kind, "[mongodb]\n", "[mongodb]\n", true},
};

Contestant placed(Contestant its, const model::LockKind& kind) {
  for (const Deployment& one : deployments)
    if (kind.on == one.kind) {
      its.servers = one.servers;
      its.replicated = one.replicated;
      its.elects = one.elects;
    }
  return its;
}

/// The same with a write concern that does not outlive its primary.
Contestant answered_by_one(Contestant its) {
  its.name += "-w1";
  its.says += ", answered when the primary has it";
  its.servers = its.replicated = "[mongodb]\nwrite-concern = 1\n";
  return its;
}

Contestant of_kind(const model::LockKind& kind, const std::string& head) {
  const bool several = kind.scheme != nullptr && kind.scheme->on != model::Scheme::On::one;
  const bool listens = kind.scheme != nullptr && kind.scheme->retry.how == model::Retry::How::keyspace_event;
  return placed({.name = std::string(kind.name),
                 .head = head,
                 .lock = std::string(kind.name) + ":orders",
                 .several = several,
                 .listens = listens,
                 .says = std::string(kind.says)},
                kind);
}

std::vector<Contestant> of_redisson() {
  const std::string early = "scripts = \"redisson@3.10.5\"", late = "scripts = \"redisson@4.7.0\"";
  return {
      {"plain", early, "orders", false, false, false, "Redisson 3.10.5: a hash, a watchdog, messages"},
      {"plain-wait", late, "orders", false, true, false, "Redisson 4.7.0, which waits for a replica"},
      {"fair", early, "fair:orders", false, false, false, "Redisson 3.10.5: with a queue"},
      {"fenced", late, "fenced:orders", false, false, false, "Redisson 4.7.0: with a token for each grant"},
      {"red", early, "red:orders", true, false, false, "Redisson 3.10.5: most of three plain locks"}};
}

}  // namespace

std::span<const Question> questions() { return question_rows; }

std::vector<Contestant> usual_contestants() {
  std::vector<Contestant> rows;
  const auto library = script_library();
  if (!library) return rows;
  for (const sim::EmbeddedFile& file : scenarios::embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const std::string name(file.name.substr(0, file.name.rfind('.')));
    const auto kinds = scenarios::schemes_in(file.text, std::string(file.name), *library);
    if (!kinds) continue;
    for (const model::LockKind* kind : *kinds)
      rows.push_back(of_kind(*kind, "schemes = " + scenarios::toml_text(name)));
  }
  for (const model::LockKind* kind : schemes::kinds_of_servers())
    rows.push_back(of_kind(*kind, "schemes = " + scenarios::toml_text(kind->name)));
  if (const auto majority =
          std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.name == "mongodb"; });
      majority != rows.end())
    rows.insert(majority + 1, answered_by_one(*majority));
  for (Contestant& one : of_redisson()) rows.push_back(std::move(one));
  return rows;
}

sim::Result<std::vector<Contestant>> contestants_of(const std::string& word) {
  for (Contestant& one : usual_contestants())
    if (one.name == word) return std::vector<Contestant>{std::move(one)};
  if (word.find('/') == std::string::npos && word.find('.') == std::string::npos)
    return sim::Problem{fmt::format("there is no scheme `{}`; `lockstep list schemes` shows them", word)};
  const auto library = script_library();
  if (!library) return library.problem();
  const auto text = read_input(word, scenario_bytes_max);
  if (!text) return text.problem();
  const auto kinds = scenarios::schemes_in(*text, word, *library);
  if (!kinds) return kinds.problem();
  if (kinds->empty()) return sim::Problem{fmt::format("{} has no [scheme.NAME]", word)};
  std::vector<Contestant> rows;
  for (const model::LockKind* kind : *kinds)
    rows.push_back(of_kind(*kind, "schemes = " + scenarios::toml_text(word)));
  return rows;
}

std::string scenario_of(const Contestant& contestant, const Question& question) {
  std::string asked = with_lock(question.text, contestant.lock);
  constexpr std::string_view by_hand = "failover = 1\nfailover-needs-dead-master = true\n";
  if (const std::size_t at = asked.find(by_hand); contestant.elects && at != std::string::npos)
    asked.erase(at, by_hand.size());
  std::string text = head_of(contestant, question.key, question.replicated) + asked + "[expect]\n";
  for (const properties::PropertyInfo& one : properties::catalog)
    if ((question.asked & bit(one.property)) != 0) text += fmt::format("{} = \"passed\"\n", one.name);
  return text;
}

std::string cost_scenario(const Contestant& contestant, bool contended) {
  std::string text = "[process.A]\nthreads = [[\"lock {lock}\", \"work 1s\", \"unlock {lock}\"]]\n";
  if (contended) text += "[process.B]\nthreads = [[\"start 500ms\", \"lock {lock}\", \"unlock {lock}\"]]\n";
  return head_of(contestant, contended ? "contended" : "alone", false) + with_lock(text, contestant.lock);
}

}  // namespace lockstep::tools
