#include "model/client/complete.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/client/machine.h"
#include "model/program/interpreter.h"

namespace lockstep::model {

namespace {

using Found = std::optional<sim::Problem>;

std::string listed(std::span<const Word> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i].name);
  return text;
}

Found unfillable(const lua::Script& script, const LockKind& kind) {
  const auto look = [&](const std::vector<std::string>& names, std::span<const Word> known,
                        const char* what) -> Found {
    for (const std::string& name : names)
      if (std::none_of(known.begin(), known.end(), [&](const Word& word) { return word.name == name; }))
        return sim::Problem{
            fmt::format("{}: {} of this script is called `{}`, and the client can fill only {}", script.file,
                        what, name, listed(known))};
    return std::nullopt;
  };
  if (Found found = look(script.keys, kind.keys, "a key")) return found;
  return look(script.args, kind.args, "an argument");
}

/// Whether the programs make calls of this intent on locks of this kind. Renewals follow from acquires.
bool is_used(const Setup& setup, std::uint16_t kind, Intent intent) {
  for (const ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program) {
      const bool takes = is_acquire(step.kind);
      const bool fits = (takes && (intent == Intent::acquire || intent == Intent::renew)) ||
                        (step.kind == StepKind::unlock && intent == Intent::release) ||
                        (step.kind == StepKind::force_unlock && intent == Intent::force_release);
      if (fits && setup.objects[step.object].kind == kind) return true;
    }
  return false;
}

Found check_call(const Setup& setup, std::uint16_t kind, StepKind call) {
  const Intent intent = call == StepKind::unlock         ? Intent::release
                        : call == StepKind::force_unlock ? Intent::force_release
                                                         : Intent::acquire;
  if (role_for(*setup.kinds[kind], intent) != nullptr) return std::nullopt;
  return sim::Problem{fmt::format("a {} lock has no such call", setup.kinds[kind]->name)};
}

Found check_kind(const Setup& setup, std::uint16_t number) {
  const LockKind& kind = *setup.kinds[number];
  for (const Role& role : kind.roles) {
    if (role.command != nullptr || !is_used(setup, number, role.intent)) continue;
    const lua::Script* script = script_for(role, setup);
    if (script == nullptr)
      return sim::Problem{
          fmt::format("the script set {} has no script for the role `{}`", setup.scripts.name, role.name)};
    if (Found found = unfillable(*script, kind)) return found;
  }
  return std::nullopt;
}

Found check_calls(const Setup& setup) {
  for (const ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program) {
      const bool call = is_acquire(step.kind) || step.kind == StepKind::unlock ||
                        step.kind == StepKind::force_unlock;
      if (!call) continue;
      if (Found found = check_call(setup, setup.objects[step.object].kind, step.kind)) return found;
    }
  return std::nullopt;
}

/// Two objects that are stored on the same servers.
bool meet(const LockObject& one, const LockObject& other, const Setup& setup) {
  const auto everywhere = [&](const LockObject& object) {
    return setup.kinds[object.kind]->spread == Spread::all_groups;
  };
  return everywhere(one) || everywhere(other) || one.group == other.group;
}

/// One shape for each key: two kinds that store differently under one name would read each other's data.
Found check_shapes(const Setup& setup) {
  for (const LockObject& one : setup.objects)
    for (const LockObject& other : setup.objects)
      if (one.name == other.name && meet(one, other, setup) &&
          setup.kinds[one.kind]->shape != setup.kinds[other.kind]->shape)
        return sim::Problem{
            fmt::format("`{}` is used as a {} lock and as a {} lock, which are stored differently", one.name,
                        setup.kinds[one.kind]->name, setup.kinds[other.kind]->name)};
  return std::nullopt;
}

Found choose_libraries(Setup& setup) {
  setup.libraries.assign(setup.group_count(), nullptr);
  for (std::size_t o = 0; o < setup.objects.size(); ++o)
    for (std::size_t g = 0; g < setup.libraries.size(); ++g) {
      const auto object = static_cast<std::uint16_t>(o);
      if (!lies_on(setup, object, sim::make_id<GroupId>(g))) continue;
      const Library*& library = setup.libraries[g];
      const Library* wanted = kind_of(setup, object).library;
      if (library != nullptr && library != wanted)
        return sim::Problem{
            fmt::format("locks of {} and of {} on the same servers", library->name, wanted->name)};
      library = wanted;
    }
  const auto any = std::find_if(setup.libraries.begin(), setup.libraries.end(),
                                [](const Library* library) { return library != nullptr; });
  const Library* fallback = any == setup.libraries.end() ? setup.kinds.front()->library : *any;
  for (const Library*& library : setup.libraries)
    if (library == nullptr) library = fallback;
  return std::nullopt;
}

void number_threads(Setup& setup) {
  for (ProcessSetup& process : setup.processes) process.threads.clear();
  for (std::size_t t = 0; t < setup.threads.size(); ++t) {
    auto& siblings = setup.processes[setup.threads[t].process.index()].threads;
    setup.threads[t].place = sim::make_id<sim::PlaceId>(siblings.size());
    siblings.push_back(sim::make_id<ThreadId>(t));
  }
}

}  // namespace

sim::Result<Setup> complete(Setup setup) {
  if (setup.kinds.empty()) setup.kinds.assign(shipped_kinds().begin(), shipped_kinds().end());
  if (Found found = check_calls(setup)) return *std::move(found);
  for (std::uint16_t kind = 0; kind < setup.kinds.size(); ++kind)
    if (Found found = check_kind(setup, kind)) return *std::move(found);
  if (Found found = check_shapes(setup)) return *std::move(found);
  if (Found found = choose_libraries(setup)) return *std::move(found);
  number_threads(setup);
  return setup;
}

}  // namespace lockstep::model
