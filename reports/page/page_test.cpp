// The page, read by a parser of its own data, on real runs and hostile names, and in a real browser.
#include "reports/page/page.h"

#include <gmock/gmock.h>

#include <algorithm>
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
  ASSERT_EQ(page_texts().size(), 7u);
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
    EXPECT_EQ(tags(html, "<script"), 7) << name;
    EXPECT_EQ(tags(html, "</script"), 7) << name;
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

/// The run over and over, as one of `events` events.
sim::Trace repeated(const sim::Trace& trace, std::size_t events) {
  sim::Trace many = trace;
  const std::int64_t length_us = trace.events.back().time_us + 1'000;
  for (std::size_t round = 1; many.events.size() < events; ++round)
    for (sim::TraceEvent event : trace.events) {
      const auto shift = static_cast<std::int64_t>(round * trace.events.size());
      event.index += shift;
      event.time_us += static_cast<std::int64_t>(round) * length_us;
      if (event.cause) *event.cause += shift;
      if (event.of) *event.of += shift;
      many.events.push_back(std::move(event));
    }
  return many;
}

TEST(Page, ThousandsOfEventsAreAllListedAndOnlyThoseInSightAreRows) {
  if (!browser_is_here()) GTEST_SKIP() << "chromium-headless-shell is not installed, or does not start here";
  const sim::Trace trace = repeated(real_trace("failover"), 6'000);
  PageOptions options{.again = "", .pictures = {page_timeline(trace, 3)}};
  ASSERT_TRUE(options.pictures[0].painted);
  const std::string html = page(trace, options);
  EXPECT_EQ(nlohmann::json::parse(data_of(html))["events"].size(), trace.events.size());
  std::string console;
  const std::string linked = browsed(html, "?selftest#event=3000&tab=timeline", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(linked, HasSubstr("aria-setsize=\"" + std::to_string(trace.events.size()) + "\""));
  EXPECT_LT(tags(linked, "<li data-event="), 200) << "only those in sight";
  EXPECT_GT(tags(linked, "<li data-event="), 20);
  const auto said = linked.find("<pre id=\"selftest\"");
  ASSERT_NE(said, std::string::npos);
  EXPECT_THAT(linked.substr(said), Not(HasSubstr("not ok")));
}

TEST(Page, APaintedTimelineIsMarkedAndAListOfManyRowsIsFiltered) {
  if (!browser_is_here()) GTEST_SKIP() << "chromium-headless-shell is not installed, or does not start here";
  const sim::Trace trace = real_trace("pause");
  const auto broken = first(trace, sim::TraceKind::prop, "");
  PageOptions options{.again = "", .pictures = {page_timeline(trace, 3)}, .rows_max = 4};
  const std::string html = page(trace, options);
  std::string console;
  const std::string at = std::to_string(broken);
  const std::string dom =
      browsed(html, "#event=" + at + "&tab=timeline&kind=prop", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(dom, HasSubstr("data-marked=\"ev-" + at + "\""));
  EXPECT_THAT(dom, ::testing::ContainsRegex("<canvas [^>]*data-parts=\"[1-9]"));
  EXPECT_THAT(dom, HasSubstr("<li data-event=\"" + at + "\""));
  const auto found = std::count_if(trace.events.begin(), trace.events.end(),
                                   [](const auto& one) { return one.kind == sim::TraceKind::prop; });
  EXPECT_EQ(tags(dom, "<li data-event="), found) << "what is not listed is no row";
}

TEST(Page, HostileNamesStayTextInAPaintedPicture) {
  for (const std::string& name : hostile_names()) {
    const sim::Trace trace = hostile(name);
    const std::string html = page(trace, {.again = "", .pictures = {page_timeline(trace, 0)}});
    EXPECT_TRUE(valid_utf8(html)) << name;
    EXPECT_EQ(tags(html, "</script"), 7) << name;
    EXPECT_TRUE(nlohmann::json::parse(data_of(html))["pictures"][0].contains("drawing"));
  }
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
