// COMMAND and its sub-commands (Redis server.c): the table of commands as clients see it. What is listed is
// what exists here, in the order of the names, where Redis has the order of a hash table.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/catalog/facts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/help.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"

namespace lockstep::redis::commands {

namespace {

Reply integer(int number) { return static_cast<std::int64_t>(number); }

Reply::Array statuses(std::span<const std::string_view> words) {
  Reply::Array replies;
  for (const std::string_view word : words) replies.emplace_back(Status{std::string(word)});
  return replies;
}

Reply begin_search(const KeySpec& spec) {
  if (spec.begin == KeySpec::Begin::index) {
    return Reply::Array{bulk("type"), bulk("index"), bulk("spec"),
                        Reply::Array{bulk("index"), integer(spec.from)}};
  }
  if (spec.begin == KeySpec::Begin::unknown)
    return Reply::Array{bulk("type"), bulk("unknown"), bulk("spec"), empty_array()};
  return Reply::Array{
      bulk("type"), bulk("keyword"), bulk("spec"),
      Reply::Array{bulk("keyword"), bulk(spec.keyword), bulk("startfrom"), integer(spec.from)}};
}

Reply find_spec(const KeySpec& spec) {
  if (spec.find == KeySpec::Find::unknown)
    return Reply::Array{bulk("type"), bulk("unknown"), bulk("spec"), empty_array()};
  const bool range = spec.find == KeySpec::Find::range;
  return Reply::Array{bulk("type"), bulk(range ? "range" : "keynum"), bulk("spec"),
                      Reply::Array{bulk(range ? "lastkey" : "keynumidx"), integer(spec.a),
                                   bulk(range ? "keystep" : "firstkey"), integer(spec.b),
                                   bulk(range ? "limit" : "keystep"), integer(spec.c)}};
}

Reply::Array key_specifications(const Facts& facts) {
  Reply::Array all;
  for (const KeySpec& spec : key_specs(facts)) {
    Reply::Array one;
    if (!spec.note.empty()) one.insert(one.end(), {bulk("notes"), bulk(spec.note)});
    one.insert(one.end(), {bulk("flags"), statuses(spec.flags), bulk("begin_search"), begin_search(spec),
                           bulk("find_keys"), find_spec(spec)});
    all.emplace_back(std::move(one));
  }
  return all;
}

/// The rows of a container's sub-commands: they follow it.
std::span<const Spec> subcommands_of(const Spec& spec) {
  if (!spec.has(container)) return {};
  const auto all = all_commands();
  const auto is_one = [&](const Spec& other) {
    return other.name.size() > spec.name.size() && other.name.starts_with(spec.name) &&
           other.name[spec.name.size()] == '|';
  };
  const auto first = std::find_if(all.begin(), all.end(), is_one);
  return {first, std::find_if_not(first, all.end(), is_one)};
}

/// nullptr: there is no such command here.
const Spec* find_row(std::string_view name) {
  const std::string lower = to_lower(name);
  const auto all = all_commands();
  const auto at =
      std::lower_bound(all.begin(), all.end(), lower,
                       [](const Spec& spec, const std::string& wanted) { return spec.name < wanted; });
  return at != all.end() && at->name == lower ? &*at : nullptr;
}

Reply description(const Spec& spec) {
  const Facts* const facts = find_facts(spec.name).facts;
  if (!facts) return Nil{};
  Reply::Array tips, inner;
  for (const std::string_view tip : parts_of(facts->tips, " ")) tips.push_back(bulk(tip));
  for (const Spec& sub : subcommands_of(spec)) inner.push_back(description(sub));
  return Reply::Array{bulk(spec.name),
                      integer(spec.arity),
                      statuses(parts_of(facts->flags, " ")),
                      integer(spec.first_key),
                      integer(spec.last_key),
                      integer(spec.key_step),
                      statuses(parts_of(facts->categories, " ")),
                      tips,
                      key_specifications(*facts),
                      inner};
}

Reply::Array all_descriptions() {
  Reply::Array all;
  for (const Spec& spec : all_commands()) {
    if (!spec.has(subcommand)) all.push_back(description(spec));
  }
  return all;
}

/// What a command is, without the sentences of Redis's documentation.
Reply documentation(const Spec& spec) {
  const Found found = find_facts(spec.name);
  if (!found.facts) return empty_array();
  Reply::Array about{bulk("summary"),          bulk(""),      bulk("since"),
                     bulk(found.facts->since), bulk("group"), bulk(found.group)};
  Reply::Array inner;
  for (const Spec& sub : subcommands_of(spec))
    inner.insert(inner.end(), {bulk(sub.name), documentation(sub)});
  if (!inner.empty()) about.insert(about.end(), {bulk("subcommands"), inner});
  return about;
}

}  // namespace

Reply command(Call&, Words) { return all_descriptions(); }

Reply help(Call&, Words words) {
  const std::string name = to_upper(words[0]);
  Reply::Array lines{Status{name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"}};
  for (const std::string_view line : help_of(to_lower(words[0])))
    lines.emplace_back(Status{std::string(line)});
  lines.emplace_back(Status{"HELP"});
  lines.emplace_back(Status{"    Prints this help."});
  return lines;
}

Reply command_info(Call&, Words words) {
  if (words.size() == 2) return all_descriptions();
  Reply::Array replies;
  for (const std::string_view name : words.subspan(2)) {
    const Spec* const spec = find_row(name);
    replies.push_back(spec ? description(*spec) : Reply(Nil{}));
  }
  return replies;
}

Reply command_docs(Call&, Words words) {
  Reply::Array replies;
  if (words.size() == 2) {
    for (const Spec& spec : all_commands()) {
      if (!spec.has(subcommand)) replies.insert(replies.end(), {bulk(spec.name), documentation(spec)});
    }
  }
  for (const std::string_view name : words.subspan(2)) {
    if (const Spec* const spec = find_row(name))
      replies.insert(replies.end(), {bulk(spec->name), documentation(*spec)});
  }
  return replies;
}

Reply command_count(Call&, Words) {
  const auto all = all_commands();
  return count(static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Spec& spec) { return !spec.has(subcommand); })));
}

Reply command_list(Call&, Words words) {
  const bool filtered = words.size() == 5 && is_option(words[2], "filterby");
  const bool by_module = filtered && is_option(words[3], "module"),
             by_category = filtered && is_option(words[3], "aclcat"),
             by_pattern = filtered && is_option(words[3], "pattern");
  if (words.size() != 2 && !by_module && !by_category && !by_pattern) return errors::syntax();
  const auto matches = [&](const Spec& spec) {
    if (!filtered) return true;
    if (by_module) return false;
    return by_pattern ? glob_matches(to_lower(words[4]), spec.name)
                      : is_in_category(spec.name, to_lower(words[4]));
  };
  Reply::Array names;
  for (const Spec& spec : all_commands()) {
    if (matches(spec)) names.push_back(bulk(spec.name));
  }
  return names;
}

bool is_in_category(std::string_view command, std::string_view category) {
  const Facts* const facts = find_facts(command).facts;
  if (!facts) return false;
  const auto all = parts_of(facts->categories, " ");
  return std::any_of(all.begin(), all.end(), [&](std::string_view one) { return one.substr(1) == category; });
}

namespace {

/// The keys of the command in the words, or Redis's reason why there are none.
Reply keys_reply(Words words, Reply (*show)(const FoundKey&)) {
  const Words inner = words.subspan(2);
  const Spec* const spec = find_command(inner);
  const Facts* const facts = spec ? find_facts(spec->name).facts : nullptr;
  if (!facts) return Error{"ERR Invalid command specified"};
  const auto specs = key_specs(*facts);
  if (std::all_of(specs.begin(), specs.end(), [](const KeySpec& one) { return one.has_flag("not_key"); }))
    return Error{"ERR The command has no key arguments"};
  if (!spec->takes(inner.size())) return Error{"ERR Invalid number of arguments specified for command"};
  const auto found = find_keys(*facts, inner);
  if ((!found || found->empty()) && !facts->has_flag("no_mandatory_keys"))
    return Error{"ERR Invalid arguments specified for command"};
  Reply::Array keys;
  if (found) {
    for (const FoundKey& key : *found) keys.push_back(show(key));
  }
  return keys;
}

}  // namespace

Reply command_getkeys(Call&, Words words) {
  return keys_reply(words, [](const FoundKey& found) { return bulk(found.key); });
}

Reply command_getkeysandflags(Call&, Words words) {
  return keys_reply(words, [](const FoundKey& found) -> Reply {
    return Reply::Array{bulk(found.key), statuses(found.flags)};
  });
}

}  // namespace lockstep::redis::commands
