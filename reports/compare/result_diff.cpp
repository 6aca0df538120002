#include "reports/compare/result_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using ResultDiffJson = nlohmann::ordered_json;

template <class Of>
const Of* named(const std::vector<Of>& all, const std::string& name, std::string Of::*member) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Of& one) { return one.*member == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

class Changes {
 public:
  void compare(std::string what, const std::string& a, const std::string& b, bool counts = true) {
    if (a != b) (counts ? found_ : notes_).push_back({std::move(what), shown(a), shown(b), counts});
  }
  std::vector<ResultChange> all() const {
    std::vector<ResultChange> all = found_;
    all.insert(all.end(), notes_.begin(), notes_.end());
    return all;
  }

 private:
  static std::string shown(const std::string& text) { return text.empty() ? "–" : printable(text); }

  std::vector<ResultChange> found_, notes_;
};

std::string verdict_text(const PropertyResult* one) {
  if (one == nullptr) return "not asked";
  return one->verdict + (one->vacuous ? " (vacuous)" : "");
}

std::string found_text(const CheckResult& result) {
  return result.complete ? "all met" : result.limit.empty() ? "samples only" : "cut: " + result.limit;
}

void compare_property(Changes& changes, const std::string& name, const PropertyResult* a,
                      const PropertyResult* b) {
  changes.compare(printable(name), verdict_text(a), verdict_text(b));
  if (a == nullptr || b == nullptr) return;
  changes.compare("expected of " + printable(name), a->expected, b->expected);
  const bool both_violated = a->verdict == "violated" && b->verdict == "violated";
  if (both_violated)
    changes.compare("counterexample of " + printable(name), fmt::format("{} moves", a->steps),
                    fmt::format("{} moves", b->steps), false);
  changes.compare("why of " + printable(name), both_violated ? a->why : "", both_violated ? b->why : "",
                  false);
}

std::vector<ResultChange> changes_between(const CheckResult& a, const CheckResult& b) {
  Changes changes;
  for (const PropertyResult& one : a.properties)
    compare_property(changes, one.property, &one,
                     named(b.properties, one.property, &PropertyResult::property));
  for (const PropertyResult& one : b.properties)
    if (named(a.properties, one.property, &PropertyResult::property) == nullptr)
      compare_property(changes, one.property, nullptr, &one);
  changes.compare("bounds", a.bounds, b.bounds);
  changes.compare("within", listed(a.within), listed(b.within));
  changes.compare("search", found_text(a), found_text(b));
  changes.compare("seen", listed(a.seen), listed(b.seen));
  changes.compare("not seen", listed(a.unseen), listed(b.unseen));
  changes.compare("scripts", a.scripts, b.scripts, false);
  changes.compare("digest of scenario and scripts", a.digest, b.digest, false);
  const auto count = [&](const char* what, std::uint64_t one, std::uint64_t other) {
    changes.compare(what, grouped(one), grouped(other), false);
  };
  count("states", a.states, b.states);
  count("transitions", a.transitions, b.transitions);
  count("depth", a.depth, b.depth);
  count("runs", a.runs, b.runs);
  return changes.all();
}

ResultDiffJson json_of(const ResultChange& change) {
  return {{"what", change.what}, {"a", change.a}, {"b", change.b}, {"counts", change.counts}};
}

}  // namespace

ResultDiff compare_results(const std::vector<CheckResult>& a, const std::vector<CheckResult>& b) {
  ResultDiff diff;
  for (const CheckResult& one : a) {
    const CheckResult* other = named(b, one.scenario, &CheckResult::scenario);
    if (other == nullptr) {
      diff.only_a.push_back(printable(one.scenario));
      continue;
    }
    ++diff.compared;
    if (auto changes = changes_between(one, *other); !changes.empty())
      diff.scenarios.push_back({printable(one.scenario), std::move(changes)});
  }
  for (const CheckResult& one : b)
    if (named(a, one.scenario, &CheckResult::scenario) == nullptr)
      diff.only_b.push_back(printable(one.scenario));
  return diff;
}

bool differ(const ResultDiff& diff) {
  if (!diff.only_a.empty() || !diff.only_b.empty()) return true;
  return std::any_of(diff.scenarios.begin(), diff.scenarios.end(), [](const ScenarioChange& scenario) {
    return scenario.changes.front().counts;  // those that count come first
  });
}

std::string result_diff_text(const ResultDiff& diff) {
  std::string out = fmt::format("a  {}\nb  {}\n", diff.a, diff.b);
  for (const std::string& name : diff.only_a) out += fmt::format("only in a: {}\n", name);
  for (const std::string& name : diff.only_b) out += fmt::format("only in b: {}\n", name);
  for (const ScenarioChange& scenario : diff.scenarios) {
    out += fmt::format("{}\n", scenario.scenario);
    for (const ResultChange& change : scenario.changes)
      out += fmt::format("  {} {}: {} → {}\n", change.counts ? "✗" : "·", change.what, change.a, change.b);
  }
  out += fmt::format("{} scenario{} compared\n", diff.compared, diff.compared == 1 ? "" : "s");
  if (differ(diff)) return out + "they differ\n";
  return out + (diff.scenarios.empty() ? "the same\n" : "the same verdicts within the same bounds\n");
}

std::string result_diff_json(const ResultDiff& diff) {
  ResultDiffJson json{{"a", diff.a},
                      {"b", diff.b},
                      {"outcome", differ(diff) ? "differ" : "same"},
                      {"compared", diff.compared},
                      {"only_a", diff.only_a},
                      {"only_b", diff.only_b},
                      {"scenarios", ResultDiffJson::array()}};
  for (const ScenarioChange& scenario : diff.scenarios) {
    ResultDiffJson changes = ResultDiffJson::array();
    for (const ResultChange& change : scenario.changes) changes.push_back(json_of(change));
    json["scenarios"].push_back({{"scenario", scenario.scenario}, {"changes", std::move(changes)}});
  }
  return json.dump(2, ' ', false, ResultDiffJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
