// The kept inputs, in every build: what a fuzzer found once stays found.
#include "tools/fuzz/fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::tools::fuzz {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void feed_corpus(const NamedTarget& named) {
  std::size_t inputs = 0;
  for (const auto& file :
       std::filesystem::directory_iterator("tools/fuzz/corpus/" + std::string(named.name))) {
    SCOPED_TRACE(file.path());
    named.target(bytes_of(file.path()));
    ++inputs;
  }
  EXPECT_GT(inputs, 0U);
}

TEST(FuzzCorpus, RespTakesEveryKeptInput) { feed_corpus(targets[0]); }
TEST(FuzzCorpus, CommandsTakeEveryKeptInput) { feed_corpus(targets[1]); }
TEST(FuzzCorpus, TheScenarioReaderTakesEveryKeptInput) { feed_corpus(targets[2]); }
TEST(FuzzCorpus, TheTrailReaderTakesEveryKeptInput) { feed_corpus(targets[3]); }

/// Each input cut short is an input, too.
TEST(FuzzCorpus, EveryTargetTakesInputsThatEndTooSoon) {
  for (const NamedTarget& named : targets) {
    for (const auto& file :
         std::filesystem::directory_iterator("tools/fuzz/corpus/" + std::string(named.name))) {
      const std::string bytes = bytes_of(file.path()).substr(0, 400);
      for (std::size_t size = 0; size < bytes.size(); size += 7) named.target(bytes.substr(0, size));
    }
  }
}

}  // namespace
}  // namespace lockstep::tools::fuzz
