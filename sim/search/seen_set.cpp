#include "sim/search/seen_set.h"

#include <algorithm>

namespace lockstep::sim {

void EncodingKeys::append(std::string_view key) {
  if (blocks_.empty() || blocks_.back().size() + key.size() > blocks_.back().capacity()) {
    blocks_.emplace_back();
    blocks_.back().reserve(std::max(block_bytes, key.size()));
  }
  std::string& block = blocks_.back();
  places_.push_back({static_cast<std::uint32_t>(blocks_.size() - 1), static_cast<std::uint32_t>(block.size()),
                     static_cast<std::uint32_t>(key.size())});
  block.append(key);
}

std::string_view EncodingKeys::key(std::uint32_t id) const {
  const Place& place = places_[id];
  return std::string_view{blocks_[place.block]}.substr(place.begin, place.length);
}

}  // namespace lockstep::sim
