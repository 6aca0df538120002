// resp.h: the protocol between a Redis server and its clients: requests out of bytes, replies into bytes.
// Requests are those of RESP2 in RESP3, too; a reply that has parts which only RESP3 has is written in that.
//
// A request is an array of bulk strings ("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n") or a line that a person types
// ("GET k\r\n", quoted as redis-cli does). The parser takes bytes in whatever portions they arrive, and
// holds what is not yet a whole request. After a protocol error it finds nothing more: the server writes
// the error and closes the connection.
//
// Sources: Redis 7.0.15 networking.c (processInlineBuffer, processMultibulkBuffer) and sds.c
// (sdssplitargs), and a redis-server 7.0.15 that was asked. As there, a line is looked for up to the first
// NUL byte only, CR ends the line of a length whatever follows it, and the two bytes behind a bulk string
// are skipped unread. The limit of a line counts what has arrived when its end is looked for and not found,
// so that a longer line may pass if the rest of it comes at once, in Redis as here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/wire.h"

namespace lockstep::redis {

/// More than this without the end of a line is a protocol error (PROTO_INLINE_MAX_SIZE).
inline constexpr std::size_t line_bytes_max = 64 * 1024;
/// The longest bulk string of a request (proto-max-bulk-len).
inline constexpr std::int64_t bulk_bytes_max = std::int64_t{512} << 20;
/// The most words of a request (INT_MAX).
inline constexpr std::int64_t words_max = 2'147'483'647;
/// The same for a stranger, who has not given the password that is wanted.
inline constexpr std::int64_t stranger_bytes_max = 16'384;
inline constexpr std::int64_t stranger_words_max = 10;

/// Empties a text and frees its memory, which assigning an empty one does not do.
inline void give_back(std::string& text) { std::string().swap(text); }

class RequestParser {
 public:
  enum class Found : std::uint8_t { nothing, command, error };

  /// `is_stranger` is asked about requests that a stranger may not send.
  explicit RequestParser(std::function<bool()> is_stranger = [] { return false; })
      : is_stranger_(std::move(is_stranger)) {}

  /// Adds bytes that arrived.
  void feed(std::string_view bytes);

  /// Takes the next whole request out of what was fed. `nothing`: more bytes are needed. Empty requests are
  /// skipped, as in Redis. `command` keeps its storage from one call to the next.
  Found next(model::Command& command);

  /// After `error`: the error line without its '-'.
  const std::string& error() const { return error_; }

  /// Bytes of memory, about, for requests that are not whole yet or were not taken. Many empty words cost
  /// more than they were long.
  std::size_t held() const { return bytes_.size() - at_ + words_bytes_; }

 private:
  enum class Step : std::uint8_t { more, done, failed };

  Step step();
  Step fail(std::string text);
  Step inline_request();
  Step multibulk_count();
  Step bulk_count();
  Step begin_request(std::int64_t count);
  Step begin_word(std::size_t size);
  Step bulk_bytes();
  std::optional<std::int64_t> usual_count();
  std::optional<std::size_t> line_end(char end) const;
  Step wait_for_line(std::string_view what);
  std::string& next_word();

  std::function<bool()> is_stranger_;
  std::string bytes_;  // what was fed; everything before at_ has been used
  std::size_t at_ = 0;
  model::Command words_;  // of the request that is being read; strings behind word_count_ are spare
  std::size_t word_count_ = 0;
  std::size_t words_bytes_ = 0;  // what the words so far take
  std::int64_t words_left_ = 0;  // of the array that is being read; 0: a request begins
  std::int64_t bulk_left_ = -1;  // bytes of a bulk string with its CR LF; -1: its length is not known
  std::string error_;
};

/// The words of a line, with "…" (escapes \n \r \t \b \a \xHH) and '…' (escape \'); nullopt: unbalanced
/// quotes.
std::optional<model::Command> split_line(std::string_view line);

/// Appends the reply as a client receives it.
void encode(const model::Reply& reply, std::string& out);

/// Appends the command as an array of bulk strings: what clients send, and what a replication stream
/// consists of.
void encode(const model::Command& command, std::string& out);

}  // namespace lockstep::redis
