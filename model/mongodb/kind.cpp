#include "model/mongodb/kind.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "sim/base/passing.h"
#include "sim/base/timer.h"

namespace lockstep::mongodb {

namespace {

using model::Command;
using model::Effect;
using model::Effects;
using model::Served;
using model::Server;
using model::Stored;
using sim::Duration;

struct Document {
  std::string owner;
  sim::WallTimer ends;

  bool operator==(const Document&) const = default;
  static auto fields(auto& d) { return std::tie(d.owner, d.ends); }
};

struct Member {
  static constexpr std::string_view kind = "mongodb";

  bool leads = true;
  bool open = true;  // it has not stepped down
  std::map<std::string, Document> documents;

  bool operator==(const Member&) const = default;
  static auto fields(auto& m) { return std::tie(m.leads, m.open, m.documents); }
};
static_assert(sim::State<Member>);

Member& open_in(Server& server) { return server.write<Member>(); }
const Member& in(const Server& server) { return server.get<Member>(); }

/// It is the owner's for so long.
Served store(Member& member, const Command& words) {
  std::int64_t ms = 0;
  std::from_chars(words[3].data(), words[3].data() + words[3].size(), ms);
  member.documents[words[1]] = {words[2], {Duration{ms}}};
  return {.reply = std::int64_t{1},
          .effects = {Effect{
              .words = {"DOCUMENT", words[1], words[2], ""}, .time_word = 3, .remaining = Duration{ms}}}};
}

Served find_and_modify(Member& member, const Command& words) {
  const auto found = member.documents.find(words[1]);
  if (found != member.documents.end() && !found->second.ends.due()) return {.reply = duplicate_key};
  return store(member, words);
}

Served update(Member& member, const Command& words) {
  const auto found = member.documents.find(words[1]);
  if (found == member.documents.end() || found->second.owner != words[2]) return {.reply = std::int64_t{0}};
  return store(member, words);
}

Served remove(Member& member, const Command& words) {
  const auto found = member.documents.find(words[1]);
  const bool wanted =
      found != member.documents.end() && (words.size() < 3 || found->second.owner == words[2]);
  if (!wanted) return {.reply = std::int64_t{0}};
  member.documents.erase(found);
  return {.reply = std::int64_t{1}, .effects = {Effect{.words = {"NONE", words[1]}, .time_word = {}}}};
}

Served serve(Server& server, model::ConnectionId, const Command& words, const model::Serving&) {
  Member& member = open_in(server);
  if (!member.leads || !member.open) return {.reply = not_primary};
  if (words[0] == "FIND-AND-MODIFY") return find_and_modify(member, words);
  if (words[0] == "UPDATE") return update(member, words);
  if (words[0] == "DELETE") return remove(member, words);
  return {.reply = lua::Error{"59 no such command: '" + words[0] + "'"}};
}

std::vector<model::Push> apply(Server& server, const Effects& effects, Duration skew, const model::Serving&) {
  Member& member = open_in(server);
  for (const Effect& effect : effects) {
    if (effect.words[0] == "NONE") member.documents.erase(effect.words[1]);
    else
      member.documents[effect.words[1]] = {effect.words[2],
                                           {std::max(effect.remaining - skew, Duration::zero())}};
  }
  return {};
}

Duration next_change(const Server& server) {
  Duration next = sim::never;
  for (const auto& [lock, document] : in(server).documents)
    if (!document.ends.due()) next = std::min(next, document.ends.left);
  return next;
}

std::optional<Stored> find(const void* server, const std::string& lock) {
  const auto& member = *static_cast<const Member*>(server);
  const auto found = member.documents.find(lock);
  if (found == member.documents.end() || found->second.ends.due()) return std::nullopt;
  return Stored{Stored::Form::string, {{"", found->second.owner}}, found->second.ends.left, {}};
}

std::vector<std::string> names(const void* server) {
  std::vector<std::string> found;
  for (const auto& [lock, document] : static_cast<const Member*>(server)->documents)
    if (!document.ends.due()) found.push_back(lock);
  return found;
}

std::vector<sim::KeyChange> changes(const std::string& node, const Server& before, const Server& after) {
  std::vector<sim::KeyChange> found;
  for (const auto& [lock, was] : in(before).documents)
    if (!in(after).documents.contains(lock))
      found.push_back({.node = node, .key = lock, .present = false, .type = {}});
  for (const auto& [lock, now] : in(after).documents) {
    const auto was = in(before).documents.find(lock);
    if (was != in(before).documents.end() && was->second == now) continue;
    sim::KeyChange change{.node = node, .key = lock, .type = "string"};
    change.fields.emplace_back("", now.owner);
    change.pttl_ms = now.ends.left.count();
    found.push_back(std::move(change));
  }
  return found;
}

model::Unasked let_pass(Server& server, Duration steady, Duration wall) {
  sim::pass(open_in(server), sim::Passed{steady, wall});
  return {};
}

}  // namespace

const model::ServerKind server_kind{
    .name = Member::kind,
    .make = [](const model::ServerSettings& settings) -> Server {
      Member member;
      member.leads = settings.role == model::ServerRole::master;
      return member;
    },
    .serve = serve,
    .disconnect = [](Server&, model::ProcessId) {},
    .disconnect_all = [](Server&) {},
    .restart = [](Server&, model::Persistence) {},  // its journal has all that it had answered
    .pass = [](Server& server, Duration passed) { return let_pass(server, passed, passed); },
    .jump = [](Server& server, Duration by) { return let_pass(server, Duration::zero(), by); },
    .counts_down = [](const Server& server) { return next_change(server) != sim::never; },
    .next_change = next_change,
    .apply = apply,
    .leads = [](const Server& server) { return in(server).leads; },
    .promote = [](Server& server) { open_in(server).leads = true; },
    .resynchronise =
        [](Server& server, const Server& primary, Duration skew) {
          Member& member = open_in(server);
          member.leads = false;
          member.documents = in(primary).documents;
          for (auto& [lock, document] : member.documents)
            if (!document.ends.due())
              document.ends.left = std::max(document.ends.left - skew, Duration::zero());
        },
    .same_data =
        [](const Server& one, const Server& other) {
          return std::equal(in(one).documents.begin(), in(one).documents.end(), in(other).documents.begin(),
                            in(other).documents.end(), [](const auto& a, const auto& b) {
                              return a.first == b.first && a.second.owner == b.second.owner;
                            });
        },
    .open = [](Server& server, bool serves) { open_in(server).open = serves; },
    .is_open = [](const Server& server) { return in(server).open; },
    .look = [](const Server& server) -> model::Look {
      return {&in(server), find, names};
    },
    .left_behind = [](const Server& server, const model::Excused& excused) -> std::optional<std::string> {
      for (const std::string& lock : names(&in(server)))
        if (!excused(lock)) return "stores the document " + lock;
      return std::nullopt;
    },
    .changes = changes,
    .quoted = [](const std::string& word) { return word; },
    .faults = {}};

}  // namespace lockstep::mongodb
