#include "tools/mutate/lua_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/mutate/lua_tokens.h"

namespace lockstep::tools {

namespace {

/// Where the script is no Lua; becomes a Problem in lua_sites, the only catcher.
struct NoLua {
  std::size_t at;
  std::string wanted;
};

constexpr int lua_nesting_max = 200, unary_binds = 8;

struct Binds {
  int left = 0, right = 0;
};

std::optional<Binds> binds_of(std::string_view op) {
  if (op == "or") return Binds{1, 1};
  if (op == "and") return Binds{2, 2};
  if (op == "<" || op == ">" || op == "<=" || op == ">=" || op == "~=" || op == "==") return Binds{3, 3};
  if (op == "..") return Binds{5, 4};
  if (op == "+" || op == "-") return Binds{6, 6};
  if (op == "*" || op == "/" || op == "%") return Binds{7, 7};
  if (op == "^") return Binds{10, 9};
  return std::nullopt;
}

/// Recursive descent, statement by statement; what it passes is noted.
class LuaParser {
 public:
  LuaParser(std::string_view text, const std::vector<LuaToken>& tokens) : text_(text), tokens_(tokens) {}

  LuaSites run() {
    block();
    if (peek().kind != LuaTokenKind::end) want("the end");
    return std::move(sites_);
  }

 private:
  struct Deeper {
    explicit Deeper(LuaParser& of) : depth(of.depth_) {
      if (++depth > lua_nesting_max) of.want("less nesting");
    }
    ~Deeper() { --depth; }
    int& depth;
  };

  const LuaToken& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  /// A keyword or a sign; texts and names are never meant.
  bool is(std::string_view word, std::size_t ahead = 0) const {
    const LuaToken& token = peek(ahead);
    return (token.kind == LuaTokenKind::keyword || token.kind == LuaTokenKind::sign) && token.text == word;
  }
  bool take(std::string_view word) {
    if (!is(word)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void want(std::string wanted) const { throw NoLua{peek().span.begin, std::move(wanted)}; }
  void expect(std::string_view word) {
    if (!take(word)) want(fmt::format("`{}`", word));
  }
  void name() {
    if (peek().kind != LuaTokenKind::name) want("a name");
    ++at_;
  }
  std::size_t begin() const { return peek().span.begin; }
  std::size_t end() const { return at_ == 0 ? 0 : tokens_[at_ - 1].span.end; }

  bool at_block_end() const {
    return peek().kind == LuaTokenKind::end || is("end") || is("else") || is("elseif") || is("until");
  }

  void block() {
    const Deeper deeper(*this);
    std::optional<std::size_t> before;
    while (!at_block_end()) {
      if (take(";")) continue;
      const auto call = statement();
      if (call && before) sites_.neighbours.push_back({*before, *call});
      before = call;
    }
  }

  /// The call that the whole statement is.
  std::optional<std::size_t> statement() {
    if (is("if")) return if_statement(), std::nullopt;
    if (is("while")) return while_statement(), std::nullopt;
    if (is("for")) return for_statement(), std::nullopt;
    if (is("local")) return local_statement(), std::nullopt;
    if (is("return")) return return_statement(), std::nullopt;
    if (take("break")) return std::nullopt;
    if (take("do")) return block(), expect("end"), std::nullopt;
    if (take("repeat")) {
      block();
      expect("until");
      expression();
      return std::nullopt;
    }
    if (take("function")) {
      name();
      while (take(".") || take(":")) name();
      return function_body(), std::nullopt;
    }
    return call_or_assignment();
  }

  void condition(std::string_view word) {
    const std::size_t first = begin();
    expression();
    sites_.conditions.push_back({{first, end()}, std::string(word)});
  }

  void if_statement() {
    expect("if");
    condition("if");
    expect("then");
    block();
    while (take("elseif")) {
      condition("elseif");
      expect("then");
      block();
    }
    if (take("else")) block();
    expect("end");
  }

  void while_statement() {
    expect("while");
    condition("while");
    expect("do");
    block();
    expect("end");
  }

  void for_statement() {
    expect("for");
    name();
    while (take(",")) name();
    if (!take("=")) expect("in");
    expressions();
    expect("do");
    block();
    expect("end");
  }

  void local_statement() {
    expect("local");
    if (take("function")) return name(), function_body();
    name();
    while (take(",")) name();
    if (take("=")) expressions();
  }

  void return_statement() {
    expect("return");
    if (!at_block_end() && !is(";")) {
      if (is("nil") && !is(",", 1) && !binds_of(peek(1).text)) constant();
      else expressions();
    }
    take(";");
    if (!at_block_end()) want("the end of a block");
  }

  void function_body() {
    expect("(");
    while (!take(")")) {
      if (!take("...")) name();
      if (!is(")")) expect(",");
    }
    block();
    expect("end");
  }

  std::optional<std::size_t> call_or_assignment() {
    const std::size_t first = begin();
    const bool is_call = suffixed();
    if (!is("=") && !is(",")) {
      if (!is_call) want("a statement");
      for (std::size_t i = sites_.calls.size(); i-- > 0;)
        if (sites_.calls[i].span == Span{first, end()}) {
          sites_.calls[i].statement = true;
          return i;
        }
      return std::nullopt;
    }
    while (take(",")) suffixed();
    expect("=");
    expressions();
    return std::nullopt;
  }

  void expressions() {
    expression();
    while (take(",")) expression();
  }

  void constant() {
    sites_.constants.push_back({peek().span, std::string(peek().text)});
    ++at_;
  }

  void expression(int least = 0) {
    const Deeper deeper(*this);
    const std::size_t first = begin();
    if (take("not") || take("-") || take("#")) expression(unary_binds);
    else simple();
    for (;;) {
      const LuaToken& op = peek();
      const bool may = op.kind == LuaTokenKind::keyword || op.kind == LuaTokenKind::sign;
      const auto binds = may ? binds_of(op.text) : std::nullopt;
      if (!binds || binds->left <= least) return;
      const Span left{first, end()};
      ++at_;
      const std::size_t right = begin();
      expression(binds->right);
      sites_.binaries.push_back({std::string(op.text), op.span, left, {right, end()}});
    }
  }

  void simple() {
    const LuaToken& token = peek();
    if (token.kind == LuaTokenKind::number || is("true") || is("false")) return constant();
    if (token.kind == LuaTokenKind::text || is("nil") || is("...")) {
      ++at_;
      return;
    }
    if (is("{")) return table();
    if (take("function")) return function_body();
    suffixed();
  }

  void table() {
    expect("{");
    while (!take("}")) {
      if (take("[")) {
        expression();
        expect("]");
        expect("=");
      } else if (peek().kind == LuaTokenKind::name && is("=", 1)) {
        at_ += 2;
      }
      expression();
      if (!is("}") && !take(",")) expect(";");
    }
  }

  /// KEYS[2]: a constant index of what a script is sent.
  bool word_sent() {
    const std::string_view whose = peek().text;
    const bool known = peek().kind == LuaTokenKind::name && (whose == "KEYS" || whose == "ARGV");
    if (!known || !is("[", 1) || peek(2).kind != LuaTokenKind::number || !is("]", 3)) return false;
    std::size_t number = 0;
    for (const char c : peek(2).text) {
      if (c < '0' || c > '9' || number > 1'000) return false;
      number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    sites_.words.push_back({{begin(), peek(3).span.end}, whose == "KEYS", number});
    at_ += 4;
    return true;
  }

  /// A name or a parenthesis with calls and indices behind it. Whether it ends with a call.
  bool suffixed() {
    const std::size_t first = begin(), first_token = at_;
    if (word_sent()) return suffixes(first, first_token);
    if (take("(")) {
      expression();
      expect(")");
    } else {
      name();
    }
    return suffixes(first, first_token);
  }

  bool suffixes(std::size_t first, std::size_t first_token) {
    bool is_call = false;
    for (;;) {
      if (take(".")) {
        name();
        is_call = false;
      } else if (take("[")) {
        expression();
        expect("]");
        is_call = false;
      } else if (is(":") || is("(") || is("{") || peek().kind == LuaTokenKind::text) {
        if (take(":")) name();
        arguments(first, first_token);
        is_call = true;
      } else {
        return is_call;
      }
    }
  }

  void arguments(std::size_t first, std::size_t first_token) {
    const auto word = [&](std::size_t i) { return tokens_[first_token + i].text; };
    const bool commands = at_ == first_token + 3 && word(0) == "redis" && word(1) == "." &&
                          (word(2) == "call" || word(2) == "pcall");
    std::optional<std::size_t> call;
    if (commands) {
      call = sites_.calls.size();
      sites_.calls.push_back({});
    }
    std::string command;
    if (peek().kind == LuaTokenKind::text) {
      command = peek().text;
      ++at_;
    } else if (is("{")) {
      table();
    } else {
      expect("(");
      const std::size_t begins = begin();
      if (!is(")")) expression();
      command = text_.substr(begins, end() - begins);
      while (take(",")) expression();
      expect(")");
    }
    if (!call) return;
    if (command.size() > 1 && (command.front() == '\'' || command.front() == '"'))
      command = command.substr(1, command.size() - 2);
    sites_.calls[*call] = {{first, end()}, command, false};
  }

  std::string_view text_;
  const std::vector<LuaToken>& tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  LuaSites sites_;
};

}  // namespace

sim::Result<LuaSites> lua_sites(std::string_view text) {
  const auto tokens = lua_tokens(text);
  if (!tokens) return tokens.problem();
  try {
    return LuaParser(text, *tokens).run();
  } catch (const NoLua& here) {
    return sim::Problem{fmt::format("line {}: {} is wanted here", line_at(text, here.at), here.wanted)};
  }
}

}  // namespace lockstep::tools
