// Properties of the protocol: how bytes are cut into portions does not matter, and no bytes do harm.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/redis/resp/resp.h"

namespace lockstep::redis {
namespace {

struct Reading {
  std::vector<model::Command> commands;
  std::string error;
  bool operator==(const Reading&) const = default;
};

void take_all(RequestParser& parser, Reading& reading) {
  model::Command command;
  for (;;) {
    const RequestParser::Found found = parser.next(command);
    if (found == RequestParser::Found::command) reading.commands.push_back(command);
    else break;
  }
  reading.error = parser.error();
}

Reading read_in_two(std::string_view bytes, std::size_t cut) {
  RequestParser parser;
  Reading reading;
  for (const std::string_view portion : {bytes.substr(0, cut), bytes.substr(cut)}) {
    parser.feed(portion);
    take_all(parser, reading);
  }
  return reading;
}

Reading read_bytewise(std::string_view bytes) {
  RequestParser parser;
  Reading reading;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    parser.feed(bytes.substr(i, 1));
    take_all(parser, reading);
  }
  return reading;
}

/// Pieces of the protocol in any order: more of them are nearly right than of random bytes.
rc::Gen<std::string> fragments() {
  const auto piece = rc::gen::oneOf(
      rc::gen::element<std::string>("*1\r\n", "*2\r\n", "*0\r\n", "*-1\r\n", "$4\r\nPING\r\n", "$0\r\n\r\n",
                                    "$1\r\na\r\n", "PING\r\n", "\r\n", "\n", "\"a b\"", "'", "\\x41", " ",
                                    "*", "$", "-", "9", std::string(1, '\0')),
      rc::gen::string<std::string>());
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string all;
                        for (const std::string& each : pieces) all += each;
                        return all;
                      });
}

RC_GTEST_PROP(RespProperties, EveryCutGivesTheSameRequestsAndTheSameError, ()) {
  const std::string bytes = *rc::gen::resize(30, fragments());
  const Reading whole = read_in_two(bytes, 0);
  for (std::size_t cut = 1; cut <= bytes.size(); ++cut) RC_ASSERT(read_in_two(bytes, cut) == whole);
  RC_ASSERT(read_bytewise(bytes) == whole);
}

RC_GTEST_PROP(RespProperties, EncodedCommandsAreReadBackFromEveryCut, ()) {
  const auto commands = *rc::gen::resize(8, rc::gen::container<std::vector<model::Command>>(
                                                rc::gen::nonEmpty(rc::gen::arbitrary<model::Command>())));
  std::string bytes;
  for (const model::Command& command : commands) encode(command, bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
    RC_ASSERT(read_in_two(bytes, cut) == (Reading{commands, ""}));
}

RC_GTEST_PROP(RespProperties, ALineIsSplitIntoWordsThatCanBeQuotedAgain, ()) {
  const auto words = *rc::gen::arbitrary<model::Command>();
  std::string line;
  for (const std::string& word : words) {
    line += " \"";
    for (const char c : word) {
      if (c == '"' || c == '\\') line += '\\';
      line += c;
    }
    line += '"';
  }
  RC_ASSERT(split_line(line) == words);
}

}  // namespace
}  // namespace lockstep::redis
