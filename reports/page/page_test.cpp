// The page, read by a parser of its own data, on real runs and hostile names, and in a real browser.
#include "reports/page/page.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/page/texts.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string data_of(const std::string& html) {
  const std::string opening = "id=\"lockstep-data\">";
  const auto begin = html.find(opening) + opening.size();
  return html.substr(begin, html.find('<', begin) - begin);
}

int tags(const std::string& html, const std::string& tag) {
  int found = 0;
  for (auto at = html.find(tag); at != std::string::npos; at = html.find(tag, at + 1)) ++found;
  return found;
}

TEST(Page, HoldsEveryEventOfTheTrace) {
  const sim::Trace trace = real_trace("failover");
  const std::string html = page(trace, {.again = "lockstep replay x", .pictures = {}});
  const auto data = nlohmann::json::parse(data_of(html));
  ASSERT_EQ(data["events"].size(), trace.events.size());
  for (std::size_t at = 0; at < trace.events.size(); ++at)
    EXPECT_EQ(data["events"][at]["index"], trace.events[at].index);
  EXPECT_EQ(data["again"], "lockstep replay x");
  EXPECT_THAT(data["bands"].dump(), HasSubstr("mistaken"));
}

TEST(Page, DigestsAreThoseOfSha256) {
  EXPECT_EQ(csp_digest(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(csp_digest("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(Page, ItsPolicyAllowsItsOwnStyleAndScriptOnly) {
  const std::string html = page(real_trace("pause"), {});
  ASSERT_EQ(page_texts().size(), 2u);
  for (const sim::EmbeddedFile& part : page_texts()) {
    EXPECT_THAT(html, HasSubstr("'" + csp_digest(part.text) + "'"));
    EXPECT_THAT(html, HasSubstr(">" + std::string(part.text) + "</"));
    for (const char* forbidden : {"innerHTML", "eval(", "fetch(", "http://", "https://", "</script"})
      EXPECT_THAT(std::string(part.text), Not(HasSubstr(forbidden)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe-inline")));
}

TEST(Page, HostileNamesStayText) {
  for (const std::string& name : hostile_names()) {
    sim::Trace trace = hostile(name);
    trace.scenario = trace.about = name;
    const std::string html = page(trace, {.again = name, .pictures = {{"sequence", "<svg></svg>", name}}});
    EXPECT_TRUE(valid_utf8(html)) << name;
    EXPECT_EQ(tags(html, "<script"), 2) << name;
    EXPECT_EQ(tags(html, "</script"), 2) << name;
    EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
    EXPECT_THAT(html, Not(HasSubstr("\x01")));
    const auto data = nlohmann::json::parse(data_of(html));
    EXPECT_EQ(data["scenario"], printable(name));
  }
}

TEST(Page, OfAnEmptyTraceIsAPage) { EXPECT_THAT(page({}, {}), HasSubstr("\"events\":[]")); }

/// What headless Chromium makes of the page, and what it has to complain of.
std::string browsed(const std::string& html, const std::string& query, std::string& console) {
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

TEST(Page, StepsInARealBrowserAndTheConsoleStaysEmpty) {
  if (std::system("command -v chromium-headless-shell > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "chromium-headless-shell is not installed";
  std::string ignored;
  if (browsed("<p>here</p>", "", ignored).find("<p>here</p>") == std::string::npos)
    GTEST_SKIP() << "chromium-headless-shell does not start here";
  const sim::Trace trace = hostile("</script><b>");
  PageOptions options{.again = "again", .pictures = page_pictures(trace)};
  sim::Trace other = trace;
  other.events.erase(other.events.begin() + 2);
  options.beside = compare_traces(trace, other);
  const std::string html = page(trace, options);
  std::string console;
  const std::string linked = browsed(html, "#event=3&tab=timeline", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(linked, HasSubstr("data-event=\"3\" data-ready=\"1\""));
  EXPECT_THAT(linked, HasSubstr("data-pane=\"sequence\" hidden"));
  EXPECT_THAT(linked, HasSubstr("&lt;/script&gt;&lt;b&gt;"));
  const std::string stepped = browsed(html, "?selftest#event=0", console);
  EXPECT_EQ(console, "");
  const auto broken = first(trace, sim::TraceKind::prop, "");
  EXPECT_THAT(stepped, HasSubstr("<main data-event=\"" + std::to_string(broken) + "\""));
  EXPECT_THAT(stepped, HasSubstr("and does not"));
  EXPECT_THAT(stepped, HasSubstr("<li data-event=\"1\" aria-current=\"false\" class=\"pinned\">"));
  EXPECT_THAT(stepped, HasSubstr("<ul id=\"against\"><li class="));
  EXPECT_THAT(stepped, HasSubstr("<div data-pane=\"beside\"><div>They differ in")) << "d shows the tab";
  EXPECT_THAT(stepped, HasSubstr("<tr id=\"row-2\" class=\"differs\"><td>2  "));
  const std::string held = browsed(html, "#event=" + std::to_string(broken) + "&pin=0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(held, HasSubstr("<ul id=\"against\">"));
}

TEST(Page, TwoRunsStandBesideEachOther) {
  const sim::Trace a = real_trace("failover");
  sim::Trace b = a;
  b.events.erase(b.events.begin() + 5);
  PageOptions options{.again = "", .pictures = {}};
  options.beside = compare_traces(a, b);
  const auto data = nlohmann::json::parse(data_of(page(a, options)));
  EXPECT_EQ(data["beside"]["rows"].size(), a.events.size());
  EXPECT_FALSE(data["beside"]["rows"][5].contains("b"));
  EXPECT_TRUE(data["beside"]["rows"][5]["differs"]);
  EXPECT_TRUE(nlohmann::json::parse(data_of(page(a, {})))["beside"].is_null());
}

}  // namespace
}  // namespace lockstep::reports
