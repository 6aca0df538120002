// The page, read by a parser of its own data, on real runs and hostile names, and in a real browser.
#include "reports/page/page.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reports/page/texts.h"
#include "reports/testing/browser.h"
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
  ASSERT_EQ(page_texts().size(), 5u);
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
    EXPECT_EQ(tags(html, "<script"), 5) << name;
    EXPECT_EQ(tags(html, "</script"), 5) << name;
    EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
    EXPECT_THAT(html, Not(HasSubstr("\x01")));
    const auto data = nlohmann::json::parse(data_of(html));
    EXPECT_EQ(data["scenario"], printable(name));
  }
}

TEST(Page, OfAnEmptyTraceIsAPage) { EXPECT_THAT(page({}, {}), HasSubstr("\"events\":[]")); }

TEST(Page, StepsInARealBrowserAndTheConsoleStaysEmpty) {
  if (!browser_is_here()) GTEST_SKIP() << "chromium-headless-shell is not installed, or does not start here";
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
  EXPECT_THAT(stepped, HasSubstr("aria-current=\"false\" class=\"pinned\">1  "));
  EXPECT_THAT(stepped, HasSubstr("<ul id=\"against\" data-testid=\"against\"><li class="));
  EXPECT_THAT(stepped, HasSubstr("<div data-pane=\"beside\"><div>They differ in")) << "d shows the tab";
  EXPECT_THAT(stepped, HasSubstr("<tr id=\"row-2\" class=\"differs\" data-testid=\"row-2\"><td>2  "));
  const std::string held = browsed(html, "#event=" + std::to_string(broken) + "&pin=0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(held, HasSubstr("<ul id=\"against\" data-testid=\"against\">"));
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
