// golden.h: for tests, a text compared with a file.
//
// With LOCKSTEP_UPDATE_GOLDENS=1 in the environment the file is written instead. Tests run in the
// repository's directory.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace lockstep::reports {

inline void expect_golden(const std::string& path, const std::string& text) {
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; run with LOCKSTEP_UPDATE_GOLDENS=1";
  const std::string expected((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(expected, text) << path;
}

}  // namespace lockstep::reports
