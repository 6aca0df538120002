// SORT and SORT_RO (sort.c).
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/keys/sort_scores.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

struct SortOptions {
  SortOrder order;
  bool keep_order = false;
  std::int64_t skipped = 0, limit = -1;
  std::optional<std::string_view> by, store;
  std::vector<std::string_view> get;
};

/// Which options there are: SORT_RO has no STORE, and in a cluster no key may be found by a pattern.
struct Known {
  bool store = false, patterns = true;
};

/// Takes the option at `i`, with what belongs to it. Returns an error reply, or Nil if all is well.
Reply take_option(Words words, std::size_t& i, Known known, SortOptions& options) {
  const std::string_view word = words[i];
  const std::size_t left = words.size() - i - 1;
  if (is_option(word, "asc")) {
    options.order.descending = false;
  } else if (is_option(word, "desc")) {
    options.order.descending = true;
  } else if (is_option(word, "alpha")) {
    options.order.text = true;
  } else if (is_option(word, "limit") && left >= 2) {
    const auto skipped = parse_integer(words[i + 1]), limit = parse_integer(words[i + 2]);
    if (!skipped || !limit) return errors::not_an_integer();
    options.skipped = *skipped;
    options.limit = *limit;
    i += 2;
  } else if (is_option(word, "store") && left >= 1 && known.store) {
    options.store = words[++i];
    options.order.stored = true;
  } else if (is_option(word, "by") && left >= 1) {
    options.by = words[++i];
    const bool is_pattern = options.by->find('*') != std::string_view::npos;
    if (!known.patterns && is_pattern) return Error{"ERR BY option of SORT denied in Cluster mode."};
    // Once a pattern without '*' was given the order is kept, whatever pattern follows: Redis's own way.
    if (!is_pattern) options.keep_order = true;
  } else if (is_option(word, "get") && left >= 1) {
    if (!known.patterns) return Error{"ERR GET option of SORT denied in Cluster mode."};
    options.get.push_back(words[++i]);
  } else {
    return errors::syntax();
  }
  return Nil{};
}

/// What a pattern of BY or GET names for an element: a string, or the field of a hash behind "->".
std::optional<std::string> look_up(Call& call, std::string_view pattern, const std::string& element) {
  if (pattern == "#") return element;
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::nullopt;
  std::string_view tail = pattern.substr(star + 1), field;
  const std::size_t arrow = tail.find("->");
  if (arrow != std::string_view::npos && arrow + 2 < tail.size()) {
    field = tail.substr(arrow + 2);
    tail = tail.substr(0, arrow);
  }
  const std::string key = std::string(pattern.substr(0, star)).append(element).append(tail);
  const Entry* const entry = call.entry(key);
  if (!entry) {
    call.missed(key);
    return std::nullopt;
  }
  if (field.empty()) {
    const String* const text = std::get_if<String>(&entry->value);
    return text ? std::optional(text->bytes) : std::nullopt;
  }
  const Hash* const hash = std::get_if<Hash>(&entry->value);
  const std::string* const value = hash ? hash->find(field) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

/// The elements in their own order; nullopt: the key holds what cannot be sorted.
std::optional<std::vector<SortItem>> load(const Entry* entry) {
  std::vector<SortItem> items;
  if (!entry) return items;
  const auto add = [&](const std::string& element) { items.push_back({element, std::nullopt}); };
  if (const auto* const list = std::get_if<List>(&entry->value)) {
    std::for_each(list->items.begin(), list->items.end(), add);
  } else if (const auto* const set = std::get_if<Set>(&entry->value)) {
    std::for_each(set->members.begin(), set->members.end(), add);
  } else if (const auto* const sorted = std::get_if<SortedSet>(&entry->value)) {
    for (const Scored& scored : sorted->entries) add(scored.member);
  } else {
    return std::nullopt;
  }
  return items;
}

/// Finds what each item weighs. Returns false if that must be a number and is none.
bool weigh(Call& call, std::vector<SortItem>& items, const SortOptions& options) {
  bool numbers = true;
  for (SortItem& item : items) {
    item.weight = options.by ? look_up(call, *options.by, item.element) : item.element;
    if (!options.order.text) numbers = read_score(item) && numbers;
  }
  return numbers;
}

/// The part of `size` items that LIMIT leaves (sortCommandGeneric keeps both numbers inside the size).
IndexRange limited(const SortOptions& options, std::size_t size) {
  const auto elements = static_cast<std::int64_t>(size);
  const std::int64_t start = std::clamp<std::int64_t>(options.skipped, 0, elements);
  const std::int64_t wanted = options.limit < 0 ? elements : std::min(options.limit, elements);
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(std::min(wanted, elements - start))};
}

using Shown = std::vector<std::optional<std::string>>;

Reply show(Shown& shown) {
  Reply::Array replies;
  for (auto& text : shown) replies.push_back(text ? Reply(std::move(*text)) : Reply(Nil{}));
  return replies;
}

/// Puts a list in place of what was there; what a pattern did not find becomes an empty item.
Reply store(Call& call, Words words, std::string_view key, Shown& shown) {
  if (shown.empty()) {
    if (call.db().erase(key)) {  // a dead key, too, goes by the SORT
      call.touch_key(key);
      call.tell_if_gone(key);
      call.replicate(words);
    }
    return count(0);
  }
  call.entry(key);  // a dead key's DEL goes ahead
  List list;
  for (auto& text : shown) list.items.push_back(std::move(text).value_or(""));
  call.overwrite(key, std::move(list));
  call.touch_key(key);
  call.tell({'l', "sortstore"}, key);
  call.replicate(words);
  return count(shown.size());
}

Reply sort_generic(Call& call, Words words, bool may_store) {
  const Known known{may_store, !call.node().cluster->has_value()};
  SortOptions options;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (Reply problem = take_option(words, i, known, options); !problem.is_nil()) return problem;
  }
  Entry* const entry = call.entry(words[1]);
  if (!entry) call.missed(words[1]);
  auto items = load(entry);
  if (!items) return errors::wrong_type();
  if (auto* const sorted_set = entry ? std::get_if<SortedSet>(&entry->value) : nullptr)
    if (sorted_set->compact) sorted_set->spread();  // although nothing else is modified
  // The order of a set is chance in Redis, so what is stored or seen by a script is sorted all the same.
  const bool set = entry && std::holds_alternative<Set>(entry->value);
  if (options.keep_order && set && (options.store || call.source() == Call::Source::script)) {
    options.keep_order = false;
    options.order.text = true;
    options.by.reset();
  }
  const IndexRange range = limited(options, items->size());
  if (!options.keep_order) {
    if (!weigh(call, *items, options)) return Error{"ERR One or more scores can't be converted into double"};
    if (options.by && range.count > 0 && range.count < items->size()) {
      sort_part(*items, options.order, range.first, range.first + range.count - 1);
    } else {
      sort_items(*items, options.order);
    }
  } else if (options.order.descending && !set) {
    std::reverse(items->begin(), items->end());
  }

  Shown shown;
  for (std::size_t i = range.first; i < range.first + range.count; ++i) {
    const std::string& element = (*items)[i].element;
    if (options.get.empty()) shown.emplace_back(element);
    for (const std::string_view pattern : options.get) shown.push_back(look_up(call, pattern, element));
  }
  return options.store ? store(call, words, *options.store, shown) : show(shown);
}

}  // namespace

Reply sort(Call& call, Words words) { return sort_generic(call, words, true); }
Reply sort_ro(Call& call, Words words) { return sort_generic(call, words, false); }

}  // namespace lockstep::redis::commands
