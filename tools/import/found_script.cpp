#include "tools/import/found_script.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "tools/import/java/interpreter.h"

namespace lockstep::tools {

namespace {

using java::File;
using java::Method;
using java::Range;
using java::Token;
using java::Type;
using java::Value;

constexpr int through_max = 4;  // a script that is handed on from method to method

bool is_eval(std::string_view name) {
  for (const std::string_view word : {"is", "get", "set", "has", "add", "on", "use"})
    if (name.starts_with(word) && name.size() > word.size() && name[word.size()] >= 'A' &&
        name[word.size()] <= 'Z')
      return false;
  return name.starts_with("eval") || name.find("Eval") != std::string_view::npos;
}

bool is_lock_type(const java::Program& program, const Type& type) {
  if (type.file->package.ends_with(".renewal")) return true;
  for (const Type* each : program.line_of(type))
    if (each->name.find("Lock") != std::string::npos && !each->interface) return true;
  return false;
}

/// The argument that is the script, by Redisson's signatures.
std::size_t script_place(std::string_view called, const std::vector<Value>& arguments) {
  if (called == "eval" || called == "evalAsync") return 1;     // mode, script, return type …
  if (called.find("All") != std::string_view::npos) return 2;  // command, callback, script …
  const auto is_text = [&](std::size_t at) {
    return at < arguments.size() && arguments[at].is == Value::Is::text;
  };
  return !is_text(3) && is_text(4) ? 4 : 3;  // [client,] key, codec, command, script …
}

JavaWord word_of(const Value& value) {
  JavaWord word{value.shown, std::nullopt, value.each};
  std::string text;
  if (java::in_text(value, text)) word.value = text;
  return word;
}

std::optional<std::vector<JavaWord>> words_of(const Value& list) {
  if (list.is != Value::Is::list) return std::nullopt;
  std::vector<JavaWord> words;
  for (const Value& item : list.items) words.push_back(word_of(item));
  return words;
}

/// What follows the keys: one list, or the words themselves.
std::optional<std::vector<JavaWord>> words_behind(const std::vector<Value>& arguments, std::size_t from) {
  if (arguments.size() == from + 1) {
    const Value& only = arguments[from];
    if (only.is == Value::Is::list) return words_of(only);
    if (!only.parameter.empty() || only.shown.ends_with(".toArray()")) return std::nullopt;
  }
  std::vector<JavaWord> words;
  for (std::size_t i = from; i < arguments.size(); ++i) words.push_back(word_of(arguments[i]));
  return words;
}

class Finder {
 public:
  explicit Finder(const java::Program& program)
      : program_(program), interpreter_(program, [](std::string_view name, std::size_t arguments) {
          return arguments >= 3 && is_eval(name);
        }) {}

  std::vector<FoundScript> run() {
    for (const Type* type : program_.types()) {
      for (const Method& method : type->methods)
        if (method.body && has_eval(*type->file, *method.body)) read(method, *type, {}, 0);
      for (const java::Field& field : type->fields)
        if (!field.value.empty() && has_eval(*type->file, field.value))
          keep(interpreter_.read(field, *type), *type, field.name, nullptr, 0);
    }
    for (const auto& file : program_.files()) report_unseen(*file);
    std::stable_sort(found_.begin(), found_.end(), [](const FoundScript& a, const FoundScript& b) {
      return std::tie(a.path, a.line) < std::tie(b.path, b.line);
    });
    return std::move(found_);
  }

 private:
  static bool is_call(const File& file, std::uint32_t at) {
    return file.at(at).kind == Token::Kind::name && file.at(at + 1).is("(") && is_eval(file.at(at).text);
  }

  static bool has_eval(const File& file, Range range) {
    for (std::uint32_t at = range.first; at < range.last; ++at)
      if (is_call(file, at)) return true;
    return false;
  }

  void read(const Method& method, const Type& type, std::set<const Method*> through, int depth) {
    auto reading = interpreter_.read(method, type, through);
    const std::set<std::string_view> relied = reading.relied;
    const std::size_t before = found_.size();
    keep(std::move(reading), type, method.name, &method, depth);
    if (relied.empty() || method.fixed) return;
    const std::vector<FoundScript> own(found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end());
    for (const Type* heir : heirs_of(type)) {
      if (!answers_otherwise(*heir, type, method, relied)) continue;
      const std::size_t base = found_.size();
      keep(interpreter_.read(method, *heir, through), *heir, method.name, &method, depth);
      drop_repeated(base, own);
    }
  }

  /// Whether an heir has a method that `method` relies on in its own way, and `method` itself not.
  bool answers_otherwise(const Type& heir, const Type& type, const Method& method,
                         const std::set<std::string_view>& relied) {
    bool otherwise = false;
    for (const Type* each : program_.line_of(heir)) {
      if (each == &type) break;
      for (const Method& own : each->methods) {
        if (own.name == method.name && own.parameters.size() == method.parameters.size()) return false;
        otherwise |= relied.contains(own.name);
      }
    }
    return otherwise;
  }

  const std::vector<const Type*>& heirs_of(const Type& type) {
    const auto [at, fresh] = heirs_.try_emplace(&type);
    if (fresh) at->second = program_.heirs_of(type);
    return at->second;
  }

  /// An heir that sends the same text says nothing new.
  void drop_repeated(std::size_t from, const std::vector<FoundScript>& own) {
    const auto same = [&](const FoundScript& one) {
      return std::any_of(own.begin(), own.end(), [&](const FoundScript& other) {
        return one.line == other.line && one.path == other.path && one.text == other.text;
      });
    };
    found_.erase(std::remove_if(found_.begin() + static_cast<std::ptrdiff_t>(from), found_.end(), same),
                 found_.end());
  }

  void keep(java::Interpreter::Reading reading, const Type& type, std::string_view method, const Method* in,
            int depth) {
    std::vector<FoundScript> kept;
    for (java::Seen& seen : reading.seen) {
      seen_.insert({seen.file, seen.anchor});
      const std::string_view called = seen.file->at(seen.anchor).text;
      const std::size_t place = script_place(called, seen.arguments);
      if (place >= seen.arguments.size()) continue;
      const Value& script = seen.arguments[place];
      if (in != nullptr && !script.parameter.empty()) {
        if (is_eval(method)) continue;  // its callers are found by themselves
        if (read_callers(*in, depth)) continue;
      }
      if (in != nullptr && takes_keys(seen, place, *in)) locks_that_give_keys(*in, depth);
      kept.push_back(script_of(seen, place, reading.complete, type, method));
    }
    for (FoundScript& one : kept) add(std::move(one));
  }

  FoundScript script_of(const java::Seen& seen, std::size_t place, bool complete, const Type& type,
                        std::string_view method) const {
    FoundScript found = at(*seen.file, seen.anchor, type, method);
    for (const java::Condition& condition : seen.conditions)
      found.under.push_back(condition.holds ? condition.text : "not (" + condition.text + ")");
    const std::vector<Value>& arguments = seen.arguments;
    const Value& script = arguments[place];
    if (!complete) found.why = "it depends on more conditions than are followed";
    else if (script.is == Value::Is::text) found.text = script.text;
    else found.why = script.known() ? "`" + script.shown.substr(0, 120) + "` is no text" : script.text;
    if (place > 0) found.answer = arguments[place - 1].shown;
    const std::size_t keys = place + (found.called == "eval" || found.called == "evalAsync" ? 2 : 1);
    if (keys < arguments.size()) found.keys = words_of(arguments[keys]);
    else found.keys.emplace();
    found.args = words_behind(arguments, std::min(keys + 1, arguments.size()));
    return found;
  }

  FoundScript at(const File& file, std::uint32_t anchor, const Type& type, std::string_view method) const {
    FoundScript found;
    found.path = file.path;
    found.line = file.at(anchor).line;
    found.type = type.name;
    found.method = method;
    found.called = file.at(anchor).text;
    found.of_lock = is_lock_type(program_, type);
    return found;
  }

  /// Ways that come to the same text are one script, under the conditions that they share.
  void add(FoundScript script) {
    for (FoundScript& other : found_) {
      if (other.line != script.line || other.path != script.path || other.type != script.type ||
          other.method != script.method || other.text != script.text || other.why != script.why ||
          other.keys != script.keys || other.args != script.args)
        continue;
      std::erase_if(other.under, [&](const std::string& condition) {
        return std::find(script.under.begin(), script.under.end(), condition) == script.under.end();
      });
      return;
    }
    found_.push_back(std::move(script));
  }

  /// Reads the callers of a method that is given the script; false if there are none.
  bool read_callers(const Method& method, int depth) {
    if (depth >= through_max) return false;
    if (const auto known = has_callers_.find(&method); known != has_callers_.end()) return known->second;
    bool& any = has_callers_[&method] = false;
    through_.insert(&method);
    const std::set<const Method*> through = through_;
    for (const Type* type : program_.types()) {
      const std::vector<const Type*> line = program_.line_of(*type);
      if (type->file != method.owner->file && std::find(line.begin(), line.end(), method.owner) == line.end())
        continue;
      for (const Method& caller : type->methods) {
        if (&caller == &method || !caller.body || !calls(*type->file, *caller.body, method)) continue;
        any = true;
        read(caller, *type, through, depth + 1);
      }
    }
    return any;
  }

  /// The KEYS are what a method's callers give it behind its other words.
  static bool takes_keys(const java::Seen& seen, std::size_t place, const Method& method) {
    if (method.parameters.empty() || !method.parameters.back().rest || place + 1 >= seen.arguments.size())
      return false;
    const Value& keys = seen.arguments[place + 1];
    return keys.is == Value::Is::list && keys.items.size() == 1 &&
           keys.items.front().parameter == method.parameters.back().name;
  }

  /// Of a class that is no lock's, a method that locks below it call with their own keys: theirs is another
  /// script, the same text under other KEYS.
  void locks_that_give_keys(const Method& method, int depth) {
    if (is_lock_type(program_, *method.owner) || depth >= through_max || !given_keys_.insert(&method).second)
      return;
    for (const Type* heir : heirs_of(*method.owner)) {
      if (!is_lock_type(program_, *heir)) continue;
      for (const Method& caller : heir->methods)
        if (caller.body && calls(*heir->file, *caller.body, method))
          read(caller, *heir, {&method}, depth + 1);
    }
  }

  static bool calls(const File& file, Range range, const Method& method) {
    for (std::uint32_t at = range.first; at < range.last; ++at)
      if (file.at(at).text == method.name && file.at(at + 1).is("(")) return true;
    return false;
  }

  /// Calls that no reading came by.
  void report_unseen(const File& file) {
    for (std::uint32_t at = 1; at + 1 < file.tokens.size(); ++at) {
      if (!is_call(file, at) || seen_.contains({&file, at}) || count_arguments(file, at + 1) < 3) continue;
      const Token& before = file.at(at - 1);
      const bool word = before.kind == Token::Kind::name && !before.is("return") && !before.is("else") &&
                        !before.is("throw") && !before.is("yield") && !before.is("do");
      if (word || before.is(">") || before.is("]")) continue;  // a declaration
      const auto [type, method] = around(file, at);
      if (type == nullptr) continue;
      FoundScript found = this->at(file, at, *type, method);
      found.why = "the code around it is not understood";
      found_.push_back(std::move(found));
    }
  }

  static int count_arguments(const File& file, std::uint32_t open) {
    if (file.partner[open] == open + 1) return 0;
    int count = 1;
    for (std::uint32_t at = open + 1; at < file.partner[open]; ++at) {
      if (file.partner[at] > at) at = file.partner[at];
      else if (file.at(at).is(",")) ++count;
    }
    return count;
  }

  std::pair<const Type*, std::string_view> around(const File& file, std::uint32_t at) const {
    const Type* some = nullptr;
    for (const Type* type : program_.types()) {
      if (type->file != &file) continue;
      if (some == nullptr) some = type;
      for (const Method& method : type->methods)
        if (method.body && method.body->first <= at && at < method.body->last) return {type, method.name};
    }
    return {some, {}};
  }

  const java::Program& program_;
  java::Interpreter interpreter_;
  std::vector<FoundScript> found_;
  std::set<std::pair<const File*, std::uint32_t>> seen_;
  std::set<const Method*> through_;
  std::map<const Method*, bool> has_callers_;
  std::set<const Method*> given_keys_;  // whose locks have been looked for
  std::map<const Type*, std::vector<const Type*>> heirs_;
};

}  // namespace

std::string FoundScript::name() const {
  std::string full = method.empty() ? type : type + "." + method;
  for (const std::string& condition : under)
    full += (&condition == &under.front() ? " if " : " and ") + condition;
  return full;
}

std::vector<FoundScript> find_scripts(const java::Program& program) { return Finder(program).run(); }

}  // namespace lockstep::tools
