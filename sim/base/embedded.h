// embedded.h: a file that was put into the program when it was built (tools/cmake/EmbedFiles.cmake).
#pragma once

#include <span>
#include <string_view>

namespace lockstep::sim {

struct EmbeddedFile {
  std::string_view name;  // from the folder that was embedded: "plain/two-clients.toml"
  std::string_view text;  // byte for byte
};

}  // namespace lockstep::sim
