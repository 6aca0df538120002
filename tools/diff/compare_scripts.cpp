#include "tools/diff/compare_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>

#include "reports/diagrams/script_rows.h"
#include "tools/diff/script_numbers.h"
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

// What is tried beside the search: from so many of its first states long leases, and so often each call.
constexpr std::size_t states_with_long_leases = 100, repeated = 12;

class PairSearch {
 public:
  PairSearch(const lua::ScriptSet& a, const lua::ScriptSet& b, const KindFamily& family, bool with_now,
             const CompareLimits& limits, const std::vector<sim::Duration>& long_leases, bool counts_lines)
      : pair_(a, b, family, with_now, long_leases, limits.reading,
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
    if (!over_ && !pair_.needs_now()) try_long_leases(into);
    if (!over_ && !pair_.needs_now()) try_repeated(into);
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

  /// From the first states one call with a long lease, and then each other one, once.
  void try_long_leases(reports::KindCompared& into) {
    const std::size_t first = std::min(met_.size(), states_with_long_leases);
    for (std::size_t at = 0; at < first && !over_; ++at) {
      if (pair_.beyond(met_[at].state)) continue;
      for (const DrivenCall& lasts_long : pair_.long_calls()) {
        const std::size_t before = met_.size();
        take({.state = met_[at].state, .from = at, .call = &lasts_long}, into);
        if (over_) return;
        if (met_.size() == before) continue;
        for (const DrivenCall& call : pair_.calls()) {
          take({.state = met_[before].state, .from = before, .call = &call}, into);
          if (over_) return;
        }
      }
    }
  }

  /// Each call many times, and behind that each other one many times.
  void try_repeated(reports::KindCompared& into) {
    for (const DrivenCall& first : pair_.calls()) {
      const std::size_t top = repeat(0, first, into);
      for (const DrivenCall& then : pair_.calls())
        if (!over_) repeat(top, then, into);
      if (over_) return;
    }
  }

  /// Where it ends: it changes nothing any more, or was made often enough.
  std::size_t repeat(std::size_t from, const DrivenCall& call, reports::KindCompared& into) {
    for (std::size_t times = 0; times < repeated && !over_; ++times) {
      const sim::Digest before = pair_.digest(met_[from].state);
      take({.state = met_[from].state, .from = from, .call = &call}, into, Kept::always);
      from = met_.size() - 1;
      if (pair_.digest(met_[from].state) == before) break;
    }
    return from;
  }

  DrivenStep step(DrivenState& state, const Met& how, Told told) {
    return how.call != nullptr ? pair_.call(state, *how.call, told) : pair_.pass(state, how.passed, told);
  }

  enum class Kept { if_new, always };

  void take(Met next, reports::KindCompared& into, Kept kept = Kept::if_new) {
    const DrivenStep taken = step(next.state, next, Told::no);
    ++transitions_;
    if (taken.written_otherwise && into.note.empty()) into.note = note_of(next);
    over_ = taken.major();
    const bool first = taken.major() || (taken.minor() && !difference_);
    const bool fresh = seen_.insert(pair_.digest(next.state)).second;
    if (!first && !fresh && kept == Kept::if_new) return;
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

/// The scripts of both sides that do not say the same.
struct Changed {
  const lua::Script *a = nullptr, *b = nullptr;
};

std::vector<Changed> changed_scripts(const KindFamily& family, const lua::ScriptSet& a,
                                     const lua::ScriptSet& b) {
  std::vector<Changed> all;
  for (const model::LockKind* kind : family.kinds)
    for (const model::Role& role : kind->roles) {
      const lua::Script *one = script_for(role, a), *other = script_for(role, b);
      if (one == nullptr || other == nullptr || same_text(*one, *other)) continue;
      if (one->keys != other->keys || one->args != other->args || !same_words(*one, *other))
        all.push_back({one, other});
    }
  return all;
}

/// The largest number of a script, if calls with the usual leases do not come to it.
std::optional<std::int64_t> beyond_reach(const lua::Script& script) {
  const std::set<std::int64_t> numbers = numbers_in(script);
  if (numbers.empty() || *numbers.rbegin() <= DrivenPair::reach) return std::nullopt;
  return *numbers.rbegin();
}

/// Some that are usual, and those around each number of the scripts: there a script may do something else.
std::vector<sim::Duration> long_leases(const std::vector<Changed>& changed) {
  constexpr std::size_t most = 24;
  std::set<std::int64_t> all{10, 1'000, 30'000, 100'000};
  for (const Changed& one : changed)
    for (const lua::Script* script : {one.a, one.b})
      for (const std::int64_t number : numbers_in(*script))
        for (const std::int64_t near : {number - 1, number, number + 1})
          if (near > DrivenPair::reach && all.size() < most) all.insert(near);
  std::vector<sim::Duration> leases;
  for (const std::int64_t one : all) leases.emplace_back(one);
  return leases;
}

bool went_every_way(const lua::Script& script, const HitCounter& hits) {
  const reports::CountedScript counted = counted_script(script, hits);
  return std::all_of(counted.lines.begin(), counted.lines.end(), [](const reports::CountedLine& line) {
    return !line.is_code || (line.hits > 0 && !reports::is_half(line));
  });
}

/// Of a script that has a number beyond what calls come to, and of which not all was met; empty: of none.
std::string unmet(const std::vector<Changed>& changed, const PairSearch& search) {
  const auto of = [](const lua::Script& script, const HitCounter& hits, const char* side) -> std::string {
    const std::optional<std::int64_t> number = beyond_reach(script);
    if (!number || went_every_way(script, hits)) return "";
    return fmt::format("`{}` of {} has the number {}, and not all of it ran", script.role, side, *number);
  };
  for (const Changed& one : changed) {
    if (std::string why = of(*one.a, search.hits_a(), "a"); !why.empty()) return why;
    if (std::string why = of(*one.b, search.hits_b(), "b"); !why.empty()) return why;
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
  diff.bounds = DrivenPair::bounds(limits.reading.replies) +
                fmt::format("; beside these, from {} states one call with a longer lease (up to 100 s, and "
                            "around each number of the scripts) and one behind it, and each call {} times, "
                            "then each other",
                            states_with_long_leases, repeated);
  std::set<std::string> sent;
  for (const KindFamily& family : families()) {
    reports::KindCompared compared{.kind = family.name, .roles = changed_roles(family, a, b, sent)};
    if (compared.roles.empty() || !is_asked_about(family, limits.kinds)) continue;
    const reports::KindCompared empty = compared;
    const std::vector<Changed> changed = changed_scripts(family, a, b);
    const std::vector<sim::Duration> leases = long_leases(changed);
    const bool counts_lines = limits.lines || std::any_of(changed.begin(), changed.end(), [](auto& one) {
                                return beyond_reach(*one.a) || beyond_reach(*one.b);
                              });
    std::optional<PairSearch> search(std::in_place, a, b, family, false, limits, leases, counts_lines);
    search->run(limits, compared);
    if (search->needs_now()) {
      compared = empty;
      search.emplace(a, b, family, true, limits, leases, counts_lines);
      search->run(limits, compared);
      if (!compared.limit.empty()) compared.limit += ", where the scripts look at what time it is";
    }
    compared.beyond_reach = unmet(changed, *search);
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
