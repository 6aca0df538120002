// monitors.h: connections that are shown what others ask (MONITOR; Redis replication.c,
// replicationFeedMonitors; server.c, call).
//
// A command is shown once it has run, with the database that is selected by then, and after its reply to a
// monitor that asked it itself; one that runs a script is shown before, so that what the script calls
// follows it. Nothing is shown of commands that were refused or are for administrators, and no password.
//
// A line: "1700000000.123456 [0 127.0.0.1:50000] "GET" "k"", where the time is the node's in seconds and
// microseconds, and the origin may be "unix:PATH" or, within a script, "lua".
#pragma once

#include <string>
#include <string_view>

#include "model/redis/call.h"

namespace lockstep::redis {

/// Runs the handler of the row, and shows the words to those who monitor.
Reply run_shown(Call& call, const Spec& spec, Words words);

/// A word in quotes as MONITOR and redis-cli print it (Redis sds.c, sdscatrepr).
std::string quoted(std::string_view word);

}  // namespace lockstep::redis
