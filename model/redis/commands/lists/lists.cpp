#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/lists/list_ends.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class IfAbsent : std::uint8_t { create, nothing };

Reply push(Call& call, Words words, ListEnd end, IfAbsent if_absent) {
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) {
    if (if_absent == IfAbsent::nothing) return count(0);
    list = call.find_or_create<List>(words[1]);
  }
  auto& items = list->items;
  for (const std::string_view item : words.subspan(2))
    items.emplace(end == ListEnd::head ? items.begin() : items.end(), item);
  call.replicate(words);
  return count(items.size());
}

Reply pop(Call& call, Words words, ListEnd end) {
  if (words.size() > 3) return errors::wrong_arity(call.name());
  const bool counted = words.size() == 3;
  std::size_t wanted = 1;
  if (counted) {
    const auto given = parse_integer(words[2]);
    if (!given || *given < 0) return errors::not_positive();
    wanted = static_cast<std::size_t>(*given);
  }
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return counted ? Reply(lua::NilArray{}) : Reply(Nil{});
  if (wanted == 0) return empty_array();

  Reply::Array taken;
  while (taken.size() < wanted && !list->items.empty()) taken.emplace_back(take(list->items, end));
  if (list->items.empty()) call.db().erase(words[1]);
  call.replicate(words);
  return counted ? Reply(std::move(taken)) : std::move(taken.front());
}

}  // namespace

Reply lpush(Call& call, Words words) { return push(call, words, ListEnd::head, IfAbsent::create); }
Reply rpush(Call& call, Words words) { return push(call, words, ListEnd::tail, IfAbsent::create); }
Reply lpushx(Call& call, Words words) { return push(call, words, ListEnd::head, IfAbsent::nothing); }
Reply rpushx(Call& call, Words words) { return push(call, words, ListEnd::tail, IfAbsent::nothing); }
Reply lpop(Call& call, Words words) { return pop(call, words, ListEnd::head); }
Reply rpop(Call& call, Words words) { return pop(call, words, ListEnd::tail); }

Reply llen(Call& call, Words words) {
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  return count(list ? list->items.size() : 0);
}

namespace {

/// The item that an index names; negative ones count from the tail. nullptr: there is none.
std::string* item_at(List& list, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(list.items.size());
  if (index < 0) index += size;
  return index < 0 || index >= size ? nullptr : &list.items[static_cast<std::size_t>(index)];
}

}  // namespace

Reply lindex(Call& call, Words words) {
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return Nil{};
  const auto index = parse_integer(words[2]);
  if (!index) return errors::not_an_integer();
  const std::string* const item = item_at(*list, *index);
  return item ? bulk(*item) : Reply(Nil{});
}

Reply lrange(Call& call, Words words) {
  const auto start = parse_integer(words[2]), stop = parse_integer(words[3]);
  if (!start || !stop) return errors::not_an_integer();
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return empty_array();
  const IndexRange range = clamp_range(*start, *stop, list->items.size());
  Reply::Array items;
  items.reserve(range.count);
  auto at = std::as_const(list->items).begin() + static_cast<std::ptrdiff_t>(range.first);
  for (std::size_t i = 0; i < range.count; ++i, ++at) items.emplace_back(*at);
  return items;
}

Reply lrem(Call& call, Words words) {
  const auto given = parse_integer(words[2]);
  if (!given) return errors::not_an_integer();
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return count(0);
  auto& items = list->items;
  const std::uint64_t limit =
      *given < 0 ? 0 - static_cast<std::uint64_t>(*given) : static_cast<std::uint64_t>(*given);
  std::uint64_t removed = 0;
  const auto goes = [&](const std::string& item) {
    const bool hit = (limit == 0 || removed < limit) && item == words[3];
    if (hit) ++removed;
    return hit;
  };
  if (*given < 0) std::reverse(items.begin(), items.end());  // a negative count removes from the tail
  std::vector<std::string> kept;
  for (std::string& item : items) {
    if (!goes(item)) kept.push_back(std::move(item));
  }
  if (*given < 0) std::reverse(kept.begin(), kept.end());
  items = std::move(kept);
  if (items.empty()) call.db().erase(words[1]);
  if (removed > 0) call.replicate(words);
  return static_cast<std::int64_t>(removed);
}

Reply lset(Call& call, Words words) {
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return errors::no_such_key();
  const auto index = parse_integer(words[2]);
  if (!index) return errors::not_an_integer();
  std::string* const item = item_at(*list, *index);
  if (!item) return errors::index_out_of_range();
  item->assign(words[3]);
  call.replicate(words);
  return lua::ok();
}

Reply ltrim(Call& call, Words words) {
  const auto start = parse_integer(words[2]), stop = parse_integer(words[3]);
  if (!start || !stop) return errors::not_an_integer();
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return lua::ok();
  auto& items = list->items;
  const IndexRange range = clamp_range(*start, *stop, items.size());
  const bool trims = range.count < items.size();
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(range.first);
  items.erase(first + static_cast<std::ptrdiff_t>(range.count), items.end());
  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(range.first));
  if (items.empty()) call.db().erase(words[1]);
  if (trims) {
    call.replicate(words);
  } else {  // Redis calls the list modified in any case
    call.touch_key(words[1]);
    call.tell({'l', "ltrim"}, words[1]);
  }
  return lua::ok();
}

Reply linsert(Call& call, Words words) {
  const bool after = is_option(words[2], "after");
  if (!after && !is_option(words[2], "before")) return errors::syntax();
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  if (!list) return count(0);
  auto& items = list->items;
  const auto pivot = std::find(items.begin(), items.end(), words[3]);
  if (pivot == items.end()) return std::int64_t{-1};
  items.emplace(after ? pivot + 1 : pivot, words[4]);
  call.replicate(words);
  return count(items.size());
}

}  // namespace lockstep::redis::commands
