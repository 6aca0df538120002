// FUNCTION and FCALL (Redis functions.c). Libraries are replicated as the commands that brought them.
#include "model/redis/arguments.h"
#include "model/redis/commands/catalog/facts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/scripts/script_host.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"

namespace lockstep::redis::commands {

namespace {

Reply call_function(Call& call, Words words, Access access) {
  const FoundFunction found = find_function(call.node(), words[1]);
  if (!found.library) return Error{"ERR Function not found"};
  Arguments arguments;
  const auto not_a_number = [] { return Reply(Error{"ERR Bad number of keys provided"}); };
  if (Reply problem = split_arguments(words, not_a_number, arguments); !problem.is_nil()) return problem;
  if (Reply why = script_refusal(call, found.flags, access); !why.is_nil()) return why;
  lua::Engine& engine = call.environment().engine;
  if (!engine.knows_library(found.library->digest)) {  // a node was moved to another engine
    lua::Library again;
    engine.load_library(found.library->code, again);
  }
  // The function must not pull the library away from under itself.
  const std::string digest = found.library->digest, name(found.name);
  ScriptHost host(call, found.flags, access, arguments.keys);
  Reply reply = engine.call_function(digest, name, arguments.keys, arguments.args, host);
  call.set_failures(host.failures());
  return reply;
}

Library as_kept(std::string_view code, const lua::Library& loaded) {
  Library library{std::string(code), loaded.digest, {}};
  for (const lua::Function& function : loaded.functions) {
    Function kept{function.description, {}};
    for (const std::string_view flag : function.flags.names())
      kept.flags.append(kept.flags.empty() ? "" : " ").append(flag);
    library.functions.emplace(function.name, std::move(kept));
  }
  return library;
}

Reply describe(const std::string& name, const Library& library, bool with_code) {
  Reply::Array functions;
  for (const auto& [function_name, function] : library.functions) {
    Reply::Array flags;
    for (const std::string_view flag : parts_of(function.flags, " "))
      flags.emplace_back(Status{std::string(flag)});
    functions.emplace_back(Reply::Array{bulk("name"), Reply(function_name), bulk("description"),
                                        function.description ? Reply(*function.description) : Reply(Nil{}),
                                        bulk("flags"), flags});
  }
  Reply::Array about{bulk("library_name"), Reply(name),       bulk("engine"),
                     bulk("LUA"),          bulk("functions"), functions};
  if (with_code) about.insert(about.end(), {bulk("library_code"), Reply(library.code)});
  return about;
}

}  // namespace

Reply fcall(Call& call, Words words) { return call_function(call, words, Access::read_write); }
Reply fcall_ro(Call& call, Words words) { return call_function(call, words, Access::read_only); }

Reply function_load(Call& call, Words words) {
  bool replaces = false;
  for (const std::string_view word : words.subspan(2, words.size() - 3)) {
    if (!is_option(word, "replace")) return Error{"ERR Unknown option given: " + shown(word)};
    replaces = true;
  }
  const Functions& before = *call.node().functions;
  const auto header = lua::read_library_header(words.back());
  const auto* const known = std::get_if<lua::LibraryHeader>(&header);
  if (known && !replaces && before.contains(known->name))  // before its body runs
    return Error{"ERR Library '" + known->name + "' already exists"};
  lua::Library loaded;
  if (Reply reply = call.environment().engine.load_library(words.back(), loaded); reply.error()) return reply;
  for (const lua::Function& function : loaded.functions) {
    const FoundFunction taken = find_function(call.node(), function.name);
    if (taken.library && taken.library != (before.contains(loaded.name) ? &before.at(loaded.name) : nullptr))
      return Error{"ERR Function " + function.name + " already exists"};
  }
  call.node().functions.write().insert_or_assign(loaded.name, as_kept(words.back(), loaded));
  call.replicate(words);
  return loaded.name;
}

Reply function_delete(Call& call, Words words) {
  if (!call.node().functions->contains(words[2])) return Error{"ERR Library not found"};
  Functions& functions = call.node().functions.write();
  functions.erase(functions.find(words[2]));
  call.replicate(words);
  return lua::ok();
}

Reply function_flush(Call& call, Words words) {
  if (words.size() > 3) return errors::unknown_subcommand("FUNCTION", words[1]);
  const bool known = words.size() == 2 ||
                     (words.size() == 3 && (is_option(words[2], "sync") || is_option(words[2], "async")));
  if (!known) return Error{"ERR FUNCTION FLUSH only supports SYNC|ASYNC option"};
  call.node().functions = {};
  call.replicate(words);
  return lua::ok();
}

Reply function_list(Call& call, Words words) {
  bool with_code = false;
  std::optional<std::string_view> pattern;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!with_code && is_option(words[i], "withcode")) {
      with_code = true;
    } else if (!pattern && is_option(words[i], "libraryname")) {
      if (++i == words.size()) return Error{"ERR library name argument was not given"};
      pattern = words[i];
    } else {
      return Error{"ERR Unknown argument " + shown(words[i])};
    }
  }
  Reply::Array libraries;
  for (const auto& [name, library] : *call.node().functions) {
    if (!pattern || glob_matches(to_lower(*pattern), to_lower(name)))
      libraries.push_back(describe(name, library, with_code));
  }
  return libraries;
}

Reply function_stats(Call& call, Words) {
  std::size_t functions = 0;
  for (const auto& [name, library] : *call.node().functions) functions += library.functions.size();
  Reply::Array lua{bulk("libraries_count"), count(call.node().functions->size()), bulk("functions_count"),
                   count(functions)};
  Reply running = Nil{};
  if (const LongScript* const script = call.environment().busy) {
    if (!script->is_function) return errors::busy(false);
    Reply::Array words(script->command.begin(), script->command.end());
    running = Reply::Array{bulk("name"),     script->name,        bulk("command"),
                           std::move(words), bulk("duration_ms"), script->running_ms};
  }
  return Reply::Array{bulk("running_script"), std::move(running), bulk("engines"),
                      Reply::Array{bulk("LUA"), lua}};
}

Reply function_kill(Call& call, Words) { return kill_script(call, KilledBy::function_kill); }

}  // namespace lockstep::redis::commands
