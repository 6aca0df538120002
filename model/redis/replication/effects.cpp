#include "model/redis/replication/effects.h"

#include <limits>

#include "sim/base/verify.h"

namespace lockstep::redis {

Command words_at(const Effect& effect, std::int64_t now_ms) {
  Command words = effect.words;
  if (!effect.time_word) return words;
  VERIFY(*effect.time_word < words.size());
  constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t remaining = effect.remaining.count();
  words[*effect.time_word] = std::to_string(remaining > latest - now_ms ? latest : now_ms + remaining);
  return words;
}

Effects removal_of(std::string key, std::uint8_t database) {
  Effect removal;
  removal.words = {"DEL", std::move(key)};
  removal.database = database;
  return {std::move(removal)};
}

}  // namespace lockstep::redis
