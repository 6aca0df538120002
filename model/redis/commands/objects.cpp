// OBJECT: how a value is kept.
#include "model/redis/commands/handlers.h"
#include "model/redis/encoding.h"

namespace lockstep::redis::commands {

Reply object_encoding(Call& call, Words words) {
  const Entry* const entry = call.entry(words[2]);
  return entry ? bulk(encoding_of(entry->value)) : Reply(Nil{});
}

Reply object_refcount(Call& call, Words words) {
  const Entry* const entry = call.entry(words[2]);
  return entry ? Reply(reference_count(entry->value)) : Reply(Nil{});
}

/// When a key was last looked at is not part of a state, so no key was ever idle for a whole second.
Reply object_idletime(Call& call, Words words) {
  return call.entry(words[2]) ? Reply(std::int64_t{0}) : Reply(Nil{});
}

Reply object_freq(Call& call, Words words) {
  if (!call.entry(words[2])) return Nil{};
  return Error{
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when "
      "switching between policies at runtime LRU and LFU data will take some time to adjust."};
}

Reply object_help(Call&, Words) {
  constexpr std::string_view lines[] = {
      "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "ENCODING <key>",
      "    Return the kind of internal representation used in order to store the value",
      "    associated with a <key>.",
      "FREQ <key>",
      "    Return the access frequency index of the <key>. The returned integer is",
      "    proportional to the logarithm of the recent access frequency of the key.",
      "IDLETIME <key>",
      "    Return the idle time of the <key>, that is the approximated number of",
      "    seconds elapsed since the last access to the key.",
      "REFCOUNT <key>",
      "    Return the number of references of the value associated with the specified",
      "    <key>.",
      "HELP",
      "    Prints this help."};
  Reply::Array shown;
  for (const std::string_view line : lines) shown.emplace_back(Status{std::string(line)});
  return shown;
}

}  // namespace lockstep::redis::commands
