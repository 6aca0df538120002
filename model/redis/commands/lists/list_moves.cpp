// The list commands that move items to another list, take them from the first of several, or look for them.
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/lists/list_ends.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::optional<ListEnd> parse_end(std::string_view word) {
  if (is_option(word, "left")) return ListEnd::head;
  if (is_option(word, "right")) return ListEnd::tail;
  return std::nullopt;
}

Reply move_item(Call& call, Words words, ListEnd from, ListEnd to) {
  List* source = nullptr;
  if (!call.find(words[1], source)) return errors::wrong_type();
  if (!source) return Nil{};
  List* target = nullptr;
  if (!call.find(words[2], target)) return errors::wrong_type();
  if (!target) target = call.find_or_create<List>(words[2]);
  std::string item = take(source->items, from);
  Reply shown = item;
  target->items.insert(to == ListEnd::head ? target->items.begin() : target->items.end(), std::move(item));
  if (source->items.empty()) call.db().erase(words[1]);
  call.replicate(words);
  return shown;
}

}  // namespace

Reply lmove(Call& call, Words words) {
  const auto from = parse_end(words[3]), to = parse_end(words[4]);
  return from && to ? move_item(call, words, *from, *to) : errors::syntax();
}

Reply rpoplpush(Call& call, Words words) { return move_item(call, words, ListEnd::tail, ListEnd::head); }

namespace {

struct PopRequest {
  Words keys;
  ListEnd end = ListEnd::head;
  std::int64_t count = 1;
};

/// Reads numkeys, the keys, LEFT or RIGHT and COUNT. Returns an error reply, or Nil if all is well.
Reply parse_pop(Words words, PopRequest& request) {
  const auto keys = parse_integer(words[1]);
  if (!keys || *keys < 1) return Error{"ERR numkeys should be greater than 0"};
  if (*keys > static_cast<std::int64_t>(words.size()) - 3) return errors::syntax();
  const std::size_t where = 2 + static_cast<std::size_t>(*keys);
  request.keys = words.subspan(2, where - 2);
  const auto end = parse_end(words[where]);
  if (!end) return errors::syntax();
  request.end = *end;
  if (words.size() == where + 1) return Nil{};
  if (!is_option(words[where + 1], "count") || words.size() == where + 2) return errors::syntax();
  const auto given = parse_integer(words[where + 2]);
  if (!given || *given < 1) return Error{"ERR count should be greater than 0"};
  request.count = *given;
  return words.size() > where + 3 ? errors::syntax() : Reply(Nil{});
}

}  // namespace

Reply lmpop(Call& call, Words words) {
  PopRequest request;
  if (Reply problem = parse_pop(words, request); !problem.is_nil()) return problem;
  for (const std::string_view key : request.keys) {
    List* list = nullptr;
    if (!call.find(key, list)) return errors::wrong_type();
    if (!list) continue;
    const std::size_t wanted = std::min(static_cast<std::size_t>(request.count), list->items.size());
    Reply::Array taken;
    while (taken.size() < wanted) taken.emplace_back(take(list->items, request.end));
    if (list->items.empty()) call.db().erase(key);
    call.replicate({request.end == ListEnd::head ? "LPOP" : "RPOP", key, std::to_string(wanted)});
    return Reply::Array{bulk(key), std::move(taken)};
  }
  return lua::NilArray{};
}

namespace {

struct Search {
  std::int64_t rank = 1;              // which match is the first to be told; negative: counted from the tail
  std::optional<std::int64_t> count;  // how many are told; 0: all
  std::int64_t items_max = 0;         // how many items are looked at; 0: all
};

/// Reads RANK, COUNT and MAXLEN. Returns an error reply, or Nil if all is well.
Reply parse_search(Words words, Search& search) {
  for (std::size_t i = 3; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return errors::syntax();
    const auto given = parse_integer(words[i + 1]);
    if (is_option(words[i], "rank")) {
      if (!given) return errors::not_an_integer();
      if (*given == 0) {
        return Error{
            "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
            "negative to start from the end of the list"};
      }
      search.rank = *given;
    } else if (is_option(words[i], "count")) {
      if (!given || *given < 0) return Error{"ERR COUNT can't be negative"};
      search.count = *given;
    } else if (is_option(words[i], "maxlen")) {
      if (!given || *given < 0) return Error{"ERR MAXLEN can't be negative"};
      search.items_max = *given;
    } else {
      return errors::syntax();
    }
  }
  return Nil{};
}

/// The places of the matches that are told.
std::vector<std::size_t> matches(const Sequence<std::string>& items, std::string_view wanted,
                                 const Search& search) {
  const bool from_tail = search.rank < 0;
  // The least of all ranks has no opposite: in Redis it skips nothing, and COUNT does not end the search.
  const bool least = search.rank < -most;
  const auto skipped = least ? 0 : static_cast<std::uint64_t>(from_tail ? -search.rank : search.rank) - 1;
  const auto limit = least && search.count ? 0 : static_cast<std::uint64_t>(search.count.value_or(1));
  const std::size_t looked_at = search.items_max == 0
                                    ? items.size()
                                    : std::min(items.size(), static_cast<std::size_t>(search.items_max));
  std::vector<std::size_t> found;
  std::uint64_t seen = 0;
  auto at = from_tail ? items.end() : items.begin();
  for (std::size_t i = 0; i < looked_at && (limit == 0 || found.size() < limit); ++i) {
    if (from_tail) --at;
    if (*at == wanted && ++seen > skipped) found.push_back(at.place());
    if (!from_tail) ++at;
  }
  return found;
}

}  // namespace

Reply lpos(Call& call, Words words) {
  Search search;
  if (Reply problem = parse_search(words, search); !problem.is_nil()) return problem;
  List* list = nullptr;
  if (!call.find(words[1], list)) return errors::wrong_type();
  const auto found = list ? matches(list->items, words[2], search) : std::vector<std::size_t>{};
  if (!search.count) return found.empty() ? Reply(Nil{}) : count(found.front());
  Reply::Array places;
  for (const std::size_t place : found) places.push_back(count(place));
  return places;
}

}  // namespace lockstep::redis::commands
