// shebang.h: the first line of a script or of a library, and the flags that it or a function may have.
//
// Sources: Redis 7.0.15 eval.c (evalExtractShebangFlags), functions.c (functionExtractLibMetaData), script.c
// (scripts_flags_def), sds.c (sdssplitargs).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lua/engine/reply.h"

namespace lockstep::lua {

/// What a server asks before it runs a script or a function.
struct ScriptFlags {
  /// A script without a shebang may do everything that it could before there were flags; a function never.
  bool eval_compatible{};
  bool no_writes{}, allow_oom{}, allow_stale{}, no_cluster{}, allow_cross_slot_keys{};
  bool operator==(const ScriptFlags&) const = default;

  /// Sets the flag of this name. False if there is none.
  bool set(std::string_view name);

  /// The names of those that are set, in Redis's order.
  std::vector<std::string_view> names() const;
};

/// The line "#!lua flags=…" of a script.
struct Shebang {
  ScriptFlags flags;
  std::size_t length{};  // bytes before the line's end, which is kept so that line numbers stay
  bool operator==(const Shebang&) const = default;
};

/// The shebang of a script text, or the error that Redis answers to a wrong one.
std::variant<Shebang, Error> read_shebang(std::string_view text);

/// The line "#!lua name=…" of a library.
struct LibraryHeader {
  std::string name;
  std::size_t length{};  // as in Shebang
  bool operator==(const LibraryHeader&) const = default;
};

/// The first line of a library, or the error that FUNCTION LOAD answers to a wrong one.
std::variant<LibraryHeader, Error> read_library_header(std::string_view code);

/// Whether a library or a function may have this name; and what Redis says of both if not.
bool is_function_name(std::string_view name);
inline constexpr const char* wrong_name =
    "Library names can only contain letters, numbers, or underscores(_) and must be at least one character "
    "long";

/// The words of a line with quotes and escapes, or nothing if a quote is not closed well.
std::optional<std::vector<std::string>> split_words(std::string_view line);

}  // namespace lockstep::lua
