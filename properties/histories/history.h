// history.h: who called what, and what was answered, in the order in which somebody saw it.
//
// Events are numbered in that order: a call that was answered before another began came before it, and those
// that overlap may have come in either order. A call without an end may have taken effect, then or ever
// after, or not at all. A process that is taken for dead in the middle of a call goes on under another name
// in some histories; holds are of threads, which stay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/histories/held.h"

namespace lockstep::histories {

/// Where an event stands: its number among all events, its line in the file, and its time if it has one.
struct Place {
  std::uint32_t event = 0;
  std::uint64_t line = 0;
  std::optional<Time> time;
};

struct Operation {
  Thread thread = nobody;
  std::string lock;
  Verb verb = Verb::lock;
  Mode mode = Mode::exclusive;
  std::optional<Time> lease;  // that was asked for
  Answer answer;              // unknown where there is no end
  Place begin;
  std::optional<Place> end;
  std::optional<Place> queued;  // it is known to wait in the queue by then
};

/// Something that may have done anything to a lock.
struct Stranger {
  std::uint64_t line = 0;
  std::string text;
};

struct History {
  Names threads;
  std::vector<std::uint64_t> lines;   // of all events, by their numbers; many say nothing of a lock
  std::vector<Operation> operations;  // in the order of their beginnings
  std::vector<Stranger> strangers;
  std::uint64_t left_out = 0;  // calls that are about no lock, or whose answers no specification judges
};

/// The specifications, by the words of `--lock`.
enum class LockSpec : std::uint8_t { mutex, reentrant, lease, fair, read_write, fenced };

}  // namespace lockstep::histories
