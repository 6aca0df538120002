// EVAL and its family. The interpreter is the environment's; which scripts this server knows is its own
// state.
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/script_host.h"
#include "model/redis/errors.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

namespace {

Reply run_script(Call& call, std::string_view sha1, const Arguments& arguments, Access access) {
  const lua::ScriptFlags flags = call.environment().engine.flags(sha1);
  if (Reply why = script_refusal(call, flags, access); !why.is_nil()) return why;
  ScriptHost host(call, flags, access, arguments.keys);
  return call.environment().engine.eval(sha1, arguments.keys, arguments.args, host);
}

Reply eval_text(Call& call, Words words, Access access) {
  Arguments arguments;
  if (Reply problem = split_arguments(words, errors::not_an_integer(), arguments); !problem.is_nil())
    return problem;
  Reply loaded = call.environment().engine.load(words[1]);
  if (loaded.error()) return loaded;
  VERIFY(loaded.status());
  const std::string& sha1 = loaded.status()->text;
  if (!call.node().scripts.contains(sha1)) call.node().scripts.insert(sha1);
  return run_script(call, sha1, arguments, access);
}

Reply eval_sha(Call& call, Words words, Access access) {
  constexpr std::size_t sha1_digits = 40;
  if (words[1].size() != sha1_digits) return errors::no_script();
  Arguments arguments;
  if (Reply problem = split_arguments(words, errors::not_an_integer(), arguments); !problem.is_nil())
    return problem;
  const std::string sha1 = to_lower(words[1]);
  if (!call.node().scripts.contains(sha1)) return errors::no_script();
  // Whoever moves a node to another engine brings along the scripts that it knows (Engine::flags insists).
  return run_script(call, sha1, arguments, access);
}

}  // namespace

Reply eval(Call& call, Words words) { return eval_text(call, words, Access::read_write); }
Reply eval_ro(Call& call, Words words) { return eval_text(call, words, Access::read_only); }
Reply evalsha(Call& call, Words words) { return eval_sha(call, words, Access::read_write); }
Reply evalsha_ro(Call& call, Words words) { return eval_sha(call, words, Access::read_only); }

Reply script_load(Call& call, Words words) {
  Reply loaded = call.environment().engine.load(words[2]);
  if (loaded.error()) return loaded;
  VERIFY(loaded.status());
  call.node().scripts.insert(loaded.status()->text);
  return bulk(loaded.status()->text);
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
