#include "sim/trail/trail.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/base/byte_order_mark.h"
#include "sim/base/verify.h"

namespace lockstep::sim {

namespace {

constexpr std::string_view signature = "lockstep-trail";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Takes the text up to the next blank off the front of `rest`.
std::string_view take_word(std::string_view& rest) {
  const auto end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest = trimmed(rest.substr(end));
  return word;
}

template <class N>
std::optional<N> number(std::string_view text) {
  N value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Then> parse_then(std::string_view value) {
  if (value == "stop") return Then{};
  if (value == "default") return Then{.by_default = true, .until = {}};
  constexpr std::string_view prefix = "default until ";
  if (!value.starts_with(prefix)) return std::nullopt;
  const auto until = number<std::size_t>(trimmed(value.substr(prefix.size())));
  if (!until) return std::nullopt;
  return Then{.by_default = true, .until = until};
}

std::string text_of(const Then& then) {
  if (!then.by_default) return "stop";
  return then.until ? fmt::format("default until {}", *then.until) : "default";
}

std::optional<Choice> parse_choice(std::string_view word) {
  const auto slash = word.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = number<std::uint32_t>(word.substr(0, slash));
  const auto arity = number<std::uint32_t>(word.substr(slash + 1));
  if (!index || !arity || *index >= *arity) return std::nullopt;
  return Choice{*index, *arity};
}

/// A decision; without a choice (`5/6`, or `?`) in front of the move only if `bare`.
Result<TrailLine> decision_in(std::string_view line, std::size_t previous, bool bare = false) {
  TrailLine decision{.step = previous + 1, .choice = {}, .move = {}};
  if (line.starts_with('@')) {
    const std::string_view word = take_word(line);
    const auto step = number<std::size_t>(word.substr(1));
    if (!step) return Problem{fmt::format("'{}' is not a step; write @ and a number, such as @12", word)};
    if (*step <= previous)
      return Problem{fmt::format("step {} does not come after step {}", *step, previous)};
    decision.step = *step;
  }
  std::string_view behind = line;
  const std::string_view word = take_word(behind);
  decision.choice = parse_choice(word);
  const bool says_where = decision.choice || word == "?";
  if (!says_where && !bare)
    return Problem{fmt::format("'{}' is not CHOSEN/ARITY, such as 0/4 (the first of four), or ?", word)};
  if (says_where) line = behind;
  if (line.empty()) return Problem{"the decision names no move"};
  decision.move = line;
  return decision;
}

/// Reads one file line by line; a complaint is remembered together with its line.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<Trail> read() {
    if (text_.size() > trail_bytes_max) {
      return Problem{fmt::format("{}: {} bytes are more than a trail may have ({})", name_, text_.size(),
                                 trail_bytes_max)};
    }
    for (std::string_view rest = text_; !rest.empty() && complaint_.empty();) {
      const auto end = std::min(rest.find('\n'), rest.size());
      ++line_;
      behind_ = rest.substr(std::min(end + 1, rest.size()));
      read_line(rest.substr(0, end));
      if (!complaint_.empty() && end == rest.size() && !lines_ && begins_like_a_trail())
        complaint_ += "; the file ends here, without a line break: is it cut off?";
      rest = behind_;
    }
    if (complaint_.empty()) check_whole();
    if (!complaint_.empty())
      return Problem{fmt::format("{}:{}: {}", name_, std::max<std::size_t>(line_, 1), complaint_)};
    return std::move(trail_);
  }

 private:
  bool begins_like_a_trail() const { return signature.starts_with(text_.substr(0, signature.size())); }

  void complain(std::string text) { complaint_ = std::move(text); }

  void read_line(std::string_view raw) {
    for (const char c : raw) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < ' ' && c != '\t' && c != '\r') || byte == 0x7f) {
        return complain(fmt::format("not a trail: the file holds the control byte 0x{:02x}", byte));
      }
    }
    const std::string_view line = trimmed(raw);
    if (line.empty() || line.front() == '#') return;
    if (!signed_) return read_signature(line);
    const bool is_decision =
        line.front() == '@' || line.front() == '?' || (line.front() >= '0' && line.front() <= '9');
    if (is_decision) read_decision(line);
    else read_header(line);
  }

  /// Tabs and carriage returns are blanks around a text; within one nobody would see them.
  bool is_plain(std::string_view text) {
    const bool plain = text.find_first_of("\t\r") == std::string_view::npos;
    if (!plain) complain("a tab or carriage return stands within a text");
    return plain;
  }

  void read_signature(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word != signature)
      return complain(fmt::format("not a trail: the first line must be '{} {}'", signature, trail_format));
    const auto format = number<int>(line);
    if (!format || *format < 1) return complain(fmt::format("'{}' is not a format number", line));
    if (*format != trail_format) {
      return complain(
          fmt::format("format {} is not known to this build, which reads {}", *format, trail_format));
    }
    signed_ = true;
  }

  void read_header(std::string_view line) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) {
      return complain(
          fmt::format("'{}' is neither a header ('key = value') nor a decision ('1/4 move')", line));
    }
    if (!trail_.lines.empty()) return complain("headers stand before the first decision");
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (!is_plain(value)) return;
    if (key == "then") return read_then(value);
    if (key == "script") return read_script(value);
    if (key == "lines") return read_lines(value);
    for (Text& text : texts_) {
      if (text.key != key) continue;
      if (text.given) return complain(fmt::format("'{}' is given twice", key));
      text.given = true;
      *text.value = value;
      if (text.at != nullptr) text.at->number = line_;
      return;
    }
    complain(fmt::format(
        "unknown header '{}'; known are lines, scenario, file, digest, scripts, script, property, verdict, "
        "then",
        key));
  }

  void read_then(std::string_view value) {
    if (then_given_) return complain("'then' is given twice");
    const auto then = parse_then(value);
    if (!then)
      return complain(fmt::format("then = {}: expected stop, default, or default until STEP", value));
    then_given_ = true;
    trail_.then = *then;
  }

  void read_lines(std::string_view value) {
    lines_ = number<std::size_t>(value);
    if (!lines_) return complain(fmt::format("lines = {}: expected how many lines follow", value));
    const auto follow = static_cast<std::size_t>(std::count(behind_.begin(), behind_.end(), '\n'));
    if (follow < *lines_)
      complain(
          fmt::format("the file is cut off: {} of {} lines follow (who takes lines away by hand leaves "
                      "out `lines`)",
                      follow, *lines_));
  }

  void read_script(std::string_view value) {
    TrailScript script;
    script.role = take_word(value);
    script.sha1 = take_word(value);
    script.source = value;
    const bool hex =
        script.sha1.size() == 40 && script.sha1.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hex) return complain("a script is its role, its SHA1 (40 digits) and its file");
    if (!trail_.used.empty() && trail_.used.back().role >= script.role)
      return complain(fmt::format("the script of role '{}' does not come after that of '{}'", script.role,
                                  trail_.used.back().role));
    trail_.used.push_back(std::move(script));
  }

  void read_decision(std::string_view line) {
    auto decision = decision_in(line, trail_.lines.empty() ? 0 : trail_.lines.back().step);
    if (!decision) return complain(decision.problem().text);
    if (!is_plain(decision->move)) return;
    decision->at = {line_};
    trail_.lines.push_back(*std::move(decision));
  }

  void check_whole() {
    if (!signed_) return complain("not a trail: the file is empty");
    if (!texts_[0].given || trail_.scenario.empty())
      return complain("the trail does not say its scenario: is it cut off?");
    const auto& until = trail_.then.until;
    if (until && !trail_.lines.empty() && *until < trail_.lines.back().step) {
      complain(fmt::format("then = {} ends before the last decision, at step {}", text_of(trail_.then),
                           trail_.lines.back().step));
    }
  }

  struct Text {
    std::string_view key;
    std::string* value;
    FileLine* at = nullptr;
    bool given = false;
  };

  std::string_view text_, name_, behind_;  // behind the line that is read
  Trail trail_;
  Text texts_[6] = {{"scenario", &trail_.scenario, &trail_.scenario_at},
                    {"file", &trail_.scenario_file},
                    {"digest", &trail_.scenario_digest},
                    {"scripts", &trail_.scripts, &trail_.scripts_at},
                    {"property", &trail_.property, &trail_.property_at},
                    {"verdict", &trail_.verdict, &trail_.verdict_at}};
  bool signed_ = false;
  bool then_given_ = false;
  std::optional<std::size_t> lines_;
  std::size_t line_ = 0;
  std::string complaint_;
};

/// What is written must be read back as it was.
const std::string& printable(const std::string& text) {
  VERIFY(fits_in_trail(text));
  return text;
}

}  // namespace

bool fits_in_trail(std::string_view text) {
  const bool plain = std::none_of(text.begin(), text.end(),
                                  [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  return plain && trimmed(text).size() == text.size();
}

std::string text_of(const Trail& trail) {
  std::string out;
  const auto header = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += fmt::format("{:<8} = {}\n", key, printable(value));
  };
  header("scenario", trail.scenario);
  header("file", trail.scenario_file);
  header("digest", trail.scenario_digest);
  header("scripts", trail.scripts);
  for (const TrailScript& script : trail.used)
    header("script", fmt::format("{} {}{}{}", script.role, script.sha1, script.source.empty() ? "" : " ",
                                 script.source));
  header("property", trail.property);
  header("verdict", trail.verdict);
  header("then", text_of(trail.then));
  out += '\n';
  const bool has_gaps = !trail.lines.empty() && trail.lines.back().step != trail.lines.size();
  for (const TrailLine& line : trail.lines) {
    VERIFY(!line.move.empty());
    if (has_gaps) out += fmt::format("@{} ", line.step);
    if (line.choice) out += fmt::format("{}/{} ", line.choice->index, line.choice->arity);
    else out += "? ";
    out += printable(line.move);
    out += '\n';
  }
  return fmt::format("{} {}\nlines    = {}\n", signature, trail_format,
                     std::count(out.begin(), out.end(), '\n')) +
         out;
}

bool looks_like_trail(std::string_view text) { return without_mark(text).starts_with(signature); }

Result<Trail> parse_trail(std::string_view text, std::string_view name) {
  return Reader{without_mark(text), name}.read();
}

Result<TrailLine> parse_decision(std::string_view text, std::size_t previous) {
  return decision_in(trimmed(text), previous, true);
}

}  // namespace lockstep::sim
