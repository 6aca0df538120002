#include "tools/cli/cmd_bench.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "generated/build_info.h"
#include "tools/bench/beside.h"
#include "tools/bench/suite.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

using bench::Benchmark;
using bench::Comparison;
using bench::Measurement;
using bench::Target;

sim::Result<std::vector<Benchmark>> all_benchmarks() {
  std::vector<Benchmark> all = bench::script_family();
  for (const auto family : {bench::random_family, bench::search_family}) {
    auto more = family();
    if (!more) return more.problem();
    std::move(more->begin(), more->end(), std::back_inserter(all));
  }
  return all;
}

std::string duration_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string number_text(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string target_text(const Measurement& one) {
  if (!one.target) return "";
  std::string wanted;
  switch (one.target->of) {
    case Target::Of::ratio:
      wanted = fmt::format("ratio at most {}", one.target->limit);
      break;
    case Target::Of::items_per_second:
      wanted = fmt::format("at least {}/s", number_text(one.target->limit));
      break;
    case Target::Of::seconds:
      wanted = fmt::format("{} in at most {}", duration_text(one.seconds_per_iteration),
                           duration_text(one.target->limit));
      break;
  }
  return fmt::format("  {} ({})", one.met ? "met" : "MISSED", wanted);
}

std::string as_text(const std::vector<Measurement>& measured) {
  std::string text = fmt::format("{:<30} {:<15} {:>10} {:>12} {:>9}  {}\n", "benchmark", "item", "CPU/item",
                                 "items/s", "ratio", "target");
  for (const Measurement& one : measured)
    text += fmt::format("{:<30} {:<15} {:>10} {:>12} {:>9.2f}{}\n", one.name, one.item,
                        duration_text(one.seconds_per_item), number_text(1 / one.seconds_per_item), one.ratio,
                        target_text(one));
  for (const Measurement& one : measured)
    for (const auto& [name, per_second] : one.counters)
      text += fmt::format("{}: {} {}/s\n", one.name, number_text(per_second), name);
  text += fmt::format("ratio: CPU time of one item, over that of one EVAL in bare Lua ({}) in this run\n",
                      bench::yardstick);
  return text;
}

std::string as_text(const std::vector<Comparison>& compared) {
  if (compared.empty()) return "";
  std::string text = fmt::format("\n{:<30} {:<15} {:>12} {:>14} {:>7}  {}\n", "beside redis-server", "item",
                                 "Lockstep/s", "redis-server/s", "times", "target");
  for (const Comparison& one : compared) {
    if (!one.skipped.empty()) {
      text += fmt::format("{:<30} {:<15} not measured: {}\n", one.name, one.item, one.skipped);
      continue;
    }
    text += fmt::format("{:<30} {:<15} {:>12} {:>14} {:>7.2f}", one.name, one.item,
                        number_text(one.ours_per_second), number_text(one.theirs_per_second), one.times);
    if (one.times_wanted > 0)
      text += fmt::format("  {} (at least {} times)", one.met() ? "met" : "MISSED", one.times_wanted);
    text += '\n';
  }
  return text +
         "times: how many times as many items a second, by the wall clock, median of five turns each\n";
}

void add_comparisons(nlohmann::ordered_json& json, const std::vector<Comparison>& compared) {
  json["beside_redis_server"] = nlohmann::ordered_json::array();
  for (const Comparison& one : compared) {
    nlohmann::ordered_json row{{"name", one.name}, {"about", one.about}, {"item", one.item}};
    if (!one.skipped.empty()) {
      row["skipped"] = one.skipped;
    } else {
      row["lockstep_per_second"] = one.ours_per_second;
      row["redis_server_per_second"] = one.theirs_per_second;
      row["times"] = one.times;
      if (one.times_wanted > 0) row["target"] = {{"times_min", one.times_wanted}, {"met", one.met()}};
    }
    json["beside_redis_server"].push_back(std::move(row));
  }
}

std::string as_json(const std::vector<Measurement>& measured, const std::vector<Comparison>& compared) {
  nlohmann::ordered_json json;
  json["lockstep"] = build_info::version;
  json["lua"] = build_info::lua;
  json["compiler"] = build_info::compiler;
  json["build"] = build_info::build_type;
  json["yardstick"] = bench::yardstick;
  json["benchmarks"] = nlohmann::ordered_json::array();
  for (const Measurement& one : measured) {
    nlohmann::ordered_json row;
    row["name"] = one.name;
    row["about"] = one.about;
    row["item"] = one.item;
    row["cpu_ns_per_item"] = one.seconds_per_item * 1e9;
    row["items_per_second"] = 1 / one.seconds_per_item;
    row["ratio"] = one.ratio;
    row["cpu_ms_per_iteration"] = one.seconds_per_iteration * 1e3;
    for (const auto& [name, per_second] : one.counters) row[name + "_per_second"] = per_second;
    if (one.target) {
      constexpr const char* kinds[] = {"ratio_max", "items_per_second_min", "seconds_max"};
      row["target"] = {{kinds[static_cast<std::size_t>(one.target->of)], one.target->limit},
                       {"met", one.met}};
    }
    json["benchmarks"].push_back(std::move(row));
  }
  add_comparisons(json, compared);
  return json.dump(2) + "\n";
}

ExitCode run_bench(const BenchOptions& options, Session& session) {
  const auto benchmarks = all_benchmarks();
  if (!benchmarks) {
    session.console.err << "lockstep bench: " << benchmarks.problem().text << "\n";
    return ExitCode::internal;
  }
  const auto selected = [&](const Benchmark& each) {
    return each.name.find(options.filter) != std::string::npos;
  };
  const std::vector<std::string> comparisons = bench::comparison_names();
  const bool any_compared = std::any_of(comparisons.begin(), comparisons.end(), [&](const std::string& name) {
    return name.find(options.filter) != std::string::npos;
  });
  if (!any_compared && std::none_of(benchmarks->begin(), benchmarks->end(), selected)) {
    session.console.err << fmt::format("lockstep bench: no benchmark has `{}` in its name; there are:",
                                       options.filter);
    for (const Benchmark& each : *benchmarks) session.console.err << " " << each.name;
    for (const std::string& name : comparisons) session.console.err << " " << name;
    session.console.err << "\n";
    return ExitCode::vacuous;
  }
  const std::vector<Measurement> measured = bench::measure(*benchmarks, options.filter);
  const std::vector<Comparison> compared = bench::compare_with_redis_server(options.filter);
  const std::string text = options.json ? as_json(measured, compared) : as_text(measured) + as_text(compared);
  if (const auto problem = deliver(session.global.out_file, text, session.console.out)) {
    session.console.err << "lockstep bench: " << problem->text << "\n";
    return ExitCode::usage;
  }
  return ExitCode::as_expected;
}

void declare_bench(Grammar& grammar, BenchOptions& o) {
  grammar.text("--filter", o.filter, "TEXT", "only benchmarks whose name contains this");
  grammar.flag("--json", o.json, "print the measurements as JSON");
}

}  // namespace

Verb bench_verb() {
  return {.name = "bench",
          .summary = "measure this build on this machine",
          .usage = "",
          .examples = {"lockstep bench", "lockstep bench --filter eval --json"},
          .required = {},
          .request = requests<BenchOptions>({declare_bench, run_bench})};
}

}  // namespace lockstep::tools
