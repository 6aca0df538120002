#include "lua/dialect/pattern_steps.h"

#if LUA_VERSION_NUM >= 504

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lua/dialect/numbers.h"
#include "lua/engine/limits.h"

namespace lockstep::lua {
namespace {

bool is_of_class(unsigned char c, char name) {
  const auto is = [&] {
    switch (std::tolower(static_cast<unsigned char>(name))) {
      case 'a': return std::isalpha(c) != 0;
      case 'c': return std::iscntrl(c) != 0;
      case 'd': return std::isdigit(c) != 0;
      case 'g': return std::isgraph(c) != 0;
      case 'l': return std::islower(c) != 0;
      case 'p': return std::ispunct(c) != 0;
      case 's': return std::isspace(c) != 0;
      case 'u': return std::isupper(c) != 0;
      case 'w': return std::isalnum(c) != 0;
      default: return std::isxdigit(c) != 0;
    }
  };
  if (std::string_view("acdglpsuwxACDGLPSUWX").find(name) == std::string_view::npos)
    return static_cast<unsigned char>(name) == c;
  return is() != (std::isupper(static_cast<unsigned char>(name)) != 0);
}

/// Tries all ways from left to right, as Lua does. No member needs to be destroyed: an error may jump.
class Tries {
 public:
  using Place = std::size_t;

  Tries(lua_State* L, std::string_view text, std::string_view pattern)
      : L_(L), text_(text), pattern_(pattern) {}

  /// False if the eval has no steps left.
  bool take_from(Place start) {
    const bool anchored = pattern_.starts_with('^');
    for (Place s = start; s <= text_.size() && !over_; ++s) {
      captures_ = 0;
      if (match(s, anchored ? 1 : 0) || anchored) break;
    }
    return !stopped_ && take_steps(L_, steps_ % portion);
  }

 private:
  using End = std::optional<Place>;
  static constexpr std::int64_t portion = 1000;
  static constexpr int depth_max = 200;  // Lua's
  struct Capture {
    Place begin = 0, length = 0;
    bool open = false;
  };

  bool step() {
    if (!over_ && ++steps_ % portion == 0 && !take_steps(L_, portion)) stopped_ = over_ = true;
    return !over_;
  }
  End give_up() {  // Lua will say what is wrong
    over_ = true;
    return std::nullopt;
  }

  End match(Place s, Place p) {
    if (depth_ == depth_max) return give_up();
    ++depth_;
    const End end = match_rest(s, p);
    --depth_;
    return end;
  }

  End match_rest(Place s, Place p) {
    while (step()) {
      if (p == pattern_.size()) return s;
      const char next = p + 1 < pattern_.size() ? pattern_[p + 1] : '\0';
      if (pattern_[p] == '(') return begin_capture(s, p, next == ')');
      if (pattern_[p] == ')') return end_capture(s, p + 1);
      if (pattern_[p] == '$' && p + 1 == pattern_.size()) return s == text_.size() ? End(s) : std::nullopt;
      if (pattern_[p] == '%' && (next == 'b' || next == 'f' || std::isdigit(next) != 0)) {
        const End end = next == 'b' ? balanced(s, p + 2) : next == 'f' ? frontier(s, p + 2) : again(s, next);
        if (!end) return std::nullopt;
        s = *end;
        p = next == 'b' ? p + 4 : next == 'f' ? end_of_class(p + 2) : p + 2;
        continue;
      }
      const Place end = end_of_class(p);
      const char how = end < pattern_.size() ? pattern_[end] : '\0';
      if (how == '*' || how == '+') return most(s, p, end, how == '+' ? 1 : 0);
      if (how == '-') return least(s, p, end);
      const bool fits = is_at(s, p, end);
      if (how == '?') {
        if (const End rest = fits ? match(s + 1, end + 1) : std::nullopt) return rest;
        p = end + 1;
        continue;
      }
      if (!fits) return std::nullopt;
      ++s;
      p = end;
    }
    return std::nullopt;
  }

  End most(Place s, Place p, Place end, Place at_least) {
    Place count = 0;
    while (step() && is_at(s + count, p, end)) ++count;
    for (; count >= at_least && !over_; --count) {
      if (const End rest = match(s + count, end + 1)) return rest;
      if (count == 0) break;
    }
    return std::nullopt;
  }
  End least(Place s, Place p, Place end) {
    for (; !over_; ++s) {
      if (const End rest = match(s, end + 1)) return rest;
      if (!is_at(s, p, end)) break;
    }
    return std::nullopt;
  }

  End begin_capture(Place s, Place p, bool of_place) {
    if (captures_ == kept_.size()) return give_up();
    kept_[captures_++] = {s, 0, !of_place};
    const End rest = match(s, of_place ? p + 2 : p + 1);
    if (!rest) --captures_;
    return rest;
  }
  End end_capture(Place s, Place p) {
    std::size_t last = captures_;
    while (last > 0 && !kept_[last - 1].open) --last;
    if (last == 0) return give_up();
    Capture& its = kept_[last - 1];
    its.length = s - its.begin;
    its.open = false;
    const End rest = match(s, p);
    if (!rest) its.open = true;
    return rest;
  }
  End again(Place s, char digit) {
    const auto which = static_cast<std::size_t>(digit - '1');
    if (digit == '0' || which >= captures_ || kept_[which].open) return give_up();
    const std::string_view its = text_.substr(kept_[which].begin, kept_[which].length);
    return text_.substr(s).starts_with(its) ? End(s + its.size()) : std::nullopt;
  }
  End balanced(Place s, Place p) {
    if (p + 1 >= pattern_.size()) return give_up();
    if (s == text_.size() || text_[s] != pattern_[p]) return std::nullopt;
    std::size_t open = 1;
    for (++s; s < text_.size() && step(); ++s) {
      if (text_[s] == pattern_[p + 1]) {
        if (--open == 0) return s + 1;
      } else if (text_[s] == pattern_[p]) {
        ++open;
      }
    }
    return std::nullopt;
  }
  End frontier(Place s, Place p) {
    if (p >= pattern_.size() || pattern_[p] != '[') return give_up();
    const Place end = end_of_class(p);
    const auto is_in = [&](char c) { return is_in_set(static_cast<unsigned char>(c), p, end - 1); };
    if (over_ || is_in(s == 0 ? '\0' : text_[s - 1])) return std::nullopt;
    return is_in(s < text_.size() ? text_[s] : '\0') ? End(s) : std::nullopt;
  }

  Place end_of_class(Place p) {
    const char first = pattern_[p++];
    if (first == '%' && p == pattern_.size()) over_ = true;
    if (first == '%') return std::min(p + 1, pattern_.size());
    if (first != '[') return p;
    if (p < pattern_.size() && pattern_[p] == '^') ++p;
    do {
      if (p >= pattern_.size()) {
        over_ = true;
        return pattern_.size();
      }
      if (pattern_[p++] == '%') ++p;
    } while (p >= pattern_.size() || pattern_[p] != ']');
    return p + 1;
  }

  bool is_at(Place s, Place p, Place end) const {
    if (over_ || s >= text_.size()) return false;
    const auto c = static_cast<unsigned char>(text_[s]);
    switch (pattern_[p]) {
      case '.': return true;
      case '%': return is_of_class(c, pattern_[p + 1]);
      case '[': return is_in_set(c, p, end - 1);
      default: return static_cast<unsigned char>(pattern_[p]) == c;
    }
  }
  bool is_in_set(unsigned char c, Place p, Place end) const {
    const bool negated = pattern_[++p] == '^';
    if (negated) ++p;
    for (; p < end; ++p) {
      if (pattern_[p] == '%') {
        if (is_of_class(c, pattern_[++p])) return !negated;
      } else if (p + 2 < end && pattern_[p + 1] == '-') {
        const auto low = static_cast<unsigned char>(pattern_[p]);
        if (low <= c && c <= static_cast<unsigned char>(pattern_[p + 2])) return !negated;
        p += 2;
      } else if (static_cast<unsigned char>(pattern_[p]) == c) {
        return !negated;
      }
    }
    return negated;
  }

  lua_State* L_;
  std::string_view text_, pattern_;
  std::int64_t steps_ = 0;
  bool over_ = false, stopped_ = false;
  int depth_ = 0;
  std::array<Capture, 32> kept_{};
  std::size_t captures_ = 0;
};

/// At most so many ways there are: each repetition may end anywhere.
bool may_try_many(std::string_view text, std::string_view pattern) {
  constexpr double few = 10'000;
  const double places = static_cast<double>(text.size()) + 1;
  double ways = places;
  for (const char c : pattern) {
    if (c == '*' || c == '+' || c == '-') ways *= places;
    if (c == '?') ways *= 2;
    if (ways > few) return true;
  }
  return false;
}

}  // namespace

void take_steps_of_pattern(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING || lua_type(L, 2) != LUA_TSTRING) return;
  const std::string_view text = text_at(L, 1), pattern = text_at(L, 2);
  if (!may_try_many(text, pattern)) return;
  const auto size = static_cast<lua_Integer>(text.size());
  lua_Integer start = lua_type(L, 3) == LUA_TNUMBER ? lua_tointeger(L, 3) : 1;
  if (start < 0) start = std::max<lua_Integer>(size + start + 1, 1);
  start = std::max<lua_Integer>(start, 1);
  if (start > size + 1 || Tries(L, text, pattern).take_from(static_cast<std::size_t>(start - 1))) return;
  lua_pushliteral(L, "stopped");
  lua_error(L);
}

}  // namespace lockstep::lua

#endif
