// EVAL and its family. The interpreter is the environment's; which scripts this server knows is its own
// state.
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/scripts/script_host.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

Reply run_script(Call& call, const lua::LoadedScript& script, const Arguments& arguments, Access access) {
  if (Reply why = script_refusal(call, script.flags, access); !why.is_nil()) return why;
  ScriptHost host(call, script.flags, access, arguments.keys);
  Reply reply = call.environment().engine.eval(script, arguments.keys, arguments.args, host);
  call.set_failures(host.failures());
  return reply;
}

Reply eval_text(Call& call, Words words, Access access) {
  Arguments arguments;
  if (Reply problem = split_arguments(words, errors::not_an_integer, arguments); !problem.is_nil())
    return problem;
  Error problem;
  const lua::LoadedScript* const script = call.environment().engine.load(words[1], problem);
  if (!script) return problem;
  call.node().scripts.insert(script->sha1);
  return run_script(call, *script, arguments, access);
}

Reply eval_sha(Call& call, Words words, Access access) {
  if (words[1].size() != lua::sha1_digits) return errors::no_script();
  Arguments arguments;
  if (Reply problem = split_arguments(words, errors::not_an_integer, arguments); !problem.is_nil())
    return problem;
  const lua::LoadedScript* const script = find_script(call, words[1]);
  return script ? run_script(call, *script, arguments, access) : errors::no_script();
}

}  // namespace

Reply eval(Call& call, Words words) { return eval_text(call, words, Access::read_write); }
Reply eval_ro(Call& call, Words words) { return eval_text(call, words, Access::read_only); }
Reply evalsha(Call& call, Words words) { return eval_sha(call, words, Access::read_write); }
Reply evalsha_ro(Call& call, Words words) { return eval_sha(call, words, Access::read_only); }

Reply script_load(Call& call, Words words) {
  Error problem;
  const lua::LoadedScript* const script = call.environment().engine.load(words[2], problem);
  if (!script) return problem;
  call.node().scripts.insert(script->sha1);
  return bulk(script->sha1);
}

Reply script_exists(Call& call, Words words) {
  Reply::Array known;
  for (const std::string_view sha1 : words.subspan(2)) {
    known.push_back(yes_no(call.node().scripts.contains(to_lower(sha1))));
  }
  return known;
}

Reply script_flush(Call& call, Words words) {
  const bool plain = words.size() == 2;
  if (!plain && !(words.size() == 3 && (is_option(words[2], "sync") || is_option(words[2], "async")))) {
    return Error{"ERR SCRIPT FLUSH only support SYNC|ASYNC option"};
  }
  call.node().scripts.clear();
  return lua::ok();
}

Reply script_kill(Call& call, Words) { return kill_script(call, KilledBy::script_kill); }

/// There is no debugger; a client that turns it off has what it wants.
Reply script_debug(Call&, Words words) {
  if (is_option(words[2], "no")) return lua::ok();
  if (is_option(words[2], "yes") || is_option(words[2], "sync"))
    return Error{"ERR The script debugger is not supported"};
  return Error{"ERR Use SCRIPT DEBUG YES/SYNC/NO"};
}

}  // namespace lockstep::redis::commands
