// edn.h: the part of Clojure's data notation that histories use.
//
// Maps, vectors, lists, sets, strings, keywords, symbols, whole numbers and others as their text; tags and
// what `#_` discards are skipped. Nothing is evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

struct Edn {
  enum class Kind : std::uint8_t { nil, text, word, keyword, sequence, map };
  Kind kind = Kind::nil;
  std::string text;        // of text, word (numbers, booleans, symbols) and keyword (without the colon)
  std::vector<Edn> items;  // of a sequence; of a map key, value, key, value, …
  std::uint64_t line = 1;

  /// What a map has under a keyword; null if nothing, or nil.
  const Edn* find(std::string_view name) const;
};

/// All values of a text, one after the other.
sim::Result<std::vector<Edn>> parse_edn(std::string_view text, const std::string& file);

}  // namespace lockstep::tools
