#include "model/redis/commands/scripts/script_host.h"

#include <algorithm>
#include <array>

#include "model/redis/arguments.h"
#include "model/redis/commands/catalog/facts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/handling.h"
#include "model/redis/pubsub/monitors.h"
#include "model/redis/resp/resp3.h"
#include "model/redis/routing.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

ScriptHost::ScriptHost(Call& outer, const lua::ScriptFlags& flags, Access access, Words keys)
    : inner_(outer.node(), outer.from(), outer.environment(), outer.outcome(),
             outer.source() == Call::Source::master ? Call::Source::master : Call::Source::script,
             outer.database()),
      access_(flags.no_writes ? Access::read_only : access),
      may_write_(access_ == Access::read_write && !refuses_stale_reads(outer.node()) &&
                 outer.node().role == Role::master && enough_good_replicas(outer.node()) &&
                 !is_short_of_memory(outer.node())),
      may_cross_slots_(flags.eval_compatible || flags.allow_cross_slot_keys),
      may_want_memory_(flags.allow_oom),
      answers_in_resp3_(outer.source() == Call::Source::client && speaks_resp3(outer.node(), outer.from())) {
  if (!keys.empty() && *outer.node().cluster) slot_ = cluster::slot_of(keys[0]);
}

/// Why a script may not write by this command, or Nil.
Reply ScriptHost::refused_write(const Spec& spec) const {
  if (!spec.has(write) && !spec.has(may_replicate)) return Nil{};
  if (access_ == Access::read_only)
    return Error{"ERR Write commands are not allowed from read-only scripts."};
  if (!spec.has(write) || has_written_ || inner_.source() == Call::Source::master) return Nil{};
  if (inner_.node().role == Role::replica) return errors::read_only_replica();
  return enough_good_replicas(inner_.node()) ? Reply(Nil{}) : errors::too_few_replicas();
}

/// Why a script may not call this command, with texts of its own (scriptCall).
Reply ScriptHost::refusal(const Spec& spec) const {
  if (spec.has(no_script)) return Error{"ERR This Redis command is not allowed from script"};
  if (may_write_) return Nil{};
  if (!spec.has(stale) && refuses_stale_reads(inner_.node()))
    return Error{"ERR Can not execute the command on a stale replica"};
  if (Reply why = refused_write(spec); !why.is_nil()) return why;
  const bool asks_for_memory = spec.has(deny_oom) && !may_want_memory_ && !has_written_;
  if (asks_for_memory && inner_.source() != Call::Source::master && is_short_of_memory(inner_.node()))
    return errors::out_of_memory();
  return Nil{};
}

Reply ScriptHost::call(Words words) {
  const Spec* const spec = find_command(words);
  if (!spec) return refused(spec, Error{"ERR Unknown Redis command called from script"});
  if (!spec->takes(words.size()))
    return refused(spec, Error{"ERR Wrong number of args calling Redis command from script"});
  if (!may_write_ || spec->has(no_script)) {
    if (Reply why = refusal(*spec); !why.is_nil()) return refused(spec, std::move(why));
  }
  if (*inner_.node().cluster) {
    if (Reply away = misrouted_in_script(inner_, *spec, words, may_cross_slots_, slot_); !away.is_nil())
      return refused(spec, std::move(away));
  }
  if (auto* const calls = inner_.environment().calls)
    calls->push_back({{words.begin(), words.end()}, inner_.environment().engine.line(), spec->has(write)});
  has_written_ = has_written_ || spec->has(write);
  if (has_written_ && inner_.environment().script_wrote) *inner_.environment().script_wrote = true;
  return run_shown(inner_, *spec, words);
}

Reply ScriptHost::refused(const Spec* spec, Reply why) {
  count_refusal(inner_.node(), spec, why);
  return why;
}

void ScriptHost::answers_error(std::string_view text, bool passed_on) {
  if (passed_on) {
    ++passed_on_;
  } else {
    fails_ = true;
    count_error(inner_.node(), text);
  }
}

void ScriptHost::set_repl(unsigned mode) {
  constexpr unsigned file = 1, replicas = 2;
  inner_.set_targets((mode & replicas) != 0, (mode & file) != 0);
}

const lua::LoadedScript* find_script(const Call& call, std::string_view sha1) {
  std::array<char, lua::sha1_digits> digits{};
  if (sha1.size() != digits.size()) return nullptr;
  std::transform(sha1.begin(), sha1.end(), digits.begin(), lower);
  const std::string_view name(digits.data(), digits.size());
  if (!call.node().scripts.contains(name)) return nullptr;
  const lua::LoadedScript* const script = call.environment().engine.find(name);
  VERIFY(script);  // a caller that moves a node to another engine brings along the scripts that it knows
  return script;
}

Reply kill_script(Call& call, KilledBy command) {
  const LongScript* const script = call.environment().busy;
  if (!script) return Error{"NOTBUSY No scripts in execution right now."};
  if (script->has_written) {
    return Error{
        "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either "
        "wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command."};
  }
  if (script->is_function != (command == KilledBy::function_kill)) return errors::busy(script->is_function);
  call.outcome().order().kills_script = true;
  return lua::ok();
}

Reply script_refusal(const Call& call, const lua::ScriptFlags& flags, Access access) {
  if (refuses_stale_reads(call.node()) && !flags.allow_stale) return errors::master_down();
  if (flags.eval_compatible) return Nil{};
  if (flags.no_cluster && *call.node().cluster)
    return Error{"ERR Can not run script on cluster, 'no-cluster' flag is set."};
  if (flags.no_writes || access == Access::read_write) return Nil{};
  return Error{"ERR Can not execute a script with write flag using *_ro command."};
}

namespace {

lua::ScriptFlags flags_of(const Call& call, const Spec& spec, Words words) {
  lua::ScriptFlags unknown;
  unknown.eval_compatible = true;
  if (spec.name.starts_with("fcall")) {
    const FoundFunction found = find_function(call.node(), words[1]);
    return found.library ? found.flags : unknown;
  }
  if (spec.name.starts_with("evalsha")) {
    const lua::LoadedScript* const script = find_script(call, words[1]);
    return script ? script->flags : unknown;
  }
  const auto shebang = lua::read_shebang(words[1]);
  const auto* const known = std::get_if<lua::Shebang>(&shebang);
  return known ? known->flags : unknown;
}

}  // namespace

unsigned flags_with_script(const Call& call, const Spec& spec, Words words) {
  const lua::ScriptFlags script = flags_of(call, spec, words);
  if (script.eval_compatible) return spec.flags;
  unsigned flags = spec.flags & ~unsigned{stale | deny_oom | write | may_replicate};
  if (!script.no_writes) flags |= write;
  if (!script.allow_oom && !script.no_writes) flags |= deny_oom;
  if (script.allow_stale) flags |= stale;
  return flags;
}

Reply split_arguments(Words words, Reply (*not_a_number)(), Arguments& arguments) {
  const auto keys = parse_integer(words[2]);
  if (!keys) return not_a_number();
  if (*keys > static_cast<std::int64_t>(words.size()) - 3)
    return Error{"ERR Number of keys can't be greater than number of args"};
  if (*keys < 0) return Error{"ERR Number of keys can't be negative"};
  arguments.keys = words.subspan(3, static_cast<std::size_t>(*keys));
  arguments.args = words.subspan(3 + static_cast<std::size_t>(*keys));
  return Nil{};
}

FoundFunction find_function(const Node& node, std::string_view name) {
  const std::string wanted = to_lower(name);
  for (const auto& [library_name, library] : *node.functions) {
    for (const auto& [function_name, function] : library.functions) {
      if (to_lower(function_name) != wanted) continue;
      FoundFunction found{&library, function_name, {}};
      for (const std::string_view flag : parts_of(function.flags, " ")) found.flags.set(flag);
      return found;
    }
  }
  return {};
}

}  // namespace lockstep::redis::commands
