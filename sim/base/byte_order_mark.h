// byte_order_mark.h: what some editors put in front of a text, and is no part of it.
#pragma once

#include <string_view>

namespace lockstep::sim {

constexpr std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace lockstep::sim
