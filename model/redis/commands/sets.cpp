#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply sadd(Call& call, Words words) {
  Set* const set = call.find_or_create<Set>(words[1]);
  if (!set) return errors::wrong_type();
  std::size_t added = 0;
  for (const std::string_view member : words.subspan(2)) added += set->insert(member) ? 1 : 0;
  if (added > 0) call.replicate(words);
  return count(added);
}

Reply srem(Call& call, Words words) {
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  if (!set) return count(0);
  std::size_t removed = 0;
  for (const std::string_view member : words.subspan(2)) removed += set->erase(member) ? 1 : 0;
  if (set->members.empty()) call.db().erase(words[1]);
  if (removed > 0) call.replicate(words);
  return count(removed);
}

Reply sismember(Call& call, Words words) {
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  return yes_no(set && set->contains(words[2]));
}

Reply smismember(Call& call, Words words) {
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  Reply::Array answers;
  for (const std::string_view member : words.subspan(2))
    answers.push_back(yes_no(set && set->contains(member)));
  return answers;
}

Reply smembers(Call& call, Words words) {
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  return set ? Reply(bulks(set->members)) : empty_array();
}

Reply scard(Call& call, Words words) {
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  return count(set ? set->members.size() : 0);
}

}  // namespace lockstep::redis::commands
