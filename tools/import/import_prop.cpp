// Whatever bytes a .java file holds, reading it ends, in an answer or in a sentence.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tools/import/imported_set.h"

namespace lockstep::tools {
namespace {

const std::string sample = R"java(package a.b;
import static a.b.Texts.*;
/** A lock. */
@Generated("x")
public abstract class RedissonLock<T extends Map<String, List<?>>> extends Base implements RLock {
  static final String HEAD = "if (redis.call('exists', KEYS[1]) == 0) then ", TAIL = """
      return 1 \
      end""";
  enum Kind { A { void f() { } }, B; int n = 0x1F; }
  record Pair(int a, String b) { }
  private final Map<String, List<String>> names = new HashMap<>() {{ put("a", null); }};
  <V> RFuture<V> tryLockInnerAsync(long lease, TimeUnit unit, final long... threadId) throws Exception {
    StringBuilder b = new StringBuilder(HEAD).append('\u0041').append(1L);
    for (int i = 0, n = 2; i < n; i++) {
      if (i >> 1 >= 0 && !(x instanceof Foo f)) continue; else b.append(i);
    }
    try (Lock l = open()) { b.append(lease > 0 ? "a" : (String) other); }
    catch (A | B e) { throw e; } finally { x++; }
    switch (kind) { case A: b.append(TAIL); break; default -> { } }
    List<Object> keys = Arrays.<Object>asList(getName(), new Object[] {1, "2"}[0]);
    return stage.thenApply((r, e) -> {
      return evalWriteAsync(getName(), C::new, BOOL, b.toString() + TAIL, keys, lease); });
  }
}
)java";

void read(const std::string& bytes) {
  auto file = java::read_file(bytes, "A.java");
  if (!file.ok()) {
    RC_ASSERT(file.problem().text.starts_with("A.java:"));
    RC_ASSERT(file.problem().text.find('\n') == std::string::npos);
    return;
  }
  std::vector<std::unique_ptr<java::File>> files;
  files.push_back(std::move(file).value());
  const java::Program program(std::move(files));
  const std::vector<FoundScript> found = find_scripts(program);
  const Placement placement = place_scripts(found, model::shipped_kinds());
  RC_ASSERT(imported_files("imported", found, placement).ok());
  RC_ASSERT(!import_report(found, placement).empty());
}

TEST(JavaReaderFuzz, TheSampleIsRead) {
  auto file = java::read_file(sample, "A.java");
  ASSERT_TRUE(file.ok()) << file.problem().text;
}

TEST(JavaReaderFuzz, AFileThatEndsTooSoonIsRefusedOrRead) {
  for (std::size_t size = 0; size < sample.size(); ++size) read(sample.substr(0, size));
}

RC_GTEST_PROP(JavaReaderFuzz, AnyBytesAreReadOrRefused, (const std::string& bytes)) { read(bytes); }

RC_GTEST_PROP(JavaReaderFuzz, AnyWordsAreReadOrRefused, ()) {
  const std::vector<std::string> words{"class", "A",      "{",         "}",      "(",     ")",
                                       "[",     "]",      "<",         ">",      "=",     "+",
                                       "\"s\"", ";",      ",",         ".",      "->",    "::",
                                       "?",     ":",      "if",        "else",   "for",   "try",
                                       "catch", "switch", "case",      "return", "new",   "evalWriteAsync",
                                       "@",     "x",      "1",         "'c'",    "!",     "++",
                                       "enum",  "record", "interface", "static", "final", "StringBuilder",
                                       "append"};
  std::string text = "class RedissonLock { String f(String x) { ";
  int open = 0;
  for (const std::string& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words))) {
    if (word == "}" || word == ")" || word == "]") continue;
    text += word + " ";
    if (word != "{" && word != "(" && word != "[") continue;
    text += *rc::gen::elementOf(words) == "x" ? "x " : "";
    text += word == "{" ? "} " : word == "(" ? "x ) " : "] ";
    ++open;
  }
  read(text + "} }");
}

RC_GTEST_PROP(JavaReaderFuzz, AChangedFileIsReadOrRefused, ()) {
  std::string bytes = sample;
  for (int changes = *rc::gen::inRange(1, 6); changes > 0; --changes) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const std::size_t length = *rc::gen::inRange<std::size_t>(0, 12);
    const std::string other = sample.substr(*rc::gen::inRange<std::size_t>(0, sample.size()), length);
    bytes.replace(at, *rc::gen::inRange<std::size_t>(0, 12), other);
  }
  read(bytes);
}

TEST(JavaReaderFuzz, WhatIsDeepOrLongIsRead) {
  const std::string front = "class RedissonLock { String f(String x) { return evalWriteAsync(k, c, b, ";
  const auto many = [](const std::string& piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
  };
  for (const char* piece : {"\"a\" + ", "x - ", "!", "(x) ", "x ? ", "x = ", "-"})
    read(front + many(piece, 20'000) + "\"s\", K); } }");
  read(front + "x" + many(".f()", 20'000) + ", K); } }");
  read("class A { void f() { " + many("if (x) y(); else ", 20'000) + "z(); } }");
  read("class A { void f() { " + many("try { } catch (E e) { x = 1; } ", 2'000) + "z(); } }");
  read(many("class A { ", 300) + many("} ", 300));
}

}  // namespace
}  // namespace lockstep::tools
