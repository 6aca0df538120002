// Expressions: what is known of their values.
#include "tools/import/java/interpreter.h"

#include <algorithm>
#include <charconv>

#include "reports/text/text.h"

namespace lockstep::tools::java {

namespace {

constexpr int fields_max = 12;  // fields of fields, methods of methods

Value truth(bool holds) {
  Value value;
  value.is = Value::Is::truth;
  value.number = holds ? 1 : 0;
  return value;
}

std::string quoted_name(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

Interpreter::Outcomes Interpreter::value_of(const Expression& expression, State state, const Frame& frame) {
  if (spent()) return {{std::move(state), unknown("the method is too long to follow")}};
  Outcomes outcomes = plain_value_of(expression, std::move(state), frame);
  for (Outcome& outcome : outcomes) {
    Value& value = outcome.value;
    const bool local = expression.is == Expression::Is::name && !expression.targeted && !value.shown.empty();
    const bool item =
        expression.is == Expression::Is::call && expression.text == "get" && !value.shown.empty();
    if (!local && !item) value.shown = shown(*frame.type.file, expression.range);
    if (!value.known() && value.text.empty())
      value.text = "`" + value.shown.substr(0, 120) + "` is not known from the source";
  }
  return outcomes;
}

Interpreter::Outcomes Interpreter::plain_value_of(const Expression& expression, State state,
                                                  const Frame& frame) {
  using Is = Expression::Is;
  switch (expression.is) {
    case Is::literal:
      return {{std::move(state), literal(expression, *frame.type.file)}};
    case Is::name:
      return name(expression, std::move(state), frame);
    case Is::call:
      return call(expression, std::move(state), frame);
    case Is::sum:
      return sum(expression, std::move(state), frame);
    case Is::choice:
      return choice(expression, std::move(state), frame);
    case Is::make:
      return made(expression, std::move(state), frame);
    case Is::function:
      return function(expression, std::move(state), frame);
    case Is::set:
      return assignment(expression, std::move(state), frame);
    case Is::other:
      return operation(expression, std::move(state), frame);
    case Is::unread:
      break;
  }
  blur(state, *frame.type.file, expression.range, "in an expression that is not understood");
  return {{std::move(state), {}}};
}

std::vector<Interpreter::Arguments> Interpreter::values_of(const std::vector<Expression>& parts,
                                                           std::size_t from, State state,
                                                           const Frame& frame) {
  std::vector<Arguments> all{{std::move(state), {}}};
  for (std::size_t i = from; i < parts.size(); ++i) {
    std::vector<Arguments> next;
    for (Arguments& each : all) {
      for (Outcome& outcome : value_of(parts[i], std::move(each.state), frame)) {
        next.push_back({std::move(outcome.state), each.values});
        next.back().values.push_back(std::move(outcome.value));
      }
    }
    all = std::move(next);
  }
  return all;
}

Value Interpreter::literal(const Expression& expression, const File& file) const {
  const Token& token = file.at(expression.range.first);
  const bool quoted = token.kind == Token::Kind::text || token.kind == Token::Kind::block;
  if (quoted && !reports::valid_utf8(token.text)) return unknown("the string has bytes that are not UTF-8");
  if (quoted) return text_value(java::value_of(token));
  if (token.kind == Token::Kind::character) {
    Value value = text_value(java::value_of(token));
    value.is = Value::Is::character;
    return value;
  }
  if (token.text == "true" || token.text == "false") return truth(token.text == "true");
  if (token.kind != Token::Kind::number) return unknown("null stands for nothing");
  std::string digits(token.text);
  std::erase(digits, '_');
  if (!digits.empty() && (digits.back() | 0x20) == 'l') digits.pop_back();
  Value value;
  const bool octal = digits.size() > 1 && digits[0] == '0';
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value.number);
  if (octal || error != std::errc{} || end != digits.data() + digits.size()) return {};
  value.is = Value::Is::number;
  return value;
}

Interpreter::Outcomes Interpreter::name(const Expression& expression, State state, const Frame& frame) {
  const Type* owner = &frame.type;  // a field is that of the class where the name stands, whatever the object
  if (expression.targeted) {
    const Expression& target = expression.parts.front();
    const bool own = target.is == Expression::Is::name && !target.targeted &&
                     (target.text == "this" || target.text == "super");
    if (!own) owner = named_type(target, state, frame);
    if (owner == nullptr) {
      Outcomes outcomes = value_of(target, std::move(state), frame);
      for (Outcome& outcome : outcomes) outcome.value = {};
      return outcomes;
    }
  } else {
    const auto local = state.locals.find(expression.text);
    if (local != state.locals.end()) {
      Value value = local->second;
      return {{std::move(state), std::move(value)}};
    }
  }
  auto [field, of] = program_.field(expression.text, *owner);
  if (field == nullptr && !expression.targeted) {
    for (const Import& import : frame.type.file->imports) {
      if (!import.fixed) continue;
      const std::size_t dot = import.name.rfind('.');
      const std::string_view member = std::string_view(import.name).substr(dot + 1);
      if (dot == std::string::npos || (member != "*" && member != expression.text)) continue;
      const std::string type = import.name.substr(0, dot);
      for (const Type* each : program_.types())
        if (each->file->package + "." + each->name == type)
          std::tie(field, of) = program_.field(expression.text, *each);
    }
  }
  if (field == nullptr) return {{std::move(state), {}}};
  return field_value(*field, *of, std::move(state), frame);
}

Interpreter::Outcomes Interpreter::field_value(const Field& field, const Type& owner, State state,
                                               const Frame& frame) {
  const std::string what = "the field " + quoted_name(field.name);
  if (frame.depth >= fields_max || asked_.contains(&field))
    return {{std::move(state), unknown(what + " goes back to itself")}};
  if (field.value.empty() && field.fixed) return set_once(field, owner, std::move(state), frame);
  const File& file = *owner.file;
  bool changes = field.value.empty() || (!field.fixed && !field.hidden);
  for (std::uint32_t at = 0; !changes && !field.fixed && at + 1 < file.tokens.size(); ++at) {
    const std::string_view next = file.at(at + 1).text;
    changes = file.at(at).text == field.name && at + 2 != field.value.first &&
              file.at(at + 1).kind == Token::Kind::symbol && next.ends_with('=') && next != "==" &&
              next != "!=" && next != "<=";
  }
  if (changes) return {{std::move(state), unknown(what + " may be changed while the program runs")}};
  asked_.insert(&field);
  std::uint32_t at = field.value.first;
  const Expression first = read_expression(file, at, field.value.last);
  const Frame inner{owner, owner, nullptr, frame.depth + 1, true};
  Outcomes outcomes = value_of(first, {state.conditions, {}}, inner);
  asked_.erase(&field);
  for (Outcome& outcome : outcomes) outcome.state.locals = state.locals;
  return outcomes;
}

/// A final field without a value is set by constructors; if it is in one place only, that is its value.
Interpreter::Outcomes Interpreter::set_once(const Field& field, const Type& owner, State state,
                                            const Frame& frame) {
  const File& file = *owner.file;
  const Method* by = nullptr;
  std::uint32_t value = 0;
  int times = 0;
  for (const Method& method : owner.methods) {
    if (!method.body || (!method.name.empty() && method.name != owner.name.substr(owner.name.rfind('.') + 1)))
      continue;
    for (std::uint32_t at = method.body->first; at < method.body->last; ++at) {
      if (file.at(at).text != field.name || !file.at(at + 1).is("=")) continue;
      if (file.at(at - 1).is(".") && !file.at(at - 2).is("this")) continue;
      ++times;
      by = &method;
      value = at + 2;
    }
  }
  if (times != 1) {
    const std::string how = times == 0 ? " is not given a value here" : " is set in several places";
    return {{std::move(state), unknown("the field " + quoted_name(field.name) + how)}};
  }
  asked_.insert(&field);
  State inside{state.conditions, {}};
  for (const Parameter& parameter : by->parameters)
    inside.locals[std::string(parameter.name)] =
        unknown(quoted_name(parameter.name) + " is given to a constructor");
  const Expression expression = read_expression(file, value, by->body->last);
  const Frame inner{owner, owner, nullptr, frame.depth + 1, true};
  Outcomes outcomes = value_of(expression, std::move(inside), inner);
  asked_.erase(&field);
  for (Outcome& outcome : outcomes) outcome.state.locals = state.locals;
  return outcomes;
}

Interpreter::Outcomes Interpreter::sum(const Expression& expression, State state, const Frame& frame) {
  Outcomes outcomes;
  for (Arguments& each : values_of(expression.parts, 0, std::move(state), frame)) {
    Value value = each.values.front();
    for (std::size_t i = 1; i < each.values.size(); ++i) value = sum_of(value, each.values[i]);
    value.parameter = {};
    outcomes.push_back({std::move(each.state), std::move(value)});
  }
  return outcomes;
}

Interpreter::Outcomes Interpreter::choice(const Expression& expression, State state, const Frame& frame) {
  auto [so, otherwise] = split(expression.parts[0], std::move(state), frame);
  Outcomes outcomes;
  for (State& each : so)
    std::ranges::move(value_of(expression.parts[1], std::move(each), frame), std::back_inserter(outcomes));
  for (State& each : otherwise)
    std::ranges::move(value_of(expression.parts[2], std::move(each), frame), std::back_inserter(outcomes));
  return outcomes;
}

void Interpreter::assign(State& state, std::string_view local, Value value) const {
  for (Condition& condition : state.conditions)
    if (condition.text.find(local) != std::string::npos) condition.again = false;
  if (!value.known()) value.parameter = {};
  state.locals[std::string(local)] = std::move(value);
}

Interpreter::Outcomes Interpreter::assignment(const Expression& expression, State state, const Frame& frame) {
  const Expression& left = expression.parts[0];
  const Expression& right = expression.parts[1];
  const bool local = left.is == Expression::Is::name && !left.targeted && state.locals.contains(left.text);
  Outcomes outcomes = value_of(right, std::move(state), frame);
  for (Outcome& outcome : outcomes) {
    if (!local) continue;
    Value value = outcome.value;
    if (expression.text == "+=") value = sum_of(outcome.state.locals[std::string(left.text)], value);
    else if (expression.text != "=") value = {};
    const bool shared = value.is == Value::Is::builder || value.is == Value::Is::list;
    if (shared && right.is == Expression::Is::name) {
      value = unknown(quoted_name(right.text) + " has a second name, " + quoted_name(left.text));
      assign(outcome.state, right.text, value);
    }
    if (!value.known() && value.text.empty())
      value.text = quoted_name(left.text) + " is not known from the source";
    if (!value.known() || expression.text != "=") value.shown = left.text;
    assign(outcome.state, left.text, value);
    outcome.value = std::move(value);
  }
  return outcomes;
}

Interpreter::Outcomes Interpreter::function(const Expression& expression, State state, const Frame& frame) {
  if (!frame.for_value) {
    State inside = state;
    for (const std::string_view parameter : expression.parameters) {
      Value value = unknown(quoted_name(parameter) + " is given to a function");
      value.shown = parameter;
      inside.locals[std::string(parameter)] = value;
    }
    if (!expression.parts.empty()) value_of(expression.parts.front(), std::move(inside), frame);
    else run(statements_of(*frame.type.file, expression.body), {std::move(inside)}, frame);
  }
  blur(state, *frame.type.file, expression.range, "in a function");
  return {{std::move(state), {}}};
}

namespace {

/// How many, and no collection: ArrayList is made with either.
bool is_amount(const Expression& expression, const Value& value, const Method* method) {
  if (value.is == Value::Is::number || expression.is == Expression::Is::sum) return true;
  return method != nullptr && expression.is == Expression::Is::name && expression.parts.empty() &&
         std::ranges::any_of(method->parameters, [&](const Parameter& parameter) {
           return parameter.name == expression.text && (parameter.type == "int" || parameter.type == "long");
         });
}

}  // namespace

Interpreter::Outcomes Interpreter::made(const Expression& expression, State state, const Frame& frame) {
  Outcomes outcomes;
  for (Arguments& each : values_of(expression.parts, 0, std::move(state), frame)) {
    Value value;
    const std::vector<Value>& given = each.values;
    const bool builder = expression.text == "StringBuilder" || expression.text == "StringBuffer";
    const bool list = expression.text == "ArrayList" || expression.text == "LinkedList";
    if (builder && (given.empty() || given[0].is == Value::Is::text || given[0].is == Value::Is::number)) {
      value.is = Value::Is::builder;
      if (!given.empty() && given[0].is == Value::Is::text) value.text = given[0].text;
    } else if (builder || (expression.text == "String" && given.size() == 1)) {
      if (given[0].is == Value::Is::text || !given[0].known()) value = given[0];
    } else if (expression.text == "[]" || list) {
      value.is = Value::Is::list;
      if (!list) value.items = given;
      else if (!given.empty() && given[0].is == Value::Is::list) value.items = given[0].items;
      else if (!given.empty() && !is_amount(expression.parts[0], given[0], frame.method)) value = {};
    }
    if (!expression.body.empty()) {
      if (!frame.for_value) anonymous(expression, each.state, frame);
      blur(each.state, *frame.type.file, expression.body, "in a class without a name");
      value = {};
    }
    value.parameter = {};
    outcomes.push_back({std::move(each.state), std::move(value)});
  }
  return outcomes;
}

Interpreter::Outcomes Interpreter::operation(const Expression& expression, State state, const Frame& frame) {
  Outcomes outcomes;
  for (Arguments& each : values_of(expression.parts, 0, std::move(state), frame)) {
    Value value;
    const auto is = [&](std::size_t i, Value::Is kind) {
      return i < each.values.size() && each.values[i].is == kind;
    };
    const bool equality = expression.text == "==" || expression.text == "!=";
    const auto both = [&](Value::Is kind) { return is(0, kind) && is(1, kind); };
    const bool cast_changes = is(0, Value::Is::number) || is(0, Value::Is::character);
    if (expression.text == "()" && !cast_changes) value = each.values[0];
    else if (expression.text == "!" && is(0, Value::Is::truth)) value = truth(each.values[0].number == 0);
    else if (expression.text == "-" && each.values.size() == 1 && is(0, Value::Is::number)) {
      value = each.values[0];
      value.number = value.number == INT64_MIN ? value.number : -value.number;
    } else if (equality && (both(Value::Is::number) || both(Value::Is::truth))) {
      value = truth((each.values[0].number == each.values[1].number) == (expression.text == "=="));
    } else if ((expression.text == "&&" || expression.text == "||") && both(Value::Is::truth)) {
      const bool all = each.values[0].number != 0 && each.values[1].number != 0;
      const bool any = each.values[0].number != 0 || each.values[1].number != 0;
      value = truth(expression.text == "&&" ? all : any);
    }
    if (expression.text == "++" || expression.text == "--")
      blur(each.state, *frame.type.file, expression.range, "by ++ or --");
    outcomes.push_back({std::move(each.state), std::move(value)});
  }
  return outcomes;
}

}  // namespace lockstep::tools::java
