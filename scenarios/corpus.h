// corpus.h: the small scenarios of properties/verdicts and their scripts, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {

inline std::string text_in_corpus(const std::string& file) {
  std::ifstream stream("properties/verdicts/" + file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline sim::Result<std::string> script_in_corpus(const std::string& file) { return text_in_corpus(file); }

/// What stands behind `# KEY: ` at the beginning of a line; empty if there is no such line.
inline std::string remark(const std::string& text, const std::string& key) {
  const std::string mark = "# " + key + ": ";
  const std::size_t at = text.starts_with(mark) ? 0 : text.find("\n" + mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.find(mark, at) + mark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Scripts that a scenario names lie beside it.
inline model::Setup setup_in_corpus(const std::string& name) {
  static const ScriptLibrary library = *built_in_scripts(script_in_corpus);
  const auto setup = read_scenario(text_in_corpus(name + ".toml"), "properties/verdicts/" + name + ".toml",
                                   library, test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? *setup : model::Setup{};
}

inline std::vector<std::string> names_in_corpus() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("properties/verdicts"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lockstep::scenarios
