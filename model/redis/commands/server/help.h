// help.h: the texts that the HELP of a container answers (help_texts.cpp).
#pragma once

#include <span>
#include <string_view>

namespace lockstep::redis::commands {

struct Help {
  std::string_view container;
  std::span<const std::string_view> lines;
};

/// The lines about the container's own sub-commands; none if there is no such container.
std::span<const std::string_view> help_of(std::string_view container);

}  // namespace lockstep::redis::commands
