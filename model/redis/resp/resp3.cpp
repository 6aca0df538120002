#include "model/redis/resp/resp3.h"

#include <algorithm>

#include "lua/redis_api/resp3.h"

namespace lockstep::redis {

namespace {

using lua::Type3;
using lua::Typed;
using Array = Reply::Array;

Array& items_of(Reply& reply) { return std::get<Array>(reply.value); }

Reply as(Type3 type, Reply reply) {
  if (!reply.array()) return reply;
  return Typed{type, std::move(items_of(reply))};
}

template <class Form>
Reply each(Reply reply, Form form) {
  if (!reply.array()) return reply;
  for (Reply& item : items_of(reply)) item = form(std::move(item));
  return reply;
}

constexpr std::string_view maps[] = {"begin_search", "find_keys", "spec", "running_script", "engines", "LUA"};
constexpr std::string_view lists_of_maps[] = {"functions", "nodes"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A map whose values have the form that their keys name.
Reply named_map(Reply reply) {
  if (!reply.array()) return reply;
  Array& items = items_of(reply);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const std::string* const key = items[i].bulk();
    if (!key) continue;
    Reply& value = items[i + 1];
    if (*key == "flags") value = as(Type3::set, std::move(value));
    else if (is_one_of(maps, *key)) value = named_map(std::move(value));
    else if (is_one_of(lists_of_maps, *key)) value = each(std::move(value), named_map);
  }
  return as(Type3::map, std::move(reply));
}

/// What COMMAND says of one command. Without sub-commands the list of them is a set.
Reply description(Reply reply) {
  constexpr std::size_t flags = 2, categories = 6, tips = 7, keys = 8, inner = 9;
  if (!reply.array()) return reply;
  Array& items = items_of(reply);
  for (const std::size_t place : {flags, categories, tips})
    items[place] = as(Type3::set, std::move(items[place]));
  items[keys] = as(Type3::set, each(std::move(items[keys]), named_map));
  items[inner] = items[inner].array()->empty() ? as(Type3::set, std::move(items[inner]))
                                               : each(std::move(items[inner]), description);
  return reply;
}

Reply descriptions(Reply reply) { return each(std::move(reply), description); }

/// What COMMAND DOCS says of each command, and of its sub-commands.
Reply documentation(Reply reply) {
  if (!reply.array()) return reply;
  Array& items = items_of(reply);
  for (std::size_t i = 1; i < items.size(); i += 2) {
    Array& about = items_of(items[i]);
    for (std::size_t j = 0; j + 1 < about.size(); j += 2) {
      if (*about[j].bulk() == "subcommands") about[j + 1] = documentation(std::move(about[j + 1]));
    }
    items[i] = as(Type3::map, std::move(items[i]));
  }
  return as(Type3::map, std::move(reply));
}

Reply key_and_flags(Reply reply) {
  items_of(reply)[1] = as(Type3::set, std::move(items_of(reply)[1]));
  return reply;
}

/// Of each range of slots its nodes, and of each of those what else is known.
Reply slots(Reply reply) {
  return each(std::move(reply), [](Reply range) {
    for (Reply& node : items_of(range)) {
      if (node.array()) items_of(node).back() = as(Type3::map, std::move(items_of(node).back()));
    }
    return range;
  });
}

Reply verbatim(Reply reply) { return reply.bulk() ? lua::verbatim_text(*reply.bulk()) : reply; }
Reply map(Reply reply) { return as(Type3::map, std::move(reply)); }

struct Row {
  std::string_view name;
  Reply (*form)(Reply);
};

constexpr Row rows[] = {
    {"acl|getuser", named_map},
    {"client|info", verbatim},
    {"client|list", verbatim},
    {"client|trackinginfo", named_map},
    {"cluster|info", verbatim},
    {"cluster|nodes", verbatim},
    {"cluster|shards", [](Reply reply) { return each(std::move(reply), named_map); }},
    {"cluster|slots", slots},
    {"command", descriptions},
    {"command|docs", documentation},
    {"command|getkeysandflags", [](Reply reply) { return each(std::move(reply), key_and_flags); }},
    {"command|info", descriptions},
    {"config|get", map},
    {"function|list", [](Reply reply) { return each(std::move(reply), named_map); }},
    {"function|stats", named_map},
    {"hello", map},
    {"latency|doctor", verbatim},
    {"latency|histogram", map},
    {"memory|doctor", verbatim},
};

}  // namespace

bool speaks_resp3(const Node& node, ConnectionId connection) {
  if (node.sessions->empty()) return false;
  const auto at = node.sessions->find(connection);
  return at != node.sessions->end() && at->second.resp3;
}

Reply in_resp3(std::string_view name, Words words, Reply reply) {
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& one) { return one.name == name; });
  if (row == std::end(rows)) return lua::in_resp3(words, std::move(reply));
  return lua::null_in_resp3(row->form(std::move(reply)));
}

void translate(const Node& node, std::vector<Push>& messages, std::size_t first) {
  for (std::size_t i = first; i < messages.size(); ++i) {
    Push& push = messages[i];
    if (push.message.array() && speaks_resp3(node, push.to))
      push.message = as(Type3::push, std::move(push.message));
  }
}

}  // namespace lockstep::redis
