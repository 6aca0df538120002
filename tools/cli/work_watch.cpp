#include "tools/cli/work_watch.h"
#include "sim/base/amount.h"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <fstream>

#include <fmt/format.h>

namespace lockstep::tools {

namespace {

volatile std::sig_atomic_t interrupts = 0;
struct sigaction before_watch;

void note(int) { interrupts = 1; }

}  // namespace

std::uint64_t resident_bytes() {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * page;
}

InterruptWatch::InterruptWatch() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the program
  interrupts = 0;
  sigaction(SIGINT, &action, &before_watch);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before_watch, nullptr); }

Telling telling_of(const Console& console, bool asked) {
  if (console.terminal_err && !console.quiet) return Telling::on_one_line;
  if (asked) return Telling::line_by_line;
  return console.quiet ? Telling::nothing : Telling::now_and_then;
}

bool InterruptWatch::interrupted() { return interrupts != 0; }

std::string progress_text(const std::string& scenario, const properties::CheckProgress& progress,
                          std::uint64_t states_a_second) {
  std::string text = fmt::format("{}: {}", scenario, sim::amount(progress.search.states, "state"));
  if (progress.runs_max > 0) {
    text += fmt::format(", {} of {} samples", progress.runs, progress.runs_max);
  } else {
    text += fmt::format(", {} a second, depth {}, {} waiting", states_a_second, progress.search.depth,
                        progress.search.waiting);
  }
  std::string violated;
  for (const properties::PropertyInfo& one : properties::catalog)
    if ((progress.violated & properties::bit(one.property)) != 0)
      violated += (violated.empty() ? "; violated: " : ", ") + std::string(one.name);
  return text + violated + fmt::format("; {} open", std::popcount(progress.asked & ~progress.violated));
}

properties::Outside WorkWatch::begin(const std::string& scenario) {
  malloc_trim(0);  // what an earlier check gave back does not count for this one
  scenario_ = scenario;
  began_ = told_ = Clock::now();
  states_told_ = 0;
  properties::Outside outside{.interrupted = InterruptWatch::interrupted, .memory_held = resident_bytes};
  if (resident_bytes() == 0) outside.memory_held = {};
  if (time_limit_) {
    const auto end = began_ + *time_limit_, search_end = began_ + *time_limit_ * 3 / 4;
    outside.time_is_up = [end] { return Clock::now() >= end; };
    outside.search_time_is_up = [search_end] { return Clock::now() >= search_end; };
  }
  if (telling_ != Telling::nothing)
    outside.on_progress = [this](const properties::CheckProgress& progress) { tell(progress); };
  return outside;
}

void WorkWatch::tell(const properties::CheckProgress& progress) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - told_);
  const auto every = telling_ == Telling::on_one_line    ? 250ms
                     : telling_ == Telling::line_by_line ? 2000ms
                                                         : 10'000ms;
  if (since < every) return;
  const std::uint64_t fresh = progress.search.states - std::min(states_told_, progress.search.states);
  const std::string text =
      progress_text(scenario_, progress, fresh * 1000 / static_cast<std::uint64_t>(since.count()));
  told_ = now;
  states_told_ = progress.search.states;
  if (telling_ == Telling::on_one_line) console_.err << "\r\x1b[K" << text;
  else console_.err << text << '\n';
  console_.err.flush();
  line_stands_ = telling_ == Telling::on_one_line;
}

void WorkWatch::erase() {
  if (line_stands_) console_.err << "\r\x1b[K" << std::flush;
  line_stands_ = false;
}

}  // namespace lockstep::tools
