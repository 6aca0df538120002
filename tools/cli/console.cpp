#include "tools/cli/console.h"

#include <unistd.h>

#include <cstdlib>

namespace lockstep::tools {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool is_on(const char* name) {
  const std::string_view value = environment(name);
  return !value.empty() && value != "0";
}

}  // namespace

Surroundings surroundings_of(int descriptor) {
  const bool of_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;  // its terminals are pipes to us
  return {.terminal = isatty(descriptor) == 1 && !of_mpirun,
          .no_color = !environment("NO_COLOR").empty(),
          .dumb = environment("TERM") == "dumb",
          .forced = is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR")};
}

bool wants_colour(ColourWish wish, const Surroundings& around) {
  if (wish != ColourWish::automatic) return wish == ColourWish::always;
  if (around.no_color) return false;
  if (around.forced) return true;
  return around.terminal && !around.dumb;
}

}  // namespace lockstep::tools
