// The commands that read or change a part of a string: GETRANGE, SETRANGE, APPEND.
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

Reply getrange(Call& call, Words words) {
  const auto given_start = parse_integer(words[2]), given_end = parse_integer(words[3]);
  if (!given_start || !given_end) return errors::not_an_integer();
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text || text->bytes.empty()) return bulk("");
  std::int64_t start = *given_start, end = *given_end;
  if (start < 0 && end < 0 && start > end) return bulk("");
  const auto size = static_cast<std::int64_t>(text->bytes.size());
  // An end before the first byte becomes the first byte: GETRANGE k 0 -100 answers one byte, as in Redis.
  if (start < 0) start = std::max<std::int64_t>(start + size, 0);
  if (end < 0) end = std::max<std::int64_t>(end + size, 0);
  end = std::min(end, size - 1);
  if (start > end) return bulk("");
  return text->bytes.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start + 1));
}

Reply append(Call& call, Words words) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text) {
    call.put(words[1], String{std::string(words[2])});
  } else {
    if (!fits_in_a_string(call, text->bytes.size(), words[2].size())) return errors::string_too_long();
    text->bytes.append(words[2]);
    text->form = Form::edited;
  }
  call.replicate(words);
  return count(text ? text->bytes.size() : words[2].size());
}

Reply setrange(Call& call, Words words) {
  const auto offset = parse_integer(words[2]);
  if (!offset) return errors::not_an_integer();
  if (*offset < 0) return Error{"ERR offset is out of range"};
  const std::string_view patch = words[3];
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (patch.empty()) return count(text ? text->bytes.size() : 0);
  const auto start = static_cast<std::size_t>(*offset);
  if (!fits_in_a_string(call, start, patch.size())) return errors::string_too_long();
  if (!text) text = call.find_or_create<String>(words[1]);
  if (text->bytes.size() < start + patch.size()) text->bytes.resize(start + patch.size(), '\0');
  text->bytes.replace(start, patch.size(), patch);
  text->form = Form::edited;
  call.replicate(words);
  return count(text->bytes.size());
}

}  // namespace lockstep::redis::commands
