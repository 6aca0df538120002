// place.h: a position in a text that a user wrote, and how a mistake there is shown.
//
//   error: unknown option `lese` of step `trylock`
//     --> scenarios/x.toml:18:35
//   18 | steps = ["trylock orders wait=60s lese=10s"]
//      |                                   ^^^^ did you mean `lease`?
//
// Lines and columns count from 1, columns in characters (UTF-8 code points). Of a very long line only the
// part around the place is shown. The text has no newline at its end.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "sim/base/result.h"

namespace lockstep::scenarios {

struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 1;  // how many characters are meant
  std::uint32_t file = 0;    // 1: of the file that is included
  friend constexpr bool operator==(const Place&, const Place&) = default;
  friend constexpr auto operator<=>(const Place& a, const Place& b) {
    return std::tie(a.file, a.line, a.column, a.length) <=> std::tie(b.file, b.line, b.column, b.length);
  }
};

/// A text with its name. Both are borrowed.
struct Source {
  std::string_view text;
  std::string_view file;

  /// The given line without its end; empty if there is none.
  std::string_view line(std::uint32_t number) const;
};

/// How many characters the UTF-8 text has.
std::uint32_t characters(std::string_view text);

/// The error with its place, the line, and a caret; `hint` stands behind the caret.
sim::Problem problem_at(const Source& source, const Place& place, std::string_view what,
                        std::string_view hint = {});

/// An error that concerns the file as a whole: "error: FILE WHAT".
sim::Problem problem_of_file(const Source& source, std::string_view what);

/// What is wrong with the bytes themselves: empty, too large, not text, not UTF-8. An empty text means
/// nothing is.
std::string wrong_bytes(std::string_view text, std::string_view noun);

}  // namespace lockstep::scenarios
