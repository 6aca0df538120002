// The layer table: who may include whom. Arrows point down only (ARCHITECTURE.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

struct Layer {
  std::string_view name;                   // a folder; the longest that fits a path counts
  std::vector<std::string_view> may_use;   // besides itself
};

// "model" without a folder is the vocabulary of both halves; model/world alone puts them together.
const std::vector<Layer> layers{
    {"sim/base", {}},
    {"sim", {"sim/base"}},
    {"lua", {"sim/base", "sim"}},
    {"model/wire", {"sim/base", "lua"}},
    {"model/redis", {"sim/base", "sim", "lua", "model/wire"}},
    {"model", {"sim/base", "sim", "lua", "model/wire", "model/redis", "model/redisson", "model/schemes"}},
    {"model/redisson", {"sim/base", "sim", "lua", "model/wire", "model"}},
    {"model/schemes", {"sim/base", "sim", "lua", "model/wire", "model", "model/redisson"}},
    {"model/world",
     {"sim/base", "sim", "lua", "model/wire", "model/redis", "model", "model/redisson", "model/schemes"}},
    {"properties",
     {"sim/base", "sim", "lua", "model/wire", "model/redis", "model", "model/redisson", "model/schemes",
      "model/world"}},
    {"scenarios",
     {"sim/base", "sim", "lua", "model/wire", "model/redis", "model", "model/redisson", "model/schemes",
      "model/world", "properties"}},
    {"reports", {"sim/base", "sim"}},
    {"tools",
     {"sim/base", "sim", "lua", "model/wire", "model/redis", "model", "model/redisson", "model/schemes",
      "model/world", "properties", "scenarios", "reports"}},
};

/// Libraries that only one part of the program may know.
struct Door {
  std::string_view include;  // how the include begins, behind < or "
  std::string_view folder;
};
constexpr std::array doors{
    Door{"CLI/", "tools/"},        Door{"toml++/", "scenarios/"}, Door{"lua.h", "lua/"},
    Door{"lauxlib", "lua/"},       Door{"lualib", "lua/"},        Door{"asio", "tools/"},
    Door{"hiredis", "tools/"},
};

const Layer* layer_of(std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : layers) {
    const std::string_view behind = path.substr(std::min(path.size(), layer.name.size()));
    const bool fits = begins_with(path, layer.name) &&
                      (begins_with(behind, "/") || begins_with(behind, ".") || begins_with(behind, "_"));
    if (fits && (best == nullptr || layer.name.size() > best->name.size())) best = &layer;
  }
  return best;
}

/// What an #include line names, with its opening bracket or quote; empty if the line is none.
std::string_view included(std::string_view line) {
  if (!begins_with(line, "#include ")) return {};
  const std::string_view rest = line.substr(9);
  return rest.substr(0, rest.find_first_of("\">", 1));
}

std::string complaint(const SourceFile& file, const Layer& from, std::string_view bracketed) {
  const std::string_view name = bracketed.substr(1);
  for (const Door& door : doors) {
    if (begins_with(name, door.include) && !begins_with(file.path, door.folder)) {
      return fmt::format("{} is known in {} only, use what that folder offers", name, door.folder);
    }
  }
  if (bracketed.front() == '<' || begins_with(name, "generated/")) return {};
  const Layer* to = layer_of(name);
  if (to == nullptr) return fmt::format("\"{}\" is not rooted at the repository, write its whole path", name);
  if (to == &from || std::find(from.may_use.begin(), from.may_use.end(), to->name) != from.may_use.end())
    return {};
  return fmt::format("{} may not include {}, move what both need below them", from.name, to->name);
}

}  // namespace

void check_layers(const SourceFile& file, std::vector<Finding>& findings) {
  const Layer* from = layer_of(file.path);
  if (!is_source(file.path) || from == nullptr) return;
  int number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::string_view name = included(line);
    if (name.empty()) continue;
    const std::string message = complaint(file, *from, name);
    if (!message.empty()) findings.push_back({file.path, number, message, Rule::layers});
  }
}

}  // namespace lockstep::tidy
