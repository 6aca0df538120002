// handling.h: what happens around every handler, whoever asks: a client, EXEC, a script, a master.
//
// No command ends the program: one that needs more memory than there is fails with an error of ours. What it
// did until then stays, as it does when a script fails.
#pragma once

#include "model/redis/call.h"

namespace lockstep::redis {

/// Runs the handler of the row.
Reply handle(Call& call, const Spec& spec, Words words);

}  // namespace lockstep::redis
