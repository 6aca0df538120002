// The keys among the words of a command, by its specifications, or, where these do not say it all, by what
// the command itself makes of its words (Redis db.c, getKeysUsingKeySpecs and the getkeys functions below
// it).
#include "model/redis/arguments.h"
#include "model/redis/commands/catalog/facts.h"

namespace lockstep::redis::commands {

namespace {

using Keys = std::vector<FoundKey>;

using Flags = std::vector<std::string_view>;

Flags read_access() { return {"RO", "access"}; }
Flags overwrite() { return {"OW", "update"}; }
Flags change() { return {"RW", "access", "update"}; }

/// Where the keys of a specification begin; 0: there are none, as its keyword is not there.
int first_word(const KeySpec& spec, Words words) {
  if (spec.begin == KeySpec::Begin::index) return spec.from;
  const int size = static_cast<int>(words.size());
  const bool forwards = spec.from > 0;
  const int start = forwards ? spec.from : size + spec.from, end = forwards ? size - 1 : 1;
  for (int i = start; i != end && i > 0 && i < size; i += forwards ? 1 : -1) {
    if (to_upper(words[static_cast<std::size_t>(i)]) == spec.keyword) return i + 1;
  }
  return 0;
}

struct Range {
  int first = 0, last = 0, step = 1;
};

/// nullopt: the words make no sense.
std::optional<Range> range_of(const KeySpec& spec, int first, Words words) {
  const int size = static_cast<int>(words.size());
  if (spec.find == KeySpec::Find::range) {
    const int last = spec.a >= 0   ? first + spec.a
                     : spec.c == 0 ? size + spec.a
                                   : first + (size - first) / spec.c + spec.a;
    return Range{first, last, spec.b};
  }
  if (first + spec.a >= size) return std::nullopt;
  const auto count = parse_integer(words[static_cast<std::size_t>(first + spec.a)]);
  if (!count || *count < 0 || *count > size) return std::nullopt;
  first += spec.b;
  return Range{first, first + (static_cast<int>(*count) - 1) * spec.c, spec.c};
}

/// False: the specification cannot be relied on.
bool add_keys(const KeySpec& spec, Words words, Keys& keys) {
  if (spec.has_flag("not_key")) return true;
  if (spec.begin == KeySpec::Begin::unknown || spec.find == KeySpec::Find::unknown) return false;
  const int first = first_word(spec, words);
  if (first == 0) return true;
  const auto range = range_of(spec, first, words);
  if (!range || range->last < range->first) return false;
  for (int i = range->first; i <= range->last; i += range->step) {
    if (i >= static_cast<int>(words.size())) return false;
    keys.push_back({words[static_cast<std::size_t>(i)], spec.flags});
  }
  return !spec.has_flag("incomplete") && !spec.has_flag("variable_flags");
}

Keys keys_of_set(Words words) {
  for (const std::string_view word : words.subspan(3)) {
    if (is_option(word, "get")) return {{words[1], change()}};
  }
  return {{words[1], overwrite()}};
}

Keys keys_of_bitfield(Words words) {
  bool reads = true;
  for (std::size_t i = 2; reads && i < words.size(); ++i) {
    const std::size_t left = words.size() - i - 1;
    if (is_option(words[i], "get") && left >= 2) i += 2;
    else if (is_option(words[i], "overflow") && left >= 1) ++i;
    else reads = false;
  }
  if (reads) return {{words[1], read_access()}};
  return {{words[1], change()}};
}

Keys keys_of_sort(const Facts& facts, Words words) {
  Keys keys{{words[1], read_access()}};
  std::size_t store = 0;
  for (std::size_t i = 2; facts.name == "sort" && i < words.size(); ++i) {
    if (is_option(words[i], "limit")) i += 2;
    else if (is_option(words[i], "get") || is_option(words[i], "by")) ++i;
    else if (is_option(words[i], "store") && i + 1 < words.size()) store = i + 1;
  }
  if (store != 0) keys.push_back({words[store], overwrite()});
  return keys;
}

Keys keys_of_migrate(Words words) {
  const Flags flags = {"RW", "access", "delete"};
  for (std::size_t i = 6; i < words.size(); ++i) {
    if (is_option(words[i], "auth")) {
      ++i;
    } else if (is_option(words[i], "auth2")) {
      i += 2;
    } else if (is_option(words[i], "keys")) {
      if (!words[3].empty()) return {};
      Keys keys;
      for (const std::string_view key : words.subspan(i + 1)) keys.push_back({key, flags});
      return keys;
    }
  }
  return {{words[3], flags}};
}

}  // namespace

std::optional<Keys> find_keys(const Facts& facts, Words words) {
  Keys keys;
  bool certain = true;
  for (const KeySpec& spec : key_specs(facts)) certain = certain && add_keys(spec, words, keys);
  if (certain) return keys;
  if (facts.name == "set") return keys_of_set(words);
  if (facts.name == "bitfield") return keys_of_bitfield(words);
  if (facts.name == "sort" || facts.name == "sort_ro") return keys_of_sort(facts, words);
  if (facts.name == "migrate") return keys_of_migrate(words);
  return std::nullopt;
}

}  // namespace lockstep::redis::commands
