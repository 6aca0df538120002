#include "tools/mutate/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "lua/sha1.h"
#include "model/client/own_scripts.h"
#include "model/redisson/versions.h"
#include "properties/check/broken_run.h"
#include "properties/check/verdict.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/format/suggest.h"
#include "tools/cli/load.h"
#include "tools/diff/clients_of.h"
#include "tools/diff/compare_scripts.h"
#include "tools/mutate/changed_client.h"
#include "tools/mutate/changed_scheme.h"
#include "tools/mutate/script_mutants.h"

namespace lockstep::tools {

namespace {

bool is_expected_violated(const model::Setup& setup, const std::string& property) {
  const auto known = properties::find_property(property, setup);
  return known && properties::expected_of(setup, *known) == model::Expected::violated;
}

/// Properties whose violation is not what the scenario expects.
sim::PropertyMask noticed_by(const model::Setup& setup) {
  sim::PropertyMask mask = 0;
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if (properties::expected_of(setup, one.property) != model::Expected::violated)
      mask |= properties::bit(one.property);
  return mask;
}

bool has_unknown(const Judged& judged) {
  return std::any_of(judged.properties.begin(), judged.properties.end(),
                     [](const JudgedProperty& one) { return one.verdict == "unknown"; });
}

struct AskedOfMutants {
  std::string word;
  model::Setup setup;
  Judged judged;  // as it is
};

/// A script with the scenarios that sent it, by their places.
struct ScriptInUse {
  lua::Script script;
  std::optional<lua::ScriptSet> set;  // that it is of; absent: it is of a scheme
  std::vector<std::size_t> by;
};

class MutateRun {
 public:
  MutateRun(const MutateRequest& request, KeptResults& kept, const BeginCheck& begin,
            const MutantDecided& decided)
      : request_(request), kept_(kept), begin_(begin), decided_(decided) {}

  sim::Result<MutationScore> run() && {
    for (const std::string& word : request_.scenarios) {
      auto setup = load_scenario(word, request_.scripts);
      if (!setup) return setup.problem();
      asked_.push_back({.word = word, .setup = *std::move(setup), .judged = {}});
    }
    if (auto problem = names_no_role()) return *std::move(problem);
    std::vector<AskedOfMutants> all = std::move(asked_);
    asked_.clear();
    for (AskedOfMutants& one : all) ask(std::move(one));
    gather();
    for (const auto& [key, one] : sent_)
      if (wants(one.script.role) || wants(key.first))
        if (auto problem = change_script(key.first, one)) return *std::move(problem);
    if (!asked_.empty() && (request_.knobs || wants("client"))) change_client();
    score_.complete = !interrupted();
    return std::move(score_);
  }

 private:
  bool interrupted() const {
    return request_.options.outside.interrupted && request_.options.outside.interrupted();
  }
  bool wants(const std::string& role) const {
    const auto& roles = request_.roles;
    return roles.empty() || std::find(roles.begin(), roles.end(), role) != roles.end();
  }

  /// Ends a search soon after the first violation of one of these; states decide how soon, and no clock.
  static void end_at_first(sim::PropertyMask enough, bool& noticed, properties::Outside& outside) {
    outside.on_progress = [enough, &noticed,
                           tell = outside.on_progress](const properties::CheckProgress& now) {
      noticed = noticed || ((now.violated | now.search.violated) & enough) != 0;
      if (tell) tell(now);
    };
    outside.time_is_up = [&noticed, up = outside.time_is_up] { return noticed || (up && up()); };
  }

  /// Until one of `enough` is violated, if there are any.
  Judged answer(const model::Setup& setup, const properties::CheckOptions& how, sim::PropertyMask enough) {
    const std::string limits =
        fmt::format("{} {} {} {} {} {} {} {} mutate", how.states_max, how.depth_max, how.memory_bytes_max,
                    how.runs, how.seed, how.steps_max.value_or(0), enough, how.graph);
    const std::string key = key_of(digests_of(setup), limits);
    if (const Judged* known = kept_.find(key)) return *known;
    properties::CheckOptions options = how;
    options.shrink = false;
    options.outside = begin_(setup.name);
    bool noticed = false;
    if (enough != 0) end_at_first(enough, noticed, options.outside);
    Judged judged = judge(setup, options);
    // A search that begins anew may have been ended by what its first attempt met.
    if (noticed && !interrupted() && !unexpected_in(setup, judged)) {
      options.outside = begin_(setup.name);
      judged = judge(setup, options);
      noticed = false;
    }
    judged.in_time = judged.in_time || (noticed && !interrupted());
    if (judged.in_time && !request_.program.empty()) kept_.keep(key, judged);
    return judged;
  }

  std::optional<sim::Problem> names_no_role() const {
    std::vector<std::string> known{"client"};
    const auto know = [&](const std::string& role) {
      if (std::find(known.begin(), known.end(), role) == known.end()) known.push_back(role);
    };
    for (const AskedOfMutants& one : asked_) {
      for (const lua::ScriptSet* set : one.setup.script_sets())
        for (const auto& [role, script] : set->roles) know(role);
      for (const auto& [kind, script] : model::scripts_of_schemes(one.setup)) {
        know(script->role);
        know(properties::name_of_sent(*kind, *script));
      }
    }
    for (const std::string& role : request_.roles) {
      if (std::find(known.begin(), known.end(), role) != known.end()) continue;
      const std::string hint = scenarios::did_you_mean(role, known);
      return sim::Problem{fmt::format("--of {}: no scenario here has a script of that role{}{}", role,
                                      hint.empty() ? "" : "; ", hint)};
    }
    return std::nullopt;
  }

  void ask(AskedOfMutants one) {
    for (const AskedOfMutants& known : asked_)
      if (known.setup.name == one.setup.name && known.setup.digest == one.setup.digest) return;
    if (interrupted()) return;
    one.judged = answer(one.setup, request_.options, 0);
    const auto unexpected = unexpected_in(one.setup, one.judged);
    if (unexpected || has_unknown(one.judged)) {
      score_.notes.push_back(fmt::format("left out, since it is not as expected itself: {} ({})",
                                         one.setup.name, unexpected ? unexpected->what : "unknown"));
      return;
    }
    score_.scenarios.push_back(one.setup.name);
    asked_.push_back(std::move(one));
  }

  void gather() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const auto use = [&](const std::string& name, const lua::Script& script, const lua::ScriptSet* set) {
        const auto& sent = asked_[i].judged.sent;
        if (std::find(sent.begin(), sent.end(), name) == sent.end()) return;
        ScriptInUse& one = sent_[{name, script.sha1}];
        if (one.by.empty() && set != nullptr) one.set = *set;
        if (one.by.empty()) one.script = script;
        if (one.by.empty() || one.by.back() != i) one.by.push_back(i);
      };
      for (const lua::ScriptSet* set : asked_[i].setup.script_sets())
        for (const auto& [role, script] : set->roles) use(role, script, set);
      for (const auto& [kind, script] : model::scripts_of_schemes(asked_[i].setup))
        use(properties::name_of_sent(*kind, *script), *script, nullptr);
    }
  }

  std::uint64_t limit_of(const AskedOfMutants& one) const {
    const std::uint64_t usual = 8 * one.judged.states + 20'000;
    return std::min(request_.mutant_states_max.value_or(usual), request_.options.states_max);
  }

  /// False: it says nothing, because of a limit.
  bool ask_mutant(const AskedOfMutants& one, const model::Setup& setup, MutantFate& fate) {
    properties::CheckOptions options = request_.options;
    options.states_max = limit_of(one);
    const Judged judged = answer(setup, options, noticed_by(setup));
    if (const auto unexpected = unexpected_in(setup, judged)) {
      fate.fate = Fate::caught;
      fate.by = unexpected->what;
      fate.scenario = one.setup.name;
      fate.decisions = unexpected->decisions;
      return true;
    }
    return judged.in_time && !has_unknown(judged);
  }

  static void put(lua::ScriptSet& set, const lua::Script& from, const lua::Script& to) {
    const auto found = set.roles.find(from.role);
    if (found != set.roles.end() && found->second.sha1 == from.sha1) found->second = to;
  }

  static void put_everywhere(model::Setup& setup, const lua::Script& from, const lua::Script& to) {
    put(setup.scripts, from, to);
    for (model::ProcessSetup& process : setup.processes)
      if (process.own) put(process.own->scripts, from, to);
  }

  std::optional<sim::Problem> change_script(const std::string& name, const ScriptInUse& original) {
    const auto mutants = script_mutants(original.script);
    if (!mutants)
      return sim::Problem{
          fmt::format("the script {} was not understood: {}", original.script.file, mutants.problem().text)};
    MutatedScript into{.role = name, .file = short_name(original.script.file)};
    for (const ScriptMutant& mutant : *mutants) {
      if (interrupted()) break;
      lua::Script changed = original.script;
      changed.text = mutant.text;
      changed.sha1 = lua::sha1_hex(changed.text);
      MutantFate fate{.place = place_of(into.file, mutant, *mutants), .what = mutant.what};
      ask_all(original, changed, fate);
      into.mutants.push_back(std::move(fate));
      decided_();
    }
    score_.scripts.push_back(std::move(into));
    return std::nullopt;
  }

  static std::string short_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

  /// With its column where the line alone could mean several.
  static std::string place_of(const std::string& file, const ScriptMutant& mutant,
                              const std::vector<ScriptMutant>& all) {
    const auto alike = std::count_if(all.begin(), all.end(), [&](const ScriptMutant& one) {
      return one.line == mutant.line && one.what == mutant.what;
    });
    return alike > 1 ? fmt::format("{}:{}:{}", file, mutant.line, mutant.column)
                     : fmt::format("{}:{}", file, mutant.line);
  }

  void ask_all(const ScriptInUse& original, const lua::Script& changed, MutantFate& fate) {
    std::string limited;
    for (const std::size_t i : original.by) {
      const AskedOfMutants& one = asked_[i];
      model::Setup setup = one.setup;
      OwnKinds kinds;
      if (original.set) put_everywhere(setup, original.script, changed);
      else put_into_schemes(setup, original.script, changed, kinds);
      if (!ask_mutant(one, setup, fate) && limited.empty())
        limited = fmt::format("{} ends at a limit", one.setup.name);
      if (fate.fate == Fate::caught || interrupted()) return;
    }
    if (!limited.empty()) {
      fate.fate = Fate::unknown;
      fate.why = limited;
    }
    compare(original, changed, fate);
  }

  void compare(const ScriptInUse& original, const lua::Script& changed, MutantFate& fate) {
    if (!original.set) return add(fate.why, "`diff` does not compare the scripts of a scheme");
    lua::ScriptSet other = *original.set;
    other.roles[changed.role] = changed;
    CompareLimits limits{.states_max = request_.pairs_max, .kinds = kinds_locked(original.by)};
    const reports::ScriptDiff diff = compare_scripts(*original.set, other, limits);
    score_.bounds = diff.bounds;
    switch (outcome_of(diff)) {
      case reports::Compared::same:
        fate.fate = Fate::equivalent;
        fate.why = "`diff` met every state and told nothing apart";
        return;
      case reports::Compared::unknown:
        fate.fate = Fate::unknown;
        return add(fate.why, "`diff` cannot tell whether it is equivalent");
      case reports::Compared::differ:
        limits.reading = {.replies = Replies::as_read, .clients = senders_in(original)};
        if (outcome_of(compare_scripts(*original.set, other, limits)) != reports::Compared::same)
          return add(fate.why, told_apart(diff));
        fate.fate = Fate::equivalent;
        fate.why = "`diff` met every state and told only replies apart that clients read as the same";
    }
  }

  /// Its clients in the scenarios: a knob may have one look where no release does.
  std::vector<redisson::Settings> senders_in(const ScriptInUse& original) const {
    std::vector<redisson::Settings> senders;
    for (const std::size_t i : original.by)
      for (redisson::Settings& client : clients_that_send(original.script, asked_[i].setup))
        if (std::find(senders.begin(), senders.end(), client) == senders.end())
          senders.push_back(std::move(client));
    return senders;
  }

  /// What the scenarios lock: whether a script means something to another kind is no matter.
  std::vector<const model::LockKind*> kinds_locked(const std::vector<std::size_t>& scenarios) const {
    std::vector<const model::LockKind*> kinds;
    for (const std::size_t i : scenarios)
      for (const model::LockObject& object : asked_[i].setup.objects)
        kinds.push_back(asked_[i].setup.kinds[object.kind]);
    return kinds;
  }

  static void add(std::string& why, const std::string& more) { why += (why.empty() ? "" : "; ") + more; }

  static std::string told_apart(const reports::ScriptDiff& diff) {
    for (const reports::KindCompared& kind : diff.kinds) {
      if (!kind.difference) continue;
      std::vector<std::string> calls;
      for (const reports::StepShown& step : kind.difference->steps) calls.push_back(step.call);
      return fmt::format("{} apart ({}) by: {}", kind.only_minor ? "only in effects or order told" : "told",
                         fmt::join(kind.difference->in, ", "), fmt::join(calls, "; "));
    }
    return "told apart";
  }

  // ---- the client

  void change_client() {
    MutatedScript into{.role = "client", .file = ""};
    std::string unused;
    for (const redisson::Knob& knob : redisson::knobs()) {
      if (interrupted()) break;
      if (!knob.mutant && !request_.knobs) continue;
      bool used = false;
      Places left = all_places();
      for (const std::string& value : values_of(knob)) {
        MutantFate fate{.place = "client", .what = name_with(knob, value)};
        if (!ask_with(knob, value, left, fate)) continue;
        into.mutants.push_back(std::move(fate));
        used = true;
      }
      if (!used) unused += fmt::format("{}{}", unused.empty() ? "" : ", ", knob.name);
      decided_();
    }
    if (!unused.empty())
      score_.notes.push_back("knobs of the client that change nothing in these scenarios: " + unused);
    score_.scripts.push_back(std::move(into));
  }

  using Places = std::vector<std::size_t>;  // in asked_
  Places all_places() const {
    Places all(asked_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  /// False: it changes no scenario's graph of states, so nothing was asked. Scenarios whose clients have that
  /// value are left for another one.
  bool ask_with(const redisson::Knob& knob, const std::string& value, Places& places, MutantFate& fate) {
    bool changes = false;
    for (const std::size_t place : std::exchange(places, {})) {
      const AskedOfMutants& one = asked_[place];
      const auto setup = load_scenario(one.word, request_.scripts, {change_to(knob, value)});
      if (!setup) continue;
      if (setup->digest == one.setup.digest) {
        places.push_back(place);
        continue;
      }
      const bool known = ask_mutant(one, *setup, fate);
      if (fate.fate == Fate::caught) return true;
      if (!known) {
        fate.fate = Fate::unknown;
        fate.why = one.setup.name + " ends at a limit";
      }
      if (interrupted()) return true;
      changes = changes || !known || graph_of(one, one.setup) != graph_of(one, *setup);
    }
    if (changes && fate.why.empty()) fate.why = "other states, and the same verdicts";
    return changes;
  }

  std::string graph_of(const AskedOfMutants& one, const model::Setup& setup) {
    properties::CheckOptions options = request_.options;
    options.states_max = limit_of(one);
    options.graph = true;
    const Judged judged = answer(setup, options, 0);
    return judged.graph.empty() ? setup.digest : judged.graph;
  }

  const MutateRequest& request_;
  KeptResults& kept_;
  const BeginCheck& begin_;
  const MutantDecided& decided_;
  std::vector<AskedOfMutants> asked_;
  std::map<std::pair<std::string, std::string>, ScriptInUse> sent_;
  MutationScore score_;
};

}  // namespace

std::optional<Unexpected> unexpected_in(const model::Setup& setup, const Judged& judged) {
  std::optional<Unexpected> first;
  for (const JudgedProperty& one : judged.properties) {
    const bool is_news = one.verdict == "violated" && !is_expected_violated(setup, one.name);
    if (is_news && (!first || one.steps < first->decisions)) first = Unexpected{one.name, one.steps};
  }
  if (first) return first;
  if (!judged.refusal.empty()) return Unexpected{"a refusal: " + judged.refusal};
  for (const JudgedProperty& one : judged.properties) {
    if (one.verdict == "unknown") continue;
    if (one.verdict != "violated" && is_expected_violated(setup, one.name))
      return Unexpected{one.name + ", which is not violated any more"};
    if (one.vacuous && setup.expect.contains(one.name)) return Unexpected{one.name + ", which is vacuous"};
  }
  if (has_unknown(judged)) return std::nullopt;
  for (const auto& wanted : properties::wanted_witnesses(setup))
    if (std::find(judged.seen.begin(), judged.seen.end(), wanted.name) == judged.seen.end())
      return Unexpected{fmt::format("sometimes {}, which is not seen", wanted.name)};
  return std::nullopt;
}

sim::Result<MutationScore> mutate(const MutateRequest& request, KeptResults& kept, const BeginCheck& begin,
                                  const MutantDecided& decided) {
  return MutateRun(request, kept, begin, decided).run();
}

}  // namespace lockstep::tools
