// What a page knows for going through by hand, held against the same way gone by the program.
#include "tools/graph/by_hand.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "properties/check/check.h"
#include "reports/testing/browser.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/load.h"
#include "tools/step/stepper.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Known {
  model::Setup setup;
  reports::PageByHand hand;
};

Known known(const std::string& scenario, const ByHandLimits& limits) {
  auto setup = load_scenario(scenario, {});
  EXPECT_TRUE(setup.ok()) << setup.problem().text;
  Known all{*std::move(setup), {}};
  sim::Trail trail = properties::trail_header(all.setup, "", "");
  trail.then = {.by_default = true, .until = {}};
  const auto run = decided_run(all.setup, trail);
  EXPECT_TRUE(run.ok());
  all.hand = by_hand(all.setup, trail, *run, "lockstep step " + scenario, limits);
  return all;
}

/// Goes down every known way of so many moves, beside a stepper.
void expect_the_same(const reports::PageByHand& hand, std::size_t state, Stepper& stepper, int deep) {
  const reports::PageState& here = hand.states[state];
  const std::string first = here.shown.substr(0, here.shown.find('\n'));
  ASSERT_THAT(stepper.shown(), HasSubstr(" · " + here.time + "\n  " + first));
  ASSERT_EQ(here.possible, stepper.moves().size());
  for (std::size_t i = 0; i < here.moves.size() && deep > 0; ++i) {
    ASSERT_THAT(stepper.shown(), HasSubstr("  " + here.moves[i].move));
    if (!here.moves[i].to) continue;
    stepper.choose(i);
    expect_the_same(hand, *here.moves[i].to, stepper, deep - 1);
    stepper.undo();
  }
}

TEST(ByHand, EveryWayOfThePageIsTheOneOfTheProgram) {
  for (const char* scenario : {"plain/two-clients", "failover/master-dies-before-replication"}) {
    const Known all = known(scenario, {.states_max = 300});
    Stepper stepper(all.setup);
    expect_the_same(all.hand, all.hand.run.front(), stepper, 4);
  }
}

TEST(ByHand, ItKeepsToItsBoundAndSaysWhetherThatWasAll) {
  const Known few = known("plain/two-clients", {.states_max = 60});
  EXPECT_EQ(few.hand.states.size(), 60u);
  EXPECT_FALSE(few.hand.whole);
  const Known all = known("plain/two-clients", {.states_max = 100'000, .events_max = ~std::size_t{0}});
  EXPECT_TRUE(all.hand.whole);
  EXPECT_GT(all.hand.states.size(), 267u) << "states that differ in forgotten things are kept apart";
  const Known little = known("plain/two-clients", {.states_max = 100'000, .events_max = 500});
  EXPECT_FALSE(little.hand.whole);
}

TEST(ByHand, OfALongRunTheEndIsKnown) {
  const Known all = known("plain/two-clients", {.states_max = 200, .run_max = 5});
  EXPECT_EQ(all.hand.run.size(), 6u);
  EXPECT_EQ(all.hand.taken, std::vector<std::size_t>(5, 0));
  EXPECT_EQ(all.hand.before.size(), all.hand.before_possible.size());
  EXPECT_GT(all.hand.before.size(), 20u);
}

TEST(ByHand, OfARunThatTellsMuchSoManyStatesAreKnownAsThereIsRoomFor) {
  const Known all = known("plain/two-clients", {.run_max = 400, .events_max = 400});
  EXPECT_GE(all.hand.run.size(), 2u);
  EXPECT_LE(all.hand.run.size(), 5u) << "each of them keeps some 60 events";
  EXPECT_EQ(all.hand.before.size() + all.hand.taken.size(), 35u);
}

class ByHandPage : public CliTest {
 protected:
  /// What stands in the element, as text.
  static std::string inside(const std::string& dom, const std::string& opening) {
    const auto at = dom.find(opening);
    if (at == std::string::npos) return "";
    const auto begin = dom.find('>', at) + 1;
    return dom.substr(begin, dom.find('<', begin) - begin);
  }
  static std::string decoded(const std::string& link) {
    std::string text;
    for (std::size_t at = 0; at < link.size(); ++at)
      if (link[at] == '%') text += static_cast<char>(std::stoi(link.substr((at += 2) - 1, 2), nullptr, 16));
      else text += link[at];
    return text;
  }
};

TEST_F(ByHandPage, InABrowserMovesAreChosenTakenBackAndSavedAsATrailThatReplays) {
  if (!reports::browser_is_here()) GTEST_SKIP() << "chromium-headless-shell does not start here";
  file("run.jsonl", content("reports/goldens/failover.jsonl"));
  ASSERT_EQ(here({"report", "run.jsonl", "-o", "run.html"}).status, 0);
  const std::string html = content(at("run.html"));
  std::string console;
  const std::string dom = reports::browsed(html, "#event=0&tab=by-hand&way=0.0.1.0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(inside(dom, "id=\"place\""),
              StartsWith("Behind decision 2 of the run, and 2 of your own · 0 s"));
  const std::string line = inside(dom, "id=\"onward\"");
  EXPECT_EQ(line, "lockstep step failover/master-dies-before-replication --choose 0,0,1,0");
  const Finished step = typed(line);
  EXPECT_EQ(step.status, 0) << step.err;
  EXPECT_THAT(step.out, HasSubstr(inside(dom, "id=\"view\"").substr(0, 10)));
  const auto href = dom.find("id=\"save\"");
  ASSERT_NE(href, std::string::npos);
  const auto begin = dom.find("utf-8,", href) + 6;
  file("by-hand.trail", decoded(dom.substr(begin, dom.find('"', begin) - begin)));
  const Finished replayed = here({"replay", "by-hand.trail"});
  EXPECT_EQ(replayed.status, 0) << replayed.out << replayed.err << content(at("by-hand.trail"));
  const std::string far = reports::browsed(html, "#tab=by-hand&way=0.0.99.0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(inside(far, "id=\"said\""), StartsWith("The link leads further"));
}

TEST_F(ByHandPage, ItGoesThroughItselfWithoutAComplaint) {
  if (!reports::browser_is_here()) GTEST_SKIP() << "chromium-headless-shell does not start here";
  file("run.jsonl", content("reports/goldens/failover.jsonl"));
  ASSERT_EQ(here({"report", "run.jsonl", "-o", "run.html"}).status, 0);
  const std::string html = content(at("run.html"));
  std::string console;
  const std::string dom = reports::browsed(html, "?selftest#event=0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(dom, HasSubstr("TAP version 13\n1..11\nok 1 - "));
  EXPECT_THAT(dom, ::testing::Not(HasSubstr("\nnot ok")));
  EXPECT_THAT(dom, HasSubstr("id=\"properties\""));
  EXPECT_THAT(dom, HasSubstr("vacuous: its premise does not occur"));
  EXPECT_THAT(dom, HasSubstr("class=\"neighbour\"")) << "a way on which it does not break";
  const std::string picked = reports::browsed(html, "#event=0&actors=R0,nobody&kind=eval", console);
  EXPECT_THAT(picked, HasSubstr("data-who=\"R0\" aria-pressed=\"true\""));
  EXPECT_THAT(picked, HasSubstr("data-who=\"A1\" aria-pressed=\"false\""));
  const std::vector<std::string> ten_events{"report",  "run.jsonl",  "--max-events", "10",
                                            "--title", "only <ten>", "-o",           "ten.html"};
  ASSERT_EQ(here(ten_events).status, 0);
  const std::string ten = reports::browsed(content(at("ten.html")), "#event=0", console);
  EXPECT_EQ(console, "");
  EXPECT_THAT(ten, HasSubstr("10 events are listed; "));
  EXPECT_THAT(ten, HasSubstr("only &lt;ten&gt;"));
}

}  // namespace
}  // namespace lockstep::tools
