// browser.h: for tests, what headless Chromium makes of a page.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::reports {

/// What headless Chromium makes of the page, and what it has to complain of.
inline std::string browsed(const std::string& html, const std::string& query, std::string& console) {
  const std::string stem = testing::TempDir() + "lockstep-page-" + std::to_string(::getpid());
  std::ofstream(stem + ".html", std::ios::binary) << html;
  const std::string line =
      "timeout 200 chromium-headless-shell --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--enable-logging=stderr "
      "--virtual-time-budget=3000 --dump-dom 'file://" + stem + ".html" + query + "' 2> '" + stem + ".err'";
  FILE* out = popen(line.c_str(), "r");
  std::string dom;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), out)) > 0;)
    dom.append(buffer.data(), n);
  pclose(out);
  std::ifstream said(stem + ".err", std::ios::binary);
  console.clear();
  for (std::string one; std::getline(said, one);)
    if (one.find("CONSOLE") != std::string::npos) console += one + "\n";
  for (const char* end : {".html", ".err"}) std::filesystem::remove(stem + end);
  return dom;
}

inline bool browser_is_here() {
  if (std::system("command -v chromium-headless-shell > /dev/null 2>&1") != 0) return false;
  std::string ignored;
  return browsed("<p>here</p>", "", ignored).find("<p>here</p>") != std::string::npos;
}

}  // namespace lockstep::reports
