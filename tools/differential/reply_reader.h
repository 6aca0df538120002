// reply_reader.h: the replies in a stream of bytes from a server (RESP2 or RESP3).
//
// Bytes come in pieces of any size; a reply comes out when all of it is there. The two nulls are told apart,
// which client libraries do not do. What is neither stops the program: the other side is a real server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/wire.h"

namespace lockstep::differential {

class ReplyReader {
 public:
  void feed(std::string_view bytes);
  std::optional<model::Reply> next();
  /// Leaves out a payload, which has no line end behind it, and the empty lines before it with which a master
  /// shows that it is still at work. Returns whether all of it was there.
  bool skip_payload();

 private:
  std::optional<std::string_view> line(std::size_t& at) const;
  bool read(std::size_t& at, model::Reply& reply) const;
  bool read_bulk(std::size_t& at, std::int64_t size, model::Reply& reply) const;
  bool read_array(std::size_t& at, std::int64_t size, model::Reply& reply) const;
  bool read_items(std::size_t& at, model::Reply::Array& items) const;
  bool read_typed(std::size_t& at, char kind, std::string_view rest, model::Reply& reply) const;
  bool read_verbatim(std::size_t& at, std::int64_t size, model::Reply& reply) const;

  std::string bytes_;
  std::size_t taken_ = 0;  // how much of bytes_ has become replies
};

/// The bytes in which a client sends a command.
void append_request(std::string& bytes, const model::Command& command);

}  // namespace lockstep::differential
