#include "tools/differential/reply_reader.h"

#include <charconv>

#include "sim/base/verify.h"

namespace lockstep::differential {

using model::Reply;

namespace {

std::int64_t number(std::string_view digits) {
  std::int64_t value = 0;
  const auto end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value);
  VERIFY(result.ec == std::errc() && result.ptr == end);
  return value;
}

}  // namespace

void ReplyReader::feed(std::string_view bytes) {
  if (taken_ == bytes_.size()) {
    bytes_.clear();
    taken_ = 0;
  }
  bytes_ += bytes;
}

std::optional<Reply> ReplyReader::next() {
  std::size_t at = taken_;
  Reply reply;
  if (!read(at, reply)) return std::nullopt;
  taken_ = at;
  return reply;
}

bool ReplyReader::skip_payload() {
  while (taken_ < bytes_.size() && bytes_[taken_] == '\n') ++taken_;
  std::size_t at = taken_;
  const auto head = line(at);
  if (!head) return false;
  VERIFY(head->front() == '$');
  const auto size = static_cast<std::size_t>(number(head->substr(1)));
  if (bytes_.size() - at < size) return false;
  taken_ = at + size;
  return true;
}

std::optional<std::string_view> ReplyReader::line(std::size_t& at) const {
  const std::size_t end = bytes_.find("\r\n", at);
  if (end == std::string::npos) return std::nullopt;
  const std::string_view found = std::string_view(bytes_).substr(at, end - at);
  at = end + 2;
  return found;
}

bool ReplyReader::read(std::size_t& at, Reply& reply) const {
  const auto head = line(at);
  if (!head) return false;
  VERIFY(!head->empty());
  const std::string_view rest = head->substr(1);
  switch (head->front()) {
    case '+':
      reply = lua::Status{std::string(rest)};
      return true;
    case '-':
      reply = lua::Error{std::string(rest)};
      return true;
    case ':':
      reply = number(rest);
      return true;
    case '$':
      return read_bulk(at, number(rest), reply);
    case '*':
      return read_array(at, number(rest), reply);
    default:
      return read_typed(at, head->front(), rest, reply);
  }
}

bool ReplyReader::read_typed(std::size_t& at, char kind, std::string_view rest, Reply& reply) const {
  using lua::Type3;
  const auto with_items = [&](Type3 type, std::size_t each) {
    Reply::Array items(static_cast<std::size_t>(number(rest)) * each);
    if (!read_items(at, items)) return false;
    reply = lua::Typed{type, std::move(items)};
    return true;
  };
  switch (kind) {
    case '_':
      reply = lua::Typed{};
      return true;
    case '#':
      reply = lua::Typed{Type3::boolean, {std::int64_t{rest == "t" ? 1 : 0}}};
      return true;
    case ',':
      reply = lua::Typed{Type3::number, {std::string(rest)}};
      return true;
    case '(':
      reply = lua::Typed{Type3::big_number, {std::string(rest)}};
      return true;
    case '=':
      return read_verbatim(at, number(rest), reply);
    case '%':
      return with_items(Type3::map, 2);
    case '~':
      return with_items(Type3::set, 1);
    default:
      VERIFY(kind == '>');
      return with_items(Type3::push, 1);
  }
}

bool ReplyReader::read_verbatim(std::size_t& at, std::int64_t size, Reply& reply) const {
  constexpr std::size_t format = 3;
  Reply text;
  if (!read_bulk(at, size, text)) return false;
  reply = lua::Typed{lua::Type3::verbatim, {text.bulk()->substr(0, format), text.bulk()->substr(format + 1)}};
  return true;
}

bool ReplyReader::read_items(std::size_t& at, Reply::Array& items) const {
  for (Reply& item : items) {
    if (!read(at, item)) return false;
  }
  return true;
}

bool ReplyReader::read_bulk(std::size_t& at, std::int64_t size, Reply& reply) const {
  reply = lua::Nil{};
  if (size < 0) return true;
  const auto length = static_cast<std::size_t>(size);
  if (bytes_.size() - at < length + 2) return false;
  reply = bytes_.substr(at, length);
  at += length + 2;
  return true;
}

bool ReplyReader::read_array(std::size_t& at, std::int64_t size, Reply& reply) const {
  reply = lua::NilArray{};
  if (size < 0) return true;
  Reply::Array items(static_cast<std::size_t>(size));
  if (!read_items(at, items)) return false;
  reply = std::move(items);
  return true;
}

void append_request(std::string& bytes, const model::Command& command) {
  bytes += '*' + std::to_string(command.size()) + "\r\n";
  for (const std::string& word : command) {
    bytes += '$' + std::to_string(word.size()) + "\r\n";
    bytes += word;
    bytes += "\r\n";
  }
}

}  // namespace lockstep::differential
