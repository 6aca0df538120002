// script_host.h: what a running script or function may call, and what is asked before it runs (Redis
// script.c).
#pragma once

#include "lua/engine/shebang.h"
#include "model/redis/call.h"

namespace lockstep::redis::commands {

/// A command with RO in its name, or a script whose shebang says no-writes, may only read.
enum class Access : std::uint8_t { read_write, read_only };

class ScriptHost final : public lua::Host {
 public:
  /// The declared keys say which slot a script with a shebang must not leave.
  ScriptHost(Call& outer, const lua::ScriptFlags& flags, Access access, Words keys);

  Reply call(Words words) override;
  void set_repl(unsigned mode) override;
  bool answers_in_resp3() const override { return answers_in_resp3_; }
  void answers_error(std::string_view text, bool passed_on) override;
  bool has_command(Words words) override { return find_command(words) != nullptr; }

  /// How often the script failed, as Redis counts.
  std::int64_t failures() const { return passed_on_ + (fails_ ? 1 : 0); }

 private:
  Reply refused(const Spec* spec, Reply why);
  Reply refused_write(const Spec& spec) const;
  Reply refusal(const Spec& spec) const;

  Call inner_;
  Access access_;
  bool may_write_;  // nothing stops a write here and now; no command of a script changes that
  bool may_cross_slots_, may_want_memory_;
  std::optional<cluster::Slot> slot_;
  bool answers_in_resp3_;
  std::int64_t passed_on_ = 0;  // errors of commands among what it answers
  bool fails_ = false;          // an error of its own is among it
  bool has_written_ = false;  // from then on the state of the server stops no write
};

/// The script that this server knows by the SHA1, in whatever case, or nullptr.
const lua::LoadedScript* find_script(const Call& call, std::string_view sha1);

/// Why the script may not run here and now; Nil if it may.
Reply script_refusal(const Call& call, const lua::ScriptFlags& flags, Access access);

/// SCRIPT KILL ends scripts, FUNCTION KILL functions, and neither ends what has written (script.c,
/// scriptKill).
enum class KilledBy : std::uint8_t { script_kill, function_kill };
Reply kill_script(Call& call, KilledBy command);

/// The flags that a command which runs a script has because of that script: Redis knows them before it runs.
unsigned flags_with_script(const Call& call, const Spec& spec, Words words);

/// The words that follow the number of keys. Returns an error reply, or Nil if all is well.
struct Arguments {
  Words keys, args;
};
Reply split_arguments(Words words, Reply (*not_a_number)(), Arguments& arguments);

/// A function by its name, in whatever case.
struct FoundFunction {
  const Library* library = nullptr;  // nullptr: there is none
  std::string_view name;             // as it was registered
  lua::ScriptFlags flags;
};
FoundFunction find_function(const Node& node, std::string_view name);

}  // namespace lockstep::redis::commands
