// trace_file.h: a trace as JSON Lines (`.lockstep.jsonl`), and back.
//
// Line 1 is the header, then one event a line, then one `end` line with the number of events, the result and
// the XXH3-128 of all bytes before it. UTF-8, LF, no spaces, no BOM; keys in a fixed order, absent instead of
// null; integers only, those beyond ±2^53 as strings; times in whole microseconds of virtual time. A text
// that is not valid UTF-8 is written as {"b64":"…"}. Nothing comes from the environment, so the same trace is
// the same bytes everywhere and always.
//
//   {"lockstep":"trace","v":1,"sem":1,"need":[],"scenario":{"name":"…","xxh3":"…"},
//    "scripts":{"set":"…","xxh3":"…"},"unit":"us",
//    "actors":[{"id":"A1","kind":"thread","of":"A","label":"…","lockid":"…"}, …],
//    "init":{"R0":{"role":"master"}},"trail":"…"}
//   {"i":2,"t":1000,"k":"eval","who":"R0","from":"A1","msg":0,"cause":1,"sc":"lock","keys":["orders"],
//    "argv":["30000",…],"ret":"nil","means":"granted","c":[1,2],
//    "d":[["R0/db/orders",{"t":"hash","f":{"7f3c:1":"1"},"pttl":30000}]],"h":"…"}
//   {"k":"end","n":17,"result":"violated","xxh3_128":"…"}
//
// Keys of an event, in this order: i t k who from to msg act lock cause of sc line keys argv ret means wait
// type name why steps c d h, which are the members of TraceEvent. A change is [path,value], or [path] for a
// key that is gone. `f` of a value is an object for hashes and sorted sets (pairs in a list where a name is
// not UTF-8 or occurs twice), a list for lists and sets, and one string for strings. The header carries the
// text of the trail, so a trace is accepted where a trail is.
//
// The writer takes ids of actors that are unique, valid UTF-8 and free of "/". The reader ignores unknown
// keys and kinds unless `need` names them, and answers everything that is not a whole trace with "file:line:
// what is wrong".
#pragma once

#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/trace.h"

namespace lockstep::reports {

std::string write_trace(const sim::Trace& trace);

/// What to do with a file that stops before its `end` line, as one does whose writer was killed.
enum class Incomplete { refused, accepted };

/// `file` is only used in messages.
sim::Result<sim::Trace> read_trace(std::string_view bytes, std::string_view file,
                                   Incomplete incomplete = Incomplete::refused);

/// Whether the bytes begin as a trace does; for callers that take a trail or a trace.
bool looks_like_trace(std::string_view bytes);

}  // namespace lockstep::reports
