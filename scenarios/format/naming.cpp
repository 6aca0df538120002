// Names, ids and classes of processes (reader.h).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/format/reader.h"
#include "scenarios/format/scenario_sections.h"

namespace lockstep::scenarios {

using model::Setup;
using model::Step;
using model::ThreadSetup;

bool natural_less(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto run = [&](std::string_view text, std::size_t& at) {
      const std::size_t begin = at;
      while (at < text.size() && digit(text[at])) ++at;
      std::string_view digits = text.substr(begin, at - begin);
      while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
      return digits;
    };
    const std::string_view left = run(a, i), right = run(b, j);
    if (left.size() != right.size()) return left.size() < right.size();
    if (left != right) return left < right;
  }
  if ((a.size() - i == 0) != (b.size() - j == 0)) return a.size() - i == 0;
  return a < b;  // only leading zeros differ, or nothing
}

std::string default_client_id(std::size_t index) {
  return fmt::format("00000000-0000-4000-8000-{:012x}", index + 10);
}

void number_alike(Setup& setup) {
  const auto programs = [&](std::size_t process) {
    std::vector<std::pair<std::int64_t, const std::vector<Step>*>> found;
    for (const ThreadSetup& thread : setup.threads) {
      if (thread.process.index() == process) found.emplace_back(thread.java_id, &thread.program);
    }
    return found;
  };
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && *x.second == *y.second;
    });
  };
  std::set<std::size_t> aimed_at;
  for (const model::FixedFault& fault : setup.fixed) {
    if (fault.aim == model::Aim::process || fault.aim == model::Aim::link) aimed_at.insert(fault.target);
    if (fault.aim == model::Aim::thread) aimed_at.insert(setup.threads[fault.target].process.index());
    for (const auto* event : {&fault.message, &fault.event}) {
      if (!*event) continue;
      if ((*event)->process) aimed_at.insert((*event)->process->index());
      if ((*event)->thread) aimed_at.insert(setup.threads[(*event)->thread->index()].process.index());
    }
  }
  std::vector<std::size_t> classes;  // the first process of each
  std::vector<decltype(programs(0))> class_programs;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    auto own = programs(p);
    std::size_t number = classes.size();
    for (std::size_t c = 0; c < classes.size() && aimed_at.count(p) == 0; ++c) {
      const model::ProcessSetup &first = setup.processes[classes[c]], &other = setup.processes[p];
      const bool set_alike = first.clock_offset == other.clock_offset && first.own == other.own &&
                             first.wait == other.wait;
      if (aimed_at.count(classes[c]) != 0 || !set_alike || !same(own, class_programs[c])) continue;
      number = c;
      break;
    }
    if (number == classes.size()) {
      classes.push_back(p);
      class_programs.push_back(std::move(own));
    }
    setup.processes[p].alike = static_cast<std::uint16_t>(number);
  }
}

}  // namespace lockstep::scenarios
