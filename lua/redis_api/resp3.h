// resp3.h: what RESP3 makes of a reply: for a client that said HELLO 3, and for a script after
// redis.setresp(3).
//
// A command answers in RESP2. What RESP3 makes of an answer (a map of a flat list, a double of a text)
// depends on the command alone, so it is decided here, for the commands that differ and are allowed in
// scripts, and for subscriptions. For what tells of the server itself, and is for clients only, it stands in
// model/redis/resp/resp3.h. Measured on redis-server 7.0.15, command by command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lua/engine/reply.h"

namespace lockstep::lua {

/// The reply to these words as RESP3 has it.
Reply in_resp3(std::span<const std::string_view> words, Reply reply);

/// The nulls of RESP2 become the one of RESP3.
Reply null_in_resp3(Reply reply);

Reply verbatim_text(std::string text);

}  // namespace lockstep::lua
