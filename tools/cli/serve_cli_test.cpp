// `lockstep serve` as a user starts and ends it.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::MatchesRegex;

class Serve : public CliTest {
 protected:
  /// Runs until the signal comes, as soon as it is ready: once, and to the program alone.
  static Finished until(const std::string& signal, const std::vector<std::string>& options) {
    std::vector<std::string> words{"serve"};
    words.insert(words.end(), options.begin(), options.end());
    return run_until_ready(LOCKSTEP_PROGRAM, words, "ready on", signal);
  }
};

TEST_F(Serve, ItPrintsOneLineWhenItIsReadyAndEndsWithZero) {
  for (const char* signal : {"INT", "TERM"}) {
    const Finished it = until(signal, {"--port", "0", "--bind", "127.0.0.1", "--unix", at("socket")});
    EXPECT_EQ(it.status, 0) << signal;
    EXPECT_THAT(it.out, MatchesRegex("lockstep serve: ready on 127.0.0.1:[0-9]+ " + at("socket") + "\n"));
    EXPECT_EQ(it.err, "");
    EXPECT_FALSE(std::filesystem::exists(at("socket")));
  }
}

TEST_F(Serve, AUnixSocketAloneIsAllThatItOpens) {
  EXPECT_EQ(until("TERM", {"--unix", at("socket")}).out, "lockstep serve: ready on " + at("socket") + "\n");
}

TEST_F(Serve, WhatCannotBeOpenedIsOneSentence) {
  expect_one_sentence(lockstep({"serve", "--port", "0", "--bind", "localhost"}), "a name");
  expect_one_sentence(lockstep({"serve", "--port", "0", "--bind", "192.0.2.1"}), "an address of others");
  expect_one_sentence(lockstep({"serve", "--unix", at("missing/socket")}), "no such directory");
  expect_one_sentence(lockstep({"serve", "--unix", file("file", "precious")}), "a file");
  expect_one_sentence(lockstep({"serve", "--unix", at(std::string(200, 'x'))}), "a path that is too long");
  EXPECT_EQ(content(at("file")), "precious");
  const Finished it = lockstep({"serve", "--unix", ""});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err, "lockstep serve: --unix wants a path\n");
}

TEST_F(Serve, VerboseShowsClientsAndCommandsOnStandardError) {
  const std::string socket = at("socket");
  const Finished it = run_program(
      "/bin/sh",
      {"-c", "timeout --foreground --preserve-status -s TERM 4 " LOCKSTEP_PROGRAM " serve --verbose --unix " +
                 socket + " & until [ -S " + socket + " ]; do sleep 0.05; done; redis-cli -s " + socket +
                 " SET k 'a b' > /dev/null; redis-cli -s " + socket +
                 " CONFIG SET requirepass secret > /dev/null; wait"});
  if (it.err.find("redis-cli") != std::string::npos) GTEST_SKIP() << "redis-cli is not installed";
  EXPECT_EQ(it.err,
            "client 1 connected\nclient 1: \"SET\" \"k\" \"a b\"\n"
            "client 1 closed: the client closed the connection\n"
            "client 1 connected\nclient 1: \"CONFIG\" \"SET\" \"requirepass\" \"(redacted)\"\n"
            "client 1 closed: the client closed the connection\n");
}

}  // namespace
}  // namespace lockstep::tools
