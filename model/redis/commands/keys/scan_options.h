// scan_options.h: what SCAN, HSCAN, SSCAN and ZSCAN have in common: how they read a cursor and their options,
// and how they answer (db.c, parseScanCursorOrReply and scanGenericCommand).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/redis/command.h"
#include "model/redis/data/scan.h"

namespace lockstep::redis::commands {

struct ScanOptions {
  std::uint64_t count = 10;
  std::optional<std::string_view> pattern, type;

  bool matches(std::string_view name) const;
};

/// TYPE is an option of SCAN alone.
enum class TypeOption : std::uint8_t { known, unknown };

/// Whatever strtoul reads of a whole word: "" is 0 and "-1" the last cursor, but there is no blank in front.
std::optional<std::uint64_t> parse_cursor(std::string_view word);
lua::Reply invalid_cursor();

/// Reads `words`, all of them options. Returns an error reply, or Nil if all is well.
lua::Reply parse_scan_options(Words words, TypeOption type, ScanOptions& options);

/// What is kept in one piece is returned at once, wherever the cursor points.
ScanStep everything(std::size_t elements);

lua::Reply scan_reply(std::uint64_t cursor, lua::Reply::Array found);

}  // namespace lockstep::redis::commands
