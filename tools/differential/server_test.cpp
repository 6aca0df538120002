// The commands about the server itself beside a real redis-server: the same lines, connection by connection,
// must be answered alike, to the byte. What differs from moment to moment is masked, and only that.
#include <algorithm>
#include <memory>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/arguments.h"
#include "model/redis/command.h"
#include "tools/differential/probes/config_probes.h"
#include "tools/differential/probes/connection_probes.h"
#include "tools/differential/probes/edge_probes.h"
#include "tools/differential/probes/operation_probes.h"
#include "model/redis/testing/test_client.h"
#include "tools/differential/real_server.h"

namespace lockstep::differential {
namespace {

using model::Command;
using model::ConnectionId;
using model::Reply;
using redis::to_lower;
using redis::testing::render;
using redis::testing::TestClient;
namespace testing = redis::testing;

/// A line that ends in a backslash goes on in the next.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (bool goes_on = false; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!goes_on) lines.emplace_back();
    lines.back() += text.substr(0, end);
    goes_on = lines.back().ends_with('\\');
    if (goes_on) lines.back().pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Command command_of(const std::string& line) {
  Command command = testing::words_of(line);
  for (std::string& word : command) {
    for (std::size_t at = word.find("\\n"); at != std::string::npos; at = word.find("\\n", at))
      word.replace(at, 2, "\n");
    for (std::size_t at = word.find("\\x"); at != std::string::npos; at = word.find("\\x", at + 1))
      word.replace(at, 4, 1, static_cast<char>(std::stoi(word.substr(at + 2, 2), nullptr, 16)));
  }
  return command;
}

/// What a server answers in the order of a hash table is sorted, in units of so many.
void sort_units(Reply& reply, std::size_t unit) {
  if (!reply.array()) return;
  std::vector<std::string> units;
  const Reply::Array items = *reply.array();
  for (std::size_t i = 0; i + unit <= items.size(); i += unit) {
    std::string text;
    for (std::size_t j = 0; j < unit; ++j) text += render(items[i + j]) + " ";
    units.push_back(text);
  }
  std::sort(units.begin(), units.end());
  Reply::Array sorted;
  for (std::string& text : units) sorted.emplace_back(std::move(text));
  reply = sorted;
}

/// Values that this test sets, or that are paths.
bool is_of_this_server(const std::string& unit) {
  static const std::regex names(R"~(^"(port|unixsocket|dir|logfile|save|oom-score-adj-values|bind)" .*)~");
  return std::regex_match(unit, names);
}

std::string comparable(const Command& command, Reply reply) {
  const std::string name = to_lower(command[0]), second = command.size() > 1 ? to_lower(command[1]) : "";
  if (name == "config" && second == "get") {
    sort_units(reply, 2);
    if (reply.array()) {
      Reply::Array kept;
      for (const Reply& unit : *reply.array()) {
        if (command[2] != "*" || !is_of_this_server(*unit.bulk())) kept.push_back(unit);
      }
      reply = kept;
    }
  }
  if ((name == "command" && second == "list") || (name == "acl" && second == "cat" && command.size() > 2))
    sort_units(reply, 1);
  std::string text = render(reply);
  // The connection by which this test waited for the server has asked nothing.
  static const std::regex silent("id=\\d+ [^\n]*cmd=NULL [^\n]*\n");
  if (name == "client" && second == "list") text = std::regex_replace(text, silent, "");
  if (name == "info" && second != "keyspace") {
    static const std::regex value(R"(:[^\r\n]*)");
    text = std::regex_replace(text, value, "");
  }
  if (name == "info") text = std::regex_replace(text, std::regex("avg_ttl=\\d+"), "avg_ttl");
  static const std::regex passing("(age|idle|qbuf|qbuf-free|argv-mem|multi-mem|rbs|rbp|obl|tot-mem)=\\d+");
  if (text.find("qbuf-free=") != std::string::npos) text = std::regex_replace(text, passing, "$1");
  return text;
}

class ServerProbes : public ::testing::TestWithParam<std::string_view> {};

TEST_P(ServerProbes, EveryLineIsAnsweredAsARealServerAnswersIt) {
  RealServer server({.clock = RealServer::Clock::its_own});
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
  TestClient model;
  redis::start(model.node, model.wall_ms);
  std::unique_ptr<Connection> real;
  std::uint16_t connections = 0;
  const auto reconnect = [&] {
    if (real) redis::disconnect(model.node, ConnectionId{connections});
    real = server.another_connection();
    const std::string about = *real->ask({"CLIENT", "INFO"}).bulk();
    std::smatch found;
    std::regex_search(about, found, std::regex("id=(\\d+) addr=(\\S+) laddr=(\\S+) fd=(\\d+)"));
    redis::Peer peer{std::stoll(found[1]), found[2],      found[3],
                     std::stoi(found[4]),  model.wall_ms, model.wall_ms};
    redis::connect(model.node, ConnectionId{++connections}, peer);
  };
  reconnect();
  std::string before;
  for (const std::string& line : lines_of(GetParam())) {
    if (line == "--") {
      reconnect();
      continue;
    }
    const Command command = command_of(line);
    const std::string expected = comparable(command, real->ask(command));
    EXPECT_EQ(comparable(command, model.execute(command, ConnectionId{connections}).reply), expected)
        << line << "\n  after: " << before;
    before = line;
  }
}

/// What COMMAND says of one command, without its sub-commands: which of them exist may differ, and in what
/// order.
std::string described(Reply reply) {
  Reply::Array outer = *reply.array();
  if (!outer.front().array()) return render(reply);
  Reply::Array inner = *outer.front().array();
  inner.pop_back();
  return render(inner);
}

TEST(ServerDifferential, EveryCommandIsDescribedAsARealServerDescribesIt) {
  RealServer server({.clock = RealServer::Clock::its_own});
  if (server.missing()) GTEST_SKIP() << server.problem();
  ASSERT_EQ(server.problem(), "");
  Connection& real = server.connection();
  TestClient model;
  for (const redis::Spec& spec : redis::all_commands()) {
    const Command command{"COMMAND", "INFO", std::string(spec.name)};
    EXPECT_EQ(described(model.execute(command).reply), described(real.ask(command)));
  }
}

std::string family_name(const ::testing::TestParamInfo<std::string_view>& family) {
  constexpr const char* names[] = {"Connections", "Tables",  "Configuration",
                                   "Operations",  "Scripts", "Edges"};
  return names[family.index];
}

INSTANTIATE_TEST_SUITE_P(Families, ServerProbes,
                         ::testing::Values(testing::connection_probes, testing::table_probes,
                                           testing::config_probes, testing::operation_probes,
                                           testing::script_probes, testing::edge_probes),
                         family_name);

}  // namespace
}  // namespace lockstep::differential
