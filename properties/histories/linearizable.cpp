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

/// What is known of an operation before an event: what ends there or later may have taken effect, or not.
Operation known_before(Operation operation, std::uint32_t event) {
  if (operation.queued && operation.queued->event >= event) operation.queued.reset();
  if (!operation.end || operation.end->event < event) return operation;
  operation.end.reset();
  operation.answer = {};
  return operation;
}

/// The calls of one lock as a specification is asked about them, as far as they are known before an event.
template <class Spec>
class Asked {
 public:
  Asked(const History& history, const JudgeOptions& options, std::uint32_t before = Piece::none)
      : history_(history), options_(options), before_(before) {}

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

 private:
  bool has_leases() const { return Spec::has_leases || options_.lease; }

  void add(std::size_t o) {
    if (history_.operations[o].begin.event >= before_) return;
    const Operation operation = known_before(history_.operations[o], before_);
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

  void miss(std::uint64_t line, const char* what) {
    if (missing_.empty()) missing_ = fmt::format("line {}: {}", line, what);
  }

  const History& history_;
  const JudgeOptions& options_;
  std::uint32_t before_;
  Pieces pieces_;
  std::string missing_;
};

/// The answers that a call could have had in a state.
template <class Spec>
std::string possible(const Spec& state, const Call& call) {
  using Word = std::pair<Said, const char*>;
  static constexpr Word acquired[] = {{Said::granted, "granted"}, {Said::refused, "refused"}};
  static constexpr Word released[] = {{Said::done, "done"}, {Said::not_held, "not held"}};
  static constexpr Word asked[] = {{Said::yes, "true"}, {Said::no, "false"}};
  std::string text;
  const auto offer = [&](const auto& words) {
    for (const auto& [said, word] : words)
      if (!state.step(call, {said, {}}).empty()) text += (text.empty() ? "" : " or ") + std::string(word);
  };
  if (call.part == Part::ask) return text;
  if (is_acquire(call.verb)) offer(acquired);
  else if (call.verb == Verb::unlock) offer(released);
  else offer(asked);
  return text;
}

/// The answer of an operation, or that it waits.
struct Told {
  std::uint32_t event = 0;
  std::size_t operation = 0;
  Part part = Part::settle;
};

/// What is told of the operations from an event on, in its order.
std::vector<Told> told_from(std::uint32_t event, const History& history, const OfLock& operations) {
  std::vector<Told> all;
  for (const std::size_t o : operations) {
    const Operation& operation = history.operations[o];
    if (operation.queued) all.push_back({operation.queued->event, o, Part::ask});
    if (operation.end) all.push_back({operation.end->event, o, Part::settle});
  }
  std::erase_if(all, [&](const Told& one) { return one.event < event; });
  std::sort(all.begin(), all.end(), [](auto& one, auto& other) { return one.event < other.event; });
  return all;
}

struct Unexplained {
  const Told* told = nullptr;
  bool perhaps = false;  // a limit was met before that was certain
};

/// The first of these that no order explains. The whole search came so far with what it knew of later
/// answers; who does not know them may explain more.
template <class Spec>
Unexplained first_unexplained(const std::vector<Told>& all, const History& history,
                              const OfLock& operations, const JudgeOptions& options) {
  for (const Told& one : all) {
    const Pieces known = Asked<Spec>(history, options, one.event + 1).pieces(operations);
    const Explained so_far = Search<Spec>(known, options).run();
    if (so_far != Explained::yes) return {&one, so_far == Explained::unknown};
  }
  return {&all.back()};
}

template <class Spec>
void tell_failure(const History& history, const OfLock& operations, std::uint32_t least,
                  const JudgeOptions& options, LockVerdict& verdict) {
  const std::vector<Told> all_told = told_from(least, history, operations);
  const auto [first_told, perhaps] = first_unexplained<Spec>(all_told, history, operations, options);
  const Told& stuck = *first_told;
  verdict.perhaps_further = perhaps;
  verdict.stuck = stuck.operation;
  verdict.last_line = history.lines.at(stuck.event - 1);  // its beginning at least came before
  Asked<Spec> asked(history, options, stuck.event);
  const Pieces known = asked.pieces(operations);
  Search<Spec> first(known, options), all(known, options);
  first.run();
  for (const std::uint32_t p : first.path())
    if (known[p].call.part == Part::settle) verdict.order.push_back(known[p].operation);
  const auto is_stuck = [&](const Piece& one) {
    return one.operation == stuck.operation && one.call.part == stuck.part;
  };
  const auto its = std::find_if(known.begin(), known.end(), is_stuck) - known.begin();
  Call call = asked.call_of(history.operations[stuck.operation]);
  call.part = stuck.part;
  for (const Spec& state : all.endings_without(static_cast<std::uint32_t>(its))) {
    const Ending ending{state.told(history.threads), possible(state, call)};
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
  tell_failure<Spec>(history, operations, search.furthest(), options, verdict);
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
