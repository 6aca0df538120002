#include "tools/compare/compared.h"

#include <array>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "reports/files/trace_file.h"
#include "reports/page/page.h"
#include "reports/text/text.h"
#include "scenarios/format/reader.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/measure/measured.h"

namespace lockstep::tools {

namespace {

using properties::Verdict;

sim::Result<model::Setup> setup_of(const std::string& text, const std::string& file) {
  const auto library = script_library();
  if (!library) return library.problem();
  return scenarios::read_scenario(text, file, *library, vocabulary());
}

/// The last of these that a result has is the word for all.
constexpr std::array by_weight{Verdict::proved, Verdict::passed, Verdict::unknown, Verdict::violated};

const properties::PropertyResult* worst_of(const properties::CheckReport& report) {
  const properties::PropertyResult* worst = nullptr;
  for (const Verdict verdict : by_weight)
    for (const properties::PropertyResult& one : report.results)
      if (one.verdict == verdict && (worst == nullptr || worst->verdict != verdict)) worst = &one;
  return worst;
}

/// What was found, as files that `lockstep replay` and a browser open.
std::optional<sim::Problem> keep(const model::Setup& setup, const std::string& text,
                                 const properties::PropertyResult& found, const std::string& out_dir,
                                 bool pages, Cell& cell) {
  const std::string stem = fmt::format("{}/{}", out_dir, setup.name);
  if (auto problem = make_directory(stem.substr(0, stem.rfind('/')))) return problem;
  const properties::Told told = properties::tell(setup, *found.deviations);
  cell.scenario = stem + ".toml";
  cell.trail = stem + ".trail";
  cell.trace = stem + ".jsonl";
  cell.picture = pages ? stem + ".html" : "";
  if (auto problem = write_file(cell.scenario, text)) return problem;
  if (auto problem = write_file(cell.trail, sim::text_of(*found.deviations))) return problem;
  if (auto problem = write_file(cell.trace, reports::write_trace(told.trace))) return problem;
  if (!pages) return std::nullopt;
  const std::string again = fmt::format("lockstep replay {} --scenario {}", reports::shell_word(cell.trail),
                                        reports::shell_word(cell.scenario));
  const auto pictures = reports::page_pictures(told.trace);
  return write_file(cell.picture, reports::page(told.trace, {.again = again, .pictures = pictures}));
}

sim::Result<Cell> ask(const Contestant& contestant, const Question& question, const AskingLimits& limits,
                      const std::string& out_dir) {
  const std::string text = scenario_of(contestant, question);
  Cell cell;
  const auto setup = setup_of(text, contestant.name + ".toml");
  if (!setup) return setup.problem();
  const properties::CheckReport report = properties::check(
      *setup, {.states_max = limits.states_max,
               .runs = limits.runs,
               .shrink_states = 0,  // decisions are counted
               .watched = question.asked});
  if (report.refusal) return sim::Problem{fmt::format("{}: {}", setup->name, *report.refusal)};
  const properties::PropertyResult* worst = worst_of(report);
  if (worst == nullptr) return Cell{.verdict = "unknown"};
  cell.verdict = properties::name_of(worst->verdict);
  if (worst->verdict != Verdict::violated) return cell;
  cell.property = properties::info(worst->property).name;
  cell.why = worst->why;
  if (!worst->deviations) return cell;
  cell.decisions = worst->deviations->lines.size();
  if (auto problem = keep(*setup, text, *worst, out_dir, limits.pages, cell)) return *std::move(problem);
  return cell;
}

/// The kind of the lock, read off the scenario of the first question.
sim::Result<bool> offers(const Contestant& contestant, const Question& question) {
  if (question.offered == nullptr) return true;
  const auto setup = setup_of(scenario_of(contestant, questions().front()), contestant.name + ".toml");
  if (!setup) return setup.problem();
  return question.offered(model::kind_of(*setup, 0));
}

/// Of the default schedule.
sim::Result<Cost> cost_of(const Contestant& contestant, bool contended) {
  const auto setup = setup_of(cost_scenario(contestant, contended), contestant.name + ".toml");
  if (!setup) return setup.problem();
  sim::Trail trail = properties::trail_header(*setup, "", "");
  trail.then.by_default = true;
  const properties::Told told = properties::tell(*setup, trail);
  Cost cost;
  for (const sim::TraceEvent& event : told.trace.events) {
    if (event.kind == sim::TraceKind::send) ++cost.messages;
    if (event.kind == sim::TraceKind::eval || (event.kind == sim::TraceKind::cmd && !event.of))
      ++cost.commands;
  }
  return cost;
}

}  // namespace

sim::Result<ComparedRow> compare_one(const Contestant& contestant, const AskingLimits& limits,
                                     const std::string& out_dir) {
  ComparedRow row{.contestant = contestant};
  for (const Question& question : questions()) {
    const auto offered = offers(contestant, question);
    if (!offered) return offered.problem();
    if (!*offered) {
      row.cells.push_back({.verdict = "not offered"});
      continue;
    }
    auto cell = ask(contestant, question, limits, out_dir);
    if (!cell) return cell.problem();
    row.cells.push_back(*std::move(cell));
  }
  const auto alone = cost_of(contestant, false), contended = cost_of(contestant, true);
  if (!alone) return alone.problem();
  if (!contended) return contended.problem();
  row.alone = *alone;
  row.contended = *contended;
  return row;
}

}  // namespace lockstep::tools
