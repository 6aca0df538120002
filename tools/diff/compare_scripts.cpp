#include "tools/diff/compare_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>

#include "reports/diagrams/script_rows.h"
#include "tools/diff/out_of_reach.h"
#include "tools/graph/script_hits.h"

namespace lockstep::tools {

namespace {

constexpr const char* scripts_by_default = "redisson@3.10.5";

/// Where a state was met first, and by which step; a step that is no call passes time.
struct Met {
  DrivenState state;
  std::size_t from = 0;
  const DrivenCall* call = nullptr;
  sim::Duration passed{};
};

bool same_text(const lua::Script& a, const lua::Script& b) {
  return a.text == b.text && a.keys == b.keys && a.args == b.args;
}

class PairSearch {
 public:
  PairSearch(const lua::ScriptSet& a, const lua::ScriptSet& b, const KindFamily& family, bool with_now,
             const CompareLimits& limits, bool counts_lines)
      : pair_(a, b, family, with_now, limits.reading,
              counts_lines ? PairWatch{&hits_a_, &hits_b_} : PairWatch{}) {}

  void run(const CompareLimits& limits, reports::KindCompared& into) {
    met_.push_back({.state = pair_.initial()});
    seen_.insert(pair_.digest(met_.front().state));
    bool cut = false;
    for (std::size_t at = 0; at < met_.size() && !over_ && !pair_.needs_now(); ++at) {
      if (met_.size() >= limits.states_max) {
        cut = true;
        break;
      }
      if (!pair_.beyond(met_[at].state)) expand(at, into);
    }
    into.states = met_.size();
    into.transitions = transitions_;
    into.complete = !cut && !over_ && !pair_.needs_now();
    if (cut) into.limit = fmt::format("{} states", limits.states_max);
    pair_.unwatch();
    if (difference_) into.difference = told(*difference_);
    into.only_minor = difference_ && !over_;
  }
  bool needs_now() const { return pair_.needs_now(); }
  const HitCounter& hits_a() const { return hits_a_; }
  const HitCounter& hits_b() const { return hits_b_; }

 private:
  void expand(std::size_t at, reports::KindCompared& into) {
    for (const DrivenCall& call : pair_.calls()) {
      take({.state = met_[at].state, .from = at, .call = &call}, into);
      if (over_) return;
    }
    if (const auto passed = pair_.next(met_[at].state))
      take({.state = met_[at].state, .from = at, .call = nullptr, .passed = *passed}, into);
  }

  DrivenStep step(DrivenState& state, const Met& how, Told told) {
    return how.call != nullptr ? pair_.call(state, *how.call, told) : pair_.pass(state, how.passed, told);
  }

  void take(Met next, reports::KindCompared& into) {
    const DrivenStep taken = step(next.state, next, Told::no);
    ++transitions_;
    if (taken.written_otherwise && into.note.empty()) into.note = note_of(next);
    over_ = taken.major();
    const bool first = taken.major() || (taken.minor() && !difference_);
    const bool fresh = seen_.insert(pair_.digest(next.state)).second;
    if (!first && !fresh) return;
    met_.push_back(std::move(next));
    if (first) difference_ = met_.size() - 1;
  }

  std::string note_of(const Met& met) {
    DrivenState state = met_[met.from].state;
    const reports::StepShown shown = step(state, met, Told::yes).shown;
    return fmt::format("replicas are sent other commands that come to the same: `{}`, `{}`",
                       fmt::join(shown.a.replicated, "; "), fmt::join(shown.b.replicated, "; "));
  }

  /// The way to it, run once more from the beginning.
  reports::ScriptDifference told(std::size_t at) {
    std::vector<std::size_t> way;
    for (; at != 0; at = met_[at].from) way.push_back(at);
    reports::ScriptDifference told;
    DrivenState state = pair_.initial();
    DrivenStep last;
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      last = step(state, met_[*it], Told::yes);
      told.steps.push_back(last.shown);
    }
    if (last.reply) told.in.emplace_back("replies");
    if (last.stored) told.in.emplace_back("what is stored");
    if (last.messages) told.in.emplace_back("messages");
    if (last.order) told.in.emplace_back("the order of messages");
    if (last.effects) told.in.emplace_back("effects");
    return told;
  }

  HitCounter hits_a_, hits_b_;  // outlive the pair
  DrivenPair pair_;
  std::deque<Met> met_;
  std::set<sim::Digest> seen_;
  std::uint64_t transitions_ = 0;
  bool over_ = false;
  std::optional<std::size_t> difference_;
};

/// Kinds that share a key in two modes are one family; each other kind is alone.
std::vector<KindFamily> families() {
  std::vector<KindFamily> all;
  for (const model::LockKind* kind : model::shipped_kinds()) {
    if (!kind->is_lock() || kind->is_made_of_others()) continue;
    const auto shares = [&](const KindFamily& family) {
      const model::LockKind& first = *family.kinds.front();
      return first.shape == kind->shape && first.mode != kind->mode;
    };
    const auto with = std::find_if(all.begin(), all.end(), shares);
    if (with == all.end()) {
      all.push_back({{kind}, std::string(kind->name)});
      continue;
    }
    with->kinds.push_back(kind);
    with->name += ", " + std::string(kind->name);
  }
  return all;
}

bool can_be_taken(const model::LockKind& kind, const lua::ScriptSet& scripts) {
  const model::Role* acquire = role_for(kind, model::Intent::acquire);
  return acquire != nullptr && script_for(*acquire, scripts) != nullptr;
}

/// The roles of a family whose scripts are not the same text, and both there.
std::vector<std::string> changed_roles(const KindFamily& family, const lua::ScriptSet& a,
                                       const lua::ScriptSet& b, std::set<std::string>& sent) {
  std::vector<std::string> changed;
  for (const model::LockKind* kind : family.kinds) {
    if (!can_be_taken(*kind, a) || !can_be_taken(*kind, b)) continue;
    for (const model::Role& role : kind->roles) {
      const lua::Script *one = script_for(role, a), *other = script_for(role, b);
      for (const lua::Script* script : {one, other})
        if (script != nullptr) sent.insert(script->role);
      if (one == nullptr || other == nullptr || same_text(*one, *other)) continue;
      if (std::find(changed.begin(), changed.end(), role.name) == changed.end())
        changed.emplace_back(role.name);
    }
  }
  return changed;
}

/// The changed scripts of both sides with how often each line ran.
reports::PairedScripts lines_of(const KindFamily& family, const lua::ScriptSet& a, const lua::ScriptSet& b,
                                const PairSearch& search) {
  reports::CountedScripts of_a, of_b;
  std::set<std::pair<std::string, std::string>> known;
  for (const model::LockKind* kind : family.kinds)
    for (const model::Role& role : kind->roles) {
      const lua::Script *one = script_for(role, a), *other = script_for(role, b);
      if (one == nullptr || other == nullptr || same_text(*one, *other)) continue;
      if (!known.emplace(one->sha1, other->sha1).second) continue;
      of_a.scripts.push_back(counted_script(*one, search.hits_a()));
      of_b.scripts.push_back(counted_script(*other, search.hits_b()));
      of_b.scripts.back().role = of_a.scripts.back().role;
    }
  return reports::paired(of_a, of_b);
}

/// A changed script that has a number which nothing comes to.
struct Beyond {
  const lua::Script* script = nullptr;
  bool is_of_a = false;
  OutOfReach what;
};

std::vector<Beyond> beyond_reach(const KindFamily& family, const lua::ScriptSet& a, const lua::ScriptSet& b) {
  std::vector<Beyond> all;
  for (const model::LockKind* kind : family.kinds)
    for (const model::Role& role : kind->roles) {
      const lua::Script *one = script_for(role, a), *other = script_for(role, b);
      if (one == nullptr || other == nullptr || same_text(*one, *other)) continue;
      for (const lua::Script* script : {one, other})
        if (auto what = out_of_reach(*script, DrivenPair::reach()))
          all.push_back({script, script == one, *std::move(what)});
    }
  return all;
}

bool went_every_way(const reports::CountedScript& script) {
  return std::all_of(script.lines.begin(), script.lines.end(), [](const reports::CountedLine& line) {
    return !line.is_code || (line.hits > 0 && !reports::is_half(line));
  });
}

/// By which of these the search did not come; empty: by none that shows.
std::string unmet(const std::vector<Beyond>& all, const PairSearch& search) {
  for (const Beyond& one : all) {
    const HitCounter& hits = one.is_of_a ? search.hits_a() : search.hits_b();
    if (!one.what.is_argument && went_every_way(counted_script(*one.script, hits))) continue;
    return fmt::format("`{}` of {} has {} in line {}, and nothing within the bounds comes to that",
                       one.script->role, one.is_of_a ? "a" : "b", one.what.number, one.what.line);
  }
  return "";
}

bool is_asked_about(const KindFamily& family, const std::vector<const model::LockKind*>& kinds) {
  return kinds.empty() || std::find_first_of(family.kinds.begin(), family.kinds.end(), kinds.begin(),
                                             kinds.end()) != family.kinds.end();
}

}  // namespace

bool is_replacement(const std::string& word) {
  std::error_code ignored;
  return word.find('=') != std::string::npos && !std::filesystem::exists(word, ignored);
}

sim::Result<lua::ScriptSet> named_scripts(const std::string& word, const std::string& base,
                                          const scenarios::ScriptLibrary& library) {
  if (!is_replacement(word)) return scenarios::find_script_set(word, library);
  auto set = scenarios::find_script_set(base.empty() ? scripts_by_default : base, library);
  for (std::size_t at = 0; set && at <= word.size();) {
    const std::size_t end = std::min(word.find(',', at), word.size());
    const std::string pair = word.substr(at, end - at);
    if (pair.find('=') == std::string::npos) return sim::Problem{fmt::format("`{}` is no ROLE=FILE", pair)};
    set = scenarios::apply_override(*set, pair, library);
    at = end + 1;
  }
  return set;
}

reports::ScriptDiff compare_scripts(const lua::ScriptSet& a, const lua::ScriptSet& b,
                                    const CompareLimits& limits) {
  reports::ScriptDiff diff;
  diff.bounds = DrivenPair::bounds(limits.reading.replies);
  std::set<std::string> sent;
  for (const KindFamily& family : families()) {
    reports::KindCompared compared{.kind = family.name, .roles = changed_roles(family, a, b, sent)};
    if (compared.roles.empty() || !is_asked_about(family, limits.kinds)) continue;
    const reports::KindCompared empty = compared;
    const std::vector<Beyond> beyond = beyond_reach(family, a, b);
    const bool counts_lines = limits.lines || !beyond.empty();
    std::optional<PairSearch> search(std::in_place, a, b, family, false, limits, counts_lines);
    search->run(limits, compared);
    if (search->needs_now()) {
      compared = empty;
      search.emplace(a, b, family, true, limits, counts_lines);
      search->run(limits, compared);
      if (!compared.limit.empty()) compared.limit += ", where the scripts look at what time it is";
    }
    compared.beyond_reach = unmet(beyond, *search);
    if (limits.lines) compared.lines = lines_of(family, a, b, *search);
    diff.kinds.push_back(std::move(compared));
  }
  for (const auto& [role, script] : a.roles) {
    const lua::Script* other = b.find(role);
    if (other == nullptr) diff.only_a.push_back(role);
    else if (same_text(script, *other)) diff.same.push_back(role);
    else if (!sent.contains(role)) diff.unsent.push_back(role);
  }
  for (const auto& [role, script] : b.roles)
    if (a.find(role) == nullptr) diff.only_b.push_back(role);
  return diff;
}

}  // namespace lockstep::tools
