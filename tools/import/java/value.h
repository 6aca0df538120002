// value.h: what is known of the value of a Java expression when the source is read, and under which
// conditions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools::java {

struct Method;

struct Value {
  enum class Is : std::uint8_t {
    unknown,    // `text` says why, as a clause: "`names` is changed in a loop (line 12)"
    text,       // a String
    character,  // a char, in `text`
    number,     // int or long
    truth,      // boolean: number is 0 or 1
    builder,    // a StringBuilder that holds `text`
    list        // items
  };
  Is is = Is::unknown;
  std::string text;
  std::int64_t number = 0;
  std::vector<Value> items;
  std::string shown;             // the expression that it came from, as Java says it
  std::string_view parameter{};  // of the method that is read, if it is nothing else
  bool each = false;             // of a list's item: there are any number of them, a loop puts them in

  bool known() const { return is != Is::unknown; }
  bool operator==(const Value&) const = default;
};

Value unknown(std::string why);
Value text_value(std::string text);

/// What + makes of the value in a text; nothing is known of an unknown one, a list or a builder.
bool in_text(const Value& value, std::string& to);

/// left + right, as Java adds: texts are put together, numbers summed up.
Value sum_of(const Value& left, const Value& right);

/// "command == EVAL_LONG" does or does not hold, as the method says it.
struct Condition {
  std::string text;
  bool holds = true;
  const Method* in = nullptr;  // the method that asks
  bool again = false;          // if it is asked again, the answer is the same
  bool operator==(const Condition&) const = default;
};

/// Where the reading of a method has come to.
struct State {
  std::vector<Condition> conditions;
  std::map<std::string, Value, std::less<>> locals;
};

struct Outcome {
  State state;
  Value value;
};

}  // namespace lockstep::tools::java
