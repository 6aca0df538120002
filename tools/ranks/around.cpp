#include <charconv>

#include "tools/ranks/ranks.h"

namespace lockstep::tools {

std::optional<std::size_t> ranks_around(
    const std::function<std::optional<std::string>(const char* name)>& environment) {
  const auto size = environment("OMPI_COMM_WORLD_SIZE");
  if (!size) return std::nullopt;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(size->data(), size->data() + size->size(), count);
  if (error != std::errc() || end != size->data() + size->size() || count == 0) return std::nullopt;
  return count;
}

}  // namespace lockstep::tools
