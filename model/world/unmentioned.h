// unmentioned.h: numbers of calls that nothing in a world mentions (model/client/new_words.h).
//
// The words of a thread have the thread's name before the number, in whatever text they stand: keys, values
// and channels, of servers and of what is under way to them, to replicas or back. A process also keeps
// numbers without a text. Scripts may continue a text or cut it off: each number with which its digits begin
// is mentioned. One from which nobody could read a word any more, as its digest, is none; check_words
// (model/client/complete.cpp) keeps that from happening.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// The first of the least block of numbers of which none stands in a word of this thread, nor in what its
/// process is about to send.
sim::WordNumber unmentioned_number(const World& world, const Setup& setup, ThreadId thread, const Out& out);

/// What stands before the numbers of words that are or may be drawn there.
std::vector<std::string> names_before_numbers(const World& world, const Setup& setup);

}  // namespace lockstep::model
