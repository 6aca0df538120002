// names.cpp: what threads and locks of a process are called (process.h).
#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "sim/base/verify.h"

namespace lockstep::model {

ThreadId thread_called(const Setup& setup, ProcessId process, std::int64_t number) {
  for (const ThreadId id : setup.processes[process.index()].threads)
    if (setup.threads[id.index()].java_id == number) return id;
  UNREACHABLE("complete() has looked");
}

std::string resource_of(const Call& call, const Setup& setup) {
  const LockObject& object = setup.objects[call.object];
  if (!kind_of(setup, call.object).is_lock()) return call.lock;
  return resource_name(object.group, object.key.empty() ? call.lock : object.name);
}

std::vector<std::string> resources_of(const Call& call, const Setup& setup) {
  if (!kind_of(setup, call.object).shares_key) return {resource_of(call, setup)};
  std::vector<std::string> names;
  for (const std::uint16_t lock : locks_of(setup, call.object))
    names.push_back(resource_name(setup.objects[lock].group, setup.objects[lock].name));
  return names;
}

std::uint16_t client_of(const Setup& setup, std::uint16_t object) {
  return setup.objects[object].group.value;
}

std::string holder_name(const Setup& setup, ThreadId thread, std::uint16_t incarnation,
                        std::uint16_t client) {
  const ThreadSetup& its = setup.threads[thread.index()];
  std::string name = setup.processes[its.process.index()].client_id;
  if (incarnation != 0) name += "-again-" + std::to_string(incarnation);
  if (client != 0) name += "-client-" + std::to_string(client);
  return name + ":" + std::to_string(its.java_id);
}

std::string holder_of(const Purpose& purpose, const Setup& setup) {
  return holder_name(setup, purpose.thread, purpose.incarnation, client_of(setup, purpose.object));
}

}  // namespace lockstep::model
