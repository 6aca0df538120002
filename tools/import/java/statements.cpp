#include "tools/import/java/statements.h"

#include <algorithm>

namespace lockstep::tools::java {

namespace {

constexpr int nesting_max = 300;  // else if … else if …

class StatementReader {
 public:
  StatementReader(const File& file, Range range, int depth)
      : file_(file), at_(range.first), last_(range.last), depth_(depth) {}

  std::vector<Statement> read() {
    std::vector<Statement> statements;
    while (at_ < last_) {
      const std::uint32_t before = at_;
      statement(statements);
      if (at_ == before) ++at_;
    }
    return statements;
  }

 private:
  using Is = Statement::Is;

  const Token& token(std::uint32_t ahead = 0) const {
    return at_ + ahead < last_ ? file_.at(at_ + ahead) : file_.tokens.back();
  }
  bool on(std::string_view text) const { return token().is(text); }
  bool take(std::string_view text) {
    if (!on(text)) return false;
    ++at_;
    return true;
  }
  std::uint32_t behind() const { return file_.partner[at_] > at_ ? file_.partner[at_] + 1 : at_ + 1; }

  std::vector<Statement> inside(Range range) { return StatementReader(file_, range, depth_ + 1).read(); }

  /// What stands in the brackets here, if any do.
  Range brackets() {
    if (!on("(") && !on("{")) return {};
    const Range range{at_ + 1, file_.partner[at_]};
    at_ = behind();
    return range;
  }

  Expression expression(std::uint32_t last) {
    Expression read = read_expression(file_, at_, last);
    return read;
  }

  Statement made(Is is, std::uint32_t begin) const {
    Statement statement;
    statement.is = is;
    statement.range = {begin, at_};
    return statement;
  }

  void statement(std::vector<Statement>& into) {
    const std::uint32_t begin = at_;
    if (depth_ > nesting_max) {
      at_ = last_;
      return;
    }
    if (take(";")) return;
    if (token().kind == Token::Kind::name && token(1).is(":") && !on("default") && !on("case")) at_ += 2;
    if (on("{")) {
      std::vector<Statement> body = inside(brackets());
      into.push_back(made(Is::block, begin));
      into.back().body = std::move(body);
    } else if (take("if")) {
      into.push_back(branch(begin));
    } else if (on("for") || on("while") || on("do")) {
      into.push_back(loop(begin));
    } else if (take("try")) {
      into.push_back(attempt(begin));
    } else if (on("switch") && token(1).is("(")) {
      into.push_back(cases(begin));
    } else if (take("synchronized")) {
      brackets();
    } else if (on("class") || on("interface") || on("enum")) {
      while (at_ < last_ && !on("{")) ++at_;
      brackets();
    } else if (on("return") || on("throw") || on("break") || on("continue") || on("yield")) {
      into.push_back(leave(begin));
    } else if (!declaration(into)) {
      Expression read = expression(last_);
      into.push_back(made(Is::express, begin));
      into.back().parts.push_back(std::move(read));
      take(";");
    }
  }

  std::vector<Statement> one() {
    ++depth_;
    std::vector<Statement> body;
    if (at_ < last_) statement(body);
    --depth_;
    return body;
  }

  Statement branch(std::uint32_t begin) {
    std::vector<Expression> parts = expressions_in(brackets());
    std::vector<Statement> body = one(), otherwise;
    if (take("else")) otherwise = one();
    Statement statement = made(Is::branch, begin);
    if (parts.empty()) parts.emplace_back();
    statement.parts = std::move(parts);
    statement.body = std::move(body);
    statement.otherwise = std::move(otherwise);
    return statement;
  }

  /// The expressions of a head such as `int i = 0; i < n; i++` or `String name : names`.
  std::vector<Expression> expressions_in(Range range) {
    std::vector<Expression> found;
    for (std::uint32_t at = range.first; at < range.last;) {
      std::uint32_t behind_type = type_ends(at, range.last);
      if (behind_type != at && file_.at(behind_type).kind == Token::Kind::name &&
          (file_.at(behind_type + 1).is(":") || file_.at(behind_type + 1).is("=")))
        at = behind_type + 2;
      const std::uint32_t before = at;
      found.push_back(read_expression(file_, at, range.last));
      if (at == before || file_.at(at).is(";") || file_.at(at).is(",")) ++at;
    }
    return found;
  }

  Statement loop(std::uint32_t begin) {
    const bool asks_last = take("do");
    if (!asks_last) ++at_;
    std::vector<Expression> parts;
    if (!asks_last) parts = expressions_in(brackets());
    std::vector<Statement> body = one();
    if (asks_last && take("while")) parts = expressions_in(brackets());
    Statement statement = made(Is::loop, begin);
    statement.parts = std::move(parts);
    statement.body = std::move(body);
    return statement;
  }

  Statement attempt(std::uint32_t begin) {
    std::vector<Statement> body;
    if (on("(")) body = inside(brackets());
    const auto add = [&](std::vector<Statement> more) {
      std::move(more.begin(), more.end(), std::back_inserter(body));
    };
    if (on("{")) add(inside(brackets()));
    std::vector<Statement> catches;
    while (take("catch")) {
      brackets();
      const std::uint32_t block = at_;
      std::vector<Statement> caught = inside(brackets());
      catches.push_back(made(Is::block, block));
      catches.back().body = std::move(caught);
    }
    if (take("finally")) add(inside(brackets()));
    Statement statement = made(Is::attempt, begin);
    statement.body = std::move(body);
    statement.otherwise = std::move(catches);
    return statement;
  }

  Statement cases(std::uint32_t begin) {
    ++at_;
    std::vector<Expression> parts = expressions_in(brackets());
    const Range body = brackets();
    std::vector<Statement> statements;
    StatementReader inner(file_, body, depth_ + 1);
    while (inner.at_ < inner.last_) {
      const std::uint32_t before = inner.at_;
      if (inner.on("case") || inner.on("default")) inner.skip_label();
      else inner.statement(statements);
      if (inner.at_ == before) ++inner.at_;
    }
    Statement statement = made(Is::block, begin);
    statement.text = "switch";
    statement.parts = std::move(parts);
    statement.body = std::move(statements);
    return statement;
  }

  void skip_label() {
    while (at_ < last_ && !on(":") && !on("->")) at_ = behind();
    ++at_;
  }

  Statement leave(std::uint32_t begin) {
    const Is is = on("return") ? Is::answer : Is::leave;
    ++at_;
    std::vector<Expression> parts;
    if (!on(";")) parts.push_back(expression(last_));
    take(";");
    Statement statement = made(is, begin);
    statement.parts = std::move(parts);
    return statement;
  }

  /// Behind the type that may begin at `at`; `at` itself if none does.
  std::uint32_t type_ends(std::uint32_t at, std::uint32_t last) const {
    const std::uint32_t begin = at;
    while (at < last && file_.at(at).is("final")) ++at;
    while (at < last && file_.at(at).kind == Token::Kind::name) {
      ++at;
      at = behind_type_arguments(file_, at, last);
      if (!file_.at(at).is(".")) break;
      ++at;
    }
    while (at + 1 < last && file_.at(at).is("[") && file_.at(at + 1).is("]")) at += 2;
    return at >= last ? begin : at;
  }

  bool declaration(std::vector<Statement>& into) {
    std::uint32_t at = at_;
    while (file_.at(at).is("@") && at < last_) {
      at += 2;
      if (file_.at(at).is("(")) at = file_.partner[at] + 1;
    }
    const std::uint32_t name = type_ends(at, last_);
    if (name == at || file_.at(name).kind != Token::Kind::name || name >= last_) return false;
    const Token& next = file_.at(name + 1);
    if (!next.is("=") && !next.is(";") && !next.is(",") && !next.is("[")) return false;
    if (file_.at(at).is("final")) ++at;
    const std::string_view type = file_.at(at).text;
    for (at_ = name; at_ < last_;) {
      const std::uint32_t begin = at_;
      Statement statement = made(Is::declare, begin);
      statement.text = token().text;
      statement.type = type;
      ++at_;
      while (on("[") && at_ < last_) at_ = behind();
      if (take("=")) {
        if (on("{")) brackets();
        else statement.parts.push_back(expression(last_));
      }
      statement.range.last = at_;
      into.push_back(std::move(statement));
      if (!take(",")) break;
    }
    take(";");
    return true;
  }

  const File& file_;
  std::uint32_t at_, last_;
  int depth_;
};

}  // namespace

std::vector<Statement> read_statements(const File& file, Range range) {
  return StatementReader(file, range, 0).read();
}

}  // namespace lockstep::tools::java
