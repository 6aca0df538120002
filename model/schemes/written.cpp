#include "model/schemes/written.h"

#include <array>

#include "model/schemes/of_connection.h"
#include "model/schemes/zookeeper.h"

namespace lockstep::schemes {

std::span<const model::LockKind* const> kinds_of_servers() {
  static constexpr std::array<const model::LockKind*, 4> written{&for_update, &get_lock, &zookeeper,
                                                                 &zookeeper_herd};
  return written;
}

}  // namespace lockstep::schemes
