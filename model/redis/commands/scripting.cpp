// EVAL and its family. The interpreter is the environment's; which scripts this server knows is its own
// state. What a script calls goes through the same table as what clients send, with other refusals and texts
// (script.c, scriptCall).
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/routing.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

namespace {

enum class Access : std::uint8_t { read_write, read_only };

class ScriptHost final : public lua::Host {
 public:
  /// `slot` is the one of the keys that the script declares; one with a shebang must not leave it.
  ScriptHost(Call& outer, Access access, std::optional<cluster::Slot> slot)
      : inner_(outer.node(), outer.from(), outer.environment(), outer.outcome(), Call::Source::script,
               outer.database()),
        access_(access),
        slot_(slot) {}

  Reply call(std::span<const std::string_view> words) override {
    const Spec* const spec = find_command(words);
    if (!spec) return Error{"ERR Unknown Redis command called from script"};
    if (!spec->takes(words.size()))
      return Error{"ERR Wrong number of args calling Redis command from script"};
    if (spec->has(no_script)) return Error{"ERR This Redis command is not allowed from script"};
    if (Reply why = refusal(*spec); !why.is_nil()) return why;
    if (Reply away = misrouted_in_script(inner_, *spec, words, may_cross_slots_, slot_); !away.is_nil())
      return away;
    if (auto* const calls = inner_.environment().calls) calls->emplace_back(words.begin(), words.end());
    inner_.set_name(spec->name);
    return spec->handler(inner_, words);
  }

 private:
  /// Whether there are good replicas enough is asked before the first write only: a script that has written
  /// goes on.
  Reply refusal(const Spec& spec) {
    if (!spec.has(stale) && refuses_stale_reads(inner_.node()))
      return Error{"ERR Can not execute the command on a stale replica"};
    if (access_ == Access::read_only && (spec.has(write) || spec.has(may_replicate)))
      return Error{"ERR Write commands are not allowed from read-only scripts."};
    if (!spec.has(write)) return Nil{};
    if (wrote_) return Nil{};
    if (inner_.node().role == Role::replica) return errors::read_only_replica();
    if (!enough_good_replicas(inner_.node())) return errors::no_replicas();
    wrote_ = true;
    return Nil{};
  }

  Call inner_;
  Access access_;
  bool wrote_ = false;
  bool may_cross_slots_ = true;
  std::optional<cluster::Slot> slot_;
};

struct Arguments {
  Words keys, args;
};

/// Splits the words behind numkeys. Returns an error reply, or Nil if all is well.
Reply parse_arguments(Words words, Arguments& arguments) {
  const auto keys = parse_integer(words[2]);
  if (!keys) return errors::not_an_integer();
  if (*keys > static_cast<std::int64_t>(words.size()) - 3) {
    return Error{"ERR Number of keys can't be greater than number of args"};
  }
  if (*keys < 0) return Error{"ERR Number of keys can't be negative"};
  arguments.keys = words.subspan(3, static_cast<std::size_t>(*keys));
  arguments.args = words.subspan(3 + static_cast<std::size_t>(*keys));
  return Nil{};
}

Reply run_script(Call& call, std::string_view sha1, const Arguments& arguments, Access access) {
  if (refuses_stale_reads(call.node())) return errors::master_down();
  ScriptHost host(call, access, arguments.keys.empty() ? std::nullopt
                                                       : std::optional(cluster::slot_of(arguments.keys[0])));
  return call.environment().engine.eval(sha1, arguments.keys, arguments.args, host);
}

Reply eval_text(Call& call, Words words, Access access) {
  Arguments arguments;
  if (Reply problem = parse_arguments(words, arguments); !problem.is_nil()) return problem;
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
  if (Reply problem = parse_arguments(words, arguments); !problem.is_nil()) return problem;
  const std::string sha1 = to_lower(words[1]);
  if (!call.node().scripts.contains(sha1)) return errors::no_script();
  // Whoever moves a node to another engine brings along the scripts that it knows.
  VERIFY(call.environment().engine.knows(sha1));
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

/// A script is one step here, so none can be in execution.
Reply script_kill(Call&, Words) { return Error{"NOTBUSY No scripts in execution right now."}; }

}  // namespace lockstep::redis::commands
