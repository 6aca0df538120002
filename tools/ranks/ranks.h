// ranks.h: the processes that `mpirun -n K lockstep check …` starts, which make one search together.
//
// The program has this where Open MPI was there when it was built. One that dies takes the others with it,
// and mpirun says so: nothing is proved then.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/search/ranks.h"

namespace lockstep::tools {

class JoinedRanks : public sim::Ranks {
 public:
  /// Ends all of them at once with this exit status, because this one cannot go on. The first has said why;
  /// another waits two seconds before it does, for mostly the first has the same to say and ends all.
  [[noreturn]] virtual void give_up(int status, const std::string& complaint) = 0;
};

/// Whether Open MPI was there.
bool can_join_ranks();

/// How many processes mpirun has started with this one; nothing if it was not mpirun.
std::optional<std::size_t> ranks_around(
    const std::function<std::optional<std::string>(const char* name)>& environment);

/// Only where mpirun has started it, and once.
std::unique_ptr<JoinedRanks> join_ranks();

}  // namespace lockstep::tools
