#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/base/amount.h"
#include "tools/import/log/imported_log.h"

namespace lockstep::tools {

namespace {

using LogJson = nlohmann::ordered_json;
using reports::printable;
using sim::amount;

constexpr std::size_t notes_max = 8;
constexpr const char* not_shown =
    "a log does not show: replies (they are the model's, and count as heard at once), what was before it "
    "begins, "
    "clients that end, pause or lose their connection, replicas and failovers, and what threads do between "
    "requests";

std::string_view word_of(LogAnswer answer) {
  return answer == LogAnswer::passed ? "passed" : answer == LogAnswer::violated ? "violated" : "unknown";
}

std::string_view mark_of(const LogVerdict& one) {
  if (one.answer == LogAnswer::violated) return "✗";
  if (one.answer == LogAnswer::unknown) return "?";
  return one.occasion ? "✓" : "○";
}

std::string verdict_line(const LogVerdict& one) {
  std::string line =
      fmt::format("  {} {:<18} {}", mark_of(one), properties::info(one.property).name, word_of(one.answer));
  if (one.answer == LogAnswer::passed && !one.occasion)
    line += " (vacuous: there was no occasion to break it)";
  if (!one.why.empty()) line += one.line ? fmt::format(": line {}: {}", *one.line, one.why) : ": " + one.why;
  return line + "\n";
}

std::string notes_text(const std::vector<LogNote>& notes, const std::string& title) {
  if (notes.empty()) return "";
  std::string text = fmt::format("  {}:\n", title);
  for (std::size_t i = 0; i < std::min(notes.size(), notes_max); ++i)
    text += fmt::format("    line {}: {}\n", notes[i].line, notes[i].what);
  if (notes.size() > notes_max) text += fmt::format("    … and {} more\n", notes.size() - notes_max);
  return text;
}

std::string left_aside(const ImportedLog& imported, const MonitorLog& log) {
  std::string text;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count > 0) text += (text.empty() ? "" : "; ") + fmt::format("{} {}", count, what);
  };
  add(imported.others, "commands about no lock");
  add(log.remarks, "lines or parts of them that are remarks");
  add(log.set_back, "times that are before the one above, which was taken instead");
  if (log.cut) text += std::string(text.empty() ? "" : "; ") + "the last line, which is cut off";
  return text;
}

LogJson json_of(const std::vector<LogNote>& notes) {
  LogJson json = LogJson::array();
  for (const LogNote& note : notes) json.push_back({{"line", note.line}, {"what", note.what}});
  return json;
}

std::int64_t length_us(const MonitorLog& log) {
  return log.commands.back().time_us - log.commands.front().time_us;
}

}  // namespace

std::string log_text(const ImportedLog& imported, const MonitorLog& log, const std::string& name) {
  std::string out = fmt::format("{} · {} of {} by {} over {}\n", printable(name),
                                amount(imported.scripts, "script"), amount(imported.locks, "lock"),
                                amount(imported.threads, "thread"), reports::time_text(length_us(log)));
  out += fmt::format("  scripts    {}\n", imported.trace.scripts.empty() ? "none that is known"
                                                                         : printable(imported.trace.scripts));
  if (imported.unrecognised > 0)
    out +=
        fmt::format("  unknown    {} about locks that no set has\n", amount(imported.unrecognised, "script"));
  out += fmt::format("  explained  {} of {}{}\n", imported.explained, imported.scripts,
                     imported.calls > 0 ? "" : " (the log has no calls of scripts to compare with)");
  out += notes_text(imported.assumed, "what has to be assumed for that");
  out += notes_text(imported.unexplained, "not explained");
  if (const std::string aside = left_aside(imported, log); !aside.empty())
    out += "  left out   " + aside + "\n";
  for (const LogVerdict& one : imported.verdicts) out += verdict_line(one);
  return out + "  " + not_shown + "\n";
}

std::string log_json(const ImportedLog& imported, const MonitorLog& log, const std::string& name) {
  LogJson json{{"log", name},
               {"scripts_set", imported.trace.scripts},
               {"scripts", imported.scripts},
               {"explained", imported.explained},
               {"unrecognised", imported.unrecognised},
               {"compared", imported.calls > 0},
               {"locks", imported.locks},
               {"threads", imported.threads},
               {"time_us", length_us(log)},
               {"other_commands", imported.others},
               {"remarks", log.remarks},
               {"times_set_back", log.set_back},
               {"cut", log.cut},
               {"assumed", json_of(imported.assumed)},
               {"unexplained", json_of(imported.unexplained)},
               {"properties", LogJson::array()}};
  for (const LogVerdict& one : imported.verdicts) {
    LogJson verdict{{"name", properties::info(one.property).name},
                    {"verdict", word_of(one.answer)},
                    {"vacuous", one.answer == LogAnswer::passed && !one.occasion}};
    if (one.line) verdict["line"] = *one.line;
    if (!one.why.empty()) verdict["why"] = one.why;
    json["properties"].push_back(std::move(verdict));
  }
  return json.dump(2, ' ', false, LogJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::tools
