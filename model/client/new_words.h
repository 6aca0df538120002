// new_words.h: numbers of calls of a thread that goes round for ever, where they are sent.
//
// A request id and a scheme's token are words that no other call sends; they end in the number of the call
// (number_of_call). A thread whose program ends counts its calls. One that goes round for ever would never
// come back to a situation that way. So each of its calls draws the least number that nothing in the world
// mentions (model/world/unmentioned.h). A word is only ever compared with others, so an unused one is as good
// as one that never was in use: what follows is the same but for the name. Nothing else need be told apart by
// it; in which order moves that change places draw, and which of two equal situations a search goes on from,
// makes no difference either.
//
// A number that is drawn stands for a block of numbers: undoing a call, beginning it anew, and the members of
// a multi lock have some of their own.
#pragma once

#include <cstdint>

#include "model/client/machine.h"

namespace lockstep::model {

inline constexpr std::uint32_t numbers_of_a_draw = 100'000;

/// Of a call that the caller begins now in the name of another thread, or of its own.
sim::WordNumber number_of_future(Caller caller, ThreadId whose);

}  // namespace lockstep::model
