// json_text.h: a scenario written as JSON, put into TOML, which is what is read.
//
// The same keys and the same values: a time is a string with its unit, and so is the date of `epoch`. Each
// value becomes a line of its own, `"time"."watchdog" = "30s"`, and what stands where is remembered, so that
// a mistake is told by the path of its key: process.A.threads[0][1].
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/place.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

struct JsonText {
  struct Mark {
    std::uint32_t line, column;  // where in `toml` it begins
    std::string path;
  };

  std::string toml;
  std::vector<Mark> marks;  // in the order of the text

  /// The key or value that stands there; empty for the whole.
  std::string path_at(const Place& place) const;
};

/// By the name of the file, or because no TOML begins so.
bool looks_like_json(const Source& source);

/// A key that stands twice, `null`, and more than 32 levels are mistakes, as is what is no JSON.
sim::Result<JsonText> json_text(const Source& source);

}  // namespace lockstep::scenarios
