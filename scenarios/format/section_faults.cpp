// [faults]: budgets, limits, and faults that happen in every run.
#include <fmt/format.h>

#include <algorithm>

#include "model/world/faults/table.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::FaultAct;
using model::FaultId;
using model::FaultRow;
using model::FixedFault;
using model::Form;
using model::Setup;

namespace {

constexpr std::int64_t budget_max = 1'000;

/// A word that begins a text of `fixed`.
struct FixedWord {
  std::string_view word;
  FaultId fault;
  bool ends = false;
  bool of_process = false;  // aims at a process, else at a node
};

std::vector<FixedWord> fixed_words(const Setup& setup) {
  std::vector<FixedWord> words;
  for (const FaultId fault : model::faults_as_told(setup)) {
    const FaultRow& row = model::fault_row(fault, setup);
    const auto add = [&](const FaultAct& act, bool ends) {
      if (!act.fixed.empty()) words.push_back({act.fixed, fault, ends, act.verb.form == Form::process});
    };
    add(row.begin, false);
    if (row.end) add(row.end->act, true);
  }
  return words;
}

struct FaultWord {
  std::string_view text;
  std::size_t offset = 0;
};

/// A name with blanks stands in quotes.
std::vector<FaultWord> split(std::string_view text) {
  std::vector<FaultWord> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const bool quoted = text[at] == '\'' && text.find('\'', at + 1) != std::string_view::npos;
    const std::size_t end = std::min(text.find(quoted ? '\'' : ' ', at + 1), text.size()) + (quoted ? 1 : 0);
    words.push_back({quoted ? text.substr(at + 1, end - at - 2) : text.substr(at, end - at), at});
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return words;
}

std::string quoted_name(std::string_view name) {
  const bool plain = name.find(' ') == std::string_view::npos;
  return plain ? std::string(name) : fmt::format("'{}'", name);
}

/// Reads one text of `fixed`: "pause A at 5s".
class FixedReader {
 public:
  FixedReader(TomlReading& reading, const Setup& setup, const toml::value<std::string>& text)
      : reading_(reading), setup_(setup), text_(text), words_(split(text.get())) {}

  std::optional<FixedFault> read();

 private:
  std::nullopt_t fail(const FaultWord& word, std::string what, std::string hint = {}) {
    reading_.fail(reading_.place_in(text_, word.offset, word.text.size()), std::move(what), std::move(hint));
    return std::nullopt;
  }
  /// The process or node of this name: whether it is a process, and its number.
  std::optional<std::pair<bool, std::size_t>> target(const FaultWord& word);
  bool check_word(const FaultWord& word);

  TomlReading& reading_;
  const Setup& setup_;
  const toml::value<std::string>& text_;
  std::vector<FaultWord> words_;
};

std::optional<std::pair<bool, std::size_t>> FixedReader::target(const FaultWord& word) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < setup_.processes.size(); ++i) {
    if (setup_.processes[i].name == word.text) return std::pair{true, i};
    known.push_back(setup_.processes[i].name);
  }
  for (std::size_t i = 0; i < setup_.nodes.size(); ++i) {
    if (setup_.nodes[i].name == word.text) return std::pair{false, i};
    known.push_back(setup_.nodes[i].name);
  }
  const std::string all = known.size() <= 12 ? "there are " + either(known) : "";
  return fail(word, fmt::format("there is no process or node `{}`", word.text),
              did_you_mean(word.text, known, all));
}

bool FixedReader::check_word(const FaultWord& word) {
  std::vector<std::string> known;
  for (const FixedWord& each : fixed_words(setup_)) {
    if (each.word == word.text) return true;
    if (known.empty() || known.back() != each.word) known.emplace_back(each.word);
  }
  if (model::find_fault(word.text, setup_)) {
    fail(word, fmt::format("a fixed `{}` is not modelled yet", word.text),
         fmt::format("as a budget it is: `{} = 1`", word.text));
  } else {
    fail(word, fmt::format("unknown fixed fault `{}`", word.text),
         did_you_mean(word.text, known, "fixed faults are " + either(known)));
  }
  return false;
}

std::optional<FixedFault> FixedReader::read() {
  if (words_.empty()) return fail({text_.get(), 0}, "a fixed fault reads like `pause A at 5s`");
  if (!check_word(words_[0])) return std::nullopt;
  if (words_.size() < 2)
    return fail(words_[0],
                fmt::format("`{}` wants to know of whom: `{} A at 5s`", words_[0].text, words_[0].text));
  const auto aim = target(words_[1]);
  if (!aim) return std::nullopt;
  if (words_.size() > 2 && (words_[2].text == "before" || words_[2].text == "after")) {
    return fail(words_[2],
                fmt::format("`{}` an event is not modelled yet; write `at` and a time", words_[2].text));
  }
  if (words_.size() != 4 || words_[2].text != "at") {
    return fail(words_.size() > 2 ? words_[2] : words_[1],
                "a fixed fault ends in `at` and a time: `pause A at 5s`");
  }
  const sim::Result<sim::Duration> at = parse_duration(words_[3].text);
  if (!at.ok()) return fail(words_[3], at.problem().text);
  for (const FixedWord& each : fixed_words(setup_)) {
    if (each.word != words_[0].text || each.of_process != aim->first) continue;
    return FixedFault{.fault = each.fault,
                      .ends = each.ends,
                      .of_process = each.of_process,
                      .target = static_cast<std::uint16_t>(aim->second),
                      .at = *at,
                      .text = fmt::format("{} {} at {}", each.word, quoted_name(words_[1].text), print(*at))};
  }
  return fail(words_[1],
              fmt::format("`{}` is not for a {}", words_[0].text, aim->first ? "process" : "node"));
}

void read_fixed(TomlReading& reading, const toml::table& table, Setup& setup) {
  for (const auto* text : reading.texts(table, "fixed")) {
    const std::optional<FixedFault> fault = FixedReader(reading, setup, *text).read();
    if (!fault) continue;
    if (const auto problem = unfit(fault->fault, setup)) reading.fail(reading.place_of(*text), *problem);
    setup.fixed.push_back(*fault);
  }
}

void read_jumps(TomlReading& reading, const toml::table& table, Setup& setup) {
  for (const auto* text : reading.texts(table, "clock-jumps")) {
    const sim::Result<sim::Duration> jump = parse_offset(text->get());
    if (!jump.ok()) reading.fail(reading.place_of(*text), jump.problem().text);
    else setup.limits.clock_jumps.push_back(*jump);
  }
  auto& jumps = setup.limits.clock_jumps;
  std::sort(jumps.begin(), jumps.end());
  jumps.erase(std::unique(jumps.begin(), jumps.end()), jumps.end());
}

}  // namespace

std::optional<std::string> unfit(FaultId fault, const Setup& setup) {
  const FaultRow& row = model::fault_row(fault, setup);
  bool replicated = false;
  for (std::size_t g = 0; g < setup.group_count(); ++g)
    replicated = replicated || setup.replicates(sim::make_id<model::GroupId>(g));
  if (!row.needs_replica || replicated) return std::nullopt;
  return fmt::format("`{}` needs a replica: `mode = \"replicated\"` in [redis]", row.key);
}

void read_faults(TomlReading& reading, const toml::table& table, Setup& setup) {
  const std::vector<FaultId> faults = model::faults_as_told(setup);
  std::vector<std::string> known;
  for (const FaultId fault : faults) known.emplace_back(model::fault_row(fault, setup).key);
  for (const FaultId fault : faults)
    if (const auto& end = model::fault_row(fault, setup).end; end && end->at_latest != nullptr)
      known.emplace_back(end->limit_key);
  for (const char* other : {"learn", "failover-needs-dead-master", "clock-jumps", "fixed"})
    known.emplace_back(other);
  reading.only(table, "[faults]", known);
  for (const FaultId fault : faults) {
    const FaultRow& row = model::fault_row(fault, setup);
    const auto budget = reading.integer(table, row.key, 0, budget_max);
    setup.faults.set(fault, static_cast<std::uint16_t>(budget.value_or(0)));
    if (!row.end || row.end->at_latest == nullptr) continue;
    sim::Duration& limit = setup.limits.*row.end->at_latest;
    limit = reading.duration(table, row.end->limit_key).value_or(limit);
  }
  setup.limits.learn = reading.interval(table, "learn").value_or(setup.limits.learn);
  setup.limits.failover_needs_dead_master =
      reading.boolean(table, "failover-needs-dead-master").value_or(false);
  read_jumps(reading, table, setup);
  // Names of processes are known only when [process] is faultless, and its own mistake is the one to report
  // then.
  if (!setup.processes.empty()) read_fixed(reading, table, setup);
}

}  // namespace lockstep::scenarios
