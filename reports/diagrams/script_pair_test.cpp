#include "reports/diagrams/script_pair.h"

#include <gtest/gtest.h>

#include "reports/testing/golden.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

CountedScript with_publish() {
  CountedScript script{.role = "unlock", .file = "old.lua", .sha1 = "0123456789abcdef", .runs = 3};
  script.lines = {{.text = "if (gone) then", .hits = 3, .branch = CountedBranch{0, 3}},
                  {.text = "publish()", .indent = 1, .hits = 0},
                  {.text = "end;", .is_code = false},
                  {.text = "del()", .hits = 3, .broken = "mutual-exclusion"}};
  return script;
}

CountedScript without_publish() {
  CountedScript script{.role = "unlock", .file = "new.lua", .sha1 = "fedcba9876543210", .runs = 1};
  script.lines = {{.text = "if (gone) then", .hits = 1, .branch = CountedBranch{1, 0}},
                  {.text = "return nil", .indent = 1, .hits = 1},
                  {.text = "end;", .is_code = false},
                  {.text = "note()", .hits = 0},
                  {.text = "del()", .hits = 0}};
  return script;
}

PairedScripts small_pair() {
  return paired({.title = "old\n3 runs", .scripts = {with_publish()}},
                {.title = "new\n1 run", .scripts = {without_publish()}});
}

TEST(ScriptPair, WhatIsTheSameStandsInOneRowAndWhatDiffersBesideEachOther) {
  EXPECT_EQ(paired_text(small_pair()),
            "a  old\n   3 runs\nb  new\n   1 run\n\n"
            "unlock · ran 3 times                                       unlock · ran 1 time\n"
            "old.lua · 0123456789a…                                     new.lua · fedcba98765…\n"
            "       3   1  if (gone) then                                      1   1  if (gone) then\n"
            "              -- never yes · no 3                                        -- yes 1 · never no\n"
            "   never   2    publish()                                |        1   2    return nil\n"
            "           3  end;                                                    3  end;\n"
            "                                                         >    never   4  note()\n"
            "       3   4  del()                                           never   5  del()\n"
            "              ✗ mutual-exclusion breaks after this write\n");
}

TEST(ScriptPair, IsDrawnAsItsGolden) {
  expect_golden("reports/goldens/script-pair.dot", to_dot(script_pair_drawing(small_pair())));
}

TEST(ScriptPair, AScriptOfOneSideOnlyStandsAlone) {
  const PairedScripts pairs = paired({.title = "", .scripts = {with_publish()}}, {});
  ASSERT_EQ(pairs.scripts.size(), 1u);
  EXPECT_FALSE(pairs.scripts[0].b);
  for (const PairedRow& row : pairs.scripts[0].rows) EXPECT_EQ(mark_of(row), '<');
  EXPECT_NE(paired_text(pairs).find("no such script"), std::string::npos);
  EXPECT_EQ(mark_of(paired({}, {.title = "", .scripts = {with_publish()}}).scripts[0].rows[0]), '>');
}

TEST(ScriptPair, AChangeThatNobodyRanIsNamedAndNotShownAsSeen) {
  CountedScript a = with_publish(), b = without_publish(), c = with_publish();
  a.runs = b.runs = c.runs = 0;
  c.role = "renew";
  const PairedScripts pairs =
      paired({.title = "", .scripts = {a, c}}, {.title = "", .scripts = {b, c}});
  EXPECT_TRUE(pairs.scripts.empty());
  EXPECT_EQ(pairs.unrun, std::vector<std::string>{"unlock"});
  EXPECT_EQ(paired_text(pairs), "differ, and ran on neither side: unlock\n");
}

TEST(ScriptPair, WhatDiffersComesFirstAndEqualTextsOfARoleBelongTogether) {
  CountedScript same = with_publish(), own = without_publish();
  same.role = "lock";
  const PairedScripts pairs = paired({.title = "", .scripts = {same, with_publish(), own}},
                                     {.title = "", .scripts = {same, own, with_publish()}});
  ASSERT_EQ(pairs.scripts.size(), 3u);
  for (const ScriptPair& pair : pairs.scripts) EXPECT_TRUE(pair.same());
  const PairedScripts changed = paired({.title = "", .scripts = {same, with_publish()}},
                                       {.title = "", .scripts = {same, own}});
  EXPECT_EQ(changed.scripts.front().a->role, "unlock");
}

TEST(ScriptPair, HostileNamesStayText) {
  for (const std::string& name : hostile_names()) {
    CountedScript a = with_publish(), b = without_publish();
    a.role = b.role = a.file = b.sha1 = a.lines[0].text = b.lines[1].text = a.lines[3].broken = name;
    PairedScripts pairs = paired({.title = name, .scripts = {a}}, {.title = name, .scripts = {b}});
    pairs.unrun.push_back(name);
    for (const std::string& out : {paired_text(pairs), to_dot(script_pair_drawing(pairs))}) {
      EXPECT_TRUE(valid_utf8(out)) << name;
      EXPECT_EQ(out.find("\xE2\x80\xAE"), std::string::npos);
      EXPECT_EQ(out.find('\x01'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lockstep::reports
