#include "tools/mutate/script_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "tools/mutate/lua_sites.h"

namespace lockstep::tools {

namespace {

class MutantMaker {
 public:
  MutantMaker(const lua::Script& script, const LuaSites& sites) : script_(script), sites_(sites) {}

  std::vector<ScriptMutant> run() {
    for (const LuaSites::Call& call : sites_.calls) change_call(call);
    for (const LuaSites::Neighbours& two : sites_.neighbours) exchange(two);
    for (const LuaSites::Condition& one : sites_.conditions) change_condition(one);
    for (const LuaSites::Binary& one : sites_.binaries) change_binary(one);
    for (const LuaSites::Word& word : sites_.words) change_word(word);
    for (const LuaSites::Constant& one : sites_.constants) change_constant(one);
    std::stable_sort(made_.begin(), made_.end(), [](const ScriptMutant& a, const ScriptMutant& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    std::set<std::string> texts{script_.text};
    std::erase_if(made_, [&](const ScriptMutant& one) { return !texts.insert(one.text).second; });
    return std::move(made_);
  }

 private:
  std::string source(Span span) const { return script_.text.substr(span.begin, span.end - span.begin); }

  void make(Span span, const std::string& text, std::string what) {
    std::string whole = script_.text;
    whole.replace(span.begin, span.end - span.begin, text);
    made_.push_back({.line = line_at(script_.text, span.begin),
                     .column = column_at(script_.text, span.begin),
                     .what = std::move(what),
                     .text = std::move(whole)});
  }

  static std::string quoted(const std::string& command) {
    const bool plain = command.find_first_of("[].: (") == std::string::npos;
    return plain ? fmt::format("'{}'", command) : fmt::format("`{}`", command);
  }

  /// Line ends stay.
  static std::string blank(std::string text) {
    std::erase_if(text, [](char c) { return c != '\n'; });
    return text;
  }

  void change_call(const LuaSites::Call& call) {
    if (!call.statement) return;
    make(call.span, "do end" + blank(source(call.span)), quoted(call.command) + " dropped");
    make(call.span, fmt::format("{0};{0}", source(call.span)), quoted(call.command) + " repeated");
  }

  void exchange(const LuaSites::Neighbours& two) {
    const LuaSites::Call &first = sites_.calls[two.first], &second = sites_.calls[two.second];
    const std::string between = source({first.span.end, second.span.begin});
    make({first.span.begin, second.span.end}, source(second.span) + between + source(first.span),
         fmt::format("{} and {} swapped", quoted(first.command), quoted(second.command)));
  }

  /// Without the parentheses and blanks around it.
  Span bare(Span span) const {
    const std::string_view text = script_.text;
    for (;;) {
      while (span.begin < span.end && is_blank(text[span.begin])) ++span.begin;
      while (span.begin < span.end && is_blank(text[span.end - 1])) --span.end;
      if (!is_in_parentheses(span)) return span;
      ++span.begin;
      --span.end;
    }
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  bool is_in_parentheses(Span span) const {
    if (span.end - span.begin < 2 || script_.text[span.begin] != '(') return false;
    int depth = 0;
    for (std::size_t i = span.begin; i < span.end; ++i) {
      if (script_.text[i] == '(') ++depth;
      if (script_.text[i] == ')' && --depth == 0) return i + 1 == span.end;
    }
    return false;
  }

  /// `if(x)` needs no blank, `ifnot` does.
  void change_condition(const LuaSites::Condition& one) {
    const bool close = one.span.begin > 0 && !is_blank(script_.text[one.span.begin - 1]);
    const std::string gap = close ? " " : "";
    const std::string condition = source(one.span);
    make(one.span, fmt::format("{}not ({})", gap, condition), fmt::format("`{}` negated", one.word));
    const bool always = source(bare(one.span)) == "true";
    if (always) return;
    // What is always so, or never, still asks: questions that cost nothing are as before.
    make(one.span, fmt::format("{}({}) or true", gap, condition), fmt::format("`{}` always true", one.word));
    make(one.span, fmt::format("{}({}) and false", gap, condition), fmt::format("`{}` never true", one.word));
  }

  void change_binary(const LuaSites::Binary& one) {
    const Span all{one.left.begin, one.right.end};
    if (one.op == "and" || one.op == "or") {
      // The side that goes leaves its line ends.
      const std::string behind = blank(source({one.left.end, all.end}));
      const std::string before = blank(source({all.begin, one.right.begin}));
      make(all, source(one.left) + behind, fmt::format("right side of `{}` dropped", one.op));
      make(all, before + source(one.right), fmt::format("left side of `{}` dropped", one.op));
      return;
    }
    const std::pair<std::string_view, std::string_view> edges[] = {
        {">", ">="}, {">=", ">"}, {"<", "<="}, {"<=", "<"}};
    for (const auto& [op, other] : edges)
      if (one.op == op) make(one.at, std::string(other), fmt::format("`{}` made `{}`", op, other));
    const bool is_condition =
        std::any_of(sites_.conditions.begin(), sites_.conditions.end(),
                    [&](const LuaSites::Condition& c) { return bare(c.span) == bare(all); });
    if (is_condition) return;  // it is negated as a whole
    if (one.op == "==") make(one.at, "~=", "`==` made `~=`");
    if (one.op == "~=") make(one.at, "==", "`~=` made `==`");
    if (one.op == "+") make(one.at, "-", "`+` made `-`");
    if (one.op == "-") make(one.at, "+", "`-` made `+`");
  }

  void change_word(const LuaSites::Word& word) {
    const std::size_t number_of_all = word.is_key ? script_.keys.size() : script_.args.size();
    const std::string from = source(word.span);
    if (number_of_all > 1) {
      const std::string to =
          fmt::format("{}[{}]", word.is_key ? "KEYS" : "ARGV", word.number % number_of_all + 1);
      make(word.span, to, fmt::format("{} made {}", from, to));
    } else if (word.is_key) {
      make(word.span, fmt::format("({}..'x')", from), fmt::format("{} made another key", from));
    }
  }

  void change_constant(const LuaSites::Constant& one) {
    const auto replace = [&](const std::string& by) {
      const bool sign = by.front() == '-';  // behind another one it would begin a comment
      make(one.span, sign ? "(" + by + ")" : by, fmt::format("{} made {}", one.text, by));
    };
    if (one.text == "nil") return replace("0");
    if (one.text == "false") return replace("true");
    if (one.text == "true") {
      const bool whole = std::any_of(sites_.conditions.begin(), sites_.conditions.end(),
                                     [&](const LuaSites::Condition& c) { return bare(c.span) == one.span; });
      if (!whole) replace("false");
      return;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(one.text.data(), one.text.data() + one.text.size(), number);
    if (error != std::errc() || end != one.text.data() + one.text.size()) return;
    replace(std::to_string(number + 1));
    if (number > 0) replace(std::to_string(number - 1));
    else replace("-1");
  }

  const lua::Script& script_;
  const LuaSites& sites_;
  std::vector<ScriptMutant> made_;
};

}  // namespace

sim::Result<std::vector<ScriptMutant>> script_mutants(const lua::Script& script) {
  const auto sites = lua_sites(script.text);
  if (!sites) return sites.problem();
  return MutantMaker(script, *sites).run();
}

}  // namespace lockstep::tools
