#include "reports/diagrams/script_view.h"

#include <gtest/gtest.h>

#include "reports/testing/golden.h"
#include "reports/testing/real_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

CountedScripts small_script() {
  CountedScript script{.role = "lock", .file = "lua/scripts/lock.lua", .sha1 = "0123456789abcdef", .runs = 5};
  script.lines = {{.text = "if (free) then", .hits = 5, .branch = CountedBranch{5, 0}},
                  {.text = "take()", .indent = 1, .hits = 5, .broken = "mutual-exclusion"},
                  {.text = "end;", .is_code = false},
                  {.text = "return 1;", .hits = 0}};
  return {.title = "a/b\n5 transitions", .scripts = {script}};
}

TEST(ScriptView, SaysWhatRanHowOftenAndWhatNeverDid) {
  EXPECT_EQ(script_text(small_script()),
            "a/b\n5 transitions\n\n"
            "lock · ran 5 times (lua/scripts/lock.lua · 0123456789a…)\n"
            "         5    1  if (free) then   -- yes 5 · never no\n"
            "         5    2    take()   ✗ mutual-exclusion\n"
            "              3  end;\n"
            "     never    4  return 1;\n");
}

TEST(ScriptView, IsDrawnAsItsGolden) {
  expect_golden("reports/goldens/script.dot", to_dot(script_drawing(small_script())));
}

TEST(ScriptView, LinesHaveNamesByWhichAPageFindsThem) {
  const std::string dot = to_dot(script_drawing(small_script()));
  for (const char* part : {"id=\"line-0-1\"", "class=\"line missed\"", "class=\"line broken\"", "never no"})
    EXPECT_NE(dot.find(part), std::string::npos) << part;
}

TEST(ScriptView, HostileNamesStayText) {
  for (const std::string& name : hostile_names()) {
    CountedScripts counted = small_script();
    counted.title = name;
    counted.scripts[0].role = counted.scripts[0].file = counted.scripts[0].sha1 = name;
    counted.scripts[0].lines[0].text = counted.scripts[0].lines[1].broken = name;
    for (const std::string& out : {script_text(counted), to_dot(script_drawing(counted))}) {
      EXPECT_TRUE(valid_utf8(out)) << name;
      EXPECT_EQ(out.find("\xE2\x80\xAE"), std::string::npos);
      EXPECT_EQ(out.find('\x01'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lockstep::reports
