// mended.h: a scenario's text with the one misspelt word put right that an error names.
//
// An error of the reader's marks a word and may say "did you mean `x`?" (scenarios/format/place.h). That
// word, and nothing else, is replaced; quotes around it stay. Errors that suggest nothing are not mended.
#pragma once

#include <optional>
#include <string>

#include "sim/base/result.h"

namespace lockstep::tools {

struct Mended {
  std::string text;    // the whole file
  std::string wrong;   // what stood there
  std::string right;
  std::size_t line = 0;  // from 1
};

std::optional<Mended> mended(const std::string& text, const sim::Problem& problem);

}  // namespace lockstep::tools
