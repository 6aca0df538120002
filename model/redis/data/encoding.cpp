#include "model/redis/data/encoding.h"

#include <limits>

#include "model/redis/arguments.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis {

namespace {

/// A longer string does not fit into one allocation with its header.
constexpr std::size_t embedded_bytes_max = 44;
constexpr std::int64_t shared_integers = 10'000;

bool may_be_integer(const String& text) { return text.form == Form::given || text.form == Form::copied; }

std::string_view string_encoding(const String& text) {
  if (text.form == Form::edited) return "raw";
  if (may_be_integer(text) && parse_integer(text.bytes)) return "int";
  return text.bytes.size() <= embedded_bytes_max ? "embstr" : "raw";
}

}  // namespace

std::string_view encoding_of(const Value& value) {
  return std::visit(
      sim::overloaded{
          [](const String& text) { return string_encoding(text); },
          [](const List&) { return std::string_view("quicklist"); },
          [](const Set& set) { return encoding(set); },
          [](const Hash& hash) { return std::string_view(hash.compact ? "listpack" : "hashtable"); },
          [](const SortedSet& sorted) { return encoding(sorted); },
      },
      value);
}

std::int64_t reference_count(const Value& value) {
  const String* const text = std::get_if<String>(&value);
  const auto integer =
      text && text->form == Form::given ? parse_integer(text->bytes) : std::optional<std::int64_t>();
  const bool shared = integer && *integer >= 0 && *integer < shared_integers;
  return shared ? std::numeric_limits<std::int32_t>::max() : 1;
}

}  // namespace lockstep::redis
