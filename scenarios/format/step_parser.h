// step_parser.h: the one-line language of thread programs (`lockstep help scenario`).
//
//   start D|lo..hi                      the thread begins then; only as its first step
//   think D|lo..hi   work D|lo..hi      time passes; between calls, or while holding
//   lock L [lease=D]                    lock-interruptibly L [lease=D]
//   trylock L [wait=D [lease=D]]        unlock L        force-unlock L
//   signal X         await X            X is a latch: once signalled it stays open
//   expect true|false|exception         what the call right before must have answered
//   crash                               the thread's process dies here
//   is-held L        is-locked L        does this thread hold it; does anybody
//   redis [on=R1] COMMAND WORD …        an operator's command, sent as it stands; a word may stand in '…'
//   write R                             to a resource outside of Redis
//   try { STEP; … } finally { STEP; … } as in Java
//   repeat N { STEP; STEP; … }          may be nested; `;` also separates steps outside of braces
//
// L is NAME, KIND:NAME (a name with a colon needs its kind), NAME#fresh for a new key each time; 'NAME' in
// quotes may hold anything but a quote; with `via=h` it is the lock object h of the process instead of the
// default one, with `on=R1` it lies on the servers whose first master is R1 (`mode = "independent"`).
//
// What a refused trylock skips is decided here, as Java code would read: `if (lock.tryLock()) { …;
// lock.unlock(); }`. The `expect` steps right behind a trylock always run. Step::jump leads behind the
// matching unlock of the same lock (counting nested acquires, in the same block, whatever `via`) and behind
// that unlock's own `expect` steps; without a matching unlock it leads to the step behind the trylock's
// expects.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/lock_kind.h"
#include "model/setup/setup.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

/// The kinds of locks that a scenario knows: those of the program, and its schemes.
using Kinds = std::span<const model::LockKind* const>;

/// The lock objects and signals that the programs of one scenario share, numbered in the order in which they
/// appear.
struct Names {
  Kinds kinds = model::shipped_kinds();
  std::vector<model::LockObject> objects;
  std::vector<std::string> signals;

  std::uint16_t object(const model::LockObject& wanted);
  std::uint16_t signal(std::string_view wanted);
};

/// A mistake at a byte range of the parsed text.
struct StepProblem {
  std::size_t offset = 0, length = 1;
  std::string what, hint;
};

struct ParsedStep {
  model::Step step;
  std::size_t offset = 0, length = 1;  // of its words in the text it came from
  std::size_t text_index = 0;          // which of the texts of the program
};

/// Appends the steps of one text to a program; braces must match within the text. Jumps of loops are set.
std::optional<StepProblem> parse_steps(std::string_view text, std::size_t text_index, Names& names,
                                       std::vector<ParsedStep>& program);

/// Parses `NAME`, `KIND:NAME`, `NAME#fresh`.
std::optional<StepProblem> parse_lock(std::string_view word, Kinds kinds, model::LockObject& lock);

/// Two names of one lock, whatever their `via`.
bool same_lock(const model::LockObject& a, const model::LockObject& b);

/// Sets Step::jump of every trylock of a whole program.
/// The call with `async` whose future a `get` or `cancel` at this place would be about: the last one, with
/// only waits, signals and the beginning of a `try` in between.
std::optional<std::size_t> future_before(const std::vector<ParsedStep>& program, std::size_t at);
void set_refusal_jumps(const Names& names, std::vector<ParsedStep>& program);

/// The last step ends a loop that has no end.
bool ends_never(const std::vector<ParsedStep>& program);
/// Why the steps of that loop cannot be gone through for ever: they would take no time, or a number grows in
/// each round; nothing if they can, or the whole program has an end.
std::optional<std::string> not_for_ever(const Names& names, const std::vector<ParsedStep>& program);

/// The canonical text of a step; of a loop "repeat 3 {" and "}".
std::string print_step(const model::Step& step, const Names& names);
std::string print_step(const model::Step& step, const model::Setup& setup);
/// "orders", "fair:orders", "orders#fresh".
std::string print_lock(const model::LockObject& lock, Kinds kinds);
std::string_view word_of(model::StepKind kind);
std::string_view word_of(model::Answer answer);

/// The step word and the answer word that stand for these, if they do.
std::optional<model::StepKind> step_kind(std::string_view word);
std::optional<model::Answer> answer_of(std::string_view word);
bool is_call(model::StepKind kind);

}  // namespace lockstep::scenarios
