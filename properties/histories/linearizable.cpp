#include "properties/histories/linearizable.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "properties/histories/fair_spec.h"
#include "properties/histories/fenced_spec.h"
#include "properties/histories/lease_spec.h"
#include "properties/histories/mutex_spec.h"
#include "properties/histories/read_write_spec.h"
#include "properties/histories/reentrant_spec.h"
#include "properties/histories/search.h"

namespace lockstep::histories {

namespace {

using OfLock = std::vector<std::size_t>;  // operations, in the order of their beginnings

/// The calls of one lock as a specification is asked about them.
template <class Spec>
class Asked {
 public:
  Asked(const History& history, const JudgeOptions& options) : history_(history), options_(options) {}

  Pieces pieces(const OfLock& operations) {
    for (const std::size_t o : operations) add(o);
    std::vector<std::uint32_t> order(pieces_.size()), place(pieces_.size());
    for (std::uint32_t p = 0; p < order.size(); ++p) order[p] = p;
    std::stable_sort(order.begin(), order.end(),
                     [&](auto one, auto other) { return pieces_[one].begin < pieces_[other].begin; });
    Pieces sorted;
    for (const std::uint32_t p : order) {
      place[p] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(pieces_[p]);
    }
    for (Piece& piece : sorted)
      if (piece.spoilt_by != Piece::none) piece.spoilt_by = place[piece.spoilt_by];
    return sorted;
  }
  /// What was not said and would have to be; empty if nothing.
  const std::string& missing() const { return missing_; }

 private:
  bool has_leases() const { return Spec::has_leases || options_.lease; }

  void add(std::size_t o) {
    const Operation& operation = history_.operations[o];
    const Said said = operation.answer.said;
    const bool acquires = is_acquire(operation.verb);
    if (said == Said::nothing && !(Spec::has_queue && acquires)) return;
    if (said == Said::unknown && is_question(operation.verb)) return;
    Piece piece{.call = call_of(operation), .answer = operation.answer, .operation = o};
    piece.begin = operation.begin.event;
    if (operation.end) piece.end = operation.end->event;
    const bool granted = acquires && said == Said::granted;
    if (Spec::has_tokens && granted && !operation.answer.token)
      miss(operation.end ? operation.end->line : operation.begin.line, "a grant comes without its token");
    const auto settled = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back(piece);
    if (!Spec::has_queue || !acquires) return;
    piece.call.part = Part::ask;
    piece.end = operation.queued ? operation.queued->event : Piece::none;
    piece.spoilt_by = settled;
    pieces_.push_back(piece);
  }

  Call call_of(const Operation& operation) {
    Call call{.verb = operation.verb, .thread = operation.thread, .mode = operation.mode};
    if (!has_leases()) return call;
    call.from = operation.begin.time.value_or(0);
    if (operation.end) call.until = operation.end->time.value_or(never);
    const std::optional<Time> lease = operation.lease ? operation.lease : options_.lease;
    if (!lease || !is_acquire(operation.verb)) return call;
    call.lease = std::max<Time>(0, *lease - options_.clock_error);
    if (!operation.begin.time)
      miss(operation.begin.line, "a lock is asked for a lease, and nobody says when");
    return call;
  }

  void miss(std::uint64_t line, const char* what) {
    if (missing_.empty()) missing_ = fmt::format("line {}: {}", line, what);
  }

  const History& history_;
  const JudgeOptions& options_;
  Pieces pieces_;
  std::string missing_;
};

/// What is known before an event: what ends there or later may have taken effect, or not.
Pieces before(const Pieces& all, std::uint32_t event) {
  Pieces known;
  std::vector<std::uint32_t> place(all.size(), Piece::none);
  for (std::size_t p = 0; p < all.size(); ++p) {
    Piece piece = all[p];
    if (piece.begin >= event) break;
    if (piece.end >= event) {
      piece.end = Piece::none;
      piece.call.until = never;
      piece.answer = {};
      if (is_question(piece.call.verb)) continue;
    }
    place[p] = static_cast<std::uint32_t>(known.size());
    known.push_back(piece);
  }
  for (Piece& piece : known)
    if (piece.spoilt_by != Piece::none) piece.spoilt_by = place[piece.spoilt_by];
  return known;
}

/// The line of the last event before one.
std::uint64_t line_before(const History& history, std::uint32_t event) {
  std::uint64_t line = 0;
  std::uint32_t latest = 0;
  const auto see = [&](const Place& place) {
    if (place.event >= event || (line > 0 && place.event < latest)) return;
    line = place.line;
    latest = place.event;
  };
  for (const Operation& operation : history.operations) {
    see(operation.begin);
    if (operation.end) see(*operation.end);
    if (operation.queued) see(*operation.queued);
  }
  return line;
}

/// The answers that a call could have had in a state.
template <class Spec>
std::string possible(const Spec& state, const Piece& piece) {
  using Word = std::pair<Said, const char*>;
  static constexpr Word acquired[] = {{Said::granted, "granted"}, {Said::refused, "refused"}};
  static constexpr Word released[] = {{Said::done, "done"}, {Said::not_held, "not held"}};
  static constexpr Word asked[] = {{Said::yes, "true"}, {Said::no, "false"}};
  std::string text;
  const auto offer = [&](const auto& words) {
    for (const auto& [said, word] : words)
      if (!state.step(piece.call, {said, {}}).empty())
        text += (text.empty() ? "" : " or ") + std::string(word);
  };
  if (piece.call.part == Part::ask) return text;
  if (is_acquire(piece.call.verb)) offer(acquired);
  else if (piece.call.verb == Verb::unlock) offer(released);
  else offer(asked);
  return text;
}

/// The first end that no order explains: the search came at least to `least`, with what it knew of later
/// ends; what came before them may be explained further than that.
template <class Spec>
const Piece& first_unexplained(const Pieces& pieces, std::uint32_t least, const JudgeOptions& options) {
  std::vector<const Piece*> ends;
  for (const Piece& piece : pieces)
    if (piece.end != Piece::none && piece.end >= least) ends.push_back(&piece);
  std::sort(ends.begin(), ends.end(), [](auto one, auto other) { return one->end < other->end; });
  for (const Piece* piece : ends) {
    const Pieces known = before(pieces, piece->end + 1);
    if (Search<Spec>(known, options).run() != Explained::yes) return *piece;
  }
  return *ends.back();
}

template <class Spec>
void tell_failure(const History& history, const Pieces& pieces, std::uint32_t least,
                  const JudgeOptions& options, LockVerdict& verdict) {
  const Piece& stuck = first_unexplained<Spec>(pieces, least, options);
  verdict.stuck = stuck.operation;
  verdict.last_line = line_before(history, stuck.end);
  const Pieces known = before(pieces, stuck.end);
  Search<Spec> first(known, options), all(known, options);
  first.run();
  for (const std::uint32_t p : first.path())
    if (known[p].call.part == Part::settle) verdict.order.push_back(known[p].operation);
  const auto is_stuck = [&](const Piece& one) {
    return one.operation == stuck.operation && one.call.part == stuck.call.part;
  };
  const auto its = std::find_if(known.begin(), known.end(), is_stuck) - known.begin();
  for (const Spec& state : all.endings_without(static_cast<std::uint32_t>(its))) {
    const Ending ending{state.told(history.threads), possible(state, stuck)};
    auto& told = verdict.endings;
    if (std::find(told.begin(), told.end(), ending) == told.end()) told.push_back(ending);
  }
}

template <class Spec>
LockVerdict judged(const History& history, const OfLock& operations, const JudgeOptions& options) {
  Asked<Spec> asked(history, options);
  const Pieces pieces = asked.pieces(operations);
  Search<Spec> search(pieces, options);
  LockVerdict verdict{.lock = history.operations[operations.front()].lock, .explained = search.run()};
  verdict.why = search.why();
  verdict.states = search.states();
  verdict.calls = operations.size();
  for (const std::size_t o : operations) verdict.pending += !history.operations[o].end;
  if (verdict.explained == Explained::yes) {
    for (const std::uint32_t p : search.path())
      if (pieces[p].call.part == Part::settle) verdict.order.push_back(pieces[p].operation);
    if (!asked.missing().empty()) {
      verdict.explained = Explained::unknown;
      verdict.why = asked.missing();
    }
  }
  if (verdict.explained != Explained::no) return verdict;
  tell_failure<Spec>(history, pieces, search.furthest(), options, verdict);
  if (history.strangers.empty()) return verdict;
  verdict.explained = Explained::unknown;
  verdict.why = fmt::format(
      "line {}: nobody knows what `{}` did to the lock, and without it there is no "
      "explanation",
      history.strangers.front().line, history.strangers.front().text);
  return verdict;
}

using Judge = LockVerdict (*)(const History&, const OfLock&, const JudgeOptions&);

Judge judge_of(LockSpec spec) {
  switch (spec) {
    case LockSpec::mutex:
      return judged<MutexSpec>;
    case LockSpec::reentrant:
      return judged<ReentrantSpec>;
    case LockSpec::lease:
      return judged<LeaseSpec>;
    case LockSpec::fair:
      return judged<FairSpec>;
    case LockSpec::read_write:
      return judged<ReadWriteSpec>;
    case LockSpec::fenced:
      return judged<FencedSpec>;
  }
  return nullptr;
}

}  // namespace

std::vector<LockVerdict> judge(const History& history, const JudgeOptions& options) {
  std::map<std::string, OfLock> locks;
  for (std::size_t o = 0; o < history.operations.size(); ++o) locks[history.operations[o].lock].push_back(o);
  std::vector<LockVerdict> verdicts;
  for (const auto& [name, operations] : locks)
    verdicts.push_back(judge_of(options.spec)(history, operations, options));
  return verdicts;
}

Explained all_explained(const std::vector<LockVerdict>& verdicts) {
  Explained worst = Explained::yes;
  for (const LockVerdict& verdict : verdicts) worst = std::max(worst, verdict.explained);
  return worst;
}

}  // namespace lockstep::histories
