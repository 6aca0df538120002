#include "model/redis/resp/resp.h"

#include <vector>

#include "sim/base/verify.h"
#include "tools/fuzz/fuzz.h"

namespace lockstep::tools::fuzz {

namespace {

struct Requests {
  std::vector<model::Command> commands;
  std::string error;
  bool operator==(const Requests&) const = default;
};

/// Takes all whole requests. Returns false after a protocol error.
bool take(redis::RequestParser& parser, Requests& requests) {
  using Found = redis::RequestParser::Found;
  model::Command command;
  for (;;) {
    const Found found = parser.next(command);
    if (found == Found::error) requests.error = parser.error();
    if (found != Found::command) return found == Found::nothing;
    VERIFY(!command.empty());
    requests.commands.push_back(command);
  }
}

Requests read(std::string_view input, std::size_t portion) {
  redis::RequestParser parser;
  Requests requests;
  for (std::size_t at = 0; at < input.size(); at += portion) {
    parser.feed(input.substr(at, portion));
    if (!take(parser, requests)) break;
  }
  return requests;
}

}  // namespace

void resp(std::string_view input) {
  const Requests whole = read(input, input.size() + 1);
  // A line that is too long is noticed by how much has arrived, so long inputs may differ.
  if (input.size() < redis::line_bytes_max) VERIFY(read(input, 1) == whole);
  std::string encoded;
  for (const model::Command& command : whole.commands) redis::encode(command, encoded);
  VERIFY(read(encoded, encoded.size() + 1).commands == whole.commands);
}

}  // namespace lockstep::tools::fuzz
