// Which scripts are found in Java, and what of them is certain. The Java is written for these tests.
#include "tools/import/found_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<FoundScript> found_in(const std::vector<std::string>& sources) {
  std::vector<std::unique_ptr<java::File>> files;
  for (const std::string& source : sources) {
    auto file = java::read_file(source, "F" + std::to_string(files.size()) + ".java");
    EXPECT_TRUE(file.ok()) << file.problem().text;
    if (file.ok()) files.push_back(std::move(file).value());
  }
  return find_scripts(java::Program(std::move(files)));
}

/// The scripts of a class whose members are these.
std::vector<FoundScript> found_within(const std::string& members) {
  return found_in({"package a.b;\nclass MyLock {\n" + members + "\n}\n"});
}

/// "text" or "?: why", each with what was decided.
std::vector<std::string> told(const std::vector<FoundScript>& found) {
  std::vector<std::string> lines;
  for (const FoundScript& one : found) {
    lines.push_back(one.text ? *one.text : "?: " + one.why);
    for (const std::string& condition : one.under) lines.back() += " | " + condition;
  }
  return lines;
}

/// The texts of one method with this body, which ends in a call with `script`.
std::vector<std::string> told_of(const std::string& body, const std::string& more = "") {
  return told(found_within("void f(boolean fair, String given) {\n" + body +
                           "\n evalWriteAsync(getName(), CODEC, BOOL, script, KEYS);\n}\n" + more));
}

TEST(FoundScript, ASumOfLiteralsIsOneText) {
  const auto found = found_within(
      "<T> RFuture<T> take(long lease, RedisCommand<T> command) {\n"
      "  return executor.evalWriteAsync(getName(), LongCodec.INSTANCE, command,\n"
      "      \"return \" + // one\n      \"redis.call('get', \" + \"KEYS[\" + 1 + ']' + \")\",\n"
      "      Collections.<Object>singletonList(getName()), unit.toMillis(lease), this.id + \":\" + 1);\n}");
  ASSERT_EQ(found.size(), 1u);
  const FoundScript& one = found.front();
  EXPECT_EQ(one.text, "return redis.call('get', KEYS[1])");
  EXPECT_EQ(one.name(), "MyLock.take");
  EXPECT_EQ(one.called, "evalWriteAsync");
  EXPECT_EQ(one.line, 4u);
  EXPECT_EQ(one.answer, "command");
  EXPECT_TRUE(one.of_lock);
  ASSERT_TRUE(one.keys && one.args);
  EXPECT_THAT(*one.keys, ElementsAre(JavaWord{"getName()", std::nullopt}));
  EXPECT_THAT(*one.args, ElementsAre(JavaWord{"unit.toMillis(lease)", std::nullopt},
                                     JavaWord{"this.id + \":\" + 1", std::nullopt}));
}

TEST(FoundScript, LocalVariablesAndBuildersArePutTogether) {
  EXPECT_THAT(told_of("String a = \"x\"; final String script = a + \"y\";"), ElementsAre("xy"));
  EXPECT_THAT(told_of("String script; script = \"x\"; script += \"y\"; script += 1;"), ElementsAre("xy1"));
  EXPECT_THAT(
      told_of("StringBuilder b = new StringBuilder(\"x\"); b.append('y').append(2); b.append(\"z\");\n"
              "String script = b.toString();"),
      ElementsAre("xy2z"));
  EXPECT_THAT(told_of("String script = \"a\".concat(\"b\").replace(\"b\", \"c\").trim();"),
              ElementsAre("ac"));
  EXPECT_THAT(
      told_of("String script = String.format(\"k%s %d%%\", \"x\", 5) + String.join(\",\", \"a\", \"b\");"),
      ElementsAre("kx 5%a,b"));
  EXPECT_THAT(told_of("String script = \"\"\"\n    return 1\n    \"\"\" + (\"a\" + 1 + 2) + (1 + 2);"),
              ElementsAre("return 1\na123"));
}

TEST(FoundScript, AConditionSplitsATextAndNamesItself) {
  EXPECT_THAT(told_of("String script = \"a\" + (fair ? \"b\" : \"c\") + \"d\";"),
              ElementsAre("abd | fair", "acd | not (fair)"));
  EXPECT_THAT(told_of("String script = \"a\"; if (given.isEmpty()) { script += \"b\"; } script += \"c\";"),
              ElementsAre("abc | given.isEmpty()", "ac | not (given.isEmpty())"));
  EXPECT_THAT(told_of("String script = \"a\"; if (fair) script += \"b\"; if (!fair) { script += \"c\"; }"),
              ElementsAre("ab | fair", "ac | not (fair)"));
}

TEST(FoundScript, WhatComesToTheSameIsNotSplit) {
  EXPECT_THAT(told_of("if (given == null) throw new Error(); String script = \"a\";\n"
                      "long wait = 1; if (fair) { long more = 2; wait = more; }"),
              ElementsAre("a"));
  EXPECT_THAT(told_of("String script = fair ? \"a\" : \"a\";"), ElementsAre("a"));
}

TEST(FoundScript, ConstantsOfAnyClassAreFollowed) {
  const std::string texts =
      "package a.b;\npublic interface Texts { String HEAD = \"h\"; String ALL = HEAD + Tail.T; }\n"
      "class Tail { static final String T = \"t\"; }\n";
  const std::string far =
      "package far;\npublic class Far { public static final String X = \"x\", Y = \"y\";\n"
      "  static class In { static final String Z = \"z\"; } }\n";
  const auto found =
      found_in({texts, far,
                "package a.b;\nimport far.Far;\nimport static far.Far.X;\nclass MyLock implements Texts {\n"
                "  private final String end; private static String last = \"l\";\n"
                "  MyLock(String name) { this.end = \"e\"; }\n"
                "  void f() { eval(HEAD, Texts.ALL, BOOL);\n"
                "    syncedEval(k, c, b, X + Far.Y + Far.In.Z + far.Far.X + end + last, KEYS); } }"});
  EXPECT_THAT(told(found), ElementsAre("ht", "xyzxel"));
}

TEST(FoundScript, MethodsThatReturnAPieceAreRead) {
  const std::string pieces =
      "private String head() { return \"h\"; }\n"
      "static String key(int n) { return \"KEYS[\" + n + \"]\"; }\n"
      "String tail(boolean fair) { if (fair) { return \"f\"; } return \"u\"; }\n";
  EXPECT_THAT(told_of("String script = head() + key(2) + tail(true);", pieces), ElementsAre("hKEYS[2]f"));
  EXPECT_THAT(told_of("String script = this.tail(fair) + MyLock.key(1);", pieces),
              ElementsAre("fKEYS[1] | fair", "uKEYS[1] | not (fair)"));
}

TEST(FoundScript, AClassThatAnswersOtherwiseHasAScriptOfItsOwn) {
  const auto found =
      found_in({"class MyLock { String word() { return \"a\"; }\n"
                "  void f() { evalWriteAsync(k, c, b, word() + \"!\", KEYS); } }\n"
                "class OtherLock extends MyLock { String word() { return \"b\"; } }\n"
                "class EqualLock extends MyLock { void g() { } }\n"});
  ASSERT_THAT(told(found), ElementsAre("a!", "b!"));
  EXPECT_EQ(found[1].name(), "OtherLock.f");
}

TEST(FoundScript, WhatMayChangeIsNotCertainAndSaysWhy) {
  EXPECT_THAT(told_of("String script = \"a\"; for (String s : list) { script += s; }"),
              ElementsAre("?: `script` may be changed in a loop, line 4"));
  EXPECT_THAT(told_of("String script = \"\xff\";"),
              ElementsAre("?: the string has bytes that are not UTF-8"));
  EXPECT_THAT(told_of("String script = given;"), ElementsAre("?: `given` is a parameter of `f`"));
  EXPECT_THAT(told_of("String script = \"a\" + other.text();"),
              ElementsAre("?: `other.text()` is not known from the source"));
  EXPECT_THAT(told_of("String script = CHANGES;", "static String CHANGES = \"x\";"),
              ElementsAre("?: the field `CHANGES` may be changed while the program runs"));
  EXPECT_THAT(told_of("StringBuilder b = new StringBuilder(\"x\"); fill(b); String script = b.toString();"),
              ElementsAre(HasSubstr("`b` is handed to `fill`, which may change it")));
  EXPECT_THAT(told_of("StringBuilder b = new StringBuilder(\"x\"); list.forEach(x -> b.append(x));\n"
                      "String script = b.toString();"),
              ElementsAre(HasSubstr("`b` may be changed in a function, line 4")));
  EXPECT_THAT(
      told_of("String script = \"a\"; switch (given) { case \"x\": script = \"b\"; break; default: }"),
      ElementsAre("?: `script` may be changed in a switch, line 4"));
  EXPECT_THAT(told_of("String script = loop();", "String loop() { return loop() + 1; }"),
              ElementsAre("?: `loop` calls itself"));
}

TEST(FoundScript, CallsInFunctionsAndClassesWithoutANameBelongToTheMethodAround) {
  const auto found = found_within(
      "void f() { String s = \"a\";\n service.execute(() -> evalWriteAsync(k, c, b, s, KEYS));\n"
      " timer.start(new Task() { public void run(Timeout t) {\n   try { evalReadAsync(k, c, b, s + \"b\", "
      "KEYS); }\n"
      "   catch (Error e) { return; } } });\n"
      " stage.thenCompose(r -> { if (!r) { return x.evalWriteAsync(k, c, b, s + 1, KEYS); } return null; }); "
      "}");
  EXPECT_THAT(told(found), ElementsAre("a", "ab", "a1 | not (r)"));
  for (const FoundScript& one : found) EXPECT_EQ(one.method, "f");
}

TEST(FoundScript, AMethodThatHandsAScriptOnIsSeenThrough) {
  const auto found = found_within(
      "void evalOwn(String key, String script, Object... rest) { ex.evalWriteAsync(key, c, b, script, KEYS, "
      "rest); }\n"
      "private void send(String script, List<Object> keys) { ex.evalWriteAsync(k, c, b, script, keys, "
      "lease); }\n"
      "void lock() { send(\"one\", Arrays.asList(getName(), \"x\")); }\nvoid unlock() { send(\"two\", null); "
      "}\n");
  EXPECT_THAT(told(found), ElementsAre("one", "two"));
  EXPECT_EQ(found[0].name(), "MyLock.lock");
  ASSERT_TRUE(found[0].keys.has_value());
  EXPECT_THAT(*found[0].keys, ElementsAre(JavaWord{"getName()", std::nullopt}, JavaWord{"\"x\"", "x"}));
}

TEST(FoundScript, ListsAreFollowed) {
  const auto found = found_within(
      "void f() { List<Object> keys = new ArrayList<>(); keys.add(getName()); keys.add(a.b());\n"
      "  List<Object> args = new ArrayList<>(Arrays.asList(lease)); for (String n : names) args.add(n);\n"
      "  evalWriteAsync(k, c, b, \"s\", keys, 1, getLockName(id));\n"
      "  evalWriteAsync(k, c, b, \"t\", new ArrayList<>(keys), args.toArray()); }");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(*found[0].keys, ElementsAre(JavaWord{"getName()", {}}, JavaWord{"a.b()", {}}));
  EXPECT_THAT(*found[0].args, ElementsAre(JavaWord{"1", "1"}, JavaWord{"getLockName(id)", {}}));
  EXPECT_THAT(*found[1].args, ElementsAre(JavaWord{"lease", {}}, JavaWord{"n", {}, true}));
}

TEST(FoundScript, ListsThatALoopOnlyFillsHoldEachOfItsWords) {
  const auto words_of = [](const std::string& loop) {
    const auto found = found_within(
        "void f(Iterator<String> names, int most) {\n List<Object> keys = new ArrayList<>(most);\n"
        " keys.add(\"first\");\n" +
        loop + "\n eval2Async(getName(), CODEC, BOOL, \"return 1\", keys.toArray());\n}\n");
    std::string told;
    if (found.size() != 1 || !found[0].keys) return std::string("no words");
    for (const JavaWord& word : *found[0].keys) told += word.told() + ";";
    return told;
  };
  EXPECT_EQ(words_of(""), "\"first\";");
  EXPECT_EQ(
      words_of(
          "while (names.hasNext()) { String name = names.next(); keys.add(name); keys.add(x.of(name)); }"),
      "\"first\";each names.next();each x.of(name);");
  EXPECT_EQ(words_of("for (String name : all) { if (keys.size() > 5) break; keys.addAll(parts(name)); }"),
            "\"first\";each parts(name);");
  // What some rounds put in and others do not, what is taken out again, and what is sent on the way.
  for (const char* unclear : {"for (String name : all) { if (name.isEmpty()) keys.add(name); }",
                              "for (String name : all) { keys.add(name); if (x) continue; keys.add(y); }",
                              "for (String name : all) { keys.add(name); keys.remove(name); }",
                              "for (String name : all) { keys = other(); }",
                              "for (String name : all) { keys.add(name); filled(keys); }"})
    EXPECT_EQ(words_of(unclear), "no words") << unclear;
}

TEST(FoundScript, ALoopOfOneRoundPutsEachWordInOnce) {
  const auto words_of = [](const std::string& handed, const std::string& head) {
    const auto found = found_in(
        {"package a.b;\nclass ManyLock { final int most;\n"
         "  ManyLock(String name, int most) { this.most = most; } }\n"
         "class OneLock extends ManyLock { OneLock(String name) { super(name, " +
         handed +
         "); }\n  void f(Iterator<String> names, int most) { List<Object> keys = new ArrayList<>(most);\n"
         "    List<Object> args = new ArrayList<>();\n    while (" +
         head +
         ") { String name = names.next(); if (name == null) continue;\n"
         "      keys.add(name); args.add(x.of(name)); args.addAll(parts(name)); }\n"
         "    if (keys.isEmpty()) return;\n    String first = keys.get(0);\n"
         "    eval2Async(first, C, B, \"return 1\", Collections.singletonList(first), args.toArray()); } "
         "}\n"});
    std::string told;
    if (found.size() != 1 || !found[0].keys || !found[0].args) return std::string("no words");
    for (const JavaWord& word : *found[0].keys) told += word.told() + ";";
    for (const JavaWord& word : *found[0].args) told += " " + word.told() + ";";
    return told;
  };
  EXPECT_EQ(words_of("1", "names.hasNext() && keys.size() < most"),
            "names.next(); x.of(name); each parts(name);");
  // More than one round, or it cannot be told.
  for (const auto& [handed, head] : std::vector<std::pair<std::string, std::string>>{
           {"2", "names.hasNext() && keys.size() < most"},
           {"name.length()", "names.hasNext() && keys.size() < most"},
           {"1", "names.hasNext()"},
           {"1", "names.hasNext() || keys.size() < most"},
           {"1", "names.hasNext() && names.size() < most"},
           {"1", "names.hasNext() && keys.size() < other"}})
    EXPECT_EQ(words_of(handed, head), "keys.get(0); each x.of(name); each parts(name);") << handed << head;
}

TEST(FoundScript, LocksGiveAMethodOfAnotherClassTheirOwnKeys) {
  const auto found =
      found_in({"package a.b;\nclass Thing { void expire(long time, String param, String... keys) {\n"
                "  evalWriteAsync(k, C, B, \"return 1\", Arrays.asList(keys), time, param); } }\n"
                "class Map extends Thing { void expire(long time, String param, String... keys) {\n"
                "  super.expire(time, param, getName(), other); } }\n"
                "class MyLock extends Thing { void expire(long time, String param, String... keys) {\n"
                "  super.expire(time, param, getName(), queue); } }\n"});
  ASSERT_EQ(found.size(), 2u);
  const FoundScript& own = found[0];
  EXPECT_EQ(own.name(), "MyLock.expire");
  EXPECT_TRUE(own.of_lock);
  ASSERT_TRUE(own.keys && own.args);
  EXPECT_THAT(*own.keys, ElementsAre(JavaWord{"getName()", {}}, JavaWord{"queue", {}}));
  EXPECT_THAT(*own.args, ElementsAre(JavaWord{"time", {}}, JavaWord{"param", {}}));
  EXPECT_EQ(found[1].name(), "Thing.expire");
  EXPECT_FALSE(found[1].of_lock);
}

TEST(FoundScript, AllOfACollectionAreOneWordUnderItsName) {
  const auto found = found_within(
      "Collection<String> fields;\n"
      "void f() { List<Object> args = new ArrayList<>(); args.add(getLockName(id)); args.addAll(fields);\n"
      "  evalWriteAsync(k, c, b, \"s\", Collections.singletonList(getRawName()), args.toArray()); }");
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(found[0].args.has_value());
  EXPECT_THAT(*found[0].args, ElementsAre(JavaWord{"getLockName(id)", {}}, JavaWord{"fields", {}, true}));
}

TEST(FoundScript, WhatIsNotUnderstoodIsNotPassedOver) {
  const auto found = found_within(
      "void f() { x = switch (y) { case 1 -> evalWriteAsync(k, c, b, \"s\", KEYS); }; }\n"
      "abstract <T> T evalWriteAsync(String k, Codec c, Cmd b, String s);\n"
      "void g() { if (isEvalCacheActive()) evalReadAsync(k, c, b, \"t\", KEYS); }");
  EXPECT_THAT(told(found), ElementsAre("?: the code around it is not understood", "t | isEvalCacheActive()"));
}

TEST(FoundScript, MoreWaysThanAreFollowedAreSaid) {
  std::string body = "String script = \"\";\n";
  for (int i = 0; i < 8; ++i)
    body += "if (flag" + std::to_string(i) + ") script += " + std::to_string(i) + ";\n";
  for (const std::string& line : told_of(body))
    EXPECT_THAT(line, HasSubstr("more conditions than are followed"));
}

TEST(FoundScript, ClassesThatAreNoLocksAreToldApart) {
  const auto found = found_in(
      {"class RedissonMap { void f() { evalReadAsync(k, c, b, \"s\", KEYS); } }",
       "package org.redisson.renewal; class Task { void f() { evalReadAsync(k, c, b, \"t\", K); } }"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0].of_lock);
  EXPECT_TRUE(found[1].of_lock);
  EXPECT_THAT(found_in({"class A { }", ""}), IsEmpty());
}

}  // namespace
}  // namespace lockstep::tools
