#include "model/zookeeper/ensemble.h"

#include <algorithm>
#include <charconv>

#include "model/zookeeper/kind.h"
#include "sim/base/passing.h"

namespace lockstep::zookeeper {

namespace {

using model::Command;
using model::Push;
using model::Reply;

std::uint32_t number_in(const std::string& word) {
  std::uint32_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// Who watched it is told that it is gone.
void tell(const Child& gone, const std::string& lock, std::vector<Push>& pushes) {
  for (const ProcessId process : gone.watchers)
    pushes.push_back({model::connection_of(process),
                      Reply::Array{std::string("message"), lock, "deleted " + std::to_string(gone.number),
                                   std::int64_t{gone.number}}});
}

/// 3.: of the session that asks; nothing is refused.
class Asked {
 public:
  Asked(Ensemble& ensemble, SessionId session, const Command& words)
      : ensemble_(ensemble), session_(session), words_(words) {}

  model::Served answer() {
    const std::string& what = words_[0];
    if (what == "CREATE" || what == "CREATE-FOR-GOOD") return create(what == "CREATE");
    if (what == "CHILDREN") return children();
    if (what == "EXISTS") return exists();
    if (what == "DELETE") return remove();
    return {.reply = lua::Status{"PONG"}};
  }

 private:
  Parent& parent() { return ensemble_.locks[words_[2]]; }
  std::vector<Child>::iterator named() {
    const std::uint32_t number = number_in(words_[3]);
    return std::find_if(parent().children.begin(), parent().children.end(),
                        [&](const Child& child) { return child.number == number; });
  }

  model::Served create(bool ephemeral) {
    Parent& its = parent();
    its.children.push_back({++its.last, session_, words_[3], ephemeral, {}});
    return {.reply = std::int64_t{its.last}};
  }

  model::Served children() {
    Reply::Array numbers{std::int64_t{0}};
    for (const Child& child : parent().children) {
      numbers.push_back(std::int64_t{child.number});
      if (child.session == session_ && child.holder == words_[3]) numbers.front() = numbers.back();
    }
    return {.reply = std::move(numbers)};
  }

  model::Served exists() {
    const auto child = named();
    if (child == parent().children.end()) return {.reply = std::int64_t{0}};
    child->watchers.insert(session_.first);
    return {.reply = std::int64_t{1}};
  }

  model::Served remove() {
    const auto child = named();
    model::Served served{.reply = std::int64_t{child != parent().children.end()}};
    if (child == parent().children.end()) return served;
    tell(*child, words_[2], served.pushes);
    parent().children.erase(child);
    return served;
  }

  Ensemble& ensemble_;
  SessionId session_;
  const Command& words_;
};

/// 2.
void end(Ensemble& ensemble, SessionId session, model::Unasked& unasked) {
  for (auto& [lock, parent] : ensemble.locks) {
    const auto its = [&](const Child& child) { return child.ephemeral && child.session == session; };
    if (std::none_of(parent.children.begin(), parent.children.end(), its)) continue;
    for (const Child& child : parent.children)
      if (its(child)) tell(child, lock, unasked.pushes);
    std::erase_if(parent.children, its);
    unasked.gone.push_back({lock, {}});
  }
  std::uint16_t& last = ensemble.ended[session.first];
  last = std::max(last, session.second);
  ensemble.sessions.erase(session);
  const auto newer = [&](const auto& one) { return one.first.first == session.first; };
  if (std::none_of(ensemble.sessions.begin(), ensemble.sessions.end(), newer))
    unasked.closed.push_back(session.first);
}

}  // namespace

model::Served serve(Ensemble& ensemble, ProcessId from, const Command& words) {
  if (!ensemble.open || !ensemble.leads) return {.reply = lua::Status{std::string(connection_loss)}};
  const SessionId session{from, static_cast<std::uint16_t>(number_in(words[1]))};
  const auto ended = ensemble.ended.find(from);
  const bool is_over = !ensemble.sessions.contains(session) && ended != ensemble.ended.end() &&
                       session.second <= ended->second;
  if (is_over) return {.reply = lua::Status{std::string(expired)}};
  ensemble.sessions[session] = {ensemble.time_out};
  return Asked(ensemble, session, words).answer();
}

model::Unasked pass(Ensemble& ensemble, sim::Duration passed) {
  model::Unasked unasked;
  if (!ensemble.open || !ensemble.leads) return unasked;
  std::vector<SessionId> over;
  for (auto& [session, left] : ensemble.sessions) {
    sim::pass(left, sim::Passed::alike(passed));
    if (left.due()) over.push_back(session);
  }
  for (const SessionId& session : over) end(ensemble, session, unasked);
  return unasked;
}

void begin_anew(Ensemble& ensemble) {
  for (auto& [session, left] : ensemble.sessions) left = {ensemble.time_out};
}

void forget_watches(Ensemble& ensemble, ProcessId process) {
  for (auto& [lock, parent] : ensemble.locks)
    for (Child& child : parent.children) child.watchers.erase(process);
}

}  // namespace lockstep::zookeeper
