#include "model/schemes/written.h"

#include <array>

#include "model/schemes/of_connection.h"
#include "model/schemes/zookeeper.h"

namespace lockstep::schemes {

namespace {

constexpr std::array<std::string_view, 4> of_a_connection{"mutual-exclusion", "free-after-crash",
                                                          "granted-in-time", "calls-return"};
constexpr std::array<std::string_view, 2> broken_connection{"mutual-exclusion", "no-uncaught-exception"};

constexpr std::array<std::string_view, 6> of_a_session{"mutual-exclusion", "free-after-crash",
                                                       "lock-has-ttl",     "calls-return",
                                                       "writes-in-turn",   "nothing-left-behind"};
constexpr std::array<std::string_view, 3> of_a_herd{"mutual-exclusion", "free-after-crash", "calls-return"};
/// `writes-in-turn` holds where the resource checks tokens, and not where it takes every write.
constexpr std::array<std::string_view, 3> unseen_end{"mutual-exclusion", "no-uncaught-exception",
                                                     "writes-in-turn"};
constexpr std::array<std::string_view, 1> unseen_end_of_herd{"mutual-exclusion"};

}  // namespace

std::span<const model::LockKind* const> kinds_of_servers() {
  static constexpr std::array<const model::LockKind*, 4> written{&for_update, &get_lock, &zookeeper,
                                                                 &zookeeper_herd};
  return written;
}

std::span<const WrittenPromises> promises_of_servers() {
  static constexpr std::array<WrittenPromises, 4> said{
      WrittenPromises{&for_update, of_a_connection, broken_connection},
      WrittenPromises{&get_lock, of_a_connection, broken_connection},
      WrittenPromises{&zookeeper, of_a_session, unseen_end},
      WrittenPromises{&zookeeper_herd, of_a_herd, unseen_end_of_herd}};
  return said;
}

}  // namespace lockstep::schemes
