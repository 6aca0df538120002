#include "model/redis/commands/keys/scan_options.h"

#include <cerrno>
#include <cstdlib>
#include <numeric>

#include "model/redis/arguments.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"

namespace lockstep::redis::commands {

using lua::Nil;
using lua::Reply;

bool ScanOptions::matches(std::string_view name) const { return !pattern || glob_matches(*pattern, name); }

std::optional<std::uint64_t> parse_cursor(std::string_view word) {
  static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));
  const std::string text(word);
  const bool blank = !text.empty() && (text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r'));
  char* end = nullptr;
  errno = 0;
  const unsigned long cursor = std::strtoul(text.c_str(), &end, 10);
  if (blank || *end != '\0' || errno == ERANGE) return std::nullopt;
  return cursor;
}

Reply invalid_cursor() { return lua::Error{"ERR invalid cursor"}; }

Reply parse_scan_options(Words words, TypeOption type, ScanOptions& options) {
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return errors::syntax();
    if (is_option(words[i], "count")) {
      const auto given = parse_integer(words[i + 1]);
      if (!given) return errors::not_an_integer();
      if (*given < 1) return errors::syntax();
      options.count = static_cast<std::uint64_t>(*given);
    } else if (is_option(words[i], "match")) {
      options.pattern = words[i + 1];
    } else if (is_option(words[i], "type") && type == TypeOption::known) {
      options.type = words[i + 1];
    } else {
      return errors::syntax();
    }
  }
  return Nil{};
}

ScanStep everything(std::size_t elements) {
  ScanStep step;
  step.places.resize(elements);
  std::iota(step.places.begin(), step.places.end(), std::size_t{0});
  return step;
}

Reply scan_reply(std::uint64_t cursor, Reply::Array found) {
  return Reply::Array{std::to_string(cursor), std::move(found)};
}

}  // namespace lockstep::redis::commands
