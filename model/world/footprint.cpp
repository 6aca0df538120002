#include "model/world/footprint.h"

#include <algorithm>
#include <iterator>

#include "model/world/faults/table.h"
#include "model/world/fixed.h"

namespace lockstep::model {

Touching& Touching::everything() {
  print_.everything = true;
  return *this;
}

Touching& Touching::link_of(LinkId link) {
  return writes(Part::link, link.process.index(), link.node.index());
}

Touching& Touching::links_of(ProcessId process) {
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n) writes(Part::link, process.index(), n);
  return *this;
}

Touching& Touching::links_of(NodeId node) {
  for (std::size_t p = 0; p < setup_.processes.size(); ++p) writes(Part::link, p, node.index());
  return *this;
}

Touching& Touching::pushes_of(NodeId node) {
  for (std::size_t p = 0; p < setup_.processes.size(); ++p) writes(Part::pushes, p, node.index());
  return *this;
}

Touching& Touching::streams_from(NodeId node) {
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n)
    if (n != node.index() && setup_.nodes[n].group == setup_.group_of(node)) writes(Part::stream, n);
  return *this;
}

Touching& Touching::nodes_in_group_of(NodeId node) {
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n)
    if (setup_.nodes[n].group == setup_.group_of(node)) reads(Part::node, n);
  return *this;
}

Touching& Touching::step_of(ProcessId process) {
  return writes(Part::process, process.index()).links_of(process).reads(Part::lives);
}

Touching& Touching::death_of(ProcessId process) {
  writes(Part::process, process.index()).links_of(process);
  for (std::size_t g = 0; g < setup_.group_count(); ++g) writes(Part::learning, process.index(), g);
  for (std::size_t n = 0; n < setup_.nodes.size(); ++n)
    writes(Part::node, n).writes(Part::pushes, process.index(), n);
  return *this;
}

Footprint Touching::done() && {
  for (auto* components : {&print_.reads, &print_.writes}) {
    std::sort(components->begin(), components->end());
    components->erase(std::unique(components->begin(), components->end()), components->end());
  }
  return std::move(print_);
}

Footprint footprint(const Move& move, const Setup& setup) {
  Touching touching(setup);
  if (move.is_fault()) touching.writes(Part::budget, move.verb.fault.index());
  if (binds_events(setup)) touching.writes(Part::fixed);
  row_of(move.verb, setup).touches(move, touching);
  Footprint print = std::move(touching).done();
  // Who is up and who is master is what watchers judge by.
  const auto is_judged = [](const Component& one) {
    return one.part == Part::lives || one.part == Part::roles;
  };
  if (setup.is_watched() && std::any_of(print.writes.begin(), print.writes.end(), is_judged))
    print.everything = true;
  return print;
}

bool independent(const Footprint& a, const Footprint& b) {
  const auto apart = [](const std::vector<Component>& one, const std::vector<Component>& other) {
    std::vector<Component> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
    return both.empty();
  };
  return !a.everything && !b.everything && apart(a.writes, b.writes) && apart(a.writes, b.reads) &&
         apart(a.reads, b.writes);
}

namespace {

class Comparing {
 public:
  Comparing(const World& before, const World& after, const Setup& setup)
      : before_(before), after_(after), setup_(setup) {}

  std::vector<Component> differences() {
    each(Part::node, before_.nodes, after_.nodes);
    each(Part::process, before_.processes, after_.processes);
    each(Part::stream, before_.streams, after_.streams);
    for (std::size_t i = 0; i < before_.links.size(); ++i) compare_links(i);
    for (std::size_t g = 0; g < before_.groups.size(); ++g) compare_groups(g);
    say(before_.up == after_.up && before_.pauses == after_.pauses &&
            before_.isolation == after_.isolation && before_.watch == after_.watch,
        Part::lives);
    say(before_.clocks == after_.clocks, Part::clocks);
    for (std::size_t f = 0; f < fault_count(setup_); ++f) {
      const auto fault = sim::make_id<FaultId>(f);
      say((*before_.budget)[fault] == (*after_.budget)[fault], Part::budget, f);
    }
    say(before_.signals == after_.signals, Part::signals);
    say(before_.fixed_left == after_.fixed_left, Part::fixed);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void say(bool equal, Part part, std::size_t a = 0, std::size_t b = 0) {
    if (!equal) found_.push_back({part, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)});
  }
  template <class Components>
  void each(Part part, const Components& before, const Components& after) {
    for (std::size_t i = 0; i < before.size(); ++i) say(before[i] == after[i], part, i);
  }
  void compare_links(std::size_t i) {
    Link before = *before_.links[i], after = *after_.links[i];
    const std::size_t p = i / before_.nodes.size(), n = i % before_.nodes.size();
    say(before.down == after.down, Part::pushes, p, n);
    before.down.clear();
    after.down.clear();
    say(before == after, Part::link, p, n);
  }
  void compare_groups(std::size_t g) {
    Group before = *before_.groups[g], after = *after_.groups[g];
    for (std::size_t p = 0; p < before_.processes.size(); ++p) {
      const auto due = [&](const Group& group) {
        const auto found = group.learning.find(sim::make_id<ProcessId>(p));
        return found == group.learning.end() ? std::optional<Due>{} : found->second;
      };
      say(due(before) == due(after), Part::learning, p, g);
    }
    before.learning.clear();
    after.learning.clear();
    say(before == after, Part::roles, g);
  }

  const World& before_;
  const World& after_;
  const Setup& setup_;
  std::vector<Component> found_;
};

}  // namespace

std::vector<Component> differences(const World& before, const World& after, const Setup& setup) {
  return Comparing(before, after, setup).differences();
}

}  // namespace lockstep::model
