// Loops that do nothing to a list but put items behind its last one.
#include <algorithm>

#include "tools/import/java/interpreter.h"

namespace lockstep::tools::java {

namespace {

std::string_view own_name(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// Where the arguments of a call begin and end whose bracket this is; `last` is its other half.
std::vector<Range> arguments_in(const File& file, std::uint32_t open) {
  std::vector<Range> arguments;
  const std::uint32_t last = file.partner[open];
  for (std::uint32_t at = open + 1, first = at; at <= last; ++at) {
    if (at < last && file.partner[at] > at) at = file.partner[at];
    else if (at == last || file.at(at).is(",")) {
      if (first < at) arguments.push_back({first, at});
      first = at + 1;
    }
  }
  return arguments;
}

}  // namespace

std::vector<std::string> Interpreter::growing_in(const State& state, const File& file, Range range) const {
  std::uint32_t left = range.first;  // the last place from which a round may be left early
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    if (file.at(at).is("continue")) left = at;
    if (file.at(at + 1).is("(") && wanted_(file.at(at).text, 3)) return {};
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : state.locals) {
    if (value.is != Value::Is::list) continue;
    bool grows = false, only = true;
    for (std::uint32_t at = range.first; only && at < range.last; ++at) {
      if (file.at(at).text != name || (at > 0 && file.at(at - 1).is("."))) continue;
      const std::string_view called = file.at(at + 1).is(".") ? file.at(at + 2).text : std::string_view{};
      const bool adds = called == "add" || called == "addAll";
      only = adds ? at > left : called == "size" || called == "isEmpty" || called == "get";
      grows = grows || adds;
    }
    if (grows && only) names.push_back(name);
  }
  return names;
}

/// What every round puts behind the last item is there any number of times, or once.
void Interpreter::grow(State& state, const std::vector<State>& rounds, const std::string& name,
                       bool once) const {
  Value& list = state.locals.at(name);
  const std::size_t known = list.items.size();
  const std::vector<Value>* items = nullptr;
  for (const State& round : rounds) {
    const Value& after = round.locals.at(name);
    const bool same = after.is == Value::Is::list && (items == nullptr || after.items == *items);
    items = same ? &after.items : nullptr;
    if (!same) break;
  }
  if (items == nullptr) {
    list = unknown("`" + name + "` is filled by a loop");
    list.shown = name;
    return;
  }
  for (std::size_t i = known; i < items->size(); ++i) {
    list.items.push_back((*items)[i]);
    list.items.back().each = !once || (*items)[i].each;
  }
}

/// `while (names.hasNext() && keys.size() < chunkSize)`, in a class that says what `chunkSize` is. A loop
/// without a round leaves a list without the item, and a request that wants it cannot be made.
bool Interpreter::has_one_round(const Statement& loop, const std::vector<std::string>& lists,
                                const Frame& frame) const {
  const File& file = *frame.type.file;
  if (frame.method == nullptr || loop.parts.empty()) return false;
  const Range head{loop.parts.front().range.first, loop.parts.back().range.last};
  bool bounded = false;
  for (std::uint32_t at = head.first; at < head.last; ++at) {
    if (file.at(at).is("||")) return false;
    const bool size = file.at(at + 1).is(".") && file.at(at + 2).is("size") && file.at(at + 3).is("(") &&
                      file.at(at + 5).is("<");
    if (!size || std::ranges::find(lists, file.at(at).text) == lists.end()) continue;
    const std::string_view most = file.at(at + 6).text;
    const bool given = std::ranges::any_of(frame.method->parameters, [&](const Parameter& parameter) {
      return parameter.name == most && parameter.type == "int";
    });
    bounded = bounded || (given && hands_one_over(frame.self, most));
  }
  return bounded;
}

/// Each constructor of the class says 1 for the parameter of this name to the class above.
bool Interpreter::hands_one_over(const Type& self, std::string_view parameter) const {
  const File& file = *self.file;
  const std::vector<const Type*> line = program_.line_of(self);
  if (line.size() < 2) return false;
  bool any = false;
  for (const Method& own : self.methods) {
    if (own.name != own_name(self.name) || !own.body) continue;
    const std::uint32_t at = own.body->first;
    if (!file.at(at).is("super") || !file.at(at + 1).is("(")) return false;
    const std::vector<Range> arguments = arguments_in(file, at + 1);
    const bool one = std::ranges::any_of(line[1]->methods, [&](const Method& above) {
      if (above.name != own_name(line[1]->name) || above.parameters.size() != arguments.size()) return false;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (above.parameters[i].name == parameter)
          return arguments[i].last == arguments[i].first + 1 && file.at(arguments[i].first).text == "1";
      return false;
    });
    if (!one) return false;
    any = true;
  }
  return any;
}

}  // namespace lockstep::tools::java
