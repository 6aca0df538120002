#include "tools/graph/script_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lua/engine/engine.h"
#include "lua/scripts/embedded_scripts.h"
#include "tools/graph/script_words.h"

namespace lockstep::tools {
namespace {

std::string laid_out_text(const ScriptLayout& layout) {
  std::string text;
  for (const LaidOutLine& line : layout.lines)
    text += std::string(static_cast<std::size_t>(line.indent) * 2, ' ') + line.text + "\n";
  return text;
}

TEST(ScriptLayout, HasOneStatementOnEachLine) {
  EXPECT_EQ(laid_out_text(lay_out("if (redis.call('exists', KEYS[1]) == 0) then return nil; end; "
                          "local a = 1 local b = a f(a) return redis.call('pttl', KEYS[1]);")),
            "if (redis.call('exists', KEYS[1]) == 0) then\n"
            "  return nil;\n"
            "end;\n"
            "local a = 1\n"
            "local b = a\n"
            "f(a)\n"
            "return redis.call('pttl', KEYS[1]);\n");
}

TEST(ScriptLayout, BlocksAreIndented) {
  EXPECT_EQ(laid_out_text(lay_out("for i = 1, 2 do repeat x = i until true end "
                          "if a then b() elseif c then d() else e(function(y) return y end) end")),
            "for i = 1, 2 do\n"
            "  repeat\n"
            "    x = i\n"
            "  until true\n"
            "end\n"
            "if a then\n"
            "  b()\n"
            "elseif c then\n"
            "  d()\n"
            "else\n"
            "  e(function(y)\n"
            "    return y\n"
            "  end)\n"
            "end\n");
}

TEST(ScriptLayout, EveryIfKnowsWhereItsConditionAndItsBodyStand) {
  const ScriptLayout layout = lay_out("if a then b() c() elseif d then end if e then if f then g() end end");
  ASSERT_EQ(layout.branches.size(), 4u);
  EXPECT_EQ(layout.branches[0].first, 1);
  EXPECT_EQ(layout.branches[0].body_first, 2);
  EXPECT_EQ(layout.branches[0].body_last, 3);
  EXPECT_LT(layout.branches[1].body_last, layout.branches[1].body_first) << "an empty body";
  EXPECT_EQ(layout.branches[3].first, layout.branches[2].first + 1);
  EXPECT_EQ(layout.branches[2].body_last, layout.branches[3].body_last + 1);
}

TEST(ScriptLayout, TextsOverSeveralLinesKeepTheirLines) {
  const ScriptLayout layout = lay_out("local a = [[one\n\n  two]] return a -- why\nreturn [==[ ]] ]==]");
  EXPECT_EQ(layout.code, "local a = [[one\n\n  two]]\nreturn a\n-- why\nreturn [==[ ]] ]==]\n");
  EXPECT_EQ(layout.lines.size(), 6u);
}

TEST(ScriptLayout, ABreakBehindThenHasALineThatIsReached) {
  const ScriptLayout layout = lay_out("while true do if x then break end end");
  EXPECT_NE(layout.code.find("do break end\n"), std::string::npos);
  EXPECT_EQ(layout.lines[2].text, "break");
}

std::string words_in(std::string_view script) {
  std::string all;
  for (const ScriptWord& word : words_of_script(script)) all += std::string(word.text) + " ";
  return all;
}

TEST(ScriptLayout, EveryShippedScriptCompilesAndKeepsItsWords) {
  lua::Engine engine;
  std::size_t scripts = 0;
  for (const sim::EmbeddedFile& file : lua::embedded_scripts()) {
    if (!file.name.ends_with(".lua")) continue;
    ++scripts;
    const ScriptLayout layout = lay_out(file.text);
    const lua::Reply reply = engine.load(layout.code);
    EXPECT_EQ(reply.error(), nullptr) << file.name;
    if (layout.code.find("do break end") == std::string::npos) {
      EXPECT_EQ(words_in(layout.code), words_in(file.text)) << file.name;
    }
    EXPECT_FALSE(layout.lines.empty()) << file.name;
  }
  EXPECT_GT(scripts, 40u);
}

/// A long string that does not end may get a line break behind it.
std::string squeezed(const std::string& text) {
  std::string out = words_in(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\n'; });
  return out;
}

RC_GTEST_PROP(ScriptLayout, AnyTextIsLaidOutWithoutLosingAWord, ()) {
  const auto word = rc::gen::element<std::string>(
      "if ", "then ", "end ", "else ", "function ", "(", ")", "[[", "]]", "--", "\n", "'", "\"", "a ", "1..2",
      "do ", "repeat ", "until ", ";", "\xFF", "elseif ", "[=[", "return ", "\\", "0x1e+", ".5e-3");
  std::string script;
  for (const std::string& one : *rc::gen::container<std::vector<std::string>>(word)) script += one;
  const ScriptLayout layout = lay_out(script);
  if (script.find("break") == std::string::npos) RC_ASSERT(squeezed(layout.code) == squeezed(script));
}

}  // namespace
}  // namespace lockstep::tools
