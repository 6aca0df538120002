// OBJECT: how a value is kept.
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/data/encoding.h"

namespace lockstep::redis::commands {

Reply object_encoding(Call& call, Words words) {
  const Entry* const entry = call.entry(words[2]);
  return entry ? bulk(encoding_of(entry->value)) : Reply(Nil{});
}

Reply object_refcount(Call& call, Words words) {
  const Entry* const entry = call.entry(words[2]);
  return entry ? Reply(reference_count(entry->value)) : Reply(Nil{});
}

namespace {

bool counts_accesses(const Call& call) {
  return config_value(*call.node().settings, "maxmemory-policy").ends_with("lfu");
}

}  // namespace

/// When a key was last looked at is not part of a state, so no key was ever idle for a whole second.
Reply object_idletime(Call& call, Words words) {
  if (!call.entry(words[2])) return Nil{};
  if (!counts_accesses(call)) return count(0);
  return Error{
      "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching "
      "between "
      "policies at runtime LRU and LFU data will take some time to adjust."};
}

/// As if a key were new whenever it is asked for.
Reply object_freq(Call& call, Words words) {
  if (!call.entry(words[2])) return Nil{};
  constexpr std::size_t of_a_new_key = 5;  // LFU_INIT_VAL
  if (counts_accesses(call)) return count(of_a_new_key);
  return Error{
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when "
      "switching between policies at runtime LRU and LFU data will take some time to adjust."};
}

}  // namespace lockstep::redis::commands
