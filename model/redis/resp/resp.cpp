#include "model/redis/resp/resp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "model/redis/arguments.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis {

namespace {

/// A word's storage beyond this is given back; a client that sent one long value would keep it otherwise.
constexpr std::size_t spare_bytes_max = 64 * 1024;
/// So much used space in front of the buffer is tolerated before it moves.
constexpr std::size_t used_bytes_max = 64 * 1024;

constexpr std::size_t line_break = 2;

}  // namespace

void RequestParser::feed(std::string_view bytes) {
  if (at_ == bytes_.size()) {
    if (bytes_.capacity() > spare_bytes_max) give_back(bytes_);
    else bytes_.clear();
    at_ = 0;
  } else if (at_ > used_bytes_max) {
    bytes_.erase(0, at_);
    at_ = 0;
  }
  bytes_.append(bytes);
}

RequestParser::Found RequestParser::next(model::Command& command) {
  if (!error_.empty()) return Found::error;
  while (at_ < bytes_.size()) {
    const Step taken = step();
    if (taken == Step::failed) return Found::error;
    if (taken == Step::more) return Found::nothing;
    if (words_left_ > 0 || word_count_ == 0) continue;
    words_.resize(word_count_);
    std::swap(words_, command);
    word_count_ = 0;
    words_bytes_ = 0;
    return Found::command;
  }
  return Found::nothing;
}

/// One line or one bulk string; `more` if it has not arrived as a whole.
RequestParser::Step RequestParser::step() {
  if (bulk_left_ >= 0) return bulk_bytes();
  if (words_left_ > 0) return bulk_count();
  return bytes_[at_] == '*' ? multibulk_count() : inline_request();
}

RequestParser::Step RequestParser::fail(std::string text) {
  error_ = "ERR Protocol error: " + on_one_line(std::move(text));
  return Step::failed;
}

std::optional<std::size_t> RequestParser::line_end(char end) const {
  const char* const from = bytes_.c_str() + at_;
  const char* const found = std::strchr(from, end);
  if (!found) return std::nullopt;
  return static_cast<std::size_t>(found - from) + at_;
}

RequestParser::Step RequestParser::wait_for_line(std::string_view what) {
  if (bytes_.size() - at_ > line_bytes_max) return fail("too big " + std::string(what));
  return Step::more;
}

RequestParser::Step RequestParser::inline_request() {
  const auto end = line_end('\n');
  if (!end) return wait_for_line("inline request");
  std::string_view line = std::string_view(bytes_).substr(at_, *end - at_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto words = split_line(line);
  if (!words) return fail("unbalanced quotes in request");
  words_ = std::move(*words);
  word_count_ = words_.size();
  at_ = *end + 1;
  return Step::done;
}

/// Takes a header line if it is one of the usual ones: it is there, and has few digits and nothing else.
std::optional<std::int64_t> RequestParser::usual_count() {
  constexpr std::size_t digits_max = 8;
  const std::size_t from = at_ + 1, most = std::min(bytes_.size(), from + digits_max);
  std::size_t end = from;
  std::int64_t count = 0;
  for (; end < most && bytes_[end] >= '0' && bytes_[end] <= '9'; ++end)
    count = count * 10 + bytes_[end] - '0';
  const bool leads_with_zero = end > from + 1 && bytes_[from] == '0';
  if (end == from || leads_with_zero || end + line_break > bytes_.size() || bytes_[end] != '\r')
    return std::nullopt;
  at_ = end + line_break;
  return count;
}

RequestParser::Step RequestParser::multibulk_count() {
  if (const auto usual = usual_count()) return begin_request(*usual);
  const auto end = line_end('\r');
  if (!end) return wait_for_line("mbulk count string");
  if (*end + line_break > bytes_.size()) return Step::more;
  const auto count = parse_integer(std::string_view(bytes_).substr(at_ + 1, *end - at_ - 1));
  if (!count || *count > words_max) return fail("invalid multibulk length");
  at_ = *end + line_break;
  return begin_request(std::max<std::int64_t>(*count, 0));
}

RequestParser::Step RequestParser::begin_request(std::int64_t count) {
  if (count > stranger_words_max && is_stranger_()) return fail("unauthenticated multibulk length");
  words_left_ = count;
  return Step::done;
}

RequestParser::Step RequestParser::bulk_count() {
  if (bytes_[at_] == '$') {
    if (const auto usual = usual_count()) return begin_word(static_cast<std::size_t>(*usual));
  }
  const auto end = line_end('\r');
  if (!end) return wait_for_line("bulk count string");
  if (*end + line_break > bytes_.size()) return Step::more;
  const char kind = bytes_[at_];
  if (kind != '$') return fail("expected '$', got '" + std::string(1, kind) + "'");
  const auto count = parse_integer(std::string_view(bytes_).substr(at_ + 1, *end - at_ - 1));
  if (!count || *count < 0 || *count > bulk_bytes_max) return fail("invalid bulk length");
  at_ = *end + line_break;
  return begin_word(static_cast<std::size_t>(*count));
}

/// Most words have arrived as a whole.
RequestParser::Step RequestParser::begin_word(std::size_t size) {
  if (size > stranger_bytes_max && is_stranger_()) return fail("unauthenticated bulk length");
  std::string& word = next_word();
  if (bytes_.size() - at_ < size + line_break) {
    bulk_left_ = static_cast<std::int64_t>(size + line_break);
    word.reserve(std::min(size, spare_bytes_max));
    return Step::done;
  }
  word.assign(bytes_, at_, size);
  words_bytes_ += size;
  at_ += size + line_break;
  --words_left_;
  return Step::done;
}

/// A fresh word at the end of the request, in the storage of an earlier one if there is any.
std::string& RequestParser::next_word() {
  if (word_count_ == words_.size()) words_.emplace_back();
  std::string& word = words_[word_count_++];
  words_bytes_ += sizeof word;
  if (word.capacity() > spare_bytes_max) give_back(word);
  else word.clear();
  return word;
}

RequestParser::Step RequestParser::bulk_bytes() {
  const std::size_t wanted = static_cast<std::size_t>(bulk_left_);
  const std::size_t arrived = std::min(wanted, bytes_.size() - at_);
  const std::size_t of_word = wanted > line_break ? std::min(arrived, wanted - line_break) : 0;
  words_[word_count_ - 1].append(bytes_, at_, of_word);
  words_bytes_ += of_word;
  at_ += arrived;
  bulk_left_ -= static_cast<std::int64_t>(arrived);
  if (bulk_left_ > 0) return Step::more;
  bulk_left_ = -1;
  --words_left_;
  return Step::done;
}

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return c;
  }
}

/// Reads the words of one line from left to right.
class LineSplitter {
 public:
  explicit LineSplitter(std::string_view line) : rest_(line) {}

  std::optional<model::Command> split() {
    model::Command words;
    for (skip_spaces(); !rest_.empty(); skip_spaces()) {
      words.emplace_back();
      if (!read(words.back())) return std::nullopt;
    }
    return words;
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  }

  /// A word ends at a blank or with a closing quote. A quote may open in its middle; vertical tab and form
  /// feed belong to it there, though they separate words.
  bool read(std::string& word) {
    while (!rest_.empty()) {
      const char c = take();
      if (c == '"') return read_double_quoted(word);
      if (c == '\'') return read_single_quoted(word);
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') return true;
      word += c;
    }
    return true;
  }

  bool read_double_quoted(std::string& word) {
    while (!rest_.empty()) {
      const char c = take();
      if (c == '"') return closed();
      if (c != '\\' || rest_.empty()) word += c;
      else word += escaped();
    }
    return false;
  }

  bool read_single_quoted(std::string& word) {
    while (!rest_.empty()) {
      const char c = take();
      if (c == '\'') return closed();
      if (c == '\\' && rest_.starts_with('\'')) word += take();
      else word += c;
    }
    return false;
  }

  char escaped() {
    if (rest_.size() >= 3 && rest_[0] == 'x') {
      const auto high = hex_digit(rest_[1]);
      const auto low = hex_digit(rest_[2]);
      if (high && low) {
        rest_.remove_prefix(3);
        return static_cast<char>(*high * 16 + *low);
      }
    }
    return unescaped(take());
  }

  /// A closing quote is followed by a blank or by nothing.
  bool closed() const { return rest_.empty() || is_space(rest_.front()); }

  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
};

void append_number(std::int64_t number, std::string& out) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
  out += "\r\n";
}

void append_header(char kind, std::size_t count, std::string& out) {
  out += kind;
  append_number(static_cast<std::int64_t>(count), out);
}

void append_bulk(std::string_view bytes, std::string& out) {
  append_header('$', bytes.size(), out);
  out += bytes;
  out += "\r\n";
}

/// A line break within a line would be the end of the reply for its reader.
void append_line(char kind, std::string_view text, std::string& out) {
  out += kind;
  const std::size_t from = out.size();
  out += text;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(from), out.end(),
      [](char c) { return c == '\r' || c == '\n'; }, ' ');
  out += "\r\n";
}

void append_all(char kind, std::size_t count, const model::Reply::Array& items, std::string& out) {
  append_header(kind, count, out);
  for (const model::Reply& item : items) encode(item, out);
}

/// The format has three letters.
void append_verbatim(std::string_view format, std::string_view text, std::string& out) {
  constexpr std::size_t letters = 3;
  append_header('=', text.size() + letters + 1, out);
  for (std::size_t i = 0; i < letters; ++i) out += i < format.size() ? format[i] : ' ';
  out += ':';
  out += text;
  out += "\r\n";
}

void append_typed(const lua::Typed& typed, std::string& out) {
  const auto& items = typed.items;
  switch (typed.type) {
    case lua::Type3::null:
      return append_line('_', "", out);
    case lua::Type3::boolean:
      return append_line('#', *items[0].integer() != 0 ? "t" : "f", out);
    case lua::Type3::number:
      return append_line(',', *items[0].bulk(), out);
    case lua::Type3::big_number:
      return append_line('(', *items[0].bulk(), out);
    case lua::Type3::verbatim:
      return append_verbatim(*items[0].bulk(), *items[1].bulk(), out);
    case lua::Type3::map:
      return append_all('%', items.size() / 2, items, out);
    case lua::Type3::set:
      return append_all('~', items.size(), items, out);
    case lua::Type3::push:
      return append_all('>', items.size(), items, out);
    case lua::Type3::attribute:
      return append_all('|', items.size() / 2, items, out);
  }
}

}  // namespace

std::optional<model::Command> split_line(std::string_view line) { return LineSplitter(line).split(); }

void encode(const model::Reply& reply, std::string& out) {
  std::visit(sim::overloaded{
                 [&](const lua::Nil&) { out += "$-1\r\n"; },
                 [&](const lua::NilArray&) { out += "*-1\r\n"; },
                 [&](std::int64_t number) {
                   out += ':';
                   append_number(number, out);
                 },
                 [&](const std::string& bulk) { append_bulk(bulk, out); },
                 [&](const lua::Status& status) { append_line('+', status.text, out); },
                 [&](const lua::Error& error) { append_line('-', error.text, out); },
                 [&](const model::Reply::Array& items) {
                   append_header('*', items.size(), out);
                   for (const model::Reply& item : items) encode(item, out);
                 },
                 [&](const lua::Typed& typed) { append_typed(typed, out); },
             },
             reply.value);
}

void encode(const model::Command& command, std::string& out) {
  append_header('*', command.size(), out);
  for (const std::string& word : command) append_bulk(word, out);
}

}  // namespace lockstep::redis
