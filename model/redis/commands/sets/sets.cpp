#include "model/redis/commands/handlers.h"
#include "model/redis/commands/keys/scan_options.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply sadd(Call& call, Words words) {
  Set* const set = call.find_or_create<Set>(words[1]);
  if (!set) return errors::wrong_type();
  const CompactLimits limits = call.compact_limits();
  std::size_t added = 0;
  for (const std::string_view member : words.subspan(2)) added += set->insert(member, limits) ? 1 : 0;
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

Reply smove(Call& call, Words words) {
  Set *source = nullptr, *target = nullptr;
  const bool source_fits = call.find(words[1], source), target_fits = call.find(words[2], target);
  if (source_fits && !source) return count(0);  // whatever the target is
  if (!source_fits || !target_fits) return errors::wrong_type();
  if (source == target) return yes_no(source->contains(words[3]));
  if (!source->erase(words[3])) return count(0);
  if (source->members.empty()) call.db().erase(words[1]);
  call.touch_key(words[1]);
  call.tell({'s', "srem"}, words[1]);
  call.tell_if_gone(words[1]);
  if (call.find_or_create<Set>(words[2])->insert(words[3], call.compact_limits())) {
    call.touch_key(words[2]);
    call.tell({'s', "sadd"}, words[2]);
  }
  call.replicate_silently(words);
  return count(1);
}

Reply sscan(Call& call, Words words) {
  const auto cursor = parse_cursor(words[2]);
  if (!cursor) return invalid_cursor();
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  if (!set) return scan_reply(0, {});
  ScanOptions options;
  if (Reply problem = parse_scan_options(words.subspan(3), TypeOption::unknown, options); !problem.is_nil())
    return problem;
  const std::vector<std::string_view> names(set->members.begin(), set->members.end());
  const ScanStep step = set->integers ? everything(names.size()) : scan_step(names, *cursor, options.count);
  Reply::Array found;
  for (const std::size_t place : step.places) {
    if (options.matches(names[place])) found.emplace_back(bulk(names[place]));
  }
  return scan_reply(step.cursor, std::move(found));
}

}  // namespace lockstep::redis::commands
