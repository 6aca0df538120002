#include "model/redis/commands/catalog/facts.h"

#include <algorithm>
#include <charconv>

#include "sim/base/verify.h"

namespace lockstep::redis::commands {

namespace {

constexpr const Group* groups[] = {
    &string_group,  &hash_group,      &list_group,         &set_group,       &sorted_set_group, &stream_group,
    &geo_group,     &bitmap_group,    &hyperloglog_group,  &generic_group,   &pubsub_group,     &server_group,
    &cluster_group, &scripting_group, &transactions_group, &connection_group};

int number(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  VERIFY(problem == std::errc{} && end == text.data() + text.size());
  return value;
}

bool has(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

KeySpec key_spec(std::string_view text) {
  const auto parts = parts_of(text, "; ");
  KeySpec spec;
  spec.flags = parts_of(parts[0], " ");
  const auto begin = parts_of(parts[1], " "), find = parts_of(parts[2], " ");
  if (begin[0] == "index") {
    spec.begin = KeySpec::Begin::index;
    spec.from = number(begin[1]);
  } else if (begin[0] == "keyword") {
    spec.begin = KeySpec::Begin::keyword;
    spec.keyword = begin[1];
    spec.from = number(begin[2]);
  }
  if (find[0] != "unknown") {
    spec.find = find[0] == "range" ? KeySpec::Find::range : KeySpec::Find::keynum;
    spec.a = number(find[1]), spec.b = number(find[2]), spec.c = number(find[3]);
  }
  if (parts.size() > 3) spec.note = parts[3];
  return spec;
}

}  // namespace

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

bool Facts::has_flag(std::string_view flag) const { return has(parts_of(flags, " "), flag); }
bool KeySpec::has_flag(std::string_view flag) const { return has(flags, flag); }

Found find_facts(std::string_view name) {
  for (const Group* const group : groups) {
    const auto at =
        std::lower_bound(group->facts.begin(), group->facts.end(), name,
                         [](const Facts& facts, std::string_view wanted) { return facts.name < wanted; });
    if (at != group->facts.end() && at->name == name) return {&*at, group->name};
  }
  return {};
}

std::vector<KeySpec> key_specs(const Facts& facts) {
  std::vector<KeySpec> specs;
  for (const std::string_view text : parts_of(facts.keys, " | ")) specs.push_back(key_spec(text));
  return specs;
}

}  // namespace lockstep::redis::commands
