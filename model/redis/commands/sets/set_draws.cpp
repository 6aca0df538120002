// SPOP and SRANDMEMBER: members by chance (t_set.c).
#include "model/redis/arguments.h"
#include "model/redis/commands/sets/draws.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// Above so many times the remaining members, the popped ones stay where they are and the others move to a
/// new set, which may become an intset thereby (SPOP_MOVE_STRATEGY_MUL).
constexpr std::size_t move_strategy_factor = 5;

std::string take(Set& set, std::size_t place) {
  std::string member = std::move(set.members[place]);
  set.members.erase(set.members.begin() + static_cast<std::ptrdiff_t>(place));
  return member;
}

/// The whole set goes, in the order that SUNION of it alone has.
Reply pop_all(Call& call, std::string_view key, const Set& set) {
  Set all;
  for (const std::string& member : set.members) all.insert(member, call.compact_limits());
  call.db().erase(key);
  call.tell({'s', "spop"}, key);
  call.replicate({"DEL", key});
  return bulks(all.members);
}

std::vector<std::string> pop_few(Call& call, Set& set, std::size_t wanted) {
  std::vector<std::string> popped;
  for (; wanted > 0; --wanted) popped.push_back(take(set, call.draw(set.members.size())));
  return popped;
}

std::vector<std::string> pop_most(Call& call, Set& set, std::size_t remaining) {
  Set kept;
  for (; remaining > 0; --remaining)
    kept.insert(take(set, call.draw(set.members.size())), call.compact_limits());
  std::vector<std::string> popped(set.members.begin(), set.members.end());
  set = std::move(kept);
  return popped;
}

Reply pop_counted(Call& call, Words words) {
  const auto wanted = parse_integer(words[2]);
  if (!wanted || *wanted < 0) return errors::not_positive();
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  if (!set || *wanted == 0) return empty_array();
  const auto popping = static_cast<std::uint64_t>(*wanted), size = std::uint64_t{set->members.size()};
  if (popping >= size) return pop_all(call, words[1], *set);
  const std::uint64_t remaining = size - popping;
  const auto popped = remaining * move_strategy_factor > popping ? pop_few(call, *set, popping)
                                                                 : pop_most(call, *set, remaining);
  call.tell({'s', "spop"}, words[1]);
  for (const std::string& member : popped) call.replicate({"SREM", words[1], member});
  return bulks(popped);
}

}  // namespace

Reply spop(Call& call, Words words) {
  if (words.size() > 3) return errors::syntax();
  if (words.size() == 3) return pop_counted(call, words);
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  if (!set) return Nil{};
  const std::string popped = take(*set, call.draw(set->members.size()));
  if (set->members.empty()) call.db().erase(words[1]);
  call.tell({'s', "spop"}, words[1]);
  call.tell_if_gone(words[1]);
  call.replicate({"SREM", words[1], popped});
  return popped;
}

Reply srandmember(Call& call, Words words) {
  if (words.size() > 3) return errors::syntax();
  const bool counted = words.size() == 3;
  const auto wanted = counted ? parse_integer(words[2]) : 1;
  if (!wanted) return errors::not_an_integer();
  if (*wanted < -drawn_max) return errors::outside_range(-drawn_max, drawn_max);
  Set* set = nullptr;
  if (!call.find(words[1], set)) return errors::wrong_type();
  if (!set) return counted ? empty_array() : Reply(Nil{});
  if (!counted) return set->members[call.draw(set->members.size())];
  const auto size = [](const std::string& member) { return member.size(); };
  if (!fits_in_a_reply(*wanted, set->members, size)) return errors::reply_too_long();
  Reply::Array drawn;
  for (const std::size_t place : draw_counted(call, set->members.size(), *wanted))
    drawn.emplace_back(set->members[place]);
  return drawn;
}

}  // namespace lockstep::redis::commands
