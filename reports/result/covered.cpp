#include "reports/result/covered.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::reports {

namespace {

constexpr std::size_t text_max = 60, told_max = 10;

std::uint64_t bits(std::uint8_t mask) { return static_cast<std::uint64_t>(std::popcount(mask)); }

/// Of those in the mask: "free or another's".
std::string locks_text(std::uint8_t mask) {
  std::string text;
  for (std::size_t lock = 0; lock < lock_words().size(); ++lock)
    if ((mask >> lock & 1) != 0)
      text += fmt::format("{}{}", text.empty() ? "" : " or ", lock_words()[lock].words);
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t has = columns(text);
  return text + std::string(width > has ? width - has : 0, ' ');
}

std::string cell(std::uint8_t seen, std::uint8_t asked) {
  std::string text;
  for (std::size_t lock = 0; lock < lock_words().size(); ++lock)
    if ((asked >> lock & 1) != 0) text += (seen >> lock & 1) != 0 ? lock_words()[lock].letter : "·";
  return text;
}

std::size_t widest_text(const Covered& covered) {
  std::size_t width = 0;
  for (const CoveredRole& role : covered.roles)
    for (const CoveredWay& way : role.ways)
      width = std::max(width, columns(cut(printable(way.text), text_max)));
  return width;
}

/// Without the spaces at the end.
std::string row_text(const Covered& covered, std::size_t width, const std::string& head,
                     const std::vector<std::string>& cells) {
  constexpr std::size_t beside = 15;  // the number of the line, and the way
  std::string text = "    " + padded(head, width + beside);
  for (std::size_t fault = 0; fault < cells.size(); ++fault)
    text += padded(cells[fault], std::max(lock_words().size() + 1, columns(covered.faults[fault]) + 2));
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string table_text(const Covered& covered) {
  const std::size_t width = widest_text(covered);
  std::string text = row_text(covered, width, "", covered.faults);
  for (const CoveredRole& role : covered.roles)
    for (const CoveredWay& way : role.ways) {
      std::vector<std::string> cells;
      for (const std::uint8_t seen : way.seen) cells.push_back(cell(seen, role.locks));
      text += row_text(covered, width,
                       way.line == 0 ? role.role
                       : way.holds   ? fmt::format("{:>5}  {} true", way.line,
                                                   padded(cut(printable(way.text), text_max), width))
                                     : std::string(width + 8, ' ') + "false",
                       cells);
    }
  return text;
}

/// What was never met, by how much it says: ways, requests, ways behind a fault, ways on a lock.
using Never = std::array<std::vector<std::string>, 4>;

std::string name_of(const CoveredRole& role, const CoveredWay& way) {
  if (way.line == 0) return role.role;
  return fmt::format("{} {} {}", role.role, way.line, way.holds ? "true" : "false");
}

/// Only what does not follow from what the request as a whole never met.
void add_never(const Covered& covered, const CoveredRole& role, std::size_t number, Never& never) {
  const CoveredWay& way = role.ways[number];
  const bool is_whole = way.line == 0;
  const std::uint8_t met = way.seen_at_all();
  if (met == 0) {
    const bool is_reached = role.ways[way.holds ? number + 1 : number - 1].seen_at_all() != 0;
    if (is_reached || way.holds)
      never[0].push_back(fmt::format("{} {} was never {}: {}", role.role, way.line,
                                     !is_reached ? "reached"
                                     : way.holds ? "true"
                                                 : "false",
                                     printable(way.text)));
    return;
  }
  const auto possible = static_cast<std::uint8_t>(is_whole ? role.locks : role.ways.front().seen_at_all());
  if (const auto none = static_cast<std::uint8_t>(possible & ~met); none != 0)
    never[is_whole ? 1 : 3].push_back(
        fmt::format("{}: the lock was never {}", name_of(role, way), locks_text(none)));
  for (std::size_t fault = 0; fault < covered.faults.size(); ++fault) {
    const auto whole = is_whole ? role.locks : role.ways.front().seen[fault];
    const auto none = static_cast<std::uint8_t>(met & whole & ~way.seen[fault]);
    if (none == 0) continue;
    never[is_whole ? 1 : 2].push_back(fmt::format("{} {}: the lock was never {}", name_of(role, way),
                                                  fault == 0 ? "without a fault"
                                                             : "behind " + covered.faults[fault],
                                                  locks_text(none)));
  }
}

std::string never_text(const Covered& covered) {
  Never never;
  for (const CoveredRole& role : covered.roles)
    for (std::size_t way = 0; way < role.ways.size(); ++way) add_never(covered, role, way, never);
  std::string text;
  std::size_t told = 0, left = 0;
  for (const std::vector<std::string>& rank : never)
    for (const std::string& one : rank) {
      if (told < told_max) text += fmt::format("    never: {}\n", one);
      ++(told < told_max ? told : left);
    }
  if (left > 0) text += fmt::format("    … and {} more, which `--format json` has\n", grouped(left));
  return text;
}

}  // namespace

const std::vector<LockWord>& lock_words() {
  static const std::vector<LockWord> words{{"f", "free"},
                                           {"o", "its asker's own"},
                                           {"r", "taken again by its asker"},
                                           {"a", "another's"},
                                           {"F", "free with a queue"},
                                           {"O", "its asker's own with a queue"},
                                           {"R", "taken again by its asker with a queue"},
                                           {"A", "another's with a queue"}};
  return words;
}

Covered::Count Covered::count() const {
  Count count;
  for (const CoveredRole& role : roles)
    for (const CoveredWay& way : role.ways) {
      const bool met = way.seen_at_all() != 0;
      if (way.line != 0) ++count.ways;
      if (way.line != 0 && met) ++count.ways_met;
      if (!met) continue;
      count.all += bits(role.locks) * faults.size();
      for (const std::uint8_t seen : way.seen) count.met += bits(seen);
    }
  return count;
}

std::string covered_text(const Covered& covered) {
  if (covered.roles.empty()) return "";
  const Covered::Count count = covered.count();
  std::uint8_t locks = 0;
  for (const CoveredRole& role : covered.roles) locks |= role.locks;
  constexpr std::size_t whose = 4;  // the others are the same with a queue
  std::string legend;
  for (std::size_t lock = 0; lock < whose; ++lock)
    if ((locks >> lock & 1) != 0 || (locks >> (lock + whose) & 1) != 0)
      legend += fmt::format("{}{} {}", legend.empty() ? "" : ", ", lock_words()[lock].letter,
                            lock_words()[lock].words);
  if (locks >> whose != 0) legend += "; in capitals with a queue";
  std::string text;
  if (count.ways > 0)
    text = fmt::format("  met {} of {} of conditions in scripts that ran\n", count.ways_met,
                       sim::amount(count.ways, "way"));
  text += fmt::format(
      "  met {} of {} of requests and ways with a state of the lock ({}) and a fault before it\n",
      grouped(count.met), sim::amount(count.all, "combination"), legend);
  return text + table_text(covered) + never_text(covered);
}

}  // namespace lockstep::reports
