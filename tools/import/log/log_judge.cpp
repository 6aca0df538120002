#include "tools/import/log/log_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

using model::Intent;
using model::Meaning;
using properties::Property;
using reports::printable;

bool exclude_each_other(model::Mode one, model::Mode other) {
  return one == model::Mode::exclusive || other == model::Mode::exclusive;
}

}  // namespace

LogVerdict& LogJudge::of(Property property) {
  return *std::find_if(verdicts_.begin(), verdicts_.end(),
                       [&](const LogVerdict& one) { return one.property == property; });
}

void LogJudge::breach(std::vector<LogBreach>& found, Property property, std::string why, std::size_t line) {
  LogVerdict& verdict = of(property);
  found.push_back({property, why});
  if (verdict.answer == LogAnswer::violated) return;  // the first is told
  verdict.answer = LogAnswer::violated;
  verdict.why = std::move(why);
  verdict.line = line;
}

/// Who renews or gives back a lock that it was granted still thinks that it has it.
void LogJudge::speaks(const JudgedRequest& request, std::vector<LogBreach>& found) {
  const auto confirmed = [&](const Overlap& overlap) {
    return overlap.lock == request.lock && overlap.first == request.holder;
  };
  for (const Overlap& overlap : overlaps_)
    if (confirmed(overlap))
      breach(found, Property::mutual_exclusion,
             fmt::format("{}, and {} the first at line {}", overlap.why,
                         request.intent == Intent::release ? "given back by" : "still held in the belief of",
                         request.line),
             overlap.line);
  std::erase_if(overlaps_, confirmed);
}

void LogJudge::granted(const JudgedRequest& request) {
  Belief& own = beliefs_[{request.lock, request.holder}];
  if (own.depth == 0) own = {request.who, request.mode, 0, request.line};
  own.depth = std::max<std::int64_t>(1, request.after.count_of(request.holder, request.mode));
  for (const auto& [claim, belief] : beliefs_) {
    if (claim.first != request.lock || claim.second == request.holder || belief.depth == 0) continue;
    of(Property::mutual_exclusion).occasion = true;
    if (!exclude_each_other(belief.mode, request.mode)) continue;
    overlaps_.push_back(
        {request.lock, claim.second, request.holder,
         fmt::format("{} was granted to {} at line {} and to {} at line {}", printable(request.lock),
                     belief.who, belief.line, request.who, request.line),
         request.line});
  }
}

void LogJudge::taken_from_others(const JudgedRequest& request, std::vector<LogBreach>& found) {
  if (request.intent == Intent::force_release) return;
  for (const model::Hold& hold : request.before.holds) {
    if (hold.holder == request.holder || hold.lapsed) continue;
    if (!request.intent || *request.intent == Intent::release) of(Property::owner_only).occasion = true;
    if (request.after.count_of(hold.holder, hold.mode) >= hold.count) continue;
    breach(
        found, Property::owner_only,
        fmt::format("{} takes {} away from {}", request.who, printable(request.lock), printable(hold.holder)),
        request.line);
  }
}

std::vector<LogBreach> LogJudge::see(const JudgedRequest& request) {
  std::vector<LogBreach> found;
  if (request.intent == Intent::release || request.intent == Intent::renew) {
    const auto own = beliefs_.find({request.lock, request.holder});
    if (own != beliefs_.end() && own->second.depth > 0) speaks(request, found);
  }
  if (model::says(request.meaning, Meaning::refused)) of(Property::mutual_exclusion).occasion = true;
  if (model::says(request.meaning, Meaning::granted)) granted(request);
  if (request.intent == Intent::release && !request.holder.empty()) {
    const bool kept = model::says(request.meaning, Meaning::still_held);
    beliefs_[{request.lock, request.holder}].depth =
        kept ? std::max<std::int64_t>(1, request.after.count_of(request.holder, request.mode)) : 0;
  }
  if (request.intent == Intent::force_release)
    for (auto& [claim, belief] : beliefs_)
      if (claim.first == request.lock) belief.depth = 0;
  taken_from_others(request, found);
  for (const model::Hold& hold : request.after.holds) {
    of(Property::lock_has_ttl).occasion = true;
    if (!hold.left && request.expires && request.ttl_known)
      breach(found, Property::lock_has_ttl,
             fmt::format("{} is held by {} without a time to live", printable(request.lock),
                         printable(hold.holder)),
             request.line);
  }
  return found;
}

std::vector<LogVerdict> LogJudge::verdicts() const {
  std::vector<LogVerdict> all(verdicts_.begin(), verdicts_.end());
  for (LogVerdict& one : all) {
    if (one.answer == LogAnswer::violated) continue;
    if (one.property == Property::mutual_exclusion && !overlaps_.empty()) {
      one.answer = LogAnswer::unknown;
      one.line = overlaps_.front().line;
      one.why = overlaps_.front().why + "; whether the first had ended by then, the log does not say";
    } else if (gaps_) {
      one.answer = LogAnswer::unknown;
      one.why = "parts of the log are not explained";
    }
  }
  return all;
}

}  // namespace lockstep::tools
