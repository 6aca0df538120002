#include "tools/differential/arguments.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockstep::differential {

const char* const usage =
    "lockstep-differential: gives the Redis model and a real redis-server the same commands and clock.\n"
    "\n"
    "  --commands N          random commands with time between them\n"
    "  --client-commands N   the same by three clients: transactions, databases, subscriptions\n"
    "  --event-commands N    the same while a second client listens to what happens to keys\n"
    "  --cluster-commands N  all of these to a node of a cluster of two\n"
    "  --scripts N           random Lua scripts made of commands\n"
    "  --lock-scripts N      the scripts of lua/scripts, calls and messages compared too\n"
    "  --families A,B        which commands: keys expiry strings bits hashes lists sets sorted-sets\n"
    "  --effects WHERE       also what is written to the append-only `file`, or sent to a `replica`\n"
    "  --seed S              another seed, other sequences (1)\n"
    "  --differences-max N   stop after so many differences (1)\n"
    "  --server PROGRAM      the server to compare with (redis-server)\n"
    "\n"
    "Without a number: 100000 commands, and 10000 of each of the others.\n"
    "Exit code 0: no difference; 1: differences, printed as tests to paste; 2: wrong usage, or no server.\n";

namespace {

std::optional<std::uint64_t> number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  return whole ? std::optional(value) : std::nullopt;
}

/// Adds the families named in a list with commas; the first name that is unknown, or nothing.
std::string add_families(std::string_view list, std::vector<Family>& chosen) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    const auto known = families();
    const auto at = std::find_if(known.begin(), known.end(), [&](const Family& f) { return f.name == name; });
    if (at == known.end()) return "there is no family `" + std::string(name) + "`";
    chosen.push_back(*at);
    list.remove_prefix(std::min(list.size(), name.size() + 1));
  }
  return {};
}

std::string set(Request& request, const std::string& option, const std::string& value) {
  if (option == "--server") {
    request.server = value;
    return {};
  }
  if (option == "--families") return add_families(value, request.chosen);
  if (option == "--effects") {
    if (value != "file" && value != "replica")
      return "`--effects " + value + "`: file or replica belongs here";
    request.effects = value == "file" ? Watch::Effects::file : Watch::Effects::replica;
    return {};
  }
  const auto count = number(value);
  if (!count) return "`" + option + " " + value + "`: a whole number belongs here";
  if (option == "--commands") request.commands = *count;
  else if (option == "--client-commands") request.client_commands = *count;
  else if (option == "--event-commands") request.event_commands = *count;
  else if (option == "--cluster-commands") request.cluster_commands = *count;
  else if (option == "--scripts") request.scripts = *count;
  else if (option == "--lock-scripts") request.lock_scripts = *count;
  else if (option == "--seed") request.seed = *count;
  else if (option == "--differences-max") request.differences_max = *count;
  else return "there is no option `" + option + "`";
  return {};
}

}  // namespace

std::variant<Request, std::string> parse_request(const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return "`" + words[i] + "` needs a value behind it";
    if (std::string problem = set(request, words[i], words[i + 1]); !problem.empty()) return problem;
  }
  const std::initializer_list<std::uint64_t*> lesser{&request.client_commands, &request.event_commands,
                                                     &request.cluster_commands, &request.scripts,
                                                     &request.lock_scripts};
  if (request.commands == 0 &&
      std::all_of(lesser.begin(), lesser.end(), [](auto* count) { return *count == 0; })) {
    request.commands = 100'000;
    for (std::uint64_t* const count : lesser) *count = 10'000;
  }
  return request;
}

}  // namespace lockstep::differential
