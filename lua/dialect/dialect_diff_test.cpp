// The differential test of the dialect: the same scripts, the same answers, under 5.1 in another process.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

#include "lua/testing/script_traces.h"

namespace lockstep::lua {
namespace {

std::string output_of(const char* program) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(program, "r"), pclose);
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.append(buffer.data(), size);
  }
  return output;
}

TEST(DialectDiff, EveryScriptCallsTheSameCommandsAndAnswersTheSameAsUnderLua51) {
  std::istringstream theirs(output_of(LOCKSTEP_LUA51_ORACLE));
  std::istringstream ours(script_traces());
  std::string line, other;
  ASSERT_TRUE(std::getline(theirs, line));
  ASSERT_EQ(line, "Lua 5.1");
  int lines = 0;
  while (std::getline(ours, line)) {
    ASSERT_TRUE(std::getline(theirs, other)) << "the oracle ends before: " << line;
    EXPECT_EQ(line, other);
    ++lines;
  }
  EXPECT_FALSE(std::getline(theirs, other)) << "the oracle goes on with: " << other;
  EXPECT_GT(lines, 1000) << "the scripts were really run";
}

}  // namespace
}  // namespace lockstep::lua
