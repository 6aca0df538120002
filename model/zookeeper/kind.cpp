#include "model/zookeeper/kind.h"

#include <algorithm>

#include "model/zookeeper/ensemble.h"

namespace lockstep::zookeeper {

namespace {

using model::Server;
using model::Stored;

Ensemble& open_in(Server& server) { return server.write<Ensemble>(); }
const Ensemble& in(const Server& server) { return server.get<Ensemble>(); }

/// The children of a lock, the first of which holds it, until its session ends.
std::optional<Stored> find(const void* server, const std::string& lock) {
  const auto& ensemble = *static_cast<const Ensemble*>(server);
  const auto parent = ensemble.locks.find(lock);
  if (parent == ensemble.locks.end() || parent->second.children.empty()) return std::nullopt;
  Stored stored{Stored::Form::list, {}, {}, {}};
  for (const Child& child : parent->second.children) stored.items.emplace_back("", child.holder);
  const Child& first = parent->second.children.front();
  const auto session = ensemble.sessions.find(first.session);
  if (first.ephemeral && session != ensemble.sessions.end()) stored.left = session->second.left;
  return stored;
}

std::vector<std::string> names(const void* server) {
  std::vector<std::string> found;
  for (const auto& [lock, parent] : static_cast<const Ensemble*>(server)->locks)
    if (!parent.children.empty()) found.push_back(lock);
  return found;
}

std::optional<std::string> left_behind(const Server& server, const model::Excused& excused) {
  for (const auto& [lock, parent] : in(server).locks)
    if (!parent.children.empty() && !excused(lock)) return "keeps a child of the node " + lock;
  return std::nullopt;
}

sim::KeyChange described(const std::string& node, const std::string& lock, const Parent& parent) {
  sim::KeyChange change{.node = node, .key = lock, .present = !parent.children.empty(), .type = "list"};
  for (const Child& child : parent.children)
    change.fields.emplace_back("", std::to_string(child.number) + " " + child.holder);
  return change;
}

std::vector<sim::KeyChange> changes(const std::string& node, const Server& before, const Server& after) {
  std::vector<sim::KeyChange> found;
  for (const auto& [lock, parent] : in(after).locks) {
    const auto was = in(before).locks.find(lock);
    sim::KeyChange now = described(node, lock, parent);
    const Parent none;
    if (!(now == described(node, lock, was == in(before).locks.end() ? none : was->second)))
      found.push_back(std::move(now));
  }
  return found;
}

sim::Duration next_change(const Server& server) {
  sim::Duration next = sim::never;
  if (!in(server).leads || !in(server).open) return next;
  for (const auto& [session, left] : in(server).sessions) next = std::min(next, left.left);
  return next;
}

}  // namespace

const model::ServerKind server_kind{
    .name = Ensemble::kind,
    .sessions = true,
    .make = [](const model::ServerSettings& settings) -> Server {
      const bool leads = settings.role == model::ServerRole::master;
      Ensemble ensemble;
      ensemble.leads = ensemble.open = leads;
      ensemble.time_out = settings.others.session_timeout;
      return ensemble;
    },
    .serve = [](Server& server, model::ConnectionId from, const model::Command& words,
                const model::Serving&) { return serve(open_in(server), model::process_of(from), words); },
    .disconnect = [](Server& server, ProcessId process) { forget_watches(open_in(server), process); },
    .disconnect_all =
        [](Server& server) {
          for (auto& [lock, parent] : open_in(server).locks)
            for (Child& child : parent.children) child.watchers.clear();
        },
    .crash = [](Server& server) { open_in(server).open = false; },
    .restart = [](Server&, model::Persistence) {},  // all that was committed is in its log
    .pass = [](Server& server, sim::Duration passed) { return pass(open_in(server), passed); },
    .jump = [](Server&, sim::Duration) { return model::Unasked{}; },
    .counts_down = [](const Server& server) { return next_change(server) != sim::never; },
    .next_change = next_change,
    .leads = [](const Server& server) { return in(server).leads; },
    .promote = [](Server& server) { open_in(server).leads = true; },
    .take_over =
        [](Server& elected, const Server& old) {
          const bool open = in(elected).open;
          open_in(elected) = in(old);
          for (auto& [lock, parent] : open_in(elected).locks)
            for (Child& child : parent.children) child.watchers.clear();
          open_in(elected).open = open;
        },
    .resynchronise =
        [](Server& server, const Server& leader, sim::Duration) {
          Ensemble follower;
          follower.leads = follower.open = false;
          follower.time_out = in(leader).time_out;
          server = follower;
        },
    .same_data = [](const Server&, const Server&) { return true; },
    .open =
        [](Server& server, bool serves) {
          open_in(server).open = serves;
          if (serves) begin_anew(open_in(server));
        },
    .is_open = [](const Server& server) { return in(server).open; },
    .look = [](const Server& server) -> model::Look {
      return {&in(server), find, names};
    },
    .left_behind = left_behind,
    .changes = changes,
    .quoted = [](const std::string& word) { return word; },
    .faults = {}};

}  // namespace lockstep::zookeeper
