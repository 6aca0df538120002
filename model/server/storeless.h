// storeless.h: what kinds of servers have in common that store nothing: nothing dies, nobody is told, nothing
// can be seen. A kind of its own says its name, how it is made, what it serves, and whether it leads.
#pragma once

#include "model/server/server.h"

namespace lockstep::model {

inline constexpr ServerKind storeless{
    .disconnect = [](Server&, ProcessId) {},
    .disconnect_all = [](Server&) {},
    .restart = [](Server&, Persistence) {},
    .pass = [](Server&, Duration) { return Unasked{}; },
    .jump = [](Server&, Duration) { return Unasked{}; },
    .counts_down = [](const Server&) { return false; },
    .next_change = [](const Server&) { return sim::never; },
    .leads = [](const Server&) { return false; },
    .look = [](const Server& server) -> Look {
      return {&server, [](const void*, const std::string&) { return std::optional<Stored>{}; },
              [](const void*) { return std::vector<std::string>{}; }};
    },
    .left_behind = [](const Server&, const Excused&) { return std::optional<std::string>{}; },
    .changes = [](const std::string&, const Server&,
                  const Server&) { return std::vector<sim::KeyChange>{}; },
    .quoted = [](const std::string& word) { return word; }};

}  // namespace lockstep::model
