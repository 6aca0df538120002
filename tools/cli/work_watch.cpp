#include "tools/cli/work_watch.h"
#include "sim/base/amount.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace lockstep::tools {

namespace {

volatile std::sig_atomic_t interrupts = 0, terminations = 0, times_asked = 0;
struct sigaction before_watch, before_asking, before_term, before_alarm;

void note(int signal) {
  interrupts = 1;
  if (signal == SIGTERM) terminations = 1;
}
void note_asking(int) { times_asked = 1; }

volatile std::sig_atomic_t seconds_to_live = 1;  // after SIGTERM

void set_alarm(long seconds, long microseconds) {
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = microseconds}};
  setitimer(ITIMER_REAL, &once, nullptr);
}
/// Who waits for one that is gone waits for ever.
void note_end_of_ranks(int signal) {
  note(signal);
  set_alarm(seconds_to_live - 1, 700'000);
}
void end_without(int) {
  constexpr std::string_view told =
      "lockstep: a process of the search is gone, or mpirun was told to end: unknown, nothing is proved\n";
  const ssize_t written = write(STDERR_FILENO, told.data(), told.size());
  _exit(written < 0 ? status(ExitCode::internal) : status(ExitCode::unknown));
}

}  // namespace

std::uint64_t resident_bytes() {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);  // a search asks often
  if (statm < 0) return 0;
  std::array<char, 64> text{};
  const ssize_t length = read(statm, text.data(), text.size());
  close(statm);
  const char *const begin = text.data(), *const end = begin + std::max<ssize_t>(length, 0);
  std::uint64_t resident = 0;
  std::from_chars(std::min(std::find(begin, end, ' ') + 1, end), end, resident);
  return resident * page;
}

InterruptWatch::InterruptWatch(const sim::Ranks* ranks) {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the program
  interrupts = 0;
  terminations = 0;
  sigaction(SIGINT, &action, &before_watch);
  const bool speaks = ranks != nullptr && ranks->mine() == 0;
  if (speaks) action.sa_handler = note_end_of_ranks;
  const char* const patience = std::getenv("OMPI_MCA_odls_base_sigkill_timeout");
  seconds_to_live = std::clamp(patience != nullptr ? std::atoi(patience) : 1, 1, 3'600);
  sigaction(SIGTERM, &action, &before_term);
  action.sa_handler = end_without;
  sigaction(SIGALRM, speaks ? &action : nullptr, &before_alarm);
  struct sigaction asked {};
  asked.sa_handler = note_asking;
  asked.sa_flags = SA_RESTART;
  times_asked = 0;
  sigaction(SIGUSR1, &asked, &before_asking);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &before_watch, nullptr);
  set_alarm(0, 0);
  sigaction(SIGTERM, &before_term, nullptr);
  sigaction(SIGALRM, &before_alarm, nullptr);
  sigaction(SIGUSR1, &before_asking, nullptr);
}

Telling telling_of(const Console& console) {
  switch (console.progress) {
    case ProgressWish::automatic:
      break;
    case ProgressWish::bar:
      return Telling::on_one_line;
    case ProgressWish::lines:
      return Telling::line_by_line;
    case ProgressWish::jsonl:
      return Telling::as_json;
    case ProgressWish::none:
      return Telling::nothing;
  }
  if (console.quiet) return Telling::nothing;
  return console.terminal_err ? Telling::on_one_line : Telling::now_and_then;
}

bool InterruptWatch::interrupted() { return interrupts != 0; }

int InterruptWatch::status_of(ExitCode code) {
  return status(code == ExitCode::interrupted && terminations != 0 ? ExitCode::terminated : code);
}

bool InterruptWatch::asked_how_far() {
  if (times_asked == 0) return false;
  times_asked = 0;
  return true;
}

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

std::string progress_json(const std::string& scenario, const properties::CheckProgress& progress,
                          std::uint64_t states_a_second) {
  nlohmann::ordered_json json{{"scenario", scenario},
                              {"states", progress.search.states},
                              {"states_a_second", states_a_second},
                              {"transitions", progress.search.transitions},
                              {"depth", progress.search.depth},
                              {"waiting", progress.search.waiting},
                              {"samples", progress.runs},
                              {"samples_max", progress.runs_max},
                              {"violated", nlohmann::ordered_json::array()},
                              {"open", std::popcount(progress.asked & ~progress.violated)}};
  for (const properties::PropertyInfo& one : properties::catalog)
    if ((progress.violated & properties::bit(one.property)) != 0) json["violated"].push_back(one.name);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
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
  outside.on_progress = [this](const properties::CheckProgress& progress) { tell(progress); };
  return outside;
}

void WorkWatch::tell(const properties::CheckProgress& progress) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - told_);
  const auto every = telling_ == Telling::on_one_line    ? 250ms
                     : telling_ == Telling::now_and_then ? 10'000ms
                                                         : 2000ms;
  const bool wanted = InterruptWatch::asked_how_far();
  if (!wanted && (telling_ == Telling::nothing || since < every)) return;
  const std::uint64_t fresh = progress.search.states - std::min(states_told_, progress.search.states);
  const std::uint64_t a_second = fresh * 1000 / static_cast<std::uint64_t>(std::max(since, 1ms).count());
  const std::string text = telling_ == Telling::as_json ? progress_json(scenario_, progress, a_second)
                                                        : progress_text(scenario_, progress, a_second);
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
