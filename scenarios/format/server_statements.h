// server_statements.h: what a described scheme may send to servers that are not Redis, and how those answer.
#pragma once

#include <optional>
#include <string>

#include "model/client/scheme.h"
#include "model/server/server.h"

namespace lockstep::scenarios {

/// Why such a server does not understand a request, in a sentence; nothing: it does.
std::optional<std::string> not_understood(const model::ServerKind& server, const model::Described& asked);

/// An answer of such a server that no rule reads; empty: there is none.
std::string unread_answer(const model::ServerKind& server, const model::Described& asked);

}  // namespace lockstep::scenarios
