#include "lua/engine/output.h"

#include <algorithm>

#include "lua/engine/limits.h"

namespace lockstep::lua {
namespace {

bool fits(const Run& run, std::size_t bytes) {
  return bytes <= run.churn_left && run.memory_used + bytes <= run.memory_max;
}

// As the allocator does: garbage is collected before memory is refused (5.1 does not).
void charge(lua_State* L, std::size_t bytes) {
  Run& run = run_of(L);
  if (run.bounded) {
    if (is_lua54 && !fits(run, bytes)) lua_gc(L, LUA_GCCOLLECT, 0);
    if (!fits(run, bytes)) {
      run.refused = true;
      raise(L, "not enough memory");
    }
    run.churn_left -= bytes;
  }
  run.memory_used += bytes;
}

}  // namespace

void spend_steps(lua_State* L, std::int64_t steps) {
  if (run_of(L).bounded && !take_steps(L, steps)) raise(L, "stopped");
}

bool has_room(lua_State* L, int slots) {
  return lua_gettop(L) + slots <= c_stack_max && lua_checkstack(L, slots) != 0;
}

Output::~Output() { run_of(L_).memory_used -= charged_; }

void Output::make_room(std::size_t bytes) {
  const std::size_t wanted = text_.size() + bytes;
  if (wanted <= text_.capacity()) return;
  const std::size_t capacity = std::max(wanted, 2 * text_.capacity());
  charge(L_, capacity - charged_);
  charged_ = capacity;
  text_.reserve(capacity);
}

void Output::add(std::string_view bytes) {
  make_room(bytes.size());
  text_.append(bytes);
}

void Output::add(std::size_t count, char byte) {
  make_room(count);
  text_.append(count, byte);
}

}  // namespace lockstep::lua
