// Calls: of what is asked for, of Java's own methods, and of methods of the program.
#include <algorithm>

#include "tools/import/java/interpreter.h"

namespace lockstep::tools::java {

namespace {

constexpr std::size_t entered_max = 12;

bool is_plain_name(const Expression& expression) {
  return expression.is == Expression::Is::name && !expression.targeted;
}

bool is_own(const Expression& target) {
  return is_plain_name(target) && (target.text == "this" || target.text == "super");
}

bool returns_text(const Method& method) {
  for (const std::string_view type :
       {"String", "StringBuilder", "StringBuffer", "CharSequence", "boolean", "List"})
    if (method.returns == type) return true;
  return false;
}

/// The local variable that a chain of calls begins with: `sb` in sb.append("a").append("b").
const Expression* root_of(const Expression* expression) {
  while (expression->is == Expression::Is::call && expression->targeted)
    expression = &expression->parts.front();
  return is_plain_name(*expression) ? expression : nullptr;
}

bool is_kept(const Value& value) { return value.is == Value::Is::builder || value.is == Value::Is::list; }

}  // namespace

const Type* Interpreter::named_type(const Expression& expression, const State& state,
                                    const Frame& frame) const {
  if (expression.is != Expression::Is::name) return nullptr;
  if (!expression.targeted) {
    if (state.locals.contains(expression.text) ||
        program_.field(expression.text, frame.type).first != nullptr)
      return nullptr;
    return program_.type(expression.text, frame.type);
  }
  const Type* outer = named_type(expression.parts.front(), state, frame);
  if (outer != nullptr) {
    for (const Type& inner : outer->nested)
      if (inner.name == outer->name + "." + std::string(expression.text)) return &inner;
    return nullptr;
  }
  const std::string full = shown(*frame.type.file, expression.range);  // org.redisson.RedissonLock
  for (const Type* type : program_.types())
    if (!type->file->package.empty() && type->file->package + "." + type->name == full) return type;
  return nullptr;
}

/// The method of the program that is called; nothing if it is another's, or could be one of several.
const Method* Interpreter::called(const Expression& expression, const State& state, const Frame& frame) {
  const std::size_t count = expression.parts.size() - (expression.targeted ? 1 : 0);
  const Method* method = nullptr;
  if (!expression.targeted || is_own(expression.parts.front())) {
    const bool above = expression.targeted && expression.parts.front().text == "super";
    if (!above) {
      method = program_.method(expression.text, count, frame.self);
      if (method == nullptr) method = program_.method(expression.text, count, frame.type);
      if (method != nullptr && !method->fixed) reading_.relied.insert(method->name);
    } else {
      const std::vector<const Type*> line = program_.line_of(frame.type);
      for (std::size_t i = 1; i < line.size() && method == nullptr; ++i)
        method = program_.method(expression.text, count, *line[i]);
    }
  } else if (const Type* type = named_type(expression.parts.front(), state, frame)) {
    method = program_.method(expression.text, count, *type);
  }
  return method != nullptr && method->body ? method : nullptr;
}

Interpreter::Outcomes Interpreter::call(const Expression& expression, State state, const Frame& frame) {
  const std::size_t count = expression.parts.size() - (expression.targeted ? 1 : 0);
  const bool wanted = wanted_(expression.text, count);
  std::vector<Outcome> targets;
  const bool of_class =
      expression.targeted &&
      (is_own(expression.parts.front()) ||
       (is_plain_name(expression.parts.front()) && !state.locals.contains(expression.parts.front().text)));
  const bool has_target = expression.targeted && !of_class;
  if (has_target) targets = value_of(expression.parts.front(), std::move(state), frame);
  else targets.push_back({std::move(state), {}});
  Outcomes outcomes;
  for (Outcome& target : targets) {
    for (Arguments& arguments :
         values_of(expression.parts, expression.targeted ? 1 : 0, std::move(target.state), frame)) {
      if (wanted) {
        if (!frame.for_value)
          reading_.seen.push_back(
              {frame.type.file, expression.anchor, arguments.state.conditions, std::move(arguments.values)});
        outcomes.push_back({std::move(arguments.state), {}});
        continue;
      }
      std::ranges::move(answer(expression, std::move(arguments), has_target ? &target.value : nullptr, frame),
                        std::back_inserter(outcomes));
    }
  }
  return outcomes;
}

/// What a call answers whose target and arguments are known.
Interpreter::Outcomes Interpreter::answer(const Expression& expression, Arguments arguments,
                                          const Value* target, const Frame& frame) {
  State& state = arguments.state;
  if (target != nullptr && (target->is == Value::Is::text || is_kept(*target))) {
    Known known = call_on(*target, expression.text, arguments.values);
    const Expression* root = root_of(&expression.parts.front());
    if (known.changes && root != nullptr) {
      Value changed = known.value;
      if (!changed.known()) changed.shown = root->text;
      assign(state, root->text, changed);
    }
    const bool answers_itself = target->is != Value::Is::list || expression.text == "toArray";
    if (!answers_itself && known.changes) known.value = {};
    return {{std::move(state), std::move(known.value)}};
  }
  if (expression.targeted && is_plain_name(expression.parts.front())) {
    if (auto value = call_of(expression.parts.front().text, expression.text, arguments.values))
      return {{std::move(state), *std::move(value)}};
  }
  if (target != nullptr && !target->known() && root_of(&expression.parts.front()) != nullptr)
    return {{std::move(state), unknown(target->text)}};
  const Method* method = called(expression, state, frame);
  const bool through = method != nullptr && through_.contains(method) && !frame.for_value;
  const bool again = std::find(entered_.begin(), entered_.end(), method) != entered_.end();
  if (method != nullptr && (through || returns_text(*method)) && !again && entered_.size() < entered_max)
    return enter(*method, expression, std::move(arguments), frame);
  hand_over(expression, arguments);
  Value value;
  if (method != nullptr && again) value = unknown("`" + std::string(method->name) + "` calls itself");
  return {{std::move(state), std::move(value)}};
}

/// Builders and lists that another method is given may not be the same afterwards.
void Interpreter::hand_over(const Expression& expression, Arguments& arguments) const {
  const std::size_t first = expression.targeted ? 1 : 0;
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    const Expression& given = expression.parts[first + i];
    if (!is_plain_name(given) || !is_kept(arguments.values[i])) continue;
    Value changed = unknown("`" + std::string(given.text) + "` is handed to `" +
                            std::string(expression.text) + "`, which may change it");
    changed.shown = given.text;
    assign(arguments.state, given.text, changed);
  }
}

Interpreter::Outcomes Interpreter::enter(const Method& method, const Expression& expression,
                                         Arguments arguments, const Frame& frame) {
  State inside{arguments.state.conditions, {}};
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    const Parameter& parameter = method.parameters[i];
    Value value = i < arguments.values.size() ? arguments.values[i] : Value{};
    if (parameter.rest && !(arguments.values.size() == i + 1 && value.is == Value::Is::list)) {
      Value rest;
      rest.is = Value::Is::list;
      rest.shown = parameter.name;
      rest.items.assign(
          arguments.values.begin() + static_cast<std::ptrdiff_t>(std::min(i, arguments.values.size())),
          arguments.values.end());
      value = std::move(rest);
    }
    if (value.shown.empty()) value.shown = parameter.name;
    inside.locals[std::string(parameter.name)] = std::move(value);
  }
  hand_over(expression, arguments);
  const bool own = !expression.targeted || is_own(expression.parts.front());
  const bool through = through_.contains(&method) && !frame.for_value;
  const Frame inner{*method.owner, own ? frame.self : *method.owner, &method, frame.depth + 1, !through};
  entered_.push_back(&method);
  Flow flow = body(method, std::move(inside), inner);
  entered_.pop_back();
  for (State& state : flow.going) flow.answered.push_back({std::move(state), {}});
  for (Outcome& outcome : flow.answered) {
    outcome.state.locals = arguments.state.locals;
    outcome.value.parameter = {};
  }
  return std::move(flow.answered);
}

void Interpreter::anonymous(const Expression& expression, const State& state, const Frame& frame) {
  const File& file = *frame.type.file;
  std::unique_ptr<Type>& type = anonymous_[{&file, expression.body.first}];
  if (!type) {
    type = std::make_unique<Type>();
    type->file = &file;
    type->outer = &frame.type;
    read_members(file, expression.body, *type);
  }
  for (const Method& method : type->methods) {
    if (!method.body) continue;
    State inside = state;
    for (const Parameter& parameter : method.parameters) {
      Value value = unknown("`" + std::string(parameter.name) + "` is given to a method");
      value.shown = parameter.name;
      inside.locals[std::string(parameter.name)] = std::move(value);
    }
    run(statements_of(file, *method.body), {std::move(inside)}, frame);
  }
}

}  // namespace lockstep::tools::java
