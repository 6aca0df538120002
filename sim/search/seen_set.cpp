#include "sim/search/seen_set.h"

namespace lockstep::sim {

void EncodingKeys::append(std::string_view key) {
  all_.append(key);
  ends_.push_back(all_.size());
}

std::string_view EncodingKeys::key(std::uint32_t id) const {
  const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
  return std::string_view{all_}.substr(begin, ends_[id] - begin);
}

}  // namespace lockstep::sim
