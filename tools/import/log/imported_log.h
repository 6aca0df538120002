// imported_log.h: a log of a server as a trace, with what it shows of the promises of locks.
//
// The trace is one like those of runs, so everything that reads traces reads it. Replies in it are those of
// the model (log_replay.h) and count as received at once; a call begins with the first request of a thread
// for a lock and ends with the grant. It carries no trail: nothing in it was chosen.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/script_reader.h"
#include "sim/trace.h"
#include "tools/import/log/log_judge.h"
#include "tools/import/log/monitor_log.h"

namespace lockstep::tools {

struct LogNote {
  std::size_t line = 0;
  std::string what;  // printable
};

struct ImportedLog {
  sim::Trace trace;
  std::size_t scripts = 0, explained = 0;  // of locks
  std::size_t unrecognised = 0;            // scripts that touch locks, and are none that are known
  std::size_t calls = 0;                   // of scripts, in the log
  std::size_t others = 0;                  // commands about anything else
  std::size_t threads = 0, locks = 0;
  std::vector<LogNote> assumed, unexplained;
  std::vector<LogVerdict> verdicts;
};

/// `of_user`: scripts beside those that come with the program; may be nullptr.
ImportedLog import_log(const MonitorLog& log, const scenarios::ScriptLibrary& library,
                       const lua::ScriptSet* of_user);

/// What people read, and what programs do. `name` is what the user called the log.
std::string log_text(const ImportedLog& imported, const MonitorLog& log, const std::string& name);
std::string log_json(const ImportedLog& imported, const MonitorLog& log, const std::string& name);

}  // namespace lockstep::tools
