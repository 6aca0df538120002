// handling.h: what happens around every handler, whoever asks: a client, EXEC, a script, a master.
//
// A server that counts (statistics.h) counts each call and each error once, wherever it comes about (Redis
// server.c, call, incrCommandStatsOnError; networking.c, afterErrorReply). An error that a script passes on
// as a command answered it was counted for the command, and only makes the script fail, too.
//
// What a client is answered takes the form of the protocol that it speaks (resp/resp3.h).
//
// No command ends the program: one that needs more memory than there is fails with an error of ours. What it
// did until then stays, as it does when a script fails.
#pragma once

#include "model/redis/call.h"

namespace lockstep::redis {

/// A command is refused before it runs; `spec` is nullptr if there is no such command.
void count_refusal(Node& node, const Spec* spec, const Reply& why);
/// An error that no command answers.
void count_error(Node& node, std::string_view text);

/// Runs the handler of the row.
Reply handle(Call& call, const Spec& spec, Words words);

}  // namespace lockstep::redis
