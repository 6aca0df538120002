// driven_alike.h: what counts as the same of two sides that were given the same call (driven_pair.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/client/lock_kind.h"
#include "model/redis/node.h"
#include "model/redisson/settings.h"

namespace lockstep::tools {

/// Error texts without the SHA1 of the script, which a change of a blank changes.
bool same_reply(const model::Reply& one, const model::Reply& other);
/// None of these clients makes anything else of one than of the other. What a client does not know or takes
/// for an error is not the same.
bool read_alike(const model::Items& one, const model::Items& other, const model::LockKind& kind,
                model::Intent intent, const std::vector<redisson::Settings>& clients);

bool same_stored(const redis::Node& one, const redis::Node& other);
/// But for the texts under these keys: they are answers, and whoever is told one reads it then.
bool same_but_for_answers(const redis::Node& one, const redis::Node& other,
                          const std::set<std::string>& keys);

}  // namespace lockstep::tools
