#include "tools/bench/suite.h"

#include <algorithm>
#include <map>

#include "sim/base/verify.h"

namespace lockstep::tools::bench {

namespace {

constexpr int repetitions = 5;
constexpr double seconds_min = 0.05;  // of one repetition

/// Keeps the runs instead of printing them.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) runs_[run.run_name.function_name].push_back(run);
  }

  std::vector<Run>& runs(const std::string& name) { return runs_[name]; }

 private:
  std::map<std::string, std::vector<Run>> runs_;
};

double seconds_per_item(const benchmark::BenchmarkReporter::Run& run) {
  return 1 / run.counters.at("items_per_second").value;
}

Measurement summary(const Benchmark& benchmark, std::vector<benchmark::BenchmarkReporter::Run>& runs) {
  VERIFY(!runs.empty() && !runs.front().error_occurred);
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return seconds_per_item(a) < seconds_per_item(b); });
  const auto& median = runs[runs.size() / 2];
  Measurement measured;
  measured.name = benchmark.name;
  measured.item = benchmark.item;
  measured.about = benchmark.about;
  measured.target = benchmark.target;
  measured.seconds_per_item = seconds_per_item(median);
  measured.seconds_per_iteration = median.cpu_accumulated_time / static_cast<double>(median.iterations);
  for (const auto& [name, counter] : median.counters)
    if (name != "items_per_second") measured.counters.emplace_back(name, counter.value);
  return measured;
}

bool is_met(const Measurement& measured) {
  if (!measured.target) return true;
  const double limit = measured.target->limit;
  switch (measured.target->of) {
    case Target::Of::ratio:
      return measured.ratio <= limit;
    case Target::Of::items_per_second:
      return 1 / measured.seconds_per_item >= limit;
    case Target::Of::seconds:
      return measured.seconds_per_iteration <= limit;
  }
  return false;
}

/// Google Benchmark takes its flags from a command line only. Repetitions of different benchmarks take turns,
/// so that a machine which is busy for a while is busy for all of them.
void initialise() {
  std::string program = "lockstep", turns = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> words{program.data(), turns.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words.data());
}

}  // namespace

std::vector<Measurement> measure(const std::vector<Benchmark>& benchmarks, const std::string& filter) {
  std::vector<const Benchmark*> chosen;
  for (const Benchmark& each : benchmarks)
    if (each.name == yardstick || each.name.find(filter) != std::string::npos) chosen.push_back(&each);

  initialise();
  for (const Benchmark* each : chosen)
    benchmark::RegisterBenchmark(each->name.c_str(), each->run)
        ->Repetitions(repetitions)
        ->MinTime(seconds_min);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::Shutdown();

  std::vector<Measurement> measured;
  for (const Benchmark* each : chosen) measured.push_back(summary(*each, collector.runs(each->name)));
  const auto bare = std::find_if(measured.begin(), measured.end(),
                                 [](const Measurement& one) { return one.name == yardstick; });
  VERIFY(bare != measured.end());
  const double unit = bare->seconds_per_item;
  for (Measurement& one : measured) {
    one.ratio = one.seconds_per_item / unit;
    one.met = is_met(one);
  }
  return measured;
}

}  // namespace lockstep::tools::bench
