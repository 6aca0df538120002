#include "model/client/complete.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/client/machine.h"
#include "model/client/token.h"
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

/// What a call of this intent sends to the lock, or to those that it is made of.
bool leads_to(Intent call, Intent intent, bool to_members) {
  if (call == intent) return true;
  if (call != Intent::acquire) return false;
  if (intent == Intent::renew || intent == Intent::give_up) return true;
  return to_members && (intent == Intent::release || intent == Intent::extend);
}

/// The first step in the programs of a process that leads to requests in this role about locks of this kind.
std::optional<Blamed> user_of(const Setup& setup, std::uint16_t kind, const Role& role, ProcessId process) {
  const Intent intent = role.intent;
  const Role* const tells = role_that_tells(*setup.kinds[kind]);
  const auto sends = [&](const Step& step) {
    return tells == nullptr || intent != Intent::acquire || wants_token(step) == (&role == tells);
  };
  const auto leads = [&](const Step& step) {
    const std::optional<Intent> asked = intent_of(step.kind);
    if (!asked) return false;
    const LockObject& object = setup.objects[step.object];
    // A future that is cancelled gives the lock back.
    if (step.async && *asked == Intent::acquire && intent == Intent::release && object.kind == kind &&
        script_for(role, setup.scripts_of(process)) != nullptr)
      return true;
    if (object.kind == kind && leads_to(*asked, intent, false) && sends(step)) return true;
    return std::any_of(object.members.begin(), object.members.end(), [&](std::uint16_t member) {
      return setup.objects[member].kind == kind && leads_to(*asked, intent, true) && &role != tells;
    });
  };
  for (std::size_t t = 0; t < setup.threads.size(); ++t) {
    const std::vector<Step>& program = setup.threads[t].program;
    const auto found = std::find_if(program.begin(), program.end(), leads);
    if (setup.threads[t].process == process && found != program.end())
      return Blamed{sim::make_id<ThreadId>(t), static_cast<std::size_t>(found - program.begin()), process};
  }
  return std::nullopt;
}

/// A question to a lock asks one field of a hash.
Found check_question(const Setup& setup, const Step& step, std::uint16_t object) {
  const LockKind& kind = kind_of(setup, object);
  if (role_for(kind, *intent_of(step.kind)) == nullptr)
    return sim::Problem{fmt::format("a {} lock has no such call", kind.name)};
  const bool of_hash = step.kind == StepKind::is_held || step.kind == StepKind::hold_count;
  if (of_hash && &shape_of(setup, object) != kind.shape)
    return sim::Problem{fmt::format("`{}` asks {}, and these scripts store locks as {}",
                                    step.kind == StepKind::is_held ? "is-held" : "hold-count",
                                    step.kind == StepKind::is_held ? "HEXISTS" : "HGET",
                                    shape_of(setup, object).name)};
  return std::nullopt;
}

Found check_members(const Setup& setup, const Step& step) {
  const Intent intent = *intent_of(step.kind);
  const std::uint16_t object = step.object;
  const bool async = step.async;
  const LockObject& whole = setup.objects[object];
  if (is_question(intent) && intent != Intent::ask_token && kind_of(setup, object).asking != nullptr) {
    for (const std::uint16_t member : whole.members)
      if (Found found = check_question(setup, step, member)) return found;
    return std::nullopt;
  }
  const bool throws = intent == Intent::force_release && kind_of(setup, object).asking != nullptr;
  if (intent != Intent::acquire && intent != Intent::release && !throws)
    return sim::Problem{fmt::format("a {} lock has no such call", kind_of(setup, object).name)};
  for (const std::uint16_t member : whole.members)
    if (role_for(kind_of(setup, member), Intent::extend) == nullptr)
      return sim::Problem{fmt::format("`{}` cannot be made of a {} lock", whole.name,
                                      kind_of(setup, member).name)};
  for (const std::uint16_t member : whole.members)
    if (async && kind_of(setup, member).listening == nullptr)
      return sim::Problem{fmt::format("no call of a {} lock returns a future here, so none of `{}` does",
                                      kind_of(setup, member).name, whole.name)};
  return std::nullopt;
}

Found check_call(const Setup& setup, const Step& step) {
  const LockKind& kind = kind_of(setup, step.object);
  if (kind.is_made_of_others()) return check_members(setup, step);
  if (Found found = check_question(setup, step, step.object)) return found;
  if (step.async && kind.listening == nullptr)
    return sim::Problem{fmt::format("no call of a {} lock returns a future here", kind.name)};
  return std::nullopt;
}

/// `by` names a thread of the same process.
Found check_other_thread(const Setup& setup, const ThreadSetup& asking, const Step& step) {
  const auto named = [&](const ThreadSetup& one) {
    return one.process == asking.process && one.java_id == *step.by;
  };
  if (!step.by || std::any_of(setup.threads.begin(), setup.threads.end(), named)) return std::nullopt;
  return sim::Problem{fmt::format("no thread of the process of {} has the number {}", asking.name, *step.by)};
}

/// The numbers of a release.
std::vector<unsigned> release_in(std::string_view text) {
  std::vector<unsigned> numbers(1);
  for (const char c : text) {
    if (c == '.') numbers.push_back(0);
    else if (c < '0' || c > '9') break;
    else numbers.back() = numbers.back() * 10 + static_cast<unsigned>(c - '0');
  }
  return numbers;
}

/// Whether a set is that of a release of the kind's library which did not have the kind yet.
bool is_too_old(const lua::ScriptSet& scripts, const LockKind& kind) {
  const std::string of_library = fmt::format("{}@", kind.library->name);
  return scripts.name.starts_with(of_library) &&
         release_in(std::string_view(scripts.name).substr(of_library.size())) < release_in(kind.since);
}

/// "; Redisson has a fenced lock since 3.19.0"
std::string told_since(const LockKind& kind) {
  if (kind.since.empty()) return {};
  std::string library(kind.library->name);
  library.front() = static_cast<char>(library.front() - 'a' + 'A');
  return fmt::format("; {} has a {} lock since {}", library, kind.name, kind.since);
}

Found check_kind(const Setup& setup, std::uint16_t number, ProcessId process, Blamed& blamed) {
  const LockKind& kind = *setup.kinds[number];
  const lua::ScriptSet& scripts = setup.scripts_of(process);
  for (const Role& role : kind.roles) {
    const lua::Script* script = script_for(role, scripts);
    if (role.described != nullptr || (script == nullptr && role.command != nullptr)) continue;
    const std::optional<Blamed> user = user_of(setup, number, role, process);
    if (!user) continue;
    blamed = *user;
    if (script == nullptr && role.intent == Intent::give_up) continue;  // then nobody says so
    if (script == nullptr || (!kind.since.empty() && is_too_old(scripts, kind)))
      return sim::Problem{fmt::format("the script set {} has no script for the role `{}`{}", scripts.name,
                                      role.name, told_since(kind))};
    if (Found found = unfillable(*script, kind)) return found;
  }
  return std::nullopt;
}

/// A thread that goes round for ever draws numbers if its process sends words that are new in each call.
void find_who_draws(Setup& setup) {
  for (ThreadSetup& thread : setup.threads) {
    thread.draws_numbers = false;
    if (!goes_round_for_ever(thread)) continue;
    const lua::ScriptSet& scripts = setup.scripts_of(thread.process);
    for (std::uint16_t kind = 0; kind < setup.kinds.size(); ++kind)
      for (const Role& role : setup.kinds[kind]->roles) {
        const Scheme* const scheme = setup.kinds[kind]->scheme;
        const bool new_each_time =
            scheme != nullptr ? scheme->uses_token() : is_told_of_calls(*setup.kinds[kind], role, scripts);
        if (new_each_time && user_of(setup, kind, role, thread.process)) thread.draws_numbers = true;
      }
  }
}

/// What makes of a text another that does not have it in it.
constexpr std::array<std::string_view, 7> disguises{"sha1hex", "reverse", "upper", "lower",
                                                    "byte",    "sub(",    "pfadd"};

/// A word that is drawn is known to be new as long as all that was made of earlier ones shows them
/// (model/world/unmentioned.h).
Found check_words(const Setup& setup, std::uint16_t kind, ProcessId process, Blamed& blamed) {
  const auto draws = [](const ThreadSetup& thread) { return thread.draws_numbers; };
  if (std::none_of(setup.threads.begin(), setup.threads.end(), draws)) return std::nullopt;
  for (const Role& role : setup.kinds[kind]->roles) {
    const lua::Script* script = script_for(role, setup.scripts_of(process));
    if (role.described != nullptr) script = role.described->script ? &*role.described->script : nullptr;
    const std::optional<Blamed> user =
        script == nullptr ? std::nullopt : user_of(setup, kind, role, process);
    for (const std::string_view disguise : disguises) {
      if (!user || script->text.find(disguise) == std::string::npos) continue;
      blamed = *user;
      return sim::Problem{fmt::format(
          "a thread goes round for ever and sends words that are new in each call, and the script in the "
          "role `{}` says `{}`, so that one may stay stored unseen; say how often",
          role.name, disguise)};
    }
  }
  return std::nullopt;
}

/// One lock has one shape, whoever's scripts store it.
Found check_sets(const Setup& setup) {
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const lua::ScriptSet &first = setup.scripts_of(ProcessId{}),
                         &other = setup.scripts_of(sim::make_id<ProcessId>(p));
    if (first.stored != other.stored)
      return sim::Problem{fmt::format("the script sets {} and {} store locks differently", first.name,
                                      other.name)};
  }
  return std::nullopt;
}

Found check_calls(const Setup& setup, Blamed& blamed) {
  for (std::size_t t = 0; t < setup.threads.size(); ++t)
    for (std::size_t at = 0; at < setup.threads[t].program.size(); ++at) {
      const Step& step = setup.threads[t].program[at];
      if (!intent_of(step.kind)) continue;
      Found found = check_call(setup, step);
      if (!found) found = check_other_thread(setup, setup.threads[t], step);
      if (!found) continue;
      blamed = {.thread = sim::make_id<ThreadId>(t), .step = at, .process = std::nullopt};
      return found;
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
      if (key_of(one) == key_of(other) && meet(one, other, setup) && setup.kinds[one.kind]->is_lock() &&
          setup.kinds[other.kind]->is_lock() &&
          setup.kinds[one.kind]->shape != setup.kinds[other.kind]->shape)
        return sim::Problem{
            fmt::format("`{}` is used as a {} lock and as a {} lock, which are stored differently",
                        key_of(one), setup.kinds[one.kind]->name, setup.kinds[other.kind]->name)};
  return std::nullopt;
}

Found choose_libraries(Setup& setup) {
  setup.libraries.assign(setup.group_count(), nullptr);
  for (std::size_t o = 0; o < setup.objects.size(); ++o)
    for (std::size_t g = 0; g < setup.libraries.size(); ++g) {
      const auto object = static_cast<std::uint16_t>(o);
      if (!kind_of(setup, object).is_lock() || !lies_on(setup, object, sim::make_id<GroupId>(g))) continue;
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

/// Where a lock lies in a cluster follows from the slot of its key.
GroupId group_of_slot(const Setup& setup, const std::string& key) {
  const std::uint16_t slot = setup.nodes.front().kind->slot_of(key);
  for (const NodeSetup& node : setup.nodes)
    for (const auto& [first, last] : node.slots)
      if (first <= slot && slot <= last) return node.group;
  return {};
}

void place_by_slot(Setup& setup) {
  if (setup.topology != Topology::cluster) return;
  const auto place = [&](LockObject& object) {
    if (setup.kinds[object.kind]->is_lock()) object.group = group_of_slot(setup, key_of(object));
  };
  for (LockObject& object : setup.objects) {
    place(object);
    for (LockObject& other : object.made_of) place(other);
  }
  for (AnswerCount& count : setup.answers)
    if (setup.kinds[count.kind]->is_lock())
      count.group = group_of_slot(setup, setup.kinds[count.kind]->shares_key
                                             ? count.name.substr(0, count.name.rfind('/'))
                                             : count.name);
}

/// Locks that are made of others find them, or get them on every group.
void find_members(Setup& setup) {
  const auto number_of_member = [&](LockObject wanted) {
    const auto found = std::find_if(setup.objects.begin(), setup.objects.end(), [&](const LockObject& one) {
      return one.kind == wanted.kind && one.name == wanted.name && one.group == wanted.group &&
             one.via.empty() && !one.fresh;
    });
    const auto number = static_cast<std::uint16_t>(found - setup.objects.begin());
    wanted.part = true;
    if (found == setup.objects.end()) setup.objects.push_back(std::move(wanted));
    else found->part = false;  // named by itself, or by two
    return number;
  };
  const std::size_t count = setup.objects.size();
  for (std::size_t o = 0; o < count; ++o) {
    if (!setup.kinds[setup.objects[o].kind]->is_made_of_others() || !setup.objects[o].members.empty())
      continue;
    std::vector<LockObject> named = setup.objects[o].made_of;
    if (named.size() == 1)
      for (std::size_t g = 1; g < setup.group_count(); ++g) {
        named.push_back(named.front());
        named.back().group = sim::make_id<GroupId>(g);
      }
    for (const LockObject& one : named) {
      const std::uint16_t member = number_of_member(one);
      setup.objects[o].members.push_back(member);
    }
  }
}

/// Objects that take several locks under one key find these.
void find_locks(Setup& setup) {
  const std::size_t count = setup.objects.size();
  for (std::size_t o = 0; o < count; ++o) {
    const LockObject whole = setup.objects[o];
    if (whole.values.size() < 2 || !whole.locks.empty()) continue;
    for (const std::string& value : whole.values) {
      LockObject wanted{.kind = whole.kind,
                        .name = fmt::format("{}/{}", whole.key, value),
                        .via = {},
                        .group = whole.group,
                        .key = whole.key,
                        .values = {value}};
      const auto found = std::find(setup.objects.begin(), setup.objects.end(), wanted);
      setup.objects[o].locks.push_back(static_cast<std::uint16_t>(found - setup.objects.begin()));
      if (found == setup.objects.end()) setup.objects.push_back(std::move(wanted));
    }
  }
}

/// Each resource is a server of its own, behind those of the scenario.
void place_resources(Setup& setup) {
  for (LockObject& object : setup.objects) {
    const LockKind& kind = *setup.kinds[object.kind];
    if (kind.server == nullptr) continue;
    const auto its = [&](const NodeSetup& node) {
      return node.kind == kind.server && node.name == object.name;
    };
    auto node = std::find_if(setup.nodes.begin(), setup.nodes.end(), its);
    if (node == setup.nodes.end()) {
      NodeSetup added{.name = object.name, .group = sim::make_id<GroupId>(setup.group_count())};
      added.kind = kind.server;
      added.fenced = object.fenced;
      node = setup.nodes.insert(node, added);
    }
    object.group = node->group;
  }
}

/// Clients that take a lease of zero for none.
void drop_leases_of_zero(Setup& setup) {
  for (ThreadSetup& thread : setup.threads)
    for (Step& step : thread.program)
      if (step.lease == Duration::zero() && setup.client_of(thread.process).no_lease_at_zero) {
        step.lease.reset();
        const std::size_t word = step.text.find(" lease=");
        if (word != std::string::npos)
          step.text.erase(word, std::min(step.text.find(' ', word + 1), step.text.size()) - word);
      }
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

bool goes_round_for_ever(const ThreadSetup& thread) {
  return std::any_of(thread.program.begin(), thread.program.end(), [](const Step& step) {
    return step.kind == StepKind::repeat && step.count == 0;
  });
}

sim::Result<Setup> complete(Setup setup, Blamed* blamed) {
  Blamed unread;
  if (blamed == nullptr) blamed = &unread;
  if (setup.kinds.empty()) setup.kinds.assign(shipped_kinds().begin(), shipped_kinds().end());
  if (Found found = check_sets(setup)) return *std::move(found);
  place_by_slot(setup);
  drop_leases_of_zero(setup);
  find_members(setup);
  find_locks(setup);
  if (Found found = check_calls(setup, *blamed)) return *std::move(found);
  find_who_draws(setup);
  for (std::uint16_t kind = 0; kind < setup.kinds.size(); ++kind)
    for (std::size_t p = 0; p < setup.processes.size(); ++p) {
      const auto process = sim::make_id<ProcessId>(p);
      if (Found found = check_kind(setup, kind, process, *blamed)) return *std::move(found);
      if (Found found = check_words(setup, kind, process, *blamed)) return *std::move(found);
    }
  *blamed = {};
  place_resources(setup);
  if (Found found = check_shapes(setup)) return *std::move(found);
  if (Found found = choose_libraries(setup)) return *std::move(found);
  number_threads(setup);
  return setup;
}

}  // namespace lockstep::model
