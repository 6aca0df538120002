#include "model/world/publishing.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <variant>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"

namespace lockstep::model {

namespace {

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// Every command that the script calls is written out in it, and none of them publishes, or asks who listens.
bool never_publishes(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view word : {"pub", "client", "info"})
    if (text.find(word) != std::string::npos) return false;
  std::size_t calls = 0;
  for (const std::string_view call : {"redis.call(", "redis.pcall("})
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
      const std::size_t quote = at + call.size();
      if (quote >= text.size() || (text[quote] != '\'' && text[quote] != '"')) return false;
      const std::size_t end = text.find(text[quote], quote + 1);
      if (end == std::string::npos || end + 1 >= text.size()) return false;
      if (text[end + 1] != ',' && text[end + 1] != ')') return false;
      ++calls;
    }
  return count_of(text, "redis") == calls;
}

bool never_publishes(const Role& role, const lua::ScriptSet& scripts) {
  const bool harmless =
      role.intent == Intent::acquire || role.intent == Intent::renew || is_question(role.intent);
  if (!harmless || role.described != nullptr) return false;
  const lua::Script* script = script_for(role, scripts);
  return script != nullptr ? never_publishes(script->text) : role.command != nullptr;
}

bool never_publishes(const Request& request, const Setup& setup, ProcessId p) {
  return never_publishes(role_of(request.purpose, setup), setup.scripts_of(p));
}

/// A call that takes this lock sends nothing but requests that publish nothing.
bool is_taken_in_silence(const Setup& setup, std::uint16_t object, ProcessId p) {
  const LockKind& kind = *setup.kinds[setup.objects[object].kind];
  if (!setup.objects[object].members.empty() || !setup.objects[object].locks.empty()) return false;
  if (kind.scheme != nullptr) return false;
  return std::all_of(kind.roles.begin(), kind.roles.end(), [&](const Role& role) {
    return role.intent != Intent::acquire || never_publishes(role, setup.scripts_of(p));
  });
}

enum class Then { goes_on, stops, may_publish };

/// What a step does to a thread that comes to it, before time passes.
Then at_step(const Step& step, const Setup& setup, ProcessId p) {
  if (step.async) return Then::may_publish;
  switch (step.kind) {
    case StepKind::start:
    case StepKind::think:
    case StepKind::work:
      return step.span.lo > Duration::zero() ? Then::stops : Then::goes_on;
    case StepKind::lock:
    case StepKind::lock_interruptibly:
    case StepKind::try_lock:
      return is_taken_in_silence(setup, step.object, p) ? Then::goes_on : Then::may_publish;
    case StepKind::signal:
    case StepKind::await:
    case StepKind::expect:
      return Then::goes_on;
    default:
      return Then::may_publish;
  }
}

/// Of a thread that comes to a step; where a refused trylock goes on, and if an exception may be caught, that
/// is asked of the steps there as well.
bool may_publish_from(const ThreadSetup& thread, std::size_t step, const Setup& setup) {
  for (; step < thread.program.size(); ++step) {
    const Step& at = thread.program[step];
    const Then then = at_step(at, setup, thread.process);
    if (then != Then::goes_on) return then == Then::may_publish;
    if (at.kind == StepKind::try_lock && at.jump > step + 1 && may_publish_from(thread, at.jump, setup))
      return true;
  }
  return false;
}

bool may_publish(const Thread& thread, const ThreadSetup& its, const Setup& setup) {
  const bool catches = std::any_of(its.program.begin(), its.program.end(),
                                   [](const Step& step) { return step.kind == StepKind::try_block; });
  if (catches) return true;
  const Cursor& cursor = thread.cursor;
  if (std::holds_alternative<Ended>(cursor.activity)) return false;
  if (cursor.refused && may_publish_from(its, *cursor.refused, setup)) return true;
  if (const auto* busy = std::get_if<Busy>(&cursor.activity))
    return busy->lo.due() && may_publish_from(its, cursor.step + 1, setup);
  return may_publish_from(its, cursor.step, setup);
}

bool is_under_way(const World& world, const Setup& setup, ProcessId p) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    for (const Flight& flight : world.link(p, sim::make_id<NodeId>(n))->flights)
      if (flight.request && !never_publishes(*flight.request, setup, p)) return true;
  return false;
}

}  // namespace

std::uint16_t told_most(const std::vector<Push>& pushes) {
  const auto channel_of = [](const Push& push) -> std::string_view {
    const Reply::Array* parts = push.message.array();
    if (parts == nullptr || parts->size() != 3 || parts->at(0).bulk() == nullptr) return {};
    const std::string& what = *parts->at(0).bulk();
    return what == "message" || what == "smessage" ? std::string_view(*parts->at(1).bulk())
                                                   : std::string_view();
  };
  std::ptrdiff_t most = 0;
  for (const Push& one : pushes) {
    const std::string_view channel = channel_of(one);
    if (channel.empty() || channel.starts_with("__key")) continue;
    most = std::max(most, std::count_if(pushes.begin(), pushes.end(), [&](const Push& other) {
                      return other.to == one.to && channel_of(other) == channel;
                    }));
  }
  return static_cast<std::uint16_t>(most);
}

bool may_publish_now(const World& world, const Setup& setup, ProcessId p) {
  if (!setup.notify.empty() || is_under_way(world, setup, p)) return true;
  const Process& process = *world.processes[p.index()];
  if (process.life == Process::Life::dead) return (*world.budget)[fault_id(restart_process_fault)] > 0;
  for (const Client& client : process.clients) {
    if (!client.queue.empty()) return true;
    for (const Pending& pending : client.pending)
      if (!never_publishes(pending.request, setup, p)) return true;
  }
  for (const ThreadId thread : setup.processes[p.index()].threads) {
    const ThreadSetup& its = setup.threads[thread.index()];
    if (may_publish(process.threads[its.place], its, setup)) return true;
  }
  return false;
}

}  // namespace lockstep::model
