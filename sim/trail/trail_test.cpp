#include "sim/trail/trail.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep::sim {
namespace {

const char* const shrunk = R"(lockstep-trail 1
lines    = 11
scenario = failover/master-dies
digest   = 3f9c
scripts  = redisson@3.10.5+unlock
script   = lock 00e0126cb0c2a3e1b9a1d7d8a2f4a0c1e2f3a4b5 lua/lock.lua
script   = unlock 11e0126cb0c2a3e1b9a1d7d8a2f4a0c1e2f3a4b5 my files/größer {1}.lua
property = mutual-exclusion
verdict  = violated
then     = default until 41

@12 5/6 crash-node R0
@13 2/4 promote R1
)";

std::string complaint(std::string_view text) {
  const auto trail = parse_trail(text, "t.trail");
  return trail ? "accepted" : trail.problem().text;
}

/// The complaint about one line after a correct beginning; it is line 3 of the file.
std::string complaint_about(std::string_view line) {
  return complaint(fmt::format("lockstep-trail 1\nscenario = x\n{}\n", line));
}

TEST(Trail, AShrunkOneIsReadAsItsDeviations) {
  const auto trail = parse_trail(shrunk, "t.trail");
  ASSERT_TRUE(trail.ok()) << trail.problem().text;
  EXPECT_EQ(trail->scenario, "failover/master-dies");
  EXPECT_EQ(trail->scenario_digest, "3f9c");
  EXPECT_EQ(trail->scripts, "redisson@3.10.5+unlock");
  ASSERT_EQ(trail->used.size(), 2u);
  EXPECT_EQ(trail->used[1].role, "unlock");
  EXPECT_EQ(trail->used[1].source, "my files/größer {1}.lua");
  EXPECT_EQ(trail->property_at.number, 8u);
  EXPECT_EQ(trail->lines[1].at.number, 13u);
  EXPECT_EQ(trail->property, "mutual-exclusion");
  EXPECT_EQ(trail->verdict, "violated");
  EXPECT_EQ(trail->then, (Then{true, 41}));
  EXPECT_EQ(trail->lines,
            (std::vector<TrailLine>{{12, Choice{5, 6}, "crash-node R0"}, {13, Choice{2, 4}, "promote R1"}}));
  EXPECT_EQ(text_of(*trail), shrunk);
}

TEST(Trail, StepsFollowEachOtherUnlessTheySayOtherwise) {
  const auto trail = parse_trail("lockstep-trail 1\nscenario=x\n0/1 a\n@5 ? b\n1/2 c\n", "t.trail");
  ASSERT_TRUE(trail.ok()) << trail.problem().text;
  EXPECT_EQ(trail->lines,
            (std::vector<TrailLine>{{1, Choice{0, 1}, "a"}, {5, {}, "b"}, {6, Choice{1, 2}, "c"}}));
  EXPECT_EQ(trail->then, Then{});
}

TEST(Trail, CommentsBlankLinesIndentationAndCarriageReturnsDoNotMatter) {
  const auto plain = parse_trail("lockstep-trail 1\nscenario = x\n0/1 take x#fresh\n", "t.trail");
  const auto edited = parse_trail(
      "# mine\r\n\nlockstep-trail 1\r\n  scenario=x  \r\n# why\n\t0/1   take x#fresh \r\n", "t.trail");
  ASSERT_TRUE(plain.ok() && edited.ok());
  EXPECT_EQ(*plain, *edited);
  EXPECT_EQ(plain->lines.front().move,
            "take x#fresh");  // a comment begins a line, so moves may hold the sign
}

TEST(Trail, AByteOrderMarkInFrontIsNoPartOfIt) {
  const std::string text = "lockstep-trail 1\nscenario = x\n0/1 take x\n";
  const auto marked = parse_trail("\xEF\xBB\xBF" + text, "t.trail");
  ASSERT_TRUE(marked.ok()) << marked.problem().text;
  EXPECT_EQ(*marked, *parse_trail(text, "t.trail"));
}

TEST(Trail, ErrorsNameFileAndLine) {
  EXPECT_EQ(complaint(""), "t.trail:1: not a trail: the file is empty");
  EXPECT_EQ(complaint("hello\n"), "t.trail:1: not a trail: the first line must be 'lockstep-trail 1'");
  EXPECT_EQ(complaint("lockstep-trail 2\n"), "t.trail:1: format 2 is not known to this build, which reads 1");
  EXPECT_EQ(complaint("lockstep-trail x\n"), "t.trail:1: 'x' is not a format number");
  EXPECT_EQ(complaint("lockstep-trail 1\n"),
            "t.trail:1: the trail does not say its scenario: is it cut off?");
  EXPECT_EQ(complaint(std::string_view("\x7f"
                                       "ELF\0",
                                       5)),
            "t.trail:1: not a trail: the file holds the control byte 0x7f");
  EXPECT_EQ(complaint_about("seed = 5"),
            "t.trail:3: unknown header 'seed'; known are lines, scenario, file, digest, scripts, script, "
            "property, verdict, then");
  EXPECT_EQ(complaint_about("scenario = y"), "t.trail:3: 'scenario' is given twice");
  EXPECT_EQ(complaint_about("then = perhaps"),
            "t.trail:3: then = perhaps: expected stop, default, or default until STEP");
  EXPECT_EQ(complaint_about("crash R0"),
            "t.trail:3: 'crash R0' is neither a header ('key = value') nor a decision ('1/4 move')");
  EXPECT_EQ(complaint_about("4/4 a"),
            "t.trail:3: '4/4' is not CHOSEN/ARITY, such as 0/4 (the first of four), or ?");
  EXPECT_EQ(complaint_about("1/99999999999 a"),
            "t.trail:3: '1/99999999999' is not CHOSEN/ARITY, such as 0/4 (the first of four), or ?");
  EXPECT_EQ(complaint_about("script = lock 12 a.lua"),
            "t.trail:3: a script is its role, its SHA1 (40 digits) and its file");
  EXPECT_EQ(complaint_about("0/4"), "t.trail:3: the decision names no move");
  EXPECT_EQ(complaint_about("@x 0/4 a"), "t.trail:3: '@x' is not a step; write @ and a number, such as @12");
  EXPECT_EQ(complaint_about("@0 0/4 a"), "t.trail:3: step 0 does not come after step 0");
  EXPECT_EQ(complaint_about("@7 0/4 a\n@7 0/4 b"), "t.trail:4: step 7 does not come after step 7");
  EXPECT_EQ(complaint_about("0/4 a\nproperty = p"), "t.trail:4: headers stand before the first decision");
  EXPECT_EQ(complaint_about("then = default until 3\n@7 0/4 a"),
            "t.trail:4: then = default until 3 ends before the last decision, at step 7");
}

TEST(Trail, WhatIsCutOffAnywhereIsSaidToBe) {
  const std::string_view whole = shrunk;
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
    const std::string said = complaint(whole.substr(0, bytes));
    EXPECT_NE(said.find("cut off"), std::string::npos) << bytes << ": " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << bytes << ": " << said;
  }
  EXPECT_EQ(complaint(whole.substr(0, whole.find("my files"))),
            "t.trail:2: the file is cut off: 4 of 11 lines follow (who takes lines away by hand leaves out "
            "`lines`)");
}

TEST(Trail, MoreLinesThanItSaysAreNoMistakeAndWithoutANumberAnyAreRight) {
  EXPECT_TRUE(parse_trail(std::string(shrunk) + "# mine\n@15 ? pause A\n", "t").ok());
  EXPECT_TRUE(parse_trail("lockstep-trail 1\nscenario = x\n0/1 a", "t").ok());
  EXPECT_EQ(complaint("lockstep-trail 1\nlines = few\n"),
            "t.trail:2: lines = few: expected how many lines follow");
}

TEST(Trail, ATabWithinATextIsRefusedAndAroundItIsNothing) {
  EXPECT_TRUE(parse_trail("lockstep-trail 1\nscenario =\ta\t\n\t0/2\tpass 1ms\t\r\n", "t").ok());
  for (const char* text :
       {"lockstep-trail 1\nscenario = a\tb\n", "lockstep-trail 1\nscenario = a\n0/2 pass\t1ms\n",
        "lockstep-trail 1\nscenario = a\rb\n"}) {
    const auto read = parse_trail(text, "t");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.problem().text.find("a tab or carriage return stands within a text"), std::string::npos);
  }
}

TEST(Trail, AFileBeyondTheLimitIsRefusedUnread) {
  const std::string huge(trail_bytes_max + 1, ' ');
  EXPECT_EQ(complaint(huge), "t.trail: 67108865 bytes are more than a trail may have (67108864)");
}

/// Texts as scenario names and moves have them: no line breaks, no blanks at the ends.
std::string any_text(std::size_t least) {
  const auto inner = rc::gen::element('a', '7', '#', '=', '@', '/', '?', ' ', '\xc3');
  const auto length = *rc::gen::inRange<std::size_t>(least, 8);
  std::string text = *rc::gen::container<std::string>(length, inner);
  if (!text.empty()) text.front() = text.back() = *rc::gen::element('a', '7', '#', '=', '@', '/', '?');
  return text;
}

Trail any_trail() {
  Trail trail{any_text(1), any_text(0), any_text(0), any_text(0), any_text(0), any_text(0), {}, {}};
  if (*rc::gen::arbitrary<bool>()) trail.used.push_back({"lock", std::string(40, 'a'), any_text(0)});
  std::size_t step = 0;
  const auto gap_max = *rc::gen::inRange<std::size_t>(1, 4);  // 1: a full trail
  for (int left = *rc::gen::inRange(0, 6); left > 0; --left) {
    step += *rc::gen::inRange<std::size_t>(1, gap_max + 1);
    TrailLine line{step, {}, any_text(1)};
    const auto arity = *rc::gen::inRange<std::uint32_t>(0, 4);
    if (arity != 0) line.choice = Choice{*rc::gen::inRange<std::uint32_t>(0, arity), arity};
    trail.lines.push_back(std::move(line));
  }
  trail.then.by_default = *rc::gen::arbitrary<bool>();
  if (trail.then.by_default && *rc::gen::arbitrary<bool>())
    trail.then.until = step + *rc::gen::inRange<std::size_t>(0, 9);
  return trail;
}

RC_GTEST_PROP(Trail, WhatIsWrittenIsReadBackExactly, ()) {
  const Trail trail = any_trail();
  const auto read = parse_trail(text_of(trail), "t.trail");
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == trail);
  RC_ASSERT(text_of(*read) == text_of(trail));
}

RC_GTEST_PROP(Trail, NoFileWhateverItHoldsIsMoreThanAProblem, ()) {
  std::string text = text_of(any_trail());
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::element('\0', '\n', ' ', '9', '/', '@', '=', '\xff');
  }
  const auto read = parse_trail(text, "t.trail");
  if (read.ok()) RC_ASSERT(*parse_trail(text_of(*read), "t.trail") == *read);
  else RC_ASSERT(read.problem().text.starts_with("t.trail:"));
}

TEST(Trail, ADecisionByItselfMayLeaveOutWhereItsMoveStands) {
  EXPECT_EQ(*parse_decision(" run A1 ", 3), (TrailLine{4, {}, "run A1"}));
  EXPECT_EQ(*parse_decision("@9 ? run A1", 3), (TrailLine{9, {}, "run A1"}));
  EXPECT_EQ(*parse_decision("1/2 run A1", 0), (TrailLine{1, Choice{1, 2}, "run A1"}));
  EXPECT_EQ(parse_decision("@3 run A1", 3).problem().text, "step 3 does not come after step 3");
  EXPECT_EQ(parse_decision("@x run A1", 3).problem().text,
            "'@x' is not a step; write @ and a number, such as @12");
  EXPECT_EQ(parse_decision("@5 0/1", 3).problem().text, "the decision names no move");
}

}  // namespace
}  // namespace lockstep::sim
