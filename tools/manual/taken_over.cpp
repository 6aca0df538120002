#include "tools/manual/taken_over.h"

#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/format/json_text.h"
#include "scenarios/format/normalise.h"
#include "sim/base/verify.h"

namespace lockstep::tools {

namespace {

/// Where line and column, which count from 1 and in characters, stand in the bytes of the text.
std::size_t byte_at(std::string_view text, const toml::source_position& place) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  const auto goes_on = [&] {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  for (toml::source_index column = 1; column < place.column; ++column) {
    ++at;
    while (goes_on()) ++at;
  }
  return std::min(at, text.size());
}

}  // namespace

std::string taken_over(std::string_view text, const std::string& name) {
  if (scenarios::looks_like_json({text, ""})) {
    auto json = nlohmann::ordered_json::parse(text);
    json["name"] = name;
    return json.dump(2) + "\n";
  }
  const toml::table table = toml::parse(text);
  std::string changed(text);
  if (const toml::node* old = table.get("name")) {
    const std::size_t begin = byte_at(text, old->source().begin), end = byte_at(text, old->source().end);
    return changed.replace(begin, end - begin, scenarios::toml_text(name));
  }
  const toml::node* format = table.get("format");
  VERIFY(format != nullptr && "every scenario says which format it has");
  const std::size_t end = std::min(text.find('\n', byte_at(text, format->source().end)), text.size());
  return changed.insert(end, "\nname   = " + scenarios::toml_text(name));
}

}  // namespace lockstep::tools
