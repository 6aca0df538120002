#include "scenarios/embedded.h"

namespace lockstep::scenarios {

const EmbeddedFile* find_embedded_scenario(std::string_view name) {
  if (name.ends_with(".toml")) name.remove_suffix(5);
  for (const EmbeddedFile& file : embedded_scenarios()) {
    if (file.name.substr(0, file.name.size() - 5) == name) return &file;
  }
  return nullptr;
}

}  // namespace lockstep::scenarios
