// meaning.h: what a server's answer to a client's request means.
//
// A lock kind reads replies, in the rows of its roles; everybody else (reply handlers, monitors, the tracer)
// is given the meaning. A reply may say several things at once, so it is read as a list of items.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace lockstep::model {

enum class Meaning : std::uint8_t {
  granted,      // the lock is the sender's, for the first time or once more
  partial,      // one of several requests of an acquire was served; nothing is granted yet
  refused,      // it is another's; `wait` says for how much longer, if the answer does
  released,     // it is free now
  still_held,   // one hold less, and some left
  not_holder,   // there was nothing of the sender's to release
  nothing,      // there was no lock to take away
  renewed,      // its time runs anew
  not_renewed,  // there was nothing of the holder's to renew
  yes,          // so it is: the answer to a question, or to a command that did something
  no,
  failed,       // an error, or no answer
  unanswered,   // beside failed: there was no answer
  unknown       // a reply that the role does not know
};

struct Item {
  Meaning what = Meaning::unknown;
  std::optional<sim::Duration> wait;   // of refused; absent: the answer names no time
  std::optional<std::int64_t> number;  // a token
  bool operator==(const Item&) const = default;
};

using Items = std::vector<Item>;

/// Whether one of the items is this.
inline bool says(const Items& items, Meaning what) {
  for (const Item& item : items)
    if (item.what == what) return true;
  return false;
}

/// "granted", "not-holder" …
std::string_view name_of(Meaning what);

}  // namespace lockstep::model
