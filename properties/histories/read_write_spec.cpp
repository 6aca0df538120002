#include "properties/histories/read_write_spec.h"

namespace lockstep::histories {

namespace {

using Next = std::vector<ReadWriteSpec>;

const Hold* hold_of(const ReadWriteSpec& spec, Thread thread, Mode mode) {
  if (mode == Mode::exclusive) return spec.writer.thread == thread ? &spec.writer : nullptr;
  for (const Hold& one : spec.readers)
    if (one.thread == thread) return &one;
  return nullptr;
}

/// Puts a hold in the place of the thread's; one of depth zero takes it away.
void put(ReadWriteSpec& spec, Mode mode, Hold hold, Thread thread) {
  if (mode == Mode::exclusive) {
    spec.writer = hold.depth == 0 ? Hold{} : hold;
    return;
  }
  auto at = spec.readers.begin();
  while (at != spec.readers.end() && at->thread < thread) ++at;
  if (at != spec.readers.end() && at->thread == thread) at = spec.readers.erase(at);
  if (hold.depth > 0) spec.readers.insert(at, hold);
}

void keep(Next& next, ReadWriteSpec spec, const Call& call, Time least = 0) {
  const auto when = moment(spec.now, call, least);
  if (!when) return;
  spec.now = *when;
  next.push_back(std::move(spec));
}

void take(Next& next, ReadWriteSpec spec, const Call& call, std::uint32_t depth, Time least) {
  const auto when = moment(spec.now, call, least);
  if (!when) return;
  spec.now = *when;
  put(spec, call.mode, taken(call, depth, *when), call.thread);
  next.push_back(std::move(spec));
}

/// Without those who keep the call out, and since when they all may be gone.
struct Cleared {
  ReadWriteSpec rest;
  Time least = 0;
};
Cleared without_others(const ReadWriteSpec& spec, const Call& call) {
  Cleared cleared{spec, 0};
  const bool writes = spec.writer.thread == call.thread;
  if (spec.writer.thread != nobody && !writes) {
    cleared.least = spec.writer.ends;
    cleared.rest.writer = {};
  }
  if (call.mode == Mode::shared || writes) return cleared;
  for (const Hold& one : spec.readers) cleared.least = std::max(cleared.least, one.ends);
  cleared.rest.readers.clear();
  return cleared;
}

bool is_kept_out(const ReadWriteSpec& spec, const Call& call) {
  if (spec.writer.thread == call.thread) return false;
  return spec.writer.thread != nobody || (call.mode == Mode::exclusive && !spec.readers.empty());
}

void acquire(Next& next, const ReadWriteSpec& spec, const Call& call, Said said) {
  if (said == Said::nothing || (said == Said::refused && is_kept_out(spec, call)))
    return keep(next, spec, call);
  if (said != Said::granted && said != Said::unknown) return;
  const Cleared cleared = without_others(spec, call);
  const Hold* mine = hold_of(cleared.rest, call.thread, call.mode);
  take(next, cleared.rest, call, mine == nullptr ? 1 : mine->depth + 1, cleared.least);
  if (mine == nullptr || mine->ends == never) return;
  // Its own hold may have ended before; then it is a stranger to the others.
  ReadWriteSpec gone = spec;
  put(gone, call.mode, {}, call.thread);
  const Cleared anew = without_others(gone, call);
  take(next, anew.rest, call, 1, std::max(anew.least, mine->ends));
}

/// It is said that nobody, or not the caller, holds it in this mode.
void be_gone(Next& next, const ReadWriteSpec& spec, const Call& call, const std::vector<Hold>& whose) {
  ReadWriteSpec rest = spec;
  Time least = 0;
  for (const Hold& one : whose) {
    least = std::max(least, one.ends);
    put(rest, call.mode, {}, one.thread);
  }
  keep(next, rest, call, least);
}

void release(Next& next, const ReadWriteSpec& spec, const Call& call, Said said) {
  const Hold* mine = hold_of(spec, call.thread, call.mode);
  if (said == Said::nothing) return keep(next, spec, call);
  if (said == Said::not_held)
    return be_gone(next, spec, call, mine == nullptr ? std::vector<Hold>{} : std::vector<Hold>{*mine});
  if (mine == nullptr) return;
  ReadWriteSpec rest = spec;
  Hold less = *mine;
  --less.depth;
  put(rest, call.mode, less, call.thread);
  keep(next, rest, call);
}

}  // namespace

Next ReadWriteSpec::step(const Call& call, const Answer& answer) const {
  Next next;
  const Said said = answer.said;
  if (is_acquire(call.verb)) acquire(next, *this, call, said);
  if (call.verb == Verb::unlock) release(next, *this, call, said);
  if (is_acquire(call.verb) || call.verb == Verb::unlock) return next;
  std::vector<Hold> all = readers;
  if (call.mode == Mode::exclusive) all = writer.thread == nobody ? std::vector<Hold>{} : std::vector{writer};
  if (call.verb == Verb::is_held)
    std::erase_if(all, [&](const Hold& one) { return one.thread != call.thread; });
  if (said == Said::no) {
    be_gone(next, *this, call, all);
  } else if (call.verb == Verb::force_unlock && said != Said::nothing) {
    ReadWriteSpec rest = *this;
    for (const Hold& one : all) put(rest, call.mode, {}, one.thread);
    if (said != Said::yes || !all.empty()) keep(next, rest, call);
  } else if (said != Said::yes || !all.empty()) {
    keep(next, *this, call);
  }
  return next;
}

std::string ReadWriteSpec::told(const Names& names) const {
  std::string text = writer.thread == nobody ? "" : "held by " + histories::told(writer, names) + " to write";
  for (std::size_t i = 0; i < readers.size(); ++i)
    text += (i > 0 ? ", " : text.empty() ? "read by " : ", read by ") + histories::told(readers[i], names);
  return text.empty() ? "free" : text;
}

}  // namespace lockstep::histories
