#include <gmock/gmock.h>

#include "reports/page/index_page.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

IndexedScenario indexed(const std::string& name, const std::string& verdict, bool as_expected) {
  IndexedScenario one;
  one.result.scenario = name;
  one.result.searched = one.result.complete = true;
  one.result.states = 12'345;
  one.result.properties = {{.property = "mutual-exclusion",
                            .verdict = verdict,
                            .expected = "holds",
                            .named = true,
                            .as_expected = as_expected}};
  return one;
}

TEST(IndexPage, NamesVerdictsExpectationsAndLinks) {
  IndexedScenario broken = indexed("plain/two", "violated", false);
  broken.about = "two clients & one lock";
  broken.pages["mutual-exclusion"] = "plain/two/mutual-exclusion.html";
  const std::string html = index_page({indexed("plain/one", "proved", true), broken});
  EXPECT_THAT(html, HasSubstr("<a href=\"plain/two/mutual-exclusion.html\">mutual-exclusion: violated</a>"
                              ", expected holds"));
  EXPECT_THAT(html, HasSubstr("mutual-exclusion: proved as expected"));
  EXPECT_THAT(html, HasSubstr("two clients &amp; one lock"));
  EXPECT_THAT(html, HasSubstr("12 345 states"));
  EXPECT_LT(html.find("plain/two"), html.find("plain/one")) << "what is not as expected comes first";
}

TEST(IndexPage, ASearchThatWasCutSaysSo) {
  IndexedScenario cut = indexed("a", "unknown", false);
  cut.result.complete = false;
  cut.result.limit = "states";
  cut.result.properties[0].why = "the limit of states was hit";
  const std::string html = index_page({cut});
  EXPECT_THAT(html, HasSubstr("cut by states"));
  EXPECT_THAT(html, HasSubstr("the limit of states was hit"));
}

TEST(IndexPage, ASearchThatWasReducedSaysSo) {
  IndexedScenario one = indexed("a", "proved", true);
  EXPECT_THAT(index_page({one}), Not(HasSubstr("reduction")));
  one.result.reduced = true;
  EXPECT_THAT(index_page({one}), HasSubstr("12 345 states by partial-order reduction"));
}

TEST(IndexPage, HostileNamesStayTextAndWithinTheFolder) {
  for (const std::string& name : hostile_names()) {
    IndexedScenario one = indexed(name, "violated", true);
    one.about = one.result.bounds = one.result.properties[0].property = name;
    one.result.unseen = {name};
    one.pages[name] = "x/" + name + ".html";
    const std::string html = index_page({one});
    EXPECT_TRUE(valid_utf8(html)) << name;
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("</script")));
    EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
    EXPECT_THAT(html, Not(HasSubstr("javascript:")));
  }
}

}  // namespace
}  // namespace lockstep::reports
