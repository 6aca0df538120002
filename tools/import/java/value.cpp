#include "tools/import/java/value.h"

namespace lockstep::tools::java {

Value unknown(std::string why) {
  Value value;
  value.text = std::move(why);
  return value;
}

Value text_value(std::string text) {
  Value value;
  value.is = Value::Is::text;
  value.text = std::move(text);
  return value;
}

bool in_text(const Value& value, std::string& to) {
  switch (value.is) {
    case Value::Is::text:
    case Value::Is::character:
      to += value.text;
      return true;
    case Value::Is::number:
      to += std::to_string(value.number);
      return true;
    case Value::Is::truth:
      to += value.number != 0 ? "true" : "false";
      return true;
    default:
      return false;
  }
}

Value sum_of(const Value& left, const Value& right) {
  if (!left.known()) return unknown(left.text);
  if (!right.known()) return unknown(right.text);
  if (left.is == Value::Is::number && right.is == Value::Is::number) {
    Value sum = left;
    const bool overflow = __builtin_add_overflow(left.number, right.number, &sum.number);
    if (overflow || sum.number != static_cast<std::int32_t>(sum.number)) return unknown("a sum is too large");
    return sum;
  }
  std::string text;
  const bool texts = left.is == Value::Is::text || right.is == Value::Is::text;
  if (!texts || !in_text(left, text) || !in_text(right, text))
    return unknown("a sum of what are neither texts nor whole numbers");
  return text_value(std::move(text));
}

}  // namespace lockstep::tools::java
