// glob.h: the patterns of KEYS and PSUBSCRIBE: '*', '?', '[a-z]', '[^…]' and '\' as Redis matches them
// (util.c, stringmatchlen). An unclosed '[' ends with the pattern.
#pragma once

#include <string_view>

namespace lockstep::redis {

bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace lockstep::redis
