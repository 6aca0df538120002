// interpreter.h: reads a method's body from top to bottom and tells with which arguments certain calls are
// made.
//
// Texts are followed wherever the source alone decides about them: literals and what + makes of them, local
// variables, constants of any class, fields that are set once, StringBuilder, lists, and methods of the
// program that return a text. A condition that the source does not decide splits the reading in two, and each
// goes on under its condition; that two ways come to the same is noticed where they meet. What a loop, a
// catch, a switch or a method out of sight may change is unknown from there on, with the reason: nothing is
// ever assumed.
//
// Which method a call runs depends on the object's class. `self` is that class: the same method is read once
// for each class that inherits it and answers differently.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "tools/import/java/program.h"
#include "tools/import/java/statements.h"
#include "tools/import/java/value.h"

namespace lockstep::tools::java {

/// A call that was asked for.
struct Seen {
  const File* file = nullptr;
  std::uint32_t anchor = 0;  // the token of its name
  std::vector<Condition> conditions;
  std::vector<Value> arguments;
};

class Interpreter {
 public:
  using Wanted = std::function<bool(std::string_view name, std::size_t arguments)>;

  Interpreter(const Program& program, Wanted wanted) : program_(program), wanted_(std::move(wanted)) {}

  struct Reading {
    std::vector<Seen> seen;
    std::set<std::string_view> relied;  // names of methods that another class could have in its own way
    bool complete = true;               // false: more ways than are followed
  };
  /// Calls of `through` are read where they stand, with the arguments that they are given.
  Reading read(const Method& method, const Type& self, const std::set<const Method*>& through = {});
  /// What a field is at first.
  Reading read(const Field& field, const Type& owner);

 private:
  struct Frame {
    const Type& type;      // where the words stand
    const Type& self;      // what `this` is
    const Method* method;  // that is read
    int depth = 0;
    bool for_value = false;  // a text is wanted from it, and what it does is not looked at
  };
  struct Flow {
    std::vector<State> going;
    std::vector<Outcome> answered;
  };
  struct Arguments {
    State state;
    std::vector<Value> values;
  };
  using Outcomes = std::vector<Outcome>;

  // interpreter.cpp: expressions
  Outcomes value_of(const Expression& expression, State state, const Frame& frame);
  Outcomes plain_value_of(const Expression& expression, State state, const Frame& frame);
  std::vector<Arguments> values_of(const std::vector<Expression>& parts, std::size_t from, State state,
                                   const Frame& frame);
  Value literal(const Expression& expression, const File& file) const;
  Outcomes name(const Expression& expression, State state, const Frame& frame);
  Outcomes sum(const Expression& expression, State state, const Frame& frame);
  Outcomes choice(const Expression& expression, State state, const Frame& frame);
  Outcomes assignment(const Expression& expression, State state, const Frame& frame);
  Outcomes function(const Expression& expression, State state, const Frame& frame);
  Outcomes made(const Expression& expression, State state, const Frame& frame);
  Outcomes operation(const Expression& expression, State state, const Frame& frame);
  Outcomes field_value(const Field& field, const Type& owner, State state, const Frame& frame);
  Outcomes set_once(const Field& field, const Type& owner, State state, const Frame& frame);
  void assign(State& state, std::string_view local, Value value) const;

  // calls.cpp
  Outcomes call(const Expression& expression, State state, const Frame& frame);
  Outcomes answer(const Expression& expression, Arguments arguments, const Value* target, const Frame& frame);
  const Method* called(const Expression& expression, const State& state, const Frame& frame);
  const Type* named_type(const Expression& expression, const State& state, const Frame& frame) const;
  Outcomes enter(const Method& method, const Expression& expression, Arguments arguments, const Frame& frame);
  void hand_over(const Expression& expression, Arguments& arguments) const;
  void anonymous(const Expression& expression, const State& state, const Frame& frame);

  // statements_read.cpp
  Flow run(const std::vector<Statement>& statements, std::vector<State> states, const Frame& frame);
  void step(const Statement& statement, std::vector<State>& states, Flow& flow, const Frame& frame);
  void branch(const Statement& statement, State state, std::vector<State>& going, Flow& flow,
              const Frame& frame);
  void aside(const Statement& statement, State state, std::vector<State>& going, Flow& flow,
             const Frame& frame);
  std::pair<std::vector<State>, std::vector<State>> split(const Expression& condition, State state,
                                                          const Frame& frame);
  /// What the tokens may change is unknown from here on, but for locals of these names.
  void blur(State& state, const File& file, Range range, const std::string& how,
            const std::vector<std::string>& but = {}) const;

  // loops_read.cpp
  /// Lists that a loop does nothing to but put items behind the last one.
  std::vector<std::string> growing_in(const State& state, const File& file, Range range) const;
  void grow(State& state, const std::vector<State>& rounds, const std::string& name, bool once) const;
  /// Whether a loop goes on only while one of these lists has fewer items than its class says: one.
  bool has_one_round(const Statement& loop, const std::vector<std::string>& lists, const Frame& frame) const;
  bool hands_one_over(const Type& self, std::string_view parameter) const;
  const std::vector<Statement>& statements_of(const File& file, Range range);
  Flow body(const Method& method, State state, const Frame& frame);
  bool spent();

  const Program& program_;
  Wanted wanted_;
  Reading reading_;
  std::set<const Method*> through_;
  int steps_ = 0;
  std::set<const Field*> asked_;  // fields whose value is being found out
  std::vector<const Method*> entered_;
  std::map<std::pair<const File*, std::uint32_t>, std::vector<Statement>> statements_;
  std::map<std::pair<const File*, std::uint32_t>, std::unique_ptr<Type>> anonymous_;
};

/// What is known about a call on a text, a builder or a list, and whether it changes what it is called on.
struct Known {
  Value value;
  bool changes = false;
};
Known call_on(const Value& target, std::string_view method, const std::vector<Value>& arguments);

/// The same of methods of Java's library that belong to a class: String.format, Arrays.asList, List.of …
std::optional<Value> call_of(std::string_view type, std::string_view method,
                             const std::vector<Value>& arguments);

}  // namespace lockstep::tools::java
