// Statements: which ways lead to a call, and what is known on each.
#include <algorithm>

#include "tools/import/java/interpreter.h"

namespace lockstep::tools::java {

namespace {

constexpr std::size_t ways_max = 64;
constexpr int steps_max = 200'000;

std::string without_brackets(std::string text) {
  while (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    int depth = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
      if (depth == 0) return text;
    }
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// The way on which a condition was not decided after all.
void drop(State& state, const std::string& text) {
  for (auto at = state.conditions.end(); at != state.conditions.begin();) {
    if ((--at)->text != text) continue;
    state.conditions.erase(at);
    return;
  }
}

/// Whether two ways know the same; where neither knows a value, they agree that it is not known.
bool meet(State& one, const State& other) {
  const auto agree = [](const auto& mine, const auto& theirs) {
    return mine.first == theirs.first &&
           (mine.second == theirs.second || (!mine.second.known() && !theirs.second.known()));
  };
  if (!std::ranges::equal(one.locals, other.locals, agree)) return false;
  for (auto& [name, value] : one.locals) {
    if (value == other.locals.find(name)->second) continue;
    value = unknown("`" + name + "` depends on a condition");
    value.shown = name;
  }
  return true;
}

/// Names that a block declared end with it.
void leave_block(std::vector<State>& states, const std::vector<std::string>& names) {
  for (State& state : states)
    std::erase_if(state.locals, [&](const auto& local) {
      return !std::binary_search(names.begin(), names.end(), local.first);
    });
}

std::vector<std::string> names_of(const State& state) {
  std::vector<std::string> names;
  for (const auto& [name, value] : state.locals) names.push_back(name);
  return names;
}

}  // namespace

bool Interpreter::spent() {
  if (++steps_ > steps_max) reading_.complete = false;
  return steps_ > steps_max;
}

const std::vector<Statement>& Interpreter::statements_of(const File& file, Range range) {
  const auto [at, fresh] = statements_.try_emplace({&file, range.first});
  if (fresh) at->second = read_statements(file, range);
  return at->second;
}

Interpreter::Flow Interpreter::body(const Method& method, State state, const Frame& frame) {
  std::vector<State> states;
  states.push_back(std::move(state));
  return run(statements_of(*method.owner->file, *method.body), std::move(states), frame);
}

Interpreter::Reading Interpreter::read(const Method& method, const Type& self,
                                       const std::set<const Method*>& through) {
  reading_ = {};
  steps_ = 0;
  through_ = through;
  State state;
  for (const Parameter& parameter : method.parameters) {
    Value value =
        unknown("`" + std::string(parameter.name) + "` is a parameter of `" + std::string(method.name) + "`");
    value.shown = parameter.name;
    value.parameter = parameter.name;
    state.locals[std::string(parameter.name)] = std::move(value);
  }
  if (method.body) {
    entered_ = {&method};
    body(method, std::move(state), {*method.owner, self, &method, 0, false});
    entered_.clear();
  }
  return std::move(reading_);
}

Interpreter::Reading Interpreter::read(const Field& field, const Type& owner) {
  reading_ = {};
  steps_ = 0;
  std::uint32_t at = field.value.first;
  value_of(read_expression(*owner.file, at, field.value.last), {}, {owner, owner, nullptr, 0, false});
  return std::move(reading_);
}

Interpreter::Flow Interpreter::run(const std::vector<Statement>& statements, std::vector<State> states,
                                   const Frame& frame) {
  Flow flow;
  flow.going = std::move(states);
  for (const Statement& statement : statements) {
    std::vector<State> now = std::exchange(flow.going, {});
    if (now.empty()) break;
    step(statement, now, flow, frame);
    if (flow.going.size() > ways_max) {
      reading_.complete = false;
      flow.going.resize(ways_max);
    }
  }
  return flow;
}

void Interpreter::step(const Statement& statement, std::vector<State>& states, Flow& flow,
                       const Frame& frame) {
  using Is = Statement::Is;
  for (State& state : states) {
    switch (statement.is) {
      case Is::branch:
        branch(statement, std::move(state), flow.going, flow, frame);
        break;
      case Is::loop:
      case Is::block:
      case Is::attempt:
        aside(statement, std::move(state), flow.going, flow, frame);
        break;
      case Is::nothing:
        flow.going.push_back(std::move(state));
        break;
      case Is::declare: {
        Outcomes outcomes{
            {std::move(state), unknown("`" + std::string(statement.text) + "` has no value yet")}};
        if (!statement.parts.empty())
          outcomes = value_of(statement.parts[0], std::move(outcomes[0].state), frame);
        for (Outcome& outcome : outcomes) {
          if (outcome.value.shown.empty()) outcome.value.shown = statement.text;
          const bool kept = outcome.value.is == Value::Is::builder || outcome.value.is == Value::Is::list;
          if (kept && statement.parts[0].is == Expression::Is::name) {
            const std::string_view other = statement.parts[0].text;
            outcome.value = unknown("`" + std::string(other) + "` has a second name, `" +
                                    std::string(statement.text) + "`");
            assign(outcome.state, other, outcome.value);
          }
          const std::string_view parameter = outcome.value.parameter;
          assign(outcome.state, statement.text, std::move(outcome.value));
          outcome.state.locals[std::string(statement.text)].parameter = parameter;
          flow.going.push_back(std::move(outcome.state));
        }
        break;
      }
      case Is::express:
        for (Outcome& outcome : value_of(statement.parts[0], std::move(state), frame))
          flow.going.push_back(std::move(outcome.state));
        break;
      case Is::answer:
        if (statement.parts.empty()) flow.answered.push_back({std::move(state), {}});
        else
          std::ranges::move(value_of(statement.parts[0], std::move(state), frame),
                            std::back_inserter(flow.answered));
        break;
      case Is::leave:
        if (!statement.parts.empty()) value_of(statement.parts[0], std::move(state), frame);
        break;
    }
  }
}

std::pair<std::vector<State>, std::vector<State>> Interpreter::split(const Expression& condition, State state,
                                                                     const Frame& frame) {
  std::pair<std::vector<State>, std::vector<State>> ways;
  for (Outcome& outcome : value_of(condition, std::move(state), frame)) {
    if (outcome.value.is == Value::Is::truth) {
      (outcome.value.number != 0 ? ways.first : ways.second).push_back(std::move(outcome.state));
      continue;
    }
    Condition decided;
    decided.in = frame.method;
    decided.text = without_brackets(shown(*frame.type.file, condition.range));
    const bool negated = condition.is == Expression::Is::other && condition.text == "!";
    if (negated) decided.text = without_brackets(shown(*frame.type.file, condition.parts[0].range));
    decided.again = decided.text.find_first_of("(+-") == std::string::npos;
    const auto before = std::ranges::find_if(outcome.state.conditions, [&](const Condition& earlier) {
      return earlier.again && decided.again && earlier.text == decided.text && earlier.in == decided.in;
    });
    if (before != outcome.state.conditions.end()) {
      (before->holds != negated ? ways.first : ways.second).push_back(std::move(outcome.state));
      continue;
    }
    State other = outcome.state;
    decided.holds = !negated;
    outcome.state.conditions.push_back(decided);
    decided.holds = negated;
    other.conditions.push_back(decided);
    ways.first.push_back(std::move(outcome.state));
    ways.second.push_back(std::move(other));
  }
  return ways;
}

void Interpreter::branch(const Statement& statement, State state, std::vector<State>& going, Flow& flow,
                         const Frame& frame) {
  const std::size_t known = state.conditions.size();
  const std::vector<std::string> names = names_of(state);
  auto [so, otherwise] = split(statement.parts[0], std::move(state), frame);
  const bool both = so.size() == 1 && otherwise.size() == 1 && so[0].conditions.size() == known + 1;
  const std::string asked = both ? so[0].conditions.back().text : "";
  const auto matters = [&](const Flow& way, std::size_t seen) {
    return !way.going.empty() || reading_.seen.size() != seen || (frame.for_value && !way.answered.empty());
  };
  std::size_t seen = reading_.seen.size();
  Flow one = run(statement.body, std::move(so), frame);
  leave_block(one.going, names);
  const bool one_matters = matters(one, seen);
  const bool one_saw = reading_.seen.size() != seen;
  seen = reading_.seen.size();
  Flow other = run(statement.otherwise, std::move(otherwise), frame);
  leave_block(other.going, names);
  const bool other_matters = matters(other, seen);
  const bool saw = one_saw || reading_.seen.size() != seen;
  for (State& each : other.going)
    if (both && !one_matters) drop(each, asked);
  for (State& each : one.going)
    if (both && !other_matters) drop(each, asked);
  const bool may_meet = both && !saw && one.going.size() == 1 && other.going.size() == 1;
  if (may_meet && meet(one.going[0], other.going[0])) {
    drop(one.going[0], asked);
    other.going.clear();
  }
  for (Flow* way : {&one, &other}) {
    std::ranges::move(way->going, std::back_inserter(going));
    std::ranges::move(way->answered, std::back_inserter(flow.answered));
  }
}

/// Loops, blocks, switches and attempts.
void Interpreter::aside(const Statement& statement, State state, std::vector<State>& going, Flow& flow,
                        const Frame& frame) {
  const File& file = *frame.type.file;
  const bool cases = statement.text == "switch";
  const bool loop = statement.is == Statement::Is::loop;
  const std::vector<std::string> names = names_of(state);
  const std::vector<std::string> growing =
      loop ? growing_in(state, file, statement.range) : std::vector<std::string>{};
  if (loop) blur(state, file, statement.range, "in a loop", growing);
  if (cases) blur(state, file, statement.range, "in a switch");
  for (const Expression& part : statement.parts)
    for (Outcome& outcome : value_of(part, std::move(state), frame)) state = std::move(outcome.state);
  State before = state;
  std::vector<State> begin;
  begin.push_back(std::move(state));
  Flow inner = run(statement.body, std::move(begin), frame);
  std::ranges::move(inner.answered, std::back_inserter(flow.answered));
  if (loop || cases) {
    const bool once = loop && has_one_round(statement, growing, frame);
    for (const std::string& name : growing) grow(before, inner.going, name, once);
    going.push_back(std::move(before));
    return;
  }
  leave_block(inner.going, names);
  std::ranges::move(inner.going, std::back_inserter(going));
  if (statement.is != Statement::Is::attempt) return;
  blur(before, file, statement.range, "in a try");
  for (const Statement& caught : statement.otherwise) {
    State inside = before;
    inside.conditions.push_back({"an exception in line " + std::to_string(file.at(caught.range.first).line),
                                 true, frame.method, false});
    Flow after = run(caught.body, {std::move(inside)}, frame);
    leave_block(after.going, names);
    std::ranges::move(after.going, std::back_inserter(going));
    std::ranges::move(after.answered, std::back_inserter(flow.answered));
  }
}

void Interpreter::blur(State& state, const File& file, Range range, const std::string& how,
                       const std::vector<std::string>& but) const {
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    const Token& token = file.at(at);
    if (token.kind != Token::Kind::name || (at > 0 && file.at(at - 1).is("."))) continue;
    const auto local = state.locals.find(token.text);
    if (local == state.locals.end() || std::ranges::find(but, local->first) != but.end()) continue;
    const Token& next = file.at(at + 1);
    const bool set = (next.kind == Token::Kind::symbol && next.text.ends_with('=') && next.text != "==" &&
                      next.text != "!=" && next.text != "<=") ||
                     next.is("++") || next.is("--") ||
                     (at > 0 && (file.at(at - 1).is("++") || file.at(at - 1).is("--")));
    const Value::Is is = local->second.is;
    const bool kept = is == Value::Is::builder || is == Value::Is::list;
    if (!set && !kept) continue;
    Value changed =
        unknown("`" + local->first + "` may be changed " + how + ", line " + std::to_string(token.line));
    changed.shown = local->first;
    assign(state, local->first, std::move(changed));
  }
}

}  // namespace lockstep::tools::java
