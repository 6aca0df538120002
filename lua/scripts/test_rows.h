// test_rows.h: what a script calls and answers, row by row, on a server that answers as a row says.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "lua/scripts/embedded_scripts.h"
#include "lua/testing/fake_host.h"

namespace lockstep::lua {

inline std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return {};
}

struct Row {
  const char* what;
  std::map<std::string, Reply> server;  // answers to reads; everything else answers 1
  std::vector<std::string> calls;
  Reply reply;
};

inline void expect_rows(const char* file, std::vector<std::string_view> keys,
                        std::vector<std::string_view> args, const std::vector<Row>& rows) {
  Engine engine;
  for (const Row& row : rows) {
    FakeHost host(row.server);
    const Reply reply = run_script(engine, text_of(file), host, keys, args);
    EXPECT_EQ(printed(reply), printed(row.reply)) << file << ", " << row.what;
    EXPECT_EQ(host.calls, row.calls) << file << ", " << row.what;
  }
}

}  // namespace lockstep::lua
