#include "reports/diagrams/script_pair.h"

#include <algorithm>
#include <map>

#include "reports/compare/alignment.h"

namespace lockstep::reports {

namespace {

/// Equal numbers for equal texts.
std::vector<std::size_t> numbered_texts(const CountedScript& script,
                                        std::map<std::string, std::size_t>& numbers) {
  std::vector<std::size_t> items;
  for (const CountedLine& line : script.lines)
    items.push_back(numbers.emplace(line.text, numbers.size()).first->second);
  return items;
}

/// What stands between two rows that are the same: the first of the one beside the first of the other.
void put_beside(std::vector<PairedRow>& rows, std::vector<std::size_t>& a, std::vector<std::size_t>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    PairedRow row;
    if (i < a.size()) row.a = a[i];
    if (i < b.size()) row.b = b[i];
    rows.push_back(row);
  }
  a.clear();
  b.clear();
}

std::vector<PairedRow> rows_of(const CountedScript& a, const CountedScript& b) {
  std::map<std::string, std::size_t> numbers;
  const auto of_a = numbered_texts(a, numbers), of_b = numbered_texts(b, numbers);
  std::vector<PairedRow> rows;
  std::vector<std::size_t> only_a, only_b;
  for (const AlignedRow& row : align(of_a, of_b).rows) {
    if (row.a && row.b) {
      put_beside(rows, only_a, only_b);
      rows.push_back({row.a, row.b, true});
    } else if (row.a) {
      only_a.push_back(*row.a);
    } else {
      only_b.push_back(*row.b);
    }
  }
  put_beside(rows, only_a, only_b);
  return rows;
}

ScriptPair pair_of(std::optional<CountedScript> a, std::optional<CountedScript> b) {
  static const CountedScript none;
  ScriptPair pair{std::move(a), std::move(b), {}};
  pair.rows = rows_of(pair.a ? *pair.a : none, pair.b ? *pair.b : none);
  return pair;
}

bool ran(const ScriptPair& pair) { return (pair.a && pair.a->runs > 0) || (pair.b && pair.b->runs > 0); }

/// A process may have scripts of its own, so a role may have several: those of the same text belong together.
std::vector<ScriptPair> pairs_by_role(const CountedScripts& a, const CountedScripts& b) {
  std::vector<ScriptPair> pairs;
  std::vector<const CountedScript*> left;
  for (const CountedScript& script : b.scripts) left.push_back(&script);
  const auto take = [&](auto fits) -> std::optional<CountedScript> {
    const auto found = std::find_if(left.begin(), left.end(), [&](const auto* one) { return fits(*one); });
    if (found == left.end()) return std::nullopt;
    const CountedScript script = **found;
    left.erase(found);
    return script;
  };
  std::vector<const CountedScript*> changed;
  for (const CountedScript& script : a.scripts) {
    auto same = take([&](const auto& one) { return one.role == script.role && one.sha1 == script.sha1; });
    if (same) pairs.push_back(pair_of(script, std::move(same)));
    else changed.push_back(&script);
  }
  for (const CountedScript* script : changed)
    pairs.push_back(pair_of(*script, take([&](const auto& one) { return one.role == script->role; })));
  for (const CountedScript* script : left) pairs.push_back(pair_of(std::nullopt, *script));
  return pairs;
}

}  // namespace

char mark_of(const PairedRow& row) { return row.same ? '=' : row.a && row.b ? '|' : row.a ? '<' : '>'; }

PairedScripts paired(const CountedScripts& a, const CountedScripts& b) {
  PairedScripts all{a.title, b.title, {}, {}};
  for (ScriptPair& pair : pairs_by_role(a, b)) {
    if (ran(pair)) all.scripts.push_back(std::move(pair));
    else if (!pair.same()) all.unrun.push_back(pair.a ? pair.a->role : pair.b->role);
  }
  const auto differs = [](const ScriptPair& pair) { return !pair.same(); };
  std::stable_partition(all.scripts.begin(), all.scripts.end(), differs);
  return all;
}

}  // namespace lockstep::reports
