// The layer table: who may include whom. Arrows point down only (ARCHITECTURE.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

using Names = std::vector<std::string_view>;

struct Layer {
  std::string_view name;  // a folder or a file; the longest that fits a path counts
  Names may_use;          // besides itself
};

Names operator+(Names some, const Names& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

const Names search{"sim/base", "sim", "sim/trail", "sim/run", "sim/search"};
// "model" without a folder is the vocabulary of clients and servers.
const Names vocabulary{
    "sim/base", "sim", "lua", "model/wire", "model/setup", "model/setup/process", "model/setup/setup",
    "model/client/request.h",
    "model"};
const Names client = vocabulary + Names{"model/server", "model/program", "model/client", "model/beliefs"};
const Names judged = search + client + Names{"model/world"};
const Names everything = judged + Names{"model/redis",         "model/redis/kind.h",      "model/redisson",
                                        "model/redisson/settings", "model/schemes", "model/zookeeper",
                                        "model/mysql", "model/mongodb", "properties", "properties/monitors",
                                        "properties/check", "properties/histories", "scenarios", "reports"};

const std::vector<Layer> layers{
    {"sim/base", {}},
    {"sim", {"sim/base"}},
    {"sim/trail", {"sim/base", "sim"}},
    {"sim/run", {"sim/base", "sim", "sim/trail"}},
    {"sim/search", search},
    {"sim/toys", search},
    {"lua", {"sim/base", "sim"}},
    {"model/wire", {"sim/base", "lua"}},
    {"model/server", {"sim/base", "sim", "lua", "model/wire"}},
    {"model/redis", {"sim/base", "sim", "lua", "model/wire", "model/server", "model/redis/kind.h"}},
    {"model/redis/kind.h", {"sim/base", "model/server"}},
    {"model/resource", {"sim/base", "sim", "lua", "model/wire", "model/server"}},
    {"model/zookeeper", {"sim/base", "sim", "lua", "model/wire", "model/server"}},
    {"model/mysql", {"sim/base", "sim", "lua", "model/wire", "model/server"}},
    {"model/mongodb", {"sim/base", "sim", "lua", "model/wire", "model/server"}},
    {"model/setup", {"sim/base", "lua", "model/wire", "model/server", "model/redis/kind.h"}},
    // What an owner declares; setup.h puts it together.
    {"model/redisson/settings", {"sim/base", "model/wire", "model/setup"}},
    {"model/setup/process", {"sim/base", "lua", "model/setup", "model/redisson/settings"}},
    {"model/setup/setup", {"sim/base", "lua", "model/setup", "model/setup/process", "model/server"}},
    {"model/client/request.h", vocabulary},
    {"model", vocabulary},
    {"model/program", vocabulary},
    {"model/client", vocabulary + Names{"model/server", "model/resource", "model/program"}},
    {"model/beliefs", client},
    {"model/redisson", client + Names{"model/redisson/settings"}},
    {"model/schemes", client + Names{"model/redisson", "model/zookeeper", "model/mysql"}},
    {"model/world", client},
    {"properties", judged},
    {"properties/monitors", judged},
    {"properties/check", judged + Names{"properties", "properties/monitors"}},
    {"properties/histories", {"sim/base", "sim", "sim/trail", "sim/run", "sim/search"}},
    {"scenarios", everything},
    {"reports", {"sim/base", "sim"}},
    {"tools/tidy", {}},
    {"tools", everything + Names{"tools/bench"}},
    {"tools/bench", everything + Names{"sim/toys", "tools"}},
};

/// Libraries that only one part of the program may know.
struct Door {
  std::string_view include;  // how the include begins, behind < or "
  std::string_view folder;
};
constexpr std::array doors{
    Door{"CLI/", "tools/cli/"}, Door{"toml++/", "scenarios/"}, Door{"lua.h", "lua/"},
    Door{"lauxlib", "lua/"},    Door{"lualib", "lua/"},        Door{"asio", "tools/"},
    Door{"hiredis", "tools/"}, Door{"cmark-gfm", "tools/manual/"},
};

const Layer* layer_of(std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : layers) {
    const std::string_view behind = path.substr(std::min(path.size(), layer.name.size()));
    const bool fits = begins_with(path, layer.name) && (behind.empty() || begins_with(behind, "/") ||
                                                        begins_with(behind, ".") || begins_with(behind, "_"));
    if (fits && (best == nullptr || layer.name.size() > best->name.size())) best = &layer;
  }
  return best;
}

std::string_view top_of(std::string_view path) { return path.substr(0, path.find('/')); }

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
  if (is_test(file.path) && top_of(file.path) == top_of(name)) return {};  // tests also look sideways
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
