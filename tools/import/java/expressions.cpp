#include "tools/import/java/expressions.h"

#include <algorithm>
#include <array>

namespace lockstep::tools::java {

namespace {

constexpr int nested_max = 300;
constexpr std::size_t chain_max = 300;  // calls on calls: a.b().c()…
constexpr int links_max = 5000;         // operators of one expression

struct Operator {
  std::string_view text;
  int level;  // the higher, the tighter it binds
};
constexpr std::array operators{Operator{"||", 1}, Operator{"&&", 2}, Operator{"|", 3},  Operator{"^", 4},
                               Operator{"&", 5},  Operator{"==", 6}, Operator{"!=", 6}, Operator{"<", 7},
                               Operator{"<=", 7}, Operator{">", 7},  Operator{">=", 7}, Operator{"<<", 8},
                               Operator{">>", 8}, Operator{"+", 9},  Operator{"-", 9},  Operator{"*", 10},
                               Operator{"/", 10}, Operator{"%", 10}};
constexpr std::array<std::string_view, 12> assignments{
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="};

class Reader {
 public:
  Reader(const File& file, std::uint32_t at, std::uint32_t last) : file_(file), at_(at), last_(last) {}

  Expression read() {
    const std::uint32_t begin = at_;
    Expression expression = assignment();
    if (!failed_) return expression;
    for (at_ = begin; at_ < last_ && !ends(); ++at_)
      if (file_.partner[at_] > at_) at_ = file_.partner[at_];
    Expression unread;
    unread.range = {begin, at_};
    return unread;
  }

  std::uint32_t at() const { return at_; }

 private:
  using Is = Expression::Is;

  const Token& token(std::uint32_t ahead = 0) const {
    return at_ + ahead < last_ ? file_.at(at_ + ahead) : file_.tokens.back();
  }
  bool on(std::string_view text) const { return token().is(text); }
  bool is_name(std::uint32_t ahead = 0) const { return token(ahead).kind == Token::Kind::name; }
  bool ends() const { return on(",") || on(";") || on(")") || on("]") || on("}"); }

  bool take(std::string_view text) {
    if (!on(text)) return false;
    ++at_;
    return true;
  }
  void want(std::string_view text) { failed_ |= !take(text); }

  Expression node(Is is, std::string_view text, std::uint32_t begin,
                  std::vector<Expression> parts = {}) const {
    Expression made;
    made.is = is;
    made.text = text;
    made.parts = std::move(parts);
    made.range = {begin, at_};
    return made;
  }
  Expression fail() {
    failed_ = true;
    return {};
  }

  /// `>` and what follows it without a blank, put together: how many tokens, and what they are.
  std::pair<std::string_view, std::uint32_t> symbol() const {
    if (!on(">")) return {token().kind == Token::Kind::symbol ? token().text : std::string_view{}, 1};
    std::uint32_t count = 1;
    while (count < 4 && !token(count).apart && (token(count).is(">") || token(count).is("="))) ++count;
    static constexpr std::array<std::string_view, 7> joined{">", ">=", ">>", ">>=", ">>>", ">>>=", ">>>"};
    std::string text;
    for (std::uint32_t i = 0; i < count; ++i) text += token(i).text;
    const auto found = std::find(joined.begin(), joined.end(), text);
    return found == joined.end() ? std::pair{std::string_view(">"), 1u} : std::pair{*found, count};
  }

  Expression assignment() {
    if (++depth_ > nested_max) return fail();
    const std::uint32_t begin = at_;
    Expression left = choice();
    const auto [text, count] = symbol();
    if (!failed_ && std::find(assignments.begin(), assignments.end(), text) != assignments.end()) {
      at_ += count;
      Expression right = assignment();
      left = node(Is::set, text, begin, two(std::move(left), std::move(right)));
    }
    --depth_;
    return left;
  }

  static std::vector<Expression> two(Expression one, Expression other) {
    std::vector<Expression> parts;
    parts.push_back(std::move(one));
    parts.push_back(std::move(other));
    return parts;
  }

  Expression choice() {
    const std::uint32_t begin = at_;
    Expression condition = binary(1);
    if (failed_ || !take("?")) return condition;
    if (++depth_ > nested_max) return fail();
    std::vector<Expression> parts;
    parts.push_back(std::move(condition));
    parts.push_back(assignment());
    want(":");
    parts.push_back(assignment());
    --depth_;
    return node(Is::choice, "?", begin, std::move(parts));
  }

  static int level_of(std::string_view text) {
    if (text == ">>>") return 8;
    for (const Operator& each : operators)
      if (each.text == text) return each.level;
    return 0;
  }

  Expression binary(int level) {
    const std::uint32_t begin = at_;
    Expression left = unary();
    while (!failed_) {
      if (level <= 7 && on("instanceof")) {
        left = instance_of(std::move(left), begin);
        continue;
      }
      const auto [text, count] = symbol();
      const int tightness = level_of(text);
      if (tightness < level || tightness == 0) break;
      if (++links_ > links_max) return fail();
      at_ += count;
      Expression right = binary(tightness + 1);
      if (text == "+" && left.is == Is::sum && left.text == "+") {
        left.parts.push_back(std::move(right));
        left.range.last = at_;
      } else {
        left = node(text == "+" ? Is::sum : Is::other, text, begin, two(std::move(left), std::move(right)));
      }
    }
    return left;
  }

  Expression instance_of(Expression left, std::uint32_t begin) {
    ++at_;
    take("final");
    type_name();
    if (take("(")) at_ = std::min(file_.partner[at_ - 1] + 1, last_);
    if (is_name()) ++at_;
    std::vector<Expression> parts;
    parts.push_back(std::move(left));
    return node(Is::other, "instanceof", begin, std::move(parts));
  }

  Expression unary() {
    const std::uint32_t begin = at_;
    for (const std::string_view text : {"!", "-", "+", "~", "++", "--"}) {
      if (!on(text)) continue;
      if (++depth_ > nested_max) return fail();
      ++at_;
      std::vector<Expression> parts;
      parts.push_back(unary());
      --depth_;
      return node(Is::other, text, begin, std::move(parts));
    }
    if (on("(") && is_cast()) {
      if (++depth_ > nested_max) return fail();
      at_ = file_.partner[at_] + 1;
      std::vector<Expression> parts;
      parts.push_back(unary());
      --depth_;
      return node(Is::other, "()", begin, std::move(parts));
    }
    return postfix();
  }

  /// Whether the bracket here holds a type, and an operand follows it.
  bool is_cast() const {
    const std::uint32_t close = file_.partner[at_];
    if (close <= at_ + 1 || close >= last_) return false;
    for (std::uint32_t at = at_ + 1; at < close; ++at) {
      const Token& token = file_.at(at);
      if (token.kind != Token::Kind::name && !token.is(".") && !token.is("<") && !token.is(">") &&
          !token.is(",") && !token.is("[") && !token.is("]") && !token.is("&") && !token.is("?"))
        return false;
    }
    const Token& next = file_.at(close + 1);
    if (close + 1 >= last_ || next.is("instanceof")) return false;
    return next.kind == Token::Kind::name || next.kind == Token::Kind::text ||
           next.kind == Token::Kind::number || next.kind == Token::Kind::character ||
           next.kind == Token::Kind::block || next.is("(") || next.is("!") || next.is("~");
  }

  Expression postfix() {
    const std::uint32_t begin = at_;
    Expression left = primary();
    for (std::size_t links = 0; !failed_; ++links) {
      if (links > chain_max) return fail();
      if (on(".")) {
        ++at_;
        at_ = behind_type_arguments(file_, at_, last_);
        if (on("new")) left = make(begin);
        else if (is_name()) left = named(begin, std::move(left), true);
        else return fail();
      } else if (on("[") && file_.partner[at_] < last_) {
        at_ = file_.partner[at_] + 1;
        std::vector<Expression> parts;
        parts.push_back(std::move(left));
        left = node(Is::other, "[]", begin, std::move(parts));
      } else if (on("++") || on("--")) {
        ++at_;
        std::vector<Expression> parts;
        parts.push_back(std::move(left));
        left = node(Is::other, "++", begin, std::move(parts));
      } else if (take("::")) {
        at_ = behind_type_arguments(file_, at_, last_);
        if (!is_name()) return fail();
        ++at_;
        left = node(Is::other, "::", begin);
      } else {
        return left;
      }
    }
    return left;
  }

  /// A name, or a call of that name.
  Expression named(std::uint32_t begin, Expression target, bool targeted) {
    const std::string_view name = token().text;
    const std::uint32_t anchor = at_++;
    std::vector<Expression> parts;
    if (targeted) parts.push_back(std::move(target));
    const bool call = on("(");
    if (call) arguments(parts);
    Expression made = node(call ? Is::call : Is::name, name, begin, std::move(parts));
    made.targeted = targeted;
    made.anchor = anchor;
    return made;
  }

  void arguments(std::vector<Expression>& into) {
    want("(");
    while (!failed_ && !on(")")) {
      into.push_back(assignment());
      if (!take(",") && !on(")")) failed_ = true;
    }
    want(")");
  }

  Expression primary() {
    const std::uint32_t begin = at_;
    if (at_ >= last_) return fail();
    const Token::Kind kind = token().kind;
    if (kind != Token::Kind::symbol && kind != Token::Kind::name) {
      ++at_;
      return node(Is::literal, file_.at(begin).text, begin);
    }
    if (on("true") || on("false") || on("null")) {
      ++at_;
      return node(Is::literal, file_.at(begin).text, begin);
    }
    if (is_function()) return function();
    if (on("(")) {
      ++at_;
      Expression inner = assignment();
      want(")");
      if (inner.is == Is::sum) inner.text = "(+)";  // a sum in brackets is one part of the sum around it
      inner.range = {begin, at_};
      return inner;
    }
    if (on("new")) return make(begin);
    if (on("switch") && token(1).is("(")) return fail();
    if (!is_name()) return fail();
    return named(begin, {}, false);
  }

  bool is_function() const {
    if (is_name() && token(1).is("->")) return true;
    return on("(") && file_.partner[at_] + 1 < last_ && file_.at(file_.partner[at_] + 1).is("->");
  }

  Expression function() {
    Expression made;
    made.is = Is::function;
    made.range.first = at_;
    const std::uint32_t arrow = is_name() ? at_ + 1 : file_.partner[at_] + 1;
    for (; at_ < arrow; ++at_)
      if (is_name() && (token(1).is(",") || token(1).is(")") || token(1).is("->")))
        made.parameters.push_back(token().text);
    ++at_;
    if (on("{")) {
      made.body = {at_ + 1, file_.partner[at_]};
      at_ = file_.partner[at_] + 1;
    } else {
      made.parts.push_back(assignment());
    }
    made.range.last = at_;
    return made;
  }

  void type_name() {
    if (!is_name()) failed_ = true;
    while (is_name()) {
      ++at_;
      at_ = behind_type_arguments(file_, at_, last_);
      if (!on(".") || !is_name(1)) break;
      ++at_;
    }
    while (on("[") && token(1).is("]")) at_ += 2;
  }

  Expression make(std::uint32_t begin) {
    ++at_;
    at_ = behind_type_arguments(file_, at_, last_);
    const std::string_view type = token().text;
    type_name();
    std::vector<Expression> parts;
    Range body;
    const bool array = on("[") || on("{");
    if (on("(")) arguments(parts);
    while (!failed_ && on("[")) at_ = file_.partner[at_] + 1;
    if (!failed_ && on("{") && array) {
      const std::uint32_t close = file_.partner[at_];
      for (++at_; !failed_ && at_ < close;) {
        if (on("{")) return fail();
        parts.push_back(assignment());
        if (!take(",") && at_ < close) failed_ = true;
      }
      want("}");
    } else if (!failed_ && on("{")) {
      body = {at_ + 1, file_.partner[at_]};
      at_ = file_.partner[at_] + 1;
    }
    Expression made = node(Is::make, array ? std::string_view("[]") : type, begin, std::move(parts));
    made.body = body;
    return made;
  }

  const File& file_;
  std::uint32_t at_, last_;
  int depth_ = 0, links_ = 0;
  bool failed_ = false;
};

}  // namespace

Expression read_expression(const File& file, std::uint32_t& at, std::uint32_t last) {
  Reader reader(file, at, last);
  Expression expression = reader.read();
  at = reader.at();
  return expression;
}

}  // namespace lockstep::tools::java
