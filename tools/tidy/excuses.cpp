// The exceptions of this repository, each with its reason. An excuse that nothing needs any more makes the
// test fail, so this list only shrinks by itself.
#include <array>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

constexpr std::array table{
    // The test of the script files reads set.toml itself: the reader belongs to a layer above.
    Excuse{"model/redisson/driven_process.h", Rule::layers, "its tests share the world's test setups"},
    Excuse{"lua/scripts/set_test.cpp", Rule::layers, "it holds set.toml against the scripts beside it"},
    // TOML that is no scenario.
    Excuse{"tools/cli/presets.cpp", Rule::layers, "lockstep.toml holds options of the command line"},
    Excuse{"tools/cli/fewer_actors.cpp", Rule::layers, "it takes processes out of the text of a scenario"},
    Excuse{"tools/history/taken_in.cpp", Rule::layers, "a map says what members of a history are called"},
    Excuse{"tools/manual/taken_over.cpp", Rule::layers, "it wants the place of a name, not what a file says"},
    Excuse{"sim/search/testing/thread_ranks.h", Rule::words, "ranks are threads where tests search by them"},
    Excuse{"model/server/look.h", Rule::words, "the scores of sorted sets are fractions of Redis's own"},
};

}  // namespace

std::span<const Excuse> excuses() { return table; }

}  // namespace lockstep::tidy
