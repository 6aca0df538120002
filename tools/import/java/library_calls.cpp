// The methods of Java's own classes that put texts and lists together.
#include <algorithm>

#include "tools/import/java/interpreter.h"

namespace lockstep::tools::java {

namespace {

Value list_of(std::vector<Value> items) {
  Value list;
  list.is = Value::Is::list;
  list.items = std::move(items);
  return list;
}

Value refuse(std::string_view method) {
  return unknown("what `" + std::string(method) + "` does is not known");
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string trimmed(const std::string& text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  const auto first = std::find_if_not(text.begin(), text.end(), blank);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), blank).base();
  return first < last ? std::string(first, last) : "";
}

/// %s, %d, %% and %n; anything else is not known.
Value formatted(const std::string& pattern, std::size_t from, const std::vector<Value>& arguments) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '%') {
      text += pattern[at];
      continue;
    }
    const char what = ++at < pattern.size() ? pattern[at] : '\0';
    if (what == '%' || what == 'n') {
      text += what == '%' ? '%' : '\n';
      continue;
    }
    if ((what != 's' && what != 'd') || from >= arguments.size()) return refuse("format");
    if (!arguments[from].known()) return unknown(arguments[from].text);
    if (!in_text(arguments[from++], text)) return refuse("format");
  }
  return text_value(std::move(text));
}

Known on_text(const Value& target, std::string_view method, const std::vector<Value>& arguments) {
  for (const Value& argument : arguments)
    if (!argument.known()) return {unknown(argument.text)};
  std::string text = target.text;
  if (method == "toString" || method == "intern") return {text_value(text)};
  if ((method == "trim" || method == "strip") && arguments.empty()) return {text_value(trimmed(text))};
  if (method == "concat" && arguments.size() == 1 && in_text(arguments[0], text)) return {text_value(text)};
  if (method == "replace" && arguments.size() == 2) {
    std::string from, to;
    if (in_text(arguments[0], from) && in_text(arguments[1], to) && !from.empty())
      return {text_value(replaced(text, from, to))};
  }
  if (method == "repeat" && arguments.size() == 1 && arguments[0].is == Value::Is::number &&
      arguments[0].number >= 0 && arguments[0].number <= 1000 && text.size() <= 10'000) {
    std::string many;
    for (std::int64_t i = 0; i < arguments[0].number; ++i) many += text;
    return {text_value(std::move(many))};
  }
  if (method == "formatted") return {formatted(text, 0, arguments)};
  if (method == "isEmpty" && arguments.empty()) {
    Value empty;
    empty.is = Value::Is::truth;
    empty.number = text.empty() ? 1 : 0;
    return {empty};
  }
  return {refuse(method)};
}

Known on_builder(Value target, std::string_view method, const std::vector<Value>& arguments) {
  if (method == "toString") return {text_value(target.text)};
  if (method == "length" || method == "isEmpty" || method == "charAt" || method == "indexOf")
    return {refuse(method)};
  if (method == "append" && arguments.size() == 1) {
    Value added = arguments[0];
    if (!added.known()) return {unknown(added.text), true};
    if (added.is == Value::Is::builder) added.is = Value::Is::text;
    if (in_text(added, target.text)) return {std::move(target), true};
  }
  return {refuse(method), true};
}

Known on_list(Value target, std::string_view method, const std::vector<Value>& arguments) {
  if (method == "toArray") return {std::move(target)};
  if (method == "add" && arguments.size() == 1) {
    target.items.push_back(arguments[0]);
    return {std::move(target), true};
  }
  if (method == "addAll" && arguments.size() == 1 && arguments[0].is == Value::Is::list) {
    target.items.insert(target.items.end(), arguments[0].items.begin(), arguments[0].items.end());
    return {std::move(target), true};
  }
  if (method == "addAll" && arguments.size() == 1) {  // of a list that nothing is known of
    target.items.push_back(arguments[0]);
    target.items.back().each = true;
    return {std::move(target), true};
  }
  if (method == "get" && arguments.size() == 1 && arguments[0].is == Value::Is::number) {
    const auto at = static_cast<std::size_t>(arguments[0].number);
    bool certain = arguments[0].number >= 0 && at < target.items.size();
    for (std::size_t i = 0; certain && i <= at; ++i) certain = !target.items[i].each;
    if (certain) return {target.items[at]};
  }
  for (const std::string_view harmless :
       {"size", "isEmpty", "get", "contains", "indexOf", "hashCode", "equals"})
    if (method == harmless) return {refuse(method)};
  return {refuse(method), true};
}

}  // namespace

Known call_on(const Value& target, std::string_view method, const std::vector<Value>& arguments) {
  switch (target.is) {
    case Value::Is::text:
      return on_text(target, method, arguments);
    case Value::Is::builder:
      return on_builder(target, method, arguments);
    case Value::Is::list:
      return on_list(target, method, arguments);
    default:
      return {refuse(method)};
  }
}

std::optional<Value> call_of(std::string_view type, std::string_view method,
                             const std::vector<Value>& arguments) {
  const bool array = arguments.size() == 1 && arguments[0].is == Value::Is::list;
  const auto is = [&](std::string_view of, std::string_view called) {
    return type == of && method == called;
  };
  if (is("Arrays", "asList") || is("List", "of") || is("Stream", "of"))
    return array ? arguments[0] : list_of(arguments);
  if (is("Collections", "singletonList") && arguments.size() == 1) return list_of(arguments);
  if (is("Collections", "emptyList")) return list_of({});
  if ((is("Collections", "unmodifiableList") || is("Objects", "requireNonNull") || is("List", "copyOf")) &&
      !arguments.empty())
    return arguments[0];
  if (is("String", "valueOf") && arguments.size() == 1) {
    std::string text;
    return in_text(arguments[0], text) ? text_value(std::move(text)) : arguments[0];
  }
  if (is("String", "format") && !arguments.empty()) {
    if (arguments[0].is != Value::Is::text) return unknown("what `format` does is not known");
    return formatted(arguments[0].text, 1, arguments);
  }
  if (is("String", "join") && !arguments.empty() && arguments[0].is == Value::Is::text) {
    const bool list = arguments.size() == 2 && arguments[1].is == Value::Is::list;
    const std::vector<Value> parts =
        list ? arguments[1].items : std::vector<Value>(arguments.begin() + 1, arguments.end());
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].each) return unknown("a loop puts words into what `join` joins");
      if (i > 0) text += arguments[0].text;
      if (!in_text(parts[i], text))
        return unknown(parts[i].known() ? "what `join` does is not known" : parts[i].text);
    }
    return text_value(std::move(text));
  }
  return std::nullopt;
}

}  // namespace lockstep::tools::java
