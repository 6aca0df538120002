#include "tools/graph/script_ways.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "tools/graph/script_hits.h"

namespace lockstep::tools {

namespace {

using properties::FaultMask;
using properties::Seen;
using properties::SeenBehind;

/// Lines of scripts that are one line each are those of their layout.
int line_of(const ScriptLayout& layout, int line) {
  const bool is_one_line = layout.lines.back().source_line == 1;
  return is_one_line ? line : layout.lines[static_cast<std::size_t>(line) - 1].source_line;
}

class Covering {
 public:
  Covering(const model::Setup& setup, const Seen& seen) : setup_(setup), seen_(seen) {}

  reports::Covered made() {
    all_.faults.emplace_back("no fault");
    for (const model::FaultId fault : properties::faults_that_come(setup_))
      all_.faults.emplace_back(model::fault_row(fault, setup_).key);
    std::set<std::pair<std::uint16_t, std::uint16_t>> roles;
    for (const auto& [what, behind] : seen_) roles.insert({std::get<0>(what), std::get<1>(what)});
    const std::vector<NumberedScript> scripts = numbered_scripts(setup_);
    for (const auto& [kind, role] : roles) {
      const std::size_t before = all_.roles.size();
      for (const NumberedScript& script : scripts)
        if (seen_.contains({kind, role, script.first + 1})) add(kind, role, script);
      if (all_.roles.size() == before) add_plain(kind, role);
    }
    return std::move(all_);
  }

 private:
  /// Whose it is, always; taken again, or with a queue, where that was met at all.
  std::uint8_t locks_of(std::uint16_t kind) const {
    unsigned locks = 0;
    using enum properties::Whose;
    for (const auto whose : {nobodys, askers, anothers}) locks |= 1U << with_queue(whose, false);
    for (const auto& [what, behind] : seen_)
      for (std::size_t lock = 0; std::get<0>(what) == kind && lock < behind.size(); ++lock)
        if (behind[lock] != 0) locks |= 1U << lock;
    return static_cast<std::uint8_t>(locks);
  }

  std::vector<std::uint8_t> seen(std::uint16_t kind, std::uint16_t role, std::uint32_t way) const {
    std::vector<std::uint8_t> by_fault(all_.faults.size());
    const auto found = seen_.find({kind, role, way});
    for (std::size_t fault = 0; found != seen_.end() && fault < by_fault.size(); ++fault)
      for (std::size_t lock = 0; lock < properties::lock_states; ++lock)
        if ((found->second[lock] >> fault & 1) != 0)
          by_fault[fault] = static_cast<std::uint8_t>(by_fault[fault] | 1U << lock);
    return by_fault;
  }

  reports::CoveredRole named(std::uint16_t kind, std::uint16_t role) const {
    const model::LockKind& its = *setup_.kinds[kind];
    std::string name(its.roles[role].name);
    for (const auto& [what, behind] : seen_)
      if (std::get<0>(what) != kind) return {std::string(its.name) + " " + name, "", locks_of(kind), {}};
    return {name, "", locks_of(kind), {}};
  }

  void add_plain(std::uint16_t kind, std::uint16_t role) {
    reports::CoveredRole one = named(kind, role);
    one.ways.push_back({.seen = seen(kind, role, 0)});
    all_.roles.push_back(std::move(one));
  }

  void add(std::uint16_t kind, std::uint16_t role, const NumberedScript& script) {
    reports::CoveredRole one = named(kind, role);
    one.script = script.script->sha1;
    std::uint32_t way = script.first + 1;
    one.ways.push_back({.seen = seen(kind, role, way)});
    for (const LaidOutBranch& branch : script.layout.branches)
      for (const bool holds : {true, false})
        one.ways.push_back({.line = line_of(script.layout, branch.first),
                            .text = script.layout.lines[static_cast<std::size_t>(branch.first) - 1].text,
                            .holds = holds,
                            .seen = seen(kind, role, ++way)});
    all_.roles.push_back(std::move(one));
  }

  const model::Setup& setup_;
  const Seen& seen_;
  reports::Covered all_;
};

}  // namespace

std::vector<NumberedScript> numbered_scripts(const model::Setup& setup) {
  std::vector<NumberedScript> all;
  std::set<std::string> known;
  std::uint32_t number = 0;
  for (const lua::ScriptSet* set : setup.script_sets())
    for (const auto& [role, script] : set->roles) {
      if (!known.insert(script.sha1).second) continue;
      NumberedScript& one = all.emplace_back(NumberedScript{&script, layout_of(script), number});
      std::erase_if(one.layout.branches,
                    [](const LaidOutBranch& branch) { return branch.body_last < branch.body_first; });
      number += 1 + 2 * static_cast<std::uint32_t>(one.layout.branches.size());
    }
  return all;
}

ScriptWays::ScriptWays(const model::Setup& setup) {
  for (const NumberedScript& one : numbered_scripts(setup)) {
    Script& script = by_sha1_[one.script->sha1];
    script.first = one.first;
    script.branches = one.layout.branches;
    const std::size_t lines = one.layout.lines.size() + 1;
    script.branch_at.assign(lines, none);
    script.function_at.assign(lines, 0);
    for (std::size_t branch = 0; branch < script.branches.size(); ++branch)
      for (int line = script.branches[branch].first; line <= script.branches[branch].last; ++line)
        script.branch_at[static_cast<std::size_t>(line)] = branch;
    for (const LaidOutFunction& function : one.layout.functions) {
      for (int line = function.first; line <= function.last; ++line)
        script.function_at[static_cast<std::size_t>(line)] = script.functions;
      ++script.functions;
    }
  }
}

void ScriptWays::begin(std::string_view sha1, Kind kind) {
  leave();
  portions_ = 0;
  const auto found = kind == Kind::script ? by_sha1_.find(sha1) : by_sha1_.end();
  if (found == by_sha1_.end()) return;
  script_ = &found->second;
  lines_.assign(script_->functions, 0);
  function_ = 0;
  gone_.push_back(script_->first);
}

bool ScriptWays::goes_on() { return ++portions_ < script_portions_max; }

void ScriptWays::decide(std::size_t branch, bool holds) {
  gone_.push_back(script_->first + 1 + 2 * static_cast<std::uint32_t>(branch) + (holds ? 0 : 1));
}

void ScriptWays::at_line(int number) {
  const auto line = static_cast<std::size_t>(number);
  if (script_ == nullptr || line >= script_->function_at.size()) return;
  const std::size_t function = script_->function_at[line];
  const bool comes_back = std::exchange(function_, function) != function;
  const std::size_t before = std::exchange(lines_[function], line);
  const std::size_t open = script_->branch_at[before];
  if (open == none) return;
  const LaidOutBranch& branch = script_->branches[open];
  const bool is_behind = script_->branch_at[line] != open;
  if (number >= branch.body_first && number <= branch.body_last) decide(open, true);
  else if (is_behind || (line <= before && !comes_back)) decide(open, false);
}

/// Behind a condition that is the last of a function nothing comes.
void ScriptWays::leave() {
  for (const std::size_t line : lines_)
    if (const std::size_t open = script_->branch_at[line]; open != none) decide(open, false);
  lines_.clear();
  script_ = nullptr;
}

std::vector<std::uint32_t> ScriptWays::gone() {
  leave();
  std::sort(gone_.begin(), gone_.end());
  gone_.erase(std::unique(gone_.begin(), gone_.end()), gone_.end());
  return std::exchange(gone_, {});
}

reports::Covered covered_of(const model::Setup& setup, const Seen& seen) {
  return Covering(setup, seen).made();
}

}  // namespace lockstep::tools
